use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::model::Family;

pub static RULE: Rule = Rule::new(include_str!("sp614_replication_scope.md"), Detector::Family(check));

fn check(context: &Context<'_>, family: &Family) -> Option<Finding> {
    let scope = family.number("REPLICATION_SCOPE").filter(|scope| *scope > 1)?;
    let (span, _) = context.attribute(family, "REPLICATION_SCOPE")?;
    let message = format!("HBase has no replication scope {scope}");
    let finding = RULE.at(context, span, message, "neither local (0) nor global (1)");
    Some(finding.help("write `replication_scope: 1` to replicate; serial replication is set at the peer"))
}

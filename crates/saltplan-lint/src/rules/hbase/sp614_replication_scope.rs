use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule =
    Rule::new(Severity::Warning, include_str!("sp614_replication_scope.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for family in &context.schema.hbase.families {
        let Some(scope) = family.number("REPLICATION_SCOPE").filter(|scope| *scope > 1) else { continue };
        let Some((span, _)) = context.attribute(family, "REPLICATION_SCOPE") else { continue };
        let message = format!("HBase has no replication scope {scope}");
        let finding = RULE.at(context, span, message, "neither local (0) nor global (1)");
        findings.push(
            finding.help("write `replication_scope: 1` to replicate; serial replication is set at the peer"),
        );
    }
    findings
}

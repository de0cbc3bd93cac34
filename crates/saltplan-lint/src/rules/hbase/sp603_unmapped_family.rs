use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::model::Family;

pub static RULE: Rule = Rule::new(include_str!("sp603_unmapped_family.md"), Detector::Family(check));

fn check(context: &Context<'_>, family: &Family) -> Option<Finding> {
    let columns = &context.schema.columns;
    if columns.is_empty() || columns.iter().any(|column| column.family == family.name) {
        return None;
    }
    let span = context.family(family)?;
    let message = format!("no column is in the family `{}`", family.name);
    let finding = RULE.at(context, span, message, "not visible in Hive");
    Some(finding.help("map a column of it, or remove it"))
}

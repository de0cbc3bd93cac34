use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule =
    Rule::new(Severity::Note, include_str!("sp603_unmapped_family.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let schema = context.schema;
    let Some(families) = context.node(&["hbase", "families"]).filter(|_| !schema.columns.is_empty()) else {
        return Vec::new();
    };
    let unmapped = schema
        .hbase
        .families
        .iter()
        .filter(|family| !schema.columns.iter().any(|column| column.family == family.name));
    unmapped
        .filter_map(|family| {
            let span = families.entry(&family.name)?.key.span;
            let message = format!("no column is in the family `{}`", family.name);
            Some(
                RULE.at(context, span, message, "not visible in Hive")
                    .help("map a column of it, or remove it"),
            )
        })
        .collect()
}

use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule =
    Rule::new(Severity::Note, include_str!("sp605_long_names.md"), Detector::Schema(check));

const MOST: usize = 8;

fn check(context: &Context<'_>) -> Vec<Finding> {
    let Some(families) = context.node(&["hbase", "families"]) else { return Vec::new() };
    let long = context.schema.hbase.families.iter().filter(|family| family.name.len() > MOST);
    long.filter_map(|family| {
        let span = families.entry(&family.name)?.key.span;
        let message =
            format!("the name of the family, {} bytes, is stored with every cell", family.name.len());
        Some(RULE.at(context, span, message, "long").help("use a short name, such as `i`"))
    })
    .collect()
}

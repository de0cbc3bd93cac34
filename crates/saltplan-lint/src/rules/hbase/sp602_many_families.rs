use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule =
    Rule::new(Severity::Warning, include_str!("sp602_many_families.md"), Detector::Schema(check));

const MOST: usize = 3;

fn check(context: &Context<'_>) -> Vec<Finding> {
    let families = context.schema.hbase.families.len();
    let Some(span) = context.entry(&["hbase", "families"]).filter(|_| families > MOST) else {
        return Vec::new();
    };
    let message = format!("{families} column families are flushed and compacted together");
    vec![
        RULE.at(context, span, message, format!("more than {MOST}"))
            .help("put columns that are read together into one family"),
    ]
}

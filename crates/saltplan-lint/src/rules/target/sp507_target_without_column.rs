use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule =
    Rule::new(Severity::Error, include_str!("sp507_target_without_column.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let Some(target) = context.schema.target() else {
        return Vec::new();
    };
    if !target.columns.is_empty() {
        return Vec::new();
    }
    let span = context.places.entry_near(&["hive", "target", "table"]);
    let message = "Hive refuses a target table without a column";
    let finding = RULE.at(context, span, message, "no column besides its partitions");
    vec![finding.help("list its columns, such as `columns: [{ name: …, from: key.… }]`")]
}

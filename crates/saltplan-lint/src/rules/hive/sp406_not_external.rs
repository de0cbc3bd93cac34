use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::{Edit, Severity};

pub static RULE: Rule =
    Rule::new(Severity::Error, include_str!("sp406_not_external.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    if context.schema.mapping().is_none_or(|mapping| mapping.external) {
        return Vec::new();
    }
    let path = ["hive", "mapping", "external"];
    let span = context.places.entry_near(&path);
    let message = "DROP TABLE in Hive would delete the HBase table";
    let finding = RULE.at(context, span, message, "not external").help("write `external: true`");
    let edit = context.node(&path).map(|node| Edit { span: node.span, text: "true".into() });
    vec![match edit {
        Some(edit) => finding.fix("make the mapping table external", vec![edit]),
        None => finding,
    }]
}

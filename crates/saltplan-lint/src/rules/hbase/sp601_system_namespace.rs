use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule =
    Rule::new(Severity::Error, include_str!("sp601_system_namespace.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let table = &context.schema.hbase;
    if table.namespace.as_deref() != Some("hbase") {
        return Vec::new();
    }
    let span = context.places.entry_near(&["hbase", "table"]);
    let finding = RULE.at(context, span, "`hbase` is the namespace of HBase's own tables", "reserved");
    vec![finding.help("use a namespace of your own")]
}

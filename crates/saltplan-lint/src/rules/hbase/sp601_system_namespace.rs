use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp601_system_namespace.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let table = &context.schema.hbase;
    if table.namespace.as_deref() != Some("hbase") {
        return None;
    }
    let span = context.places.entry_near(&["hbase", "table"]);
    let finding = RULE.at(context, span, "`hbase` is the namespace of HBase's own tables", "reserved");
    Some(finding.help("use a namespace of your own"))
}

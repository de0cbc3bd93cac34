use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_document::diag::Edit;

pub static RULE: Rule = Rule::new(include_str!("sp406_not_external.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    if context.schema.mapping().is_none_or(|mapping| mapping.external) {
        return None;
    }
    let path = ["hive", "mapping", "external"];
    let span = context.places.entry_near(&path);
    let message = "DROP TABLE in Hive would delete the HBase table";
    let finding = RULE.at(context, span, message, "not external").help("write `external: true`");
    let edits = context.node(&path).map(|node| vec![Edit::new(node.span, "true")]);
    Some(finding.fix("make the mapping table external", edits))
}

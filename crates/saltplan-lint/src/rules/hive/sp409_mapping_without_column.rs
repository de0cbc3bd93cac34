use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp409_mapping_without_column.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    if context.schema.mapping().is_none() || !context.schema.columns.is_empty() {
        return None;
    }
    let span = context.places.entry_near(&["hive", "mapping"]);
    let message = "Hive refuses a mapping table with only the row key";
    let finding = RULE.at(context, span, message, "no column besides the key");
    Some(
        finding
            .help("add `columns`, such as `columns: [{ name: …, type: string, hbase: 'family:qualifier' }]`"),
    )
}

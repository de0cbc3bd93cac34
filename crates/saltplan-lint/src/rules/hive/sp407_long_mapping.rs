use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp407_long_mapping.md"), Detector::Schema(check));

const MOST: usize = 4_000;

fn check(context: &Context<'_>) -> Option<Finding> {
    // `:key`, and a comma before each column.
    let length = context.schema.columns.iter().fold(":key".len(), |length, column| {
        length
            + ",:".len()
            + column.family.chars().count()
            + column.qualifier.chars().count()
            + column.storage_type().len()
    });
    if length <= MOST {
        return None;
    }
    let span = context.node(&[]).and_then(|root| root.entry("columns")).map(|entry| entry.key.span);
    let message = format!("hbase.columns.mapping has {length} characters");
    let finding =
        RULE.at(context, span.unwrap_or_default(), message, format!("many metastores store at most {MOST}"));
    Some(finding.help("use shorter qualifiers, or map fewer columns"))
}

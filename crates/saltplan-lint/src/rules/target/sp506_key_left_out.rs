use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::field::{FieldId, FieldKind};
use saltplan_core::schema::model::{PartitionColumn, PartitionValue};

pub static RULE: Rule = Rule::new(include_str!("sp506_key_left_out.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let target = context.schema.target()?;
    if context.entry(&["hive", "target", "columns"]).is_some() {
        return None;
    }
    let is_partition = |id| target.partition.iter().any(|column| holds_all_of(column, context, id));
    let is_column = |name: &str| target.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name));
    let left_out: Vec<&str> = context
        .stored_fields()
        .filter(|(id, field)| !is_partition(*id) && !is_column(&field.name))
        .map(|(_, field)| field.name.as_str())
        .collect();
    if left_out.is_empty() {
        return None;
    }
    let (fields, have) = if left_out.len() == 1 { ("field", "is") } else { ("fields", "are") };
    let names = left_out.join("`, `");
    let message = format!("the key {fields} `{names}` {have} not in the target table");
    let span = context.places.entry_near(&["hive", "target", "table"]);
    let finding = RULE.at(context, span, message, "gets only the columns outside the key");
    let listed: Vec<String> =
        left_out.iter().map(|name| format!("{{ name: {name}, from: key.{name} }}")).collect();
    let rest = if target.columns.is_empty() { "" } else { ", …" };
    Some(finding.help(format!("list its columns: `columns: [{}{rest}]`", listed.join(", "))))
}

/// Whether the values of a partition column determine those of a key field.
fn holds_all_of(column: &PartitionColumn, context: &Context<'_>, id: FieldId) -> bool {
    match (&column.value, &context.field(id).kind) {
        (PartitionValue::Field(of), _) => *of == id,
        (PartitionValue::Part { field, pattern }, FieldKind::Calendar(calendar)) => {
            *field == id && pattern.sorted_units() == calendar.format.printed().sorted_units()
        }
        _ => false,
    }
}

use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp506_key_left_out.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let target = context.schema.target()?;
    if context.entry(&["hive", "target", "columns"]).is_some() {
        return None;
    }
    let is_there = |name: &str| target.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name));
    let holds = |id| {
        let kind = &context.field(id).kind;
        target.partition.iter().any(|column| column.holds_all_of(id, kind))
    };
    let left_out: Vec<&str> = context
        .stored_fields()
        .filter(|(id, field)| !holds(*id) && !is_there(&field.name))
        .map(|(_, field)| field.name.as_str())
        .collect();
    if left_out.is_empty() {
        return None;
    }
    let (fields, have) = if left_out.len() == 1 { ("field", "is") } else { ("fields", "are") };
    let names = left_out.join("`, `");
    let message = format!("the key {fields} `{names}` {have} not in the target table");
    let span = context.places.entry_near(&["hive", "target", "partition"]);
    let finding = RULE.at(context, span, message, "a partition column has the name");
    let listed: Vec<String> =
        left_out.iter().map(|name| format!("{{ name: key_{name}, from: key.{name} }}")).collect();
    let help = "give the partition column another name, or list the columns";
    Some(finding.help(format!("{help}: `columns: [{}, …]`", listed.join(", "))))
}

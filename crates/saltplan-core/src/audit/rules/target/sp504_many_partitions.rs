use crate::audit::context::Context;
use crate::audit::rule::{Detector, Finding, Rule};
use crate::diag::Severity;
use crate::key::time_format::{Granularity, TimeFormat};
use crate::schema::model::{Field, FieldId, FieldKind};
use crate::schema::yaml;

pub static RULE: Rule = Rule {
    code: "SP504",
    name: "many-partitions",
    severity: Severity::Warning,
    summary: "The target gets a partition for each second, number or text.",
    why: "\
Every partition is a directory with at least one file and a row in the metastore. A dynamic insert fails beyond 1,000
partitions (100 on a node), and long before that small files make every query slow. A partition is a key field of few values.
A time in a format such as `yyyyMMddHHmmss` can be two fields, the day and the rest: the row key stays the same to the byte,
and the day can be the partition. Of a text that has few values the field can list them: `values: [a, b]`.",
    learned: "hive.exec.max.dynamic.partitions and hive.exec.max.dynamic.partitions.pernode, with their defaults",
    fires: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: ts, type: timestamp, format: yyyyMMddHHmmss }
columns: [{ name: seen, type: string, hbase: 'f:seen' }]
hive:
  target: { table: visits, partition: [»ts«] }
",
    corrected: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: ts_day, type: date, format: yyyyMMdd }
    - { name: ts_time, type: string, width: 6, chars: digits }
columns: [{ name: seen, type: string, hbase: 'f:seen' }]
hive:
  target: { table: visits, partition: [ts_day] }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let target = context.schema.target();
    let partition = target.map(|target| target.partition.as_slice()).unwrap_or_default();
    let mut findings = Vec::new();
    for (index, column) in partition.iter().enumerate() {
        let field = context.field(column.field);
        let Some(each) = unit(field) else { continue };
        let message = format!("a partition for each {each} of `{}`", field.name);
        let finding = RULE
            .at(context, context.places.partition_column(index), message, "too many partitions")
            .cause(context.places.field(column.field), "the values");
        findings.push(finding.help(remedy(context, column.field)));
    }
    findings
}

/// What can be done without changing the keys.
fn remedy(context: &Context<'_>, id: FieldId) -> String {
    let field = context.field(id);
    const OTHERWISE: &str = "partition by another field of the key";
    match &field.kind {
        FieldKind::Calendar(calendar) if !is_listed_input(context, id) => {
            match day_and_rest(&calendar.format) {
                Some((day, rest)) => {
                    let then = if field.separator.is_empty() { "" } else { ", then: ''" };
                    let chars = if calendar.format.is_digits() { "digits" } else { "ascii" };
                    format!(
                        "partition by the day: the fields `{{ name: {0}_day, type: date, format: {day}{then} }}` and `{{ name: \
                     {0}_time, type: string, width: {rest}, chars: {chars} }}` make the same key",
                        field.name
                    )
                }
                None => OTHERWISE.into(),
            }
        }
        FieldKind::Text(_) => format!("list its values, `values: [a, b]`, if they are few, or {OTHERWISE}"),
        FieldKind::Calendar(_) | FieldKind::Epoch(_) | FieldKind::Integer(_) => OTHERWISE.into(),
    }
}

/// Whether the salt names the field: it would have to name both parts of it, and not every salt can.
fn is_listed_input(context: &Context<'_>, id: FieldId) -> bool {
    let key = &context.schema.key;
    key.salt.as_ref().is_some_and(|salt| {
        !salt.scheme.takes_whole_key() && salt.inputs(key).iter().any(|input| input.field == id)
    })
}

/// The part of a format that prints the day, where it stands first, and the bytes of what follows.
fn day_and_rest(format: &TimeFormat) -> Option<(String, usize)> {
    if !format.sorts() {
        return None;
    }
    let pattern = format.pattern();
    let day = pattern.char_indices().find_map(|(at, c)| {
        let parsed = TimeFormat::parse(&pattern[..at + c.len_utf8()]).ok()?;
        (parsed.granularity() == Granularity::Day).then_some(parsed)
    })?;
    Some((yaml::scalar(day.pattern()), format.width() - day.width()))
}

/// What there is a partition for, where that is too much.
fn unit(field: &Field) -> Option<&'static str> {
    match &field.kind {
        FieldKind::Calendar(calendar) => match calendar.format.granularity() {
            Granularity::Minute => Some("minute"),
            Granularity::Second => Some("second"),
            Granularity::Millisecond => Some("millisecond"),
            Granularity::Year | Granularity::Month | Granularity::Day | Granularity::Hour => None,
        },
        FieldKind::Epoch(_) => Some("instant"),
        FieldKind::Integer(_) => Some("number"),
        // Two characters make at most some thousand values, which may well be a country or a channel.
        FieldKind::Text(text) if text.values.is_some() || text.width.is_some_and(|width| width <= 2) => None,
        FieldKind::Text(_) => Some("text"),
    }
}

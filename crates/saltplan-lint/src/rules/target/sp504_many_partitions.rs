use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::field::{Field, FieldId, FieldKind};
use saltplan_core::key::time_pattern::Granularity;
use saltplan_core::schema::model::PartitionValue;

pub static RULE: Rule = Rule {
    code: "SP504",
    name: "many-partitions",
    severity: Severity::Warning,
    summary: "The target gets one partition per second, number or text.",
    why: "\
Every partition is a directory with at least one file and a row in the metastore. A dynamic insert fails beyond 1,000
partitions (100 per node), and long before that, small files make every query slow. Use partitions with few values: for
a time its day, hour or month, such as `{ name: dt, of: ts, format: yyyyMMdd }`, which does not change the row key. For
a text with few values, list them in the field: `values: [a, b]`.",
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
    - { name: ts, type: timestamp, format: yyyyMMddHHmmss }
columns: [{ name: seen, type: string, hbase: 'f:seen' }]
hive:
  target: { table: visits, partition: [{ name: dt, of: ts, format: yyyyMMdd }] }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let target = context.schema.target();
    let partition = target.map(|target| target.partition.as_slice()).unwrap_or_default();
    let mut findings = Vec::new();
    for (index, column) in partition.iter().enumerate() {
        let (each, id) = match &column.value {
            PartitionValue::Field(id) => (unit(context.field(*id)), *id),
            PartitionValue::Part { field, pattern } => (pattern.units().max().and_then(fine), *field),
            PartitionValue::Constant(_) | PartitionValue::Column(_) => continue,
        };
        let Some(each) = each else { continue };
        let message = format!("one partition per {each} of `{}`", context.field(id).name);
        let finding = RULE
            .at(context, context.places.partition_column(index), message, "too many partitions")
            .cause(context.places.field(id), "the values");
        findings.push(finding.help(remedy(context, id)));
    }
    findings
}

/// What can be done without changing the keys.
fn remedy(context: &Context<'_>, id: FieldId) -> String {
    const OTHERWISE: &str = "partition by another field of the key";
    let field = context.field(id);
    match &field.kind {
        FieldKind::Calendar(_) | FieldKind::Epoch(_) => {
            let zone = match &field.kind {
                FieldKind::Epoch(_) if context.schema.time_zone.is_none() => {
                    ", and add a line such as `time_zone: Asia/Shanghai`"
                }
                _ => "",
            };
            format!("partition by the day: `{}`{zone}", context.partition_by_day(id))
        }
        FieldKind::Text(_) => format!("list its values, `values: [a, b]`, if they are few, or {OTHERWISE}"),
        FieldKind::Integer(_) => OTHERWISE.into(),
    }
}

/// What there is a partition for, where that is too much.
fn unit(field: &Field) -> Option<&'static str> {
    match &field.kind {
        FieldKind::Calendar(calendar) => fine(calendar.format.granularity()),
        FieldKind::Epoch(_) => Some("instant"),
        FieldKind::Integer(_) => Some("number"),
        // Two characters make at most some thousand values, which may well be a country or a channel.
        FieldKind::Text(text) if text.values.is_some() || text.width.is_some_and(|width| width <= 2) => None,
        FieldKind::Text(_) => Some("text"),
    }
}

fn fine(unit: Granularity) -> Option<&'static str> {
    (unit > Granularity::Hour).then(|| unit.word())
}

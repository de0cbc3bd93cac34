use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::field::{Field, FieldId, FieldKind, FieldTime};
use saltplan_core::schema::model::PartitionValue;
use saltplan_sql::time::pattern::Granularity;

pub static RULE: Rule = Rule::new(include_str!("sp504_many_partitions.md"), Detector::Several(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, column) in context.partition().iter().enumerate() {
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
    match field.kind.time() {
        Some(time) => {
            let zone = match time {
                FieldTime::Instant(_) if context.schema.time_zone.is_none() => {
                    ", and add a line such as `time_zone: Asia/Shanghai`"
                }
                _ => "",
            };
            format!("partition by the day: `{}`{zone}", context.partition_by_day(id))
        }
        None if field.kind.is_number() => OTHERWISE.into(),
        None => format!("list its values, `values: [a, b]`, if they are few, or {OTHERWISE}"),
    }
}

/// The value that each partition represents, if there are too many of them.
fn unit(field: &Field) -> Option<&'static str> {
    match (&field.kind, field.kind.time()) {
        (_, Some(FieldTime::Local(calendar))) => fine(calendar.format.granularity()),
        (_, Some(FieldTime::Instant(_))) => Some("instant"),
        (kind, None) if kind.is_number() => Some("number"),
        // Two characters give at most a few thousand values, which may well be a country or a channel.
        (FieldKind::Text(text), None)
            if text.values.is_some() || text.width.is_some_and(|width| width <= 2) =>
        {
            None
        }
        _ => Some("text"),
    }
}

fn fine(unit: Granularity) -> Option<&'static str> {
    (unit > Granularity::Hour).then(|| unit.word())
}

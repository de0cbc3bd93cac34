use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::field::FieldKind;
use saltplan_core::schema::model::{AttributeValue, Family, PartitionColumn, PartitionValue};
use saltplan_document::diag::Span;
use saltplan_document::wording::plural;
use saltplan_sql::time::pattern::Granularity;

pub static RULE: Rule = Rule::new(include_str!("sp607_time_to_live.md"), Detector::Several(check));

const DAY: i64 = 86_400;
/// A day in milliseconds.
const MILLISECONDS: i64 = 1_000 * DAY;
/// A TTL above this number of seconds is probably a mistake: 20 years.
const LONG: i64 = 20 * 365 * DAY;

fn check(context: &Context<'_>) -> Vec<Finding> {
    let partition = finest_partition(context);
    let mut findings = Vec::new();
    for family in &context.schema.hbase.families {
        let (Some(kept), Some((span, value))) = (family.time_to_live(), context.attribute(family, "TTL"))
        else {
            continue;
        };
        findings.extend(milliseconds(context, family, kept, span, value));
        if let Some((index, unit)) = partition {
            findings.extend(too_short(context, family, kept, span, index, unit));
        }
    }
    findings
}

/// A number that looks like milliseconds.
fn milliseconds(
    context: &Context<'_>,
    family: &Family,
    kept: i64,
    span: Span,
    value: &AttributeValue,
) -> Option<Finding> {
    let is_number = value.text().bytes().all(|byte| byte.is_ascii_digit());
    let are_days = is_number && kept % MILLISECONDS == 0;
    if !are_days && kept <= LONG {
        return None;
    }
    let message = format!("the family `{}` keeps its cells for {}", family.name, spoken(kept));
    let finding = RULE.at(context, span, message, "HBase counts seconds");
    Some(finding.help(match are_days {
        true => format!("if milliseconds are meant, write `ttl: {}`", text(kept / 1_000)),
        false => "write a shorter time, or remove `ttl`: without it cells are kept for ever".into(),
    }))
}

/// Reports a time to live after which cells are gone before their partition can be written, or written again.
fn too_short(
    context: &Context<'_>,
    family: &Family,
    kept: i64,
    span: Span,
    partition: usize,
    unit: Granularity,
) -> Option<Finding> {
    let least = 2 * seconds(unit);
    if kept >= least {
        return None;
    }
    let unit = unit.word();
    let message = format!(
        "cells of the family `{}` are deleted after {}, the target has a partition per {unit}",
        family.name,
        spoken(kept)
    );
    let finding = RULE.at(context, span, message, format!("less than two {unit}s"));
    let finding =
        finding.cause(context.places.partition_column(partition), format!("a partition per {unit}"));
    Some(finding.help(format!("write at least `ttl: {}`", text(least))))
}

/// The partition column with the shortest time, if that is an hour or longer.
fn finest_partition(context: &Context<'_>) -> Option<(usize, Granularity)> {
    let units = context
        .partition()
        .iter()
        .enumerate()
        .filter_map(|(index, column)| Some((index, unit(context, column)?)));
    units.max_by_key(|(_, unit)| *unit).filter(|(_, unit)| *unit <= Granularity::Hour)
}

fn unit(context: &Context<'_>, column: &PartitionColumn) -> Option<Granularity> {
    match &column.value {
        PartitionValue::Field(id) => match &context.field(*id).kind {
            FieldKind::Calendar(calendar) => Some(calendar.format.granularity()),
            _ => None,
        },
        PartitionValue::Part { pattern, .. } => pattern.units().max(),
        PartitionValue::Constant(_) | PartitionValue::Column(_) => None,
    }
}

/// The seconds of the longest unit of this kind.
fn seconds(unit: Granularity) -> i64 {
    match unit {
        Granularity::Year => 366 * DAY,
        Granularity::Month => 31 * DAY,
        Granularity::Day => DAY,
        _ => 3_600,
    }
}

/// As the shell takes it: `'90 DAYS'`, or a number of seconds.
fn text(seconds: i64) -> String {
    match (seconds / DAY, seconds % DAY) {
        (1, 0) => "'1 DAY'".into(),
        (days, 0) => format!("'{days} DAYS'"),
        _ => seconds.to_string(),
    }
}

fn spoken(seconds: i64) -> String {
    let (count, unit) = match seconds {
        _ if seconds > 1_000 * DAY => (seconds / (365 * DAY), "year"),
        _ if seconds % DAY == 0 => (seconds / DAY, "day"),
        _ if seconds % 3_600 == 0 => (seconds / 3_600, "hour"),
        _ => (seconds, "second"),
    };
    plural(usize::try_from(count).unwrap_or(usize::MAX), unit)
}

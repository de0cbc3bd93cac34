//! The partitions that a predicate selects: the values of a key field, or its units of time, and whether it selects each of them
//! as a whole.

use chrono::Datelike;

use super::asked::Asked;
use crate::analyze::ValueSet;
use crate::hive::condition::{shown_text, value_text};
use crate::hive::not_in_hive::NotInHive;
use crate::key::Value;
use crate::key::field::{Field, FieldId, FieldKind};
use crate::key::units::{TimeUnits, local_time};
use crate::plan::PlanKind;
use crate::refusal::Refusal;
use crate::schema::conversion::DEFAULT_PARTITION;
use crate::schema::model::{PartitionColumn, PartitionValue, TargetTable};
use saltplan_sql::functions::{DATE_FORMAT, TO_DATE};
use saltplan_sql::literal;
use saltplan_sql::time::pattern::Granularity;

/// The maximum number of partitions of a statement.
pub(super) const MAX_PARTITIONS: usize = 10_000;

/// The key fields from which partition columns are computed, in the order of the columns.
pub(super) fn fields_of(columns: &[PartitionColumn]) -> Vec<FieldId> {
    let mut fields = Vec::new();
    for field in columns.iter().filter_map(PartitionColumn::field) {
        if !fields.contains(&field) {
            fields.push(field);
        }
    }
    fields
}

/// The unit of time that a partition of the field contains; `None` if a partition has a single value.
pub(super) fn unit_of(columns: &[PartitionColumn], field: FieldId) -> Option<Granularity> {
    let mut finest = None;
    for column in columns {
        match &column.value {
            PartitionValue::Field(of) if *of == field => return None,
            PartitionValue::Part { field: of, pattern } if *of == field => {
                finest = finest.max(pattern.units().max());
            }
            _ => {}
        }
    }
    finest
}

/// The partitions of a field that selected rows can be in: for each, the values of the field's columns in their order.
pub(super) fn cells(
    asked: &Asked<'_>,
    field: FieldId,
    columns: &[PartitionColumn],
) -> Result<Vec<Vec<String>>, Refusal> {
    let declared = &asked.schema.key.fields[field];
    let of_field: Vec<&PartitionColumn> =
        columns.iter().filter(|column| column.field() == Some(field)).collect();
    let unbound = || unbound_partition(asked.plan.kind, &of_field, declared);
    let values = asked.plan.bound.fields.get(&field).ok_or_else(unbound)?;
    let not_listed = || match has_both_ends(values, &declared.kind) {
        true => Refusal::TooManyPartitions { limit: MAX_PARTITIONS },
        false => unbound(),
    };
    match unit_of(columns, field) {
        None => {
            let points = values.points(&declared.kind, MAX_PARTITIONS).ok_or_else(not_listed)?;
            points.iter().map(|value| texts_of_value(asked, &of_field, declared, value)).collect()
        }
        Some(unit) => {
            let units = units_in(asked, declared, unit, values).ok_or_else(not_listed)?;
            units.into_iter().map(|ordinal| texts_of_unit(&of_field, declared, unit, ordinal)).collect()
        }
    }
}

/// Whether the values of a number or time end on both sides before its domain does, so that there are only too many of them.
fn has_both_ends(values: &ValueSet, kind: &FieldKind) -> bool {
    let (Some(own), Some(domain)) = (values.hull(), kind.domain()) else { return false };
    own.start > domain.start && own.stop.is_some_and(|stop| domain.stop.is_none_or(|end| stop < end))
}

/// A field and a unit of time, if the predicate selects only a part of such a unit of the field.
pub(super) fn cut<'a>(asked: &Asked<'a>, target: &TargetTable) -> Option<(Granularity, &'a Field)> {
    let bound = &asked.plan.bound;
    fields_of(&target.partition).into_iter().find_map(|field| {
        let (declared, unit) = (&asked.schema.key.fields[field], unit_of(&target.partition, field)?);
        let units = time_units(asked, declared, unit);
        let is_whole = |values: &ValueSet| match values {
            ValueSet::Numbers(numbers) => units.are_whole(numbers),
            ValueSet::Text(_) => true,
        };
        let alternatives = bound.alternatives.get(&field).into_iter().flatten();
        let mut sets = bound.fields.get(&field).into_iter().chain(alternatives.map(AsRef::as_ref));
        sets.any(|values| !is_whole(values)).then_some((unit, declared))
    })
}

fn time_units<'a>(asked: &Asked<'a>, field: &'a Field, unit: Granularity) -> TimeUnits<'a> {
    TimeUnits { kind: &field.kind, zone: asked.schema.time_zone, unit }
}

/// The ordinals of the units, unless they are too many.
fn units_in(asked: &Asked<'_>, field: &Field, unit: Granularity, values: &ValueSet) -> Option<Vec<i64>> {
    let ValueSet::Numbers(numbers) = values else { return None };
    let touched = time_units(asked, field, unit).touched(numbers)?;
    let points = ValueSet::Numbers(touched).points(&field.kind, MAX_PARTITIONS)?;
    let ordinal = |value| match value {
        Value::Number(ordinal) => Some(ordinal),
        Value::Text(_) => None,
    };
    points.into_iter().map(ordinal).collect()
}

fn texts_of_value(
    asked: &Asked<'_>,
    columns: &[&PartitionColumn],
    field: &Field,
    value: &Value,
) -> Result<Vec<String>, Refusal> {
    let text = |column: &&PartitionColumn| match &column.value {
        PartitionValue::Part { pattern, .. } => {
            let Value::Number(number) = value else { return Err(NotInHive::NoTime) };
            let at = local_time(&field.kind, asked.schema.time_zone, i128::from(*number));
            shown_text(pattern.format(at.ok_or(NotInHive::NoTime)?), &column.hive_type)
        }
        _ => value_text(&field.kind, value, &column.hive_type),
    };
    check_named(columns, field, value)?;
    columns.iter().map(text).collect::<Result<_, _>>().map_err(of_type)
}

fn texts_of_unit(
    columns: &[&PartitionColumn],
    field: &Field,
    unit: Granularity,
    ordinal: i64,
) -> Result<Vec<String>, Refusal> {
    let outside = || NotInHive::ClockOutside { field: field.name.clone() };
    let at = unit.start_of(ordinal).filter(|at| (1..=9_999).contains(&at.year()));
    let at = at.ok_or_else(|| Refusal::PartitionNotDecoded { reason: outside().into() })?;
    let text = |column: &&PartitionColumn| match &column.value {
        PartitionValue::Part { pattern, .. } => shown_text(pattern.format(at), &column.hive_type),
        _ => Err(NotInHive::NoTime),
    };
    columns.iter().map(text).collect::<Result<_, _>>().map_err(of_type)
}

fn of_type(reason: NotInHive) -> Refusal {
    Refusal::PartitionType { reason: reason.into() }
}

/// Refuses values that cannot be a folder name: Hive stores the rows of all of them in one default partition.
fn check_named(columns: &[&PartitionColumn], field: &Field, value: &Value) -> Result<(), Refusal> {
    let is_shown = columns.iter().any(|column| matches!(column.value, PartitionValue::Field(_)));
    match value {
        Value::Text(text) if is_shown && (text.is_empty() || text == DEFAULT_PARTITION) => {
            let is_null = text.is_empty() && field.kind.is_nullable();
            let value = (!is_null).then(|| literal(text));
            Err(Refusal::NoPartitionName { field: field.name.clone(), value })
        }
        _ => Ok(()),
    }
}

fn unbound_partition(kind: PlanKind, columns: &[&PartitionColumn], field: &Field) -> Refusal {
    let first = columns.first();
    let column = first.map_or_else(|| field.name.clone(), |column| column.name.clone());
    let operand = match first.map(|column| &column.value) {
        Some(PartitionValue::Part { .. }) => operand_of_units(columns, field),
        _ => field.name.clone(),
    };
    match kind {
        PlanKind::Empty => Refusal::NothingToEmpty { column, operand },
        _ => Refusal::UnboundPartition { column, operand },
    }
}

/// How to write the field's time in a condition on whole units, for messages.
fn operand_of_units(columns: &[&PartitionColumn], field: &Field) -> String {
    let units = columns.iter().filter_map(|column| match &column.value {
        PartitionValue::Part { pattern, .. } => pattern.units().max(),
        _ => None,
    });
    let name = &field.name;
    match (units.max(), &field.kind) {
        (unit, FieldKind::Calendar(calendar)) if unit == Some(calendar.format.granularity()) => name.clone(),
        (Some(Granularity::Day) | None, _) => format!("{}({name})", TO_DATE.name()),
        (Some(unit), _) => format!("{}({name}, '{}')", DATE_FORMAT.name(), unit.digits()),
    }
}

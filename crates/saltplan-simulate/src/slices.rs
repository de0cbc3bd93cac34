//! Rows split by time. Slices are ranges of row numbers, because one field advances with them.

use std::ops::Range;

use chrono::NaiveDateTime;

use super::generator::Generator;
use super::workload::{Values, Workload};
use crate::WorkloadError;
use saltplan_core::key::field::{Field, FieldId, FieldKind, FieldTime};
use saltplan_core::schema::model::Schema;
use saltplan_sql::time::bisect::first_where;
use saltplan_sql::time::pattern::Granularity;
use saltplan_sql::time::zone::Zone;

/// The maximum number of counts of all slices together, which are kept in memory.
pub const MAX_CELLS: usize = 2_000_000;

/// The rows of every slice, and its name.
#[derive(Debug, Clone, PartialEq)]
pub struct SliceRows {
    /// `day`, `hour`, `month` or `part`.
    pub unit: String,
    /// The field that advances with the rows; empty for parts of rows without one.
    pub field: String,
    pub labels: Vec<String>,
    pub rows: Vec<Range<u64>>,
}

/// Equal parts of all rows.
pub fn parts(rows: u64, parts: u32) -> SliceRows {
    let bound = |part: u32| (u128::from(rows) * u128::from(part) / u128::from(parts.max(1))) as u64;
    SliceRows {
        unit: "part".into(),
        field: String::new(),
        labels: (1..=parts).map(|part| format!("{part}/{parts}")).collect(),
        rows: (0..parts).map(|part| bound(part)..bound(part + 1)).collect(),
    }
}

/// One slice per unit of the first field that advances with time. A repeated hour belongs to the slice of its
/// first row.
///
/// # Errors
/// No field advances with time, its format is coarser than the unit, or there would be more than `most`
/// slices.
pub fn by_unit(
    generator: &Generator<'_>,
    workload: &Workload,
    unit: Granularity,
    most: usize,
) -> Result<SliceRows, WorkloadError> {
    let schema = generator.schema();
    let field = time_field(schema, workload)?;
    let name = &schema.key.fields[field].name;
    if let FieldKind::Calendar(calendar) = &schema.key.fields[field].kind
        && calendar.format.granularity() < unit
    {
        return Err(WorkloadError::CoarseField { field: name.clone(), unit: unit.word() });
    }
    let ordinal = |row| {
        local_time(schema, &schema.key.fields[field], generator.number(field, row))
            .map(|at| unit.ordinal_of(at))
    };
    let mut cut =
        SliceRows { unit: unit.word().into(), field: name.clone(), labels: Vec::new(), rows: Vec::new() };
    let mut start = 0;
    while start < workload.rows {
        let now = ordinal(start).ok_or_else(|| WorkloadError::OutsideTheCalendar { field: name.clone() })?;
        let end = first_where(start + 1..workload.rows, |row| ordinal(row).is_none_or(|other| other > now));
        if cut.rows.len() == most {
            return Err(WorkloadError::TooManySlices { most, unit: unit.word() });
        }
        cut.labels.push(label(unit, now));
        cut.rows.push(start..end);
        start = end;
    }
    Ok(cut)
}

/// The first key field that advances with the rows.
fn time_field(schema: &Schema, workload: &Workload) -> Result<FieldId, WorkloadError> {
    let advances = |(id, values): (FieldId, &Values)| {
        let field = schema.key.fields.get(id)?;
        let is_time = field.kind.time().is_some();
        let goes_on = matches!(values, Values::Period { .. } | Values::Sequential { step: 1.., .. });
        (is_time && goes_on).then_some(id)
    };
    workload.fields.entries().find_map(advances).ok_or(WorkloadError::NothingAdvances)
}

/// The local time that a number of a field is, in the zone of the schema.
pub(crate) fn local_time(schema: &Schema, field: &Field, number: i64) -> Option<NaiveDateTime> {
    match field.kind.time()? {
        FieldTime::Local(calendar) => calendar.format.granularity().start_of(number),
        FieldTime::Instant(epoch) => {
            let milliseconds = number.checked_mul(epoch.unit.milliseconds())?;
            schema.time_zone.unwrap_or(Zone::utc()).local_time(milliseconds)
        }
    }
}

fn label(unit: Granularity, ordinal: i64) -> String {
    let format = match unit {
        Granularity::Month => "%Y-%m",
        Granularity::Hour => "%Y-%m-%d %H",
        _ => "%Y-%m-%d",
    };
    unit.start_of(ordinal).map(|at| at.format(format).to_string()).unwrap_or_default()
}

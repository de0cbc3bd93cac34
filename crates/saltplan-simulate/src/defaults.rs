//! Values for fields that nobody describes.

use chrono::{NaiveDate, NaiveDateTime};

use super::text::TextShape;
use super::workload::Values;
use saltplan_core::key::time_format::Granularity;
use saltplan_core::key::zone;
use saltplan_core::schema::model::{Field, FieldKind, Schema};

/// Days of the time that passes by default, from the first of January 2025.
const DAYS: u32 = 30;

/// Values that suit the kind of a field: numbers count up from 0, time passes through thirty days, listed values and
/// random texts come equally often.
///
/// # Errors
/// No text fits the field.
pub fn values(schema: &Schema, field: &Field) -> Result<Values, String> {
    match &field.kind {
        FieldKind::Integer(_) => Ok(Values::Sequential { start: 0, step: 1 }),
        FieldKind::Calendar(calendar) => {
            let unit = calendar.format.granularity();
            let (start, stop) = (unit.ordinal_of(day(1)), unit.ordinal_of(day(DAYS + 1)));
            Ok(Values::Period { start, stop: stop.max(start + 1) })
        }
        FieldKind::Epoch(epoch) => {
            let at = |day| {
                let zone = schema.time_zone.unwrap_or(chrono_tz::UTC);
                zone::instant(zone, day) / epoch.unit.milliseconds()
            };
            Ok(Values::Period { start: at(day(1)), stop: at(day(DAYS + 1)) })
        }
        FieldKind::Text(text) => Ok(match TextShape::of(field, text)? {
            TextShape::Listed(values) => {
                Values::Uniform { low: 0, high: (values.len() as i64).saturating_sub(1).max(0) }
            }
            TextShape::Alphabet { chars, width } => Values::Text { chars, width },
        }),
    }
}

fn day(number: u32) -> NaiveDateTime {
    let day = NaiveDate::from_ymd_opt(2025, 1, number).unwrap_or_default();
    Granularity::Day.start_of(Granularity::Day.ordinal_of(day.into())).unwrap_or_default()
}

/// The values in words, such as `uniform(0, 99)`.
pub fn describe(values: &Values) -> String {
    match values {
        Values::Sequential { start, step } => format!("sequential({start}, {step})"),
        Values::Uniform { low, high } => format!("uniform({low}, {high})"),
        Values::Period { .. } => format!("{DAYS} days from 2025-01-01"),
        Values::Zipf { low, count, exponent } => format!("zipf({exponent}, {count}, {low})"),
        Values::List { values, .. } => format!("a list of {}", values.len()),
        Values::Text { chars, width } => format!("random text({width}) of {} characters", chars.len()),
    }
}

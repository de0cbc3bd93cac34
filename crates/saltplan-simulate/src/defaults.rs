//! Default values for fields without a description.

use std::ops::Range;

use chrono::{NaiveDate, NaiveDateTime};

use super::slices::local_time;
use super::text::TextShape;
use super::workload::Values;
use crate::WorkloadError;
use saltplan_core::analyze::ValueSet;
use saltplan_core::key::field::{Field, FieldKind};
use saltplan_core::key::interval::IntervalSet;
use saltplan_core::schema::model::Schema;
use saltplan_sql::time::zone::Zone;

/// The length of the default period in days; it starts on 1 January 2025.
const DAYS: u32 = 30;

/// Values that suit the kind of a field: numbers count up from 0 or from their `min`, time covers thirty
/// days, and listed values and random texts are equally frequent. The days are chosen around those in
/// `asked`, which come from a predicate.
///
/// # Errors
/// No text fits the field.
pub fn values(schema: &Schema, field: &Field, asked: Option<&ValueSet>) -> Result<Values, WorkloadError> {
    let values = of_kind(schema, field)?;
    match (values, asked) {
        (Values::Period { start, stop }, Some(ValueSet::Numbers(asked))) => {
            let days = around(start..stop, asked).filter(|days| {
                let (first, last) = (i128::from(days.start), i128::from(days.end) - 1);
                field.kind.domain().is_some_and(|domain| domain.contains(&first) && domain.contains(&last))
            });
            let days = days.unwrap_or(start..stop);
            Ok(Values::Period { start: days.start, stop: days.end })
        }
        (values, _) => Ok(values),
    }
}

/// A time as long as `period` with the requested values in its middle, or starting at the first of them if
/// they cover more. Whole days are added before and after; `None` if no bound is known.
fn around(period: Range<i64>, asked: &IntervalSet<i128>) -> Option<Range<i64>> {
    let length = period.end - period.start;
    let day = (length / i64::from(DAYS)).max(1);
    let (first, last) = (asked.intervals().first()?, asked.intervals().last()?);
    let start = i64::try_from(first.start).ok()?;
    let stop = i64::try_from(last.stop?).ok()?;
    let free = length.saturating_sub(stop.checked_sub(start)?).max(0);
    let start = start.checked_sub(free / 2 / day * day)?;
    Some(start..start.checked_add(length)?)
}

fn of_kind(schema: &Schema, field: &Field) -> Result<Values, WorkloadError> {
    match &field.kind {
        FieldKind::Integer(_) => {
            let numbers = field.kind.domain().filter(|numbers| !numbers.contains(&0));
            let start = numbers.map_or(0, |numbers| i64::try_from(numbers.start).unwrap_or(0));
            Ok(Values::Sequential { start, step: 1 })
        }
        FieldKind::Calendar(calendar) => {
            let unit = calendar.format.granularity();
            let (start, stop) = (unit.ordinal_of(day(1)), unit.ordinal_of(day(DAYS + 1)));
            Ok(Values::Period { start, stop: stop.max(start + 1) })
        }
        FieldKind::Epoch(epoch) => {
            let at = |day| {
                let zone = schema.time_zone.unwrap_or(Zone::utc());
                zone.instant(day) / epoch.unit.milliseconds()
            };
            Ok(Values::Period { start: at(day(1)), stop: at(day(DAYS + 1)) })
        }
        FieldKind::Text(text) => Ok(match TextShape::of(field, text)? {
            TextShape::Listed(values) => {
                Values::Uniform { low: 0, high: (values.len() as i64).saturating_sub(1).max(0) }
            }
            TextShape::Alphabet { digits, width } => Values::Text { chars: digits.chars().to_vec(), width },
        }),
    }
}

fn day(number: u32) -> NaiveDateTime {
    NaiveDate::from_ymd_opt(2025, 1, number).unwrap_or_default().into()
}

/// The values of a field as text, such as `uniform(0, 99)`.
pub fn describe(schema: &Schema, field: &Field, values: &Values) -> String {
    match values {
        Values::Sequential { start, step } => format!("sequential({start}, {step})"),
        Values::Uniform { low, high } => format!("uniform({low}, {high})"),
        Values::Period { start, .. } => match local_time(schema, field, *start) {
            Some(first) => format!("{DAYS} days from {}", first.date()),
            None => format!("{DAYS} days"),
        },
        Values::Zipf { low, count, exponent } => format!("zipf({exponent}, {count}, {low})"),
        Values::List { values, .. } => format!("a list of {}", values.len()),
        Values::Text { chars, width } => format!("random text({width}) of {} characters", chars.len()),
    }
}

#[cfg(test)]
mod tests {
    use saltplan_core::key::interval::Interval;

    use super::*;

    fn placed(asked: &[(i128, Option<i128>)]) -> Option<Range<i64>> {
        let interval = |(start, stop): &(i128, Option<i128>)| Interval { start: *start, stop: *stop };
        around(1000..1030, &IntervalSet::from_intervals(asked.iter().map(interval).collect()))
    }

    #[test]
    fn default_days_lie_around_the_requested_ones() {
        assert_eq!(placed(&[(500, Some(501))]), Some(486..516));
        assert_eq!(placed(&[(500, Some(501)), (509, Some(510))]), Some(490..520));
        assert_eq!(placed(&[(500, Some(600))]), Some(500..530));
        assert_eq!(placed(&[(500, None)]), None);
        assert_eq!(placed(&[]), None);
        assert_eq!(placed(&[(0, Some(i128::MAX))]), None);
        assert_eq!(placed(&[(i128::from(i64::MIN), Some(i128::from(i64::MIN) + 1))]), None);
    }

    #[test]
    fn seconds_begin_at_a_day() {
        let day = 86_400;
        let asked = IntervalSet::from_intervals(vec![Interval { start: 100 * day, stop: Some(101 * day) }]);
        let day = 86_400;
        assert_eq!(around(0..30 * day, &asked), Some(86 * day..116 * day));
    }
}

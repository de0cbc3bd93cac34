//! Conditions whose values recur: an hour of every day, a month of every year. Alone they make no range of instants. Beside a
//! condition that leaves some days they do.

use chrono::{DateTime, Datelike as _, TimeDelta};

use super::values::ValueSet;
use crate::key::field::FieldId;
use crate::key::interval::{Interval, IntervalSet};
use crate::key::units::{TimeUnits, not_before};
use crate::schema::model::Schema;
use saltplan_sql::time::pattern::Granularity;

/// How many days are searched for a time of day at most, and (`MAX_DAYS_OF_YEARS`) for a month or a day of the year.
const MAX_DAYS: i128 = 1_000;
const MAX_DAYS_OF_YEARS: i128 = 40_000;

/// How many ranges all salts together may get for it. More would be merged, and what is read between them makes a plan worse than one
/// range in which Hive checks the condition.
const MAX_RANGES: u128 = 256;

/// The number of a day in a year, whichever it is.
pub(super) fn day_number(month: u32, day: u32) -> u32 {
    month * 32 + day
}

/// How the compared numbers recur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recurs {
    /// The month, 1 to 12.
    Month,
    /// The day of the month, 1 to 31.
    DayOfMonth,
    /// The day of a year, whichever it is, by its [`day_number`].
    DayOfYear,
    /// Milliseconds since midnight, by the clock.
    TimeOfDay,
}

impl Recurs {
    /// The number of a day of any year.
    pub fn number(self, month: u32, day: u32) -> u32 {
        match self {
            Recurs::Month => month,
            Recurs::DayOfMonth => day,
            Recurs::DayOfYear | Recurs::TimeOfDay => day_number(month, day),
        }
    }
}

/// A condition that is true for the numbers of a cycle.
#[derive(Debug, Clone, PartialEq)]
pub struct Recurring {
    pub(crate) field: FieldId,
    pub(crate) recurs: Recurs,
    /// The numbers for which the condition is true.
    pub(crate) numbers: IntervalSet<i128>,
}

fn salts(schema: &Schema) -> u128 {
    schema.key.salt.as_ref().map_or(1, |salt| salt.domain(&schema.key.fields).count())
}

impl Recurring {
    /// Whether it chooses whole days.
    pub fn is_of_days(&self) -> bool {
        self.recurs != Recurs::TimeOfDay
    }

    /// The values of the field for which the condition is true, among those of the local days that `known` touches. `None` if these
    /// are too many days.
    pub fn within(&self, schema: &Schema, known: &ValueSet) -> Option<ValueSet> {
        let kind = &schema.key.fields[self.field].kind;
        if self.numbers.is_empty() {
            return Some(ValueSet::none(kind));
        }
        let ValueSet::Numbers(known) = known else { return None };
        let days = TimeUnits { kind, zone: schema.time_zone, unit: Granularity::Day };
        let touched = days.touched(known)?;
        let count = |days: &Interval<i128>| days.stop.map_or(i128::MAX, |stop| stop - days.start);
        let most = if self.recurs == Recurs::TimeOfDay { MAX_DAYS } else { MAX_DAYS_OF_YEARS };
        if touched.intervals().iter().map(count).fold(0, i128::saturating_add) > most {
            return None;
        }
        let each = touched.intervals().iter().flat_map(|days| days.start..days.stop.unwrap_or(days.start));
        let numbers = match self.recurs {
            Recurs::TimeOfDay => self.times(schema, each)?,
            _ => {
                let some = each.filter(|day| self.has_day(*day));
                let some = some.map(|day| Interval::new(day, Some(day + 1)));
                days.numbers(&IntervalSet::from_intervals(some.collect()))?
            }
        };
        let count = numbers.intervals().len();
        let is_short = count <= known.intervals().len().max(1)
            || (count as u128).saturating_mul(salts(schema)) <= MAX_RANGES;
        is_short.then(|| ValueSet::numbers(kind, &numbers))
    }

    fn has_day(&self, ordinal: i128) -> bool {
        let at = i64::try_from(ordinal).ok().and_then(|ordinal| Granularity::Day.start_of(ordinal));
        at.is_some_and(|at| self.numbers.contains(&self.recurs.number(at.month(), at.day()).into()))
    }

    /// The values whose local time is in the times of some days.
    fn times(&self, schema: &Schema, days: impl Iterator<Item = i128>) -> Option<IntervalSet<i128>> {
        let kind = &schema.key.fields[self.field].kind;
        let mut found = Vec::new();
        for day in days {
            let midnight = i64::try_from(day.checked_mul(86_400_000)?).ok()?;
            let midnight = DateTime::from_timestamp_millis(midnight)?.naive_utc();
            let from = |time: i128| {
                let time = TimeDelta::try_milliseconds(i64::try_from(time).ok()?)?;
                not_before(kind, schema.time_zone, midnight.checked_add_signed(time)?)
            };
            for times in self.numbers.intervals() {
                // A local time that the clock shows twice is found twice, one that it skips is not found.
                let within = from(times.start)?.subtract(&from(times.stop?)?);
                found.extend_from_slice(within.intervals());
            }
        }
        Some(IntervalSet::from_intervals(found))
    }
}

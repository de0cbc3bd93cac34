//! Numbers and texts that are made of the time of day, which recur every day: the times from midnight to midnight are bisected.

use std::cmp::Ordering;

use chrono::DateTime;

use super::comparand::Comparand;
use super::truth::{Comparison, NotUsed, Truth, not_used};
use super::{Compared, Comparer};
use crate::analyze::chain::TimeOfDay;
use crate::analyze::constant::Constant;
use crate::analyze::values::ValueSet;
use crate::key::interval::{Interval, IntervalSet};
use saltplan_sql::time::bisect::first_where;
use saltplan_sql::time::pattern::Granularity;

const DAY: i64 = 86_400_000;

impl Comparer<'_> {
    /// The milliseconds since midnight for which the comparison holds.
    ///
    /// # Errors
    /// The constant is of another kind.
    pub(super) fn time_of_day(
        &mut self,
        time: &TimeOfDay,
        (comparison, constant): Compared<'_>,
    ) -> Result<Truth, NotUsed> {
        let pattern = &time.pattern;
        let is_number = time.is_number || matches!(constant, Constant::Number(_)) && pattern.is_digits();
        let bound = match constant {
            Constant::Null => return Ok(times(comparison, None)),
            Constant::Number(_) | Constant::Text(_) if is_number => match self.number(constant)? {
                Some(number) => Comparand::Number(number),
                None => return Ok(times(comparison, None)),
            },
            Constant::Text(text) => Comparand::Text(text.clone()),
            _ => return not_used(format!("the constant is not text in the format `{}`", pattern.text())),
        };
        let compared = TimeOfDay { is_number, ..time.clone() };
        Ok(times(comparison, Some(cuts(&compared, &bound))))
    }
}

/// The first time of day that is not below a constant, and the first one above it.
fn cuts(time: &TimeOfDay, bound: &Comparand) -> (i64, i64) {
    let unit = time.pattern.units().max().and_then(Granularity::milliseconds).unwrap_or(1);
    let order = |number: i64| {
        let at = DateTime::from_timestamp_millis(number * unit).unwrap_or_default().naive_utc();
        bound.order(&time.at(at))
    };
    let first = |holds: fn(Ordering) -> bool| first_where(0..DAY / unit, |number| holds(order(number)));
    (first(Ordering::is_ge) * unit, first(Ordering::is_gt) * unit)
}

/// The times of day by the first that is not below a constant, and the first above it; without them the comparison is NULL.
fn times(comparison: Comparison, cuts: Option<(i64, i64)>) -> Truth {
    let set = |intervals: &[(i64, i64)]| {
        let intervals =
            intervals.iter().map(|(start, stop)| Interval::new((*start).into(), Some((*stop).into())));
        ValueSet::Numbers(IntervalSet::from_intervals(intervals.collect()))
    };
    let Some((not_below, above)) = cuts else { return Truth { when_true: set(&[]), when_false: set(&[]) } };
    let (is, is_not) = match comparison {
        Comparison::Equal => (set(&[(not_below, above)]), set(&[(0, not_below), (above, DAY)])),
        Comparison::Less => (set(&[(0, not_below)]), set(&[(not_below, DAY)])),
        Comparison::LessOrEqual => (set(&[(0, above)]), set(&[(above, DAY)])),
        Comparison::Greater => (set(&[(above, DAY)]), set(&[(0, above)])),
        Comparison::GreaterOrEqual => (set(&[(not_below, DAY)]), set(&[(0, not_below)])),
    };
    Truth { when_true: is, when_false: is_not }
}

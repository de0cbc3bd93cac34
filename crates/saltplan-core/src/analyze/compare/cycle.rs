//! `month(f)` and `day(f)`: compared as the small numbers that they are, and made dates once for a whole condition.

use super::number::number;
use super::remarks::Remarks;
use super::truth::{Comparison, NotUsed, Truth, not_used};
use crate::analyze::constant::Constant;
use crate::analyze::sargable::Function;
use crate::analyze::values::ValueSet;
use crate::key::cycle::Cycle;
use crate::key::field::{CalendarField, Field, FieldKind};
use crate::key::interval::{Interval, IntervalSet};
use saltplan_sql::time::pattern::Granularity;

/// The months or the days of the month of a date field.
#[derive(Debug, Clone, Copy)]
pub struct Cyclic<'a> {
    field: &'a Field,
    calendar: &'a CalendarField,
    is_month: bool,
}

impl<'a> Cyclic<'a> {
    /// `None` for other functions.
    pub(super) fn of(field: &'a Field, function: &Function) -> Option<Self> {
        match (&field.kind, function) {
            (FieldKind::Calendar(calendar), Function::Month | Function::Day) => {
                Some(Cyclic { field, calendar, is_month: *function == Function::Month })
            }
            _ => None,
        }
    }

    /// Compares them as numbers. What comes of all constants of a condition is for [`Self::in_every_year`].
    ///
    /// # Errors
    /// The comparison makes no set of values.
    pub(super) fn compare(
        &self,
        comparison: Comparison,
        constant: &Constant,
        remarks: &mut Remarks,
    ) -> Result<Truth, NotUsed> {
        let (unit, last) = if self.is_month { (Granularity::Month, 12) } else { (Granularity::Day, 31) };
        if self.calendar.format.granularity() < unit {
            return not_used(format!("`{}` is not stored that fine", self.field.name));
        }
        if *constant == Constant::Null {
            return Ok(numbers(last, |_| None));
        }
        let Some(wanted) = number(self.field, constant, remarks)? else { return Ok(numbers(last, |_| None)) };
        let (ceiling, exact) = wanted.ceiling();
        let holds = |number: i128| {
            let order = number.cmp(&ceiling);
            // Between two integers, everything from the ceiling on is greater.
            comparison.holds(if exact || order.is_lt() { order } else { std::cmp::Ordering::Greater })
        };
        Ok(numbers(last, |number| Some(holds(number))))
    }

    /// From numbers of months or days to the field's values. Their intervals are subtracted from those left.
    ///
    /// # Errors
    /// Too few intervals are left.
    pub(crate) fn in_every_year(&self, truth: &Truth, intervals_left: &mut usize) -> Result<Truth, NotUsed> {
        let number = |month: u32, day: u32| i128::from(if self.is_month { month } else { day });
        in_every_year(&self.field.kind, truth, number, intervals_left)
    }
}

/// From numbers of the days of a year to the values of a calendar field. Their intervals are subtracted from those left.
///
/// # Errors
/// Too few intervals are left, or the field is an instant.
pub(crate) fn in_every_year(
    kind: &FieldKind,
    truth: &Truth,
    number: impl Fn(u32, u32) -> i128,
    intervals_left: &mut usize,
) -> Result<Truth, NotUsed> {
    let (FieldKind::Calendar(calendar), Some(domain)) = (kind, kind.domain()) else {
        return not_used("rows with this value are spread over the whole key range, since the value recurs");
    };
    if *intervals_left == 0 {
        return not_used("it is one of too many conditions on months or days of any year");
    }
    let dates = |numbers: &ValueSet| {
        let ValueSet::Numbers(numbers) = numbers else { return ValueSet::none(kind) };
        let cycle = Cycle::new(|month, day| numbers.contains(&number(month, day)));
        ValueSet::Numbers(cycle.set(&calendar.format, &domain))
    };
    let truth = Truth { when_true: dates(&truth.when_true), when_false: dates(&truth.when_false) };
    let count = truth.when_true.interval_count() + truth.when_false.interval_count();
    *intervals_left = intervals_left.saturating_sub(count);
    Ok(truth)
}

/// The numbers from 1 on for which a comparison is true, and is false.
fn numbers(last: i128, holds: impl Fn(i128) -> Option<bool>) -> Truth {
    let that_are = |wanted: bool| {
        let some = (1..=last).filter(|number| holds(*number) == Some(wanted));
        let intervals = some.map(|number| Interval::new(number, Some(number + 1)));
        ValueSet::Numbers(IntervalSet::from_intervals(intervals.collect()))
    };
    Truth { when_true: that_are(true), when_false: that_are(false) }
}

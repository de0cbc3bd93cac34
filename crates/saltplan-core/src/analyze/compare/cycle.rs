//! `month(f)` and `day(f)`: compared as the small numbers that they are, and made dates once for a whole condition.

use std::ops::RangeInclusive;

use super::truth::{NotUsed, Truth, not_used};
use super::{Compared, Comparer};
use crate::analyze::chain::parts::Part;
use crate::analyze::constant::{Constant, Decimal};
use crate::analyze::values::ValueSet;
use crate::key::cycle::Cycle;
use crate::key::field::FieldKind;
use crate::key::interval::{Interval, IntervalSet};

impl Comparer<'_> {
    /// Compares the months or the days of the month of a date or an instant as numbers. What comes of all constants of a condition is for
    /// [`in_every_year`].
    pub(super) fn month_or_day(
        &mut self,
        part: Part,
        (comparison, constant): Compared<'_>,
    ) -> Result<Truth, NotUsed> {
        self.check_zone()?;
        if matches!(self.kind(), FieldKind::Calendar(calendar) if calendar.format.granularity() < part.unit())
        {
            return not_used(format!("`{}` is not stored that fine", self.field.name));
        }
        let wanted = if *constant == Constant::Null { None } else { self.number(constant)? };
        Ok(numbered(1..=u32::try_from(part.greatest()).unwrap_or_default(), |number| {
            Some(comparison.holds(Decimal::integer(number.into()).order(wanted?)))
        }))
    }
}

/// From numbers of the days of a year to the values of a calendar field. Their intervals are subtracted from those left.
///
/// # Errors
/// Too few intervals are left, or the field is an instant.
pub(crate) fn in_every_year(
    kind: &FieldKind,
    truth: &Truth,
    number: impl Fn(u32, u32) -> u32,
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
        let cycle = Cycle::new(|month, day| numbers.contains(&number(month, day).into()));
        ValueSet::Numbers(cycle.set(&calendar.format, &domain))
    };
    let truth = Truth { when_true: dates(&truth.when_true), when_false: dates(&truth.when_false) };
    let count = truth.when_true.interval_count() + truth.when_false.interval_count();
    *intervals_left = intervals_left.saturating_sub(count);
    Ok(truth)
}

/// The numbers for which a comparison is true, and is false.
pub(crate) fn numbered(numbers: RangeInclusive<u32>, holds: impl Fn(u32) -> Option<bool>) -> Truth {
    let that_are = |wanted: bool| {
        let some = numbers.clone().filter(|number| holds(*number) == Some(wanted)).map(i128::from);
        let intervals = some.map(|number| Interval::new(number, Some(number + 1)));
        ValueSet::Numbers(IntervalSet::from_intervals(intervals.collect()))
    };
    Truth { when_true: that_are(true), when_false: that_are(false) }
}

//! Days counted from the day of a date or a time: `date_add`, `date_sub` and `datediff`.

use chrono::{Datelike as _, NaiveDate, NaiveTime};

use super::cut::{Position, ordered};
use super::truth::{NotUsed, Truth, not_used};
use super::{Compared, Comparer};
use crate::analyze::chain::TimeStep;
use crate::analyze::constant::Constant;
use crate::analyze::values::ValueSet;

/// Before this day some Hives count in Julian days; a month from the change of the calendars they are less apart.
const FIRST_DAY: (i32, u32, u32) = (1583, 1, 1);

impl Comparer<'_> {
    /// The values of the field that compare so with a constant when days are counted from theirs.
    pub(super) fn counted(
        &mut self,
        plus_days: i64,
        distance: Option<&TimeStep>,
        (mut comparison, constant): Compared<'_>,
    ) -> Result<Truth, NotUsed> {
        let kind = self.kind();
        self.check_zone()?;
        // The constant as days since the year 1.
        let since = |day: NaiveDate| i128::from(day.num_days_from_ce());
        let mut first = None;
        let Position { position, exact } = match distance {
            Some(distance @ (TimeStep::DaysSince(day) | TimeStep::DaysUntil(day))) => {
                let Constant::Number(_) = constant else {
                    return not_used("the constant is not a number of days");
                };
                let Some(number) = self.number(constant)? else { return Ok(Truth::unknown(kind)) };
                let Position { position: days, exact } = Position::of(number);
                first = Some(*day);
                let position = match distance {
                    TimeStep::DaysUntil(_) => {
                        comparison = comparison.flipped();
                        // The first day whose distance is not above: one later where the constant is no whole number.
                        since(*day).saturating_sub(days).saturating_add(i128::from(!exact))
                    }
                    _ => since(*day).saturating_add(days),
                };
                Position { position, exact }
            }
            _ => match self.day_position(constant)? {
                Some(position) => position,
                None => return Ok(Truth::unknown(kind)),
            },
        };
        let target = position.saturating_sub(i128::from(plus_days));
        let first_day = NaiveDate::from_ymd_opt(FIRST_DAY.0, FIRST_DAY.1, FIRST_DAY.2).map_or(0, since);
        if [Some(position), Some(target), first.map(since)].into_iter().flatten().any(|day| day < first_day) {
            return not_used("some versions of Hive count days before 1583 differently");
        }
        let day_at = |day: i128| NaiveDate::from_num_days_from_ce_opt(i32::try_from(day).ok()?);
        let not_below = |day: i128| match day_at(day) {
            Some(day) => self.not_before(day.and_time(NaiveTime::MIN), false),
            None => ValueSet::none(kind),
        };
        Ok(ordered(kind, comparison, Position { position: target, exact }, not_below))
    }

    /// The position of a constant among days; `None` if the comparison is NULL.
    fn day_position(&mut self, constant: &Constant) -> Result<Option<Position>, NotUsed> {
        let at = match constant {
            Constant::Date(day) => day.and_time(NaiveTime::MIN),
            Constant::Timestamp(at) => *at,
            Constant::Text(text) => match self.time_in_text(text)? {
                Some(at) => at.date().and_time(NaiveTime::MIN),
                None => return Ok(None),
            },
            _ => return not_used("the constant is not a date"),
        };
        let exact = at.time() == NaiveTime::MIN;
        Ok(Some(Position { position: i128::from(at.num_days_from_ce()) + i128::from(!exact), exact }))
    }
}

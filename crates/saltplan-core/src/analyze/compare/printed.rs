//! Dates as `date_format` and its like print them.

use chrono::{NaiveDateTime, NaiveTime};

use super::cut::{Position, ordered};
use super::date_text::{digits_cut, text_cut};
use super::truth::{Comparison, NotUsed, Truth, not_used};
use super::{Compared, Comparer};
use crate::analyze::chain::{Step, TextStep, TimeStep};
use crate::analyze::constant::{Constant, read_time};
use crate::analyze::values::ValueSet;
use crate::key::interval::IntervalSet;
use crate::key::units;
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};
use saltplan_sql::time::pattern::Granularity;

/// A time that is printed, and nothing else.
pub(super) struct Printed<'c> {
    format: &'c TimeFormat,
    /// Whether the printed digits are read as a number.
    is_number: bool,
    /// The instant was first cut to whole seconds by dropping the rest, which before 1970 goes forward in time.
    towards_zero: bool,
}

impl<'c> Printed<'c> {
    pub fn of_steps(steps: &'c [Step]) -> Option<Self> {
        let (towards_zero, steps) = match steps {
            [Step::Time(TimeStep::WholeSecondsTowardsZero), printed @ ..] => (true, printed),
            steps => (false, steps),
        };
        let (format, is_number) = match steps {
            [Step::Time(TimeStep::Print(format))] => (format, false),
            [Step::Time(TimeStep::Print(format)), Step::Text(TextStep::Digits)] => (format, true),
            _ => return None,
        };
        Some(Printed { format, is_number, towards_zero })
    }
}

impl Comparer<'_> {
    /// `date_format(f, …) op constant`, also with the digits of the printed time read as a number.
    pub(super) fn printed(
        &mut self,
        printed: &Printed<'_>,
        (comparison, constant): Compared<'_>,
    ) -> Result<Truth, NotUsed> {
        let format = printed.format;
        if !format.sorts() && comparison != Comparison::Equal {
            return not_used(format!("the format `{}` does not sort", format.pattern()));
        }
        let Some(cut) = self.printed_cut(printed, constant)? else { return Ok(Truth::unknown(self.kind())) };
        self.check_zone()?;
        Ok(self.units_cut(comparison, cut, format.granularity(), printed.towards_zero))
    }

    /// The day of a date or a time, compared with a constant.
    pub(super) fn day(&mut self, (comparison, constant): Compared<'_>) -> Result<Truth, NotUsed> {
        let at = match constant {
            Constant::Text(text) => match self.time_in_text(text)? {
                Some(at) => at.date().and_time(NaiveTime::MIN),
                None => return Ok(Truth::unknown(self.kind())),
            },
            Constant::Date(date) => date.and_time(NaiveTime::MIN),
            Constant::Timestamp(at) => *at,
            _ => return not_used(format!("the constant is not text in the format `{ISO_DAY}`")),
        };
        self.check_zone()?;
        Ok(self.units_cut(comparison, Position::at(Granularity::Day, at), Granularity::Day, false))
    }

    /// The values of the field whose unit of time compares so with a cut among these units.
    fn units_cut(
        &self,
        comparison: Comparison,
        cut: Position,
        unit: Granularity,
        towards_zero: bool,
    ) -> Truth {
        let kind = self.kind();
        let start = |ordinal: i128| unit.start_of(i64::try_from(ordinal).ok()?);
        ordered(kind, comparison, cut, |position| match start(position) {
            Some(start) => self.not_before(start, towards_zero),
            None => ValueSet::none(kind),
        })
    }

    /// The cut of a constant among printed times; `None` where the comparison gives NULL.
    fn printed_cut(
        &mut self,
        printed: &Printed<'_>,
        constant: &Constant,
    ) -> Result<Option<Position>, NotUsed> {
        let format = printed.format;
        let is_iso = format.pattern() == ISO_DAY && !printed.is_number;
        let day = |at: NaiveDateTime| Position::at(Granularity::Day, at);
        match constant {
            Constant::Text(text) if !printed.is_number => text_cut(format, text, &mut self.remarks).map(Some),
            Constant::Date(date) if is_iso => Ok(Some(day(date.and_time(NaiveTime::MIN)))),
            Constant::Timestamp(at) if is_iso => Ok(Some(day(*at))),
            Constant::Number(_) | Constant::Text(_) if format.is_digits() && format.sorts() => {
                let number = self.number(constant)?;
                Ok(number.map(|number| digits_cut(format, number, &mut self.remarks)))
            }
            _ => not_used(format!("the constant is not text in the format `{}`", format.pattern())),
        }
    }

    /// The time of a text that Hive casts to a date; `None` if it is not a date, so that the comparison is NULL.
    pub(crate) fn time_in_text(&mut self, text: &str) -> Result<Option<NaiveDateTime>, NotUsed> {
        let Some(read) = read_time(text.trim()) else {
            return not_used(format!("`{text}` is not a date that all Hives read alike"));
        };
        if read.is_none() {
            self.remarks.no_row(format!("`{text}` is not a date, the condition is true for no row"));
        }
        Ok(read)
    }

    /// The values of a calendar or epoch field whose local time is not before `start`.
    pub(crate) fn not_before(&self, start: NaiveDateTime, towards_zero: bool) -> ValueSet {
        let kind = self.kind();
        match units::not_before(kind, self.time_zone, start) {
            Some(numbers) if towards_zero => ValueSet::numbers(kind, &cut_towards_zero(&numbers)),
            Some(numbers) => ValueSet::numbers(kind, &numbers),
            None => ValueSet::none(kind),
        }
    }
}

/// Of milliseconds whose whole second, rounded down, lies in a set of whole seconds: those whose second lies in it
/// when rounded towards zero.
fn cut_towards_zero(milliseconds: &IntervalSet<i128>) -> IntervalSet<i128> {
    let negative = IntervalSet::range(i128::MIN, Some(0));
    let moved = milliseconds.map(|number| number.saturating_sub(999)).intersect(&negative);
    milliseconds.subtract(&negative).union(&moved)
}

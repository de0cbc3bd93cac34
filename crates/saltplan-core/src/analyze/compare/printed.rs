//! Dates as `date_format` and its like print them.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use super::cut::{Position, ordered};
use super::date_text::{digits_cut, text_cut};
use super::truth::{Comparison, NotUsed, Truth, not_used};
use super::{Compared, Comparer};
use crate::analyze::constant::{Constant, read_time};
use crate::analyze::sargable::{Printed, ReadAs};
use crate::analyze::values::ValueSet;
use crate::key::interval::IntervalSet;
use crate::key::units;
use saltplan_sql::time::format::ISO_DAY;
use saltplan_sql::time::pattern::Granularity;

impl Comparer<'_> {
    /// `date_format(f, …) op constant`, also with the printed date read as a number or a date.
    pub(super) fn printed(
        &mut self,
        printed: &Printed,
        (comparison, constant): Compared<'_>,
    ) -> Result<Truth, NotUsed> {
        let format = &printed.format;
        if !format.sorts() && comparison != Comparison::Equal {
            return not_used(format!("the format `{}` does not sort", format.pattern()));
        }
        let kind = self.kind();
        let Some(cut) = self.printed_cut(printed, constant)? else { return Ok(Truth::unknown(kind)) };
        self.check_zone()?;
        let start = |ordinal: i128| format.granularity().start_of(i64::try_from(ordinal).ok()?);
        Ok(ordered(kind, comparison, cut, |position| match start(position) {
            Some(start) => self.not_before(start, printed.towards_zero),
            None => ValueSet::none(kind),
        }))
    }

    /// The cut of a constant among printed dates; `None` where the comparison gives NULL.
    fn printed_cut(&mut self, printed: &Printed, constant: &Constant) -> Result<Option<Position>, NotUsed> {
        let format = &printed.format;
        let is_iso = format.pattern() == ISO_DAY;
        let day = |date: NaiveDate| Position::at(Granularity::Day, date.and_time(NaiveTime::MIN));
        match (printed.read_as, constant) {
            (ReadAs::Text, Constant::Text(text)) => text_cut(format, text, &mut self.remarks).map(Some),
            (ReadAs::Date, Constant::Text(text)) => Ok(self.time_in_text(text)?.map(|at| day(at.date()))),
            (ReadAs::Text | ReadAs::Date, Constant::Date(date)) if is_iso => Ok(Some(day(*date))),
            (ReadAs::Text | ReadAs::Date, Constant::Timestamp(at)) if is_iso => {
                Ok(Some(Position::at(Granularity::Day, *at)))
            }
            (ReadAs::Number, Constant::Number(_) | Constant::Text(_))
            | (ReadAs::Text, Constant::Number(_))
                if format.is_digits() && format.sorts() =>
            {
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

//! Days that are moved and printed, in steps that keep their order: bisection over the units of the field finds the cut.

use std::cmp::Ordering;
use std::ops::Range;

use chrono::{Datelike as _, NaiveDate, NaiveDateTime, NaiveTime};

use super::comparand::Comparand;
use super::cut::from_cut_sets;
use super::truth::{Comparison, NotUsed, Truth, not_used};
use super::{Compared, Comparer};
use crate::analyze::chain::{Chain, OutOfRange, Shape, Value};
use crate::analyze::constant::{Constant, FIRST_YEAR};
use crate::analyze::values::ValueSet;
use crate::key::field::FieldKind;
use saltplan_sql::time::bisect::first_where;
use saltplan_sql::time::pattern::Granularity;

impl Comparer<'_> {
    /// The truth of a comparison of a moved day with a constant, and the values for which it is not known.
    ///
    /// # Errors
    /// The constant is of another kind, or lies where versions of Hive have different calendars.
    pub(super) fn moved_day(
        &mut self,
        chain: &Chain,
        (comparison, constant): Compared<'_>,
    ) -> Result<(Truth, ValueSet), NotUsed> {
        let kind = self.kind();
        let none = ValueSet::none(kind);
        // Hive reads a text that is compared with a date as one.
        let as_date = match constant {
            Constant::Date(_) | Constant::Timestamp(_) if chain.shape == Shape::Text => {
                let as_date = chain.clone().read_as_date();
                Some(as_date.ok_or_else(|| NotUsed("the constant is not a text".into()))?)
            }
            _ => None,
        };
        let compared = as_date.as_ref().unwrap_or(chain);
        let Some(bound) = self.day_bound(compared.shape, constant)? else {
            return Ok((Truth::unknown(kind), none));
        };
        if is_before_calendar(&bound) {
            return not_used("some versions of Hive count days before 1583 differently");
        }
        let run = self.years(1, 10_000);
        let [not_below, above] = self.rising(&run, |start| match compared.evaluate(Value::Time(start)) {
            Ok(value) => bound.order(&value),
            Err(OutOfRange::Below) => Ordering::Less,
            Err(OutOfRange::Above) => Ordering::Greater,
        });
        if chain.shape != Shape::Text {
            return Ok((from_cut_sets(kind, comparison, not_below, above), none));
        }
        let is_beyond = |start| compared.evaluate(Value::Time(start)) == Err(OutOfRange::Above);
        let beyond = self.values_from_first(run.clone(), is_beyond);
        let is_equal = comparison == Comparison::Equal;
        match bound {
            // The year 10000 as a text, with a sign or without, is below the text of every year from 1100 on. Later years of an
            // instant may be above it, but are no text of ten characters.
            Comparand::Text(text)
                if text.as_str() >= "11"
                    && (is_equal && is_iso(&text) || self.values_from_unit(run.end).is_empty()) =>
            {
                let within = beyond.complement(kind);
                let (not_below, above) = (not_below.intersect(&within), above.intersect(&within));
                Ok((from_cut_sets(kind, comparison, not_below, above), none))
            }
            _ => Ok((from_cut_sets(kind, comparison, not_below, above).without(&beyond, kind), beyond)),
        }
    }

    /// What a day is compared with; `None` where the comparison gives NULL.
    fn day_bound(&mut self, shape: Shape, constant: &Constant) -> Result<Option<Comparand>, NotUsed> {
        Ok(Some(match constant {
            Constant::Null => return Ok(None),
            Constant::Text(text) if shape == Shape::Text => Comparand::Text(text.clone()),
            Constant::Date(day) => Comparand::Time(day.and_time(NaiveTime::MIN)),
            Constant::Timestamp(at) => Comparand::Time(*at),
            Constant::Text(text) => match self.time_in_text(text)? {
                Some(at) if shape == Shape::Date => Comparand::Time(at.date().and_time(NaiveTime::MIN)),
                Some(at) => Comparand::Time(at),
                None => return Ok(None),
            },
            _ => return not_used("the constant is not a date"),
        }))
    }

    /// The unit in which the field is bisected: its own, and days for an instant.
    fn unit(&self) -> Granularity {
        match self.kind() {
            FieldKind::Calendar(calendar) => calendar.format.granularity(),
            _ => Granularity::Day,
        }
    }

    /// The values whose local time is not before the start of a unit.
    pub(super) fn values_from_unit(&self, ordinal: i64) -> ValueSet {
        match self.unit().start_of(ordinal) {
            Some(start) => self.not_before(start, false),
            None => ValueSet::none(self.kind()),
        }
    }

    /// The units from the start of one year to the start of another.
    pub(super) fn years(&self, first: i32, end: i32) -> Range<i64> {
        let start = |year| NaiveDate::from_ymd_opt(year, 1, 1).unwrap_or_default().and_time(NaiveTime::MIN);
        self.unit().ordinal_of(start(first))..self.unit().ordinal_of(start(end))
    }

    /// The values from the first unit of a run on whose start satisfies a condition, as all later ones do.
    fn values_from_first(&self, run: Range<i64>, holds: impl Fn(NaiveDateTime) -> bool) -> ValueSet {
        self.values_from_unit(first_where(run, |ordinal| self.unit().start_of(ordinal).is_some_and(&holds)))
    }

    /// The values of a run of units not below a constant and those above it, of a result that rises with time.
    pub(super) fn rising(
        &self,
        run: &Range<i64>,
        order: impl Fn(NaiveDateTime) -> Ordering,
    ) -> [ValueSet; 2] {
        let orders: [fn(Ordering) -> bool; 2] = [Ordering::is_ge, Ordering::is_gt];
        orders.map(|holds| self.values_from_first(run.clone(), |start| holds(order(start))))
    }
}

/// Whether a text starts with a year of four digits, as no text of a later year does.
fn is_iso(text: &str) -> bool {
    let year = text.bytes().take_while(u8::is_ascii_digit).count();
    year == 4 && text.as_bytes().get(year) == Some(&b'-')
}

/// A month from the change of the calendars.
fn is_before_calendar(bound: &Comparand) -> bool {
    match bound {
        Comparand::Time(at) => at.year() <= FIRST_YEAR,
        Comparand::Text(text) => text.as_str() < "1584",
        Comparand::Number(_) | Comparand::Double(_) => false,
    }
}

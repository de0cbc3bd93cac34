//! Numbers and texts that are made of the parts of a date, compared with constants.

use std::cmp::Ordering;

use chrono::{Months, NaiveDate, NaiveTime};

use super::comparand::Comparand;
use super::cut::from_cut_sets;
use super::cycle::numbered;
use super::truth::{Comparison, NotUsed, Truth, not_used};
use super::{Compared, Comparer};
use crate::analyze::chain::parts::{Part, Parts, Piece, number_of};
use crate::analyze::constant::Constant;
use crate::analyze::recurring::day_number;
use crate::analyze::values::ValueSet;

const NOT_IN_ORDER: &str =
    "the result does not rise with the date; compare year, month and day in this order";

impl Comparer<'_> {
    /// Field values for which the comparison holds. Without a year: numbers of days within a year ([`day_number`]).
    ///
    /// # Errors
    /// The constant is of another kind, or the values do not lie together.
    pub(super) fn parts_of_date(
        &mut self,
        parts: &Parts,
        (comparison, constant): Compared<'_>,
    ) -> Result<Truth, NotUsed> {
        let (kind, recurs) = (self.kind(), parts.recurs());
        let unknown = || if recurs { numbered(0..=0, |_| None) } else { Truth::unknown(kind) };
        if *constant == Constant::Null {
            return Ok(unknown());
        }
        let as_number = match (parts, constant) {
            // Hive compares a text and a number as numbers.
            (Parts::Text(pieces), Constant::Number(_)) => match number_of(pieces) {
                Some(sum) => Some(Parts::Number(sum)),
                None => return not_used("the text is compared with a number: write the constant in quotes"),
            },
            _ => None,
        };
        let parts = as_number.as_ref().unwrap_or(parts);
        let bound = match (parts, constant) {
            (Parts::Number(_), _) => match self.number(constant)? {
                Some(number) => Comparand::Number(number),
                None => return Ok(unknown()),
            },
            (Parts::Text(_), Constant::Text(text)) => Comparand::Text(text.clone()),
            (Parts::Text(_), _) => return not_used("the constant is not a text"),
        };
        let order = |day: NaiveDate| bound.order(&parts.of_day(day));
        match (parts, &bound) {
            _ if recurs => Ok(of_any_year(comparison, order)),
            (Parts::Text(pieces), Comparand::Text(text)) => {
                let when_true = match comparison {
                    Comparison::Equal => self.days_of_text(pieces, text),
                    _ => self.ordered_text(parts, comparison, order)?,
                };
                Ok(Truth::two_valued(when_true, kind))
            }
            _ if parts.rises() => {
                let run = self.years(1, 10_000);
                let [not_below, above] = self.rising(&run, |start| order(start.date()));
                Ok(from_cut_sets(kind, comparison, not_below, above))
            }
            _ => not_used(NOT_IN_ORDER),
        }
    }

    /// The values whose text is a constant.
    fn days_of_text(&self, pieces: &[Piece], constant: &str) -> ValueSet {
        let kind = self.kind();
        let mut found = Vec::new();
        matches_of(pieces, constant, [None; 4], &mut found);
        let mut sets = Vec::new();
        for [year, quarter, month, day] in found {
            let Some(year) = year.and_then(|year| i32::try_from(year).ok()) else { continue };
            let first = u32::try_from(day.unwrap_or(1)).unwrap_or_default();
            let is_of = |start: &NaiveDate| {
                month.is_none_or(|month| month == Part::Month.at(*start))
                    && quarter.is_none_or(|quarter| quarter == Part::Quarter.at(*start))
            };
            let starts =
                (1..=12).filter_map(|month| NaiveDate::from_ymd_opt(year, month, first)).filter(is_of);
            for start in starts {
                let end = match day {
                    Some(_) => start.succ_opt(),
                    None => start.checked_add_months(Months::new(1)),
                };
                let not_before = |day: NaiveDate| self.not_before(day.and_time(NaiveTime::MIN), false);
                let from = not_before(start);
                sets.push(match end {
                    Some(end) => from.intersect(&not_before(end).complement(kind)),
                    None => from,
                });
            }
        }
        ValueSet::union_of(&sets.iter().collect::<Vec<_>>()).unwrap_or_else(|| ValueSet::none(kind))
    }

    /// Field values whose printed text satisfies the comparison, in the order of texts.
    fn ordered_text(
        &self,
        parts: &Parts,
        comparison: Comparison,
        order: impl Fn(NaiveDate) -> Ordering,
    ) -> Result<ValueSet, NotUsed> {
        let kind = self.kind();
        let beyond = self.values_from_unit(self.years(10_000, 10_000).start);
        if !parts.rises() || !beyond.is_empty() {
            return not_used(NOT_IN_ORDER);
        }
        // Years of fewer digits are runs of their own.
        let mut when_true = ValueSet::none(kind);
        for (first, end) in [(1, 10), (10, 100), (100, 1_000), (1_000, 10_000)] {
            let run = self.years(first, end);
            let [not_below, above] = self.rising(&run, |start| order(start.date()));
            let values = from_cut_sets(kind, comparison, not_below, above).when_true;
            let before_end = self.values_from_unit(run.end).complement(kind);
            let values = values.intersect(&self.values_from_unit(run.start)).intersect(&before_end);
            when_true = when_true.union(&values);
        }
        Ok(when_true)
    }
}

/// The days of a leap year whose result compares so, by their [`day_number`].
fn of_any_year(comparison: Comparison, order: impl Fn(NaiveDate) -> Ordering) -> Truth {
    numbered(0..=day_number(12, 31), |number| {
        let day = NaiveDate::from_ymd_opt(2000, number / 32, number % 32)?;
        Some(comparison.holds(order(day)))
    })
}

/// The parts of dates, by rank, with which pieces are a text.
fn matches_of(pieces: &[Piece], text: &str, parts: [Option<i64>; 4], found: &mut Vec<[Option<i64>; 4]>) {
    let Some((piece, rest)) = pieces.split_first() else {
        if text.is_empty() {
            found.push(parts);
        }
        return;
    };
    match piece {
        Piece::Literal(literal) => {
            if let Some(text) = text.strip_prefix(literal.as_str()) {
                matches_of(rest, text, parts, found);
            }
        }
        Piece::Part { part, digits } => {
            let run = text.bytes().take_while(u8::is_ascii_digit).count();
            for length in 1..=run.min(if *part == Part::Year { MAX_YEAR_DIGITS } else { 2 }) {
                let (head, tail) = text.split_at(length);
                let Ok(number) = head.parse::<i64>() else { continue };
                let is_alone = parts[part.rank()].is_none_or(|before| before == number);
                let is_possible = *part == Part::Year || (1..=part.greatest()).contains(&number);
                if is_alone && is_possible && format!("{number:0digits$}", digits = *digits) == head {
                    let mut parts = parts;
                    parts[part.rank()] = Some(number);
                    matches_of(rest, tail, parts, found);
                }
            }
        }
    }
}

/// Digits of the year of an instant.
const MAX_YEAR_DIGITS: usize = 6;

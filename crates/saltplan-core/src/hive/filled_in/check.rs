//! The check that fails before anything is written if a value that is filled in is not valid.

use chrono::{NaiveDate, TimeDelta};

use super::Filled;
use super::value::{literal, moved, written};
use crate::analyze::runtime::{RuntimeRange, RuntimeValue, has_time_of_day};
use crate::hive::date::iso_text;
use crate::hive::field::matches;
use crate::key::field::FieldKind;
use crate::key::interval::Interval;
use crate::key::number::{NumberForm, Order};
use crate::refusal::Refusal;
use saltplan_sql::Runtime;
use saltplan_sql::ast::{BinaryOperator, Expr};
use saltplan_sql::functions::{COALESCE, DATE_ADD, INSTR, OCTET_LENGTH};
use saltplan_sql::hive_type::Type;
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::{Granularity, PatternPiece};

/// The beginnings of placeholders that nothing has filled in. They are printed as two literals, so that nothing fills them in here.
const UNFILLED: [(&str, &str); 4] = [("$", "{"), ("$", "["), ("{", "{"), ("#", "{")];

impl Filled<'_> {
    /// The condition on the values before anything is written: each is valid for the field, and ranges are not empty and do not overlap.
    ///
    /// # Errors
    /// Hive cannot compute the salt.
    pub fn check(self) -> Result<Expr, Refusal> {
        Ok(Expr::call(&COALESCE, [self.are_valid()?, Expr::truth(false)]))
    }

    /// The check as a condition, which is NULL or FALSE for values that are not valid.
    pub fn are_valid(self) -> Result<Expr, Refusal> {
        let mut checks: Vec<Expr> = Vec::new();
        let mut add = |check: Expr| {
            if !checks.contains(&check) {
                checks.push(check);
            }
        };
        for value in self.condition.values() {
            self.checks_of(value).into_iter().for_each(&mut add);
        }
        for range in &self.condition.ranges {
            if let RuntimeRange::Between { from: Some(from), until: Some(until) } = range
                && !(from.name == until.name && (from.moved, from.time) < (until.moved, until.time))
            {
                add(self.ordered(from).binary(BinaryOperator::Lt, &self.ordered(until)));
            }
            // An hour that the clock skips is an empty range, for which HBase would read the whole table.
            if let RuntimeRange::Within { value, .. } = range
                && self.condition.clock.as_ref().is_some_and(|clock| clock.change_count() > 0)
                && let Some((start, stop)) = self.instants_within(value)
            {
                add(start.binary(BinaryOperator::Lt, &stop));
            }
            if let (Some(known), Some(value)) = (self.salt, range.only()) {
                let exact_if = self.salt_of(value, known)?.map(|(_, exact_if)| exact_if);
                exact_if.into_iter().flatten().for_each(&mut add);
            }
        }
        for (index, one) in self.condition.ranges.iter().enumerate() {
            for other in &self.condition.ranges[index + 1..] {
                if let (Some(one), Some(other)) = (self.begin(one), self.begin(other)) {
                    add(one.binary(BinaryOperator::NotEq, &other));
                }
            }
        }
        Ok(Expr::all(checks))
    }

    /// The start of a range, which must differ from those of the other ranges.
    fn begin(self, range: &RuntimeRange) -> Option<Expr> {
        match range {
            RuntimeRange::Within { value, unit } => Some(self.within(value, *unit).0),
            _ => range.first().map(|value| self.ordered(value)),
        }
    }

    /// A value in a form that sorts like the values.
    fn ordered(self, value: &RuntimeValue) -> Expr {
        self.number(value, 0).map_or_else(|| self.stored(value), |(number, _)| number)
    }

    fn checks_of(self, value: &RuntimeValue) -> Vec<Expr> {
        let field = self.field;
        let text = literal("", value, "");
        if let Some(form) = self.form_of_number(value) {
            return checks_of_number(&text, form, &value.given);
        }
        match &field.kind {
            FieldKind::Calendar(_) | FieldKind::Epoch(_) => {
                if value.given.is_instant() {
                    return self.checks_of_instant(&text);
                }
                let Some(given) = self.given(value) else { return vec![Expr::truth(false)] };
                let is_of_key = match &field.kind {
                    FieldKind::Calendar(calendar) => calendar.format == *given && !has_time_of_day(field),
                    _ => false,
                };
                // Neither the text nor its end is computed, so every text of this form is right.
                if is_of_key && value.given.reads_all_otherwise() && (0..=1).contains(&value.moved) {
                    return vec![matches(&text, &digits_of(given))];
                }
                let again = written(&moved(&iso_text(given, &text), given.granularity(), 0), given);
                let (start, width) = given.place_of(Granularity::Year).unwrap_or((0, 4));
                let year = text.substr(Expr::number(start + 1), Expr::number(width));
                let range = match &self.condition.clock {
                    Some(clock) => {
                        let bound =
                            |day: NaiveDate| Expr::text((day - TimeDelta::days(value.moved)).to_string());
                        let iso = iso_text(given, &text);
                        let day =
                            if given.granularity() > Granularity::Day { iso.substr(1, 10) } else { iso };
                        day.between(bound(clock.days.0), bound(clock.days.1))
                    }
                    // A moved day must stay within the years of four digits.
                    None => year.between(Expr::text("1000"), Expr::text("8999")),
                };
                let times = [
                    (Granularity::Hour, "([01][0-9]|2[0-3])"),
                    (Granularity::Minute, "[0-5][0-9]"),
                    (Granularity::Second, "[0-5][0-9]"),
                    (Granularity::Millisecond, "[0-9]{3}"),
                ];
                let times = times.into_iter().filter_map(|(unit, digits)| {
                    let (start, width) = given.place_of(unit)?;
                    Some(matches(&text.substr(Expr::number(start + 1), Expr::number(width)), digits))
                });
                [again.binary(BinaryOperator::Eq, &text), range].into_iter().chain(times).collect()
            }
            FieldKind::Integer(_) => Vec::new(),
            FieldKind::Text(kind) => {
                let lacks = |text: &Expr, part: Expr| {
                    Expr::call(&INSTR, [text.clone(), part]).binary(BinaryOperator::Eq, &Expr::number(0))
                };
                let length = match kind.width {
                    Some(width) => Expr::call(&OCTET_LENGTH, [text.clone()])
                        .binary(BinaryOperator::Eq, &Expr::number(width)),
                    None => text.length().binary(BinaryOperator::Gt, &Expr::number(0)),
                };
                let unfilled = UNFILLED
                    .iter()
                    .map(|(a, b)| lacks(&text, Expr::concatenated(vec![Expr::text(*a), Expr::text(*b)])));
                // A text never contains bytes that are not text.
                let separator = std::str::from_utf8(&field.separator).ok().filter(|text| !text.is_empty());
                let separator = separator.map(|separator| lacks(&self.stored(value), Expr::text(separator)));
                std::iter::once(length).chain(unfilled).chain(separator).collect()
            }
        }
    }

    /// A time of UTC in whole seconds.
    fn checks_of_instant(self, text: &Expr) -> Vec<Expr> {
        let day = text.substr(1, 10);
        let again = Expr::call(&DATE_ADD, [day.clone(), Expr::number(0)]).cast(Type::String);
        let bound = |day: NaiveDate| Expr::text(day.to_string());
        let days =
            self.condition.clock.as_ref().map(|clock| day.between(bound(clock.days.0), bound(clock.days.1)));
        let checks = [
            matches(
                text,
                "[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]([01][0-9]|2[0-3])(:[0-5][0-9]){2}([.]0+)?(Z|[+]00:00)",
            ),
            again.binary(BinaryOperator::Eq, &day),
        ];
        checks.into_iter().chain(days).collect()
    }
}

/// Whether a text is a whole number that a field stores, and the number after it, too.
fn checks_of_number(text: &Expr, form: &NumberForm, given: &Runtime) -> Vec<Expr> {
    let number = text.cast(Type::BigInt);
    let Interval { start, stop } = form.domain();
    let last = stop.map_or(i128::from(i64::MAX), |stop| stop - 1);
    // The number after this one must be valid, too: it is the stop of the range.
    let (first, last) = match form.order() {
        Order::Falling => (start + 1, last),
        _ => (start, last - 1),
    };
    // Hive compares a text with a whole number as doubles, which are exact up to 2^53.
    let is_exact = !given.reads_all_otherwise() || given.is_whole_number();
    vec![
        matches(text, if is_exact { "(0|-?[1-9][0-9]{0,18})" } else { "(0|-?[1-9][0-9]{0,14})" }),
        number.between(Expr::number(first), Expr::number(last)),
    ]
}

/// A regular expression for the times in a format. Each month may have 31 days.
fn digits_of(format: &TimeFormat) -> String {
    let piece = |piece: &PatternPiece| match piece {
        PatternPiece::Unit(Granularity::Year) => "[1-8][0-9]{3}".to_string(),
        PatternPiece::Unit(Granularity::Month) => "(0[1-9]|1[0-2])".into(),
        PatternPiece::Unit(Granularity::Day) => "(0[1-9]|[12][0-9]|3[01])".into(),
        PatternPiece::Unit(Granularity::Hour) => "([01][0-9]|2[0-3])".into(),
        PatternPiece::Unit(Granularity::Minute | Granularity::Second) => "[0-5][0-9]".into(),
        PatternPiece::Unit(Granularity::Millisecond) => "[0-9]{3}".into(),
        PatternPiece::Literal(c) if c.is_ascii_alphanumeric() || *c == '-' => c.to_string(),
        PatternPiece::Literal(c) => format!("\\x{{{:X}}}", u32::from(*c)),
    };
    format.printed().pieces().iter().map(piece).collect()
}

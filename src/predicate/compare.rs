//! Comparisons of a `Term` with a constant, as exact sets of field values.
//!
//! Every comparison is answered with the values for which it is true and those for which it is false; with a NULL
//! constant both are empty. An ordered comparison is a *cut*: the values not below the constant, and those above.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use chrono_tz::Tz;

use super::constant::{Constant, Decimal};
use super::like::{LikePattern, Rest};
use super::term::{Printed, ReadAs, View};
use super::values::ValueSet;
use crate::key::Value;
use crate::key::interval::{Interval, IntervalSet};
use crate::key::range::{KeyRange, key_successor, prefix_successor};
use crate::key::time_format::{Granularity, TimeFormat, parse_timestamp};
use crate::key::zone;
use crate::schema::model::{CalendarField, EpochField, Field, FieldKind, TextField};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// The comparison with its sides exchanged.
    pub fn flipped(self) -> Self {
        match self {
            Comparison::Equal => Comparison::Equal,
            Comparison::Less => Comparison::Greater,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        }
    }

    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Comparison::Equal => order.is_eq(),
            Comparison::Less => order.is_lt(),
            Comparison::LessOrEqual => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::GreaterOrEqual => order.is_ge(),
        }
    }
}

/// The values for which a condition is true, and for which it is false; the others give NULL.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub yes: ValueSet,
    pub no: ValueSet,
}

impl Outcome {
    fn two_valued(yes: ValueSet, kind: &FieldKind) -> Self {
        let no = yes.complement(kind);
        Outcome { yes, no }
    }

    fn unknown(kind: &FieldKind) -> Self {
        Outcome { yes: ValueSet::none(kind), no: ValueSet::none(kind) }
    }

    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Outcome { yes: self.yes.intersect(&other.yes), no: self.no.union(&other.no) }
    }

    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Outcome { yes: self.yes.union(&other.yes), no: self.no.intersect(&other.no) }
    }
}

/// Why a comparison has no exact set of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUsed(pub String);

fn not_used<T>(reason: impl Into<String>) -> Result<T, NotUsed> {
    Err(NotUsed(reason.into()))
}

/// Compares terms of one schema with constants and gathers warnings.
#[derive(Debug)]
pub struct Comparer<'a> {
    pub field: &'a Field,
    pub view: &'a View,
    pub time_zone: Option<Tz>,
    /// Remarks on constants that no value of the field can equal.
    pub warnings: Vec<String>,
}

impl Comparer<'_> {
    fn kind(&self) -> &FieldKind {
        &self.field.kind
    }

    pub fn compare(&mut self, comparison: Comparison, constant: &Constant) -> Result<Outcome, NotUsed> {
        if *constant == Constant::Null {
            return Ok(Outcome::unknown(self.kind()));
        }
        let field = self.field;
        match (&field.kind, self.view) {
            (FieldKind::Text(text), view) => self.text(text, view, comparison, constant),
            (FieldKind::Calendar(calendar), View::Whole) => {
                let cut = self.calendar_cut(calendar, constant)?;
                Ok(self.number_outcome(comparison, cut))
            }
            (FieldKind::Calendar(calendar), View::Prefix(count)) => {
                self.calendar_prefix(calendar, *count, comparison, constant)
            }
            (FieldKind::Integer(_), View::Whole) => match self.number(constant)? {
                Some(number) => {
                    let (position, exact) = number.ceiling();
                    Ok(self.number_outcome(comparison, Cut { position, exact }))
                }
                None => Ok(Outcome::unknown(self.kind())),
            },
            (FieldKind::Epoch(epoch), View::Whole) => {
                let cut = self.epoch_cut(epoch, constant)?;
                Ok(self.number_outcome(comparison, cut))
            }
            (_, View::Printed(printed)) => self.printed(printed, comparison, constant),
            (FieldKind::Calendar(calendar), View::Month | View::Day) => {
                self.cyclic(calendar, comparison, constant)
            }
            _ => not_used(format!("a function of `{}` has no range of its own", field.name)),
        }
    }

    pub fn like(&mut self, pattern: &LikePattern) -> Result<Outcome, NotUsed> {
        match pattern.rest {
            Rest::Nothing => return self.like_text(&pattern.prefix),
            Rest::Anything if pattern.prefix.is_empty() => {
                return Ok(Outcome::two_valued(ValueSet::all(self.kind()), self.kind()));
            }
            Rest::Anything => {}
            Rest::More => {
                let yes = pattern.suffix.as_deref().and_then(|suffix| self.like_suffix(suffix));
                return match yes {
                    Some(yes) => Ok(Outcome::two_valued(yes, self.kind())),
                    None => not_used("only the start of the pattern is fixed"),
                };
            }
        }
        self.like_prefix(&pattern.prefix).map(|yes| Outcome::two_valued(yes, self.kind())).ok_or_else(|| {
            NotUsed(format!("the values of `{}` are not stored in this order", self.field.name))
        })
    }

    /// `LIKE` without a wildcard: the text itself. Unlike `=` it knows no other spelling of a date or a number.
    fn like_text(&mut self, text: &str) -> Result<Outcome, NotUsed> {
        let field = self.field;
        match (&field.kind, self.view) {
            (FieldKind::Text(_), view) if *view != View::Digits => {
                self.compare(Comparison::Equal, &Constant::Text(text.to_string()))
            }
            (FieldKind::Calendar(calendar), View::Whole) => {
                let yes = calendar.format.parse_text(text).map_or_else(IntervalSet::empty, |ordinal| {
                    IntervalSet::range(ordinal.into(), Some(i128::from(ordinal) + 1))
                });
                Ok(Outcome::two_valued(ValueSet::numbers(&field.kind, &yes), &field.kind))
            }
            _ => not_used(format!("`{}` is not text", field.name)),
        }
    }

    /// The values that start with this text, where they are one range.
    pub fn like_prefix(&self, prefix: &str) -> Option<ValueSet> {
        match (&self.field.kind, self.view) {
            (FieldKind::Text(TextField { reverse: false, .. }), View::Whole)
            | (FieldKind::Text(TextField { reverse: true, .. }), View::Reversed) => Some(ValueSet::Text(
                IntervalSet::from_intervals(vec![KeyRange::prefix(prefix.as_bytes().to_vec())]),
            )),
            (FieldKind::Calendar(calendar), View::Whole) if calendar.format.sorts() => {
                let range = KeyRange::prefix(prefix.as_bytes().to_vec());
                Some(text_range_as_numbers(self.kind(), &calendar.format, &range))
            }
            _ => None,
        }
    }

    /// The values that end with this text, where they are one range: those of a field that is stored in reverse.
    fn like_suffix(&self, suffix: &str) -> Option<ValueSet> {
        let is_prefix_in_key = matches!(
            (&self.field.kind, self.view),
            (FieldKind::Text(TextField { reverse: true, .. }), View::Whole)
                | (FieldKind::Text(TextField { reverse: false, .. }), View::Reversed)
        );
        let prefix = KeyRange::prefix(reversed(suffix).into_bytes());
        is_prefix_in_key.then(|| ValueSet::Text(IntervalSet::from_intervals(vec![prefix])))
    }

    /// The outcome of a comparison with a cut of the field's own numbers.
    fn number_outcome(&self, comparison: Comparison, cut: Cut) -> Outcome {
        let kind = self.kind();
        let not_below = |position| ValueSet::numbers(kind, &IntervalSet::range(position, None));
        ordered(kind, comparison, cut, not_below)
    }

    /// A constant as a number; `None` where it is text that is none, so that the comparison gives NULL.
    fn number(&mut self, constant: &Constant) -> Result<Option<Decimal>, NotUsed> {
        match constant {
            Constant::Number(number) => Ok(Some(*number)),
            Constant::Text(text) => {
                let number = Decimal::parse(text.trim());
                if number.is_none() && looks_like_a_number(text) {
                    return not_used(format!("`{text}` has more digits than are computed with"));
                }
                if number.is_none() {
                    self.warnings.push(format!("`{text}` is not a number, the condition is true for no row"));
                }
                Ok(number)
            }
            _ => not_used(format!("`{}` is a number", self.field.name)),
        }
    }

    fn calendar_cut(&mut self, calendar: &CalendarField, constant: &Constant) -> Result<Cut, NotUsed> {
        let granularity = calendar.format.granularity();
        match constant {
            Constant::Date(date) => Ok(Cut::at(granularity, date.and_time(NaiveTime::MIN))),
            Constant::Timestamp(at) => Ok(Cut::at(granularity, *at)),
            _ => self.format_cut(&calendar.format, constant),
        }
    }

    /// The cut of a constant among the ordinals of a calendar field's format: its own text, an ISO date, or else
    /// the order of text.
    fn format_cut(&mut self, format: &TimeFormat, constant: &Constant) -> Result<Cut, NotUsed> {
        match constant {
            Constant::Text(text) => match parse_timestamp(text) {
                Some(at) if format.parse_text(text).is_none() => Ok(Cut::at(format.granularity(), at)),
                _ => self.text_cut(format, text),
            },
            Constant::Number(number) if format.is_digits() && format.sorts() => {
                Ok(self.digits_cut(format, *number))
            }
            Constant::Number(number) if format.is_digits() => {
                let (whole, true) = number.ceiling() else { return not_used("the number is not a date") };
                self.text_cut(format, &format!("{whole:0width$}", width = format.width()))
            }
            _ => not_used(format!("`{}` is a date, the constant is none", self.field.name)),
        }
    }

    /// The cut of a text among the texts of a format.
    fn text_cut(&mut self, format: &TimeFormat, text: &str) -> Result<Cut, NotUsed> {
        if let Some(ordinal) = format.parse_text(text) {
            return Ok(Cut { position: ordinal.into(), exact: true });
        }
        if !format.sorts() {
            return not_used(format!("`{text}` is not a date in the format `{}`", format.pattern()));
        }
        self.warn_no_date(text, format);
        Ok(Cut { position: format.first_not_below(text.as_bytes()).into(), exact: false })
    }

    /// The cut of a number among the texts of a format that prints only digits, read as numbers.
    fn digits_cut(&mut self, format: &TimeFormat, number: Decimal) -> Cut {
        let (ceiling, exact) = number.ceiling();
        let (first, last) = format.domain();
        let text = format!("{:0width$}", ceiling.max(0), width = format.width());
        if text.len() > format.width() {
            self.warn_no_date(&ceiling.to_string(), format);
            return Cut { position: i128::from(last) + 1, exact: false };
        }
        match format.parse_text(&text) {
            Some(ordinal) if ceiling > 0 => Cut { position: ordinal.into(), exact },
            _ => {
                self.warn_no_date(&ceiling.to_string(), format);
                let position = if ceiling <= 0 { first } else { format.first_not_below(text.as_bytes()) };
                Cut { position: position.into(), exact: false }
            }
        }
    }

    fn warn_no_date(&mut self, text: &str, format: &TimeFormat) {
        self.warnings.push(format!(
            "`{text}` is not a date in the format `{}`; it is compared in the order of the text",
            format.pattern()
        ));
    }

    fn calendar_prefix(
        &mut self,
        calendar: &CalendarField,
        count: usize,
        comparison: Comparison,
        constant: &Constant,
    ) -> Result<Outcome, NotUsed> {
        let text = match constant {
            Constant::Text(text) => text.clone(),
            Constant::Number(number) if calendar.format.is_digits() => {
                let width = count.min(calendar.format.width());
                match number.ceiling() {
                    (whole, true) if whole >= 0 => format!("{whole:0width$}"),
                    _ => return not_used("the constant is not the start of a date"),
                }
            }
            _ => return not_used("the constant is not the start of a date"),
        };
        if !calendar.format.sorts() {
            return not_used(format!("the format `{}` does not sort", calendar.format.pattern()));
        }
        let (not_below, above) = prefix_cut(&text, count);
        let numbers = |set: IntervalSet<Vec<u8>>| {
            let ranges = set
                .intervals()
                .iter()
                .map(|range| text_range_as_numbers(self.kind(), &calendar.format, range));
            ranges.fold(ValueSet::none(self.kind()), |all, range| all.union(&range))
        };
        Ok(from_cut_sets(self.kind(), comparison, numbers(not_below), numbers(above)))
    }

    fn epoch_cut(&mut self, epoch: &EpochField, constant: &Constant) -> Result<Cut, NotUsed> {
        let local = match constant {
            Constant::Number(number) => {
                let (position, exact) = number.ceiling();
                return Ok(Cut { position, exact });
            }
            Constant::Date(date) => date.and_time(NaiveTime::MIN),
            Constant::Timestamp(at) => *at,
            Constant::Text(text) => match (parse_timestamp(text), Decimal::parse(text.trim())) {
                (Some(at), _) => at,
                (None, Some(number)) => return self.epoch_cut(epoch, &Constant::Number(number)),
                (None, None) => return not_used(format!("`{text}` is neither a timestamp nor a number")),
            },
            _ => return not_used(format!("`{}` is a timestamp", self.field.name)),
        };
        let milliseconds = zone::instant(self.zone()?, local);
        let unit = epoch.unit.milliseconds();
        let position = epoch.unit.ceiling(milliseconds.into());
        Ok(Cut { position, exact: position * i128::from(unit) == i128::from(milliseconds) })
    }

    fn zone(&self) -> Result<Tz, NotUsed> {
        self.time_zone.ok_or_else(|| {
            NotUsed(format!(
                "`{}` is an instant, and the schema has no `time_zone` to show it in",
                self.field.name
            ))
        })
    }

    /// `date_format(f, …) op constant`, and what reads the printed date as a number or a date.
    fn printed(
        &mut self,
        printed: &Printed,
        comparison: Comparison,
        constant: &Constant,
    ) -> Result<Outcome, NotUsed> {
        let format = &printed.format;
        if !format.sorts() && comparison != Comparison::Equal {
            return not_used(format!("the format `{}` does not sort", format.pattern()));
        }
        let Some(cut) = self.printed_cut(printed, constant)? else {
            return Ok(Outcome::unknown(self.kind()));
        };
        let field = self.field;
        let time_zone = if matches!(field.kind, FieldKind::Epoch(_)) { Some(self.zone()?) } else { None };
        Ok(ordered(&field.kind, comparison, cut, |position| {
            match (local_start(format, position), &field.kind) {
                (Some(start), kind) => values_not_before(kind, time_zone, start, printed.towards_zero),
                (None, kind) => ValueSet::none(kind),
            }
        }))
    }

    /// The cut of a constant among printed dates; `None` where the comparison gives NULL.
    fn printed_cut(&mut self, printed: &Printed, constant: &Constant) -> Result<Option<Cut>, NotUsed> {
        let format = &printed.format;
        let is_iso = format.pattern() == "yyyy-MM-dd";
        match (printed.read_as, constant) {
            (ReadAs::Text, Constant::Text(text)) => self.text_cut(format, text).map(Some),
            (ReadAs::Date, Constant::Text(_)) => self.format_cut(format, constant).map(Some),
            (ReadAs::Text | ReadAs::Date, Constant::Date(date)) if is_iso => {
                Ok(Some(Cut::at(Granularity::Day, date.and_time(NaiveTime::MIN))))
            }
            (ReadAs::Text | ReadAs::Date, Constant::Timestamp(at)) if is_iso => {
                Ok(Some(Cut::at(Granularity::Day, *at)))
            }
            (ReadAs::Number, Constant::Number(_) | Constant::Text(_))
            | (ReadAs::Text, Constant::Number(_))
                if format.is_digits() && format.sorts() =>
            {
                Ok(self.number(constant)?.map(|number| self.digits_cut(format, number)))
            }
            _ => not_used(format!("the constant is no text in the format `{}`", format.pattern())),
        }
    }

    /// `month(f) op constant`, `day(f) op constant`: one interval a year, or a month.
    fn cyclic(
        &mut self,
        calendar: &CalendarField,
        comparison: Comparison,
        constant: &Constant,
    ) -> Result<Outcome, NotUsed> {
        let cycle = if *self.view == View::Month { Granularity::Month } else { Granularity::Day };
        if calendar.format.granularity() < cycle {
            return not_used(format!("`{}` is not stored that fine", self.field.name));
        }
        let Some(wanted) = self.number(constant)? else { return Ok(Outcome::unknown(self.kind())) };
        let holds = |number: &u32| {
            let (ceiling, exact) = wanted.ceiling();
            let order = i128::from(*number).cmp(&ceiling);
            // Between two integers, everything from the ceiling on is greater.
            comparison.holds(if exact || order.is_lt() { order } else { std::cmp::Ordering::Greater })
        };
        let units: Vec<NaiveDateTime> = match cycle {
            Granularity::Month => days(&(1..=12).filter(holds).collect::<Vec<_>>(), &[1]),
            _ => days(&(1..=12).collect::<Vec<_>>(), &(1..=31).filter(holds).collect::<Vec<_>>()),
        };
        let own = calendar.format.granularity();
        let yes = units.into_iter().filter_map(|start| {
            let next = cycle.start_of(cycle.ordinal_of(start) + 1)?;
            Some(Interval::new(i128::from(own.ordinal_of(start)), Some(i128::from(own.ordinal_of(next)))))
        });
        let yes = ValueSet::numbers(self.kind(), &IntervalSet::from_intervals(yes.collect()));
        Ok(Outcome::two_valued(yes, self.kind()))
    }

    fn text(
        &mut self,
        text: &TextField,
        view: &View,
        comparison: Comparison,
        constant: &Constant,
    ) -> Result<Outcome, NotUsed> {
        if *view == View::Digits {
            return match self.number(constant)? {
                Some(number) => self.digits(text, comparison, number),
                None => Ok(Outcome::unknown(self.kind())),
            };
        }
        let constant = match constant {
            Constant::Text(constant) => constant.clone(),
            Constant::Number(number) if *view == View::Whole => {
                return self.digits(text, comparison, *number);
            }
            Constant::Number(number) => {
                return not_used(format!(
                    "`{}` is text; write the constant in quotes: '{}'",
                    self.field.name, number.digits
                ));
            }
            _ => return not_used(format!("`{}` is text", self.field.name)),
        };
        match (view, comparison, text.reverse) {
            (View::Whole, Comparison::Equal, _) => Ok(self.equals(&constant)),
            (View::Whole, _, false) | (View::Reversed, _, true) => {
                let not_below = IntervalSet::range(constant.clone().into_bytes(), None);
                let above = IntervalSet::range(key_successor(constant.as_bytes()), None);
                Ok(from_cut_sets(self.kind(), comparison, ValueSet::Text(not_below), ValueSet::Text(above)))
            }
            (View::Reversed, Comparison::Equal, false) => Ok(self.equals(&reversed(&constant))),
            (View::Prefix(count), _, false) | (View::ReversedPrefix(count), _, true) => {
                let (not_below, above) = prefix_cut(&constant, *count);
                Ok(from_cut_sets(self.kind(), comparison, ValueSet::Text(not_below), ValueSet::Text(above)))
            }
            // A text shorter than `count` has no such suffix, and Hive answers with the empty text.
            (View::Suffix(count), Comparison::Equal, true) if constant.chars().count() == *count => {
                let (not_below, above) = prefix_cut(&reversed(&constant), *count);
                Ok(from_cut_sets(self.kind(), comparison, ValueSet::Text(not_below), ValueSet::Text(above)))
            }
            (View::Whole | View::Prefix(_), _, true) => not_used(format!(
                "`{}` is stored reversed: its order is not the order of the key",
                self.field.name
            )),
            _ => not_used(format!("only the start of `{}` makes a range of keys", self.field.name)),
        }
    }

    fn equals(&mut self, text: &str) -> Outcome {
        match self.kind().encode(&Value::Text(text.to_string())) {
            Ok(stored) => Outcome::two_valued(ValueSet::stored_text(stored), self.kind()),
            Err(reason) => {
                self.warnings.push(format!("no row has this value: {reason}"));
                Outcome::two_valued(ValueSet::none(self.kind()), self.kind())
            }
        }
    }

    /// A number against text of a fixed number of digits: the order of both is the same.
    fn digits(
        &mut self,
        text: &TextField,
        comparison: Comparison,
        number: Decimal,
    ) -> Result<Outcome, NotUsed> {
        let (ceiling, exact) = number.ceiling();
        let Some(width) = text.width.filter(|_| text.chars.is_digits()) else {
            return not_used(format!(
                "`{}` is text, compared with a number it is cast; write the constant in quotes: '{}'",
                self.field.name, number.digits
            ));
        };
        let padded = format!("{:0width$}", ceiling.max(0));
        let in_domain = ceiling >= 0 && padded.len() == width;
        if comparison == Comparison::Equal {
            return Ok(if exact && in_domain {
                self.equals(&padded)
            } else {
                self.warnings.push("no row has this value: it does not fit the declared width".to_string());
                Outcome::two_valued(ValueSet::none(self.kind()), self.kind())
            });
        }
        if text.reverse {
            return not_used(format!(
                "`{}` is stored reversed: its order is not the order of the key",
                self.field.name
            ));
        }
        let not_below = if ceiling <= 0 {
            IntervalSet::all()
        } else if in_domain {
            IntervalSet::range(padded.clone().into_bytes(), None)
        } else {
            IntervalSet::empty()
        };
        let above = if exact && in_domain {
            IntervalSet::range(key_successor(padded.as_bytes()), None)
        } else {
            not_below.clone()
        };
        Ok(from_cut_sets(self.kind(), comparison, ValueSet::Text(not_below), ValueSet::Text(above)))
    }
}

/// Where a constant stands among whole numbers: `position` is the first that is not below it.
#[derive(Debug, Clone, Copy)]
struct Cut {
    position: i128,
    /// Whether the constant is that number.
    exact: bool,
}

impl Cut {
    fn at(granularity: Granularity, at: NaiveDateTime) -> Self {
        let ordinal = granularity.ordinal_of(at);
        let exact = granularity.start_of(ordinal) == Some(at);
        Cut { position: i128::from(ordinal) + i128::from(!exact), exact }
    }
}

/// Whether a text is written like a number, of whatever size.
fn looks_like_a_number(text: &str) -> bool {
    let text = text.trim();
    text.contains(|c: char| c.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
}

fn local_start(format: &TimeFormat, ordinal: i128) -> Option<NaiveDateTime> {
    i64::try_from(ordinal).ok().and_then(|ordinal| format.granularity().start_of(ordinal))
}

/// The values of a calendar or epoch field whose local time is not before `start`.
fn values_not_before(
    kind: &FieldKind,
    time_zone: Option<Tz>,
    start: NaiveDateTime,
    towards_zero: bool,
) -> ValueSet {
    match (kind, time_zone) {
        (FieldKind::Calendar(calendar), _) => {
            let position = Cut::at(calendar.format.granularity(), start).position;
            ValueSet::numbers(kind, &IntervalSet::range(position, None))
        }
        (FieldKind::Epoch(epoch), Some(time_zone)) => {
            let instants = zone::instants_not_before(time_zone, start);
            let units = instants.map(|milliseconds| epoch.unit.ceiling(milliseconds));
            ValueSet::numbers(kind, &if towards_zero { cut_towards_zero(&units) } else { units })
        }
        _ => ValueSet::none(kind),
    }
}

/// Of milliseconds whose whole second, rounded down, lies in a set of whole seconds: those whose second lies in it
/// when rounded towards zero.
fn cut_towards_zero(milliseconds: &IntervalSet<i128>) -> IntervalSet<i128> {
    let negative = IntervalSet::range(i128::MIN, Some(0));
    let moved = milliseconds.map(|number| number.saturating_sub(999)).intersect(&negative);
    milliseconds.subtract(&negative).union(&moved)
}

fn ordered(
    kind: &FieldKind,
    comparison: Comparison,
    cut: Cut,
    not_below: impl Fn(i128) -> ValueSet,
) -> Outcome {
    let above = if cut.exact { cut.position.saturating_add(1) } else { cut.position };
    from_cut_sets(kind, comparison, not_below(cut.position), not_below(above))
}

fn from_cut_sets(kind: &FieldKind, comparison: Comparison, not_below: ValueSet, above: ValueSet) -> Outcome {
    let yes = match comparison {
        Comparison::Equal => not_below.intersect(&above.complement(kind)),
        Comparison::Less => not_below.complement(kind),
        Comparison::LessOrEqual => above.complement(kind),
        Comparison::Greater => above,
        Comparison::GreaterOrEqual => not_below,
    };
    Outcome::two_valued(yes, kind)
}

/// The texts whose first `count` characters are not below a constant, and those above it.
fn prefix_cut(constant: &str, count: usize) -> (IntervalSet<Vec<u8>>, IntervalSet<Vec<u8>>) {
    let from = |start: Option<Vec<u8>>| {
        start.map_or_else(IntervalSet::empty, |start| IntervalSet::range(start, None))
    };
    let after_prefix = |prefix: &str| from(prefix_successor(prefix.as_bytes()));
    let length = constant.chars().count();
    if length > count {
        // Even an equal start is shorter than the constant, and so below it.
        let start: String = constant.chars().take(count).collect();
        return (after_prefix(&start), after_prefix(&start));
    }
    let not_below = from(Some(constant.as_bytes().to_vec()));
    if length == count {
        (not_below, after_prefix(constant))
    } else {
        (not_below, from(Some(key_successor(constant.as_bytes()))))
    }
}

fn text_range_as_numbers(kind: &FieldKind, format: &TimeFormat, range: &KeyRange) -> ValueSet {
    let start = i128::from(format.first_not_below(&range.start));
    let stop = range.stop.as_ref().map(|stop| i128::from(format.first_not_below(stop)));
    ValueSet::numbers(kind, &IntervalSet::range(start, stop))
}

fn reversed(text: &str) -> String {
    text.chars().rev().collect()
}

/// These days of these months in every year from 1 to 9999, ascending.
fn days(months: &[u32], days: &[u32]) -> Vec<NaiveDateTime> {
    let mut found = Vec::new();
    for year in 1..=9999 {
        for (month, day) in months.iter().flat_map(|month| days.iter().map(move |day| (*month, *day))) {
            found.extend(NaiveDate::from_ymd_opt(year, month, day).map(NaiveDateTime::from));
        }
    }
    found
}

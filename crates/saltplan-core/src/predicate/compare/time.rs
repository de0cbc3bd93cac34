//! Dates, local times and instants, printed dates.

use chrono::{NaiveDateTime, NaiveTime};
use chrono_tz::Tz;

use super::text::prefix_cut;
use super::{
    Comparer, Comparison, NotUsed, Position, Truth, from_cut_sets, looks_like_a_number, not_used, ordered,
};
use crate::diag::counted;
use crate::key::interval::IntervalSet;
use crate::key::range::KeyRange;
use crate::key::time_format::{Granularity, TimeFormat, parse_timestamp};
use crate::key::zone;
use crate::predicate::constant::read_time;
use crate::predicate::constant::{Constant, Decimal};
use crate::predicate::term::{Printed, ReadAs};
use crate::predicate::values::ValueSet;
use crate::schema::model::{CalendarField, EpochField, FieldKind};

impl Comparer<'_> {
    pub(super) fn calendar_cut(
        &mut self,
        calendar: &CalendarField,
        constant: &Constant,
    ) -> Result<Position, NotUsed> {
        let granularity = calendar.format.granularity();
        match constant {
            Constant::Date(date) => Ok(Position::at(granularity, date.and_time(NaiveTime::MIN))),
            Constant::Timestamp(at) => Ok(Position::at(granularity, *at)),
            _ => self.format_cut(&calendar.format, constant),
        }
    }

    /// The cut of a constant among the ordinals of a calendar field's format: its own text, an ISO date, or else
    /// the order of text.
    fn format_cut(&mut self, format: &TimeFormat, constant: &Constant) -> Result<Position, NotUsed> {
        match constant {
            Constant::Text(text) => match parse_timestamp(text) {
                Some(at) if format.parse_text(text).is_none() => Ok(Position::at(format.granularity(), at)),
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
    fn text_cut(&mut self, format: &TimeFormat, text: &str) -> Result<Position, NotUsed> {
        if let Some(ordinal) = format.parse_text(text) {
            return Ok(Position { position: ordinal.into(), exact: true });
        }
        if !format.sorts() {
            return not_used(format!("`{text}` is not a date in the format `{}`", format.pattern()));
        }
        self.warn_no_date(text, format);
        Ok(Position { position: format.first_not_below(text.as_bytes()).into(), exact: false })
    }

    /// The cut of a number among the texts of a format that prints only digits, read as numbers.
    fn digits_cut(&mut self, format: &TimeFormat, number: Decimal) -> Position {
        let (ceiling, exact) = number.ceiling();
        let (first, last) = format.domain();
        let text = format!("{:0width$}", ceiling.max(0), width = format.width());
        if text.len() > format.width() {
            self.warn_no_date(&ceiling.to_string(), format);
            return Position { position: i128::from(last) + 1, exact: false };
        }
        match format.parse_text(&text) {
            Some(ordinal) if ceiling > 0 => {
                self.reject_short_year(ceiling, format);
                Position { position: ordinal.into(), exact }
            }
            _ => {
                self.warn_no_date(&ceiling.to_string(), format);
                let position = if ceiling <= 0 { first } else { format.first_not_below(text.as_bytes()) };
                Position { position: position.into(), exact: false }
            }
        }
    }

    /// `200406` for `yyyyMMdd`: as a number it is a day of the year 20, and hardly meant so.
    fn reject_short_year(&mut self, number: i128, format: &TimeFormat) {
        let digits = number.to_string();
        // A year alone is a number as people say it.
        if digits.len() >= format.width() || format.granularity() == Granularity::Year {
            return;
        }
        let full = format!("20{digits}");
        let meant = format.parse_text(&full).map_or_else(
            || format!("write `'{digits:0>width$}'` if it is meant", width = format.width()),
            |_| format!("did you mean `{full}`?"),
        );
        self.rejected.push(format!(
            "`{digits}` has {}, `{}` has {}: {meant}",
            counted(digits.len() as u128, "digit", "digits"),
            format.pattern(),
            format.width()
        ));
    }

    fn warn_no_date(&mut self, text: &str, format: &TimeFormat) {
        self.warnings.push(format!(
            "`{text}` is not a date in the format `{}`; it is compared in the order of the text",
            format.pattern()
        ));
    }

    pub(super) fn calendar_prefix(
        &mut self,
        calendar: &CalendarField,
        count: usize,
        comparison: Comparison,
        constant: &Constant,
    ) -> Result<Truth, NotUsed> {
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

    /// The cut of a constant among instants; `None` where it is text that is neither a time nor a number.
    pub(super) fn epoch_cut(
        &mut self,
        epoch: &EpochField,
        constant: &Constant,
    ) -> Result<Option<Position>, NotUsed> {
        let local = match constant {
            Constant::Number(number) => {
                let (position, exact) = number.ceiling();
                return Ok(Some(Position { position, exact }));
            }
            Constant::Date(date) => date.and_time(NaiveTime::MIN),
            Constant::Timestamp(at) => *at,
            Constant::Text(text) => match parse_timestamp(text) {
                Some(at) => at,
                None if looks_like_a_number(text) => {
                    let number = self.number(constant)?;
                    return number
                        .map_or(Ok(None), |number| self.epoch_cut(epoch, &Constant::Number(number)));
                }
                None => {
                    self.warnings.push(format!(
                        "`{text}` is neither a time nor a number, the condition is true for no row"
                    ));
                    return Ok(None);
                }
            },
            _ => return not_used(format!("`{}` is a timestamp", self.field.name)),
        };
        let milliseconds = zone::instant(self.zone()?, local);
        let unit = epoch.unit.milliseconds();
        let position = epoch.unit.ceiling(milliseconds.into());
        Ok(Some(Position { position, exact: position * i128::from(unit) == i128::from(milliseconds) }))
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
    pub(super) fn printed(
        &mut self,
        printed: &Printed,
        comparison: Comparison,
        constant: &Constant,
    ) -> Result<Truth, NotUsed> {
        let format = &printed.format;
        if !format.sorts() && comparison != Comparison::Equal {
            return not_used(format!("the format `{}` does not sort", format.pattern()));
        }
        let Some(cut) = self.printed_cut(printed, constant)? else {
            return Ok(Truth::unknown(self.kind()));
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
    fn printed_cut(&mut self, printed: &Printed, constant: &Constant) -> Result<Option<Position>, NotUsed> {
        let format = &printed.format;
        let is_iso = format.pattern() == "yyyy-MM-dd";
        match (printed.read_as, constant) {
            (ReadAs::Text, Constant::Text(text)) => self.text_cut(format, text).map(Some),
            // Hive casts the text to a date.
            (ReadAs::Date, Constant::Text(text)) => match read_time(text.trim()) {
                Some(Some(at)) => {
                    Ok(Some(Position::at(Granularity::Day, at.date().and_time(NaiveTime::MIN))))
                }
                Some(None) => {
                    self.warnings.push(format!("`{text}` is not a date, the condition is true for no row"));
                    Ok(None)
                }
                None => not_used(format!("`{text}` is not a date that all Hives read alike")),
            },
            (ReadAs::Text | ReadAs::Date, Constant::Date(date)) if is_iso => {
                Ok(Some(Position::at(Granularity::Day, date.and_time(NaiveTime::MIN))))
            }
            (ReadAs::Text | ReadAs::Date, Constant::Timestamp(at)) if is_iso => {
                Ok(Some(Position::at(Granularity::Day, *at)))
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
            let position = Position::at(calendar.format.granularity(), start).position;
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

pub(super) fn text_range_as_numbers(kind: &FieldKind, format: &TimeFormat, range: &KeyRange) -> ValueSet {
    let start = i128::from(format.first_not_below(&range.start));
    let stop = range.stop.as_ref().map(|stop| i128::from(format.first_not_below(stop)));
    ValueSet::numbers(kind, &IntervalSet::range(start, stop))
}

//! Dates and local times that are stored as text.

use chrono::{NaiveDateTime, NaiveTime};

use super::cut::{Position, from_cut_sets};
use super::date_text::{digits_cut, meant_date, text_cut};
use super::text::prefix_cut;
use super::truth::{Comparison, NotUsed, Truth, not_used};
use super::{Compared, Comparer};
use crate::analyze::constant::Constant;
use crate::analyze::values::ValueSet;
use crate::key::field::{CalendarField, CalendarType, Field, FieldKind};
use crate::key::interval::IntervalSet;
use crate::key::range::KeyRange;
use saltplan_sql::time::format::{ISO_DAY, TimeFormat, parse_timestamp};
use saltplan_sql::time::pattern::Granularity;

/// Why a local time cannot be compared with a DATE. Hive casts a string to DATE then, while this field would be compared with its time of
/// day. Hive reads no other texts than ISO ones as dates.
pub fn day_fault(field: &Field, calendar: &CalendarField) -> Option<String> {
    let is_cast = calendar.hive_type == CalendarType::String
        && calendar.format.granularity() > Granularity::Day
        && calendar.format.pattern().starts_with(ISO_DAY);
    let name = &field.name;
    is_cast.then(|| {
        format!(
            "Hive casts the string `{name}` to DATE where it is compared with a DATE: write `to_date({name})`"
        )
    })
}

/// Why a text cannot be compared with a calendar field: as the start of a date it means one thing, for Hive, which compares no texts
/// with a field of this type, another.
pub fn text_fault(field: &Field, calendar: &CalendarField, text: &str) -> Option<String> {
    let format = &calendar.format;
    if format.parse_text(text).is_some() {
        return None;
    }
    if let Some(at) = parse_timestamp(text) {
        return time_fault(field, calendar, text, at);
    }
    let (name, hive_type) = (&field.name, calendar.hive_type.name());
    let reading = match calendar.hive_type {
        CalendarType::String => return None,
        _ if text.trim().is_empty() => {
            return Some(format!("an empty text is no value of `{name}`: give a date"));
        }
        CalendarType::Int | CalendarType::Bigint => match text.parse::<i128>() {
            // Numbers of one width have the order of their texts.
            Ok(_) if text.len() == format.width() => return None,
            Ok(number) => format!("the number {number}"),
            Err(_) => "NULL".into(),
        },
        CalendarType::Date | CalendarType::Timestamp => "NULL".into(),
    };
    let first = || format.format(format.first_not_below(text.as_bytes()));
    let first = if format.sorts() { first() } else { None };
    let remedy = match first.filter(|first| first.starts_with(text)) {
        Some(first) => format!(", not the start of a date: write `{first}`, or declare `hive_type: string`"),
        None => match meant_date(text) {
            Some(date) => format!(": did you mean '{date}'?"),
            None => ": write a date".into(),
        },
    };
    Some(format!("for Hive `{name}` is of type {hive_type}, and '{text}' beside it is {reading}{remedy}"))
}

/// Why a text with a date and a time of day, or blanks, cannot be compared with a date. Compared with a DATE, Hive drops the time of day,
/// or in a list refuses the text, depending on its version. Compared with a string, every character counts.
fn time_fault(field: &Field, calendar: &CalendarField, text: &str, at: NaiveDateTime) -> Option<String> {
    let (name, day) = (&field.name, at.date());
    if text == day.to_string() {
        return None;
    }
    match calendar.hive_type {
        CalendarType::Date => {
            Some(format!("Hive compares the DATE `{name}` only with the day of '{text}': write '{day}'"))
        }
        CalendarType::String if calendar.format.pattern() == ISO_DAY => {
            Some(format!("Hive compares the string `{name}` with all characters of '{text}': write '{day}'"))
        }
        _ => None,
    }
}

impl Comparer<'_> {
    /// The cut of a constant among the ordinals of a calendar field.
    pub(super) fn calendar_cut(
        &mut self,
        calendar: &CalendarField,
        (comparison, constant): Compared<'_>,
    ) -> Result<Position, NotUsed> {
        let granularity = calendar.format.granularity();
        // With `<` and `>=` the time of day does not matter.
        let is_of_days = matches!(comparison, Comparison::Less | Comparison::GreaterOrEqual);
        let fault = match constant {
            Constant::Date(_) if !is_of_days => day_fault(self.field, calendar),
            Constant::Text(text) => text_fault(self.field, calendar, text),
            _ => None,
        };
        if let Some(fault) = fault {
            self.remarks.rejected.push(fault);
            return not_used(format!("Hive compares `{}` in another way", self.field.name));
        }
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
                _ => text_cut(format, text, &mut self.remarks),
            },
            Constant::Number(number) if format.is_digits() && format.sorts() => {
                Ok(digits_cut(format, *number, &mut self.remarks))
            }
            Constant::Number(number) if format.is_digits() => {
                let (whole, true) = number.ceiling() else { return not_used("the number is not a date") };
                let text = format!("{whole:0width$}", width = format.width());
                text_cut(format, &text, &mut self.remarks)
            }
            _ => not_used(format!("`{}` is a date, the constant is none", self.field.name)),
        }
    }

    /// The first characters of a date's text, compared with a constant.
    pub(super) fn calendar_prefix(
        &self,
        calendar: &CalendarField,
        count: usize,
        (comparison, constant): Compared<'_>,
    ) -> Result<Truth, NotUsed> {
        let text = match constant {
            Constant::Text(text) => text.clone(),
            Constant::Number(number) if calendar.format.is_digits() => {
                let width = count.min(calendar.format.width());
                match number.ceiling() {
                    // Hive compares numbers. They have the order of their texts only if none is longer.
                    (whole, true) if whole >= 0 && whole.to_string().len() <= width => {
                        format!("{whole:0width$}")
                    }
                    _ => return not_used("the constant is not the start of a date"),
                }
            }
            _ => return not_used("the constant is not the start of a date"),
        };
        if !calendar.format.sorts() {
            return not_used(format!("the format `{}` does not sort", calendar.format.pattern()));
        }
        let kind = self.kind();
        let (not_below, above) = prefix_cut(&text, count);
        let numbers = |set: IntervalSet<Vec<u8>>| {
            let ranges =
                set.intervals().iter().map(|range| text_range_as_numbers(kind, &calendar.format, range));
            ranges.fold(ValueSet::none(kind), |all, range| all.union(&range))
        };
        Ok(from_cut_sets(kind, comparison, numbers(not_below), numbers(above)))
    }
}

/// The numbers of the dates whose texts lie in a range.
pub(super) fn text_range_as_numbers(kind: &FieldKind, format: &TimeFormat, range: &KeyRange) -> ValueSet {
    let start = i128::from(format.first_not_below(&range.start));
    let stop = range.stop.as_ref().map(|stop| i128::from(format.first_not_below(stop)));
    ValueSet::numbers(kind, &IntervalSet::range(start, stop))
}

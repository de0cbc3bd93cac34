//! Values that are filled in when the statement runs, as expressions of what the key stores.

use chrono::{DateTime, NaiveDate, NaiveDateTime};

use super::{Filled, after};
use crate::analyze::runtime::{DAY, RuntimeValue, has_time_of_day, is_number_of_instant};
use crate::hive::date::{iso_place, iso_text, printed};
use crate::hive::field::written as written_number;
use crate::hive::instant::{FilledDay, FilledHour, instant_in_text, instant_of_day, instant_of_hour};
use crate::hive::salt;
use crate::key::field::{Field, FieldKind, FieldVec};
use crate::key::number::{NumberForm, Order, StoredBits, StoredNumber};
use crate::plan::RuntimeSalt;
use crate::refusal::Refusal;
use saltplan_sql::ast::{BinaryOperator, Expr};
use saltplan_sql::functions::{ADD_MONTHS, CONCAT, DATE_ADD, HEX, PRINTF, REGEXP_REPLACE, REVERSE};
use saltplan_sql::hive_type::Type;
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};
use saltplan_sql::time::pattern::{Granularity, PatternPiece, TimePattern};

/// A value and a number of units that is added to it.
#[derive(Clone, Copy)]
pub struct Shifted<'a> {
    pub value: &'a RuntimeValue,
    pub by: i64,
}

impl Filled<'_> {
    /// The bounds of times or numbers in the order of the stored bytes, which is reversed for descending fields.
    pub fn in_order<'v>(
        self,
        from: Option<&'v RuntimeValue>,
        until: Option<&'v RuntimeValue>,
    ) -> (Option<Shifted<'v>>, Option<Shifted<'v>>) {
        let is_falling = self.field.kind.number().is_some_and(|number| number.order() == Order::Falling);
        let shifted = |value: Option<&'v RuntimeValue>, by| value.map(|value| Shifted { value, by });
        if is_falling {
            (shifted(until, -1), shifted(from, -1))
        } else {
            (shifted(from, 0), shifted(until, 0))
        }
    }

    /// Whether a value is filled in as the field stores it, apart from the time of day.
    pub fn is_given(self, value: &RuntimeValue) -> bool {
        match &self.field.kind {
            FieldKind::Calendar(calendar) if has_time_of_day(self.field) && !self.is_of_hour(value) => {
                value.moved == 0 && value.given.format() == calendar.format.down_to(Granularity::Day).as_ref()
            }
            FieldKind::Calendar(calendar) => {
                value.moved == 0 && value.given.format().is_none_or(|format| *format == calendar.format)
            }
            FieldKind::Text(text) => !text.reverse,
            FieldKind::Integer(_) | FieldKind::Epoch(_) => false,
        }
    }

    /// Whether the value tells the hour, too.
    pub fn is_of_hour(self, value: &RuntimeValue) -> bool {
        value.given.format().is_some_and(|format| format.granularity() > Granularity::Day)
    }

    /// The stored text of a value after its day.
    pub fn time_of_day(self, value: &RuntimeValue) -> String {
        if self.is_of_hour(value) {
            return String::new();
        }
        let FieldKind::Calendar(calendar) = &self.field.kind else { return String::new() };
        let Some(day) = calendar.format.down_to(Granularity::Day).filter(|_| has_time_of_day(self.field))
        else {
            return String::new();
        };
        let at = DateTime::from_timestamp_millis(value.time).unwrap_or_default().naive_utc();
        let characters = day.printed().format(at).chars().count();
        calendar.format.printed().format(at).chars().skip(characters).collect()
    }

    /// A value as the field stores it, with its time of day: a text, or the hex digits of a binary number.
    pub fn stored(self, value: &RuntimeValue) -> Expr {
        self.shifted(Shifted { value, by: 0 })
    }

    pub fn shifted(self, Shifted { value, by }: Shifted<'_>) -> Expr {
        if let Some((number, form)) = self.number(value, by) {
            return match form.stored() {
                StoredNumber::Digits { .. } => written_number(&number, form),
                StoredNumber::Bits(bits) => hex_of_bits(&number, bits),
            };
        }
        let time = self.time_of_day(value);
        if self.is_given(value) {
            return literal("", value, &time);
        }
        let day = match &self.field.kind {
            FieldKind::Calendar(calendar) if has_time_of_day(self.field) && !self.is_of_hour(value) => {
                calendar.format.down_to(Granularity::Day).map(|format| written(&self.iso(value), &format))
            }
            FieldKind::Calendar(calendar) => Some(written(&self.iso(value), &calendar.format)),
            FieldKind::Text(text) if text.reverse => Some(Expr::call(&REVERSE, [literal("", value, "")])),
            _ => None,
        };
        let day = day.unwrap_or_else(|| literal("", value, ""));
        if time.is_empty() { day } else { Expr::concatenated(vec![day, Expr::text(time)]) }
    }

    /// The hex digits of a result of [`Filled::stored`].
    pub fn hex(self, stored: Expr) -> Expr {
        if self.field.kind.is_text_in_key() { Expr::call(&HEX, [stored]) } else { stored }
    }

    /// A value plus `later` units as a number, for fields that store numbers.
    pub fn number(&self, value: &RuntimeValue, later: i64) -> Option<(Expr, &NumberForm)> {
        if let Some(form) = self.form_of_number(value) {
            let number = literal("", value, "").cast(Type::BigInt);
            return Some((plus(&number, value.moved + later), form));
        }
        match &self.field.kind {
            FieldKind::Epoch(epoch) => {
                let text = literal("", value, "");
                if value.given.is_instant() {
                    let milliseconds = value.moved * DAY + value.time;
                    let later = later + milliseconds / epoch.unit.milliseconds();
                    return Some((instant_in_text(&text, epoch.unit, later), &epoch.number));
                }
                let (clock, given) = (self.condition.clock.as_ref()?, self.given(value)?);
                let iso = iso_text(given, &text);
                let sorts = given.sorts();
                let show = |day: NaiveDate| match sorts {
                    true => given.format_local(day.into()),
                    false => day.to_string(),
                };
                let shown = if sorts { &text } else { &iso };
                let (moved, time) = (value.moved, value.time);
                let day = FilledDay { shown, show: &show, iso: &iso, moved, time };
                Some((instant_of_day(clock, &day, epoch.unit, later), &epoch.number))
            }
            FieldKind::Text(_) | FieldKind::Calendar(_) | FieldKind::Integer(_) => None,
        }
    }

    /// How the field stores a value that is filled in as a number.
    pub fn form_of_number(&self, value: &RuntimeValue) -> Option<&NumberForm> {
        match &self.field.kind {
            FieldKind::Integer(form) => Some(form),
            FieldKind::Epoch(epoch) if is_number_of_instant(&value.given) => Some(&epoch.number),
            _ => None,
        }
    }

    /// The format in which the day of a value is filled in.
    pub fn given<'f>(&'f self, value: &'f RuntimeValue) -> Option<&'f TimeFormat> {
        match &self.field.kind {
            FieldKind::Calendar(calendar) => Some(value.given.format().unwrap_or(&calendar.format)),
            _ => value.given.format(),
        }
    }

    /// The day of a value as `yyyy-MM-dd`, moved by the value's number of days or months.
    pub fn iso(self, value: &RuntimeValue) -> Expr {
        let text = literal("", value, "");
        let Some(given) = self.given(value) else { return text };
        moved(&iso_text(given, &text), given.granularity(), value.moved)
    }

    /// The first instant of an hour and that of the next one, as the field stores them, in the order of the stored bytes.
    pub fn instants_within(&self, value: &RuntimeValue) -> Option<(Expr, Expr)> {
        let FieldKind::Epoch(epoch) = &self.field.kind else { return None };
        let (clock, given) = (self.condition.clock.as_ref()?, self.given(value)?);
        let text = literal("", value, "");
        let iso = iso_text(given, &text);
        let shows = given.sorts();
        let show = |hour: NaiveDateTime| match shows {
            true => given.format_local(hour),
            false => hour.format("%F %T").to_string(),
        };
        let shown = if shows { &text } else { &iso };
        let hour = FilledHour { shown, show: &show, iso: &iso };
        let form = &epoch.number;
        let stored = |hours: i64, later: i64| {
            let number = instant_of_hour(clock, &hour, hours, epoch.unit, later);
            match form.stored() {
                StoredNumber::Digits { .. } => written_number(&number, form),
                StoredNumber::Bits(bits) => hex_of_bits(&number, bits),
            }
        };
        Some(match form.order() {
            Order::Falling => (stored(1, -1), stored(0, -1)),
            _ => (stored(0, 0), stored(1, 0)),
        })
    }

    /// The common prefix of the times within a unit, and the first character that cannot follow it.
    pub fn within(self, value: &RuntimeValue, unit: Granularity) -> (Expr, char) {
        let FieldKind::Calendar(calendar) = &self.field.kind else { return (literal("", value, ""), ':') };
        let start = calendar.format.down_to(unit);
        let next = start.as_ref().and_then(|start| {
            calendar.format.printed().pieces().get(start.printed().pieces().len()).copied()
        });
        let next = match next {
            Some(PatternPiece::Literal(c)) => after(c),
            _ => ':',
        };
        let text = match (start, self.given(value)) {
            (Some(start), Some(given)) if value.moved == 0 && start == *given => literal("", value, ""),
            (Some(start), Some(given)) if value.moved == 0 && given.continues(&start) => {
                literal("", value, "").substr(1, start.printed().characters())
            }
            (Some(start), _) => written(&self.iso(value), &start),
            (None, _) => literal("", value, ""),
        };
        (text, next)
    }

    /// The salt of a value and its separator as text, and the conditions under which it is right.
    pub fn salt_of(
        self,
        value: &RuntimeValue,
        known: &RuntimeSalt,
    ) -> Result<Option<(Expr, Vec<Expr>)>, Refusal> {
        let key = &self.schema.key;
        let Some(salt) = &key.salt else { return Ok(None) };
        let texts: Vec<Expr> = key
            .fields
            .ids()
            .map(|id| match known.get(&id) {
                Some(text) => Expr::text(text),
                None => self.stored(value),
            })
            .collect();
        let found = salt::salt(self.schema, salt, &FieldVec::from(texts))?;
        let separator = salt::separator(&salt.separator)?;
        let parts = std::iter::once(found.expression).chain(separator).collect();
        let exact_if = found.exact_if.into_iter().map(|check| check.condition).collect();
        Ok(Some((Expr::concatenated(parts), exact_if)))
    }
}

fn plus(number: &Expr, by: i64) -> Expr {
    if by == 0 { number.clone() } else { number.binary(BinaryOperator::Plus, &Expr::number(by)) }
}

/// The bytes of a number that is not negative, as hex digits.
fn hex_of_bits(number: &Expr, bits: StoredBits) -> Expr {
    let digits = bits.bytes * 2;
    let hex = |number: Expr| Expr::call(&PRINTF, [Expr::text("%016X"), number]);
    // Hive has no literal for the sign bit; the first hex digit of an instant is 0.
    if bits.inverted == 1 << 63 {
        return Expr::call(&CONCAT, [Expr::text("8"), hex(number.clone()).substr_from(Expr::number(2))]);
    }
    let stored = match bits.inverted {
        0 => number.clone(),
        inverted => number.binary(BinaryOperator::BitwiseXor, &Expr::number(inverted.cast_signed())),
    };
    if digits == 16 { hex(stored) } else { hex(stored).substr_from(Expr::number(17 - digits)) }
}

/// The value as it is filled in, if the field stores it like that.
pub fn as_stored(field: &Field, value: &RuntimeValue) -> Option<Expr> {
    let is_same = match &field.kind {
        FieldKind::Calendar(calendar) => value.given.format().is_none_or(|format| *format == calendar.format),
        FieldKind::Text(_) | FieldKind::Integer(_) => true,
        FieldKind::Epoch(_) => false,
    };
    (value.moved == 0 && is_same).then(|| literal("", value, ""))
}

/// The value, or a part of it, as it is filled in, and its text, if a pattern prints it like that.
pub fn as_printed(field: &Field, value: &RuntimeValue, pattern: &TimePattern) -> Option<(Expr, String)> {
    let mut parts = value.parts.iter().filter(|_| value.moved == 0 && value.time == 0);
    if let Some(part) = parts.find(|part| part.pattern.pieces() == pattern.pieces()) {
        let text = part.given.text();
        return Some((Expr::later(&part.given), text.to_string()));
    }
    let given = match &field.kind {
        FieldKind::Calendar(calendar) => value.given.format().unwrap_or(&calendar.format),
        _ => value.given.format()?,
    };
    let is_printed = value.moved == 0 && value.time == 0 && given.printed() == pattern;
    is_printed.then(|| (literal("", value, ""), value.given.text().to_string()))
}

/// A text with a value that is filled in. It is one literal if only letters and digits are around the value: other characters could
/// be read as a part of the placeholder.
pub fn literal(before: &str, value: &RuntimeValue, behind: &str) -> Expr {
    let is_plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric());
    if is_plain(before) && is_plain(behind) && !value.given.is_expression() {
        return Expr::filled_in(before, value.given.text(), behind);
    }
    let text = |part: &str| (!part.is_empty()).then(|| Expr::text(part));
    let parts = [text(before), Some(Expr::later(&value.given)), text(behind)];
    Expr::concatenated(parts.into_iter().flatten().collect())
}

/// A day `yyyy-MM-dd` moved by days or months; NULL if the text is not a day. An hour, `yyyy-MM-dd HH:00:00`, is not moved.
pub fn moved(iso: &Expr, unit: Granularity, by: i64) -> Expr {
    match unit {
        unit if unit > Granularity::Day => {
            let day = Expr::call(&DATE_ADD, [iso.substr(1, 10), Expr::number(0)]).cast(Type::String);
            Expr::concatenated(vec![day, iso.substr_from(Expr::number(11))])
        }
        Granularity::Month => Expr::call(&ADD_MONTHS, [iso.clone(), Expr::number(by)]),
        _ => Expr::call(&DATE_ADD, [iso.clone(), Expr::number(by)]).cast(Type::String),
    }
}

/// A day `yyyy-MM-dd` in a format.
pub fn written(iso: &Expr, format: &TimeFormat) -> Expr {
    if format.pattern() == ISO_DAY {
        return iso.clone();
    }
    if format.is_digits() {
        let digits = match format.granularity() {
            Granularity::Year => return iso.substr(Expr::number(1), Expr::number(4)),
            Granularity::Month => iso.substr(Expr::number(1), Expr::number(7)),
            Granularity::Hour => iso.substr(Expr::number(1), Expr::number(13)),
            Granularity::Minute => iso.substr(Expr::number(1), Expr::number(16)),
            _ => iso.clone(),
        };
        let signs = if format.granularity() > Granularity::Day { "[- :.]" } else { "-" };
        return Expr::call(&REGEXP_REPLACE, [digits, Expr::text(signs), Expr::text("")]);
    }
    printed(format.printed(), |unit| {
        let (start, width) = iso_place(unit);
        iso.substr(start, width)
    })
}

//! Casts of constants, and texts read as dates and numbers in the way of every Hive.

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime};

use crate::ast::Type;
use crate::time::format::{parse_timestamp, without_leap_second};
use crate::value::{Constant, Decimal, IntegerSize, NumberType, Typed};

/// `DATE '…'` and `TIMESTAMP '…'`; `None` for texts that versions of Hive read differently, such as the 31st of February.
pub fn typed_text(text: &str, of: Type) -> Option<Constant> {
    match (parse_timestamp(text), of) {
        (Some(at), _) if is_skipped(at.date()) => None,
        (Some(at), Type::Date) => Some(Constant::Date(at.date())),
        (Some(at), Type::Timestamp) => Some(Constant::Timestamp(at)),
        _ => cast(Typed::plain(Constant::Text(text.to_string())), of).map(|typed| typed.constant),
    }
}

/// A value as another type, the same in every Hive; `None` where it is not computed here.
pub fn cast(value: Typed, to: Type) -> Option<Typed> {
    let of = value.of;
    if let Some(size) = size_of(to) {
        return to_whole(value, NumberType::Whole(size));
    }
    let plain = |constant| Some(Typed::plain(constant));
    match (to, value.constant) {
        (_, Constant::Null) => plain(Constant::Null),
        (Type::Date, Constant::Text(text)) => {
            plain(read_time(text.trim())?.map_or(Constant::Null, |at| Constant::Date(at.date())))
        }
        (Type::Date, Constant::Timestamp(at)) => plain(Constant::Date(at.date())),
        (Type::Date, date @ Constant::Date(_)) => plain(date),
        (Type::Timestamp, Constant::Text(text)) => {
            plain(read_time(text.trim())?.map_or(Constant::Null, Constant::Timestamp))
        }
        (Type::Timestamp, Constant::Date(date)) => plain(Constant::Timestamp(date.and_time(NaiveTime::MIN))),
        (Type::Timestamp, at @ Constant::Timestamp(_)) => plain(at),
        (Type::String, constant) => plain(Constant::Text(text_of(&Typed { constant, of })?)),
        (Type::Varchar(length), constant) => {
            let text = text_of(&Typed { constant, of })?;
            let length = usize::try_from(length).ok()?;
            // Hive counts UTF-16 units or characters, by version.
            text.is_ascii().then(|| Typed::plain(Constant::Text(text.chars().take(length).collect())))
        }
        (Type::Double, Constant::Number(number)) => Typed::number(number, NumberType::Double),
        (Type::Double, Constant::Text(text)) => {
            Typed::number(Decimal::parse(text.trim())?, NumberType::Double)
        }
        _ => None,
    }
}

/// The size of whole numbers of a type.
pub fn size_of(of: Type) -> Option<IntegerSize> {
    match of {
        Type::TinyInt => Some(IntegerSize::Tinyint),
        Type::SmallInt => Some(IntegerSize::Smallint),
        Type::Int => Some(IntegerSize::Int),
        Type::BigInt => Some(IntegerSize::Bigint),
        _ => None,
    }
}

/// Casts to whole numbers cut towards zero. Hive evaluates a cast of a number with a fraction, because version 3 compares with the
/// uncut number. A value that does not fit becomes another number, or NULL if it was a text.
fn to_whole(value: Typed, to: NumberType) -> Option<Typed> {
    let whole = |number: Decimal| Some(Decimal::integer(number.digits / 10_i128.checked_pow(number.scale)?));
    match value.constant {
        Constant::Null => Some(Typed::plain(Constant::Null)),
        Constant::Number(number) if number.reduced().scale > 0 => None,
        Constant::Number(number) => Typed::number(number, to),
        // Hive 2 takes no blanks.
        Constant::Text(text) if text.trim() != text => None,
        Constant::Text(text) => {
            let number = plain_number(&text).and_then(whole).filter(|number| to.holds(*number));
            number.map_or_else(|| Some(Typed::plain(Constant::Null)), |number| Typed::number(number, to))
        }
        _ => None,
    }
}

/// A number without an exponent.
fn plain_number(text: &str) -> Option<Decimal> {
    if text.contains(['e', 'E']) { None } else { Decimal::parse(text) }
}

/// A value as Hive casts it to a string; `None` where versions differ.
pub fn text_of(value: &Typed) -> Option<String> {
    match &value.constant {
        Constant::Text(text) => Some(text.clone()),
        Constant::Number(number) if value.of != NumberType::Double => Some(number.to_string()),
        Constant::Date(date) => Some(date.to_string()),
        Constant::Timestamp(at) => {
            let text = at.format("%Y-%m-%d %H:%M:%S%.f").to_string();
            Some(if text.contains('.') { text.trim_end_matches('0').to_string() } else { text })
        }
        _ => None,
    }
}

/// A text that Hive reads as a date with or without a time: `Some(None)` if it is NULL in every version, `None` if versions
/// differ or continue into the next month, as from the 31st of February to the 2nd of March.
pub fn read_time(text: &str) -> Option<Option<NaiveDateTime>> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Hive reads a day behind blanks.
    if text.starts_with(|c: char| c <= ' ' || c.is_whitespace()) {
        return None;
    }
    let parts: Vec<&str> = text.splitn(3, '-').collect();
    let [year, month, rest] = parts.as_slice() else {
        // A text without two hyphens is not a date, so it has no zone and no sign.
        return (!text.contains('-')).then_some(None).or_else(|| digits(parts[0]).then_some(None));
    };
    if !digits(year) || !digits(month) || !rest.starts_with(|c: char| c.is_ascii_digit()) {
        let is_signed = text.starts_with(['-', '+']);
        return (!is_signed).then_some(None);
    }
    let (day, time) = rest.split_once(' ').map_or((*rest, None), |(day, time)| (day, Some(time)));
    if !digits(day) || year.len() != 4 || month.len() > 2 || day.len() > 2 {
        return None;
    }
    let date = NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)?;
    if is_skipped(date) {
        return None;
    }
    let time = match time {
        None => NaiveTime::MIN,
        Some(time) if time.split('.').next()?.len() == 8 => {
            without_leap_second(NaiveTime::parse_from_str(time, "%H:%M:%S%.f").ok()?)?
        }
        Some(_) => return None,
    };
    Some(Some(date.and_time(time)))
}

/// Whether a day is one of the ten that the calendar of Hive 2 leaves out: after 4 October 1582 comes the 15th.
fn is_skipped(date: NaiveDate) -> bool {
    (date.year(), date.month()) == (1582, 10) && (5..15).contains(&date.day())
}

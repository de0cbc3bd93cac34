//! Functions of constants, where all versions of Hive give one value; `tests/engines/constants.rs` asks them.

use crate::hiveql::ast::{Call, Expr, TimeUnit, Type};
use chrono::{Datelike, Months, NaiveDate, NaiveDateTime, NaiveTime};

use super::constant::{Constant, Decimal, add_interval, convert, fold};
use crate::key::time_format::{Granularity, TimeFormat, parse_timestamp};

/// The value of a call; `None` where it is not computed here.
pub(super) fn call(call: &Call) -> Option<Constant> {
    if let ("from_unixtime", [seconds, format]) = (call.name.as_str(), call.arguments.as_slice()) {
        return date_in_another_format(seconds, format);
    }
    let arguments = call.arguments.iter().map(fold).collect::<Option<Vec<_>>>()?;
    match (call.name.as_str(), arguments.as_slice()) {
        ("to_date", [value]) => convert(value.clone(), Type::Date),
        ("date_add" | "date_sub", [date, Constant::Number(days)]) => {
            let (days, true) = days.ceiling() else { return None };
            let sign = if call.name == "date_add" { 1 } else { -1 };
            let date = convert(date.clone(), Type::Date)?;
            add_interval(date, i64::try_from(days).ok()?.checked_mul(sign)?, TimeUnit::Day)
        }
        ("add_months", [date, Constant::Number(months)]) => {
            let (months, true) = months.ceiling() else { return None };
            dated(date, |date| add_months(date, i64::try_from(months).ok()?))
        }
        ("last_day", [date]) => dated(date, last_day),
        ("trunc", [date, Constant::Text(unit)]) => dated(date, |date| match unit.as_str() {
            "MM" | "MON" | "MONTH" => date.with_day(1),
            "YY" | "YYYY" | "YEAR" => date.with_day(1)?.with_month(1),
            _ => None,
        }),
        ("date_format", [time, Constant::Text(pattern)]) => {
            let format = TimeFormat::parse(pattern).ok()?;
            Some(local(time)?.map_or(Constant::Null, |at| Constant::Text(format.format_local(at))))
        }
        ("regexp_replace", [text, Constant::Text(pattern), Constant::Text(by)]) => {
            replaced(text, pattern, by)
        }
        ("concat", parts) => {
            let texts = parts.iter().map(|part| match part {
                Constant::Text(text) => Some(text.clone()),
                Constant::Number(number) if number.scale == 0 => Some(number.digits.to_string()),
                _ => None,
            });
            texts.collect::<Option<String>>().map(Constant::Text)
        }
        _ => None,
    }
}

/// Before this year Java's calendar is the Julian one.
const FIRST_YEAR: i32 = 1583;

/// The local time that a constant says; NULL for what Hive takes for no date, nothing where that is not known.
fn local(time: &Constant) -> Option<Option<NaiveDateTime>> {
    let at = match time {
        Constant::Null => return Some(None),
        Constant::Date(date) => date.and_time(NaiveTime::MIN),
        Constant::Timestamp(at) => *at,
        Constant::Text(text) if compact_day(text).is_some() => return Some(None),
        Constant::Text(text) => parse_timestamp(text)?,
        _ => return None,
    };
    (FIRST_YEAR..=9999).contains(&at.year()).then_some(Some(at))
}

/// A day written `20200406`, which is no date to Hive's functions.
pub(super) fn compact_day(text: &str) -> Option<NaiveDate> {
    let is_compact = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_compact.then(|| NaiveDate::parse_from_str(text, "%Y%m%d").ok()).flatten()
}

/// A date made of a date, as the text that Hive gives.
fn dated(date: &Constant, make: impl Fn(NaiveDate) -> Option<NaiveDate>) -> Option<Constant> {
    let Some(at) = local(date)? else { return Some(Constant::Null) };
    let date = make(at.date()).filter(|date| (FIRST_YEAR..=9999).contains(&date.year()))?;
    Some(Constant::Text(date.to_string()))
}

/// The last day of a month stays the last day.
fn add_months(date: NaiveDate, months: i64) -> Option<NaiveDate> {
    let distance = Months::new(u32::try_from(months.unsigned_abs()).ok()?);
    let moved =
        if months >= 0 { date.checked_add_months(distance) } else { date.checked_sub_months(distance) }?;
    if last_day(date)? == date { last_day(moved) } else { Some(moved) }
}

fn last_day(date: NaiveDate) -> Option<NaiveDate> {
    date.with_day(1)?.checked_add_months(Months::new(1))?.pred_opt()
}

/// Replaces a pattern without any sign of regular expressions.
fn replaced(text: &Constant, pattern: &str, by: &str) -> Option<Constant> {
    let text = match text {
        Constant::Null => return Some(Constant::Null),
        Constant::Text(text) => text.clone(),
        Constant::Date(date) => date.to_string(),
        _ => return None,
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " -/:_,".contains(c);
    let is_literal = !pattern.is_empty() && pattern.chars().all(is_plain) && !by.contains(['$', '\\']);
    is_literal.then(|| Constant::Text(text.replace(pattern, by)))
}

/// `from_unixtime(unix_timestamp(day, format), format)`: the day is the same in every time zone.
fn date_in_another_format(seconds: &Expr, format: &Expr) -> Option<Constant> {
    let Expr::Call(inner) = seconds else { return None };
    let ("unix_timestamp", [day, read]) = (inner.name.as_str(), inner.arguments.as_slice()) else {
        return None;
    };
    let (Constant::Text(day), Constant::Text(read), Constant::Text(write)) =
        (fold(day)?, fold(read)?, fold(format)?)
    else {
        return None;
    };
    let (read, write) = (TimeFormat::parse(&read).ok()?, TimeFormat::parse(&write).ok()?);
    if read.granularity() != Granularity::Day || write.granularity() > Granularity::Day {
        return None;
    }
    let at = read.granularity().start_of(read.parse_text(&day)?)?;
    (FIRST_YEAR..=9999).contains(&at.year()).then(|| Constant::Text(write.format_local(at)))
}

/// What to write instead of a text that is no date to Hive.
pub(super) fn remedy(constant: &Constant) -> Option<String> {
    match constant {
        Constant::Text(text) => compact_day(text).map(|day| format!("'{day}'")),
        Constant::Number(Decimal { digits, scale: 0 }) => {
            compact_day(&digits.to_string()).map(|day| format!("'{day}'"))
        }
        _ => None,
    }
}

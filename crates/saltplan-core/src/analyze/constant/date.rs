//! Functions of constant dates.

use chrono::{Datelike, Days, Months, NaiveDate, NaiveDateTime, NaiveTime, Timelike, Weekday};

use super::cast::read_time;
use super::value::{Constant, Decimal, NumberType, Typed};
use super::{fold, typed};
use saltplan_sql::ast::{BinaryOperator, Call, Expr, TimeUnit, Type};
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::Granularity;

/// Before this year Java's calendar is the Julian one.
pub(crate) const FIRST_YEAR: i32 = 1583;

/// What is known of a time: nothing, that it is NULL, or which it is.
type Known<T> = Option<Option<T>>;

/// The value of a function of dates; `None` for every other one, and where Hives differ.
pub(super) fn call(name: &str, arguments: &[Typed]) -> Option<Typed> {
    let constants: Vec<&Constant> = arguments.iter().map(|argument| &argument.constant).collect();
    match (name, constants.as_slice()) {
        ("to_date" | "date", [value]) => of_date(value, |date| Some(Constant::Date(date))),
        ("date_add" | "date_sub", [date, Constant::Number(days)]) if arguments[1].of <= NumberType::INT => {
            of_date(date, |date| counted_to(name, date, days.digits).map(Constant::Date))
        }
        ("add_months", [date, Constant::Number(months)]) if arguments[1].of <= NumberType::INT => {
            let months = i64::try_from(months.digits).ok()?;
            as_text(date, |date| add_months(date, months))
        }
        ("add_months", [Constant::Text(_) | Constant::Date(_), Constant::Null]) => null(),
        ("last_day", [date]) => as_text(date, last_day),
        (
            "trunc",
            [date @ (Constant::Text(_) | Constant::Date(_) | Constant::Timestamp(_)), Constant::Text(unit)],
        ) => match TruncUnit::of(unit) {
            Some(unit) => as_text(date, |date| unit.start(date)),
            // Small letters, and days.
            None => null(),
        },
        ("next_day", [date, Constant::Text(day)]) => match weekday(day) {
            Some(day) => as_text(date, |date| next_day(date, day)),
            None => null(),
        },
        ("date_format", [time, Constant::Text(pattern)]) if **time != Constant::Null => {
            let format = TimeFormat::parse(pattern).ok()?;
            let printed = local(time)?.map_or(Constant::Null, |at| Constant::Text(format.format_local(at)));
            Some(Typed::plain(printed))
        }
        ("datediff", [to, from]) => match (local(to)?, local(from)?) {
            (Some(to), Some(from)) => whole((to.date() - from.date()).num_days()),
            _ => null(),
        },
        (_, [date]) => part(name, date),
        _ => None,
    }
}

fn part(name: &str, date: &Constant) -> Option<Typed> {
    let of: fn(NaiveDateTime) -> u32 = match name {
        "year" => |at| at.year().unsigned_abs(),
        "month" => |at| at.month(),
        "day" | "dayofmonth" => |at| at.day(),
        "quarter" => |at| at.month0() / 3 + 1,
        "weekofyear" => |at| at.iso_week().week(),
        "dayofweek" => |at| at.weekday().num_days_from_sunday() + 1,
        "hour" => |at| at.hour(),
        "minute" => |at| at.minute(),
        "second" => |at| at.second(),
        _ => return None,
    };
    match local(date)? {
        Some(at) => whole(of(at).into()),
        // Hive 2 takes a time of day without a date.
        None if matches!(name, "hour" | "minute" | "second") => None,
        None => null(),
    }
}

fn null() -> Option<Typed> {
    Some(Typed::plain(Constant::Null))
}

fn whole(number: i64) -> Option<Typed> {
    Typed::number(Decimal::integer(number.into()), NumberType::INT)
}

/// The local time of a constant: `Some(None)` if Hive does not read it as a date, `None` if that is not known.
fn local(time: &Constant) -> Known<NaiveDateTime> {
    let at = match time {
        Constant::Null => return Some(None),
        Constant::Date(date) => date.and_time(NaiveTime::MIN),
        Constant::Timestamp(at) => *at,
        Constant::Text(text) => match read_time(text)? {
            Some(at) => at,
            None => return Some(None),
        },
        _ => return None,
    };
    (FIRST_YEAR..=9999).contains(&at.year()).then_some(Some(at))
}

fn in_calendar(date: NaiveDate) -> Option<NaiveDate> {
    (FIRST_YEAR..=9999).contains(&date.year()).then_some(date)
}

/// Whether a constant day is outside the years for which all versions of Hive have the same calendar.
pub fn leaves_calendar(expr: &Expr) -> bool {
    let Expr::Call(Call { name, arguments, .. }) = expr.unnested() else { return false };
    let [date, days] = arguments.as_slice() else { return false };
    if !matches!(name.as_str(), "date_add" | "date_sub") {
        return false;
    }
    let (Some(Some(at)), Some(days)) = (fold(date).and_then(|date| local(&date)), super::whole(days)) else {
        return false;
    };
    counted_to(name, at.date(), days.number).is_none()
}

/// The result of `date_add` or `date_sub`, if it is in the years for which all versions of Hive have the same calendar.
fn counted_to(name: &str, from: NaiveDate, days: i128) -> Option<NaiveDate> {
    let days = i64::try_from(days).ok()?;
    let days = if name == "date_sub" { days.checked_neg()? } else { days };
    in_calendar(plus_days(from, days)?)
}

/// A day written `20200406`, which Hive's functions do not read as a date.
pub(super) fn compact_day(text: &str) -> Option<NaiveDate> {
    let is_compact = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_compact.then(|| NaiveDate::parse_from_str(text, "%Y%m%d").ok()).flatten()
}

fn of_date(date: &Constant, make: impl Fn(NaiveDate) -> Option<Constant>) -> Option<Typed> {
    let constant = match local(date)? {
        Some(at) => make(at.date())?,
        None => Constant::Null,
    };
    Some(Typed::plain(constant))
}

/// A date made of a date, as the text that Hive gives.
fn as_text(date: &Constant, make: impl Fn(NaiveDate) -> Option<NaiveDate>) -> Option<Typed> {
    of_date(date, |date| in_calendar(make(date)?).map(|date| Constant::Text(date.to_string())))
}

fn plus_days(date: NaiveDate, days: i64) -> Option<NaiveDate> {
    let distance = Days::new(days.unsigned_abs());
    if days >= 0 { date.checked_add_days(distance) } else { date.checked_sub_days(distance) }
}

/// What `trunc` cuts a day to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TruncUnit {
    Month,
    Quarter,
    Year,
}

impl TruncUnit {
    /// `None` for words with which `trunc` gives NULL.
    pub fn of(word: &str) -> Option<Self> {
        match word {
            "MM" | "MON" | "MONTH" => Some(TruncUnit::Month),
            "Q" | "QUARTER" => Some(TruncUnit::Quarter),
            "YY" | "YYYY" | "YEAR" => Some(TruncUnit::Year),
            _ => None,
        }
    }

    /// The first day of the unit that a day lies in.
    pub fn start(self, day: NaiveDate) -> Option<NaiveDate> {
        let first = day.with_day(1)?;
        match self {
            TruncUnit::Month => Some(first),
            TruncUnit::Quarter => first.with_month0(day.month0() / 3 * 3),
            TruncUnit::Year => first.with_month(1),
        }
    }
}

/// The last day of a month stays the last day.
pub fn add_months(date: NaiveDate, months: i64) -> Option<NaiveDate> {
    let distance = Months::new(u32::try_from(months.unsigned_abs()).ok()?);
    let moved =
        if months >= 0 { date.checked_add_months(distance) } else { date.checked_sub_months(distance) }?;
    if last_day(date)? == date { last_day(moved) } else { Some(moved) }
}

pub fn last_day(date: NaiveDate) -> Option<NaiveDate> {
    date.with_day(1)?.checked_add_months(Months::new(1))?.pred_opt()
}

/// The first such day of the week after a date.
pub fn next_day(date: NaiveDate, day: Weekday) -> Option<NaiveDate> {
    let ahead = (6 + day.num_days_from_monday() - date.weekday().num_days_from_monday()) % 7 + 1;
    plus_days(date, ahead.into())
}

/// Two or three letters of a day of the week, or all of them.
pub fn weekday(name: &str) -> Option<Weekday> {
    const NAMES: [&str; 7] = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];
    let name = name.to_ascii_uppercase();
    let is_name = |full: &&str| [&full[..2], &full[..3], full].contains(&name.as_str());
    let index = NAMES.iter().position(is_name)?;
    Weekday::try_from(u8::try_from(index).ok()?).ok()
}

/// `from_unixtime(unix_timestamp(time, format), format)`: whatever zone reads the time and shows it, the day is the same.
pub(super) fn date_in_another_format(call: &Call) -> Option<Typed> {
    let [seconds, format] = call.arguments.as_slice() else { return None };
    let Constant::Text(write) = fold(format)? else { return None };
    let write = TimeFormat::parse(&write).ok()?;
    if write.granularity() > Granularity::Day {
        return None;
    }
    let day = Seconds::of(seconds)?.day()?;
    Some(Typed::plain(Constant::Text(write.format_local(day.and_time(NaiveTime::MIN)))))
}

/// `to_date(from_unixtime(…))`: the day of a time that is written in full.
pub(super) fn day_of_seconds(call: &Call) -> Option<Typed> {
    let ("to_date" | "date", [time]) = (call.name.as_str(), call.arguments.as_slice()) else { return None };
    let Expr::Call(inner) = &time.expr else { return None };
    let ("from_unixtime", [seconds]) = (inner.name.as_str(), inner.arguments.as_slice()) else { return None };
    Seconds::of(seconds)?.day().map(|day| Typed::plain(Constant::Date(day)))
}

/// Seconds since 1970, as the local time of the server's zone, which is not known here.
struct Seconds {
    at: NaiveDateTime,
    /// Seconds were added, among which the clocks may have changed.
    is_moved: bool,
}

impl Seconds {
    /// Hours by which the clocks of a zone change at most.
    const MAX_CHANGE: i64 = 2;

    fn of(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Nested(inner) | Expr::Cast { expr: inner, data_type: Type::BigInt | Type::Int, .. } => {
                Self::of(inner)
            }
            Expr::Call(call) if matches!(call.name.as_str(), "unix_timestamp" | "to_unix_timestamp") => {
                let at = match call.arguments.as_slice() {
                    [time] => match typed(time)?.constant {
                        // Hive reads only a complete time here.
                        Constant::Text(text) if text.len() == 19 => read_time(&text)??,
                        date @ (Constant::Date(_) | Constant::Timestamp(_)) => local(&date)??,
                        _ => return None,
                    },
                    [time, read] => read_by_format(time, read)?,
                    _ => return None,
                };
                Some(Seconds { at, is_moved: false })
            }
            Expr::BinaryOp { left, op: op @ (BinaryOperator::Plus | BinaryOperator::Minus), right } => {
                let Seconds { at, .. } = Self::of(left)?;
                let by = i64::try_from(super::whole(right)?.number).ok()?;
                let by = if *op == BinaryOperator::Minus { by.checked_neg()? } else { by };
                let at = super::moved_by(at, by, TimeUnit::Second)?;
                Some(Seconds { at, is_moved: true })
            }
            _ => None,
        }
    }

    /// The day on which the seconds lie in every zone.
    fn day(&self) -> Option<NaiveDate> {
        let day = in_calendar(self.at.date())?;
        let is_same =
            |hours: i64| super::moved_by(self.at, hours, TimeUnit::Hour).is_some_and(|at| at.date() == day);
        let is_sure = !self.is_moved || is_same(Self::MAX_CHANGE) && is_same(-Self::MAX_CHANGE);
        is_sure.then_some(day)
    }
}

/// A text is read by its format; for a date the format does not matter.
fn read_by_format(time: &Expr, read: &Expr) -> Option<NaiveDateTime> {
    let (time, Constant::Text(read)) = (fold(time)?, fold(read)?) else { return None };
    match time {
        Constant::Text(time) => {
            let read = TimeFormat::parse(&read).ok()?;
            read.granularity().start_of(read.parse_text(&time)?)
        }
        Constant::Date(_) | Constant::Timestamp(_) => local(&time)?,
        _ => None,
    }
}

/// What to write instead of a text that Hive does not read as a date.
pub fn remedy(constant: &Constant) -> Option<String> {
    match constant {
        Constant::Text(text) => compact_day(text).map(|day| format!("'{day}'")),
        Constant::Number(Decimal { digits, scale: 0 }) => {
            compact_day(&digits.to_string()).map(|day| format!("'{day}'"))
        }
        _ => None,
    }
}

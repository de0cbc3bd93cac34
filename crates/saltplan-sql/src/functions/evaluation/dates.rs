//! The values of functions of dates and times.

use chrono::{Datelike, Days, Months, NaiveDate, NaiveDateTime, NaiveTime, Timelike, Weekday};

use crate::ast::TimeUnit;
use crate::constant::read_time;
use crate::time::format::TimeFormat;
use crate::value::{Constant, Decimal, NumberType, Typed};

/// Before this year Java's calendar is the Julian one.
pub const FIRST_YEAR: i32 = 1583;

/// What is known of a time: nothing, that it is NULL, or which it is.
pub type Known<T> = Option<Option<T>>;

/// `to_date(time)`
pub fn to_date(arguments: &[Typed]) -> Option<Typed> {
    let [time] = arguments else { return None };
    of_date(&time.constant, |date| Some(Constant::Date(date)))
}

/// `date_add(day, count)`, with the sign -1 `date_sub`.
pub fn add_days(arguments: &[Typed], sign: i64) -> Option<Typed> {
    let [day, count] = arguments else { return None };
    let days = counted(count)?;
    of_date(&day.constant, |day| days_added(day, days, sign).map(Constant::Date))
}

/// A number of days or months as Hive takes it.
fn counted(count: &Typed) -> Option<i128> {
    match count.constant {
        Constant::Number(number) if count.of <= NumberType::INT => Some(number.digits),
        _ => None,
    }
}

/// `add_months(day, count)`
pub fn months_added(arguments: &[Typed]) -> Option<Typed> {
    let [day, count] = arguments else { return None };
    if let (Constant::Text(_) | Constant::Date(_), Constant::Null) = (&day.constant, &count.constant) {
        return null();
    }
    let months = i64::try_from(counted(count)?).ok()?;
    as_text(&day.constant, |day| add_months(day, months))
}

/// `last_day(day)`
pub fn month_end(arguments: &[Typed]) -> Option<Typed> {
    let [day] = arguments else { return None };
    as_text(&day.constant, last_day)
}

/// `trunc(day, unit)`
pub fn trunc(arguments: &[Typed]) -> Option<Typed> {
    let [day, unit] = arguments else { return None };
    let (Constant::Text(_) | Constant::Date(_) | Constant::Timestamp(_), Constant::Text(unit)) =
        (&day.constant, &unit.constant)
    else {
        return None;
    };
    match TruncUnit::of(unit) {
        Some(unit) => as_text(&day.constant, |day| unit.start(day)),
        // Small letters, and days.
        None => null(),
    }
}

/// `next_day(day, weekday)`
pub fn day_after(arguments: &[Typed]) -> Option<Typed> {
    let [day, name] = arguments else { return None };
    let Constant::Text(name) = &name.constant else { return None };
    match weekday(name) {
        Some(weekday) => as_text(&day.constant, |day| next_day(day, weekday)),
        None => null(),
    }
}

/// `date_format(time, pattern)`
pub fn date_format(arguments: &[Typed]) -> Option<Typed> {
    let [time, pattern] = arguments else { return None };
    let Constant::Text(pattern) = &pattern.constant else { return None };
    if time.constant == Constant::Null {
        return None;
    }
    let format = TimeFormat::parse(pattern).ok()?;
    let printed = local(&time.constant)?.map_or(Constant::Null, |at| Constant::Text(format.format_local(at)));
    Some(Typed::plain(printed))
}

/// `datediff(to, from)`
pub fn datediff(arguments: &[Typed]) -> Option<Typed> {
    let [to, from] = arguments else { return None };
    match (local(&to.constant)?, local(&from.constant)?) {
        (Some(to), Some(from)) => whole((to.date() - from.date()).num_days()),
        _ => null(),
    }
}

/// A part of a date or a time.
pub fn part(arguments: &[Typed], unit: TimeUnit) -> Option<Typed> {
    let [time] = arguments else { return None };
    let of = |at: NaiveDateTime| match unit {
        TimeUnit::Year => at.year().unsigned_abs(),
        TimeUnit::Quarter => at.month0() / 3 + 1,
        TimeUnit::Month => at.month(),
        TimeUnit::Week => at.iso_week().week(),
        TimeUnit::Day => at.day(),
        TimeUnit::DayOfWeek => at.weekday().num_days_from_sunday() + 1,
        TimeUnit::Hour => at.hour(),
        TimeUnit::Minute => at.minute(),
        TimeUnit::Second => at.second(),
    };
    let is_of_day = matches!(unit, TimeUnit::Hour | TimeUnit::Minute | TimeUnit::Second);
    // Of a day without a time they are NULL in Hive 2, and 0 in the others.
    let has_time = match &time.constant {
        Constant::Timestamp(_) => true,
        Constant::Text(text) => text.contains(':'),
        _ => false,
    };
    match local(&time.constant)? {
        Some(_) if is_of_day && !has_time => None,
        Some(at) => whole(of(at).into()),
        // Hive 2 takes a time of day without a date.
        None if is_of_day => None,
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
pub fn local(time: &Constant) -> Known<NaiveDateTime> {
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

pub fn in_calendar(date: NaiveDate) -> Option<NaiveDate> {
    (FIRST_YEAR..=9999).contains(&date.year()).then_some(date)
}

/// A day plus, or with the sign -1 minus, a number of days, if it is in the years for which all versions of Hive have the same calendar.
pub fn days_added(from: NaiveDate, days: i128, sign: i64) -> Option<NaiveDate> {
    let days = i64::try_from(days).ok()?.checked_mul(sign)?;
    in_calendar(plus_days(from, days)?)
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
pub enum TruncUnit {
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

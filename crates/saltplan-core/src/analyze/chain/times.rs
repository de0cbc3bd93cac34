//! Steps of dates and times.

use chrono::{Datelike as _, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike as _};

use super::parts::{Part, Parts};
use super::value::{Number, OutOfRange, Value};
use crate::analyze::constant::{FIRST_YEAR, moved_by};
use saltplan_sql::ast::TimeUnit;
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::TimePattern;

/// A step of a date or a local time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TimeStep {
    /// The time of day is dropped.
    Day,
    AddDays(i64),
    /// How many days it is later than a day, as `datediff` counts them.
    DaysSince(NaiveDate),
    /// How many days it is earlier than a day.
    DaysUntil(NaiveDate),
    /// `+ INTERVAL`
    AddInterval(i64, TimeUnit),
    /// The instant is cut to whole seconds by dropping the rest, which before 1970 goes forward in time.
    WholeSecondsTowardsZero,
    Print(TimeFormat),
    /// Month or day of the month.
    Part(Part),
    /// A number or a text that is made of year, quarter, month and day.
    Parts(Parts),
    TimeOfDay(TimeOfDay),
}

/// The time of day, printed from the hour on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TimeOfDay {
    pub pattern: TimePattern,
    /// The digits of the pattern as a number.
    pub is_number: bool,
}

impl TimeOfDay {
    /// Whether it is the hour alone.
    pub fn is_hour(&self) -> bool {
        self.pattern.text() == "HH"
    }

    pub fn at(&self, at: NaiveDateTime) -> Value {
        let text = self.pattern.format(at);
        match self.is_number {
            true => Value::Number(Number::Whole(text.parse().unwrap_or_default())),
            false => Value::Text(text),
        }
    }
}

impl TimeStep {
    pub fn apply(&self, at: NaiveDateTime) -> Result<Value, OutOfRange> {
        let moved = |count: i64, unit: TimeUnit, from: NaiveDateTime| {
            let beyond = if count < 0 { OutOfRange::Below } else { OutOfRange::Above };
            let moved = moved_by(in_calendar(from)?, count, unit).ok_or(beyond)?;
            in_calendar(moved).map(Value::Time)
        };
        match self {
            TimeStep::Day => Ok(Value::Time(at.date().and_time(NaiveTime::MIN))),
            TimeStep::AddDays(days) => moved(*days, TimeUnit::Day, at),
            TimeStep::AddInterval(count, unit) => moved(*count, *unit, at),
            TimeStep::DaysSince(day) => Ok(days_between(at.date(), *day)),
            TimeStep::DaysUntil(day) => Ok(days_between(*day, at.date())),
            TimeStep::WholeSecondsTowardsZero => Ok(Value::Time(whole_seconds(at))),
            TimeStep::Part(part) => Ok(Value::Number(Number::Whole(part.at(at.date()).into()))),
            TimeStep::Print(format) => Ok(Value::Text(format.format_local(at))),
            TimeStep::Parts(parts) => Ok(parts.of_day(at.date())),
            TimeStep::TimeOfDay(time) => Ok(time.at(at)),
        }
    }
}

fn days_between(to: NaiveDate, from: NaiveDate) -> Value {
    Value::Number(Number::Whole((to - from).num_days().into()))
}

fn whole_seconds(at: NaiveDateTime) -> NaiveDateTime {
    let is_whole = at.nanosecond() == 0;
    let second = at.with_nanosecond(0).unwrap_or(at);
    let is_before_1970 = at.and_utc().timestamp() < 0;
    if is_before_1970 && !is_whole { second + TimeDelta::seconds(1) } else { second }
}

/// The years for which all versions of Hive have the same calendar.
pub(super) fn in_calendar(at: NaiveDateTime) -> Result<NaiveDateTime, OutOfRange> {
    match at.year() {
        year if year < FIRST_YEAR => Err(OutOfRange::Below),
        year if year > 9999 => Err(OutOfRange::Above),
        _ => Ok(at),
    }
}

//! Dates that are read as seconds and shown again: the zone of the server, which is not known here, does not change them.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use super::cast::read_time;
use super::{CallTerm, Term, Tree, fold, typed};
use crate::ast::{BinaryOperator, TimeUnit, Type};
use crate::functions::Operation;
use crate::functions::evaluation::dates::{in_calendar, local};
use crate::time::format::TimeFormat;
use crate::time::pattern::Granularity;
use crate::value::{Constant, Typed};

/// `from_unixtime(unix_timestamp(time, format), format)`: whatever zone reads the time and shows it, the day is the same.
pub(super) fn date_in_another_format<P: Tree<Part = P>>(call: &CallTerm<'_, P>) -> Option<Typed> {
    let [seconds, format] = call.arguments else { return None };
    let Constant::Text(write) = fold(format)? else { return None };
    let write = TimeFormat::parse(&write).ok()?;
    if write.granularity() > Granularity::Day {
        return None;
    }
    let day = Seconds::read(seconds)?.day()?;
    Some(Typed::plain(Constant::Text(write.format_local(day.and_time(NaiveTime::MIN)))))
}

/// `to_date(from_unixtime(…))`: the day of a time that is written in full.
pub(super) fn day_of_seconds<P: Tree<Part = P>>(call: &CallTerm<'_, P>) -> Option<Typed> {
    let (Operation::ToDate, [time]) = (call.operation(), call.arguments) else { return None };
    let Term::Call(inner) = time.term() else { return None };
    let (Operation::ShowSeconds, [seconds]) = (inner.operation(), inner.arguments) else {
        return None;
    };
    Seconds::read(seconds)?.day().map(|day| Typed::plain(Constant::Date(day)))
}

/// Seconds since 1970, as the local time of the server's zone, which is not known here.
struct Seconds {
    at: NaiveDateTime,
    /// Whether seconds were added: the clocks may have changed between the two times.
    is_moved: bool,
}

impl Seconds {
    /// Hours by which the clocks of a zone change at most.
    const MAX_CHANGE: i64 = 2;

    fn read<P: Tree<Part = P>>(expr: &P) -> Option<Self> {
        match expr.term() {
            Term::Cast(inner, Type::BigInt | Type::Int) => Self::read(inner),
            Term::Call(call) if call.operation() == Operation::ReadSeconds => {
                let at = match call.arguments {
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
            Term::Binary(left, op @ (BinaryOperator::Plus | BinaryOperator::Minus), right) => {
                let Seconds { at, .. } = Self::read(left)?;
                let by = i64::try_from(super::whole(right)?.number).ok()?;
                let by = if op == BinaryOperator::Minus { by.checked_neg()? } else { by };
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

/// The local time that `unix_timestamp(time, read)` reads: a text by the format `read`, a date or a time whatever the format.
fn read_by_format(time: &impl Tree, read: &impl Tree) -> Option<NaiveDateTime> {
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

//! Constants that Hive does not read as the dates that they look like.

use chrono::NaiveDate;

use super::{Term, Tree, fold, whole};
use crate::functions::Operation;
use crate::functions::evaluation::dates::{days_added, local};
use crate::value::{Constant, Decimal};

/// Whether a constant day is outside the years for which all versions of Hive have the same calendar.
pub fn leaves_calendar(expr: &impl Tree) -> bool {
    let Term::Call(call) = expr.term() else { return false };
    let (Operation::AddDays { sign }, [date, days]) = (call.operation(), call.arguments) else {
        return false;
    };
    let (Some(Some(at)), Some(days)) = (fold(date).and_then(|date| local(&date)), whole(days)) else {
        return false;
    };
    days_added(at.date(), days.number, sign).is_none()
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

/// A day written `20200406`, which Hive's functions do not read as a date.
fn compact_day(text: &str) -> Option<NaiveDate> {
    let is_compact = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_compact.then(|| NaiveDate::parse_from_str(text, "%Y%m%d").ok()).flatten()
}

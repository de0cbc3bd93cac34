//! Functions of dates that are known by their records alone: how they order their argument, and their value for constants.

use chrono::{Datelike as _, NaiveDate, NaiveDateTime, NaiveTime};

use super::times::in_calendar;
use super::value::{OutOfRange, Value};
use crate::analyze::constant::Constant;
use saltplan_sql::ast::Type;
use saltplan_sql::functions::{Function, Kind, Order, ResultType};
use saltplan_sql::value::{NumberType, Typed};

/// A day in the middle of the years for which all versions of Hive have the same calendar. Days without a known result lie beyond the
/// calendar's end if they are later, before its beginning if they are earlier.
const MIDDLE: (i32, u32, u32) = (5791, 7, 1);

/// The greatest count that a function may take, such as months that are added: 1,000 years, so that the result for [`MIDDLE`] is known.
const MAX_COUNT: i128 = 12_000;

/// A function that keeps the order of days, with its other arguments constant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DayCall {
    function: &'static Function,
    others: Vec<Typed>,
}

impl DayCall {
    /// `None` of a function whose record does not say that it keeps the order of days, and of one without a value of its other arguments.
    pub fn of(function: &'static Function, others: Vec<Typed>) -> Option<Self> {
        let is_of_days = function.arguments.kind(0) == Some(Kind::Date) && function.order == Order::Keeps;
        let is_small =
            |(index, other): (usize, &Typed)| match (function.arguments.kind(index + 1), &other.constant) {
                (Some(Kind::Count), Constant::Number(number)) => {
                    other.of <= NumberType::INT && number.digits.abs() <= MAX_COUNT
                }
                (Some(Kind::Count), _) => false,
                _ => true,
            };
        let call = DayCall { function, others };
        let (year, month, day) = MIDDLE;
        let middle = NaiveDate::from_ymd_opt(year, month, day)?.and_time(NaiveTime::MIN);
        let is_known =
            is_of_days && call.others.iter().enumerate().all(is_small) && call.value(middle).is_some();
        is_known.then_some(call)
    }

    /// Whether the result is a text such as `2020-04-06`, which a chain prints in a step of its own.
    pub fn is_printed(&self) -> bool {
        self.function.result == ResultType::IsoDay
    }

    pub fn apply(&self, at: NaiveDateTime) -> Result<Value, OutOfRange> {
        let at = in_calendar(at)?;
        let beyond = if at.year() < MIDDLE.0 { OutOfRange::Below } else { OutOfRange::Above };
        self.value(at).ok_or(beyond)
    }

    /// The value for a day, where all versions of Hive give one.
    fn value(&self, at: NaiveDateTime) -> Option<Value> {
        let mut arguments = vec![Typed::plain(Constant::Date(at.date()))];
        arguments.extend_from_slice(&self.others);
        let midnight = |day: NaiveDate| Value::Time(day.and_time(NaiveTime::MIN));
        match (self.function.evaluate?)(&arguments)?.constant {
            Constant::Date(day) if self.function.result == ResultType::Is(Type::Date) => Some(midnight(day)),
            Constant::Text(text) if self.is_printed() => text.parse().ok().map(midnight),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::Days;

    use crate::analyze::constant::Decimal;
    use saltplan_sql::functions::all;

    fn count(number: i128) -> Typed {
        Typed { constant: Constant::Number(Decimal::integer(number)), of: NumberType::INT }
    }

    fn text(text: &str) -> Typed {
        Typed::plain(Constant::Text(text.into()))
    }

    /// Values of an argument other than the first.
    fn examples(kind: Kind) -> Vec<Typed> {
        match kind {
            Kind::Count => [-12_000, -13, 0, 11, 12_000].map(count).into(),
            Kind::Text => ["MM", "Q", "YYYY", "SUNDAY"].map(text).into(),
            _ => Vec::new(),
        }
    }

    /// What the records promise: days in the order of their results, and no day without a result between two that have one.
    #[test]
    fn days_keep_their_order() {
        let mut called = Vec::new();
        for function in all().filter(|function| function.order == Order::Keeps) {
            let others = function.arguments.kind(1).map_or(vec![Vec::new()], |kind| {
                examples(kind).into_iter().map(|example| vec![example]).collect()
            });
            for others in others {
                let Some(call) = DayCall::of(function, others) else { continue };
                let first = NaiveDate::from_ymd_opt(1570, 1, 1).unwrap();
                let (mut before, mut is_over) = (None, false);
                for day in (0..14_600).map(|count| first + Days::new(count * 211)) {
                    match call.apply(day.and_time(NaiveTime::MIN)) {
                        Ok(Value::Time(at)) => {
                            assert!(!is_over && before.is_none_or(|before| before <= at), "{call:?}: {day}");
                            before = Some(at);
                        }
                        Ok(other) => panic!("{call:?}: {other:?}"),
                        Err(OutOfRange::Below) => assert_eq!(before, None, "{call:?}: {day}"),
                        Err(OutOfRange::Above) => is_over = true,
                    }
                }
                assert!(before.is_some(), "{call:?}");
                called.push(function.name());
            }
        }
        for name in ["last_day", "add_months", "next_day", "trunc"] {
            assert!(called.contains(&name), "{name} is not in {called:?}");
        }
    }
}

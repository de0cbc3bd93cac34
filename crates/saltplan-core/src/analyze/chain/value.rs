//! What steps compute with.

use std::cmp::Ordering;

use chrono::NaiveDateTime;

use crate::analyze::constant::Decimal;

/// The value of a field, or the result of steps.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Number(Number),
    /// A date as its midnight, or a local time.
    Time(NaiveDateTime),
    Text(String),
}

/// A number in the type that Hive has computed it in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Whole(i128),
    Decimal(Decimal),
    /// Never NaN.
    Double(f64),
}

/// On which side of the values whose results are known a value lies whose result is not predicted: it overflows, or it leaves the
/// years for which all versions of Hive have the same calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutOfRange {
    Below,
    Above,
}

impl OutOfRange {
    /// The side before a step that turns the order.
    pub fn turned(self) -> Self {
        match self {
            OutOfRange::Below => OutOfRange::Above,
            OutOfRange::Above => OutOfRange::Below,
        }
    }
}

impl Number {
    pub fn is_negative(self) -> bool {
        match self {
            Number::Whole(number) => number < 0,
            Number::Decimal(number) => number.digits < 0,
            Number::Double(number) => number < 0.0,
        }
    }

    pub fn double(self) -> f64 {
        match self {
            Number::Whole(number) => double(number),
            // Steps and comparisons after a decimal never use doubles.
            Number::Decimal(number) => double(number.ceiling().0),
            Number::Double(number) => number,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "as Hive does")]
pub(crate) fn double(number: i128) -> f64 {
    number as f64
}

/// The order of two doubles.
pub(crate) fn order_of_doubles(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

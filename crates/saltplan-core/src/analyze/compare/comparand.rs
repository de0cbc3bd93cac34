//! What the results of a chain are compared with.

use std::cmp::Ordering;

use chrono::NaiveDateTime;

use crate::analyze::chain::{Number, Value, double, order_of_doubles};
use crate::analyze::constant::Decimal;

/// A constant in the type in which Hive compares it.
#[derive(Debug, Clone)]
pub(super) enum Comparand {
    Number(Decimal),
    Double(f64),
    Time(NaiveDateTime),
    Text(String),
}

impl Comparand {
    /// The order of a result and the constant.
    pub fn order(&self, value: &Value) -> Ordering {
        match (self, value) {
            (Comparand::Number(bound), Value::Number(number)) => match number {
                Number::Whole(number) => Decimal::integer(*number).order(*bound),
                Number::Decimal(number) => number.order(*bound),
                Number::Double(number) => order_of_doubles(*number, double(bound.ceiling().0)),
            },
            (Comparand::Double(bound), Value::Number(number)) => order_of_doubles(number.double(), *bound),
            (Comparand::Time(bound), Value::Time(at)) => at.cmp(bound),
            (Comparand::Text(bound), Value::Text(text)) => text.as_str().cmp(bound),
            _ => {
                debug_assert!(false, "{self:?} is not comparable with {value:?}");
                Ordering::Equal
            }
        }
    }
}

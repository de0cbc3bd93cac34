//! What the results of a chain are compared with.

use std::cmp::Ordering;

use chrono::NaiveDateTime;

use crate::analyze::chain::{Number, Value, double, order_of_doubles};
use crate::analyze::constant::Decimal;

/// A constant in the type in which Hive compares it.
#[derive(Debug, Clone)]
pub(super) enum Bound {
    Number(Decimal),
    Double(f64),
    Time(NaiveDateTime),
    Text(String),
}

impl Bound {
    /// The order of a result and the bound.
    pub fn order(&self, value: &Value) -> Ordering {
        match (self, value) {
            (Bound::Number(bound), Value::Number(number)) => match number {
                Number::Whole(number) => Decimal::integer(*number).order(*bound),
                Number::Decimal(number) => number.order(*bound),
                Number::Double(number) => order_of_doubles(*number, double(bound.ceiling().0)),
            },
            (Bound::Double(bound), Value::Number(number)) => order_of_doubles(number.double(), *bound),
            (Bound::Time(bound), Value::Time(at)) => at.cmp(bound),
            (Bound::Text(bound), Value::Text(text)) => text.as_str().cmp(bound),
            _ => {
                debug_assert!(false, "{self:?} is no bound of {value:?}");
                Ordering::Equal
            }
        }
    }
}

//! What the results of a chain are compared with.

use std::cmp::Ordering;

use crate::analyze::chain::{Number, double, order_of_doubles};
use crate::analyze::constant::Decimal;

/// A constant in the type in which Hive compares it.
#[derive(Debug, Clone)]
pub(super) enum Bound {
    Number(Decimal),
    Double(f64),
}

impl Bound {
    /// The order of a result and the bound.
    pub fn order(&self, number: Number) -> Ordering {
        match (self, number) {
            (Bound::Number(bound), Number::Whole(number)) => Decimal::integer(number).order(*bound),
            (Bound::Number(bound), Number::Decimal(number)) => number.order(*bound),
            (Bound::Number(bound), Number::Double(number)) => {
                order_of_doubles(number, double(bound.ceiling().0))
            }
            (Bound::Double(bound), number) => order_of_doubles(number.double(), *bound),
        }
    }
}

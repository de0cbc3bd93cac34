//! A key field under steps, as one side of a comparison with constants: `abs(n - 5)`, `last_day(day)`, `substr(reverse(id), 1, 4)`.
//!
//! A [`Chain`] has the field, its steps with the innermost first, and what the result is for Hive. [`Chain::evaluate`] computes the
//! result for one value of the field, as Hive does for a row. `read` makes chains of expressions, and `compare` finds the values of
//! the field for which a comparison holds, by the [class](Class) of the steps.

mod numbers;
mod read;
mod value;

use crate::key::field::FieldId;
use crate::key::number::IntegerSize;
pub(super) use numbers::{DigitCounts, NumberStep};
pub(super) use value::{Number, OutOfRange, Value, double, order_of_doubles};

/// A field under steps.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chain {
    pub field: FieldId,
    /// The innermost first.
    pub steps: Vec<Step>,
    pub shape: Shape,
}

/// What a result is for Hive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A whole number that Hive computes in this size.
    Whole(IntegerSize),
    Decimal(DigitCounts),
    Double,
}

/// One function, operator or cast.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    Number(NumberStep),
}

impl Step {
    /// Whether greater values have smaller results.
    pub fn is_falling(&self) -> bool {
        match self {
            Step::Number(step) => step.is_falling(),
        }
    }

    /// The result for a value.
    fn apply(&self, value: Value) -> Result<Value, OutOfRange> {
        match (self, value) {
            (Step::Number(step), Value::Number(number)) => step.apply(number).map(Value::Number),
        }
    }
}

impl Chain {
    /// The result for a value of the field.
    ///
    /// # Errors
    /// Hive's result is not predicted: the side on which such values of the field lie.
    pub fn evaluate(&self, value: Value) -> Result<Value, OutOfRange> {
        let mut is_falling = false;
        self.steps.iter().try_fold(value, |value, step| {
            is_falling ^= step.is_falling();
            step.apply(value).map_err(|side| if is_falling { side.turned() } else { side })
        })
    }

    /// Whether greater values of the field have smaller results.
    pub fn is_falling(&self) -> bool {
        self.steps.iter().filter(|step| step.is_falling()).count() % 2 == 1
    }
}

//! A key field under steps, as one side of a comparison with constants: `abs(n - 5)`, `last_day(day)`, `substr(reverse(id), 1, 4)`.
//!
//! A [`Chain`] has the field, its steps with the innermost first, and what the result is for Hive. [`Chain::evaluate`] computes the
//! result for one value of the field, as Hive does for a row. `read` makes chains of expressions, and `compare` finds the values of
//! the field for which a comparison holds. What it does depends on the steps:
//!
//! - *monotone* steps keep or turn the order, such as `last_day(day)`: bisection over the evaluation finds the first value for which
//!   the comparison holds;
//! - *invertible* steps have known inputs for a result, such as `substr(id, 1, 4)`: texts have no middle, and clocks go back, so these
//!   are not bisected;
//! - *cyclic* ones have the same results in every year or on every day, such as `month(day)`.
//!
//! A function that no code here names is one of the monotone steps if its record in the catalogue says so.

mod day_call;
mod numbers;
pub(crate) mod parts;
mod read;
mod texts;
mod times;
mod value;

use super::recurring::Recurs;
use crate::key::field::FieldId;
use crate::key::number::IntegerSize;
use day_call::DayCall;
pub(super) use numbers::{DigitCounts, NumberStep};
use parts::Part;
pub(super) use read::{bare_field, epoch_seconds, has_day};
pub(super) use texts::TextStep;
pub(super) use times::{TimeOfDay, TimeStep};
pub(super) use value::{Number, OutOfRange, Value, double, order_of_doubles};

/// A field under steps.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chain {
    pub field: FieldId,
    /// The innermost first.
    pub steps: Vec<Step>,
    pub shape: Shape,
}

/// The type in which Hive has a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The type of the field.
    Own,
    /// A whole number that Hive computes in this size.
    Whole(IntegerSize),
    Decimal(DigitCounts),
    Double,
    Text,
    Date,
    Timestamp,
}

/// One function, operator or cast.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    Number(NumberStep),
    /// A number as its text.
    NumberText,
    Time(TimeStep),
    Text(TextStep),
    /// A function of days that is known by its record alone.
    DayCall(DayCall),
}

impl Step {
    /// Whether greater values have smaller results.
    pub fn is_falling(&self) -> bool {
        match self {
            Step::Number(step) => step.is_falling(),
            Step::Time(step) => matches!(step, TimeStep::DaysUntil(_)),
            Step::NumberText | Step::Text(_) | Step::DayCall(_) => false,
        }
    }

    /// The result for a value.
    fn apply(&self, value: Value) -> Result<Value, OutOfRange> {
        match (self, value) {
            (Step::Number(step), Value::Number(number)) => step.apply(number).map(Value::Number),
            (Step::NumberText, Value::Number(Number::Whole(number))) => Ok(Value::Text(number.to_string())),
            (Step::Time(step), Value::Time(at)) => step.apply(at),
            (Step::Text(step), Value::Text(text)) => step.apply(&text),
            (Step::DayCall(step), Value::Time(at)) => step.apply(at),
            (step, value) => {
                debug_assert!(false, "{step:?} does not take {value:?}");
                Ok(value)
            }
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

    /// How the results recur, if the same ones do every day or in every year.
    pub fn recurs(&self) -> Option<Recurs> {
        match self.steps.as_slice() {
            [Step::Time(TimeStep::Part(Part::Month))] => Some(Recurs::Month),
            [Step::Time(TimeStep::Part(_))] => Some(Recurs::DayOfMonth),
            [Step::Time(TimeStep::Parts(parts))] if parts.recurs() => Some(Recurs::DayOfYear),
            [Step::Time(TimeStep::TimeOfDay(_))] => Some(Recurs::TimeOfDay),
            _ => None,
        }
    }

    /// Whether it is the hour of the day, and nothing more of it.
    pub fn is_hour(&self) -> bool {
        matches!(self.steps.as_slice(), [Step::Time(TimeStep::TimeOfDay(time))] if time.is_hour())
    }
}

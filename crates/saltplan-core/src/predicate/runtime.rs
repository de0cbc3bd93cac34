//! Conditions on a key field whose values are known when the statement runs.

use crate::hiveql::Runtime;
use crate::key::field::FieldId;

/// The values of one key field as values that are not known yet: every row has one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeCondition {
    pub field: FieldId,
    /// Disjoint where the values are in the order that the statement checks before it runs.
    pub ranges: Vec<RuntimeRange>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuntimeRange {
    /// One text.
    Is(RuntimeValue),
    /// Times from one on and before another, in units of the field.
    Between { from: Option<RuntimeValue>, until: Option<RuntimeValue> },
}

/// A value that is filled in when the statement runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeValue {
    /// Of the parameter.
    pub name: String,
    pub given: Runtime,
    /// Units of the field that are added to it.
    pub moved: i64,
}

impl RuntimeValue {
    #[must_use]
    pub(crate) fn moved_by(&self, units: i64) -> Self {
        RuntimeValue { moved: self.moved.saturating_add(units), ..self.clone() }
    }
}

impl RuntimeRange {
    /// The one unit of a range.
    pub fn unit(value: &RuntimeValue) -> Self {
        RuntimeRange::Between { from: Some(value.clone()), until: Some(value.moved_by(1)) }
    }

    /// The value, where the range has only one.
    pub fn only(&self) -> Option<&RuntimeValue> {
        match self {
            RuntimeRange::Is(value) => Some(value),
            RuntimeRange::Between { from: Some(from), until: Some(until) } => {
                (*until == from.moved_by(1)).then_some(from)
            }
            RuntimeRange::Between { .. } => None,
        }
    }

    /// The values that its bounds are made of.
    pub fn values(&self) -> impl Iterator<Item = &RuntimeValue> {
        let (first, second) = match self {
            RuntimeRange::Is(value) => (Some(value), None),
            RuntimeRange::Between { from, until } => (from.as_ref(), until.as_ref()),
        };
        first.into_iter().chain(second)
    }
}

impl RuntimeCondition {
    /// All values of its bounds.
    pub fn values(&self) -> impl Iterator<Item = &RuntimeValue> {
        self.ranges.iter().flat_map(RuntimeRange::values)
    }

    /// The parameters as a predicate names them: `:from`, `:to`.
    pub fn names(&self) -> String {
        let mut names: Vec<String> = self.values().map(|value| format!("`:{}`", value.name)).collect();
        names.dedup();
        names.join(", ")
    }
}

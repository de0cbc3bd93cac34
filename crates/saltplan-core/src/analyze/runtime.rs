//! Conditions on a key field whose values are known when the statement runs.

use crate::key::field::{Field, FieldId, FieldKind};
use crate::key::zone::DayClock;
use crate::schema::model::Schema;
use saltplan_sql::Runtime;
use saltplan_sql::time::pattern::{Granularity, TimePattern};

/// Milliseconds of a day.
pub(crate) const DAY: i64 = 86_400_000;

/// The values of one key field as values that are not known yet: every row has one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeCondition {
    pub field: FieldId,
    /// Disjoint where the values are in the order that the statement checks before it runs.
    pub ranges: Vec<RuntimeRange>,
    /// The clock that shows the instants of the field, and the days that it is known for.
    pub clock: Option<DayClock>,
}

/// How a field stores days: whether it has a time of day as well.
pub(crate) fn has_time_of_day(field: &Field) -> bool {
    match &field.kind {
        FieldKind::Calendar(calendar) => calendar.format.granularity() > Granularity::Day,
        FieldKind::Epoch(_) => true,
        _ => false,
    }
}

/// Whether a value of a query is compared with an instant as the number that the field stores: nothing says that it has another form,
/// and Hive compares the number of an instant with nothing but numbers.
pub(crate) fn is_number_of_instant(given: &Runtime) -> bool {
    given.reads_all_otherwise() && given.format().is_none() && !given.is_instant()
}

/// The greatest character with which the next stored field can begin; `None` if there is no next field or it is binary.
pub(crate) fn greatest_behind(schema: &Schema, field: FieldId) -> Option<char> {
    let next = schema.key.stored().skip_while(|id| *id != field).nth(1)?;
    match &schema.key.fields[next].kind {
        FieldKind::Text(text) => Some(text.chars.greatest()),
        FieldKind::Calendar(calendar) => Some(calendar.format.greatest_char()),
        kind => kind.is_text_in_key().then_some('9'),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuntimeRange {
    /// One text.
    Is(RuntimeValue),
    /// Times from one on and before another.
    Between { from: Option<RuntimeValue>, until: Option<RuntimeValue> },
    /// Times in the same year, month or other unit as the value.
    Within { value: RuntimeValue, unit: Granularity },
}

/// A value that is filled in when the statement runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeValue {
    /// The name of the parameter.
    pub name: String,
    pub given: Runtime,
    /// Units of the field that are added to it; days where the field has a time of day.
    pub moved: i64,
    /// The time of day in milliseconds, where the field has one.
    pub time: i64,
    /// The day and the hour that it is joined of, where each is filled in on its own.
    pub parts: Vec<RuntimePart>,
}

/// A part of a value that is filled in on its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimePart {
    pub name: String,
    pub given: Runtime,
    /// The form of its text.
    pub pattern: TimePattern,
}

impl RuntimeValue {
    pub(crate) fn new(name: &str, given: &Runtime) -> Self {
        RuntimeValue { name: name.into(), given: given.clone(), moved: 0, time: 0, parts: Vec::new() }
    }

    #[must_use]
    pub(crate) fn moved_by(&self, units: i64) -> Self {
        RuntimeValue { moved: self.moved.saturating_add(units), ..self.clone() }
    }

    /// A time that many milliseconds later, less than a day.
    #[must_use]
    pub(crate) fn later_by(&self, milliseconds: i64) -> Self {
        let time = self.time + milliseconds;
        RuntimeValue { time: time.rem_euclid(DAY), ..self.moved_by(time.div_euclid(DAY)) }
    }
}

impl RuntimeRange {
    /// The one day, or the one unit of a field without a time of day.
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
            RuntimeRange::Between { .. } | RuntimeRange::Within { .. } => None,
        }
    }

    /// The value whose text tells all units of the range.
    pub fn fixed(&self) -> Option<&RuntimeValue> {
        match self {
            RuntimeRange::Within { value, unit: Granularity::Hour } => Some(value),
            _ => self.only(),
        }
    }

    /// The value with which the range starts. Two ranges of a list are disjoint if these values differ.
    pub fn first(&self) -> Option<&RuntimeValue> {
        match self {
            RuntimeRange::Is(value) | RuntimeRange::Within { value, .. } => Some(value),
            RuntimeRange::Between { from, .. } => from.as_ref(),
        }
    }

    /// The values that its bounds are made of.
    pub fn values(&self) -> impl Iterator<Item = &RuntimeValue> {
        let (first, second) = match self {
            RuntimeRange::Is(value) | RuntimeRange::Within { value, .. } => (Some(value), None),
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

    /// The coarsest unit of time that the ranges are made of whole; `None` for texts.
    pub(crate) fn unit(&self, field: &Field) -> Option<Granularity> {
        let finest = match &field.kind {
            FieldKind::Calendar(calendar) => calendar.format.granularity(),
            FieldKind::Epoch(_) => Granularity::Millisecond,
            _ => return None,
        };
        let is_number = |value: &RuntimeValue| {
            matches!(field.kind, FieldKind::Epoch(_)) && is_number_of_instant(&value.given)
        };
        let is_day = |value: &RuntimeValue| value.time == 0 && !value.given.is_instant() && !is_number(value);
        let of_values =
            if has_time_of_day(field) && self.values().all(is_day) { Granularity::Day } else { finest };
        let of_range = |range: &RuntimeRange| match range {
            RuntimeRange::Within { unit, .. } => *unit,
            _ => of_values,
        };
        self.ranges.iter().map(of_range).max()
    }

    /// The parameters as a predicate names them: `:from`, `:to`.
    pub fn names(&self) -> String {
        let mut names: Vec<String> = self.given().map(|(name, _)| format!("`:{name}`")).collect();
        names.dedup();
        names.join(", ")
    }

    /// The parameters with their texts.
    pub fn given(&self) -> impl Iterator<Item = (&str, &Runtime)> {
        self.values().flat_map(|value| {
            let whole = value.parts.is_empty().then_some((value.name.as_str(), &value.given));
            whole.into_iter().chain(value.parts.iter().map(|part| (part.name.as_str(), &part.given)))
        })
    }
}

//! Why rows cannot be generated.

use saltplan_core::key::ValueError;
use saltplan_core::key::chars::CharsError;
use saltplan_core::row::RowError;
use thiserror::Error;

/// The forms of values.
pub const FORMS: &str = "sequential(start, step), uniform(low, high), period(from, to), zipf(exponent, count, low), \
                         list(value: weight, …), text(width, characters)";

#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum WorkloadError {
    /// An error in the values of one field.
    #[error("`{field}`: {fault}")]
    Field { field: String, fault: Box<WorkloadError> },
    #[error("`{text}` is not one of {FORMS}")]
    UnknownForm { text: String },
    #[error("`{text}` is not {expected}")]
    Unreadable { text: String, expected: &'static str },
    #[error(transparent)]
    Value(#[from] ValueError),
    #[error("weights are numbers of at least 0, and not all of them 0")]
    Weights,
    #[error("only text fields can have random text")]
    NotText,
    #[error("{width} characters exceed the limit of {limit}")]
    TooWide { width: usize, limit: usize },
    #[error(transparent)]
    Characters(#[from] CharsError),
    #[error("the field has a list of values: use uniform, zipf or list")]
    ListedValues,
    #[error("`{field}` has no characters to generate text from")]
    NoCharactersOfField { field: String },
    #[error("`{field}` has {width} bytes, which cannot be filled with its characters of {bytes} bytes")]
    WidthNotFilled { field: String, width: usize, bytes: usize },
    #[error("has no values")]
    NoValues,
    #[error("a Zipf law needs an exponent above 0 and at least one value")]
    Zipf,
    #[error("{number} is outside the values of the field, {first} to {last}")]
    Outside { number: i128, first: i128, last: i128 },
    #[error("{low} is greater than {high}")]
    Reversed { low: i64, high: i64 },
    #[error("the period ends before it begins, or is empty")]
    EmptyPeriod,
    #[error("the list has no values")]
    EmptyList,
    #[error("there are no characters")]
    NoCharacters,
    #[error("`{field}` holds a hash of other fields, which generated rows do not have")]
    HashOfFields { field: String },
    /// A row has no key.
    #[error(transparent)]
    Row(#[from] RowError),
    #[error("`{field}` does not contain the {unit}")]
    CoarseField { field: String, unit: &'static str },
    #[error("`{field}` exceeds the calendar")]
    OutsideTheCalendar { field: String },
    #[error("the rows cover more than {most} slices of one {unit}")]
    TooManySlices { most: usize, unit: &'static str },
    #[error("no date or timestamp of the key advances with the rows")]
    NothingAdvances,
}

//! Why rows cannot be made.

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
    /// In the values of one field.
    #[error("`{field}`: {fault}")]
    Field { field: String, fault: Box<WorkloadError> },
    #[error("`{text}` is none of {FORMS}")]
    UnknownForm { text: String },
    #[error("`{text}` is not {expected}")]
    Unreadable { text: String, expected: &'static str },
    #[error(transparent)]
    Value(#[from] ValueError),
    #[error("weights are numbers from 0, not all of them 0")]
    Weights,
    #[error("only a text field has random text")]
    NotText,
    #[error("{width} characters are more than {limit}")]
    TooWide { width: usize, limit: usize },
    #[error(transparent)]
    Characters(#[from] CharsError),
    #[error("the field lists its values: use uniform, zipf or list")]
    ListedValues,
    #[error("`{field}` has no characters to make texts of")]
    NoCharactersOfField { field: String },
    #[error("`{field}` has {width} bytes, which no number of its characters of {bytes} bytes fills")]
    WidthNotFilled { field: String, width: usize, bytes: usize },
    #[error("has no values")]
    NoValues,
    #[error("a Zipf law needs an exponent above 0 and at least one value")]
    Zipf,
    #[error("{number} is outside the values of the field, {first} to {last}")]
    Outside { number: i128, first: i128, last: i128 },
    #[error("{low} lies above {high}")]
    Reversed { low: i64, high: i64 },
    #[error("the period ends before it begins, or is empty")]
    EmptyPeriod,
    #[error("the list has no values")]
    EmptyList,
    #[error("there are no characters")]
    NoCharacters,
    /// A row has no key.
    #[error(transparent)]
    Row(#[from] RowError),
    #[error("`{field}` does not tell the {unit}")]
    CoarseField { field: String, unit: &'static str },
    #[error("`{field}` leaves the calendar")]
    OutsideTheCalendar { field: String },
    #[error("the rows last for more than {most} slices of one {unit}")]
    TooManySlices { most: usize, unit: &'static str },
    #[error("no date or timestamp of the key advances with the rows")]
    NothingAdvances,
}

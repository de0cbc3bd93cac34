//! Values of a schema for comparing two versions, and their text.

use std::collections::BTreeSet;
use std::fmt;

use chrono::NaiveDateTime;

use saltplan_core::key::field::FieldKind;
use saltplan_core::key::range::to_string_binary;
use saltplan_core::key::salt::{Cut, InputSeparator, Reducer};

/// A value in a canonical form: equal values mean the same, and differences in notation do not matter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CanonicalValue {
    /// It exists.
    Present,
    Text(String),
    List(Vec<String>),
    Inputs(Vec<NamedInput>),
    InputSeparator(InputSeparator),
    Reducer(Reducer),
    /// How values are stored, without limits, see [`stored_form`](super::stored::stored_form).
    Form(FieldKind),
    Set(Set),
    /// From the first time to just before the second.
    Period(Option<Moment>, Option<Moment>),
    SplitKeys(Vec<Vec<u8>>),
}

/// An input of a salt with the name of its field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NamedInput {
    pub field: String,
    pub cut: Cut,
    pub lower: bool,
}

/// A set of characters or of values.
#[derive(Debug, Clone, PartialEq)]
pub enum Set {
    /// Sorted, disjoint, inclusive ranges of characters.
    Ranges(Vec<(char, char)>),
    Values(Vec<String>),
    /// From the first to the last number.
    Numbers(i64, i64),
    Everything,
}

/// A time, independent of how it is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Moment {
    Local(NaiveDateTime),
    /// Milliseconds since 1970-01-01 UTC.
    Instant(i128),
}

impl CanonicalValue {
    /// Bytes in HBase's text form, in quotes.
    pub fn bytes(bytes: &[u8]) -> Self {
        CanonicalValue::Text(format!("'{}'", to_string_binary(bytes)))
    }
}

impl Set {
    /// Whether every member of `other` is a member of this set.
    pub fn holds(&self, other: &Set) -> bool {
        match (self, other) {
            (Set::Everything, _) => true,
            (Set::Ranges(wide), Set::Ranges(narrow)) => {
                narrow.iter().all(|(first, last)| wide.iter().any(|(from, to)| from <= first && last <= to))
            }
            (Set::Numbers(least, greatest), Set::Numbers(from, to)) => least <= from && to <= greatest,
            (Set::Values(wide), Set::Values(narrow)) => {
                let wide: BTreeSet<&String> = wide.iter().collect();
                narrow.iter().all(|value| wide.contains(value))
            }
            _ => false,
        }
    }
}

/// The text of a value that has only one notation.
impl fmt::Display for CanonicalValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CanonicalValue::Present => f.write_str("there"),
            CanonicalValue::Text(text) => f.write_str(text),
            CanonicalValue::List(items) if items.is_empty() => f.write_str("none"),
            CanonicalValue::List(items) => f.write_str(&items.join(", ")),
            CanonicalValue::Inputs(inputs) => {
                let inputs: Vec<String> = inputs.iter().map(ToString::to_string).collect();
                f.write_str(&inputs.join(", "))
            }
            CanonicalValue::InputSeparator(separator) => separator.fmt(f),
            CanonicalValue::Reducer(reducer) => reducer.fmt(f),
            CanonicalValue::Form(kind) => f.write_str(&kind.describe()),
            // These are shown as the file writes them.
            CanonicalValue::Set(_) => f.write_str("some values"),
            CanonicalValue::Period(..) => f.write_str("some time"),
            CanonicalValue::SplitKeys(keys) => write!(f, "{} split keys", keys.len()),
        }
    }
}

impl fmt::Display for NamedInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.field)?;
        match &self.cut {
            Cut::Whole => Ok(()),
            Cut::First(count) => write!(f, " first {count}"),
            Cut::Last(count) => write!(f, " last {count}"),
            Cut::Bytes { from, to } => write!(f, " bytes [{from}, {to})"),
            Cut::Format(format) => write!(f, " as {}", format.pattern()),
            Cut::Original => f.write_str(" in its original form"),
        }?;
        f.write_str(if self.lower { " in lower case" } else { "" })
    }
}

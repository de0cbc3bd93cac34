//! Values of a schema as two versions are compared by them, and their words.

use std::collections::BTreeSet;
use std::fmt;

use chrono::NaiveDateTime;
use chrono_tz::Tz;

use saltplan_core::key::field::FieldKind;
use saltplan_core::key::range::to_string_binary;
use saltplan_core::key::salt::{Cut, Joint, Reduction, SaltWrite};

/// A value in its one canonical form: equal values mean the same, and different words alone make no difference.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CanonicalValue {
    /// It is there.
    Present,
    Flag(bool),
    Word(&'static str),
    Text(String),
    List(Vec<String>),
    Bytes(Vec<u8>),
    /// In bytes; any where there is none.
    Width(Option<usize>),
    Inputs(Vec<NamedInput>),
    Joint(Joint),
    Reduction(Reduction),
    Write(SaltWrite),
    /// How values become bytes, without what only limits them, see [`stored_form`](super::stored::stored_form).
    Form(FieldKind),
    Set(Set),
    /// From the first moment to before the second.
    Period(Option<Moment>, Option<Moment>),
    SplitKeys(Vec<Vec<u8>>),
    Zone(Tz),
}

/// An input of a salt by the name of its field.
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
    /// From the first number to the last one.
    Numbers(i64, i64),
    Everything,
}

/// A time that does not depend on how it is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Moment {
    Local(NaiveDateTime),
    /// Milliseconds since 1970-01-01 UTC.
    Instant(i128),
}

impl Set {
    /// Whether every member of `other` is a member of this one.
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

/// The words of a value that has one way to be told.
impl fmt::Display for CanonicalValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CanonicalValue::Present => f.write_str("there"),
            CanonicalValue::Flag(flag) => flag.fmt(f),
            CanonicalValue::Word(word) => f.write_str(word),
            CanonicalValue::Text(text) => f.write_str(text),
            CanonicalValue::List(items) if items.is_empty() => f.write_str("none"),
            CanonicalValue::List(items) => f.write_str(&items.join(", ")),
            CanonicalValue::Bytes(bytes) => write!(f, "'{}'", to_string_binary(bytes)),
            CanonicalValue::Width(Some(width)) => write!(f, "{width} bytes"),
            CanonicalValue::Width(None) => f.write_str("any"),
            CanonicalValue::Inputs(inputs) => {
                let inputs: Vec<String> = inputs.iter().map(ToString::to_string).collect();
                f.write_str(&inputs.join(", "))
            }
            CanonicalValue::Joint(joint) => joint.fmt(f),
            CanonicalValue::Reduction(reduction) => reduction.fmt(f),
            CanonicalValue::Write(write) => f.write_str(&write.describe()),
            CanonicalValue::Form(kind) => f.write_str(&kind.describe()),
            CanonicalValue::Zone(zone) => f.write_str(zone.name()),
            // The file has words of its own for these.
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
            Cut::Format(format) => write!(f, " as {}", format.pattern()),
        }?;
        f.write_str(if self.lower { " in lower case" } else { "" })
    }
}

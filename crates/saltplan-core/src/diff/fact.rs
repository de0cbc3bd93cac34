//! A fact: one property of a schema in a canonical spelling.

use super::{Class, Version};
use crate::diag::Span;

#[derive(Debug, Clone)]
pub struct Fact {
    /// Such as `key.fields.tel.width`.
    pub path: String,
    pub value: FactValue,
    pub span: Span,
    /// Path of keys and positions in the file, whether the file writes it or not.
    pub node: Vec<String>,
    pub subject: FactSubject,
}

/// What a fact is about, where several belong together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum FactSubject {
    #[default]
    Alone,
    Column {
        name: String,
        is_type: bool,
    },
    /// A column of the target, and the column that it hands on.
    TargetColumn {
        name: String,
        source: Option<String>,
        is_type: bool,
    },
    /// The names of all columns.
    Columns,
    /// The names of all columns of the target.
    TargetColumns,
}

#[derive(Debug, Clone)]
pub struct FactValue {
    /// Canonical: facts with the same text are the same.
    pub text: String,
    /// What a change of it breaks.
    pub class: Class,
    /// A set that the value stands for, where a wider one keeps stored rows readable.
    pub set: Option<Set>,
    /// What makes the value the same or another one where the text does not tell all of it.
    pub keys: Option<Vec<Vec<u8>>>,
    /// Whether it says that something is there at all.
    pub is_part: bool,
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

impl Set {
    /// Whether every member of `other` is a member of this one.
    fn holds(&self, other: &Set) -> bool {
        match (self, other) {
            (Set::Everything, _) => true,
            (Set::Ranges(wide), Set::Ranges(narrow)) => {
                narrow.iter().all(|(first, last)| wide.iter().any(|(from, to)| from <= first && last <= to))
            }
            (Set::Numbers(least, greatest), Set::Numbers(from, to)) => least <= from && to <= greatest,
            (Set::Values(wide), Set::Values(narrow)) => narrow.iter().all(|value| wide.contains(value)),
            _ => false,
        }
    }
}

impl FactValue {
    pub fn new(class: Class, text: impl Into<String>) -> Self {
        FactValue { text: text.into(), class, set: None, keys: None, is_part: false }
    }

    /// Something that a schema has or has not.
    pub fn part(class: Class) -> Self {
        FactValue { is_part: true, ..FactValue::new(class, "there") }
    }

    /// A set that values must lie in: to narrow it makes stored rows unreadable, to widen it changes plans only.
    pub fn set(text: impl Into<String>, set: Set) -> Self {
        FactValue { set: Some(set), ..FactValue::new(Class::Key, text) }
    }

    /// Split keys: `text` says as much of them as may be shown.
    pub fn split_keys(text: impl Into<String>, keys: &[Vec<u8>]) -> Self {
        FactValue { keys: Some(keys.to_vec()), ..FactValue::new(Class::Region, text) }
    }

    pub fn class_of_change(&self, new: &FactValue) -> Class {
        match (&self.set, &new.set) {
            (Some(old), Some(new)) if new.holds(old) => Class::Query,
            _ => self.class.max(new.class),
        }
    }
}

impl PartialEq for FactValue {
    fn eq(&self, other: &Self) -> bool {
        match (&self.set, &other.set, &self.keys, &other.keys) {
            (Some(one), Some(other), ..) => one == other,
            (.., Some(one), Some(other)) => one == other,
            _ => self.text == other.text,
        }
    }
}

/// The place of a node, or of the nearest one around it that is written.
pub fn nearest(version: &Version<'_>, path: &[String]) -> Span {
    for length in (1..=path.len()).rev() {
        let steps: Vec<&str> = path[..length].iter().map(String::as_str).collect();
        if let Some(span) = written(version, &steps) {
            return span;
        }
    }
    // The first key of the file stands for the file.
    let start = version.places.root().span.start;
    Span::new(start, start)
}

/// Key and value of an entry, or an item of a list.
fn written(version: &Version<'_>, path: &[&str]) -> Option<Span> {
    version.places.entry(path).or_else(|| version.places.node(path).map(|node| node.span))
}

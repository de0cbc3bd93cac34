//! A fact: one property of a schema.

use super::change::{Class, FactSubject};
use super::value::{CanonicalValue, Set};
use saltplan_core::table::Table;
use saltplan_document::diag::Span;

#[derive(Debug, Clone)]
pub(crate) struct SchemaFact {
    /// Such as `key.fields.tel.width`.
    pub path: String,
    pub value: FactValue,
    pub span: Span,
    /// The keys and positions that lead to it in the file, even if the file leaves it out.
    pub node: Vec<String>,
    pub subject: FactSubject,
}

/// What is compared, and how it is shown.
#[derive(Debug, Clone)]
pub(crate) struct FactValue {
    /// Facts with the same value are equal.
    pub value: CanonicalValue,
    /// On one line.
    pub text: String,
    /// What a change of it breaks.
    pub class: Class,
}

impl FactValue {
    pub fn new(class: Class, value: CanonicalValue) -> Self {
        FactValue { text: value.to_string(), value, class }
    }

    /// A value that is shown as the file writes it.
    pub fn told(class: Class, value: CanonicalValue, text: impl Into<String>) -> Self {
        FactValue { value, text: text.into(), class }
    }

    /// A set of allowed values: narrowing it makes stored rows unreadable, widening it only changes plans.
    pub fn set(text: impl Into<String>, set: Set) -> Self {
        FactValue::told(Class::Key, CanonicalValue::Set(set), text)
    }

    /// Whether the fact says that something exists at all.
    pub(crate) fn is_part(&self) -> bool {
        self.value == CanonicalValue::Present
    }

    pub(crate) fn class_of_change(&self, new: &FactValue) -> Class {
        match (&self.value, &new.value) {
            (CanonicalValue::Set(old), CanonicalValue::Set(new)) if new.holds(old) => Class::Query,
            _ => self.class.max(new.class),
        }
    }
}

/// The place of a node, or of the nearest enclosing one that is written.
pub fn nearest(table: &Table, path: &[String]) -> Span {
    for length in (1..=path.len()).rev() {
        let steps: Vec<&str> = path[..length].iter().map(String::as_str).collect();
        if let Some(span) = written(table, &steps) {
            return span;
        }
    }
    // The first key of the file represents the file.
    let start = table.places().root().span.start;
    Span::new(start, start)
}

/// The key and the value of an entry, or an item of a list.
fn written(table: &Table, path: &[&str]) -> Option<Span> {
    table.places().entry(path).or_else(|| table.places().node(path).map(|node| node.span))
}

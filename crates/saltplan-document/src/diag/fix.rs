//! Edits that fix the problem of a message.

use super::Span;

/// Edits of the text that a message refers to. They are applied together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What the edits do, in the imperative.
    pub title: String,
    /// In the order of the text, not overlapping.
    pub edits: Vec<Edit>,
    pub safety: Safety,
}

/// Replaces a span with `text`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

/// Whether a fix can be applied without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Safety {
    /// The meaning of the text stays the same, or only one meaning can have been intended.
    Safe,
    /// The meaning of the text changes, so a person should review it.
    Unsafe,
}

impl Fix {
    /// A fix that keeps the meaning.
    pub fn safe(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Fix { title: title.into(), edits, safety: Safety::Safe }
    }

    /// A fix that changes the meaning.
    pub fn changing(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Fix { title: title.into(), edits, safety: Safety::Unsafe }
    }
}

impl Edit {
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Edit { span, text: text.into() }
    }
}

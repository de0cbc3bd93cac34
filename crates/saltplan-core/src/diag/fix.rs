//! Edits that mend what a message is about.

use super::Span;

/// Edits of the text that a message points into, to be made all together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What the edits do, in the imperative.
    pub title: String,
    /// In the order of the text, not overlapping.
    pub edits: Vec<Edit>,
    pub safety: Safety,
}

/// Puts `text` in the place of a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

/// Whether a fix may be made without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Safety {
    /// What the text means stays the same, or only one thing can have been meant.
    Safe,
    /// The text means something else afterwards: a person has to look at it.
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

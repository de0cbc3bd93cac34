//! What a rule reports.

use super::rule::Rule;
use crate::diag::{Diagnostic, Severity, Span};

/// A fault that a rule found, with its place, and an edit that mends it where one is safe.
#[derive(Debug, Clone)]
pub struct Finding {
    pub rule: &'static Rule,
    pub diagnostic: Diagnostic,
    pub fix: Option<Fix>,
}

/// Edits that keep the meaning of the file, to be made all together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What the edits do, in the imperative.
    pub title: String,
    /// In the order of the file, not overlapping.
    pub edits: Vec<Edit>,
}

/// Puts `text` in the place of a span of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

impl Finding {
    /// Marks the cause of the fault.
    #[must_use]
    pub fn cause(mut self, span: Span, label: impl Into<String>) -> Self {
        self.diagnostic = self.diagnostic.with_label(span, label);
        self
    }

    /// One concrete edit or next step.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.diagnostic = self.diagnostic.with_help(help);
        self
    }

    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.diagnostic.severity = severity;
        self
    }

    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.fix = Some(Fix { title: title.into(), edits });
        self
    }

    /// The place of the fault; the start of the file for a fault of the file as a whole.
    pub fn span(&self) -> Span {
        self.diagnostic.labels.first().map(|label| label.span).unwrap_or_default()
    }
}

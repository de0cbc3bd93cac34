//! What a rule reports.

use super::rule::Rule;
use crate::diag::{Diagnostic, Edit, Fix, Severity, Span};

/// A fault that a rule found.
#[derive(Debug, Clone)]
pub struct Finding {
    pub rule: &'static Rule,
    pub diagnostic: Diagnostic,
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

    /// Edits that mend the fault and keep the meaning of the file.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.diagnostic = self.diagnostic.with_fix(Fix::safe(title, edits));
        self
    }

    /// Edits that mend the fault and change what the file means.
    #[must_use]
    pub fn unsafe_fix(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.diagnostic = self.diagnostic.with_fix(Fix::changing(title, edits));
        self
    }

    /// The place of the fault; the start of the file for a fault of the file as a whole.
    pub fn span(&self) -> Span {
        self.diagnostic.labels.first().map(|label| label.span).unwrap_or_default()
    }
}

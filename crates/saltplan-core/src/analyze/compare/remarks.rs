//! Remarks on constants that are compared.

use saltplan_document::diag::{Diagnostic, DiagnosticKind};

#[derive(Debug, Default)]
pub struct Remarks {
    /// On constants that are not values of the field. Their place is not set yet.
    pub warnings: Vec<Diagnostic>,
    /// Constants that the declaration of the field rejects although they could be read as its values: what is wrong with them.
    pub rejected: Vec<String>,
}

impl Remarks {
    pub(crate) fn is_empty(&self) -> bool {
        self.warnings.is_empty() && self.rejected.is_empty()
    }

    pub(crate) fn extend(&mut self, other: Remarks) {
        self.warnings.extend(other.warnings);
        self.rejected.extend(other.rejected);
    }

    /// On a constant that no value of the field can equal.
    pub(crate) fn no_row(&mut self, message: impl Into<String>) {
        self.warnings.push(Diagnostic::warning(message).with_kind(DiagnosticKind::ValueOfNoRow));
    }

    /// On a text that is compared in the order of texts, because the field cannot have it as a value.
    pub fn as_text(&mut self, message: impl Into<String>) {
        self.warnings.push(Diagnostic::warning(message).with_kind(DiagnosticKind::ComparedAsText));
    }
}

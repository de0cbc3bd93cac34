//! The errors of a [`Table`](super::Table). Programs outside of the workspace see a code, a message and a remedy.

use crate::refusal::Refusal;
use crate::render::RenderError;
use crate::render::templates::TemplateError;
use crate::row::RowError;
use saltplan_document::diag::{Diagnostic, Diagnostics};

/// Why there is no plan, or no statement of a plan.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct PlanError(#[from] PlanFault);

/// The causes of a [`PlanError`].
#[derive(Debug, thiserror::Error)]
pub enum PlanFault {
    /// The predicate or the split keys are invalid.
    #[error(transparent)]
    Invalid(#[from] Diagnostics),
    #[error("{0} ({help})", help = .0.help())]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Template(#[from] TemplateError),
}

impl PlanError {
    /// A stable name for programs, such as `full_scan` or `unknown_column`; see docs/json.md.
    pub fn code(&self) -> &'static str {
        match &self.0 {
            PlanFault::Invalid(errors) => errors.0.iter().find_map(Diagnostic::code).unwrap_or("invalid"),
            PlanFault::Refused(refusal) => refusal.code(),
            PlanFault::Template(_) => "template",
        }
    }

    /// What to change, for a plan that is refused.
    pub fn help(&self) -> Option<String> {
        match &self.0 {
            PlanFault::Refused(refusal) => Some(refusal.help()),
            _ => None,
        }
    }

    /// The errors in the predicate, with their places.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match &self.0 {
            PlanFault::Invalid(errors) => &errors.0,
            _ => &[],
        }
    }
}

impl From<Diagnostic> for PlanFault {
    fn from(error: Diagnostic) -> Self {
        PlanFault::Invalid(error.into())
    }
}

impl From<RenderError> for PlanFault {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Refused(refusal) => PlanFault::Refused(refusal),
            RenderError::Template(error) => PlanFault::Template(error),
        }
    }
}

/// Why a row has no row key, or why bytes are no row key of the table.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct KeyError(#[from] RowError);

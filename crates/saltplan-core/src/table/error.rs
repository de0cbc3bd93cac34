//! The error of a [`Table`](super::Table). Programs outside of the workspace see a code, a message and a remedy.

use crate::refusal::Refusal;
use crate::render::RenderError;
use crate::render::templates::TemplateError;
use crate::row::RowError;
use saltplan_document::diag::{Diagnostic, Diagnostics};

/// Why there is no plan, no statement of a plan, no row key of a row, or no row of a row key. The errors of a schema, a list of
/// [`Diagnostics`], become one too.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Cause);

#[derive(Debug, thiserror::Error)]
#[error(transparent)]
enum Cause {
    Plan(#[from] PlanFault),
    /// A row has no row key, or bytes are no row key of the table.
    Key(#[from] RowError),
}

/// Why there is no plan.
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

impl Error {
    /// A stable name for programs, such as `full_scan` or `unknown_column`; see docs/json.md. `row_key` if a row has no row key, or
    /// bytes are none.
    pub fn code(&self) -> &'static str {
        match &self.0 {
            Cause::Plan(PlanFault::Invalid(errors)) => {
                errors.0.iter().find_map(Diagnostic::code).unwrap_or("invalid")
            }
            Cause::Plan(PlanFault::Refused(refusal)) => refusal.code(),
            Cause::Plan(PlanFault::Template(_)) => "template",
            Cause::Key(_) => "row_key",
        }
    }

    /// What to change, for a plan that is refused.
    pub fn help(&self) -> Option<String> {
        match &self.0 {
            Cause::Plan(PlanFault::Refused(refusal)) => Some(refusal.help()),
            _ => None,
        }
    }

    /// The errors in the schema or the predicate, with their places.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match &self.0 {
            Cause::Plan(PlanFault::Invalid(errors)) => &errors.0,
            _ => &[],
        }
    }
}

impl From<PlanFault> for Error {
    fn from(fault: PlanFault) -> Self {
        Error(Cause::Plan(fault))
    }
}

impl From<RowError> for Error {
    fn from(error: RowError) -> Self {
        Error(Cause::Key(error))
    }
}

impl From<Diagnostics> for Error {
    fn from(errors: Diagnostics) -> Self {
        PlanFault::Invalid(errors).into()
    }
}

impl From<Diagnostic> for Error {
    fn from(error: Diagnostic) -> Self {
        PlanFault::from(error).into()
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

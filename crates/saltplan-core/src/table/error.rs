//! The error of a [`Table`](super::Table). Programs outside of the workspace see a code, a message and a remedy.

use crate::refusal::Refusal;
use crate::render::RenderError;
use crate::render::templates::TemplateError;
use crate::row::RowError;
use saltplan_document::diag::{Diagnostic, Diagnostics};

/// Why there is no table, no plan, no statement of a plan, no row key of a row, or no row of a row key.
///
/// If a text is wrong (a schema, a predicate, a query), [`Error::diagnostics`] has every error in it with its place. One value that is
/// wrong by itself, such as a time zone, is a [`Diagnostic`], which becomes an `Error` by `?`.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Cause);

#[derive(Debug, thiserror::Error)]
#[error(transparent)]
#[doc(hidden)]
pub enum Cause {
    Plan(#[from] PlanFault),
    /// A row has no row key, or bytes are no row key of the table.
    Key(#[from] RowError),
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanFault {
    /// A schema, a predicate, a query or split keys are invalid.
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

    /// The errors in a schema, a predicate or a query, with their places.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match &self.0 {
            Cause::Plan(PlanFault::Invalid(errors)) => &errors.0,
            _ => &[],
        }
    }

    #[doc(hidden)]
    pub fn into_cause(self) -> Cause {
        self.0
    }
}

/// The errors with their places; anything else is one error without a place.
impl From<Error> for Diagnostics {
    fn from(error: Error) -> Self {
        match error.0 {
            Cause::Plan(PlanFault::Invalid(errors)) => errors,
            Cause::Plan(PlanFault::Refused(refusal)) => {
                Diagnostic::error(refusal.to_string()).with_help(refusal.help()).into()
            }
            cause => Diagnostic::error(cause.to_string()).into(),
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

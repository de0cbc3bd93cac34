//! Why a command failed, and its exit code.

use std::process::ExitCode;

use super::reporter::Reporter;
use saltplan_core::refusal::Refusal;
use saltplan_core::render::{NameError, RenderError};
use saltplan_core::table::{Cause, Error, PlanFault};
use saltplan_document::diag::{Diagnostic, DiagnosticKind, Diagnostics};
use saltplan_project::remedy::{in_flags, in_flags_of};

/// The result of a command that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Clean,
    /// Exit code 1: findings, differences, or an interrupted run.
    Findings,
}

#[derive(Debug)]
pub enum Failure {
    /// Exit code 1.
    Refused(Refused),
    /// A refused plan, exit code 1. The remedy names options of the command.
    Plan(Refusal),
    /// Exit code 2.
    Invalid(Vec<Diagnostic>),
    /// Exit code 2.
    Other(anyhow::Error),
}

/// What was refused, and the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The stable code for programs.
    pub code: &'static str,
    pub reason: String,
    pub help: String,
}

impl Refused {
    /// `consequence` follows the reason.
    pub fn no_regions(consequence: &str, help: &str) -> Self {
        let reason = format!("the schema does not say how the table is split{consequence}");
        Refused { code: "no_regions", reason, help: help.into() }
    }
}

impl Failure {
    /// The failure as one message, with options of `plan` as its remedies.
    pub fn into_diagnostic(self) -> Diagnostic {
        self.told(in_flags)
    }

    fn told(self, help: impl Fn(&Refusal) -> String) -> Diagnostic {
        match self {
            Failure::Plan(refusal) => {
                let refused = Diagnostic::error(format!("refused: {refusal}")).with_help(help(&refusal));
                refused.with_kind(DiagnosticKind::Refused(refusal.code()))
            }
            Failure::Refused(Refused { code, reason, help }) => {
                let refused = Diagnostic::error(format!("refused: {reason}")).with_help(help);
                refused.with_kind(DiagnosticKind::Refused(code))
            }
            Failure::Invalid(mut diagnostics) if diagnostics.len() == 1 => diagnostics.swap_remove(0),
            Failure::Invalid(diagnostics) => Diagnostic::error(Diagnostics(diagnostics).to_string()),
            Failure::Other(error) => Diagnostic::error(format!("{error:#}")),
        }
    }

    pub fn report(self, reporter: &Reporter) -> ExitCode {
        let code = match &self {
            Failure::Refused(_) | Failure::Plan(_) => 1,
            // A reader that stops reading, as in `| head -1`, is not a failure.
            Failure::Other(error) if is_broken_pipe(error) => return ExitCode::SUCCESS,
            Failure::Invalid(_) | Failure::Other(_) => 2,
        };
        match self {
            Failure::Invalid(diagnostics) => reporter.errors(&diagnostics),
            failure => {
                let help = |refusal: &Refusal| in_flags_of(refusal, "plan", |flag| reporter.has_option(flag));
                reporter.error(&failure.told(help));
            }
        }
        ExitCode::from(code)
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Failure::Invalid(diagnostics.0)
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Failure::Invalid(vec![diagnostic])
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Failure::Other(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::Other(error.into())
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Failure::Refused(refused)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Failure::Plan(refusal)
    }
}

impl From<PlanFault> for Failure {
    fn from(error: PlanFault) -> Self {
        match error {
            PlanFault::Invalid(errors) => errors.into(),
            PlanFault::Refused(refusal) => refusal.into(),
            PlanFault::Template(error) => RenderError::from(error).into(),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error.into_cause() {
            Cause::Plan(fault) => fault.into(),
            Cause::Key(error) => Failure::Invalid(vec![Diagnostic::error(error.to_string())]),
        }
    }
}

impl From<NameError> for Failure {
    fn from(error: NameError) -> Self {
        Diagnostic::error(error.to_string()).with_help(error.help()).into()
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Refused(refusal) => refusal.into(),
            RenderError::Template(error) => Failure::Invalid(vec![Diagnostic::error(error.to_string())]),
            other => Failure::Other(other.into()),
        }
    }
}

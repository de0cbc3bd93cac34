//! Why a command did not do its work, and the exit code that says so.

use std::process::ExitCode;

use super::talk::Talk;
use saltplan_core::diag::{Diagnostic, Diagnostics};
use saltplan_core::render::{Refusal, RenderError};

/// How a command ended that did its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Clean,
    /// There is something to look at.
    Findings,
}

#[derive(Debug)]
pub enum Failure {
    /// Exit code 1.
    Refused(Refusal),
    /// Exit code 2.
    Invalid(Vec<Diagnostic>),
    /// Exit code 2.
    Other(anyhow::Error),
}

impl Failure {
    /// The failure as one message.
    pub fn into_diagnostic(self) -> Diagnostic {
        match self {
            Failure::Refused(refusal) => {
                Diagnostic::error(format!("refused: {}", refusal.reason)).with_help(refusal.help)
            }
            Failure::Invalid(mut told) if told.len() == 1 => told.swap_remove(0),
            Failure::Invalid(told) => Diagnostic::error(Diagnostics(told).to_string()),
            Failure::Other(error) => Diagnostic::error(format!("{error:#}")),
        }
    }

    pub fn report(self, talk: &Talk) -> ExitCode {
        match self {
            Failure::Refused(_) => {
                talk.error(&self.into_diagnostic());
                ExitCode::from(1)
            }
            Failure::Invalid(diagnostics) => {
                talk.errors(&diagnostics);
                ExitCode::from(2)
            }
            // A reader that has seen enough, as in `| head -1`, is no failure.
            Failure::Other(ref error) if is_broken_pipe(error) => ExitCode::SUCCESS,
            Failure::Other(_) => {
                talk.error(&self.into_diagnostic());
                ExitCode::from(2)
            }
        }
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

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Failure::Refused(refusal)
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Refused(refusal) => Failure::Refused(refusal),
            RenderError::Template(error) => Failure::Invalid(vec![Diagnostic::error(error.to_string())]),
        }
    }
}

//! What the program says on stderr.

use std::io::{IsTerminal, Write};

use super::args::{ColorChoice, Global};
use crate::diag::{self, Diagnostic, Style};

/// Width of messages where the terminal does not tell.
const DEFAULT_WIDTH: usize = 100;

/// Prints messages for people.
#[derive(Debug)]
pub struct Talk {
    quiet: bool,
    color: ColorChoice,
    style: Style,
}

impl Talk {
    pub fn new(global: &Global) -> Self {
        let color = match global.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                std::io::stderr().is_terminal()
                    && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        };
        let width =
            std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(DEFAULT_WIDTH);
        Talk { quiet: global.quiet, color: global.color, style: Style { color, width } }
    }

    /// How findings are drawn on standard output.
    pub fn stdout_style(&self) -> Style {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => std::io::stdout().is_terminal() && !plain,
        };
        Style { color, ..self.style }
    }

    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Warnings and remarks; nothing with `--quiet`.
    pub fn remarks(&self, diagnostics: &[Diagnostic]) {
        if !self.quiet {
            self.errors(diagnostics);
        }
    }

    pub fn warning(&self, message: impl Into<String>) {
        self.remarks(&[Diagnostic::warning(message)]);
    }

    pub fn note(&self, message: impl Into<String>) {
        self.remarks(&[Diagnostic::note(message)]);
    }

    pub fn error(&self, diagnostic: &Diagnostic) {
        self.errors(std::slice::from_ref(diagnostic));
    }

    pub fn errors(&self, diagnostics: &[Diagnostic]) {
        if !diagnostics.is_empty() {
            // Nobody is left to tell when stderr is closed.
            let _ = std::io::stderr().write_all(diag::render(diagnostics, self.style).as_bytes());
        }
    }
}

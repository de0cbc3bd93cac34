//! Messages on stderr, and properties of the terminal.

use std::cell::{Ref, RefCell};
use std::io::{IsTerminal, Write};

use clap::ColorChoice;

use super::args::{Global, MessageFormat, OutputArgs};
use super::inputs::Inputs;
use saltplan_document::diag::{self, Diagnostic, Severity, Style, json};
use saltplan_simulate::picture::Terminal;

/// The width of messages and tables if the terminal's width is unknown.
const DEFAULT_WIDTH: usize = 100;

/// The width of charts if the terminal's width is unknown, and the maximum number of lines of a chart.
const CHART_WIDTH: usize = 80;
const CHART_LINES: usize = 64;

/// Prints messages for people.
#[derive(Debug)]
pub struct Reporter {
    quiet: bool,
    color: ColorChoice,
    style: Style,
    format: MessageFormat,
    /// The files that were read.
    pub inputs: Inputs,
    /// The options of the command.
    options: Vec<String>,
    warnings: RefCell<Vec<Diagnostic>>,
}

impl Reporter {
    pub fn new(global: &Global, options: Vec<String>) -> Self {
        let color = is_colored(global.color, &std::io::stderr());
        let width = width_of(terminal_size::terminal_size_of(std::io::stderr())).unwrap_or(DEFAULT_WIDTH);
        Reporter {
            quiet: global.quiet,
            color: global.color,
            style: Style { color, width },
            format: global.message_format,
            inputs: Inputs::default(),
            options,
            warnings: RefCell::default(),
        }
    }

    /// The style of findings on standard output.
    pub fn stdout_style(&self) -> Style {
        Style { color: is_colored(self.color, &std::io::stdout()), ..self.style }
    }

    /// What standard output can show of a chart.
    pub fn terminal(&self) -> Terminal {
        let style = self.stdout_style();
        Terminal { width: width_of_stdout().unwrap_or(CHART_WIDTH), color: style.color, ..self.page() }
    }

    /// The width of text in characters, for the destination of the result.
    pub fn text_width(&self, output: &OutputArgs) -> usize {
        match output.output {
            Some(_) => DEFAULT_WIDTH,
            None => width_of_stdout().unwrap_or(DEFAULT_WIDTH),
        }
    }

    /// What a file can show of a chart.
    pub fn page(&self) -> Terminal {
        Terminal { width: CHART_WIDTH, unicode: takes_unicode(), color: false, lines: CHART_LINES }
    }

    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Prints warnings and notes; nothing with `--quiet`.
    pub fn remarks(&self, diagnostics: &[Diagnostic]) {
        let is_warning = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Warning;
        self.warnings.borrow_mut().extend(diagnostics.iter().filter(is_warning).cloned());
        if !self.quiet {
            self.errors(diagnostics);
        }
    }

    /// The warnings so far, also with `--quiet`, because results for programs contain them.
    pub fn warnings(&self) -> Ref<'_, [Diagnostic]> {
        Ref::map(self.warnings.borrow(), Vec::as_slice)
    }

    pub fn warning(&self, message: impl Into<String>) {
        self.remarks(&[Diagnostic::warning(message)]);
    }

    /// Whether the command has an option of this long name.
    pub fn has_option(&self, long: &str) -> bool {
        self.options.iter().any(|option| option == long)
    }

    pub fn note(&self, message: impl Into<String>) {
        self.remarks(&[Diagnostic::note(message)]);
    }

    pub fn error(&self, diagnostic: &Diagnostic) {
        self.errors(std::slice::from_ref(diagnostic));
    }

    pub fn errors(&self, diagnostics: &[Diagnostic]) {
        if diagnostics.is_empty() {
            return;
        }
        let text = match self.format {
            MessageFormat::Text => diag::render(diagnostics, self.style),
            MessageFormat::Json => {
                diagnostics.iter().map(|diagnostic| json::line(&json::told(diagnostic))).collect()
            }
        };
        // If stderr is closed, nobody can be notified.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

/// `COLUMNS`, or the width of the terminal.
fn width_of(size: Option<(terminal_size::Width, terminal_size::Height)>) -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.or_else(|| size.map(|(terminal_size::Width(width), _)| usize::from(width)))
}

fn width_of_stdout() -> Option<usize> {
    width_of(terminal_size::terminal_size_of(std::io::stdout()))
}

fn is_colored(choice: ColorChoice, stream: &impl IsTerminal) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    }
}

/// Whether the locale uses UTF-8, by the POSIX variables in their order.
fn takes_unicode() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

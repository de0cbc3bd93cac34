//! Messages for people: what is wrong, where, and what to write instead.
//!
//! All modules report problems as [`Diagnostic`]s and never print. A diagnostic has its own [`Source`], so
//! that messages about a schema file and about a predicate can be in the same list.

mod count;
mod fix;
mod full;
pub mod json;
mod suggest;
pub mod visible;

use std::fmt;
use std::sync::Arc;

pub use count::{counted, grouped};
pub use fix::{Edit, Fix, Safety};
pub use full::{Style, render};
pub use suggest::did_you_mean;

/// A half-open range of byte offsets in a [`Source`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

#[doc(hidden)]
impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The smallest span that contains both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A value together with its place in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spanned<T> {
    pub value: T,
    pub span: Span,
}

impl<T> Spanned<T> {
    pub fn new(value: T, span: Span) -> Self {
        Spanned { value, span }
    }
}

/// A text that messages refer to: a schema file, a predicate, a row of input.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// The path of the file, or a word such as `predicate`.
    pub name: String,
    pub text: String,
}

impl Source {
    #[doc(hidden)]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Source { name: name.into(), text: text.into() })
    }

    /// The line and the column of a byte offset, both counted from 1; columns are characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let before = &self.text[..full::floor_boundary(&self.text, offset)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Note,
    Warning,
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// A marked place with a short text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// The kind of problem, for programs that treat kinds differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum DiagnosticKind {
    #[default]
    Other,
    /// A key that has no meaning at its place.
    UnknownKey,
    /// A key, a name or a value that is given twice.
    Duplicate,
    /// Text without the quotes that it needs.
    Unquoted,
    /// Text that ends too early, at a comma that belongs to it.
    CutByComma,
    /// An HBase setting that HBase does not accept as it is written.
    Setting,
    /// A type that cannot represent the values.
    Mismatch,
    /// Numbers of a salt that do not fit into its bytes.
    Truncated,
    /// An error in a predicate.
    Predicate(PredicateFault),
    /// A value in a predicate that is outside the plausible values of the schema.
    ImplausibleValue,
    /// A day as the upper bound of a time.
    DayAsBound,
    /// A day of UTC for a field that has the days of another zone.
    DayOfUtc,
    /// A value in a predicate that no row can have.
    ValueOfNoRow,
    /// A text that is not a value of its field and is compared as text.
    ComparedAsText,
    /// A literal that a scheduler should have filled in.
    Unfilled,
    /// A refusal, with the code of its `Refusal` in `saltplan-core`.
    Refused(&'static str),
    /// A warning about printed text, with the code of its `Warning` in `saltplan-core`.
    Warned(&'static str),
}

/// What is wrong with a predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PredicateFault {
    /// Hive cannot parse it, or not unambiguously.
    Syntax,
    /// A name that is neither a key field nor a column.
    UnknownColumn,
    /// A value where a condition is expected.
    NoCondition,
    /// A parameter without a value, or a value without a parameter.
    Parameter,
    /// It is too long or too deeply nested.
    TooLong,
    /// A comparison of rows of values that cannot be split into single comparisons.
    RowsCompared,
    /// An argument whose type Hive does not accept for the function.
    Argument,
    /// A LIKE pattern that cannot be written without ESCAPE.
    Escape,
}

impl PredicateFault {
    /// The stable code of the error.
    pub fn code(self) -> &'static str {
        match self {
            PredicateFault::Syntax => "syntax",
            PredicateFault::UnknownColumn => "unknown_column",
            PredicateFault::NoCondition => "no_condition",
            PredicateFault::Parameter => "parameter",
            PredicateFault::TooLong => "predicate_too_long",
            PredicateFault::RowsCompared => "rows_compared",
            PredicateFault::Argument => "argument",
            PredicateFault::Escape => "escape",
        }
    }
}

impl DiagnosticKind {
    /// A stable code for programs.
    pub fn code(self) -> Option<&'static str> {
        match self {
            DiagnosticKind::Other => None,
            DiagnosticKind::UnknownKey => Some("unknown_key"),
            DiagnosticKind::Duplicate => Some("duplicate"),
            DiagnosticKind::Unquoted => Some("unquoted"),
            DiagnosticKind::CutByComma => Some("cut_by_comma"),
            DiagnosticKind::Setting => Some("setting"),
            DiagnosticKind::Mismatch => Some("misfit"),
            DiagnosticKind::Truncated => Some("truncated"),
            DiagnosticKind::Predicate(fault) => Some(fault.code()),
            DiagnosticKind::ImplausibleValue => Some("implausible_value"),
            DiagnosticKind::DayAsBound => Some("day_as_bound"),
            DiagnosticKind::DayOfUtc => Some("day_of_utc"),
            DiagnosticKind::ValueOfNoRow => Some("value_of_no_row"),
            DiagnosticKind::ComparedAsText => Some("compared_as_text"),
            DiagnosticKind::Unfilled => Some("unfilled"),
            DiagnosticKind::Refused(code) | DiagnosticKind::Warned(code) => Some(code),
        }
    }
}

/// A message about a schema, a predicate or a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    pub severity: Severity,
    #[doc(hidden)]
    pub kind: DiagnosticKind,
    pub message: String,
    /// The text that the labels refer to; `None` for a message about no text in particular.
    pub source: Option<Arc<Source>>,
    /// The first label marks the problem itself, the others its causes.
    pub labels: Vec<Label>,
    /// A concrete edit or next step.
    pub help: Option<String>,
    /// Boxed, because few messages have a fix.
    #[doc(hidden)]
    pub fix: Option<Box<Fix>>,
    /// The byte of the message at which [its reason](Diagnostic::reason) begins.
    #[doc(hidden)]
    pub reason_at: u32,
}

impl Diagnostic {
    /// The message without the names that it begins with, for another message that names them itself.
    #[doc(hidden)]
    pub fn reason(&self) -> &str {
        self.message.get(self.reason_at as usize..).unwrap_or(&self.message)
    }

    /// A stable name for programs, such as `unknown_column`; `None` for messages that only people read.
    pub fn code(&self) -> Option<&'static str> {
        self.kind.code()
    }

    /// The source text of a span.
    pub fn text(&self, span: Span) -> Option<&str> {
        self.source.as_ref()?.text.get(span.start..span.end)
    }
}

/// Built with [`Diagnostic::error`] and similar functions, and completed by the `with_…` methods.
#[doc(hidden)]
impl Diagnostic {
    fn new(severity: Severity, message: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            kind: DiagnosticKind::Other,
            message: message.into(),
            source: None,
            labels: Vec::new(),
            help: None,
            fix: None,
            reason_at: 0,
        }
    }

    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message)
    }

    pub fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message)
    }

    pub fn note(message: impl Into<String>) -> Self {
        Self::new(Severity::Note, message)
    }

    /// Marks the place of the problem.
    #[must_use]
    pub fn at(mut self, source: &Arc<Source>, span: Span, label: impl Into<String>) -> Self {
        self.source = Some(Arc::clone(source));
        self.labels.push(Label { span, text: label.into() });
        self
    }

    /// Marks another place in the same source, usually the cause.
    #[must_use]
    pub fn with_label(mut self, span: Span, label: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: label.into() });
        self
    }

    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the kind of an error in a predicate.
    #[must_use]
    pub fn with_fault(self, fault: PredicateFault) -> Self {
        self.with_kind(DiagnosticKind::Predicate(fault))
    }

    /// An error whose message says what it is about, and why: `about: reason`.
    pub fn error_because(about: &str, reason: &str) -> Self {
        let error = Diagnostic::error(format!("{about}: {reason}"));
        let start = error.message.len() - reason.len();
        Diagnostic { reason_at: u32::try_from(start).unwrap_or(0), ..error }
    }

    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    #[must_use]
    pub fn with_kind(mut self, kind: DiagnosticKind) -> Self {
        self.kind = kind;
        self
    }

    #[must_use]
    pub fn with_fix(mut self, fix: Fix) -> Self {
        self.fix = Some(Box::new(fix));
        self
    }

    /// Replaces the help with "did you mean" if a candidate is similar enough to what was written.
    #[must_use]
    pub fn with_suggestion<'a>(self, written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        match did_you_mean(written, candidates) {
            Some(candidate) => self.with_help(format!("did you mean `{candidate}`?")),
            None => self,
        }
    }
}

impl std::error::Error for Diagnostic {}

/// `file:line:column: severity: message`, for logs and tests.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(source), Some(label)) = (&self.source, self.labels.first()) {
            let (line, column) = source.line_column(label.span.start);
            write!(f, "{}:{line}:{column}: ", source.name)?;
        }
        write!(f, "{}: {}", self.severity, self.message)?;
        if let Some(help) = &self.help {
            write!(f, " ({help})")?;
        }
        Ok(())
    }
}

/// The error type of steps that report several problems at once; at least one of them is an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

/// Whether any message is an error.
pub fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

impl std::error::Error for Diagnostics {}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Diagnostics(vec![diagnostic])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_and_column_count_from_one_and_in_characters() {
        let source = Source::new("t", "ab\nçd\n");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(3), (2, 1));
        assert_eq!(source.line_column(5), (2, 2));
        assert_eq!(source.line_column(4), (2, 1));
        assert_eq!(source.line_column(99), (3, 1));
    }
}

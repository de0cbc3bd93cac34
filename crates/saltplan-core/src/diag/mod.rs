//! Messages for people: what is wrong, where, and what to write instead.
//!
//! Every room below `cli` reports problems as [`Diagnostic`]s and never prints. A diagnostic carries its own
//! [`Source`], so that a message about a schema file and one about a predicate can stand in one list.

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

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A value together with the place it was written at.
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

/// A text that messages can point into: a schema file, a predicate, a row of input.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// Path of the file, or a word such as `predicate`.
    pub name: String,
    pub text: String,
}

impl Source {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Source { name: name.into(), text: text.into() })
    }

    /// Line and column of a byte offset, both counted from 1, the column in characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
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

/// A marked place with a few words beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// What sort of fault a message is about, for programs that treat some of them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum DiagnosticKind {
    #[default]
    Other,
    /// A key that means nothing where it stands.
    UnknownKey,
    /// A key, a name or a value that is given again.
    Duplicate,
    /// Text whose quotes are missing where they are needed.
    Unquoted,
    /// Text that ends early, at a comma that belongs to it.
    CutByComma,
    /// A setting of HBase that HBase does not take as it is written.
    Setting,
    /// A type that does not hold the values.
    Misfit,
    /// Numbers of a salt that its bytes do not hold.
    Truncated,
    /// What is wrong with a predicate.
    Predicate(PredicateFault),
    /// A value of a predicate outside of what the schema calls plausible.
    ImplausibleValue,
    /// A day as the upper bound of a time.
    DayAsBound,
    /// A value of a predicate that no row has.
    ValueOfNoRow,
    /// A text that is no value of its field, compared in the order of texts.
    ComparedAsText,
    /// A literal that a scheduler should have filled in.
    Unfilled,
    /// What is not done though it could be, by the code of its [`Refusal`](crate::refusal::Refusal).
    Refused(&'static str),
    /// What is printed all the same, by the code of its [`Warning`](crate::warning::Warning).
    Warned(&'static str),
}

/// What is wrong with a predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PredicateFault {
    /// Hive cannot read it, or not in one way.
    Syntax,
    /// A name that is neither a key field nor a column.
    UnknownColumn,
    /// A value where a condition is expected.
    NoCondition,
    /// A parameter without a value, or a value without a parameter.
    Parameter,
    /// It is longer or deeper than is taken.
    TooLong,
    /// A comparison of rows of values that cannot be taken apart.
    RowsCompared,
    /// A function's argument of a type that Hive does not take.
    Argument,
    /// A pattern of LIKE that cannot be written without ESCAPE.
    Escape,
}

impl PredicateFault {
    /// The code of the fault, to rely on.
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
    /// A name that programs can rely on.
    pub fn code(self) -> Option<&'static str> {
        match self {
            DiagnosticKind::Other => None,
            DiagnosticKind::UnknownKey => Some("unknown_key"),
            DiagnosticKind::Duplicate => Some("duplicate"),
            DiagnosticKind::Unquoted => Some("unquoted"),
            DiagnosticKind::CutByComma => Some("cut_by_comma"),
            DiagnosticKind::Setting => Some("setting"),
            DiagnosticKind::Misfit => Some("misfit"),
            DiagnosticKind::Truncated => Some("truncated"),
            DiagnosticKind::Predicate(fault) => Some(fault.code()),
            DiagnosticKind::ImplausibleValue => Some("implausible_value"),
            DiagnosticKind::DayAsBound => Some("day_as_bound"),
            DiagnosticKind::ValueOfNoRow => Some("value_of_no_row"),
            DiagnosticKind::ComparedAsText => Some("compared_as_text"),
            DiagnosticKind::Unfilled => Some("unfilled"),
            DiagnosticKind::Refused(code) | DiagnosticKind::Warned(code) => Some(code),
        }
    }
}

/// One message. Built with [`Diagnostic::error`] and friends, then completed by the `with_…` methods.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    pub severity: Severity,
    pub kind: DiagnosticKind,
    pub message: String,
    /// The text the labels point into; a message about no text in particular has none.
    pub source: Option<Arc<Source>>,
    /// The first label marks the fault itself, the others its causes.
    pub labels: Vec<Label>,
    /// One concrete edit or next step.
    pub help: Option<String>,
    /// Boxed: few messages have one.
    pub fix: Option<Box<Fix>>,
}

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

    /// Marks the place of the fault.
    #[must_use]
    pub fn at(mut self, source: &Arc<Source>, span: Span, label: impl Into<String>) -> Self {
        self.source = Some(Arc::clone(source));
        self.labels.push(Label { span, text: label.into() });
        self
    }

    /// Marks a further place in the same source, usually the cause.
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

    /// Says what is wrong with a predicate.
    #[must_use]
    pub(crate) fn with_fault(self, fault: PredicateFault) -> Self {
        self.with_kind(DiagnosticKind::Predicate(fault))
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

    /// The text of a span of the source.
    pub fn text(&self, span: Span) -> Option<&str> {
        self.source.as_ref()?.text.get(span.start..span.end)
    }

    /// Says "did you mean" instead of the help so far, where a candidate is close enough to what was written.
    #[must_use]
    pub fn with_suggestion<'a>(self, written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        match did_you_mean(written, candidates) {
            Some(candidate) => self.with_help(format!("did you mean `{candidate}`?")),
            None => self,
        }
    }
}

impl std::error::Error for Diagnostic {}

/// `file:line:column: severity: message`, for logs and for tests.
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

/// What a step that can report several problems at once returns: at least one of them is an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

/// Whether one of some messages is an error.
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

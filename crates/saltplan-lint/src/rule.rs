//! What a rule is, and what it reports.

use super::context::Context;
use saltplan_core::diag::{Diagnostic, Edit, Fix, Severity, Span};

/// A rule: its check and its documentation, which `saltplan rule`, docs/rules.md and SARIF print.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// `SP` and three digits; the first digit is the family.
    pub code: &'static str,
    /// Kebab case.
    pub name: &'static str,
    /// Severity of its findings; single findings can be milder.
    pub severity: Severity,
    /// What it finds, in one sentence.
    pub summary: &'static str,
    /// What it costs when nothing is done, and what to do.
    pub why: &'static str,
    /// Where the trap was learned.
    pub learned: &'static str,
    /// Lines of a schema in which the rule fires; `»` and `«` stand around the text that it marks. Keys that every
    /// schema needs and the example leaves out are added by [`super::example`].
    pub fires: &'static str,
    /// The same lines, corrected.
    pub corrected: &'static str,
    #[doc(hidden)]
    pub check: Detector,
}

impl Rule {
    /// A rule whose text is a Markdown file of its own: code and name in the title, the summary below it, then a
    /// section for each other part.
    pub(crate) const fn new(severity: Severity, text: &'static str, check: Detector) -> Rule {
        let (_, text) = split(text, "# ");
        let (code, text) = split(text, " ");
        let (name, text) = split(text, "\n\n");
        let (summary, text) = split(text, "\n\n## Why\n\n");
        let (why, text) = split(text, "\n\n## Learned from\n\n");
        let (learned, text) = split(text, "\n\n## Fires\n\n```yaml\n");
        let (fires, text) = split(text, "```\n\n## Corrected\n\n```yaml\n");
        let (corrected, _) = split(text, "```\n");
        Rule { code, name, severity, summary, why, learned, fires, corrected, check }
    }

    /// Whether a selector means the rule: its code, the start of its code such as `SP2`, or its name.
    pub fn is_chosen_by(&self, selector: &str) -> bool {
        let code = selector.to_ascii_uppercase();
        code.len() >= 2 && self.code.starts_with(&code) || self.name == selector
    }

    /// A finding at a place of the file.
    pub(crate) fn at(
        &'static self,
        context: &Context<'_>,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Finding {
        let diagnostic = match self.severity {
            Severity::Error => Diagnostic::error(message),
            Severity::Warning => Diagnostic::warning(message),
            Severity::Note => Diagnostic::note(message),
        };
        Finding { rule: self, diagnostic: diagnostic.at(context.source, span, label) }
    }
}

/// The text before and after a mark. A rule without the mark does not compile.
#[expect(clippy::panic, reason = "it is evaluated by the compiler")]
const fn split(text: &'static str, mark: &str) -> (&'static str, &'static str) {
    let (bytes, wanted) = (text.as_bytes(), mark.as_bytes());
    let mut at = 0;
    while at + wanted.len() <= bytes.len() {
        let mut same = 0;
        while same < wanted.len() && bytes[at + same] == wanted[same] {
            same += 1;
        }
        if same == wanted.len() {
            let (before, rest) = text.split_at(at);
            return (before, rest.split_at(wanted.len()).1);
        }
        at += 1;
    }
    panic!("the text of a rule lacks a section");
}

/// Who looks for the fault.
#[derive(Debug)]
pub enum Detector {
    /// A function over the loaded schema.
    Schema(fn(&Context<'_>) -> Vec<Finding>),
    /// The loader, by the kinds of its messages.
    Loader,
    /// The engine, while it puts the findings of a file together.
    Engine,
}

/// A fault that a rule found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Finding {
    pub rule: &'static Rule,
    pub diagnostic: Diagnostic,
}

impl Finding {
    /// Marks the cause of the fault.
    #[must_use]
    pub(crate) fn cause(mut self, span: Span, label: impl Into<String>) -> Self {
        self.diagnostic = self.diagnostic.with_label(span, label);
        self
    }

    /// One concrete edit or next step.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.diagnostic = self.diagnostic.with_help(help);
        self
    }

    #[must_use]
    pub(crate) fn severity(mut self, severity: Severity) -> Self {
        self.diagnostic.severity = severity;
        self
    }

    /// Edits that mend the fault and keep the meaning of the file.
    #[must_use]
    pub(crate) fn fix(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.diagnostic = self.diagnostic.with_fix(Fix::safe(title, edits));
        self
    }

    /// Edits that mend the fault and change what the file means.
    #[must_use]
    pub(crate) fn unsafe_fix(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.diagnostic = self.diagnostic.with_fix(Fix::changing(title, edits));
        self
    }

    /// Whether the file does not load for it: nothing but a correction ends such a finding.
    #[doc(hidden)]
    pub fn is_of_loader(&self) -> bool {
        self.diagnostic.severity == Severity::Error && matches!(self.rule.check, Detector::Loader)
    }

    /// The place of the fault; the start of the file for a fault of the file as a whole.
    pub fn span(&self) -> Span {
        self.diagnostic.labels.first().map(|label| label.span).unwrap_or_default()
    }
}

/// `SP2`'s meaning and so on, by the first digit of the code.
pub const FAMILIES: [(&str, &str); 7] = [
    ("SP1", "Salt"),
    ("SP2", "Regions"),
    ("SP3", "Row key"),
    ("SP4", "Hive mapping table"),
    ("SP5", "Target table"),
    ("SP6", "HBase table"),
    ("SP9", "Schema file"),
];

//! The definition of a rule, and of its findings.

pub(crate) use super::context::Context;
use saltplan_core::key::field::{Field, FieldId};
use saltplan_core::schema::model::Family;
use saltplan_document::diag::{Diagnostic, Edit, Fix, Severity, Span};

/// A rule: its check and its documentation, for `saltplan rule`, docs/rules.md and SARIF.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// `SP` and three digits; the first digit is the family.
    pub code: &'static str,
    /// In kebab case.
    pub name: &'static str,
    /// The severity of its findings; single findings can be milder.
    pub severity: Severity,
    /// What it finds, in one sentence.
    pub summary: &'static str,
    /// Why it matters, and what to do.
    pub why: &'static str,
    /// The source of the rule.
    pub learned: &'static str,
    /// Lines of a schema in which the rule fires; `»` and `«` enclose the marked text. Keys that every schema
    /// needs and the example omits are added by [`super::example`].
    pub fires: &'static str,
    /// The same lines, corrected.
    pub corrected: &'static str,
    #[doc(hidden)]
    pub check: Detector,
}

impl Rule {
    /// A rule whose texts are in a Markdown file: code, name and severity in the title, followed by the
    /// summary, then one section for each other part.
    #[expect(clippy::panic, reason = "it is evaluated by the compiler")]
    pub(crate) const fn new(text: &'static str, check: Detector) -> Rule {
        let (_, text) = split(text, "# ");
        let (code, text) = split(text, " ");
        let (name, text) = split(text, " (");
        let (severity, text) = split(text, ")\n\n");
        let (summary, text) = split(text, "\n\n## Why\n\n");
        let (why, text) = split(text, "\n\n## Learned from\n\n");
        let (learned, text) = split(text, "\n\n## Fires\n\n```yaml\n");
        let (fires, text) = split(text, "```\n\n## Corrected\n\n```yaml\n");
        let (corrected, _) = split(text, "```\n");
        let severity = match severity.as_bytes() {
            b"error" => Severity::Error,
            b"warning" => Severity::Warning,
            b"note" => Severity::Note,
            _ => panic!("the title of a rule ends with its severity"),
        };
        Rule { code, name, severity, summary, why, learned, fires, corrected, check }
    }

    /// Whether a selector matches the rule: its code, a prefix of its code such as `SP2`, or its name.
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

/// How a rule finds its findings.
#[derive(Debug)]
pub enum Detector {
    /// A check of the loaded schema, with at most one finding.
    Schema(fn(&Context<'_>) -> Option<Finding>),
    /// A check of each column family.
    Family(fn(&Context<'_>, &Family) -> Option<Finding>),
    /// A check of each field that is stored in the key.
    Field(fn(&Context<'_>, FieldId, &Field) -> Option<Finding>),
    /// A check of the loaded schema, with any number of findings.
    Several(fn(&Context<'_>) -> Vec<Finding>),
    /// The loader of the schema reports it as a warning, which the audit turns into a finding.
    Loader,
    /// The audit itself reports it while it collects the findings of a file.
    Engine,
}

impl Detector {
    /// The findings of a check.
    pub(crate) fn run(&self, context: &Context<'_>) -> Vec<Finding> {
        match self {
            Detector::Schema(check) => check(context).into_iter().collect(),
            Detector::Family(check) => {
                context.schema.hbase.families.iter().filter_map(|family| check(context, family)).collect()
            }
            Detector::Field(check) => {
                context.stored_fields().filter_map(|(id, field)| check(context, id, field)).collect()
            }
            Detector::Several(check) => check(context),
            Detector::Loader | Detector::Engine => Vec::new(),
        }
    }
}

/// A finding of a rule.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Finding {
    pub rule: &'static Rule,
    pub diagnostic: Diagnostic,
}

impl Finding {
    /// Marks the cause.
    #[must_use]
    pub(crate) fn cause(self, span: Span, label: impl Into<String>) -> Self {
        self.cause_at(Some(span), label)
    }

    /// Marks the cause, if the file has it.
    #[must_use]
    pub(crate) fn cause_at(mut self, span: Option<Span>, label: impl Into<String>) -> Self {
        if let Some(span) = span {
            self.diagnostic = self.diagnostic.with_label(span, label);
        }
        self
    }

    /// A concrete edit or next step.
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

    /// Edits, if there are some, that fix the problem and keep the meaning of the file.
    #[must_use]
    pub(crate) fn fix(mut self, title: impl Into<String>, edits: Option<Vec<Edit>>) -> Self {
        if let Some(edits) = edits {
            self.diagnostic = self.diagnostic.with_fix(Fix::safe(title, edits));
        }
        self
    }

    /// Edits, if there are some, that fix the problem and change the meaning of the file.
    #[must_use]
    pub(crate) fn unsafe_fix(mut self, title: impl Into<String>, edits: Option<Vec<Edit>>) -> Self {
        if let Some(edits) = edits {
            self.diagnostic = self.diagnostic.with_fix(Fix::changing(title, edits));
        }
        self
    }

    /// Whether the file cannot be loaded because of it. Then only a correction removes the finding.
    #[doc(hidden)]
    pub fn is_of_loader(&self) -> bool {
        self.diagnostic.severity == Severity::Error && matches!(self.rule.check, Detector::Loader)
    }

    /// The place of the finding; the start of the file if it is about the whole file.
    pub fn span(&self) -> Span {
        self.diagnostic.labels.first().map(|label| label.span).unwrap_or_default()
    }
}

/// The meaning of `SP2` and the other families, by the first digit of the code.
pub const FAMILIES: [(&str, &str); 7] = [
    ("SP1", "Salt"),
    ("SP2", "Regions"),
    ("SP3", "Row key"),
    ("SP4", "Hive mapping table"),
    ("SP5", "Target table"),
    ("SP6", "HBase table"),
    ("SP9", "Schema file"),
];

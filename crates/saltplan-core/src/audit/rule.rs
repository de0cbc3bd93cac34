//! What a rule is.

use super::context::Context;
use super::finding::Finding;
use crate::diag::Severity;

/// A rule: its check and its documentation, which `saltplan rule`, docs/rules.md and SARIF print.
#[derive(Debug)]
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
    pub check: Detector,
}

impl Rule {
    /// Whether a selector means the rule: its code, the start of its code such as `SP2`, or its name.
    pub fn is_chosen_by(&self, selector: &str) -> bool {
        let code = selector.to_ascii_uppercase();
        code.len() >= 2 && self.code.starts_with(&code) || self.name == selector
    }
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

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
    pub check: Check,
}

/// Who looks for the fault.
#[derive(Debug)]
pub enum Check {
    /// A function over the loaded schema.
    Schema(fn(&Context<'_>) -> Vec<Finding>),
    /// The loader: its errors that start so.
    Loader(&'static [&'static str]),
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

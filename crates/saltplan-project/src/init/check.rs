//! Marks the audit's findings in a first draft.

use std::path::Path;

use saltplan_core::schema;
use saltplan_document::diag::{Diagnostic, Diagnostics, Severity, Source};
use saltplan_document::yaml;
use saltplan_lint::rule::Finding;

/// A draft with its findings marked.
#[derive(Debug)]
pub struct Checked {
    pub yaml: String,
    /// Warnings about the requested design, which are suppressed in the file.
    pub accepted: Vec<Finding>,
    /// Errors, which only a person can accept; the audit continues to report them.
    pub undecided: Vec<Finding>,
}

/// Marks the findings of a draft: a warning is suppressed at its line, and an error gets a comment above it
/// that says what to decide. `name` is the name of the file in messages, `origin` says where the design comes
/// from.
///
/// # Errors
/// The draft is not a valid schema.
pub fn check(name: &str, draft: &str, origin: &str) -> Result<Checked, Diagnostics> {
    let source = Source::new(name, draft);
    schema::load(&source)?;
    let mut marks = vec![Mark::default(); draft.lines().count() + 1];
    let mut accepted = Vec::new();
    for finding in findings(&source) {
        let line = source.line_column(finding.span().start).0;
        let Some(mark) = line.checked_sub(1).and_then(|line| marks.get_mut(line)) else { continue };
        if finding.diagnostic.severity == Severity::Error {
            mark.decide(&finding);
        } else {
            mark.suppress(&finding);
            accepted.push(finding);
        }
    }
    let lines = draft.lines().zip(&marks);
    let yaml: String = lines.map(|(line, mark)| mark.around(line, origin)).collect();
    let undecided = findings(&Source::new(name, yaml.as_str()));
    Ok(Checked { yaml, accepted, undecided })
}

/// Errors and warnings.
fn findings(source: &std::sync::Arc<Source>) -> Vec<Finding> {
    let findings = saltplan_lint::audit(source, Path::new(""), &|_| true).findings;
    findings.into_iter().filter(|finding| finding.diagnostic.severity >= Severity::Warning).collect()
}

/// The findings for a line.
#[derive(Debug, Clone, Default)]
struct Mark {
    above: Vec<String>,
    suppressed: Vec<&'static str>,
}

impl Mark {
    fn decide(&mut self, finding: &Finding) {
        let Diagnostic { message, help, .. } = &finding.diagnostic;
        let code = finding.rule.code;
        let lines = [
            Some(format!("please decide: {code} is an error: {message}")),
            help.as_ref().map(|help| format!("{help}; see `saltplan rule {code}`")),
        ];
        for line in lines.into_iter().flatten() {
            if !self.above.contains(&line) {
                self.above.push(line);
            }
        }
    }

    fn suppress(&mut self, finding: &Finding) {
        if !self.suppressed.contains(&finding.rule.code) {
            self.suppressed.push(finding.rule.code);
            self.suppressed.sort_unstable();
        }
    }

    /// The line with its comments.
    fn around(&self, line: &str, origin: &str) -> String {
        let indent = &line[..line.len() - line.trim_start().len()];
        let above = self.above.iter().map(|text| format!("{indent}# {}\n", yaml::comment(text)));
        let mut text: String = above.collect();
        text.push_str(line);
        if !self.suppressed.is_empty() {
            let codes = self.suppressed.join(", ");
            text.push_str(&format!("    # saltplan: ignore[{codes}] {origin}: check"));
        }
        text.push('\n');
        text
    }
}

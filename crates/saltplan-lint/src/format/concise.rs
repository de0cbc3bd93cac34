//! One line per finding: `path:line:column: severity SPnnn message`.

use std::fmt::Write;

use super::{findings, place};
use crate::FileReport;
use saltplan_document::diag::visible;

pub fn render(reports: &[FileReport]) -> String {
    let mut out = String::new();
    for (report, finding) in findings(reports) {
        let place = place(report, finding);
        let (severity, code) = (finding.diagnostic.severity, finding.rule.code);
        let _ = writeln!(out, "{place}: {severity} {code} {}", visible::line(&finding.diagnostic.message));
    }
    out
}

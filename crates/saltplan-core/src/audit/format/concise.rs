//! One line a finding: `path:line:column: severity SPnnn message`.

use std::fmt::Write;

use super::{findings, region};
use crate::audit::Report;
use crate::diag::visible;

pub fn render(reports: &[Report]) -> String {
    let mut out = String::new();
    for (report, finding) in findings(reports) {
        let place =
            region(finding).map_or(String::new(), |region| format!(":{}:{}", region.line, region.column));
        let (severity, code) = (finding.diagnostic.severity, finding.rule.code);
        let (path, message) = (visible::line(&report.path), visible::line(&finding.diagnostic.message));
        let _ = writeln!(out, "{path}{place}: {severity} {code} {message}");
    }
    out
}

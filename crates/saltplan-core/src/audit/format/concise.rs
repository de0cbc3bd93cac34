//! One line a finding: `path:line:column: severity SPnnn message`.

use std::fmt::Write;

use super::{findings, region};
use crate::audit::Report;

pub fn render(reports: &[Report]) -> String {
    let mut out = String::new();
    for (report, finding) in findings(reports) {
        let place =
            region(finding).map_or(String::new(), |region| format!(":{}:{}", region.line, region.column));
        let (severity, code) = (finding.diagnostic.severity, finding.rule.code);
        let _ = writeln!(out, "{}{place}: {severity} {code} {}", report.path, finding.diagnostic.message);
    }
    out
}

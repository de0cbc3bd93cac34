//! Workflow commands of GitHub Actions, which become annotations of a pull request.

use std::fmt::Write;

use super::{findings, plain_path, region};
use crate::FileReport;
use saltplan_document::diag::{Severity, visible};

pub fn render(reports: &[FileReport]) -> String {
    let mut out = String::new();
    for (report, finding) in findings(reports) {
        let command = match finding.diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let mut properties = format!("file={}", property(&visible::line(plain_path(report))));
        if let Some(region) = region(finding) {
            let _ = write!(properties, ",line={},endLine={}", region.line, region.end_line);
            // GitHub accepts columns only within one line.
            if region.line == region.end_line {
                let _ = write!(properties, ",col={},endColumn={}", region.column, region.end_column);
            }
        }
        let title = property(&format!("{} {}", finding.rule.code, finding.rule.name));
        let help = finding.diagnostic.help.as_ref();
        let help = help.map_or(String::new(), |help| format!("\n{}", visible::line(help)));
        let message = data(&format!("{}{help}", visible::line(&finding.diagnostic.message)));
        let _ = writeln!(out, "::{command} {properties},title={title}::{message}");
    }
    out
}

/// The text of a message on one line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value in the comma-separated properties of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

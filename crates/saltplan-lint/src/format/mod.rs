//! The output formats of findings, one file each.

pub mod concise;
pub mod full;
pub mod github;
pub mod gitlab;
pub mod json;
pub mod sarif;

use super::FileReport;
use super::rule::Finding;
use saltplan_document::diag::json::LineColumns;
use saltplan_document::diag::{Severity, visible};

/// All findings with their files, in the order of the reports.
fn findings(reports: &[FileReport]) -> impl Iterator<Item = (&FileReport, &Finding)> {
    reports.iter().flat_map(|report| findings_of(report).map(move |finding| (report, finding)))
}

fn findings_of(report: &FileReport) -> impl Iterator<Item = &Finding> {
    report.findings.iter()
}

/// `path:line:column`; only the path if the file cannot be read.
fn place(report: &FileReport, finding: &Finding) -> String {
    let path = visible::line(&report.path);
    match region(finding) {
        Some(region) => format!("{path}:{}:{}", region.line, region.column),
        None => path.into_owned(),
    }
}

/// The path in the form that services compare with their own: without a leading `./`.
fn plain_path(report: &FileReport) -> &str {
    report.path.strip_prefix("./").unwrap_or(&report.path)
}

/// The place of a finding; `None` if the file cannot be read.
fn region(finding: &Finding) -> Option<LineColumns> {
    let source = finding.diagnostic.source.as_ref()?;
    Some(LineColumns::new(source, finding.diagnostic.labels.first()?.span))
}

/// The numbers of errors, warnings and notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeverityCounts {
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
}

impl SeverityCounts {
    pub fn of(reports: &[FileReport]) -> Self {
        let mut counts = SeverityCounts::default();
        for (_, finding) in findings(reports) {
            match finding.diagnostic.severity {
                Severity::Error => counts.errors += 1,
                Severity::Warning => counts.warnings += 1,
                Severity::Note => counts.notes += 1,
            }
        }
        counts
    }
}

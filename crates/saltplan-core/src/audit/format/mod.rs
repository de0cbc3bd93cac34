//! Findings for people and for programs, one file a format.

pub mod concise;
pub mod full;
pub mod github;
pub mod gitlab;
pub mod json;
pub mod sarif;

use super::Report;
use super::finding::Finding;
use crate::diag::json::Place;
use crate::diag::{Severity, visible};

/// All findings with their files, in the order of the reports.
fn findings(reports: &[Report]) -> impl Iterator<Item = (&Report, &Finding)> {
    reports.iter().flat_map(|report| findings_of(report).map(move |finding| (report, finding)))
}

fn findings_of(report: &Report) -> impl Iterator<Item = &Finding> {
    report.findings.iter()
}

/// `path:line:column`; a file that cannot be read has no more than a path.
fn place(report: &Report, finding: &Finding) -> String {
    let path = visible::line(&report.path);
    match region(finding) {
        Some(region) => format!("{path}:{}:{}", region.line, region.column),
        None => path.into_owned(),
    }
}

/// The path as services compare it with their own: one below the current folder has no `./` in front.
fn plain_path(report: &Report) -> &str {
    report.path.strip_prefix("./").unwrap_or(&report.path)
}

/// The place of a finding; a file that cannot be read has none.
fn region(finding: &Finding) -> Option<Place> {
    let source = finding.diagnostic.source.as_ref()?;
    Some(Place::new(source, finding.diagnostic.labels.first()?.span))
}

/// How many errors, warnings and notes there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
}

impl Counts {
    pub fn of(reports: &[Report]) -> Self {
        let mut counts = Counts::default();
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

//! What was found in one file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::rule::Finding;
use saltplan_document::diag::{Severity, Source};

/// The findings of one file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FileReport {
    /// The path as given or found.
    pub path: String,
    /// The location of the file; `None` for text from elsewhere.
    pub file: Option<PathBuf>,
    /// `None` for a file that cannot be read.
    pub source: Option<Arc<Source>>,
    /// The sample keys that the schema refers to, if they were read.
    pub sample: Option<PathBuf>,
    /// Sorted by place, then by code.
    pub findings: Vec<Finding>,
}

impl FileReport {
    pub(super) fn new(source: &Arc<Source>, sample: Option<&Path>, findings: Vec<Finding>) -> Self {
        let mut report = FileReport {
            path: source.name.clone(),
            file: None,
            source: Some(Arc::clone(source)),
            sample: sample.map(Path::to_path_buf),
            findings,
        };
        report.sort();
        report
    }

    pub(super) fn sort(&mut self) {
        self.findings.sort_by_key(|finding| (finding.span(), finding.rule.code));
    }

    /// The worst severity of the findings.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.diagnostic.severity).max()
    }
}

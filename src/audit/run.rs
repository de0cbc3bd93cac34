//! Many files, in parallel, with the reports in the order of the files.

use std::path::Path;

use rayon::prelude::*;

use super::rule::Rule;
use super::walk::{self, Candidate};
use super::{Report, audit};
use crate::schema;

/// The reports of some files.
#[derive(Debug)]
pub struct Reports {
    /// In the order of the candidates.
    pub reports: Vec<Report>,
    /// YAML files in folders that are no schemas, and were left out.
    pub foreign: usize,
}

/// Audits all candidates on all cores.
pub fn audit_files(candidates: &[Candidate], selected: &(dyn Fn(&Rule) -> bool + Sync)) -> Reports {
    let reports: Vec<Option<Report>> =
        candidates.par_iter().map(|candidate| audit_file(candidate, selected)).collect();
    let foreign = reports.iter().filter(|report| report.is_none()).count();
    Reports { reports: reports.into_iter().flatten().collect(), foreign }
}

/// The report of a file; `None` for YAML of something else that was met in a folder.
fn audit_file(candidate: &Candidate, selected: &(dyn Fn(&Rule) -> bool + Sync)) -> Option<Report> {
    let folder = candidate.path.parent().unwrap_or(Path::new(""));
    match schema::read_file(&candidate.path) {
        Ok(source) if !candidate.named && walk::is_foreign(&source) => None,
        Ok(source) => Some(audit(&source, folder, selected)),
        Err(errors) => Some(Report::unreadable(candidate.path.display().to_string(), errors)),
    }
}

//! Audits many files in parallel; the reports are in the order of the files.

use std::path::{Path, PathBuf};

use rayon::iter::Either;
use rayon::prelude::*;

use super::rule::Rule;
use super::walk::{self, SchemaFile};
use super::{FileReport, audit};

/// The reports of some files.
#[derive(Debug)]
pub struct Reports {
    /// In the order of the candidates.
    pub reports: Vec<FileReport>,
    /// Files that were skipped because they are not schemas, in the order of the candidates.
    pub foreign: Vec<PathBuf>,
}

/// Audits all candidates on all cores.
pub fn audit_files(candidates: &[SchemaFile], selected: &(dyn Fn(&Rule) -> bool + Sync)) -> Reports {
    let (reports, foreign) =
        candidates.par_iter().partition_map(|candidate| match audit_file(candidate, selected) {
            Some(report) => Either::Left(report),
            None => Either::Right(candidate.path.clone()),
        });
    Reports { reports, foreign }
}

/// The report of a file; `None` if it is not a schema.
fn audit_file(candidate: &SchemaFile, selected: &(dyn Fn(&Rule) -> bool + Sync)) -> Option<FileReport> {
    let report = match candidate.read() {
        // Who names an empty file means a schema that has lost its content.
        Ok(source) if !(candidate.named && source.text.trim().is_empty()) && walk::is_foreign(&source) => {
            return None;
        }
        Ok(source) => audit(&source, folder_of(&candidate.path), selected),
        Err(_) if walk::is_foreign_file(&candidate.path) => return None,
        Err(errors) => FileReport::unreadable(candidate.path.display().to_string(), errors),
    };
    Some(FileReport { file: Some(candidate.path.clone()), ..report })
}

/// The folder that paths in a schema are relative to.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

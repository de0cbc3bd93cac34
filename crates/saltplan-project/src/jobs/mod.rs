//! Jobs files: many statements from one description, for `saltplan build`.
//!
//! `format` describes the file, `read` turns its nodes into jobs, `expand` lists the files of each job, and
//! `make` generates the text of one file. Defaults are resolved here. A text depends only on the jobs file,
//! its schemas and templates, and not on the current folder.

mod build;
mod common;
mod expand;
mod format;
mod header;
mod make;
pub mod missing;
mod model;
mod overlap;
mod pattern;
mod read;
mod rewrite;
mod stale;
mod tables;
mod values;

use std::path::Path;
use std::sync::Arc;

use saltplan_core::schema::json_schema;
use saltplan_document::diag::{Diagnostic, Diagnostics, Source, has_error};
use saltplan_document::files::bounds::check_named;
use saltplan_document::files::{self, ReadError};
use saltplan_document::yaml;

pub use build::{Build, JobStatement, QueryOfJob, Question};
pub use common::Fallback;
pub use expand::Item;
#[doc(hidden)]
pub use format::FILE as FORMAT;
pub use make::{JobFault, Made};
pub use model::Jobs;

/// The name of the jobs file of a folder.
pub const NAME: &str = "jobs.yaml";

/// The maximum size of a jobs file.
pub const MAX_BYTES: u64 = 64 << 20;

/// Jobs and the warnings about them.
#[derive(Debug)]
pub struct LoadedJobs {
    pub jobs: Jobs,
    pub warnings: Vec<Diagnostic>,
}

/// Reads a jobs file.
///
/// # Errors
/// The file cannot be read, or all errors that one pass finds.
pub fn read_file(path: &Path) -> Result<LoadedJobs, Diagnostics> {
    let name = path.display().to_string();
    check_named(path)?;
    let text = files::read_text(path, MAX_BYTES).map_err(|error| unreadable(&name, &error))?;
    load(&Source::new(name, files::without_mark(&text)))
}

/// Reads jobs from text.
///
/// # Errors
/// All the errors that one pass finds.
pub fn load(source: &Arc<Source>) -> Result<LoadedJobs, Diagnostics> {
    let (jobs, diagnostics) = read::load(source);
    match jobs {
        Some(jobs) if !has_error(&diagnostics) => Ok(LoadedJobs { jobs, warnings: diagnostics }),
        _ => Err(Diagnostics(diagnostics)),
    }
}

/// Whether a file has a key of jobs files, or a line that begins with one if it is not valid YAML.
pub fn is_jobs_file(source: &Arc<Source>) -> bool {
    match yaml::parse(&format::FILE, source).0 {
        Some(document) => ["version", "jobs"].iter().any(|key| document.root.entry(key).is_some()),
        None => source.text.lines().any(|line| line.starts_with("jobs:") || line.starts_with("version:")),
    }
}

/// The JSON schema of jobs files.
pub fn json_schema_text() -> String {
    json_schema::text_of(&format::FILE)
}

/// The format as tables for docs/jobs.md, by the name of their place in the text.
pub fn format_tables() -> Vec<(&'static str, String)> {
    use saltplan_document::tables::keys;
    vec![
        ("file", keys(&format::JobsKeys::MAP)),
        ("defaults", keys(&format::Defaults::MAP)),
        ("job", keys(&format::JobKeys::MAP)),
        ("runtime", keys(&format::RuntimeText::MAP)),
    ]
}

fn unreadable(name: &str, error: &ReadError) -> Diagnostic {
    let fault = Diagnostic::error(format!("cannot read `{name}`: {error}"));
    match error {
        ReadError::Missing => {
            fault.with_help("name a jobs file, or write one: it starts with the line `version: 1`")
        }
        ReadError::NotText { .. } => fault.with_help("save the file as UTF-8"),
        ReadError::Folder => fault.with_help("name a jobs file in it"),
        _ => fault,
    }
}

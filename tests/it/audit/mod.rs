//! The audit: rules by their own examples, the published designs, the formats, and broken files.

mod advice;
mod baseline;
mod designs;
mod families;
mod fixes;
mod formats;
mod fuzz;
pub mod json_schema;
mod paths;
mod rules;
mod suppressions;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use saltplan_document::diag::Source;
use saltplan_lint::FileReport;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All rules over a text.
fn audit_text(text: &str) -> FileReport {
    audit_source(&Source::new("example.yaml", text))
}

fn audit_source(source: &Arc<Source>) -> FileReport {
    saltplan_lint::audit(source, Path::new(""), &|_| true)
}

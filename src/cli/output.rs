//! Writes results to standard output or to a file as a whole, or compares them with a file.

use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::Context;

use super::args::OutputArgs;
use super::failure::{Failure, Outcome};
use super::inputs::{is_dash, text_of_output};
use super::reporter::Reporter;
use super::write::write_whole;
use saltplan_document::diag::{Diagnostic, visible};
use saltplan_project::settings;

/// The maximum size in bytes of a file that is compared with a result.
const MAX_CHECKED_BYTES: u64 = 1 << 28;

impl OutputArgs {
    /// Writes or compares a result.
    pub fn deliver(&self, text: &str, reporter: &Reporter) -> Result<Outcome, Failure> {
        match &self.output {
            Some(path) if self.check => check(text, path, reporter),
            path => write_result(text, path.as_deref(), reporter).map(|()| Outcome::Clean),
        }
    }
}

/// Writes a result to standard output (also named `-`), or as a whole to a file.
pub fn write_result(text: &str, path: Option<&Path>, reporter: &Reporter) -> Result<(), Failure> {
    match path {
        Some(path) if !is_dash(path) => write_file(path, text, reporter)?,
        _ => print(text)?,
    }
    Ok(())
}

/// What fails if standard output cannot be written.
pub const CANNOT_WRITE: &str = "cannot write the result";

/// Writes to standard output. If the reader stops, like `head -1`, printing ends, and the exit code is not
/// affected.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written.context(CANNOT_WRITE)?),
    }
}

/// Writes a file, which this command must not have read.
pub fn write_file(path: &Path, text: &str, reporter: &Reporter) -> Result<(), Failure> {
    no_dash(path)?;
    if path.file_name().is_some_and(|name| name == settings::NAME) {
        let error = Diagnostic::error(format!("`{}` is the name of the settings file", settings::NAME));
        return Err(error.with_help("write the result to a file of another name").into());
    }
    reporter.inputs.spare(path)?;
    write_whole(path, text.as_bytes())?;
    reporter.note(format!("wrote {}", path.display()));
    Ok(())
}

/// Refuses `-` for output that is written in addition to the result.
pub fn no_dash(path: &Path) -> Result<(), Diagnostic> {
    match is_dash(path) {
        true => Err(Diagnostic::error("`-` is standard output, which receives the result")
            .with_help("pass a file; `./-` is a file of that name")),
        false => Ok(()),
    }
}

/// Shows how a file differs from what would be written.
fn check(text: &str, path: &Path, reporter: &Reporter) -> Result<Outcome, Failure> {
    let current = current(path, MAX_CHECKED_BYTES)?;
    if current == text {
        return Ok(Outcome::Clean);
    }
    print(&unified(&current, text, path))?;
    let name = path.display().to_string();
    let name = visible::line(&name);
    reporter.note(format!("{name} is out of date; run without `--check` to update it"));
    Ok(Outcome::Findings)
}

/// The text of a file that is compared with a result; empty if there is no file.
pub fn current(path: &Path, limit: u64) -> Result<String, Diagnostic> {
    no_dash(path)?;
    if path.exists() { text_of_output(path, limit) } else { Ok(String::new()) }
}

/// How a file differs from its new text.
pub fn unified(current: &str, text: &str, path: &Path) -> String {
    let name = path.display().to_string();
    let name = visible::line(&name);
    let diff = similar::TextDiff::from_lines(current, text);
    diff.unified_diff().header(&name, &format!("{name} (new)")).to_string()
}

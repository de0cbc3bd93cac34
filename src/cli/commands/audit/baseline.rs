//! `--baseline` and `--write-baseline`: the file, and the names of schema files in its entries.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::AuditArgs;
use crate::cli::inputs::name_of as input_name;
use crate::cli::output::no_dash;
use crate::cli::write::write_whole;
use crate::cli::{Failure, Reporter};
use saltplan_document::diag::{Diagnostic, counted};
use saltplan_document::files::paths::{way, with_slashes};
use saltplan_lint::FileReport;
use saltplan_lint::baseline::{AcceptedFinding, Baseline, BaselineUse};
use saltplan_lint::rule::Rule;

/// Enough for a hundred thousand findings.
const MAX_BYTES: u64 = 32 << 20;

/// The baseline of a run, and the result of applying it to each file.
pub struct Accepted {
    baseline: Baseline,
    folder: PathBuf,
    outcomes: BTreeMap<String, BaselineUse>,
}

impl Accepted {
    /// Empty without `--baseline`.
    pub fn new(args: &AuditArgs, reporter: &Reporter) -> Result<Self, Failure> {
        let (baseline, folder) = match &args.baseline {
            Some(path) => (read(path, reporter)?, folder_of(path)?),
            None => (Baseline::default(), PathBuf::new()),
        };
        Ok(Accepted { baseline, folder, outcomes: BTreeMap::new() })
    }

    /// Removes the accepted findings from a report.
    pub fn apply(&mut self, report: &mut FileReport, selected: &dyn Fn(&Rule) -> bool) {
        if self.baseline.is_empty() {
            return;
        }
        let path = name_of(report, &self.folder);
        let outcome = self.baseline.apply(&path, report, selected);
        self.outcomes.insert(path, outcome);
    }

    /// The number of accepted findings.
    pub fn count(&self) -> usize {
        self.outcomes.values().map(|outcome| outcome.accepted).sum()
    }

    /// Reports entries that no longer have a finding. Entries of existing files that were not audited in this
    /// run are ignored.
    pub fn report_stale(&self, reporter: &Reporter) {
        let mut stale: Vec<&AcceptedFinding> =
            self.outcomes.values().flat_map(|outcome| &outcome.stale).collect();
        for path in self.baseline.paths() {
            if !self.outcomes.contains_key(path) && !self.folder.join(path).exists() {
                stale.extend(self.baseline.of_file(path));
            }
        }
        let Some(first) = stale.first() else { return };
        let files: BTreeSet<&str> = stale.iter().map(|entry| entry.path.as_str()).collect();
        let message = format!(
            "{} of the baseline, in {}, no longer {} a finding, such as {} in {}",
            counted(stale.len() as u128, "entry", "entries"),
            counted(files.len() as u128, "file", "files"),
            if stale.len() == 1 { "matches" } else { "match" },
            first.code,
            first.path,
        );
        let warning = Diagnostic::warning(message);
        reporter.remarks(&[warning.with_help("rewrite the baseline with `--write-baseline`")]);
    }
}

fn read(path: &Path, reporter: &Reporter) -> Result<Baseline, Failure> {
    const WAY_OUT: &str = "write it with `--write-baseline`";
    let text = reporter.inputs.text(path, MAX_BYTES).map_err(|error| error.with_help(WAY_OUT))?;
    Ok(Baseline::parse(&text).map_err(|reason| {
        Diagnostic::error(format!("`{}` is not a baseline: {reason}", input_name(path))).with_help(WAY_OUT)
    })?)
}

/// Writes all findings that can be accepted, and keeps the others in the reports.
pub fn write(path: &Path, reports: &mut [FileReport], reporter: &Reporter) -> Result<(), Failure> {
    no_dash(path)?;
    reporter.inputs.spare(path)?;
    let folder = folder_of(path)?;
    let mut baseline = Baseline::default();
    let mut refused = 0;
    for report in reports.iter() {
        refused += baseline.accept(&name_of(report, &folder), report);
    }
    write_whole(path, baseline.to_json().as_bytes())?;
    for report in reports.iter_mut() {
        baseline.apply(&name_of(report, &folder), report, &|_| true);
    }
    let accepted = format!(
        "wrote {} of {} to {}",
        counted(baseline.len() as u128, "finding", "findings"),
        counted(baseline.paths().len() as u128, "file", "files"),
        path.display()
    );
    reporter.note(match refused {
        0 => accepted,
        refused => {
            format!(
                "{accepted}; {} in schemas that cannot be loaded cannot be accepted",
                counted(refused as u128, "error", "errors")
            )
        }
    });
    Ok(())
}

/// The folder of a file that need not exist yet.
fn folder_of(path: &Path) -> Result<PathBuf, Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let found = folder.canonicalize();
    Ok(found.with_context(|| format!("there is no folder `{}` for the baseline", folder.display()))?)
}

/// The name of a report's file in entries: its path relative to the folder of the baseline, with `/` as
/// separator.
fn name_of(report: &FileReport, folder: &Path) -> String {
    let path = report.file.clone().unwrap_or_else(|| PathBuf::from(&report.path));
    let whole = path.canonicalize().or_else(|_| std::path::absolute(&path)).unwrap_or(path);
    with_slashes(&way(folder, &whole))
}

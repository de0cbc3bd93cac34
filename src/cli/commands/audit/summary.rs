//! The last line: the number of findings, and how many can be fixed.

use super::fixes::unsafe_fixes;
use crate::cli::reporter::Reporter;
use saltplan_document::diag::{Safety, counted};
use saltplan_lint::format::SeverityCounts;
use saltplan_lint::{FileReport, fix};

/// `accepted` is the number of findings in the baseline.
pub fn print(reports: &[FileReport], accepted: usize, reporter: &Reporter) {
    let SeverityCounts { errors, warnings, notes } = SeverityCounts::of(reports);
    let found = [(errors, "error", "errors"), (warnings, "warning", "warnings"), (notes, "note", "notes")];
    let found: Vec<String> = found
        .iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, more)| counted(*count as u128, one, more))
        .collect();
    let found = if found.is_empty() { "no findings".to_string() } else { found.join(", ") };
    let accepted = if accepted > 0 { format!(", {accepted} in the baseline") } else { String::new() };
    let files = counted(reports.len() as u128, "file", "files");
    reporter.note(format!("{files}: {found}{accepted}{}", fixable(reports)));
}

fn fixable(reports: &[FileReport]) -> String {
    let safe: usize = reports.iter().map(|report| fix::fixes(report, Safety::Safe).count()).sum();
    match (safe, unsafe_fixes(reports)) {
        (0, 0) => String::new(),
        (safe, 0) => format!(" ({safe} fixable with `--fix`)"),
        (0, more) => format!(" ({more} fixable with `--fix --unsafe-fixes`)"),
        (safe, more) => format!(" ({safe} fixable with `--fix`, {more} more with `--unsafe-fixes`)"),
    }
}

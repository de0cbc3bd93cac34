//! Each finding with its source lines, notes on one line each, and the number of findings per rule.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::{findings_of, place};
use crate::FileReport;
use crate::rule::{Finding, Rule};
use saltplan_document::diag::{Diagnostic, Safety, Severity, Style, counted, render};

/// How notes are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notes {
    /// On one line each, after the other findings of the file.
    #[default]
    Lines,
    /// Like the other findings.
    Drawn,
}

/// The messages as `diag` draws them, preceded by the code.
pub fn render_full(reports: &[FileReport], notes: Notes, style: Style) -> String {
    let mut out = String::new();
    let mut ends_with_notes = false;
    for report in reports {
        let is_drawn =
            |finding: &&Finding| notes == Notes::Drawn || finding.diagnostic.severity > Severity::Note;
        let (drawn, lines): (Vec<_>, Vec<_>) = findings_of(report).partition(is_drawn);
        let drawn: Vec<Diagnostic> = drawn.into_iter().map(with_code).collect();
        let lines: String = lines.into_iter().map(|note| render(&[line(report, note)], style)).collect();
        append(&mut out, &render(&drawn, style));
        // Notes of several files form one list.
        if ends_with_notes && drawn.is_empty() {
            out.push_str(&lines);
        } else {
            append(&mut out, &lines);
        }
        ends_with_notes = !lines.is_empty() || ends_with_notes && drawn.is_empty();
    }
    append(&mut out, &summary(reports));
    out
}

/// A block after a blank line.
fn append(out: &mut String, block: &str) {
    if !out.is_empty() && !block.is_empty() {
        out.push('\n');
    }
    out.push_str(block);
}

fn with_code(finding: &Finding) -> Diagnostic {
    let message = format!("{} {}", finding.rule.code, finding.diagnostic.message);
    let fixable = match finding.diagnostic.fix.as_ref().map(|fix| fix.safety) {
        Some(Safety::Safe) => " (`--fix` applies this)",
        Some(Safety::Unsafe) => " (`--fix --unsafe-fixes` applies this)",
        None => "",
    };
    let help = finding.diagnostic.help.as_ref().map(|help| format!("{help}{fixable}"));
    let mut diagnostic = finding.diagnostic.clone();
    (diagnostic.message, diagnostic.help) = (message, help);
    diagnostic
}

fn line(report: &FileReport, note: &Finding) -> Diagnostic {
    let code = note.rule.code;
    let message =
        format!("{code} {}: {} (`saltplan rule {code}`)", place(report, note), note.diagnostic.message);
    Diagnostic::note(message)
}

/// The number of findings per rule, the worst first.
#[derive(Default)]
struct RuleTally<'a> {
    by_severity: BTreeMap<Severity, usize>,
    files: BTreeSet<&'a str>,
}

/// One line per rule. A single finding needs none.
fn summary(reports: &[FileReport]) -> String {
    let mut tallies: BTreeMap<&str, (&Rule, RuleTally)> = BTreeMap::new();
    for report in reports {
        for finding in findings_of(report) {
            let (_, tally) =
                tallies.entry(finding.rule.code).or_insert_with(|| (finding.rule, RuleTally::default()));
            *tally.by_severity.entry(finding.diagnostic.severity).or_default() += 1;
            tally.files.insert(&report.path);
        }
    }
    let count = |tally: &RuleTally| tally.by_severity.values().sum::<usize>();
    let mut sorted: Vec<_> = tallies.into_values().collect();
    if sorted.iter().map(|(_, tally)| count(tally)).sum::<usize>() < 2 {
        return String::new();
    }
    sorted.sort_by_key(|(_, tally)| {
        let worst = tally.by_severity.keys().next_back().copied();
        std::cmp::Reverse((worst, count(tally)))
    });
    let mut out = String::new();
    for (rule, tally) in sorted {
        let counts =
            tally.by_severity.iter().rev().map(|(severity, count)| {
                counted(*count as u128, &severity.to_string(), &format!("{severity}s"))
            });
        let counts = counts.collect::<Vec<_>>().join(", ");
        let files = match tally.files.len() {
            1 => String::new(),
            files => format!(" in {}", counted(files as u128, "file", "files")),
        };
        let _ = writeln!(out, "{} {:27} {counts}{files}", rule.code, rule.name);
    }
    out
}

//! A comparison for the terminal.

use super::report::{DiffReport, described};
use saltplan_document::diag::{Source, Span, visible};
use saltplan_project::diff::Change;
use saltplan_project::diff::entry::{ChangeEntry, Headline};

pub fn text(report: &DiffReport<'_>) -> String {
    let (old, new) = (visible::line(&report.old.name), visible::line(&report.new.name));
    let mut text = format!("{old} -> {new}: {}\n", report.summary());
    if let Some((old, new)) = &report.tables {
        text.push_str(&format!(
            "these are different tables: {} and {}\n",
            visible::line(old),
            visible::line(new)
        ));
    }
    for (entry, accepted) in report.listed() {
        if let Some(change) = report.first(entry) {
            text.push_str(&told(report, entry, change, accepted));
        }
    }
    if let Some(rest) = report.not_shown() {
        text.push_str(&format!("\n… {rest}; `--output-format json` has all\n"));
    }
    for evidence in &report.comparison.evidence {
        text.push_str("\na row whose key changes:\n");
        for (name, value) in described(evidence) {
            text.push_str(&format!("  {name:9} {}\n", visible::line(&value)));
        }
    }
    text
}

fn told(report: &DiffReport<'_>, entry: &ChangeEntry, change: &Change, accepted: bool) -> String {
    let headline = entry.headline.text();
    let headline = headline.unwrap_or_else(|| format!("{}: {}", change.path, change.values()));
    let note = if accepted { "  (accepted)" } else { "" };
    let mut text = format!("\n{:9} {}{note}\n", entry.class.name(), visible::line(&headline));
    if let Some(target) = &entry.target {
        text.push_str(&format!("          target: {}\n", visible::line(target)));
    }
    if let Some(consequence) = report.consequence(entry) {
        text.push_str(&format!("          {}\n          ({})\n", consequence.text, consequence.source));
    }
    // A value that does not exist has no place.
    if !matches!(entry.headline, Headline::Added(_)) {
        text.push_str(&format!("          {}\n", place(report.old, change.old.span)));
    }
    if !matches!(entry.headline, Headline::Dropped(_)) {
        text.push_str(&format!("          {}\n", place(report.new, change.new.span)));
    }
    text
}

fn place(source: &Source, span: Span) -> String {
    let (line, column) = source.line_column(span.start);
    format!("{}:{line}:{column}", visible::line(&source.name))
}

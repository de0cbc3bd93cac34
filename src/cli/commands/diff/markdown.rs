//! A comparison for a comment on a pull request.

use super::report::{DiffReport, described};
use saltplan_document::diag::{Source, visible};
use saltplan_project::diff::entry::{ChangeEntry, Headline};
use saltplan_project::diff::{Change, Class, Side};

pub fn markdown(report: &DiffReport<'_>) -> String {
    let mut text = format!("### Schema changes: {}\n\n", report.summary());
    text.push_str(&format!("{} → {}\n", code(&report.old.name), code(&report.new.name)));
    if let Some((old, new)) = &report.tables {
        text.push_str(&format!("\nThese are different tables: {} and {}.\n", code(old), code(new)));
    }
    if report.comparison.changes.is_empty() {
        return text;
    }
    text.push_str("\n| class | what | old | new |\n|---|---|---|---|\n");
    for (entry, accepted) in report.listed() {
        if let Some(change) = report.first(entry) {
            text.push_str(&row(report, entry, change, accepted));
        }
    }
    if let Some(rest) = report.not_shown() {
        text.push_str(&format!("\n… {rest}; see the JSON form for all.\n"));
    }
    for evidence in &report.comparison.evidence {
        text.push_str("\n**Stored rows are affected.** A row whose key changes:\n\n| | |\n|---|---|\n");
        for (name, value) in described(evidence) {
            text.push_str(&format!("| {name} | {} |\n", code(&value)));
        }
    }
    text
}

fn row(report: &DiffReport<'_>, entry: &ChangeEntry, change: &Change, accepted: bool) -> String {
    let class = match (accepted, entry.class) {
        (true, class) => format!("{} (accepted)", class.name()),
        (false, class) if class >= Class::Region => format!("**{}**", class.name()),
        (false, class) => class.name().to_string(),
    };
    let target = entry.target.as_ref().map(|target| format!("; target: {}", code(target)));
    let what = entry.headline.text().unwrap_or_else(|| change.path.clone());
    let consequence = report.consequence(entry).map(|consequence| format!("; {}", consequence.text));
    let what = format!("{}{}{}", code(&what), target.unwrap_or_default(), consequence.unwrap_or_default());
    let (old, new) = match &entry.headline {
        Headline::Added(_) => (String::new(), line(report.new, &change.new)),
        Headline::Dropped(_) => (line(report.old, &change.old), String::new()),
        Headline::Changed => (cell(report.old, &change.old), cell(report.new, &change.new)),
    };
    format!("| {class} | {what} | {old} | {new} |\n")
}

fn line(source: &Source, side: &Side) -> String {
    format!("line {}", source.line_column(side.span.start).0)
}

/// A value with the line where it is written.
fn cell(source: &Source, side: &Side) -> String {
    let value = side.value.as_deref().map_or("none".to_string(), code);
    format!("{value} ({})", line(source, side))
}

/// Inline code from which no text can escape, neither its backquotes nor its cell of a table.
pub fn code(text: &str) -> String {
    let text = visible::line(text).replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

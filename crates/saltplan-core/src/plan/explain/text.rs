//! The explanation for people: a table if it fits, otherwise a paragraph per range.

use super::fold::{Folded, GroupStop, Line, SaltLines, Salts, fold};
use super::summary;
use crate::key::range::to_string_binary;
use crate::plan::{Note, Plan};
use crate::schema::model::Schema;
use saltplan_document::diag::{counted, grouped, visible};

/// The summary, the ranges, the residuals and the notes. Salts with the same ranges
/// are shown once, as `000..015`, and so are residuals. `salts` are those that rows can have, empty if there
/// are too many to list; `width` is the width of the page in characters.
#[must_use]
pub fn to_text(schema: &Schema, salts: &[Vec<u8>], plan: &Plan, width: usize) -> String {
    let mut text = format!("{}\n", summary(plan));
    let folded = fold(schema, salts, plan);
    if !folded.groups.is_empty() {
        let separator = schema.key.salt.as_ref().map_or(&[][..], |salt| &salt.separator);
        let rows: Vec<RangeLine> = folded.groups.iter().flat_map(|group| rows(group, separator)).collect();
        text.push('\n');
        text.push_str(&table(&rows, width).unwrap_or_else(|| paragraphs(&rows)));
    }
    text.push_str(&residuals(&folded));
    text.push_str(&notes(&plan.notes));
    text
}

/// A range as it is printed.
struct RangeLine {
    salt: String,
    /// 0 without a salt, and in further lines of the same salts.
    salts: usize,
    start: String,
    stop: String,
    regions: Option<usize>,
    residual: Option<usize>,
}

fn rows(group: &SaltLines, separator: &[u8]) -> Vec<RangeLine> {
    let (salt, salts, prefix) = match &group.salts {
        Salts::None => (String::new(), 0, String::new()),
        Salts::One(salt) => (to_string_binary(salt), 1, String::new()),
        Salts::Run { first, last, count } => (
            format!("{}..{}", to_string_binary(first), to_string_binary(last)),
            *count,
            placeholder(separator),
        ),
        Salts::All { count } => ("all".to_string(), *count, placeholder(separator)),
    };
    let lines = group.lines.iter().enumerate().map(|(index, line)| RangeLine {
        salt: if index == 0 { salt.clone() } else { String::new() },
        salts: if index == 0 { salts } else { 0 },
        start: start(line, &prefix),
        stop: stop(line, &prefix),
        regions: line.regions,
        residual: line.residual,
    });
    lines.collect()
}

fn placeholder(separator: &[u8]) -> String {
    format!("<salt>{}", to_string_binary(separator))
}

fn start(line: &Line, prefix: &str) -> String {
    match (line.start.is_empty(), prefix) {
        (true, "") => "(first key)".to_string(),
        _ => format!("{prefix}{}", to_string_binary(&line.start)),
    }
}

fn stop(line: &Line, prefix: &str) -> String {
    match &line.stop {
        GroupStop::Key(stop) => format!("{prefix}{}", to_string_binary(stop)),
        GroupStop::OneKey => "(one key)".to_string(),
        GroupStop::Open if prefix.is_empty() => "(open end)".to_string(),
        GroupStop::Open => "(end of the salt)".to_string(),
    }
}

/// The number of a residual, counted from 1.
fn number(residual: Option<usize>) -> String {
    residual.map(|index| (index + 1).to_string()).unwrap_or_default()
}

/// `None` if a line would be wider than the page.
fn table(rows: &[RangeLine], width: usize) -> Option<String> {
    let head = ["salt", "salts", "start", "stop", "regions", "residual"].map(str::to_string);
    let mut cells = vec![head];
    cells.extend(rows.iter().map(|row| {
        let salts = if row.salts > 0 { grouped(row.salts as u128) } else { String::new() };
        let regions = row.regions.map(|count| grouped(count as u128)).unwrap_or_default();
        [row.salt.clone(), salts, row.start.clone(), row.stop.clone(), regions, number(row.residual)]
    }));
    // Empty columns are omitted, and so is the number of salts if it is always one.
    let several = rows.iter().any(|row| row.salts > 1);
    let kept: Vec<usize> = (0..cells[0].len())
        .filter(|&c| cells[1..].iter().any(|row| !row[c].is_empty()) && (c != 1 || several))
        .collect();
    let widths: Vec<usize> =
        kept.iter().map(|&c| cells.iter().map(|row| row[c].chars().count()).max().unwrap_or(0)).collect();
    if widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1) > width {
        return None;
    }
    let mut text = String::new();
    for row in &cells {
        let cells = kept.iter().zip(&widths).map(|(&c, &width)| format!("{:width$}", row[c]));
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    Some(text)
}

/// Each range on its own lines, for keys that are too long for a table.
fn paragraphs(rows: &[RangeLine]) -> String {
    let mut text = String::new();
    for row in rows {
        if !row.salt.is_empty() {
            let count = counted(row.salts as u128, "salt", "salts");
            let count = if row.salts > 1 { format!(" ({count})") } else { String::new() };
            text.push_str(&format!("salt {}{count}\n", row.salt));
        }
        let mut facts = Vec::new();
        facts.extend(row.regions.map(|count| counted(count as u128, "region", "regions")));
        facts.extend(row.residual.map(|index| format!("residual {}", index + 1)));
        text.push_str(&format!("  start  {}\n  stop   {}\n", row.start, row.stop));
        if !facts.is_empty() {
            text.push_str(&format!("         {}\n", facts.join(", ")));
        }
    }
    text
}

fn residuals(folded: &Folded) -> String {
    if folded.residuals.is_empty() {
        return String::new();
    }
    let width = folded.residuals.len().to_string().len();
    let lines = folded
        .residuals
        .iter()
        .enumerate()
        .map(|(index, residual)| format!("  {:width$}  {}\n", index + 1, visible::line(residual)));
    format!("\nresiduals\n{}", lines.collect::<String>())
}

fn notes(notes: &[Note]) -> String {
    if notes.is_empty() {
        return String::new();
    }
    let width = notes.iter().map(|note| note.code().len()).max().unwrap_or(0);
    let lines =
        notes.iter().map(|note| format!("  {:width$}  {}\n", note.code(), visible::line(&note.to_string())));
    format!("\nnotes\n{}", lines.collect::<String>())
}

//! A comparison as JSON, with all changes.

use serde_json::{Value as Json, json};

use super::report::DiffReport;
use saltplan_document::diag::{Diagnostic, Source};
use saltplan_project::diff::Side;

/// The version of the JSON form.
const FORMAT_VERSION: u32 = 1;

pub fn json(report: &DiffReport<'_>, unused: &[Diagnostic]) -> Json {
    let changes = report.changes().map(|(change, accepted)| {
        json!({
            "class": change.class,
            "path": change.path,
            "accepted": accepted,
            "part_of": change.part_of,
            "consequence": change.consequence,
            "old": side(report.old, &change.old),
            "new": side(report.new, &change.new),
        })
    });
    let evidence = report.comparison.evidence.iter().map(|evidence| {
        json!({
            "row": evidence.row,
            "old_key": evidence.old_key,
            "new_key": evidence.new_key.as_ref().ok(),
            "reads_as": evidence.reads_as,
        })
    });
    json!({
        "format_version": FORMAT_VERSION,
        "old": report.old.name,
        "new": report.new.name,
        "changes": changes.collect::<Vec<Json>>(),
        "evidence": evidence.collect::<Vec<Json>>(),
        "unused_accepts": unused.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn side(source: &Source, side: &Side) -> Json {
    let (line, column) = source.line_column(side.span.start);
    let (end_line, end_column) = source.line_column(side.span.end);
    json!({
        "value": side.value,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    })
}

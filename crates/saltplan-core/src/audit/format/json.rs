//! All of a finding, for programs. `format_version` counts breaking changes.

use serde_json::{Value as Json, json};

use super::{Counts, Region, findings};
use crate::audit::Report;
use crate::audit::finding::Finding;
use crate::diag::{Fix, Label, Safety, Source};

pub fn render(reports: &[Report]) -> String {
    let counts = Counts::of(reports);
    let document = json!({
        "format_version": 1,
        "files": reports.len(),
        "errors": counts.errors,
        "warnings": counts.warnings,
        "notes": counts.notes,
        "findings": findings(reports).map(|(report, finding)| one(report, finding)).collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}

fn one(report: &Report, finding: &Finding) -> Json {
    let diagnostic = &finding.diagnostic;
    let source = diagnostic.source.as_deref();
    let labels: Vec<Json> = source
        .map(|source| diagnostic.labels.iter().map(|found| label(source, found)).collect())
        .unwrap_or_default();
    json!({
        "path": report.path,
        "code": finding.rule.code,
        "rule": finding.rule.name,
        "severity": diagnostic.severity.to_string(),
        "message": diagnostic.message,
        "labels": labels,
        "help": diagnostic.help,
        "fix": diagnostic.fix.as_deref().zip(source).map(|(found, source)| fix(source, found)),
    })
}

fn label(source: &Source, label: &Label) -> Json {
    let mut json = place(Region::new(source, label.span));
    if let Some(members) = json.as_object_mut() {
        members.insert("text".into(), label.text.clone().into());
    }
    json
}

fn place(region: Region) -> Json {
    json!({
        "line": region.line,
        "column": region.column,
        "end_line": region.end_line,
        "end_column": region.end_column,
    })
}

fn fix(source: &Source, fix: &Fix) -> Json {
    let edits = fix.edits.iter().map(|edit| {
        let mut json = place(Region::new(source, edit.span));
        if let Some(members) = json.as_object_mut() {
            members.insert("text".into(), edit.text.clone().into());
        }
        json
    });
    let safety = match fix.safety {
        Safety::Safe => "safe",
        Safety::Unsafe => "unsafe",
    };
    json!({ "title": fix.title, "safety": safety, "edits": edits.collect::<Vec<_>>() })
}

//! Findings as JSON. `format_version` counts breaking changes.

use serde_json::{Value as Json, json};

use super::{SeverityCounts, findings};
use crate::FileReport;
use crate::rule::Finding;
use saltplan_document::diag::json::{LineColumns, labels, pretty};
use saltplan_document::diag::{Fix, Safety, Source};

pub fn render(reports: &[FileReport]) -> String {
    let counts = SeverityCounts::of(reports);
    let document = json!({
        "format_version": 1,
        "files": reports.len(),
        "errors": counts.errors,
        "warnings": counts.warnings,
        "notes": counts.notes,
        "findings": findings(reports).map(|(report, finding)| one(report, finding)).collect::<Vec<_>>(),
    });
    pretty(&document)
}

fn one(report: &FileReport, finding: &Finding) -> Json {
    let diagnostic = &finding.diagnostic;
    let source = diagnostic.source.as_deref();
    json!({
        "path": report.path,
        "code": finding.rule.code,
        "rule": finding.rule.name,
        "severity": diagnostic.severity.to_string(),
        "message": diagnostic.message,
        "labels": labels(diagnostic),
        "help": diagnostic.help,
        "fix": diagnostic.fix.as_deref().zip(source).map(|(found, source)| fix(source, found)),
    })
}

fn fix(source: &Source, fix: &Fix) -> Json {
    let edits = fix.edits.iter().map(|edit| {
        let mut json = LineColumns::new(source, edit.span).to_json();
        json["text"] = edit.text.as_str().into();
        json
    });
    let safety = match fix.safety {
        Safety::Safe => "safe",
        Safety::Unsafe => "unsafe",
    };
    json!({ "title": fix.title, "safety": safety, "edits": edits.collect::<Vec<_>>() })
}

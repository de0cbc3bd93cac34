//! SARIF 2.1.0, the OASIS format for results of static analysis.

use serde_json::{Value as Json, json};

use super::{findings, plain_path};
use crate::FileReport;
use crate::example;
use crate::rule::{Finding, Rule};
use crate::rules;
use saltplan_document::diag::json::{LineColumns, pretty};
use saltplan_document::diag::{Fix, Label, Source};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub fn render(reports: &[FileReport]) -> String {
    let results: Vec<Json> = findings(reports).map(|(report, finding)| result(report, finding)).collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "saltplan",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules::all().iter().map(|found| rule(found)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    pretty(&document)
}

fn rule(rule: &Rule) -> Json {
    let markdown = format!(
        "{}\n\nFires:\n\n```yaml\n{}```\n\nInstead:\n\n```yaml\n{}```\n",
        rule.why,
        example::lines(rule.fires),
        rule.corrected
    );
    json!({
        "id": rule.code,
        "name": rule.name,
        "shortDescription": { "text": rule.summary },
        "fullDescription": { "text": rule.why },
        "help": { "text": rule.why, "markdown": markdown },
        "defaultConfiguration": { "level": rule.severity.to_string() },
    })
}

fn result(report: &FileReport, finding: &Finding) -> Json {
    let diagnostic = &finding.diagnostic;
    let source = diagnostic.source.as_deref();
    let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
    let primary = source.zip(diagnostic.labels.first());
    let mut result = json!({
        "ruleId": finding.rule.code,
        "ruleIndex": rules::all().iter().position(|rule| rule.code == finding.rule.code),
        "level": diagnostic.severity.to_string(),
        "message": { "text": format!("{}{help}", diagnostic.message) },
        "locations": [location(plain_path(report), primary)],
    });
    let causes = diagnostic.labels.iter().skip(1).enumerate();
    let related: Vec<Json> = causes
        .filter_map(|(index, label)| Some(related(plain_path(report), source?, label, index + 1)))
        .collect();
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    if let Some((found, source)) = diagnostic.fix.as_deref().zip(source) {
        result["fixes"] = json!([fix(plain_path(report), source, found)]);
    }
    result
}

fn location(path: &str, label: Option<(&Source, &Label)>) -> Json {
    let mut physical = json!({ "artifactLocation": { "uri": uri(path) } });
    if let Some((source, label)) = label {
        physical["region"] = region(LineColumns::new(source, label.span));
    }
    json!({ "physicalLocation": physical })
}

fn related(path: &str, source: &Source, label: &Label, id: usize) -> Json {
    let mut location = location(path, Some((source, label)));
    location["id"] = id.into();
    location["message"] = json!({ "text": label.text });
    location
}

fn region(place: LineColumns) -> Json {
    json!({
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    })
}

fn fix(path: &str, source: &Source, fix: &Fix) -> Json {
    let replacements = fix.edits.iter().map(|edit| {
        json!({
            "deletedRegion": region(LineColumns::new(source, edit.span)),
            "insertedContent": { "text": edit.text },
        })
    });
    json!({
        "description": { "text": fix.title },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(path) },
            "replacements": replacements.collect::<Vec<_>>(),
        }],
    })
}

/// A path as a relative reference. Characters that RFC 3986 does not allow are percent-encoded.
fn uri(path: &str) -> String {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=@".contains(&byte);
    let mut uri = String::with_capacity(path.len());
    for byte in path.replace(std::path::MAIN_SEPARATOR, "/").bytes() {
        if allowed(byte) { uri.push(char::from(byte)) } else { uri.push_str(&format!("%{byte:02X}")) }
    }
    if path.starts_with('/') { format!("file://{uri}") } else { uri }
}

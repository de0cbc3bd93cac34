//! SARIF 2.1.0, the OASIS format for results of static analysis.

use serde_json::{Map, Value as Json, json};

use super::{findings, plain_path};
use crate::FileReport;
use crate::example;
use crate::rule::{Finding, Rule};
use crate::rules;
use saltplan_core::diag::json::{LineColumns, pretty};
use saltplan_core::diag::{Fix, Label, Severity, Source};

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

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
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
        "defaultConfiguration": { "level": level(rule.severity) },
    })
}

fn result(report: &FileReport, finding: &Finding) -> Json {
    let diagnostic = &finding.diagnostic;
    let source = diagnostic.source.as_deref();
    let mut result = Map::new();
    result.insert("ruleId".into(), finding.rule.code.into());
    let index = rules::all().iter().position(|rule| rule.code == finding.rule.code);
    result.insert("ruleIndex".into(), index.into());
    result.insert("level".into(), level(diagnostic.severity).into());
    let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
    result.insert("message".into(), json!({ "text": format!("{}{help}", diagnostic.message) }));
    let primary = source.zip(diagnostic.labels.first());
    result.insert("locations".into(), json!([location(plain_path(report), primary)]));
    let causes = diagnostic.labels.iter().skip(1).enumerate();
    let related: Vec<Json> = causes
        .filter_map(|(index, label)| Some(related(plain_path(report), source?, label, index + 1)))
        .collect();
    if !related.is_empty() {
        result.insert("relatedLocations".into(), related.into());
    }
    if let Some((found, source)) = diagnostic.fix.as_deref().zip(source) {
        result.insert("fixes".into(), json!([fix(plain_path(report), source, found)]));
    }
    Json::Object(result)
}

fn location(path: &str, label: Option<(&Source, &Label)>) -> Json {
    let mut physical = json!({ "artifactLocation": { "uri": uri(path) } });
    if let (Some((source, label)), Some(members)) = (label, physical.as_object_mut()) {
        members.insert("region".into(), region(LineColumns::new(source, label.span)));
    }
    json!({ "physicalLocation": physical })
}

fn related(path: &str, source: &Source, label: &Label, id: usize) -> Json {
    let mut location = location(path, Some((source, label)));
    if let Some(members) = location.as_object_mut() {
        members.insert("id".into(), id.into());
        members.insert("message".into(), json!({ "text": label.text }));
    }
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

//! The machine-readable formats, with the findings of every rule and of unreadable files.

use std::collections::BTreeSet;

use saltplan_core::schema::source_from_bytes;
use saltplan_document::diag::Source;
use saltplan_lint::format::{SeverityCounts, concise, github, gitlab, json, sarif};
use saltplan_lint::{FileReport, audit, example, rules};
use serde_json::Value as Json;

use super::root;

/// Findings of all kinds, in files with unusual names.
fn reports() -> Vec<FileReport> {
    let mut reports: Vec<FileReport> = rules::all()
        .iter()
        .map(|rule| {
            let name = format!("schemas/{} 100%, ü:#?[1].yaml", rule.code);
            audit(&Source::new(name, example::schema(rule.fires).0), root().as_path(), &|_| true)
        })
        .collect();
    for (name, bytes) in [("broken.yaml", b"a: \xFF".to_vec()), ("/large.yaml", vec![b' '; 2 << 20])] {
        let errors = source_from_bytes(name, bytes).expect_err("not a schema");
        reports.push(FileReport::unreadable(name.to_string(), errors));
    }
    reports
}

fn count(reports: &[FileReport]) -> usize {
    reports.iter().map(|report| report.findings.len()).sum()
}

#[test]
fn sarif_is_valid() {
    let schema = std::fs::read_to_string(root().join("tests/testdata/sarif/sarif-schema-2.1.0.json"));
    // The pattern of `language`, which is not used, is not a valid ECMA 262 regular expression: it has an
    // extra bracket.
    let schema = schema.expect("the schema of SARIF").replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema: Json = serde_json::from_str(&schema).expect("JSON");
    let validator = jsonschema::draft7::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("a schema of draft-07");
    for reports in [Vec::new(), reports()] {
        let log: Json = serde_json::from_str(&sarif::render(&reports)).expect("JSON");
        let faults: Vec<String> =
            validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(faults.is_empty(), "{faults:#?}");
        assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(count(&reports)));
    }
}

#[test]
fn sarif_results_point_at_their_rules() {
    let log: Json = serde_json::from_str(&sarif::render(&reports())).expect("JSON");
    let run = &log["runs"][0];
    for result in run["results"].as_array().expect("results") {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert!(region.is_null() || region["startLine"].as_u64() >= Some(1), "{result}");
    }
}

#[test]
fn one_line_a_finding() {
    let reports = reports();
    for text in [concise::render(&reports), github::render(&reports)] {
        assert_eq!(text.lines().count(), count(&reports), "{text}");
    }
    for line in github::render(&reports).lines() {
        let (command, message) =
            line.strip_prefix("::").and_then(|rest| rest.split_once("::")).expect("a command");
        assert!(["error ", "warning ", "notice "].iter().any(|start| command.starts_with(start)), "{line}");
        assert!(!message.is_empty() && command.matches("title=SP").count() == 1, "{line}");
    }
}

#[test]
fn json_counts_what_it_lists() {
    let reports = reports();
    let report: Json = serde_json::from_str(&json::render(&reports)).expect("JSON");
    let counts = SeverityCounts::of(&reports);
    assert_eq!(report["format_version"], 1);
    assert_eq!(report["findings"].as_array().map(Vec::len), Some(count(&reports)));
    assert_eq!(report["errors"], counts.errors);
    assert_eq!(counts.errors + counts.warnings + counts.notes, count(&reports));
}

#[test]
fn fingerprints_are_unique_and_do_not_depend_on_lines() {
    let fingerprints = |reports: &[FileReport]| -> Vec<String> {
        let issues: Json = serde_json::from_str(&gitlab::render(reports)).expect("JSON");
        let issues = issues.as_array().expect("an array").clone();
        issues.iter().map(|issue| issue["fingerprint"].as_str().expect("text").to_string()).collect()
    };
    let all = fingerprints(&reports());
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    let text = example::schema(rules::all()[0].fires).0;
    let moved = format!("# a line above\n{text}");
    let of = |text: &str| fingerprints(&[audit(&Source::new("a.yaml", text), root().as_path(), &|_| true)]);
    assert_eq!(of(&text), of(&moved));
}

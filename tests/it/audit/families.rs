//! What the audit reports about column families: `tests/testdata/families.txt`.

use std::fs;

use saltplan_document::diag::Style;
use saltplan_lint::format::full::{Notes, render_full};

use super::{audit_text, root};
use saltplan_law::expect::{CaseForm, Expectations, answered};

/// A log whose days are copied into partitions.
const LOG: &str = "\
key:
  salt: { md5: { of: key, first_hex_digits: 1, write: hex } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: id, type: string, width: 8, chars: hex }
columns: [{ name: seen, type: string, hbase: 'f:seen' }]
hive:
  mapping: { table: m, key_column: rowkey }
  target: { table: log, partition: [day], columns: [{ name: id, from: key.id }, seen] }
";

/// A table with too many salts for ranges.
const LOOKUP: &str = "\
key:
  salt: { md5: { of: [id], first_hex_digits: 8, write: hex } }
  fields: [{ name: id, type: string, width: 8, chars: hex }]
columns: [{ name: seen, type: string, hbase: 'f:seen' }]
hive:
  mapping: { table: m, key_column: rowkey }
  target: { table: people, columns: [{ name: id, from: key.id }, seen] }
";

/// Rules about families.
fn is_of_family(code: &str) -> bool {
    code.starts_with("SP6")
}

fn findings(rest: &str, attributes: &str) -> String {
    let mut report = audit_text(&format!(
        "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{ {attributes} }} }} }}\n{rest}"
    ));
    report.findings.retain(|finding| is_of_family(finding.rule.code) || finding.is_of_loader());
    if report.findings.is_empty() {
        return String::new();
    }
    let shown = render_full(std::slice::from_ref(&report), Notes::Drawn, Style::default());
    // Without the table of rules at the end.
    format!("{}\n", shown.split("\n\nSP").next().unwrap_or_default().trim_end())
}

#[test]
fn findings_of_families() {
    let path = root().join("tests/testdata/families.txt");
    let mut expectations = Expectations::default();
    let mut text = fs::read_to_string(&path).expect("the cases");
    for (word, rest, least) in [("log", LOG, 20), ("lookup", LOOKUP, 3)] {
        let (after, cases) =
            answered(&text, CaseForm { word, end: "====" }, |attributes, _| findings(rest, attributes));
        assert!(cases >= least, "only {cases} cases of `{word}`");
        text = after;
    }
    expectations.file(&path, &text);
    expectations.check();
}

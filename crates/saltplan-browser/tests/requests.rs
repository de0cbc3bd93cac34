//! Requests of the page that plans in the browser, and what it shows.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};

use saltplan_browser::{MAX_REQUEST_BYTES, answer};
use serde_json::{Value as Json, json};

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/examples");
    let files = fs::read_dir(folder).expect("examples").map(|entry| entry.expect("an entry").path());
    files.filter(|path| path.extension().is_some_and(|end| end == "yaml")).collect()
}

fn asked(schema: &str, predicate: &str) -> Json {
    let request = json!({ "schema": schema, "predicate": predicate }).to_string();
    serde_json::from_str(&answer(request.as_bytes()).expect("an answer")).expect("JSON")
}

const DAY: &str = "\
saltplan: 1
hbase: { table: calls, families: { f: {} } }
key:
  salt: { modulo: { of: id, by: 4, write: { decimal: 1 } } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: id, type: bigint, encoding: be, min: 0 }
columns: [{ name: c, type: string, hbase: 'f:c' }]
regions: { per_salt: {} }
hive: { mapping: { table: d.m, key_column: k }, target: { table: d.t } }
";

/// A sample of keys is a file, which the page does not have.
const WITH_A_FILE: &str = "md5_sampled";

#[test]
fn every_example_has_a_page_and_statements() {
    let examples = examples();
    assert!(examples.len() > 5);
    for path in examples {
        let text = fs::read_to_string(&path).expect("a schema");
        let shown = asked(&text, "");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(shown["page"].as_str().is_some_and(|page| page.starts_with("<!doctype html>")), "{name}");
        if name == WITH_A_FILE {
            assert!(
                shown["ddl"].as_str().is_some_and(|said| said.contains("there is no such file")),
                "{name}: {}",
                shown["ddl"]
            );
            continue;
        }
        assert!(shown["ddl"].as_str().is_some_and(|ddl| ddl.contains("create ")), "{name}: {}", shown["ddl"]);
    }
}

#[test]
fn a_day_has_ranges_statements_and_ddl() {
    let shown = asked(DAY, "day = 20200406");
    assert_eq!(shown["messages"], "");
    let page = shown["page"].as_str().expect("a page");
    for part in ["INSERT OVERWRITE", "\"tez\"", "\"mr\"", "320200406"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(shown["ddl"].as_str().expect("DDL").contains("SPLITS => ['1', '2', '3']"), "{}", shown["ddl"]);
}

#[test]
fn a_mistake_has_the_message_of_the_command() {
    let shown = asked(DAY, "dya = 20200406");
    let said = shown["messages"].as_str().expect("a message");
    assert!(said.contains("error: ") && said.contains("^^^") && said.contains("day"), "{said}");
    // The table itself is shown.
    assert!(shown["page"].is_string() && shown["ddl"].is_string());

    let shown = asked("saltplan: 1\nkey: {}\n", "");
    assert!(shown["messages"].as_str().is_some_and(|said| said.contains("--> schema.yaml")), "{shown}");
    assert!(shown["page"].is_null() && shown["ddl"].is_null());
}

#[test]
fn a_refused_plan_is_shown_with_its_reason() {
    let shown = asked(DAY, "c = 'x'");
    assert!(shown["page"].as_str().is_some_and(|page| page.contains("`plan` refuses this")), "{shown}");
}

#[test]
fn requests_are_bounded_and_checked() {
    assert!(answer(&vec![b' '; MAX_REQUEST_BYTES + 1]).is_err_and(|error| error.contains("longer")));
    assert!(answer(b"{").is_err_and(|error| error.contains("not as expected")));
    assert!(answer(br#"{"schema": "", "predicate": "", "file": "/etc/passwd"}"#).is_err());
}

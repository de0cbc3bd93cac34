//! First schemas from sample keys: `testdata/init/*.txt` contain row keys of the examples; the guessed schema
//! decodes all of them and passes the audit.

use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;

#[test]
fn guessed_schemas_read_their_keys_and_pass_the_audit() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/init");
    let mut samples = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder of the samples") {
        let keys = entry.expect("a readable entry").path();
        if keys.extension().is_none_or(|end| end != "txt") {
            continue;
        }
        samples += 1;
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let schema = scratch.path().join("schema.yaml");
        let (schema, keys) = (schema.to_string_lossy().into_owned(), keys.to_string_lossy().into_owned());
        run(&["init", "--table", "t:x", "--from-keys", &keys, "-o", &schema]);
        run(&["audit", &schema]);
        let decoded = run(&["key", "decode", &schema, "--input", &keys]);
        let lines = std::fs::read_to_string(&keys).expect("the sample").lines().count();
        assert_eq!(decoded.lines().count(), lines, "{keys}");
    }
    assert!(samples >= 9, "only {samples} samples");
}

/// A line break, followed by what would be a workflow command, stays inside its text.
#[test]
fn odd_texts_of_flags_come_back_from_the_schema() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let schema = scratch.path().join("schema.yaml").to_string_lossy().into_owned();
    let keys = ["a\n::error::x", "b: # '\"{", "c\u{2028}\t", "é漢"];
    let field = "id:text{x\r\ny,- z}";
    run(&["init", "--table", "t", "--field", field, "--regions", &keys.join(","), "-o", &schema]);
    let splits: Json =
        serde_json::from_str(&run(&["splits", &schema, "--output-format", "json"])).expect("JSON");
    let hex = |key: &str| key.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    let found = splits["split_keys"].as_array().expect("a list").iter().map(|key| key["hex"].clone());
    assert_eq!(found.collect::<Vec<_>>(), keys.map(|key| Json::from(hex(key))));
    let rows = scratch.path().join("rows").to_string_lossy().into_owned();
    for value in ["x\r\ny", "- z"] {
        std::fs::write(&rows, serde_json::json!({ "id": value }).to_string()).expect("a row");
        let key = run(&["key", "encode", &schema, &rows, "--key-form", "hex"]);
        assert_eq!(key.trim_end(), hex(value));
    }
}

/// An error is reported until somebody accepts it.
#[test]
fn errors_are_not_suppressed() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let schema = scratch.path().join("schema.yaml").to_string_lossy().into_owned();
    run(&[
        "init", "--table", "t", "--field", "a:text", "--field", "b:text", "--salt", "hash:16", "-o", &schema,
    ]);
    let audit =
        Command::new(env!("CARGO_BIN_EXE_saltplan")).args(["audit", &schema]).output().expect("a run");
    assert_eq!(audit.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&audit.stdout).contains("error: SP303"));
}

/// The output of a run with exit code 0.
fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_saltplan")).args(arguments).output().expect("a run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The names of version 0.1.0 still work.
#[test]
fn types_have_one_set_of_names_and_the_old_ones_work() {
    let names = [
        ("id:string[11 digits]", "id:text[11 digits]"),
        ("id:string{cn,us}", "id:text{cn,us}"),
        ("id:bigint(sortable)", "id:long(sortable)"),
        ("id:timestamp(yyyyMMddHHmmss)", "id:time(yyyyMMddHHmmss)"),
        ("id:timestamp(ms descending)", "id:epoch(ms descending)"),
    ];
    for (new, old) in names {
        let schema = |field: &str| run(&["init", "--table", "t", "--time-zone", "UTC", "--field", field]);
        assert_eq!(schema(new), schema(old), "{new}");
    }
    let help = run(&["init", "--help"]);
    assert!(!["text[", ":text", ":long", ":time(", ":epoch("].iter().any(|old| help.contains(old)), "{help}");
}

//! First schemas from sample keys: `testdata/init/*.txt` contain row keys of the examples; the guessed schema
//! decodes all of them and passes the audit.

use std::path::Path;
use std::process::Command;

use saltplan_core::key::range::from_string_binary;
use saltplan_law::sample::{is_sampled, sampled};
use saltplan_project::init::draft::Draft;
use saltplan_project::init::live::Scanned;
use saltplan_project::init::{Guess, GuessError, guess};
use serde_json::Value as Json;

/// `testdata/init_salts/keys.txt` has row keys with known salts, made by `make.py` without saltplan. Each salt is found, and the schema reads
/// every key, which `guess` checks.
#[test]
fn every_salt_is_found() {
    let cases: Vec<(&str, &str)> = include_str!("../testdata/init_salts/keys.txt")
        .split("== ")
        .filter_map(|case| case.split_once('\n'))
        .collect();
    let wrong: Vec<String> = sampled(&cases, 16)
        .filter_map(|(expected, keys)| {
            let notes = guessed(keys.lines()).map(|guess| guess.notes);
            let found = notes.as_ref().is_ok_and(|notes| notes.iter().any(|note| note == expected));
            (!found).then(|| format!("{expected}\n  {notes:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cases.len() > 30, "only {} cases", cases.len());
}

fn guessed<'k>(keys: impl Iterator<Item = &'k str>) -> Result<Guess, GuessError> {
    let keys: Vec<Vec<u8>> = keys.map(from_string_binary).collect();
    let sample = Scanned { keys, ..Scanned::default() };
    guess(&sample, &Draft { table: "t".into(), ..Draft::default() }, None)
}

/// The row keys of a case in `keys.txt`.
fn keys_of(salt: &str) -> Vec<&'static str> {
    let text = include_str!("../testdata/init_salts/keys.txt");
    let case = text.split("== ").find(|case| case.starts_with(&format!("salt: {salt}:"))).expect("a case");
    case.lines().skip(1).collect()
}

/// A few keys can agree with a scheme by chance: the scheme is named in a message, but not written into the
/// schema.
#[test]
fn a_salt_that_agrees_by_chance_is_not_written() {
    let keys = keys_of("md5, hex digit 32 of `part`");
    let of = |count: usize| guessed(keys.iter().take(count).copied()).expect("a layout");
    assert!(of(10).draft.salt.is_some());
    // A search in fewer keys takes seconds.
    if is_sampled() {
        return;
    }
    let eight = of(8);
    assert!(eight.draft.salt.is_none());
    let chance = "agrees with 8 of 8 keys, but by chance so does some rule in 1 of 64 samples of this size: 2 more keys with other values decide";
    assert!(eight.notes.iter().any(|note| note.contains(chance)), "{:?}", eight.notes);
    assert!(of(5).notes.iter().any(|note| note.contains("5 keys are few")), "{:?}", of(5).notes);
}

/// A few keys that do not follow the rule do not hide the salt, and the schema does not compute a salt that
/// some rows do not have.
#[test]
fn foreign_keys_are_named() {
    let rule = "digest sha1, hex digits 1 to 4 of `part`";
    let foreign = "0000_20200101_foreign1";
    let keys = keys_of(rule).into_iter().chain([foreign]);
    let guess = guessed(keys).expect("a layout");
    assert!(guess.draft.salt.is_none());
    let note = format!("{rule}: 60 of 61 keys, but not `{foreign}`;");
    assert!(guess.notes.iter().any(|found| found.starts_with(&note)), "{:?}", guess.notes);
}

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
        if is_sampled() && samples % 3 != 0 {
            continue;
        }
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

/// What `ddl` prints is read back: the same families and split keys.
#[test]
fn a_create_has_the_families_and_split_keys_of_its_schema() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/examples");
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let mut tables = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder of the examples") {
        let schema = entry.expect("a readable entry").path();
        if schema.extension().is_none_or(|end| end != "yaml") {
            continue;
        }
        let create = scratch.path().join("create.txt");
        let schema = schema.to_string_lossy().into_owned();
        std::fs::write(&create, run(&["ddl", &schema, "--only", "hbase"])).expect("a file");
        let read = scratch.path().join(format!("{tables}.yaml"));
        let (create, read) = (create.to_string_lossy().into_owned(), read.to_string_lossy().into_owned());
        run(&["init", "--field", "k:string", "--from-create", &create, "-o", &read]);
        let again = run(&["ddl", &read, "--only", "hbase"]);
        let families = |text: &str| {
            let mut families: Vec<String> =
                text.split('{').filter(|part| part.starts_with("NAME")).map(String::from).collect();
            families.sort();
            families
        };
        let printed = std::fs::read_to_string(&create).expect("the statement");
        assert_eq!(families(&printed), families(&again), "{schema}");
        assert_eq!(run(&["splits", &schema]), run(&["splits", &read]), "{schema}");
        tables += 1;
    }
    assert!(tables > 10, "only {tables} tables");
}

/// A line break, followed by what would be a workflow command, stays inside its text.
#[test]
fn odd_texts_of_flags_come_back_from_the_schema() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let schema = scratch.path().join("schema.yaml").to_string_lossy().into_owned();
    let keys = ["a\n::error::x", "b: # '\"{", "c\u{2028}\t", "é漢"];
    let field = "id:text{x\r\ny,- z}";
    run(&["init", "--table", "t", "--field", field, "--split", &keys.join(","), "-o", &schema]);
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

/// Row keys that Phoenix's own client wrote decode to the values that were upserted, with the salt that the schema computes.
#[test]
fn keys_of_phoenix_are_read() {
    let text = include_str!("../testdata/phoenix/keys.txt");
    let mut seen = (0, 0);
    for case in text.split("\n== ").skip(1) {
        let (statement, rows) = case.split_once('\n').expect("a statement and its rows");
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let path = |name: &str| scratch.path().join(name).to_string_lossy().into_owned();
        let schema = path("schema.yaml");
        if let Some(refusal) = rows.trim_end().strip_prefix("refused: ") {
            let output =
                Command::new(env!("CARGO_BIN_EXE_saltplan")).args(["init", "--phoenix", statement]).output();
            let said = String::from_utf8_lossy(&output.expect("a run").stderr).into_owned();
            assert!(said.starts_with(refusal), "{statement}: {said}");
            seen.1 += 1;
            continue;
        }
        let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split('\t').collect()).collect();
        let column = |at: usize| rows.iter().map(|row| format!("{}\n", row[at])).collect::<String>();
        std::fs::write(path("keys"), column(1)).expect("the keys");
        run(&["init", "--phoenix", statement, "-o", &schema]);
        run(&["audit", &schema]);
        assert_eq!(run(&["key", "decode", &schema, "--input", &path("keys")]), column(2), "{statement}");
        let view = run(&["ddl", "--only", "phoenix", &schema]);
        let again = run(&["init", "--phoenix", &view, "--table", "t"]);
        let fields = |yaml: &str| -> String {
            let is_of_key =
                |line: &&str| line.contains("{of:") || line.contains("- {name:") && !line.contains("hbase:");
            // A schema that is made of a view has no `max`.
            let field = |line: &str| {
                line.split(", max:").next().map(|line| line.trim_end_matches('}').to_lowercase())
            };
            yaml.lines().filter(is_of_key).filter_map(field).collect::<Vec<_>>().join("\n")
        };
        let first = std::fs::read_to_string(&schema).expect("the schema");
        assert_eq!(fields(&again), fields(&first), "{view}");
        seen.0 += 1;
    }
    assert!(seen.0 >= 8 && seen.1 >= 1, "{seen:?}");
}

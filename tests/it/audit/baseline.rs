//! `--baseline` with files that change, under all kinds of paths.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const SCHEMA: &str = "\
saltplan: 1
hbase: { table: t, families: { f: {} } }
key:
  separator: '_'
  fields:
    - { name: site, type: string, width: 2, chars: alnum }
    - { name: a, type: int, encoding: decimal }
    - { name: b, type: int, encoding: decimal }
";

fn audit(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_saltplan"));
    command.current_dir(folder).arg("audit").args(["--output-format", "concise"]).args(arguments);
    command.stdin(Stdio::null()).output().expect("a run")
}

/// Exit code, findings and messages.
fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A folder with a schema and the baseline of its findings.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::create_dir(folder.path().join("schemas")).expect("a folder");
    fs::write(folder.path().join("schemas/a.yaml"), SCHEMA).expect("a file");
    let (code, found, told) = said(&audit(folder.path(), &["schemas", "--write-baseline", "audit.json"]));
    assert_eq!((code, found.as_str()), (Some(0), ""));
    assert!(told.contains("wrote 2 findings of 1 file to audit.json"), "{told}");
    folder
}

#[test]
fn new_findings_are_reported_and_stale_entries_are_named() {
    let folder = folder();
    let path = folder.path().join("schemas/a.yaml");
    let moved = SCHEMA.replace("key:", "# a line\n\nkey:");
    fs::write(&path, &moved).expect("a file");
    let (code, found, told) = said(&audit(folder.path(), &["schemas", "--baseline", "audit.json"]));
    assert_eq!((code, found.as_str()), (Some(0), ""));
    assert_eq!(told, "note: 1 file: no findings, 2 in the baseline\n");

    fs::write(&path, moved.replace("name: a,", "name: c,")).expect("a file");
    let (code, found, told) = said(&audit(folder.path(), &["schemas", "--baseline", "audit.json"]));
    assert_eq!(code, Some(1));
    assert_eq!(found.lines().count(), 1, "{found}");
    assert!(found.starts_with("schemas/a.yaml:9:"), "{found}");
    let stale =
        "1 entry of the baseline, in 1 file, no longer matches a finding, such as SP305 in schemas/a.yaml";
    assert!(told.contains(stale), "{told}");

    fs::remove_file(&path).expect("a file");
    fs::write(folder.path().join("schemas/b.yaml"), SCHEMA).expect("a file");
    let (code, found, told) = said(&audit(folder.path(), &["schemas", "--baseline", "audit.json"]));
    assert_eq!((code, found.lines().count()), (Some(1), 2));
    assert!(told.contains("2 entries of the baseline, in 1 file, no longer match"), "{told}");
}

#[test]
fn a_file_is_the_same_under_every_path() {
    let folder = folder();
    let whole = folder.path().join("schemas/a.yaml");
    let whole = whole.to_str().expect("a path");
    for (from, path, baseline) in [
        (".", "./schemas/../schemas/a.yaml", "audit.json"),
        (".", whole, "./schemas/../audit.json"),
        ("schemas", "a.yaml", "../audit.json"),
    ] {
        let (code, found, _) = said(&audit(&folder.path().join(from), &[path, "--baseline", baseline]));
        assert_eq!((code, found.as_str()), (Some(0), ""), "{from} {path} {baseline}");
    }
}

#[test]
fn a_baseline_in_another_folder_names_files_from_there() {
    let folder = folder();
    fs::create_dir(folder.path().join("ci")).expect("a folder");
    said(&audit(folder.path(), &["schemas", "--write-baseline", "ci/audit.json"]));
    let text = fs::read_to_string(folder.path().join("ci/audit.json")).expect("the baseline");
    assert!(text.contains("\"path\":\"../schemas/a.yaml\""), "{text}");
    let (code, ..) = said(&audit(folder.path(), &["schemas", "--baseline", "ci/audit.json"]));
    assert_eq!(code, Some(0));
}

#[test]
fn fixes_leave_accepted_findings_alone() {
    let folder = folder();
    let path = folder.path().join("schemas/a.yaml");
    let text = format!("{SCHEMA}hive:\n  mapping: {{ table: m, key_column: rowkey, external: false }}\n");
    fs::write(&path, &text).expect("a file");
    said(&audit(folder.path(), &["schemas", "--write-baseline", "audit.json"]));
    let (code, found, told) =
        said(&audit(folder.path(), &["schemas", "--baseline", "audit.json", "--fix", "--unsafe-fixes"]));
    assert_eq!((code, found.as_str()), (Some(0), ""), "{told}");
    assert_eq!(fs::read_to_string(&path).expect("the file"), text);
}

#[test]
fn invalid_baselines_are_refused() {
    let folder = folder();
    let write = |text: &str| fs::write(folder.path().join("audit.json"), text).expect("a file");
    let run = || said(&audit(folder.path(), &["schemas", "--baseline", "audit.json"]));
    for text in ["", "[]", "\u{0}", "{\"format_version\": 2, \"findings\": []}", &"[".repeat(100_000)] {
        write(text);
        let (code, found, told) = run();
        assert_eq!((code, found.as_str()), (Some(2), ""), "{text:.50}");
        assert!(
            told.contains("`audit.json` is not a baseline") && told.contains("--write-baseline"),
            "{told}"
        );
    }
    write("{\"format_version\": 1, \"findings\": []}");
    assert_eq!(run().0, Some(1));
}

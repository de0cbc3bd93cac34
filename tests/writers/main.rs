//! Compiles and runs the classes of `saltplan generate writer`, and compares them with the encoder of core, byte for
//! byte: every example and every schema of the tests, with random rows, bad values and damaged keys. Needs Java 8 or
//! later (a JDK) and Python 3.8 or later.
//!
//!     cargo test --workspace --test writers

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test that cannot go on fails")]

mod cases;
mod names;
mod page;
#[path = "../readers/cases.rs"]
mod reader_cases;
mod readers;
mod zones;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use cases::{Case, Cases};
use saltplan_core::Table;
use saltplan_generate::{GenerateError, Language, Writer, templates};
use saltplan_law::sample::sampled;

/// Schemas of the tests without a class, and the code of the refusal.
const REFUSED: &[(&str, &str)] = &[
    ("descending_text", "no_writer"),
    ("padded", "no_writer"),
    ("pinpoint", "no_writer"),
    ("pinpoint_spread", "no_writer"),
    ("reversed_salts", "lower_case"),
    ("salt_key_bytes", "no_writer"),
    ("salt_key_bytes_mid", "no_writer"),
    ("salt_key_bytes_open", "no_writer"),
    ("salt_spread", "no_writer"),
    ("salt_spread_open", "no_writer"),
    ("text_forms", "no_writer"),
];

/// Rows of an example, and of another schema.
const EXAMPLE_ROWS: usize = 10_000;
const OTHER_ROWS: usize = 1_000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder with the generated programs of a language. It is empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("writers").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// In runs of a few seconds, Java's second compiler takes more time than it saves.
const JAVA_OPTIONS: &str = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1";

fn run(command: &mut Command) -> String {
    command.env("JAVA_TOOL_OPTIONS", JAVA_OPTIONS);
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{text}{errors}");
    text
}

/// A table, and the tests of its class.
struct Subject {
    name: String,
    table: Table,
    rows: usize,
    /// The code with which it is refused.
    refused: Option<String>,
}

/// All examples, all schemas of the tests, and the keys of testdata/writers.txt.
fn subjects() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for (folder, rows) in [("schemas/examples", EXAMPLE_ROWS), ("tests/testdata/schemas", OTHER_ROWS)] {
        for entry in fs::read_dir(root().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "yaml") {
                let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
                let table = Table::load(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
                let refused = REFUSED.iter().find(|(refused, _)| *refused == name);
                let refused = refused.map(|(_, code)| (*code).to_string());
                subjects.push(Subject { name, table, rows, refused });
            }
        }
    }
    assert!(subjects.len() > 60, "{}", subjects.len());
    let keys = fs::read_to_string(root().join("tests/testdata/writers.txt")).expect("the keys");
    for section in keys.split("\n--- ").skip(1) {
        let (title, key) = section.split_once('\n').expect("a key");
        let (title, refused) =
            title.split_once(": ").map_or((title, None), |(title, code)| (title, Some(code)));
        let (zone, key): (Vec<&str>, Vec<&str>) =
            key.lines().partition(|line| line.starts_with("time_zone:"));
        let yaml = format!(
            "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\n{}\nkey:\n  {}\n",
            zone.concat(),
            key.join("\n  ")
        );
        let table = Table::from_yaml(&yaml).unwrap_or_else(|error| panic!("{title}: {error}"));
        let name = title.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        subjects.push(Subject { name, table, rows: OTHER_ROWS, refused: refused.map(String::from) });
    }
    if let Ok(rows) = std::env::var("SALTPLAN_WRITER_ROWS") {
        let rows = rows.parse().expect("a number");
        subjects.iter_mut().for_each(|subject| subject.rows = rows);
    }
    subjects
}

/// All schemas with their cases. They are made once for all languages: without optimisation that takes longer than to
/// run a class.
static SUBJECTS: LazyLock<Vec<(Subject, Vec<Case>)>> = LazyLock::new(|| {
    let with_cases = |subject: Subject| {
        let rows = if subject.refused.is_none() { subject.rows } else { 0 };
        let cases = Cases::new(&subject.table).make(rows);
        (subject, cases)
    };
    let mut subjects = subjects();
    subjects.sort_by(|one, other| one.name.cmp(&other.name));
    sampled(subjects, 3).map(with_cases).collect()
});

/// The cases of one class.
type CasesOfClass = (&'static str, Vec<&'static Case>);

/// Writes the class and the golden test of every schema, and the cases; returns the cases.
fn write_all(language: Language, folder: &Path) -> Vec<CasesOfClass> {
    // The files themselves: a change of a template needs no build.
    let templates = templates(Some(&root().join("crates/saltplan-generate/templates")));
    let mut all = Vec::new();
    for (Subject { name, table, refused, .. }, cases) in SUBJECTS.iter() {
        let mut writer = Writer::new(language);
        writer.class = Some(format!("K_{name}"));
        let class = match writer.print(table, &templates) {
            Err(GenerateError::Refused { code, .. }) if refused.as_deref() == Some(code) => continue,
            class => class.unwrap_or_else(|error| panic!("{name}: {error}")),
        };
        assert_eq!(*refused, None, "{name} has a class");
        writer.golden_test = true;
        let test = writer.print(table, &templates).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (file, test_file) = match language {
            Language::Python => {
                let module = writer.module_name(table);
                (format!("{module}.py"), format!("test_{module}.py"))
            }
            _ => (format!("K_{name}.java"), format!("K_{name}Test.java")),
        };
        fs::write(folder.join(file), class).expect("a file");
        fs::write(folder.join(test_file), test).expect("a file");
        let is_asked = |case: &&Case| language == Language::Python || !case.is_python_only;
        let cases: Vec<&Case> = cases.iter().filter(is_asked).collect();
        let lines: String = cases.iter().map(|case| case.line.clone() + "\n").collect();
        fs::write(folder.join(format!("{name}.cases")), lines).expect("a file");
        all.push((name.as_str(), cases));
    }
    all
}

/// Compares what the classes printed with what core does.
fn compare(folder: &Path, all: &[CasesOfClass]) {
    let mut faults = Vec::new();
    let mut keys = 0;
    for (name, cases) in all {
        let printed = fs::read_to_string(folder.join(format!("{name}.results"))).expect("the results");
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(lines.len(), cases.len(), "{name}");
        keys += lines.iter().filter(|line| line.starts_with('k')).count();
        let wrong = cases.iter().zip(&lines).filter(|(case, line)| !case.accepts(line));
        let shown =
            wrong.take(5).map(|(case, line)| format!("{name}: {case}\n  found    {}\n", cases::shown(line)));
        faults.extend(shown);
    }
    assert!(faults.is_empty(), "{}", faults.concat());
    println!("{} classes, {keys} keys", all.len());
}

#[test]
fn python() {
    let folder = folder("python");
    let all = write_all(Language::Python, &folder);
    let driver = root().join("tests/writers/driver.py");
    let names = all.iter().map(|(name, _)| name);
    run(Command::new("python3").arg(driver).args(names).current_dir(&folder));
    compare(&folder, &all);
    run(Command::new("python3").args(["-m", "unittest", "-q"]).current_dir(&folder));
}

#[test]
fn java() {
    let folder = folder("java");
    let all = write_all(Language::Java, &folder);
    fs::copy(root().join("tests/writers/Driver.java"), folder.join("Driver.java")).expect("a copy");
    let sources = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let sources = sources.filter(|path| path.extension().is_some_and(|extension| extension == "java"));
    // The encoding of the machine does not matter.
    let options = ["--release", "8", "-Xlint:all,-options", "-Werror", "-encoding", "US-ASCII", "-d", "."];
    run(Command::new("javac").args(options).args(sources).current_dir(&folder));
    // Neither does its language: Arabic has other digits.
    let java = || {
        let mut java = Command::new("java");
        java.args(["-Duser.language=ar", "-Duser.country=EG", "-cp", "."]).current_dir(&folder);
        java
    };
    run(java().arg("Driver").args(all.iter().map(|(name, _)| name)));
    compare(&folder, &all);
}

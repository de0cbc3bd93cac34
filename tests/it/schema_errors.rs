//! Every message of the schema loader, by theme: `schema_errors/*.txt`.
//!
//! A case is a line `schema NAME`, the file, `----`, and the expected messages up to `====`. Lines outside of cases that start
//! with `#` say what a case shows. Files whose bytes matter (encodings, line ends, control characters) stand by themselves in
//! `schema_errors/bytes`, with the messages in the `.txt` beside them. `BLESS=1 cargo test` writes the messages anew; look at
//! the difference before it is committed.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use saltplan_core::diag::{Diagnostic, Style, render};
use saltplan_core::schema::{load, source_from_bytes};

/// Ends the messages of a case.
const END: &str = "====";

#[test]
fn messages() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = String::new();
    let mut count = 0;
    for file in themes() {
        let before = fs::read_to_string(&file).expect("a readable file");
        let (after, cases) = answered(&before, "schema", messages_of);
        assert!(!cases.is_empty(), "{} has no case", file.display());
        count += cases.len();
        compare(&file, &before, &after, bless, &mut wrong);
    }
    for file in odd_files() {
        let expected = file.with_extension("txt");
        let before = fs::read_to_string(&expected).unwrap_or_default();
        let after = messages_of(&name_of(&file), fs::read(&file).expect("a readable file"));
        count += 1;
        compare(&expected, &before, &after, bless, &mut wrong);
    }
    assert!(wrong.is_empty(), "messages differ from what is expected (-); accept with BLESS=1\n{wrong}");
    assert!(count >= 140, "only {count} cases");
}

/// Holds the messages of a file of cases against those that are printed now, and counts the cases.
pub fn check_messages(file: &str, word: &str, messages_of: impl Fn(&str, Vec<u8>) -> String) -> usize {
    let file = crate::help::root().join(file);
    let before = fs::read_to_string(&file).expect("the cases");
    let (after, cases) = answered(&before, word, messages_of);
    let mut wrong = String::new();
    compare(&file, &before, &after, std::env::var_os("BLESS").is_some(), &mut wrong);
    assert!(wrong.is_empty(), "messages differ from what is expected (-); accept with BLESS=1\n{wrong}");
    cases.len()
}

fn compare(file: &Path, before: &str, after: &str, bless: bool, wrong: &mut String) {
    if before == after {
        return;
    }
    if bless {
        fs::write(file, after).expect("a writable file");
        return;
    }
    let diff = similar::TextDiff::from_lines(before, after);
    let _ = writeln!(wrong, "{}\n{}", file.display(), diff.unified_diff().context_radius(6));
}

/// The name and the bytes of every faulty schema file.
pub fn cases() -> Vec<(String, Vec<u8>)> {
    let mut cases: Vec<(String, Vec<u8>)> = themes()
        .iter()
        .flat_map(|file| {
            answered(&fs::read_to_string(file).expect("a readable file"), "schema", messages_of).1
        })
        .map(|(name, yaml)| (name, yaml.into_bytes()))
        .collect();
    let odd = odd_files().into_iter().map(|file| {
        let name = name_of(&file).trim_end_matches(".yaml").to_string();
        (name, fs::read(&file).expect("a readable file"))
    });
    cases.extend(odd);
    cases.sort();
    cases
}

/// A theme with the messages that are printed now, and its cases, which begin with a word and a name.
pub fn answered(
    text: &str,
    word: &str,
    messages_of: impl Fn(&str, Vec<u8>) -> String,
) -> (String, Vec<(String, String)>) {
    let mut written = String::new();
    let mut cases = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(written, "{line}");
        let name = line.strip_prefix(word).and_then(|rest| rest.strip_prefix(' '));
        let Some(name) = name else { continue };
        let yaml: String =
            lines.by_ref().take_while(|line| *line != "----").flat_map(|line| [line, "\n"]).collect();
        assert!(lines.by_ref().any(|line| line == END), "`{name}` has no `{END}`");
        let messages = messages_of(&format!("{name}.yaml"), yaml.clone().into_bytes());
        assert!(!messages.is_empty(), "`{name}` has no fault");
        let _ = writeln!(written, "{yaml}----\n{messages}{END}");
        cases.push((name.to_string(), yaml));
    }
    (written, cases)
}

fn messages_of(name: &str, bytes: Vec<u8>) -> String {
    render(&diagnostics(name, bytes), Style::default())
}

fn diagnostics(name: &str, bytes: Vec<u8>) -> Vec<Diagnostic> {
    match source_from_bytes(name, bytes).and_then(|source| load(&source)) {
        Ok(loaded) => loaded.warnings,
        Err(errors) => errors.0,
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/schema_errors")
}

fn themes() -> Vec<PathBuf> {
    files(&folder(), "txt")
}

fn odd_files() -> Vec<PathBuf> {
    schemas(&folder().join("bytes"))
}

fn name_of(file: &Path) -> String {
    file.file_name().expect("a name").to_string_lossy().into_owned()
}

/// The schema files of a folder, by name.
pub fn schemas(directory: &Path) -> Vec<PathBuf> {
    files(directory, "yaml")
}

fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("the directory of the test files");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == extension)).collect();
    files.sort();
    files
}

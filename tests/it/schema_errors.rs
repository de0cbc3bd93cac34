//! Every message of the schema loader, by topic: `schema_errors/*.txt`.
//!
//! A case is a line `schema NAME`, the file, `----`, and the expected messages up to `====`. Lines outside
//! cases that start with `#` say what a case shows. Files whose bytes matter (encodings, line ends, control
//! characters) are separate files in `schema_errors/bytes`, with the messages in a `.txt` next to them.
//! `BLESS=1 cargo test` rewrites the messages; read the difference before committing it.

use std::fs;
use std::path::{Path, PathBuf};

use saltplan_core::schema::{load, source_from_bytes};
use saltplan_document::diag::{Diagnostic, Style, render};

use saltplan_law::expect::{CaseForm, Expectations, answered, expect_file};

/// Cases of messages start with a word for the kind of file.
pub fn form(word: &'static str) -> CaseForm {
    CaseForm { word, end: "====" }
}

#[test]
fn messages() {
    let mut expectations = Expectations::default();
    let mut count = 0;
    for file in themes() {
        let before = fs::read_to_string(&file).expect("a readable file");
        let (after, cases) =
            answered(&before, form("schema"), |name, yaml| messages_of_case(name, yaml, messages_of));
        assert!(cases > 0, "{} has no case", file.display());
        count += cases;
        expectations.file(&file, &after);
    }
    for file in odd_files() {
        let expected = file.with_extension("txt");
        let messages = messages_of(&name_of(&file), fs::read(&file).expect("a readable file"));
        count += 1;
        expectations.file(&expected, &messages);
    }
    expectations.check();
    assert!(count >= 140, "only {count} cases");
}

/// Compares the messages of a file of cases with the current ones, and counts the cases.
pub fn check_messages(
    file: &str,
    word: &'static str,
    messages_of: impl Fn(&str, Vec<u8>) -> String,
) -> usize {
    let before = fs::read_to_string(crate::help::root().join(file)).expect("the cases");
    let (after, cases) =
        answered(&before, form(word), |name, text| messages_of_case(name, text, &messages_of));
    expect_file(file, &after);
    cases
}

fn messages_of_case(name: &str, text: &str, messages_of: impl Fn(&str, Vec<u8>) -> String) -> String {
    let messages = messages_of(&format!("{name}.yaml"), text.as_bytes().to_vec());
    assert!(!messages.is_empty(), "`{name}` has no fault");
    messages
}

/// The names and texts of the cases of a file.
pub fn texts(file: &Path, word: &'static str) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    answered(&fs::read_to_string(file).expect("a readable file"), form(word), |name, text| {
        texts.push((name.to_string(), text.to_string()));
        String::new()
    });
    texts
}

/// The name and the bytes of every faulty schema file.
pub fn cases() -> Vec<(String, Vec<u8>)> {
    let mut cases: Vec<(String, Vec<u8>)> = themes()
        .iter()
        .flat_map(|file| texts(file, "schema"))
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

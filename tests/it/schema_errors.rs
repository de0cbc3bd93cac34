//! Every message of the schema loader: `schema_errors/*.yaml` with the expected messages in the `.txt` beside it.
//!
//! `BLESS=1 cargo test` writes the `.txt` files anew; look at the difference before it is committed.

use std::fs;
use std::path::{Path, PathBuf};

use saltplan::diag::{Diagnostic, Style, render};
use saltplan::schema::{load, source_from_bytes};

#[test]
fn messages() {
    let files = schemas(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/schema_errors"));
    assert!(files.len() >= 40, "only {} files", files.len());
    let wrong: Vec<String> = files.iter().filter_map(|file| compare(file)).collect();
    assert!(wrong.is_empty(), "{}\nBLESS=1 accepts what is printed now", wrong.join("\n"));
}

/// What is wrong with the messages of a file.
fn compare(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_string_lossy().into_owned();
    let found = render(&diagnostics(&name, fs::read(file).expect("a readable file")), Style::default());
    let expected_file = file.with_extension("txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&expected_file, &found).expect("a writable directory");
    }
    let expected = fs::read_to_string(&expected_file).unwrap_or_default();
    (found != expected || found.is_empty()).then(|| format!("{name} expected:\n{expected}\nfound:\n{found}"))
}

fn diagnostics(name: &str, bytes: Vec<u8>) -> Vec<Diagnostic> {
    match source_from_bytes(name, bytes).and_then(|source| load(&source)) {
        Ok(loaded) => loaded.warnings,
        Err(errors) => errors.0,
    }
}

pub fn schemas(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("the directory of the test files");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "yaml")).collect();
    files.sort();
    files
}

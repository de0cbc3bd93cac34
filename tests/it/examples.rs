//! The example schemas load, and mean what their comments say.

use std::path::Path;

use saltplan::diag::{Style, render};
use saltplan::schema::{load, read_file};

use crate::schema_errors::schemas;

#[test]
fn all_examples_load_without_a_message() {
    let files = schemas(&Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/examples"));
    assert!(files.len() >= 11, "only {} examples", files.len());
    for file in files {
        match read_file(&file).and_then(|source| load(&source)) {
            Ok(loaded) => assert!(loaded.warnings.is_empty(), "{}", render(&loaded.warnings, Style::default())),
            Err(errors) => panic!("{}", render(&errors.0, Style::default())),
        }
    }
}

//! Expectations in files, in the manner of `cockroachdb/datadriven`: a test computes the expected content of
//! a file and compares it with the file. `BLESS=1 cargo test` rewrites the files; read the difference before
//! committing it.
//!
//! A file with cases has many of these: a line `WORD ARGUMENTS`, the input, a line that starts with `----`,
//! and the expected output up to an end line. Other lines are kept.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The root folder of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The file of a schema of the tests or of the examples, by its name without `.yaml`.
pub fn schema_file(name: &str) -> Option<PathBuf> {
    let folders = ["tests/testdata/schemas", "schemas/examples"].into_iter();
    folders.map(|folder| repository().join(folder).join(format!("{name}.yaml"))).find(|path| path.exists())
}

/// Whether files are rewritten instead of compared.
pub fn is_blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// Differences between files and their expected content.
#[derive(Debug, Default)]
pub struct Expectations {
    differences: String,
}

impl Expectations {
    /// Compares a file with its expected content, or writes it.
    pub fn file(&mut self, path: &Path, expected: &str) {
        let written = fs::read_to_string(path).unwrap_or_default();
        if written == expected {
            return;
        }
        if is_blessing() {
            fs::write(path, expected).expect("a writable file");
            return;
        }
        let diff = similar::TextDiff::from_lines(written.as_str(), expected);
        let _ = writeln!(self.differences, "{}\n{}", path.display(), diff.unified_diff().context_radius(6));
    }

    /// Fails if a file has other content.
    pub fn check(self) {
        let differences = self.differences;
        assert!(
            differences.is_empty(),
            "not as expected (-); BLESS=1 cargo test accepts this:\n{differences}"
        );
    }
}

/// Compares one file of the repository with its expected content.
pub fn expect_file(name: &str, expected: &str) {
    let mut expectations = Expectations::default();
    expectations.file(&repository().join(name), expected);
    expectations.check();
}

/// The form of cases in a file.
#[derive(Debug, Clone, Copy)]
pub struct CaseForm {
    /// The first word of a case.
    pub word: &'static str,
    /// The line that ends the expected output.
    pub end: &'static str,
}

/// The text of a file of cases, with the outputs of `answer` for arguments and input, and the number of
/// cases.
pub fn answered(text: &str, form: CaseForm, mut answer: impl FnMut(&str, &str) -> String) -> (String, usize) {
    let mut written = String::new();
    let mut count = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(written, "{line}");
        let arguments = line.strip_prefix(form.word).and_then(|rest| rest.strip_prefix(' '));
        let Some(arguments) = arguments else { continue };
        let mut input = String::new();
        let bar = loop {
            match lines.next() {
                Some(line) if line.starts_with("----") => break line,
                Some(line) => input.extend([line, "\n"]),
                None => panic!("`{line}` has no `----`"),
            }
        };
        let ended = lines.by_ref().any(|line| line == form.end);
        assert!(ended || form.end.is_empty(), "`{line}` has no `{}`", form.end);
        let _ = writeln!(written, "{input}{bar}\n{}{}", answer(arguments, &input), form.end);
        count += 1;
    }
    let length = written.trim_end().len();
    written.truncate(length);
    written.push('\n');
    (written, count)
}

//! No input makes the loader panic, and every error has a reason and a valid place.

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use saltplan_core::schema::{load, source_from_bytes};
use saltplan_document::diag::{Diagnostic, Severity, Source, Style, render};
use saltplan_law::sample::{is_sampled, sampled};

use crate::schema_errors::schemas;

pub static EXAMPLES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/examples");
    schemas(&directory).iter().map(|file| fs::read_to_string(file).expect("a readable example")).collect()
});

/// Loads a text and checks what the loader guarantees for any text.
fn check(source: &Arc<Source>) {
    let messages = match load(source) {
        Ok(loaded) => {
            assert!(loaded.warnings.iter().all(|warning| warning.severity == Severity::Warning));
            loaded.warnings
        }
        Err(errors) => {
            assert!(
                errors.0.iter().any(|error| error.severity == Severity::Error),
                "an error without a message"
            );
            errors.0
        }
    };
    messages.iter().for_each(|message| check_message(source, message));
    for width in [0, 40, 120, usize::MAX] {
        render(&messages, Style { color: width == 40, width });
    }
}

fn check_message(source: &Source, message: &Diagnostic) {
    assert!(!message.message.contains("internal error"), "{message}\n{}", source.text);
    assert!(!message.labels.is_empty(), "{message}");
    assert!(!message.message.contains('\n') && message.message.len() < 1_000, "{message}");
    assert!(message.help.as_ref().is_none_or(|help| !help.contains('\n')), "{message}");
    for label in &message.labels {
        let span = label.span;
        assert!(span.start <= span.end && span.end <= source.text.len(), "{span:?}: {message}");
        assert!(source.text.get(span.start..span.end).is_some(), "{span:?}: {message}");
        assert!(label.text.len() < 1_000, "{message}");
    }
}

/// An edit of a text at character boundaries.
#[derive(Debug, Clone)]
pub enum Edit {
    Delete,
    Duplicate,
    Insert(&'static str),
    Replace(&'static str),
}

/// Fragments that are significant in a schema or in YAML.
const PIECES: [&str; 56] = [
    "",
    " ",
    "\n",
    "\t",
    ":",
    ": ",
    "- ",
    ",",
    "{",
    "}",
    "[",
    "]",
    "'",
    "\"",
    "#",
    " #",
    "&a ",
    "*a",
    "!!str ",
    "<<: ",
    "|",
    ">",
    "? ",
    "---\n",
    "...\n",
    "%",
    "@",
    "`",
    "~",
    "null",
    "0",
    "-1",
    "007",
    "0x7FFF",
    "99999999999999999999",
    "1.5",
    "true",
    "no",
    "key",
    "of: key",
    "stored: false",
    "width: 3",
    "then: '_'",
    "type: bigint",
    "encoding: be",
    "descending: true",
    "reverse: true",
    "first: 3",
    "format: yyyyMM",
    "values: [a, b]",
    "\\x00",
    "\\x",
    "ü€😀",
    "\u{85}",
    "\u{feff}",
    "\0",
];

pub fn edits() -> impl Strategy<Value = Vec<(Edit, prop::sample::Index, usize)>> {
    let piece = || prop::sample::select(&PIECES[..]);
    let edit = prop_oneof![
        Just(Edit::Delete),
        Just(Edit::Duplicate),
        piece().prop_map(Edit::Insert),
        piece().prop_map(Edit::Replace)
    ];
    prop::collection::vec((edit, any::<prop::sample::Index>(), 0..40usize), 1..6)
}

pub fn apply(text: &str, edits: &[(Edit, prop::sample::Index, usize)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (edit, at, length) in edits {
        let start = at.index(chars.len() + 1);
        let end = (start + length).min(chars.len());
        let slice = chars[start..end].to_vec();
        match edit {
            Edit::Delete => drop(chars.drain(start..end)),
            Edit::Duplicate => drop(chars.splice(start..start, slice)),
            Edit::Insert(piece) => drop(chars.splice(start..start, piece.chars())),
            Edit::Replace(piece) => drop(chars.splice(start..end, piece.chars())),
        }
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 4))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(source) = source_from_bytes("input", bytes) {
            check(&source);
        }
    }

    #[test]
    fn any_text_of_yaml_signs(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)) {
        check(&Source::new("input", pieces.concat()));
    }

    #[test]
    fn edited_examples(example in any::<prop::sample::Index>(), edits in edits()) {
        check(&Source::new("input", apply(example.get(EXAMPLES.as_slice()).as_str(), &edits)));
    }
}

#[test]
fn deep_nesting() {
    for unit in sampled(["[", "{a: ", "- ", "a:\n ", "? ", "[{a: ", "- ? "], 3) {
        check(&Source::new("input", unit.repeat(100_000)));
    }
    let ladder: String = (0..1_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    check(&Source::new("input", ladder));
}

#[test]
fn many_faults_are_cut_off() {
    let count = if is_sampled() { 10_000 } else { 50_000 };
    let keys: String = (0..count).map(|i| format!("k{i}: 1\n")).collect();
    let errors = load(&Source::new("input", keys)).expect_err("unknown keys");
    assert!(errors.0.len() < 200, "{}", errors.0.len());
}

#[test]
fn long_texts_stay_short_in_messages() {
    let long = "x".repeat(100_000);
    for place in
        ["table: x", "type: date", "yyyyMMdd", "chars: x", "time_zone: x", "first_hex_digits: 1", "cf1"]
    {
        let text = EXAMPLES.concat().replacen(place, &format!("{place}{long}"), 1);
        check(&Source::new("input", text));
    }
    check(&Source::new("input", format!("{long}: 1\n'{long}': [{long}]\n")));
}

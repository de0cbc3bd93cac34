//! No input makes the audit panic, and its findings for any input can be drawn, printed and fixed.
//!
//! The corpus is tests/testdata/fuzz; a file that once caused a failure is added there.

use std::fs;
use std::process::Command;
use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use saltplan_core::schema::{load, source_from_bytes};
use saltplan_document::diag::{Safety, Source, Style};
use saltplan_law::sample::{is_sampled, sampled};
use saltplan_lint::format::full::{self, Notes};
use saltplan_lint::format::{concise, github, gitlab, json, sarif};
use saltplan_lint::{FileReport, audit, example, fix, rules};

use super::root;
use crate::schema_errors::schemas;
use crate::schema_fuzz::{apply, edits};

/// The example schemas, the published designs, the corpus, and the examples of all rules.
static CORPUS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folders = ["schemas/examples", "tests/testdata/original", "tests/testdata/fuzz"];
    let files = folders.iter().flat_map(|folder| schemas(&root().join(folder)));
    let texts = files.filter_map(|file| fs::read_to_string(file).ok()).filter(|text| text.len() < 20_000);
    texts.chain(rules::all().iter().map(|rule| example::schema(rule.fires).0)).collect()
});

fn check(source: &Arc<Source>) {
    let report = audit(source, &root().join("schemas/examples"), &|_| true);
    for finding in &report.findings {
        let (text, shown) = (&source.text, head(&source.text));
        for label in &finding.diagnostic.labels {
            assert!(
                text.get(label.span.start..label.span.end).is_some(),
                "{}: {finding:?}\n{shown}",
                finding.rule.code
            );
        }
        let message = &finding.diagnostic.message;
        assert!(!message.contains(['\n', '\r']) && !message.contains("internal error"), "{message}\n{shown}");
        assert!(finding.diagnostic.help.is_some() || finding.rule.code.starts_with("SP90"), "{message}");
    }
    render(report);
    fixes(source, Safety::Safe);
    fixes(source, Safety::Unsafe);
}

fn render(mut report: FileReport) {
    report.limit();
    let reports = [report];
    for notes in [Notes::Lines, Notes::Drawn] {
        full::render_full(&reports, notes, Style::default());
    }
    concise::render(&reports);
    github::render(&reports);
    for text in [json::render(&reports), gitlab::render(&reports), sarif::render(&reports)] {
        serde_json::from_str::<serde_json::Value>(&text).expect("JSON");
    }
}

/// A file that can be loaded can still be loaded after its fixes, and fixing ends.
fn fixes(source: &Arc<Source>, safety: Safety) {
    let mut source = Arc::clone(source);
    let loaded = load(&source).is_ok();
    for _ in 0..10 {
        let report = audit(&source, &root().join("schemas/examples"), &|_| true);
        let Some((text, _)) = fix::apply(&report, safety) else { return };
        assert!(
            !loaded || load(&Source::new("fixed", text.clone())).is_ok(),
            "{}\nbecame\n{}",
            head(&source.text),
            head(&text)
        );
        source = Source::new("fixed", text);
    }
    panic!("fixes without end:\n{}", head(&source.text));
}

/// The start of a text, for messages.
fn head(text: &str) -> String {
    text.chars().take(2_000).collect()
}

#[test]
fn the_corpus() {
    let folder = root().join("tests/testdata/fuzz");
    let files = schemas(&folder);
    assert!(files.len() >= 30, "only {} files", files.len());
    for file in sampled(files, 4) {
        let bytes = fs::read(&file).expect("a readable file");
        match source_from_bytes(&file.to_string_lossy(), bytes) {
            Ok(source) => check(&source),
            Err(errors) => render(FileReport::unreadable(file.display().to_string(), errors)),
        }
    }
}

/// The program itself, with all files at once: a broken file must not affect the others.
#[test]
fn the_program_goes_through_the_corpus() {
    let folder = root().join("tests/testdata/fuzz");
    let output = Command::new(env!("CARGO_BIN_EXE_saltplan"))
        .args(["audit", "--output-format", "json"])
        .arg(&folder)
        .output()
        .expect("a finished program");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(!errors.contains("panicked"), "{errors}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // The others have neither `saltplan:` nor `hbase:`.
    let skipped: usize = errors
        .lines()
        .find_map(|line| line.strip_prefix("note: skipped ")?.split(' ').next()?.parse().ok())
        .expect("a note");
    assert_eq!(report["files"], schemas(&folder).len() - skipped);
    assert!(skipped < schemas(&folder).len() / 4, "{errors}");
}

#[test]
fn large_and_deep() {
    for unit in ["[", "{a: ", "- ", "a:\n ", "# saltplan: ignore[SP101] x\n", "key: [\n"] {
        check(&Source::new("input", unit.repeat(50_000)));
    }
}

/// The things that a file of maximum size can contain in large numbers.
#[test]
fn many_of_everything() {
    let head = "saltplan: 1\nhbase: { table: t, families: { f: {} } }\n";
    let key = "key: { fields: [{ name: id, type: string, width: 8, chars: digits }] }\n";
    let share = if is_sampled() { 16 } else { 1 };
    let repeat = |piece: &str| piece.repeat(300_000 / share / piece.len());
    let numbered = |make: fn(usize) -> String| (0..8_000 / share).map(make).collect::<String>();
    for text in [
        format!("{head}{key}{}", repeat("# saltplan: ignore[SP999] x\n")),
        format!("{head}{key}{}", repeat("# 3 regions\n")),
        format!(
            "{head}key:\n  fields:\n    - {{ name: v, type: string, values: [{}no] }}\n",
            numbered(|n| format!("{n},"))
        ),
        format!("{head}{key}regions: {{ explicit: [{}'z'] }}\n", numbered(|n| format!("'a{n:05}',"))),
        format!("{head}{key}regions: {{ explicit: [{}'0'] }}\n", numbered(|n| format!("'{}',", 99_999 - n))),
    ] {
        check(&Source::new("input", text));
    }
    let columns: String =
        (0..4_000 / share).map(|n| format!("  - {{ name: C{n}, type: int, hbase: 'f:q' }}\n")).collect();
    check(&Source::new("input", format!("{head}{key}columns:\n{columns}")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 3 / 2))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(source) = source_from_bytes("input", bytes) {
            check(&source);
        }
    }

    #[test]
    fn edited_files(file in any::<prop::sample::Index>(), edits in edits()) {
        check(&Source::new("input", apply(file.get(CORPUS.as_slice()).as_str(), &edits)));
    }
}

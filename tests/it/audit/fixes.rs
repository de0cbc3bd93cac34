//! The effect of fixes: `tests/testdata/fixes.txt`.
//!
//! A case is a line `fix NAME`, the file, `---- safe` and the changes of `--fix`, `---- unsafe` and the
//! changes of `--fix --unsafe-fixes`, up to `====`. `BLESS=1 cargo test` rewrites the changes; read the
//! difference before committing it.

use std::collections::BTreeSet;
use std::fs;

use saltplan_core::schema::load;
use saltplan_document::diag::{Safety, Severity};
use saltplan_lint::rule::Finding;
use saltplan_lint::{FileReport, example, fix, rules};

use super::{audit_text, root};
use saltplan_law::expect::{CaseForm, Expectations, answered};

/// The file after its fixes, in as many rounds as necessary.
fn fixed(text: &str, safety: Safety) -> String {
    let mut text = text.to_string();
    for _ in 0..10 {
        match fix::apply(&audit_text(&text), safety) {
            Some((next, _)) => text = next,
            None => return text,
        }
    }
    panic!("fixes without end:\n{text}");
}

fn changes(before: &str, safety: Safety) -> String {
    let after = fixed(before, safety);
    let diff = similar::TextDiff::from_lines(before, after.as_str());
    let changed = diff.iter_all_changes().filter(|change| change.tag() != similar::ChangeTag::Equal);
    changed.map(|change| format!("{}{}", change.tag(), change.value())).collect()
}

/// A finding without its place.
fn same(finding: &Finding) -> (&str, &str) {
    (finding.rule.code, &finding.diagnostic.message)
}

/// Applies each fix alone: its finding must be gone, and a file that can be loaded must stay so. Returns the
/// codes of the findings.
fn each_mends(text: &str) -> BTreeSet<(&'static str, Safety)> {
    let report = audit_text(text);
    let source = report.source.as_ref().expect("a source");
    let loads = load(source).is_ok();
    let mut codes = BTreeSet::new();
    for finding in report.findings.iter().filter(|finding| finding.diagnostic.fix.is_some()) {
        let mut alone = report.clone();
        alone.findings = vec![finding.clone()];
        let (mended, made) = fix::apply(&alone, Safety::Unsafe).expect("a fix");
        assert_eq!(made, 1);
        let again = audit_text(&mended);
        let count =
            |report: &FileReport| report.findings.iter().filter(|other| same(other) == same(finding)).count();
        assert!(count(&again) < count(&report), "{:?} is still there:\n{mended}", same(finding));
        let refused: Vec<_> = again.findings.iter().filter(|found| is_refused(found)).map(same).collect();
        assert!(!loads || refused.is_empty(), "{:?} breaks the file: {refused:?}\n{mended}", same(finding));
        codes.insert((finding.rule.code, finding.diagnostic.fix.as_ref().expect("a fix").safety));
    }
    codes
}

fn is_refused(finding: &Finding) -> bool {
    finding.rule.code.starts_with("SP90") && finding.diagnostic.severity == Severity::Error
}

#[test]
fn changes_of_files() {
    let path = root().join("tests/testdata/fixes.txt");
    let before = fs::read_to_string(&path).expect("the cases");
    let (after, cases) = answered(&before, CaseForm { word: "fix", end: "====" }, |_, yaml| {
        each_mends(yaml);
        let (safe, all) = (changes(yaml, Safety::Safe), changes(yaml, Safety::Unsafe));
        format!("{safe}---- unsafe\n{all}")
    });
    assert!(cases >= 20, "only {cases} cases");
    let mut expectations = Expectations::default();
    expectations.file(&path, &after);
    expectations.check();
}

#[test]
fn the_examples_of_rules() {
    let found: BTreeSet<_> =
        rules::all().iter().flat_map(|rule| each_mends(&example::schema(rule.fires).0)).collect();
    let of = |safety: Safety| -> Vec<&str> {
        found.iter().filter(|(_, found)| *found == safety).map(|(code, _)| *code).collect()
    };
    assert_eq!(of(Safety::Safe), ["SP205", "SP207", "SP406", "SP904", "SP908", "SP909"]);
    assert_eq!(of(Safety::Unsafe), ["SP201", "SP202", "SP310", "SP604", "SP606", "SP902"]);
}

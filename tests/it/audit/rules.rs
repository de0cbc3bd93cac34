//! Every rule fires at the marked text of its example, and not for the correction.

use std::collections::BTreeSet;

use saltplan_document::diag::{Severity, Style};
use saltplan_lint::format::full::Notes;
use saltplan_lint::rule::{FAMILIES, Rule};
use saltplan_lint::{FileReport, docs, example, rules};

use super::audit_text;
use saltplan_law::expect::expect_file;

fn shown(report: &FileReport) -> String {
    saltplan_lint::format::full::render_full(std::slice::from_ref(report), Notes::Drawn, Style::default())
}

/// What is wrong with a rule's example.
fn fault_of_example(rule: &Rule) -> Option<String> {
    let (text, marked) = example::schema(rule.fires);
    let report = audit_text(&text);
    let Some(marked) = marked else { return Some("no mark in the example".into()) };
    let own: Vec<_> = report.findings.iter().filter(|finding| finding.rule.code == rule.code).collect();
    match own[..] {
        [] => Some(format!("does not fire:\n{}", shown(&report))),
        [finding] if finding.span() != marked => Some(format!(
            "marks `{}`, not `{}`:\n{}",
            &text[finding.span().start..finding.span().end],
            &text[marked.start..marked.end],
            shown(&report)
        )),
        [finding] if finding.diagnostic.severity != rule.severity => Some("another severity".into()),
        [finding] if finding.diagnostic.help.is_none() => Some("no help".into()),
        [_] => None,
        _ => Some(format!("fires {} times:\n{}", own.len(), shown(&report))),
    }
}

fn fault_of_correction(rule: &Rule) -> Option<String> {
    let report = audit_text(&example::schema(rule.corrected).0);
    let wrong = |code: &str, severity| code == rule.code || severity == Severity::Error;
    let wrong = report.findings.iter().any(|finding| wrong(finding.rule.code, finding.diagnostic.severity));
    wrong.then(|| format!("its correction has findings:\n{}", shown(&report)))
}

#[test]
fn examples_fire_and_corrections_do_not() {
    let faults: Vec<String> = rules::all()
        .iter()
        .flat_map(|rule| {
            let faults = [fault_of_example(rule), fault_of_correction(rule)];
            faults.into_iter().flatten().map(|fault| format!("{} {}", rule.code, fault))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn codes_are_unique_sorted_and_of_a_family() {
    let codes: Vec<&str> = rules::all().iter().map(|rule| rule.code).collect();
    assert!(codes.is_sorted() && codes.windows(2).all(|pair| pair[0] != pair[1]), "{codes:?}");
    let names: BTreeSet<&str> = rules::all().iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), codes.len());
    for rule in rules::all() {
        assert!(FAMILIES.iter().any(|(family, _)| rule.code.starts_with(family)), "{}", rule.code);
        assert!(rule.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'));
        assert!(rule.summary.ends_with('.') && !rule.why.is_empty() && !rule.learned.is_empty());
        for line in rule.why.lines() {
            assert!(line.chars().count() <= 140, "{}: {line}", rule.code);
        }
    }
}

#[test]
fn examples_of_impossible_rules_are_refused() {
    for (code, _, lines) in docs::IMPOSSIBLE {
        let report = audit_text(&example::schema(lines).0);
        assert_eq!(report.worst(), Some(Severity::Error), "{code}");
        assert!(rules::find(code).is_none(), "{code}");
    }
}

/// `BLESS=1 cargo test` rewrites docs/rules.md.
#[test]
fn the_documentation_is_fresh() {
    expect_file("docs/rules.md", &docs::markdown());
}

//! What a suppressing comment covers, and the messages about one that covers nothing.

use saltplan_document::diag::{Safety, Source};
use saltplan_lint::rule::Rule;
use saltplan_lint::{audit, fix};

use super::{audit_text, root};

const HEAD: &str = "saltplan: 1\nhbase: { table: t, families: { f: {} } }\n";

/// The remaining codes, with their lines relative to the head.
fn remaining(text: &str) -> Vec<String> {
    let report = audit_text(&format!("{HEAD}{text}"));
    let source = report.source.as_ref().expect("a source");
    let line = |offset| source.line_column(offset).0 - HEAD.lines().count();
    report.findings.iter().map(|found| format!("{}:{}", found.rule.code, line(found.span().start))).collect()
}

/// A key with a random salt and two unpadded numbers; `{}` are places for comments.
fn key(above_salt: &str, behind_salt: &str, above_a: &str, behind_b: &str) -> String {
    format!(
        "key:\n{above_salt}  salt:\n    random: {{ below: 4, write: decimal }}{behind_salt}\n  separator: '_'\n  \
         fields:\n{above_a}    - {{ name: a, type: int, encoding: decimal }}\n    - {{ name: b, type: int, encoding: \
         decimal }}{behind_b}\nregions: {{ per_salt: {{}} }}\n"
    )
}

#[test]
fn without_a_comment() {
    assert_eq!(remaining(&key("", "", "", "")), ["SP107:3", "SP305:6", "SP305:7"]);
}

#[test]
fn a_comment_at_the_end_of_a_line_covers_the_line() {
    let suppressed =
        key("", " # saltplan: ignore[SP107] a reason", "", " # saltplan: ignore[SP305] a reason");
    assert_eq!(remaining(&suppressed), ["SP305:6"]);
}

#[test]
fn a_comment_above_covers_the_entry_or_the_item() {
    let salt = key("  # saltplan: ignore[SP107] a reason\n", "", "", "");
    assert_eq!(remaining(&salt), ["SP305:7", "SP305:8"]);
    let item = key("", "", "    # saltplan: ignore[SP305] a reason\n\n    # more\n", "");
    assert_eq!(remaining(&item), ["SP107:3", "SP305:10"]);
    let fields = key("", "", "", "").replace("  fields:", "  # saltplan: ignore[SP305] a reason\n  fields:");
    assert_eq!(remaining(&fields), ["SP107:3"]);
    let whole = format!("# saltplan: ignore[SP107, SP305] a reason\n{}", key("", "", "", ""));
    assert_eq!(remaining(&whole), Vec::<String>::new());
}

#[test]
fn a_windows_line_break_is_not_a_reason() {
    let suppressed = key("", " # saltplan: ignore[SP107] a reason", "", "").replace('\n', "\r\n");
    assert_eq!(remaining(&suppressed), ["SP305:6", "SP305:7"]);
    let none = key("", " # saltplan: ignore[SP107]  ", "", "").replace('\n', "\r\n");
    assert_eq!(remaining(&none), ["SP107:3", "SP906:3", "SP305:6", "SP305:7"]);
}

#[test]
fn comments_that_suppress_nothing_are_reported() {
    for (comment, expected) in [
        (" # saltplan: ignore[SP107]", vec!["SP107:3", "SP906:3"]),
        (" # saltplan: ignore SP107 a reason", vec!["SP107:3", "SP906:3"]),
        (" # saltplan: ignore[] a reason", vec!["SP107:3", "SP906:3"]),
        (" # saltplan: ignore[SP17] a reason", vec!["SP107:3", "SP905:3"]),
        (" # saltplan: ignore[SP107, SP305] a reason", vec!["SP904:3"]),
        (" # saltplan: ignore[SP305] a reason", vec!["SP107:3", "SP904:3"]),
        (" # saltplan:ignore[ SP107 ,random-salt ] a reason", vec!["SP904:3"]),
        (" # saltplan is a tool", vec!["SP107:3"]),
    ] {
        let found = remaining(&key("", comment, "", ""));
        let others = ["SP305:6", "SP305:7"];
        let found: Vec<&str> =
            found.iter().map(String::as_str).filter(|found| !others.contains(found)).collect();
        if comment.contains("random-salt") {
            // The name of a rule selects the same rule.
            assert!(found.is_empty(), "{comment}: {found:?}");
        } else {
            assert_eq!(found, expected, "{comment}");
        }
    }
}

#[test]
fn rules_that_are_not_selected_need_no_finding() {
    let text = format!("{HEAD}{}", key("", " # saltplan: ignore[SP107] a reason", "", ""));
    let select = |rule: &Rule| rule.code != "SP107" && rule.code != "SP305";
    let report = audit(&Source::new("a.yaml", text), root().as_path(), &select);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

#[test]
fn fixes_remove_comments_that_suppress_nothing() {
    for (before, after) in [
        (" # saltplan: ignore[SP107, SP305] a reason", " # saltplan: ignore[SP107] a reason"),
        ("   # saltplan: ignore[SP305] a reason", ""),
    ] {
        let text = |comment: &str| format!("{HEAD}{}", key("", comment, "", ""));
        let (fixed, _) = fix::apply(&audit_text(&text(before)), Safety::Safe).expect("a fix");
        assert_eq!(fixed, text(after));
    }
    let above = format!("{HEAD}{}", key("  # saltplan: ignore[SP999, SP305] a reason\n", "", "", ""));
    let (fixed, _) = fix::apply(&audit_text(&above), Safety::Safe).expect("a fix");
    assert!(fixed.contains("key:\n  salt:"), "{fixed}");
}

#[test]
fn letters_of_either_case_and_a_comma_too_many() {
    for comment in [" # Saltplan: IGNORE[sp107] a reason", " # saltplan: ignore[SP107,] a reason"] {
        assert_eq!(remaining(&key("", comment, "", "")), ["SP305:6", "SP305:7"], "{comment}");
    }
    for comment in [" # saltplan: ignore[] a reason", " # saltplan: ignore[,] a reason"] {
        let found = remaining(&key("", comment, "", ""));
        assert_eq!(found, ["SP107:3", "SP906:3", "SP305:6", "SP305:7"], "{comment}");
    }
}

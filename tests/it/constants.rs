//! Constant expressions have the values in `testdata/constants.txt`, which the engine suite compares with
//! Hive; those that are left to Hive have none.

use saltplan_core::analyze::constant::{Constant, Decimal, fold};
use saltplan_document::diag::Source;
use saltplan_sql::ast::Expr;
use saltplan_sql::{Parameters, parse};

#[test]
fn constant_expressions() {
    let (mut computed, mut left) = (0, 0);
    for line in include_str!("../testdata/constants.txt").lines() {
        if let Some((text, value)) = line.split_once(" => ") {
            let value = value.split_once(" (Hive 4: ").map_or(value, |(value, _)| value);
            let found = folded(text).unwrap_or_else(|| panic!("{text} is not computed"));
            assert!(is_value(&found, value), "{text}: {found:?}, not {value}");
            computed += 1;
        } else if let Some((text, _)) = line.split_once(" -> ") {
            assert_eq!(folded(text), None, "{text}");
            left += 1;
        } else {
            assert!(line.is_empty() || line.starts_with('#'), "{line}");
        }
    }
    assert!(computed >= 150 && left >= 50, "{computed} and {left} cases");
}

/// Whether a constant is the value to which Hive casts this text.
fn is_value(constant: &Constant, text: &str) -> bool {
    match constant {
        Constant::Null => text == "NULL",
        Constant::Text(value) => value == text,
        // If days are added, Hive makes a timestamp of it.
        Constant::Date(date) => text.strip_suffix(" 00:00:00").unwrap_or(text) == date.to_string(),
        Constant::Timestamp(at) => at.format("%Y-%m-%d %H:%M:%S%.9f").to_string().starts_with(text),
        Constant::Bool(value) => value.to_string().eq_ignore_ascii_case(text),
        Constant::Number(number) => Decimal::parse(text) == Some(*number),
    }
}

fn folded(text: &str) -> Option<Constant> {
    let parsed = parse(&Source::new("constants", format!("x = ({text})")), &Parameters::new()).expect(text);
    let Expr::BinaryOp { right, .. } = &parsed.tree.expr else { panic!("{text}") };
    fold(right)
}

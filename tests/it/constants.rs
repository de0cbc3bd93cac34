//! Functions of constants have the values that are written in `testdata/constants.txt`, which the engine suite asks Hive for.

use saltplan_core::diag::Source;
use saltplan_core::hiveql::Tree;
use saltplan_core::hiveql::ast::Expr;
use saltplan_core::predicate::constant::{Constant, fold};
use saltplan_core::predicate::{Parameters, parse};

#[test]
fn functions_of_constants() {
    let mut cases = 0;
    for line in include_str!("../testdata/constants.txt").lines() {
        let Some((call, value)) = line.split_once(" => ") else {
            assert!(line.is_empty() || line.starts_with('#'), "{line}");
            continue;
        };
        assert_eq!(folded(call), value, "{call}");
        cases += 1;
    }
    assert!(cases >= 25, "{cases} cases");
}

fn folded(call: &str) -> String {
    let parsed = parse(&Source::new("constants", format!("x = {call}")), &Parameters::new()).expect(call);
    let Tree::Leaf(leaf) = &parsed.tree else { panic!("{call}") };
    let Expr::BinaryOp { right, .. } = &*leaf.expr else { panic!("{call}") };
    match fold(right).unwrap_or_else(|| panic!("{call} is not computed")) {
        Constant::Null => "NULL".into(),
        Constant::Text(text) => text,
        Constant::Date(date) => date.to_string(),
        other => panic!("{call} is {other:?}"),
    }
}

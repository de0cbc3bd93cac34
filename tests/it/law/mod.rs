//! The law of the planner, tested by brute force: small universes of rows, keys encoded and conditions evaluated by
//! code that shares nothing with the planner but the SQL parser.
//!
//! `SALTPLAN_LAW_CASES` sets the number of cases (1,000 without it). A failure prints the shrunken case, and the
//! seed as proptest writes it.

mod calendar;
mod check;
mod predicate;
mod sql;
mod table;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use check::Case;

fn runner() -> TestRunner {
    let cases =
        std::env::var("SALTPLAN_LAW_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1_000);
    TestRunner::new(Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    })
}

fn cases() -> impl Strategy<Value = Case> {
    let max_branches = prop::sample::select(vec![256usize, 256, 16, 5, 3, 2, 1]);
    (table::tables(), predicate::shapes(), any::<u64>(), max_branches)
        .prop_map(|(table, shape, seed, max_branches)| Case::new(table, &shape, seed, max_branches))
}

#[test]
fn plans_hold_the_law() {
    runner()
        .run(&cases(), |case| case.check_law().map_err(TestCaseError::fail))
        .unwrap_or_else(|e| panic!("{e}"));
}

//! The law on random cases.
//!
//! `SALTPLAN_LAW_CASES` sets the number of cases (250 without it). A failure prints the shrunken case and a seed;
//! `SALTPLAN_LAW_SEED` repeats the run, `SALTPLAN_LAW_SHRINKS=0` leaves the case as it was drawn.

#![expect(clippy::panic, reason = "a test that cannot go on fails")]

use std::cell::Cell;
use std::hash::{BuildHasher as _, RandomState};
use std::str::FromStr;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use saltplan_law::build::{Sql, conjunction, truth};
use saltplan_law::check::Case;
use saltplan_law::pieces;
use saltplan_law::predicate::{Conditions, Shape, leaves, shapes};
use saltplan_law::table::tables;

fn from_environment<T: FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}

/// The seed of a run, and its configuration.
fn configured(cases: u32) -> (u64, Config) {
    let seed: u64 = from_environment("SALTPLAN_LAW_SEED").unwrap_or_else(|| RandomState::new().hash_one(0));
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: from_environment("SALTPLAN_LAW_SHRINKS").unwrap_or(20_000),
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    (seed, config)
}

/// Runs a check on random cases; `share` is the part of them that a lesser law gets.
fn run(share: u32, cases: impl Strategy<Value = Case>, check: impl Fn(&Case) -> Result<(), String>) {
    let count: u32 = from_environment("SALTPLAN_LAW_CASES").unwrap_or(250) / share;
    let (seed, config) = configured(count);
    TestRunner::new(config)
        .run(&cases, |case| check(&case).map_err(TestCaseError::fail))
        .unwrap_or_else(|error| panic!("SALTPLAN_LAW_SEED={seed}\n{error}"));
}

/// Cases with the predicates that `draw` makes of some choices.
fn cases<T: std::fmt::Debug>(
    choices: impl Strategy<Value = T>,
    max_branches: impl Strategy<Value = usize>,
    draw: impl Fn(&Conditions<'_>, &T) -> Vec<Sql> + Clone,
) -> impl Strategy<Value = Case> {
    (tables(), choices, any::<u64>(), max_branches).prop_map(move |(table, choices, seed, max_branches)| {
        Case::new(table, seed, max_branches, |conditions| draw(conditions, &choices))
    })
}

/// More than nearly every plan needs.
const NO_LIMIT: usize = 8_192;

fn any_limit() -> impl Strategy<Value = usize> {
    prop::sample::select(vec![256usize, 256, 16, 5, 3, 2, 1])
}

#[test]
fn plans_hold_the_law() {
    let one = cases(shapes(), any_limit(), |conditions, shape| vec![conditions.sql(shape)]);
    run(1, one, Case::check_law);
}

/// Conditions on pieces of the row key of a mapping table.
#[test]
fn pieces_of_the_key_hold_the_law() {
    let counts = Cell::new([0, 0, 0]);
    let (seed, config) = configured(from_environment("SALTPLAN_LAW_CASES").unwrap_or(250));
    TestRunner::new(config)
        .run(&(tables(), any::<u64>()), |(table, seed)| {
            let shown = pieces::check(&table, seed, 8).map_err(TestCaseError::fail)?;
            let mut now = counts.get();
            shown.iter().for_each(|shown| now[*shown as usize] += 1);
            counts.set(now);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("SALTPLAN_LAW_SEED={seed}\n{error}"));
    let [everything, ranges, nothing] = counts.get();
    // Behind many of the drawn salts, pieces have no known place: those in bytes, and those without a width.
    assert!(
        6 * ranges > everything && nothing < ranges,
        "{everything} read all keys, {ranges} ranges, {nothing} are refused"
    );
}

/// Where the planner evaluates a residual over a row, the oracle agrees.
#[test]
fn residuals_are_evaluated_as_the_oracle_does() {
    let known = Cell::new([0, 0]);
    let one = cases(shapes(), any_limit(), |conditions, shape| vec![conditions.sql(shape)]);
    run(2, one, |case| case.check_residuals(&known));
    let [said, unsaid] = known.get();
    assert!(said > unsaid, "{said} rows are evaluated, {unsaid} are not");
}

/// A predicate, its negation and its being NULL share out the rows.
#[test]
fn negation_and_null_partition_the_rows() {
    let parts = cases(shapes(), any_limit(), |conditions, shape| {
        let drawn = conditions.sql(shape);
        vec![drawn.clone(), drawn.clone().negated(), drawn.is(None, false)]
    });
    run(4, parts, Case::check_partition);
}

#[test]
fn lists_and_ranges_are_what_they_stand_for() {
    let same = cases((leaves(), 0usize..4), Just(NO_LIMIT), |conditions, (leaf, pair)| {
        let (a, b) = conditions.same(leaf)[*pair].clone();
        vec![a, b]
    });
    run(4, same, Case::check_same);
}

#[test]
fn order_and_de_morgan_change_nothing() {
    let pair = |a, b, both: fn(Vec<Shape>) -> Shape| both(vec![a, b]);
    let same = cases((shapes(), shapes()), Just(NO_LIMIT), move |conditions, (p, q)| {
        let not = |shape: &Shape| Shape::Not(Box::new(shape.clone()));
        let neither = pair(not(p), not(q), Shape::And);
        let either = pair(p.clone(), q.clone(), Shape::Or);
        let turned = pair(q.clone(), p.clone(), Shape::Or);
        [not(&neither), either, turned].iter().map(|shape| conditions.sql(shape)).collect()
    });
    run(4, same, Case::check_same);
}

/// Of a box, a row is read only where the leading fields have what is asked for, up to the first one with a range; and with single
/// values of all fields only the rows that are asked for.
#[test]
fn ranges_are_as_tight_as_the_box() {
    let leaf = prop::collection::vec(leaves(), 4);
    let boxes = cases(leaf, Just(NO_LIMIT), |conditions, leaves| {
        let sides = conditions.box_of(leaves);
        let asked = sides.iter().filter(|side| **side != truth(true)).cloned().collect();
        [conjunction(asked)].into_iter().chain(sides).collect()
    });
    run(1, boxes, Case::check_tight);
}

#[test]
fn a_further_condition_never_widens() {
    let narrowing = cases((shapes(), shapes()), Just(64), |conditions, (p, q)| {
        [p.clone(), Shape::And(vec![p.clone(), q.clone()])]
            .iter()
            .map(|shape| conditions.sql(shape))
            .collect()
    });
    run(4, narrowing, Case::check_narrower);
}

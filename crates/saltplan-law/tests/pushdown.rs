//! The law of filters that Hive sends: no row is lost, whatever of a filter is understood.
//!
//! `SALTPLAN_LAW_CASES` sets the number of cases (200 without it), `SALTPLAN_LAW_SEED` the seed. `SALTPLAN_LAW_DIFFERENCES=1` with
//! `--nocapture` prints the filters whose ranges are not those of `plan`.

#![expect(clippy::panic, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use saltplan_law::check::Case;
use saltplan_law::predicate::shapes;
use saltplan_law::pushdown::Tally;
use saltplan_law::table::tables;
use saltplan_sql::version::HiveVersion;

fn from_environment(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}

#[test]
fn filters_of_hive_hold_the_law() {
    let cases = (tables(), shapes(), any::<u64>(), prop::sample::select(HiveVersion::ALL.to_vec()));
    let cases = cases.prop_map(|(table, shape, seed, version)| {
        (Case::new(table, seed, 4_096, |conditions| vec![conditions.of(&shape)]), version)
    });
    let seed = from_environment("SALTPLAN_LAW_SEED").unwrap_or(20_200_406);
    let count = from_environment("SALTPLAN_LAW_CASES").unwrap_or(200);
    let config = Config {
        cases: u32::try_from(count).unwrap_or(u32::MAX),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    let tally = Tally::default();
    let answer = |request: &str| {
        saltplan_pushdown::answer(request.as_bytes()).map_err(|error| format!("{error}\n{request}"))
    };
    TestRunner::new(config)
        .run(&cases, |(case, version)| {
            case.check_pushdown(version, &answer, &tally).map_err(TestCaseError::fail)
        })
        .unwrap_or_else(|error| panic!("SALTPLAN_LAW_SEED={seed}\n{error}"));
    let [asked, narrowed, planned, same] =
        [&tally.asked, &tally.narrowed, &tally.planned, &tally.same].map(std::cell::Cell::get);
    println!(
        "{asked} filters, {narrowed} with ranges; {planned} predicates with ranges, {same} with the same ones"
    );
    if std::env::var_os("SALTPLAN_LAW_DIFFERENCES").is_some() {
        println!("{}", tally.differences.borrow().join("\n"));
    }
    // A door that reads all keys would pass every case.
    assert!(asked as u64 > count / 4, "{asked} filters of {count} cases");
}

//! The law of filters that Hive sends: no row is lost, whatever of a filter is understood.
//!
//! `SALTPLAN_LAW_CASES` sets the number of cases (200 without it), `SALTPLAN_LAW_SEED` the seed. `SALTPLAN_LAW_DIFFERENCES=1` with
//! `--nocapture` prints the filters whose ranges are not those of `plan`.

#![expect(clippy::panic, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use saltplan_core::schema::load;
use saltplan_document::diag::Source;
use saltplan_law::check::Case;
use saltplan_law::expect;
use saltplan_law::predicate::shapes;
use saltplan_law::pushdown::{Tally, same_ranges};
use saltplan_law::sample::is_sampled;
use saltplan_law::table::tables;
use saltplan_sql::version::HiveVersion;
use saltplan_sql::{Parameters, parse};

fn from_environment(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}

#[test]
fn filters_of_hive_hold_the_law() {
    let cases = (tables(), shapes(), any::<u64>(), prop::sample::select(HiveVersion::ALL.to_vec()));
    let cases = cases.prop_map(|(table, shape, seed, version)| {
        (Case::new(table, seed, 4_096, |conditions| vec![conditions.sql(&shape)]), version)
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

/// Of the predicates of `tests/testdata/plan`, asked of the view: those whose ranges are not those of `plan`. The tables of these cases
/// are odd ones on purpose, with binary fields and days in forms that Hive does not read.
#[test]
fn most_plan_cases_have_the_ranges_of_plan() {
    let repository = expect::repository();
    let read = |path: &std::path::Path| {
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let folder = std::fs::read_dir(repository.join("tests/testdata/plan"));
    let files = folder.and_then(|files| files.map(|file| Ok(file?.path())).collect::<Result<Vec<_>, _>>());
    let mut files = files.unwrap_or_else(|error| panic!("{error}"));
    files.sort();
    let answer =
        |request: &str| saltplan_pushdown::answer(request.as_bytes()).map_err(|error| error.to_string());
    let (mut same, mut differ) = (0, Vec::new());
    let mut cases = 0_usize;
    for file in files {
        let text = read(&file);
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(header) = line.strip_prefix("plan ") else { continue };
            let predicate: Vec<&str> = lines.by_ref().take_while(|line| *line != "----").collect();
            // Files differ in how odd their tables are, so the sample is one of cases.
            cases += 1;
            if is_sampled() && !cases.is_multiple_of(4) {
                continue;
            }
            let settings = || header.split_whitespace().filter_map(|setting| setting.split_once('='));
            if settings().any(|(name, _)| name != "schema") {
                continue;
            }
            let name = settings().next().map_or("plain_concat", |(_, name)| name);
            let Some(path) = expect::schema_file(name) else { continue };
            let yaml = read(&path);
            let Ok(loaded) = load(&Source::new("schema", yaml.clone())) else { continue };
            let Ok(parsed) = parse(&Source::new("predicate", predicate.join("\n")), &Parameters::new())
            else {
                continue;
            };
            match same_ranges(&loaded.schema, &yaml, &parsed.tree, &answer) {
                None => {}
                Some(Ok(())) => same += 1,
                Some(Err(what)) => differ.push(format!("{what}: {name}: {}", predicate.join(" "))),
            }
        }
    }
    println!("{same} have the ranges of `plan`, {} differ\n{}", differ.len(), differ.join("\n"));
    let lost: Vec<&String> = differ.iter().filter(|what| what.starts_with("no answer")).collect();
    assert!(
        lost.is_empty() && same * 100 > (same + differ.len()) * 60,
        "{same} have the ranges of `plan`, {} differ: {lost:?}",
        differ.len()
    );
}

/// The predicates of `tests/engines/layouts`, asked of the view: `tests/engines/views.txt` lists those that an engine reads otherwise.
#[test]
fn most_predicates_of_the_engine_suite_have_the_ranges_of_plan() {
    let repository = expect::repository();
    let read = |path: &std::path::Path| {
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let folder = std::fs::read_dir(repository.join("tests/engines/layouts"));
    let files = folder.and_then(|files| files.map(|file| Ok(file?.path())).collect::<Result<Vec<_>, _>>());
    let mut files = files.unwrap_or_else(|error| panic!("{error}"));
    files.retain(|file| file.extension().is_some_and(|end| end == "txt"));
    files.sort();
    let answer =
        |request: &str| saltplan_pushdown::answer(request.as_bytes()).map_err(|error| error.to_string());
    let (mut same, mut differ) = (0, Vec::new());
    for file in files {
        let text = read(&file);
        let of = |name: &str| {
            let name = format!("{name}: ");
            text.lines()
                .filter_map(move |line| line.trim().strip_prefix(&name).map(str::to_string))
                .collect::<Vec<_>>()
        };
        let schema = of("schema");
        let yaml = read(&repository.join(schema.first().map_or("", String::as_str)));
        let Ok(loaded) = load(&Source::new("schema", yaml.clone())) else { continue };
        for predicate in of("predicate") {
            let parsed = parse(&Source::new("predicate", predicate.clone()), &Parameters::new());
            let Ok(parsed) = parsed else { continue };
            match same_ranges(&loaded.schema, &yaml, &parsed.tree, &answer) {
                None => {}
                Some(Ok(())) => same += 1,
                Some(Err(what)) => differ.push(format!("{what}: {}: {predicate}", file.display())),
            }
        }
    }
    println!("{same} have the ranges of `plan`, {} differ\n{}", differ.len(), differ.join("\n"));
    assert!(same > 100, "{same}");
}

//! The meaning of calendar fields and instants in printed statements: for a field of each Hive type, random
//! conditions like those of users give the same result, row by row, as in Hive over a native column of that
//! type.
//!
//! `SALTPLAN_MEANING_CASES` sets the number of conditions for each set of types (default 150),
//! `SALTPLAN_MEANING_SEED` chooses others.

mod random;
mod rows;

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::{Failed, Trial};
use saltplan_core::PlanOptions;
use saltplan_core::Table;
use saltplan_core::hive::query::{QueryOptions, QueryShape};
use saltplan_document::diag::Source;
use saltplan_sql::Parameters;

use crate::engine::{Engine, Engines};
use crate::evaluator::from_environment;
use random::{Made, Maker};
use rows::{FieldTypes, TABLE};

const CASES: u64 = 150;
/// The number of conditions per statement.
const AT_ONCE: usize = 100;
const MAX_BRANCHES: usize = 5;
const MAX_PRINTED: usize = 20_000;
/// The maximum number of differences that a failure shows.
const SHOWN: usize = 60;

pub fn trials(engines: &Engines) -> Vec<Trial> {
    let trial = |(engine, types): (Engine, FieldTypes)| {
        let engines = engines.clone();
        Trial::test(format!("meaning::{engine}::{}", types.name), move || {
            run(&engines, engine, &types).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    let on = |engine| FieldTypes::ALL.into_iter().map(move |types| (engine, types));
    Engine::COMPILERS.into_iter().flat_map(on).map(trial).collect()
}

/// Conditions over fields of all types, for the parsers.
pub(crate) fn conditions(seed: u64, count: usize) -> Vec<String> {
    let mut makers = FieldTypes::ALL.each_ref().map(|types| Maker::new(seed, types));
    let kinds = makers.len();
    (0..count).map(|index| makers[index % kinds].condition().asked).collect()
}

struct Case {
    made: Made,
    /// The number of printed branches that return a row, as an expression.
    printed: String,
}

#[derive(Debug, Default)]
struct Counts {
    judged: usize,
    refused: usize,
    /// Hive cannot compile this condition over a native column.
    no_hive: usize,
}

fn run(engines: &Engines, engine: Engine, types: &FieldTypes) -> Result<()> {
    let count = from_environment("SALTPLAN_MEANING_CASES", CASES)? as usize;
    let seed = from_environment("SALTPLAN_MEANING_SEED", 1)?;
    engines.begin(engine)?;
    rows::fill(engines, engine)?;
    // A fetch without a job evaluates conditions row by row, not vectorised.
    engines.script(
        engine,
        "set hive.fetch.task.conversion=more;\nset hive.fetch.task.conversion.threshold=-1;\n",
    )?;
    let table = Table::from_yaml(&rows::schema(types))?;
    let mut maker = Maker::new(seed, types);
    let mut seen = Counts::default();
    let mut differences = Vec::new();
    let mut done = 0;
    while done < count {
        let mut cases = Vec::new();
        while cases.len() < AT_ONCE.min(count - done) {
            let made = maker.condition();
            match printed(&table, &made.asked)? {
                Some(printed) => cases.push(Case { made, printed }),
                None => seen.refused += 1,
            }
        }
        done += cases.len();
        judge(engines, engine, types, &cases, &mut seen, &mut differences)?;
    }
    eprintln!("meaning::{engine}::{}: {seen:?}", types.name);
    if differences.is_empty() {
        ensure!(2 * seen.judged > done, "too few conditions are judged: {seen:?}");
        return Ok(());
    }
    differences.sort_by_key(String::len);
    bail!(
        "{} of {} differ\n{}",
        differences.len(),
        seen.judged,
        differences.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n")
    )
}

/// The conditions of the printed statement; `None` if the plan is refused.
fn printed(table: &Table, predicate: &str) -> Result<Option<String>> {
    let analysis = table
        .analyze(&Source::new("predicate", predicate), &Parameters::new())
        .with_context(|| predicate.to_string())?;
    if !analysis.rejected.is_empty() {
        return Ok(None);
    }
    let mut options = PlanOptions::accepting_all();
    options.max_branches = MAX_BRANCHES;
    let Ok(planned) = table.plan_analysis(&analysis, &options) else { return Ok(None) };
    let mut options = QueryOptions::default();
    options.select_only = true;
    options.shape = Some(QueryShape::UnionAll);
    options.max_bytes = MAX_PRINTED;
    let Ok(query) = planned.hive_sql(&options) else { return Ok(None) };
    crate::evaluator::count_of_branches(&query.sql, TABLE).map(Some)
}

fn judge(
    engines: &Engines,
    engine: Engine,
    types: &FieldTypes,
    cases: &[Case],
    seen: &mut Counts,
    differences: &mut Vec<String>,
) -> Result<()> {
    let ask = |texts: Vec<(usize, String)>, from: &str| {
        crate::evaluator::values_by_row(engines, engine, texts, from, rows::COUNT)
    };
    let native = cases.iter().map(|case| case.made.of_hive.clone()).enumerate().collect();
    let native = ask(native, &types.logical_table())?;
    let printed = cases.iter().map(|case| case.printed.clone()).enumerate().collect();
    let printed: BTreeMap<usize, Vec<String>> = ask(printed, TABLE)?;
    for (index, case) in cases.iter().enumerate() {
        let Some(native) = native.get(&index) else {
            seen.no_hive += 1;
            continue;
        };
        seen.judged += 1;
        let Some(yielded) = printed.get(&index) else {
            differences.push(format!("not compiled as printed: {}", case.made.asked));
            continue;
        };
        let wrong: Vec<usize> =
            (0..rows::COUNT).filter(|row| (native[*row] == "true") != (yielded[*row] == "1")).collect();
        if let [first, ..] = wrong.as_slice() {
            let (asked, of_hive) = (&case.made.asked, &case.made.of_hive);
            differences.push(format!(
                "{asked}\n  as Hive has it: {of_hive}\n  row {first} ({}): Hive {}, printed {}; {} rows differ\n  {}",
                rows::shown(*first),
                native[*first],
                yielded[*first],
                wrong.len(),
                case.printed
            ));
        }
    }
    Ok(())
}

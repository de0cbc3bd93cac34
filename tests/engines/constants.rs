//! Functions of constants, `tests/testdata/constants.txt`: what saltplan computes is what both versions of Hive do. All of them
//! are one statement.

use anyhow::{Result, ensure};
use libtest_mimic::{Failed, Trial};

use crate::engine::{Engine, Engines};

pub fn trials(engines: &Engines) -> Vec<Trial> {
    let of = |engine: Engine| {
        let engines = engines.clone();
        Trial::test(format!("constants::{engine}"), move || {
            run(&engines, engine).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    [Engine::Mr, Engine::Mr2].into_iter().map(of).collect()
}

fn run(engines: &Engines, engine: Engine) -> Result<()> {
    let lines = include_str!("../testdata/constants.txt").lines();
    let cases: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(" => ")).collect();
    engines.begin(engine)?;
    let calls: Vec<String> =
        cases.iter().map(|(call, _)| format!("coalesce(cast({call} as string), 'NULL')")).collect();
    let rows = engines.query(engine, &format!("SELECT {}", calls.join(", ")))?;
    ensure!(rows.len() == 1, "{} rows", rows.len());
    let values: Vec<&str> = rows[0].split('\t').collect();
    ensure!(values.len() == cases.len(), "{} values of {}", values.len(), cases.len());
    for ((call, wanted), value) in cases.iter().zip(values) {
        ensure!(value == *wanted, "{call} is {value} in Hive");
    }
    Ok(())
}

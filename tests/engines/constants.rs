//! Constant expressions, `tests/testdata/constants.txt`: what saltplan computes equals the result of Hive 2 and
//! 3, and what it leaves to Hive has the listed values, one for each version. All of them are in one statement.

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};

use crate::engine::{Engine, Engines};

pub fn trials(engines: &Engines) -> Vec<Trial> {
    let of = |engine: Engine| {
        let engines = engines.clone();
        Trial::test(format!("constants::{engine}"), move || {
            run(&engines, engine).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    Engine::COMPILERS.map(of).into()
}

/// Expressions with the values that this Hive gives them.
fn cases(engine: Engine) -> Vec<(&'static str, &'static str)> {
    let of_line = |line: &'static str| {
        let (text, values) = line.split_once(" => ").or_else(|| line.split_once(" -> "))?;
        let (values, of_four) = match values.split_once(" (Hive 4: ") {
            Some((values, of_four)) => (values, of_four.strip_suffix(')')),
            None => (values, None),
        };
        let value = match (values.split_once(" | "), engine, of_four) {
            (_, Engine::Hive4, Some(of_four)) => of_four,
            (Some((_, of_two)), Engine::Mr2, _) => of_two,
            (Some((of_three, _)), ..) => of_three,
            (None, ..) => values,
        };
        Some((text, value))
    };
    include_str!("../testdata/constants.txt").lines().filter_map(of_line).collect()
}

fn run(engines: &Engines, engine: Engine) -> Result<()> {
    engines.begin(engine)?;
    // An expression that Hive does not compile would make the others fail.
    let (refused, computed): (Vec<_>, Vec<_>) =
        cases(engine).into_iter().partition(|(_, value)| *value == "refused");
    let each: Vec<String> =
        computed.iter().map(|(text, _)| format!("coalesce(cast(({text}) as string), 'NULL')")).collect();
    let rows = engines.query(engine, &format!("SELECT {}", each.join(", ")))?;
    ensure!(rows.len() == 1, "{} rows", rows.len());
    let values: Vec<&str> = rows[0].split('\t').collect();
    ensure!(values.len() == computed.len(), "{} values of {}", values.len(), computed.len());
    let wrong: Vec<String> = computed
        .iter()
        .zip(values)
        .filter(|((_, wanted), value)| value != wanted)
        .map(|((text, wanted), value)| format!("{text} is {value} in Hive, not {wanted}"))
        .collect();
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (text, _) in refused {
        let answer = engines.query(engine, &format!("SELECT ({text})"));
        let message = answer.err().with_context(|| format!("{text} compiles"))?;
        ensure!(format!("{message:#}").contains("FAILED"), "{text}: {message:#}");
    }
    Ok(())
}

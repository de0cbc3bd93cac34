//! The cost of a statement: Hive launches as many jobs as `plan` says (it prints one line for each).

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::engine::{Engine, Engines};
use crate::rows::hex;
use crate::saltplan;

const TABLE: &str = "saltplan_jobs";
const DAYS: [u32; 2] = [20_200_406, 20_200_407];
/// The maximum number of branches, each with one row of a day.
const ROWS: u32 = 80;

/// Hive launches no job for a query that it answers by a fetch, and one more if it merges small files.
/// Neither follows from the statement, so neither is counted.
const SETTINGS: &str = "set hive.session.silent=false;
set hive.fetch.task.conversion=none;
set hive.merge.smallfiles.avgsize=0;
";

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let mut trials = Vec::new();
    for engine in Engine::ALL {
        for (name, branches, shapes) in [
            ("one_branch", 1, &["auto", "isolated"][..]),
            ("one_scan", 40, &["one_scan"]),
            ("few_branches", 2, &["auto", "union_all"]),
            ("16_branches", 16, &["auto"]),
            ("40_branches", 40, &["auto"]),
        ] {
            let (root, engines) = (root.to_owned(), engines.clone());
            trials.push(Trial::test(format!("{engine}::jobs::{name}"), move || {
                let checked = check(&root, &engines, engine, branches, shapes);
                checked.map_err(|error| Failed::from(format!("{error:#}")))
            }));
        }
    }
    trials
}

fn check(root: &Path, engines: &Engines, engine: Engine, branches: u32, shapes: &[&str]) -> Result<()> {
    let schema = schema()?;
    fill(root, engines, &schema)?;
    engines.begin(engine)?;
    let tables = saltplan::run(root, &["ddl", &schema, "--only", "mapping,target"], "")?;
    engines.script(
        engine,
        &format!("DROP TABLE IF EXISTS {TABLE}_map;\nDROP TABLE IF EXISTS {TABLE}_target;\n{tables}"),
    )?;
    engines.script(engine, SETTINGS)?;
    for shape in shapes {
        // A static partition; then several partitions, then none.
        launched(root, engines, engine, &schema, &of_days(&DAYS[..1], branches), &[shape])?;
    }
    if branches < 16 {
        launched(root, engines, engine, &schema, &of_days(&DAYS, branches), &["auto"])?;
        launched(root, engines, engine, &schema, &of_days(&DAYS[..1], branches), &["auto", "--select"])?;
    }
    Ok(())
}

/// A predicate with this many branches for each day: no two rows are neighbours.
fn of_days(days: &[u32], branches: u32) -> String {
    let ids: Vec<String> = (0..branches).map(|branch| (2 * branch).to_string()).collect();
    let days: Vec<String> = days.iter().map(u32::to_string).collect();
    format!("day IN ({}) AND id IN ({})", days.join(", "), ids.join(", "))
}

fn launched(
    root: &Path,
    engines: &Engines,
    engine: Engine,
    schema: &str,
    predicate: &str,
    shape: &[&str],
) -> Result<()> {
    let arguments = [
        "plan",
        schema,
        predicate,
        "--allow-partial",
        "--engine",
        engine.option(),
        "--output-format",
        "json",
        "--shape",
    ];
    let printed = saltplan::run(root, &[&arguments, shape].concat(), "")?;
    let plan: Value = serde_json::from_str(&printed)?;
    let sql = plan["sql"].as_str().context("no statement")?;
    let told = engines.script(engine, sql)?;
    let jobs = told.lines().filter(|line| line.starts_with("Launching Job ")).count();
    ensure!(
        plan["jobs"] == jobs,
        "{shape:?}: {jobs} jobs, expected {}; Hive said:\n{told}\n{sql}",
        plan["jobs"]
    );
    Ok(())
}

fn schema() -> Result<String> {
    let text = format!(
        "saltplan: 1
hbase: {{ table: '{TABLE}', families: {{ f: {{}} }} }}
key:
  fields:
    - {{ name: day, type: date, format: yyyyMMdd }}
    - {{ name: id, type: int, encoding: decimal, width: 4 }}
columns: [{{ name: v, type: string, hbase: 'f:v' }}]
hive:
  mapping: {{ table: {TABLE}_map, key_column: rowkey }}
  target: {{ table: {TABLE}_target, columns: [v], partition: [{{ name: day, type: int }}] }}
"
    );
    let path = saltplan::folder()?.join(format!("{TABLE}.yaml"));
    fs::write(&path, text)?;
    Ok(path.to_string_lossy().into_owned())
}

fn fill(root: &Path, engines: &Engines, schema: &str) -> Result<()> {
    let rows = (0..ROWS).flat_map(|id| DAYS.map(|day| format!("{{\"day\": {day}, \"id\": {id}}}\n")));
    let keys = saltplan::run(root, &["key", "encode", schema, "--keys", "hex"], &rows.collect::<String>())?;
    engines.client("drop", TABLE)?;
    engines.shell(&format!("create '{TABLE}', 'f'\n"))?;
    let puts = keys.lines().map(|key| format!("\n{key}\tf:v={}", hex(b"v")));
    engines.client("put", &format!("{TABLE}{}", puts.collect::<String>()))?;
    Ok(())
}

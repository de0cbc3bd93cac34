//! The logical table: the rows of its view and those of `plan --select --logical` are the same, with the types of the key fields.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use crate::engine::{Engine, Engines, trials_on};
use crate::rows::hex;
use crate::saltplan;

const TABLE: &str = "saltplan_logical";
const SCHEMA: &str = "
saltplan: 1
hbase: { table: 'saltplan_logical', families: { f: {} } }
key:
  salt: { md5: { of: key, first_hex_digits: 1, write: { decimal: 3 } } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: at, type: timestamp, epoch: ms, encoding: decimal, width: 13 }
    - { name: row_id, type: string }
columns:
  - { name: amount, type: int, hbase: 'f:a' }
hive:
  mapping: { table: saltplan_logical, key_column: key }
  view: saltplan_logical_view
";
const VIEW: &str = "saltplan_logical_view";

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    trials_on([Engine::Mr, Engine::Mr2], root, engines, |engine| format!("logical::{engine}"), check)
}

fn check(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let file = saltplan::folder()?.join("logical.yaml");
    fs::write(&file, SCHEMA)?;
    let file = file.to_string_lossy();
    engines.client("drop", TABLE)?;
    engines.shell(&saltplan::run(root, &["ddl", &file, "--only", "hbase"], "")?)?;
    let rows: Vec<(String, i64)> = (1..=8)
        .flat_map(|day| (0..5).map(move |id| (day, id)))
        .map(|(day, id)| {
            (
                format!("{{\"day\":\"2020040{day}\",\"at\":158616843000{id},\"row_id\":\"r'{id}\"}}"),
                day * 10 + id,
            )
        })
        .collect();
    let json: String = rows.iter().map(|(row, _)| format!("{row}\n")).collect();
    let keys = saltplan::run(root, &["key", "encode", &file, "-"], &json)?;
    let cells = keys.lines().zip(&rows).map(|(key, (_, amount))| {
        format!("\n{}\tf:a={}", hex(key.as_bytes()), hex(amount.to_string().as_bytes()))
    });
    engines.client("put", &(TABLE.to_owned() + &cells.collect::<String>()))?;
    engines.begin(engine)?;
    engines.script(engine, &format!("DROP VIEW IF EXISTS {VIEW};\nDROP TABLE IF EXISTS {TABLE};\n"))?;
    engines.script(engine, &saltplan::run(root, &["ddl", &file, "--only", "mapping,view"], "")?)?;
    let described = engines.query(engine, &format!("DESCRIBE {VIEW}"))?;
    let types: Vec<String> =
        described.iter().map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect();
    ensure!(types == ["day int", "at bigint", "row_id string", "amount int"], "{described:?}");
    for condition in
        ["day = 20200406", "day >= 20200407 AND substr(day, 7, 2) = '08'", "day = 20200403 AND at % 2 = 0"]
    {
        let mut of_view = engines.query(engine, &format!("SELECT * FROM {VIEW} WHERE {condition}"))?;
        let arguments = ["plan", &file, condition, "--select", "--logical", "--no-header", "--engine", "mr"];
        let sql = saltplan::run(root, &arguments, "")?;
        let (settings, query) = sql.split_once("SELECT").context("no SELECT")?;
        engines.script(engine, settings)?;
        let mut of_plan =
            engines.query(engine, &format!("SELECT{}", query.trim_end().trim_end_matches(';')))?;
        of_view.sort();
        of_plan.sort();
        ensure!(!of_view.is_empty() && of_view == of_plan, "{condition}: {of_view:?}, planned {of_plan:?}");
    }
    Ok(())
}

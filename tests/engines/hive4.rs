//! Hive 4 over HBase. Its own HBase handler is not published as an artifact, so this is the handler of Hive
//! 3.1.3, and `saltplan-hive.jar` above it, through `java/src/bridge4`: what the compiler and Tez of Hive 4
//! make of the printed ranges.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use serde_json::json;

use crate::engine::{Engine, Engines, trials_on};
use crate::rows::hex;
use crate::saltplan;

const TABLE: &str = "saltplan_hive4";
const DAYS: [&str; 3] = ["20200405", "20200406", "20200407"];
const DAY: &str = DAYS[1];
const IDS: usize = 20;

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    trials_on([Engine::Hive4], root, engines, |engine| format!("{engine}::mapping_tables"), check)
}

fn check(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    fill(root, engines, &schema("union_all")?)?;
    let merged = "set hive.optimize.shared.work=true;\n";
    let separate = "set hive.optimize.shared.work=false;\n";
    for (shape, settings, is_pruned) in [
        ("union_all", "", true),
        ("one_scan", "", true),
        // The branches become one scan of the whole table.
        ("isolated", merged, false),
        ("isolated", separate, true),
    ] {
        let schema = schema(shape)?;
        let ddl = saltplan::run(root, &["ddl", &schema, "--only", "mapping,target"], "")?;
        let ddl = ddl
            .replace("org.apache.hadoop.hive.hbase.HBaseStorageHandler", "Bridge$Plain")
            .replace("io.saltplan.hive.RangesStorageHandler", "Bridge$Ranges");
        engines.begin(engine)?;
        let (mapped, target) = (format!("{TABLE}_{shape}"), format!("{TABLE}_{shape}_target"));
        engines.script(
            engine,
            &format!("DROP TABLE IF EXISTS {mapped};\nDROP TABLE IF EXISTS {target};\n{ddl}"),
        )?;
        let conditions = [
            (format!("day = {DAY}"), IDS, if is_pruned { IDS } else { DAYS.len() * IDS }),
            (format!("day = {DAY} AND v <> '7'"), IDS - 1, if is_pruned { IDS } else { DAYS.len() * IDS }),
            (format!("day = {DAY} AND id = 'id3'"), 1, 1),
        ];
        // Hive 4 does not compile DISTRIBUTE BY of a column that a condition makes constant.
        let count = if shape == "isolated" { 2 } else { conditions.len() };
        for (condition, rows, reads) in conditions.into_iter().take(count) {
            let arguments = ["plan", &schema, &condition, "--engine", engine.option(), "--shape", shape];
            let select = saltplan::run(root, &[&arguments[..], &["--select", "--no-header"]].concat(), "")?;
            let (first, query) = select.split_once("SELECT").context("no query is printed")?;
            let query = format!("SELECT{}", query.trim_end().trim_end_matches(';'));
            for fetch in ["more", "none"] {
                let fetch = format!("{first}{settings}set hive.fetch.task.conversion={fetch};\n");
                engines.begin(engine)?;
                engines.script(engine, &fetch)?;
                let before = self::reads(engines)?;
                let found = engines.query(engine, &query)?.len();
                let read = self::reads(engines)? - before;
                ensure!(
                    (found, read) == (rows, reads),
                    "{found} rows and {read} reads, expected {rows} and {reads}: {fetch}{query}"
                );
            }
            let insert = format!("{settings}{}", saltplan::run(root, &arguments, "")?);
            engines.begin(engine)?;
            let before = self::reads(engines)?;
            engines.script(engine, &insert)?;
            let read = self::reads(engines)? - before;
            let found = engines.query(engine, &format!("SELECT day, id, v FROM {target}"))?;
            ensure!(
                (found.len(), read) == (rows, reads),
                "{} rows and {read} reads, expected {rows} and {reads}: {insert}",
                found.len()
            );
            ensure!(found.iter().all(|row| row.starts_with(DAY)), "{found:?}");
        }
    }
    Ok(())
}

fn reads(engines: &Engines) -> Result<usize> {
    Ok(engines.client("reads", TABLE)?.parse()?)
}

fn schema(shape: &str) -> Result<String> {
    let one_scan = shape == "one_scan";
    let text = format!(
        "saltplan: 1
hbase: {{ table: {TABLE}, families: {{ f: {{}} }} }}
key:
  salt: {{ java_hash: {{ of: [day, id], abs: after, modulo: 3, write: decimal }} }}
  fields:
    - {{ name: day, type: date, format: yyyyMMdd }}
    - {{ name: id, type: string, chars: ascii }}
columns:
  - {{ name: v, type: string, hbase: 'f:v' }}
hive:
  mapping: {{ table: {TABLE}_{shape}, key_column: rowkey, one_scan: {one_scan} }}
  target:
    table: {TABLE}_{shape}_target
    partition: [day]
    columns: [{{ name: id, from: key.id }}, v]
"
    );
    let path = saltplan::folder()?.join(format!("{TABLE}_{shape}.yaml"));
    fs::write(&path, text)?;
    Ok(path.to_string_lossy().into_owned())
}

fn fill(root: &Path, engines: &Engines, schema: &str) -> Result<()> {
    engines.client("drop", TABLE)?;
    engines.shell(&format!("create '{TABLE}', 'f', SPLITS => ['1', '2']\n"))?;
    let rows = || DAYS.iter().flat_map(|day| (0..IDS).map(move |id| (day, id)));
    let json: String =
        rows().map(|(day, id)| format!("{}\n", json!({ "day": day, "id": format!("id{id}") }))).collect();
    let keys = saltplan::run(root, &["key", "encode", schema], &json)?;
    let cells = keys
        .lines()
        .zip(rows())
        .map(|(key, (_, id))| format!("\n{}\tf:v={}", hex(key.as_bytes()), hex(id.to_string().as_bytes())));
    engines.client("put", &(TABLE.to_owned() + &cells.collect::<String>()))?;
    Ok(())
}

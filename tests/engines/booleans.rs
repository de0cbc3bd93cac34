//! Boolean columns as conditions together with conditions on the key. Hive's HBase handler fails on a
//! condition that is simplified to a column, so the printed statements are run and their rows counted.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use crate::engine::{Engine, Engines, trials_on};
use crate::rows::hex;
use crate::saltplan;

const TABLE: &str = "saltplan_flags";
const SCHEMA: &str = "
saltplan: 1
hbase: { table: 'saltplan_flags', families: { f: {} } }
key: { fields: [ { name: code, type: string } ] }
columns:
  - { name: t, type: string, hbase: 'f:t' }
  - { name: flag, type: boolean, hbase: 'f:b' }
hive:
  mapping: { table: saltplan_flags, key_column: key }
";
/// Keys with their flags.
const ROWS: [(&str, Option<&str>); 4] =
    [("a1", Some("true")), ("a2", Some("false")), ("a3", None), ("b1", Some("true"))];
/// Conditions in addition to `code < 'b'`, with the keys that satisfy them.
const CONDITIONS: [(&str, &[&str]); 12] = [
    ("flag", &["a1"]),
    ("NOT flag", &["a2"]),
    ("NOT (NOT flag)", &["a1"]),
    ("flag = TRUE", &["a1"]),
    ("flag = FALSE", &["a2"]),
    ("flag IN (TRUE) AND (1 = 1) = flag", &["a1"]),
    ("NOT flag IN (TRUE)", &["a2"]),
    ("cast(flag AS boolean)", &["a1"]),
    ("CASE WHEN flag THEN flag ELSE flag END", &["a1"]),
    ("(flag OR t = 'y')", &["a1"]),
    ("coalesce(flag, TRUE)", &["a1", "a3"]),
    ("flag IS NOT TRUE", &["a2", "a3"]),
];

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    trials_on([Engine::Mr, Engine::Mr2], root, engines, |engine| format!("booleans::{engine}"), check)
}

fn check(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let file = saltplan::folder()?.join("flags.yaml");
    fs::write(&file, SCHEMA)?;
    let file = file.to_string_lossy();
    engines.client("drop", TABLE)?;
    engines.shell(&saltplan::run(root, &["ddl", &file, "--only", "hbase"], "")?)?;
    let cell = |(key, flag): (&str, Option<&str>)| {
        let key = hex(key.as_bytes());
        let flag = flag.map(|flag| format!("\n{key}\tf:b={}", hex(flag.as_bytes())));
        format!("\n{key}\tf:t={key}{}", flag.unwrap_or_default())
    };
    engines.client("put", &(TABLE.to_owned() + &ROWS.map(cell).concat()))?;
    let mapping = saltplan::run(root, &["ddl", &file, "--only", "mapping"], "")?;
    engines.begin(engine)?;
    engines.script(engine, &format!("DROP TABLE IF EXISTS {TABLE};\n{mapping}"))?;
    for (condition, expected) in CONDITIONS {
        let predicate = format!("code < 'b' AND {condition}");
        let arguments = ["plan", &file, &predicate, "--select", "--no-header", "--engine", "mr"];
        let sql = saltplan::run(root, &arguments, "")?;
        let (settings, query) = sql.split_once("SELECT").context("no SELECT")?;
        engines.script(engine, settings)?;
        let rows = engines.query(engine, &format!("SELECT{}", query.trim_end().trim_end_matches(';')))?;
        // The column `t` repeats the key.
        let mut keys: Vec<&str> = rows.iter().filter_map(|row| row.split('\t').next()).collect();
        keys.sort_unstable();
        ensure!(keys == expected, "{predicate}: {rows:?}, expected {expected:?}\n{sql}");
    }
    Ok(())
}

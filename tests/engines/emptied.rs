//! Rewritten INSERT OVERWRITEs that find no row: with the settings that `rewrite` prints around them the old rows are gone, on
//! every engine and in every form, and afterwards the session has its own values again.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use crate::engine::{Engine, Engines, trials_on};
use crate::{rewrite, saltplan};

/// A partition and a table without partitions, each with an old row.
const OLD: &str = "DROP TABLE IF EXISTS rw_old_day;
DROP TABLE IF EXISTS rw_old;
CREATE TABLE rw_old_day (id string, n int) PARTITIONED BY (dt string) STORED AS ORC;
CREATE TABLE rw_old (id string, n int) STORED AS ORC;
INSERT INTO TABLE rw_old_day PARTITION (dt = 'd') VALUES ('old', 1);
INSERT INTO TABLE rw_old VALUES ('old', 1);
";

/// Values that no engine has by default together.
const OWN: [(&str, &str); 3] =
    [("hive.merge.tezfiles", "false"), ("hive.merge.mapfiles", "true"), ("hive.merge.mapredfiles", "true")];

/// None of them finds a row: 20200409 is a day without rows. The tables that they write are in brackets.
const QUERIES: [(&str, &str); 16] = [
    ("several branches", "[day] SELECT c.id, c.n FROM rw_calls c WHERE c.day = 20200409"),
    ("one branch", "[day] SELECT c.id, c.n FROM rw_calls c WHERE c.day = 20200409 AND c.n = 4"),
    ("no partitions", "[all] SELECT c.id, c.n FROM rw_calls c WHERE c.day = 20200409"),
    (
        "no partitions, one branch",
        "[all] SELECT c.id, c.n FROM rw_calls c WHERE c.day = 20200409 AND c.n = 4",
    ),
    (
        "group by",
        "[day] SELECT c.id, cast(count(1) as int) FROM rw_calls c WHERE c.day = 20200409 GROUP BY c.id",
    ),
    ("join", "[day] SELECT c.id, c.n FROM rw_calls c JOIN rw_users u ON c.id = u.id WHERE c.day = 20200409"),
    (
        "join, one branch",
        "[day] SELECT c.id, c.n FROM rw_calls c JOIN rw_users u ON c.id = u.id WHERE c.day = 20200409 AND c.n = 4",
    ),
    (
        "union",
        "[day] SELECT id, n FROM rw_calls WHERE day = 20200409 UNION ALL SELECT id, n FROM rw_calls WHERE day = 20200410",
    ),
    ("with", "WITH a AS (SELECT id, n FROM rw_calls WHERE day = 20200409) [day] SELECT id, n FROM a"),
    ("order and limit", "[day] SELECT c.id, c.n FROM rw_calls c WHERE c.day = 20200409 ORDER BY c.n LIMIT 5"),
    ("distinct", "[day] SELECT DISTINCT c.id, c.n FROM rw_calls c WHERE c.day = 20200409"),
    (
        "window",
        "[day] SELECT c.id, cast(row_number() OVER (PARTITION BY c.id ORDER BY c.n) as int) FROM rw_calls c WHERE c.day = 20200409",
    ),
    ("another condition", "[day] SELECT c.id, c.n FROM rw_calls c WHERE c.day = 20200401 AND c.y = 'zz'"),
    (
        "several inserts",
        "FROM rw_calls c [day] SELECT c.id, c.n WHERE c.day = 20200409 [all] SELECT c.id, c.n WHERE c.day = 20200410",
    ),
    (
        "several inserts, one branch",
        "FROM rw_calls c [day] SELECT c.id, c.n WHERE c.day = 20200409 AND c.n = 4 [all] SELECT c.id, c.n WHERE c.day = 20200409 AND c.n = 4",
    ),
    (
        "sort by",
        "[day] SELECT c.id, c.n FROM rw_calls c WHERE c.day = 20200409 DISTRIBUTE BY c.id SORT BY c.n",
    ),
];

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    trials_on(Engine::ALL, root, engines, |engine| format!("{engine}::rewrite_emptied"), check)
}

fn check(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let schema = saltplan::folder()?.join("emptied.yaml");
    fs::write(&schema, rewrite::SCHEMA)?;
    let schema = schema.to_string_lossy();
    rewrite::fill(root, engines, engine, &schema)?;
    let mut faults = String::new();
    for (name, query) in QUERIES {
        if let Err(error) = empties(root, engines, engine, &schema, query) {
            writeln!(faults, "{name}: {error:#}")?;
        }
    }
    ensure!(faults.is_empty(), "{faults}");
    Ok(())
}

fn empties(root: &Path, engines: &Engines, engine: Engine, schema: &str, query: &str) -> Result<()> {
    let query = query
        .replace("[day]", "INSERT OVERWRITE TABLE rw_old_day PARTITION (dt = 'd')")
        .replace("[all]", "INSERT OVERWRITE TABLE rw_old");
    let arguments = ["rewrite", "--schemas", schema, "--database", "default", "--engine", engine.option()];
    let rewritten = saltplan::run(root, &arguments, &query)?;
    rewrite::begin(engines, engine)?;
    engines.script(engine, OLD)?;
    let set = OWN.map(|(name, value)| format!("SET {name}={value};\n")).concat();
    engines.script(engine, &set)?;
    engines.script(engine, &rewritten).with_context(|| rewritten.clone())?;
    for (table, written) in [("rw_old_day", "rw_old_day"), ("rw_old", "TABLE rw_old ")] {
        let rows = engines.query(engine, &format!("SELECT id FROM {table}"))?;
        let expected: &[&str] = if query.contains(written) { &[] } else { &["old"] };
        ensure!(rows == expected, "{table} has {rows:?}\n{rewritten}");
    }
    for (name, value) in OWN {
        let shown = engines.script(engine, &format!("SET {name};\n"))?;
        ensure!(shown.trim() == format!("{name}={value}"), "{shown}, not {value}\n{rewritten}");
    }
    Ok(())
}

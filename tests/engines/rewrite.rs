//! Rewritten queries: each query of `rewrite/` returns the same rows over the view of all rows and in its
//! rewritten form, and HBase reads no more than the ranges of the plans contain.
//!
//! Half of the time would go into the view, which reads the whole table. Therefore its rows are stored in
//! `rewrite/rows/` for the files that every change runs. With `--all`, or if a trial is requested by name, the view is
//! asked too and must return these rows; with `BLESS=1` they are stored.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::engine::{Engine, Engines};
use crate::rows::hex;
use crate::saltplan;

const TABLE: &str = "saltplan_rewrite";
pub const SCHEMA: &str = "
saltplan: 1
hbase: { table: 'saltplan_rewrite', families: { f: {} } }
key:
  salt: { modulo: { of: n, by: 3, write: decimal } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: n, type: int, encoding: decimal, width: 3 }
    - { name: id, type: string }
columns:
  - { name: x, type: int, hbase: 'f:x' }
  - { name: y, type: string, hbase: 'f:y' }
hive:
  mapping: { table: default.rw_map, key_column: key }
  view: default.rw_calls
";
const DAYS: [u32; 6] = [20_200_401, 20_200_402, 20_200_403, 20_200_404, 20_200_405, 20_200_406];
const IDS: [&str; 4] = ["r0", "r1", "r2", "it's"];

/// Settings that queries of all constructs need from a strict Hive.
const SETTINGS: &str = "set hive.mapred.mode=nonstrict;
set hive.strict.checks.cartesian.product=false;
set hive.fetch.task.conversion=none;
set hivevar:day=20200403;
";

/// What a client fills in.
const FILLED_IN: [(&str, &str); 5] = [
    ("${hivevar:day}", "20200403"),
    ("${later}", "20200403"),
    ("${id}", "r1"),
    ("${odd}", "2020040"),
    ("${end}", "88000000"),
];

const USERS: &str = "DROP TABLE IF EXISTS rw_users;
CREATE TABLE rw_users (id string, prov string, d int, n int);
INSERT INTO TABLE rw_users VALUES ('r0', 'p0', 20200401, 0), ('r1', 'p1', 20200403, 1), ('r1', 'p2', NULL, 4),
('it\\'s', NULL, 20200403, 7), ('zz', 'p3', 20200406, 2), (NULL, 'p4', 20200402, 3);
";

const FILES: [&str; 10] =
    ["joins", "plain", "nested", "pieces", "mapping", "subqueries", "writes", "traps", "later", "instants"];

/// The table of the queries on instants.
const TIMES: &str = "saltplan_rewrite_times";
const SCHEMA_OF_TIMES: &str = "
saltplan: 1
time_zone: Asia/Shanghai
hbase: { table: 'saltplan_rewrite_times', families: { f: {} } }
key:
  salt: { modulo: { of: n, by: 3, write: decimal } }
  fields:
    - { name: ts, type: timestamp, epoch: ms, encoding: decimal, width: 13 }
    - { name: n, type: int, encoding: decimal, width: 3 }
columns:
  - { name: x, type: int, hbase: 'f:x' }
hive:
  mapping: { table: default.rw_times_map, key_column: key }
  view: default.rw_times
";
/// 2020-04-03 00:00 in UTC, in seconds.
const FIRST_TIME: u64 = 1_585_872_000;

pub fn trials(root: &Path, engines: &Engines, is_whole: bool) -> Vec<Trial> {
    let mut trials = Vec::new();
    for engine in Engine::ALL {
        for file in FILES {
            let (root, engines) = (root.to_owned(), engines.clone());
            trials.push(Trial::test(format!("{engine}::rewrite::{file}"), move || {
                check(&root, &engines, engine, file, is_whole)
                    .map_err(|error| Failed::from(format!("{error:#}")))
            }));
        }
    }
    trials
}

struct Query<'a> {
    name: &'a str,
    narrowed: usize,
    /// Hive refuses the ranges there.
    left_on_mapreduce: bool,
    reads: Reads,
    /// What the conditions on the table amount to, where their values are known only when the query runs.
    means: Option<&'a str>,
    sql: &'a str,
}

/// What HBase reads of the table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    Ranges,
    /// Hive runs a part of the query twice.
    RangesTwice,
    /// Hive sees that no row can satisfy the conditions, drops them all and reads the whole table, over the view too.
    All,
}

fn read(text: &str) -> Result<Vec<Query<'_>>> {
    let blocks = text.split("\n== ").skip(1);
    let query = |block| -> Result<Query<'_>> {
        let (head, sql) = str::split_once(block, '\n').context("a head line")?;
        let (name, narrowed) = head.split_once(' ').context("`name count`")?;
        let mut remarks = narrowed.split("; ");
        let narrowed = remarks.next().unwrap_or_default().parse()?;
        let (mut reads, mut left_on_mapreduce, mut means) = (Reads::Ranges, false, None);
        for remark in remarks {
            match remark {
                remark if remark.starts_with("means ") => means = remark.strip_prefix("means "),
                "reads twice" => reads = Reads::RangesTwice,
                "reads all" => reads = Reads::All,
                "left on MapReduce" => left_on_mapreduce = true,
                _ => bail!("`{remark}` is no remark"),
            }
        }
        Ok(Query { name, narrowed, left_on_mapreduce, reads, means, sql: sql.trim() })
    };
    blocks.map(query).collect()
}

/// The rows that queries return over the view, by the name of the query.
struct RowsOfView {
    path: PathBuf,
    rows: BTreeMap<String, Vec<String>>,
    asks_view: bool,
}

impl RowsOfView {
    fn read(root: &Path, file: &str, asks_view: bool) -> Result<Self> {
        let path = root.join("tests/engines/rewrite/rows").join(file).with_extension("json");
        let rows = match path.exists() {
            true => serde_json::from_str(&fs::read_to_string(&path)?)?,
            false => BTreeMap::new(),
        };
        Ok(RowsOfView { path, rows, asks_view })
    }

    fn of(&mut self, query: &Query<'_>, ask: impl FnOnce() -> Result<Vec<String>>) -> Result<Vec<String>> {
        let stored = self.rows.get(query.name);
        if let Some(stored) = stored.filter(|_| !self.asks_view) {
            return Ok(stored.clone());
        }
        let found = ask().context("over the view")?;
        if is_blessing() {
            self.rows.insert(query.name.to_string(), found.clone());
        } else {
            let is_same = stored.is_none_or(|stored| found == *stored);
            ensure!(is_same, "the view returns {found:?}, stored are {stored:?}");
        }
        Ok(found)
    }

    fn write(&self) -> Result<()> {
        if is_blessing() {
            fs::write(&self.path, serde_json::to_string_pretty(&self.rows)? + "\n")?;
        }
        Ok(())
    }
}

fn is_blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

fn check(root: &Path, engines: &Engines, engine: Engine, file: &str, is_whole: bool) -> Result<()> {
    let text = fs::read_to_string(root.join("tests/engines/rewrite").join(file).with_extension("txt"))?;
    let schema = saltplan::folder()?.join("rewrite.yaml");
    let is_of_times = file == "instants";
    fs::write(&schema, if is_of_times { SCHEMA_OF_TIMES } else { SCHEMA })?;
    let schema = schema.to_string_lossy();
    let (table, keys) = match is_of_times {
        true => (TIMES, fill_times(root, engines, engine, &schema)?),
        false => (TABLE, fill(root, engines, engine, &schema)?),
    };
    let mut faults = String::new();
    let mut of_view = RowsOfView::read(root, file, is_whole)?;
    for query in read(&text)? {
        if let Err(error) = compare(root, engines, engine, &schema, (table, &keys), &query, &mut of_view) {
            // In parallel, because a file takes minutes.
            println!("{engine}::rewrite::{file}: {}: {error:#}", query.name);
            writeln!(faults, "{}: {error:#}\n", query.name)?;
        }
    }
    of_view.write()?;
    ensure!(faults.is_empty(), "{faults}");
    Ok(())
}

/// Creates the tables; returns their keys.
pub fn fill(root: &Path, engines: &Engines, engine: Engine, schema: &str) -> Result<Keys> {
    engines.client("drop", TABLE)?;
    engines.shell(&saltplan::run(root, &["ddl", schema, "--only", "hbase"], "")?)?;
    let mut rows = String::new();
    let mut cells = Vec::new();
    for day in DAYS {
        for n in 0..10 {
            let id = IDS[n % IDS.len()];
            writeln!(rows, "{}", serde_json::json!({ "day": day.to_string(), "n": n, "id": id }))?;
            let mut columns = String::new();
            if n % 4 != 3 {
                write!(columns, "\tf:x={}", hex((n % 3).to_string().as_bytes()))?;
            }
            write!(columns, "\tf:y={}", hex(["a;b", "a", "it's"][n % 3].as_bytes()))?;
            cells.push(columns);
        }
    }
    let keys = saltplan::run(root, &["key", "encode", schema, "-"], &rows)?;
    let keys: Vec<String> = keys.lines().map(|key| hex(key.as_bytes())).collect();
    let puts = keys.iter().zip(&cells).map(|(key, cells)| format!("\n{key}{cells}"));
    engines.client("put", &format!("{TABLE}{}", puts.collect::<String>()))?;
    begin(engines, engine)?;
    engines.script(engine, "DROP VIEW IF EXISTS rw_calls;\nDROP TABLE IF EXISTS rw_map;\n")?;
    engines.script(engine, &saltplan::run(root, &["ddl", schema, "--only", "mapping,view"], "")?)?;
    engines.script(engine, USERS)?;
    Ok(Keys::new(keys))
}

/// Creates the table of instants: an hour after the other for two days, and each before a minute ago. Returns the row keys.
fn fill_times(root: &Path, engines: &Engines, engine: Engine, schema: &str) -> Result<Keys> {
    engines.client("drop", TIMES)?;
    engines.shell(&saltplan::run(root, &["ddl", schema, "--only", "hbase"], "")?)?;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_secs();
    let hours = (0..48).map(|hour| FIRST_TIME + hour * 3_600);
    let seconds: Vec<u64> = hours.chain([now - 90_000, now - 3_000, now - 60]).collect();
    let mut rows = String::new();
    for (n, second) in seconds.iter().enumerate() {
        writeln!(rows, "{}", serde_json::json!({ "ts": second * 1_000, "n": n }))?;
    }
    let keys = saltplan::run(root, &["key", "encode", schema, "-"], &rows)?;
    let keys: Vec<String> = keys.lines().map(|key| hex(key.as_bytes())).collect();
    let puts =
        keys.iter().enumerate().map(|(x, key)| format!("\n{key}\tf:x={}", hex(x.to_string().as_bytes())));
    engines.client("put", &format!("{TIMES}{}", puts.collect::<String>()))?;
    begin(engines, engine)?;
    engines.script(engine, "DROP VIEW IF EXISTS rw_times;\nDROP TABLE IF EXISTS rw_times_map;\n")?;
    engines.script(engine, &saltplan::run(root, &["ddl", schema, "--only", "mapping,view"], "")?)?;
    Ok(Keys::new(keys))
}

/// Before each query, because a new session has none of these settings.
pub fn begin(engines: &Engines, engine: Engine) -> Result<()> {
    engines.begin(engine)?;
    engines.script(engine, SETTINGS)?;
    if engine != Engine::Tez {
        // The task that reads small tables is a separate process, for which the lab has no Hadoop.
        engines.script(engine, "set hive.auto.convert.join=false;\n")?;
    }
    Ok(())
}

fn compare(
    root: &Path,
    engines: &Engines,
    engine: Engine,
    schema: &str,
    (table, keys): (&str, &Keys),
    query: &Query<'_>,
    of_view: &mut RowsOfView,
) -> Result<()> {
    let arguments = [
        "rewrite",
        "--schemas",
        schema,
        "--database",
        "default",
        "--hivevar",
        "day=20200403",
        "--engine",
        engine.option(),
        "--output-format",
        "json",
        "--allow-full-scan",
    ];
    let report: Value = serde_json::from_str(&saltplan::run(root, &arguments, query.sql)?)?;
    let file = &report["files"][0];
    let references = file["references"].as_array().context("no references")?;
    let narrowed = references.iter().filter(|reference| reference["pruned"] == true).count();
    let expected = if query.left_on_mapreduce && engine != Engine::Tez { 0 } else { query.narrowed };
    ensure!(narrowed == expected, "{narrowed} references narrowed, not {expected}: {file:#}");
    let rewritten = file["sql"].as_str().context("no text")?;
    ensure!((rewritten == query.sql) == (narrowed == 0) || query.sql.contains("${"), "{rewritten}");
    begin(engines, engine)?;
    let expected = of_view.of(query, || rows(engines, engine, query.sql))?;
    let before = reads(engines, table)?;
    let found = rows(engines, engine, rewritten).with_context(|| rewritten.to_string())?;
    let reads = reads(engines, table)? - before;
    ensure!(found == expected, "{found:?}\nnot {expected:?}\n{rewritten}");
    // A table that a query reads as it is written is no reference, and all of its rows are read.
    if narrowed == references.len() && !references.is_empty() {
        let mut held = 0;
        for reference in references {
            held += match query.means {
                Some("TRUE") => keys.count(),
                Some(means) => keys.in_ranges(root, schema, means)?,
                None => {
                    let predicate = reference["reads"]["predicate"].as_str().context("no predicate")?;
                    keys.in_ranges(root, schema, predicate)?
                }
            };
        }
        // A scan also reads the first row after its range. An empty plan has a scan, too.
        let ranges: u64 = references
            .iter()
            .filter_map(|reference| Some(reference["reads"]["ranges"].as_u64()?.max(1)))
            .sum();
        let most = (held + ranges) * if query.reads == Reads::RangesTwice { 2 } else { 1 };
        // Fails if a version of Hive no longer has the fault.
        ensure!(
            (reads <= most) != (query.reads == Reads::All),
            "HBase read {reads} rows where the ranges hold {held}\n{rewritten}"
        );
    }
    Ok(())
}

/// The rows of the last statement of a text, sorted.
pub fn rows(engines: &Engines, engine: Engine, sql: &str) -> Result<Vec<String>> {
    let (before, last) = match sql.rsplit_once(";\n") {
        Some((before, last)) => (Some(before), last),
        None => (None, sql),
    };
    if let Some(before) = before {
        engines.script(engine, &format!("{before};\n"))?;
    }
    // The driver does not accept comments at the ends of lines, which `hive -f` removes.
    let statement: Vec<&str> =
        last.lines().map(|line| line.split("-- ").next().unwrap_or_default()).collect();
    let mut statement = statement.join("\n");
    for (variable, value) in FILLED_IN {
        statement = statement.replace(variable, value);
    }
    let mut rows = engines.query(engine, &statement)?;
    rows.sort();
    Ok(rows)
}

fn reads(engines: &Engines, table: &str) -> Result<u64> {
    Ok(engines.client("reads", table)?.parse()?)
}

/// Row keys in order, in hex.
pub struct Keys(Vec<String>);

impl Keys {
    pub fn new(mut keys: Vec<String>) -> Self {
        keys.sort_unstable();
        Keys(keys)
    }

    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// How many are in the ranges of a plan.
    pub fn in_ranges(&self, root: &Path, schema: &str, predicate: &str) -> Result<u64> {
        let plan = saltplan::run(root, &["explain", schema, predicate, "--output-format", "json"], "")?;
        let plan: Value = serde_json::from_str(&plan)?;
        let mut held = 0;
        for branch in plan["branches"].as_array().context("no branches")? {
            let before = |name: &str, of_none: usize| match &branch[name]["hex"] {
                Value::String(hex) => Ok(self.0.partition_point(|key| *key < hex.to_lowercase())),
                Value::Null => Ok(of_none),
                other => bail!("{other} is no bound"),
            };
            held += before("stop", self.0.len())?.saturating_sub(before("start", 0)?);
        }
        Ok(held as u64)
    }
}

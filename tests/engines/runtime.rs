//! Values that are filled in at run time: one printed text, run with several days by Hive's own substitution,
//! fills their partitions and reads only their rows; if the value is invalid, the statement fails before it
//! writes.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::engine::{Engine, Engines, trials_on};
use crate::rows::hex;
use crate::saltplan;

const TABLE: &str = "saltplan_runtime";

const SCHEMA: &str = "saltplan: 1
hbase: { table: saltplan_runtime, families: { f: {} } }
key:
  salt: { java_hash: { of: [day, id], abs: after, modulo: 3, write: decimal } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: id, type: string, chars: ascii }
columns: [{ name: v, type: string, hbase: 'f:v' }]
hive:
  mapping: { table: saltplan_runtime_map, key_column: rowkey }
  target:
    table: saltplan_runtime_target
    columns: [v]
    partition: [{ name: day, type: int }]
";

/// Ends of months, of years and of a leap-year February, with ids that sort before, among and after digits.
const DAYS: [&str; 8] =
    ["20200228", "20200229", "20200301", "20200302", "20201231", "20210101", "20210102", "20210103"];
const IDS: [&str; 4] = ["!", "5", "z", "~~"];

/// Texts in place of a day: not a day, another format, empty, a day that does not exist.
const WRONG: [&str; 6] = ["yesterday", "2020-03-01", "", "20200230", "202003011", "99991231"];

const SALTS: usize = 3;

/// Split keys of text keys.
const TEXT_SPLITS: &str = "'1', '2'";

/// The same key after bytes that are not text, read by the storage handler of `storage-handler/`.
const BYTES: &str = "saltplan: 1
hbase: { table: saltplan_runtime, families: { f: {} } }
key:
  salt: { java_hash: { of: [day, id], abs: after, modulo: 3, write: be8 } }
  fields:
    - { name: shard, type: int, encoding: be }
    - { name: day, type: date, format: yyyyMMdd }
    - { name: id, type: string, chars: ascii }
columns: [{ name: v, type: string, hbase: 'f:v' }]
hive:
  mapping: { table: saltplan_runtime_map, key_column: rowkey, one_scan: true }
  target:
    table: saltplan_runtime_target
    columns: [v]
    partition: [{ name: day, type: int }]
";

/// An id that the key stores in reverse order, in front.
const REVERSED: &str = "saltplan: 1
hbase: { table: saltplan_runtime, families: { f: {} } }
key:
  salt: { java_hash: { of: [day, id], abs: after, modulo: 3, write: decimal } }
  fields:
    - { name: id, type: string, width: 2, chars: ascii, reverse: true }
    - { name: day, type: date, format: yyyyMMdd }
columns: [{ name: v, type: string, hbase: 'f:v' }]
hive:
  mapping: { table: saltplan_runtime_map, key_column: rowkey }
  target: { table: saltplan_runtime_target, columns: [v], partition: [id] }
";

/// Ids of which two are each other reversed.
const REVERSED_IDS: [&str; 3] = ["12", "21", "a~"];

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let mut trials = trials_on(Engine::ALL, root, engines, |engine| format!("{engine}::runtime"), check);
    let name = |engine| format!("{engine}::runtime_in_one_scan");
    trials.extend(trials_on(Engine::ALL, root, engines, name, check_one_scan));
    let name = |engine| format!("{engine}::runtime_reversed");
    trials.extend(trials_on(Engine::ALL, root, engines, name, check_reversed));
    trials
}

/// All ranges in one condition, for text and for binary keys.
fn check_one_scan(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let text = SCHEMA.replace("key_column: rowkey }", "key_column: rowkey, one_scan: true }");
    let keys = [
        (text.as_str(), TEXT_SPLITS, json!({}), ""),
        (BYTES, r#""\x01", "\x02""#, json!({ "shard": -1 }), "shard = -1 AND "),
    ];
    for (yaml, splits, others, before) in keys {
        let schema = written(yaml)?;
        fill(root, engines, &schema, splits, &others, &IDS)?;
        declare(root, engines, engine, &schema)?;
        let job = Job { root, engines, engine, schema: &schema };
        let one_day = job.printed(&format!("{before}day = :day"), &["day=hivevar:day"])?;
        ensure!(one_day.contains("hex(") != before.is_empty(), "{one_day}");
        for day in ["20200229", "20201231"] {
            job.run(&one_day, &[("day", day)], &[day])?;
        }
        job.stops(&one_day, &[("day", "20200230")])?;
        let week = job.printed(
            &format!("{before}day >= date_sub(:day, 1) AND day <= :day"),
            &["day:iso=hivevar:iso"],
        )?;
        job.run(&week, &[("iso", "2020-03-01")], &["20200229", "20200301"])?;
        let list =
            job.printed(&format!("{before}day IN (:a, :b) AND id = 'z'"), &["a=hivevar:a", "b=hivevar:b"])?;
        job.run_ids(&list, &[("a", "20210103"), ("b", "20200228")], &["20210103", "20200228"], &["z"])?;
    }
    Ok(())
}

/// One printed text for several ids: each reads its own rows.
fn check_reversed(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let schema = written(REVERSED)?;
    fill(root, engines, &schema, TEXT_SPLITS, &json!({}), &REVERSED_IDS)?;
    declare(root, engines, engine, &schema)?;
    let job = Job { root, engines, engine, schema: &schema };
    let one_id = job.printed("id = :id", &["id=hivevar:id"])?;
    ensure!(one_id.contains("reverse('${hivevar:id}')"), "{one_id}");
    for id in REVERSED_IDS {
        let before = job.reads()?;
        job.script(&one_id, &[("id", id)])?;
        let (reads, most) = (job.reads()? - before, (DAYS.len() + SALTS) as u64);
        ensure!(reads <= most, "{reads} rows are read, {most} may be for {id}\n{one_id}");
        let mut found =
            engines.query(engine, &format!("SELECT `v` FROM {TABLE}_target WHERE `id` = '{id}'"))?;
        found.sort_unstable();
        let expected: Vec<String> = DAYS.iter().map(|day| format!("{day} {id}")).collect();
        ensure!(found == expected, "{found:?}, expected {expected:?}\n{one_id}");
    }
    let short = job.script(&one_id, &[("id", "1")]).err().context("an id of one character is taken")?;
    ensure!(format!("{short:#}").contains("ASSERT_TRUE"), "{short:#}");
    Ok(())
}

fn written(yaml: &str) -> Result<String> {
    let schema = saltplan::folder()?.join(format!("{TABLE}.yaml"));
    fs::write(&schema, yaml)?;
    Ok(schema.to_string_lossy().into_owned())
}

fn declare(root: &Path, engines: &Engines, engine: Engine, schema: &str) -> Result<()> {
    engines.begin(engine)?;
    let tables = saltplan::run(root, &["ddl", schema, "--only", "mapping", "--only", "target"], "")?;
    let drop = format!("DROP TABLE IF EXISTS {TABLE}_map; DROP TABLE IF EXISTS {TABLE}_target;");
    engines.script(engine, &format!("{drop}\n{tables}"))?;
    Ok(())
}

fn check(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let schema = written(SCHEMA)?;
    fill(root, engines, &schema, TEXT_SPLITS, &json!({}), &IDS)?;
    declare(root, engines, engine, &schema)?;
    let job = Job { root, engines, engine, schema: &schema };

    // The same text for three days, each with its own partition.
    let one_day = job.printed("day = :day", &["day=hivevar:day"])?;
    for (index, day) in ["20200229", "20201231", "20200301"].into_iter().enumerate() {
        job.run(&one_day, &[("day", day)], &[day])?;
        ensure!(job.partitions()?.len() == index + 1, "{:?}", job.partitions()?);
    }
    // Nothing changes without a valid day, whether it is wrong, empty or missing.
    let before = job.target()?;
    ensure!(before.len() == 3 * IDS.len(), "{before:?}");
    for wrong in WRONG {
        job.stops(&one_day, &[("day", wrong)])?;
    }
    let unset = job.printed("day = :day", &["day=hivevar:nobody_gives_it"])?;
    job.stops(&unset, &[])?;
    ensure!(job.target()? == before, "a wrong day changed the table: {:?}", job.target()?);
    // A day without rows is valid: its partition is emptied.
    job.run(&one_day, &[("day", "20200315")], &[])?;

    let week = job.printed("day >= date_sub(:day, 1) AND day <= :day", &["day:iso=hivevar:iso"])?;
    job.run(&week, &[("iso", "2020-03-01")], &["20200229", "20200301"])?;
    job.stops(&week, &[("iso", "20200301")])?;
    let between = job.printed("day BETWEEN :first AND :last", &["first=hivevar:a", "last=hivevar:b"])?;
    job.run(&between, &[("a", "20201231"), ("b", "20210102")], &["20201231", "20210101", "20210102"])?;
    job.stops(&between, &[("a", "20210102"), ("b", "20201231")])?;
    let list = job.printed("day IN (:a, :b) AND id = 'z'", &["a=hivevar:a", "b=hivevar:b"])?;
    job.run_ids(&list, &[("a", "20210103"), ("b", "20200228")], &["20210103", "20200228"], &["z"])?;
    job.stops(&list, &[("a", "20210103"), ("b", "20210103")])
}

struct Job<'a> {
    root: &'a Path,
    engines: &'a Engines,
    engine: Engine,
    schema: &'a str,
}

impl Job<'_> {
    fn printed(&self, predicate: &str, runtime: &[&str]) -> Result<String> {
        let mut arguments =
            vec!["plan", self.schema, predicate, "--allow-partial", "--engine", self.engine.option()];
        runtime.iter().for_each(|text| arguments.extend(["--runtime", text]));
        saltplan::run(self.root, &arguments, "")
    }

    fn script(&self, statement: &str, values: &[(&str, &str)]) -> Result<()> {
        let values: String =
            values.iter().map(|(name, value)| format!("set hivevar:{name}={value};\n")).collect();
        self.engines.script(self.engine, &format!("{values}{statement}")).map(|_| ())
    }

    fn run(&self, statement: &str, values: &[(&str, &str)], days: &[&str]) -> Result<()> {
        self.run_ids(statement, values, days, &IDS)
    }

    /// Exactly the rows of the days arrive, and no other rows of the table are read, whatever their ids are.
    fn run_ids(&self, statement: &str, values: &[(&str, &str)], days: &[&str], ids: &[&str]) -> Result<()> {
        let before = self.reads()?;
        self.script(statement, values)?;
        let reads = self.reads()? - before;
        // HBase counts a scan that finds no row as one read.
        let ranges = days.len().max(1) * SALTS;
        let most = (days.len() * IDS.len() + ranges) as u64;
        ensure!(reads <= most, "{reads} rows are read, {most} may be for {days:?}\n{statement}");
        let mut expected: Vec<String> =
            days.iter().flat_map(|day| ids.iter().map(move |id| format!("{day} {id}\t{day}"))).collect();
        expected.sort_unstable();
        let days = if days.is_empty() { "''".to_string() } else { days.join(", ") };
        let query = format!("SELECT `v`, `day` FROM {TABLE}_target WHERE `day` IN ({days})");
        let mut found = self.engines.query(self.engine, &query)?;
        found.sort_unstable();
        ensure!(found == expected, "{found:?}, expected {expected:?}, {values:?}\n{statement}");
        Ok(())
    }

    fn stops(&self, statement: &str, values: &[(&str, &str)]) -> Result<()> {
        let before = self.target()?;
        let ran = self.script(statement, values);
        let error = ran.err().with_context(|| format!("nothing stops {values:?}:\n{statement}"))?;
        let error = format!("{error:#}");
        ensure!(error.contains("ASSERT_TRUE"), "{values:?} stops otherwise: {error}");
        ensure!(self.target()? == before, "{values:?} changed the table");
        Ok(())
    }

    fn target(&self) -> Result<Vec<String>> {
        let mut rows = self.engines.query(self.engine, &format!("SELECT `v`, `day` FROM {TABLE}_target"))?;
        rows.sort_unstable();
        Ok(rows)
    }

    fn partitions(&self) -> Result<Vec<String>> {
        self.engines.query(self.engine, &format!("SHOW PARTITIONS {TABLE}_target"))
    }

    /// The rows that HBase looked at.
    fn reads(&self) -> Result<u64> {
        let mut sum = 0;
        for verb in ["reads", "filtered"] {
            sum += self.engines.client(verb, TABLE)?.parse::<u64>()?;
        }
        Ok(sum)
    }
}

/// `others` are the fields that all rows share.
fn fill(
    root: &Path,
    engines: &Engines,
    schema: &str,
    splits: &str,
    others: &Value,
    ids: &[&str],
) -> Result<()> {
    let rows = || DAYS.iter().flat_map(|day| ids.iter().map(move |id| (day, id)));
    let row = |(day, id): (&&str, &&str)| {
        let mut row = others.clone();
        row["day"] = json!(day);
        row["id"] = json!(id);
        format!("{row}\n")
    };
    let lines: String = rows().map(row).collect();
    let keys = saltplan::run(root, &["key", "encode", schema, "--keys", "hex"], &lines)?;
    engines.client("drop", TABLE)?;
    engines.shell(&format!("create '{TABLE}', 'f', SPLITS => [{splits}]\n"))?;
    let puts = keys
        .lines()
        .zip(rows())
        .map(|(key, (day, id))| format!("\n{key}\tf:v={}", hex(format!("{day} {id}").as_bytes())));
    engines.client("put", &format!("{TABLE}{}", puts.collect::<String>()))?;
    Ok(())
}

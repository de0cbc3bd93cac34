//! One schema on the real engines: its tables, its rows, and its trials.
//!
//! The tables are created when a trial first needs them, by the DDL that `saltplan` prints, so a filter on
//! the command line only creates what it needs.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};

use crate::cases::{Case, CaseFile, Expect};
use crate::engine::{Engine, Engines, Home, lab_directory};
use crate::rows::{self, Row};
use crate::saltplan;

/// A native copy of the rows, which gives the expected results.
const NATIVE: &str = "saltplan_native";
/// A partition that no case writes. Its row must survive every INSERT OVERWRITE.
const OTHER_PARTITION: &str = "19990101";

pub struct Project {
    root: PathBuf,
    file: CaseFile,
    engines: Engines,
    /// What is done once in the metastore of each Hive.
    metastores: HashMap<Home, Step>,
    loaded: Step,
}

/// Something that is done once. If it fails, everyone who needs it later gets the same error at once.
#[derive(Default)]
struct Step(Option<Result<(), String>>);

impl Step {
    fn done(&self) -> Option<Result<()>> {
        self.0.clone().map(|result| result.map_err(|message| anyhow!("an earlier step failed: {message}")))
    }

    fn set(&mut self, result: Result<()>) -> Result<()> {
        self.0 = Some(result.as_ref().copied().map_err(|error| format!("{error:#}")));
        result
    }
}

/// The measurements of a trial, printed next to its name.
pub struct Measured {
    pub rows: usize,
    pub reads: u64,
    pub elapsed: Duration,
}

impl Project {
    pub fn new(root: PathBuf, file: CaseFile, engines: Engines) -> Self {
        Self { root, file, engines, metastores: HashMap::new(), loaded: Step::default() }
    }

    // ---- trials

    /// The printed `create` runs in the real shell and creates the regions of the schema.
    pub fn try_hbase_ddl(&mut self) -> Result<()> {
        self.load()?;
        let table = self.file.hbase.clone();
        let found: Vec<String> = self.engines.client("splits", &table)?.lines().map(str::to_owned).collect();
        let expected: Vec<String> = self.file.splits.iter().map(|key| rows::hex(key.as_bytes())).collect();
        ensure!(found == expected, "split keys are {found:?}, expected {expected:?}");
        // A second run does not change the table.
        let ddl = self.ddl_of_hbase()?;
        self.engines.shell(&ddl)?;
        let rows = self.engines.client("scan", &table)?.lines().count();
        ensure!(rows == rows::rows().len(), "{rows} rows are left of {}", rows::rows().len());
        Ok(())
    }

    /// The printed mapping and target tables work, and every row can be read through the mapping.
    pub fn try_hive_ddl(&mut self, engine: Engine) -> Result<()> {
        self.prepare(engine)?;
        let mapping = self.file.mapping.clone();
        let columns = columns("");
        let through_mapping = self.engines.query(engine, &format!("SELECT {columns} FROM {mapping}"))?;
        let native = self.engines.query(engine, &format!("SELECT {columns} FROM {NATIVE}"))?;
        compare(through_mapping, native)
    }

    /// The printed statement, whichever kind the case asks for.
    pub fn try_statement(&mut self, engine: Engine, case: &Case) -> Result<Measured> {
        if case.selects() { self.try_select(engine, case) } else { self.try_insert(engine, case) }
    }

    /// The printed INSERT OVERWRITE fills the partitions with the right rows, and HBase reads what the case
    /// allows.
    fn try_insert(&mut self, engine: Engine, case: &Case) -> Result<Measured> {
        let statement = self.plan(engine, case)?;
        let expected = self.expected(engine, case)?;
        self.reset_target(engine, case, &expected)?;

        let before = self.reads()?;
        let begin = Instant::now();
        self.engines.script(engine, &statement)?;
        let elapsed = begin.elapsed();
        let reads = self.reads()? - before;

        let target = self.file.target.clone();
        let columns = columns("`opera_day`, `row_id`, ");
        let mut found = self.engines.query(engine, &format!("SELECT {columns} FROM {target}"))?;
        let other = found.iter().position(|row| row.starts_with(OTHER_PARTITION));
        found.swap_remove(other.context("the statement wiped a partition that it does not name")?);
        let rows = found.len();
        match case.expect {
            Expect::Multiplied { branches } => {
                let everything = branches * rows::rows().len();
                ensure!(rows == everything, "{rows} rows, expected every row {branches} times, {everything}");
            }
            Expect::Pruned | Expect::FullScan | Expect::Emptied { .. } => compare(found, expected)?,
        }
        self.check_reads(engine, case, reads)?;
        Ok(Measured { rows, reads, elapsed })
    }

    /// The printed SELECT alone returns the right rows.
    fn try_select(&mut self, engine: Engine, case: &Case) -> Result<Measured> {
        let select = self.plan(engine, case)?;
        let columns = columns("`row_id`, ");
        self.prepare(engine)?;
        let expected =
            self.engines.query(engine, &format!("SELECT {columns} FROM {NATIVE} WHERE {}", case.rows))?;
        self.engines.script(engine, "DROP TABLE IF EXISTS saltplan_selected;\n")?;

        // Stored in a table, because printed rows do not distinguish a tab from a separator.
        let statement = format!("CREATE TABLE saltplan_selected STORED AS ORC AS\n{select}");
        let before = self.reads()?;
        let begin = Instant::now();
        self.engines.script(engine, &statement)?;
        let elapsed = begin.elapsed();
        let reads = self.reads()? - before;

        let found = self.engines.query(engine, &format!("SELECT {columns} FROM saltplan_selected"))?;
        let rows = found.len();
        compare(found, expected)?;
        self.check_reads(engine, case, reads)?;
        Ok(Measured { rows, reads, elapsed })
    }

    /// The printed scans return the rows of the case, and HBase reads no more than those.
    pub fn try_scan(&mut self, case: &Case) -> Result<Measured> {
        self.load()?;
        let engine = Engine::Mr;
        let allowed = self.count(engine, &case.reads)?;
        let scans =
            saltplan::run(&self.root, &["scan", &self.file.schema.to_string_lossy(), &case.predicate], "")?;
        let before = self.reads()?;
        let begin = Instant::now();
        let printed = self.engines.shell(&scans)?;
        let elapsed = begin.elapsed();
        let reads = self.reads()? - before;
        let rows = printed.lines().filter_map(rows_of_scan).sum();
        ensure!(rows as u64 == allowed, "{rows} rows, expected {allowed}; the shell printed:\n{printed}");
        ensure!(reads <= allowed + self.slack(), "HBase read {reads} rows for {allowed}");
        Ok(Measured { rows, reads, elapsed })
    }

    fn check_reads(&mut self, engine: Engine, case: &Case, reads: u64) -> Result<()> {
        let all = rows::rows().len() as u64;
        match case.expect {
            Expect::Pruned | Expect::Emptied { .. } => {
                let held = self.count(engine, &case.reads)?;
                ensure!(
                    reads <= held + self.slack(),
                    "HBase read {reads} rows where the ranges hold {held} of {all}: not pruned"
                );
            }
            Expect::FullScan | Expect::Multiplied { .. } => {
                ensure!(
                    reads >= all,
                    "HBase read {reads} of {all} rows: this engine prunes now: change the planner and docs/engines.md"
                );
            }
        }
        Ok(())
    }

    /// In a scan of some hundred rows the counter of a region is one too high.
    fn slack(&self) -> u64 {
        self.file.splits.len() as u64 + 1
    }

    // ---- what the program prints, what the judge says

    fn ddl(&self, part: &str) -> Result<String> {
        saltplan::run(&self.root, &["ddl", &self.file.schema.to_string_lossy(), "--only", part], "")
    }

    /// What can run when the table exists.
    fn ddl_of_hbase(&self) -> Result<String> {
        let schema = self.file.schema.to_string_lossy();
        saltplan::run(&self.root, &["ddl", &schema, "--only", "hbase", "--if-not-exists"], "")
    }

    fn plan(&mut self, engine: Engine, case: &Case) -> Result<String> {
        let schema = match case.one_scan {
            true => self.one_scan(engine)?,
            false => self.file.schema.to_string_lossy().into_owned(),
        };
        let mut arguments =
            vec!["plan".to_owned(), schema, case.predicate.clone(), "--allow-partial".to_owned()];
        arguments.extend(["--engine".to_owned(), engine.option().to_owned()]);
        arguments.extend(case.arguments.iter().cloned());
        saltplan::run(&self.root, &arguments, "")
    }

    /// The schema with `one_scan: true` and a mapping table of its own, which is made.
    fn one_scan(&mut self, engine: Engine) -> Result<String> {
        self.prepare(engine)?;
        let path = self.root.join(&self.file.schema);
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let table = format!("table: {}\n", self.file.mapping);
        let other = format!("table: {}_one_scan\n    one_scan: true\n", self.file.mapping);
        ensure!(text.matches(&table).count() == 1, "the mapping table is not found in {}", path.display());
        let path = self.data().join(format!("{}_one_scan.yaml", self.file.name));
        std::fs::write(&path, text.replace(&table, &other)).with_context(|| path.display().to_string())?;
        let path = path.to_string_lossy().into_owned();
        let mapping = saltplan::run(&self.root, &["ddl", &path, "--only", "mapping"], "")?;
        self.engines.script(engine, &mapping)?;
        Ok(path)
    }

    fn expected(&mut self, engine: Engine, case: &Case) -> Result<Vec<String>> {
        self.prepare(engine)?;
        let columns = columns("`opera_day`, `row_id`, ");
        let rows =
            self.engines.query(engine, &format!("SELECT {columns} FROM {NATIVE} WHERE {}", case.rows))?;
        let is_emptied = matches!(case.expect, Expect::Emptied { .. });
        ensure!(
            rows.is_empty() == is_emptied,
            "{} rows satisfy `{}`: the case proves nothing",
            rows.len(),
            case.rows
        );
        Ok(rows)
    }

    fn count(&mut self, engine: Engine, condition: &str) -> Result<u64> {
        self.prepare(engine)?;
        let rows = self.engines.query(engine, &format!("SELECT `row_id` FROM {NATIVE} WHERE {condition}"))?;
        Ok(rows.len() as u64)
    }

    // ---- preparation

    /// HBase: the printed DDL, then every row under the key of `saltplan key encode`.
    fn load(&mut self) -> Result<()> {
        if let Some(done) = self.loaded.done() {
            return done;
        }
        let result = self.load_now().context("loading HBase");
        self.loaded.set(result)
    }

    fn load_now(&mut self) -> Result<()> {
        let table = self.file.hbase.clone();
        self.engines.client("drop", &table)?;
        let ddl = self.ddl_of_hbase()?;
        self.engines.shell(&ddl)?;
        let rows = rows::rows();
        let keys = self.keys(&rows)?;
        let mut request = table.clone();
        for (row, key) in rows.iter().zip(&keys) {
            request.push('\n');
            request.push_str(&put(row, key));
        }
        let stored = self.engines.client("put", &request)?;
        let scanned = self.engines.client("scan", &table)?.lines().count();
        ensure!(scanned == rows.len(), "put {stored} rows, HBase holds {scanned}: two rows have one key");
        Ok(())
    }

    fn keys(&self, rows: &[Row]) -> Result<Vec<String>> {
        let lines: String = rows.iter().map(|row| row.json() + "\n").collect();
        let keys =
            saltplan::run(&self.root, &["key", "encode", &self.file.schema.to_string_lossy()], &lines)?;
        let keys: Vec<String> = keys.lines().map(str::to_owned).collect();
        ensure!(keys.len() == rows.len(), "key encode made {} keys of {} rows", keys.len(), rows.len());
        Ok(keys)
    }

    /// Hive: the printed mapping and target tables, and the native copy.
    fn prepare(&mut self, engine: Engine) -> Result<()> {
        self.load()?;
        if self.ready(engine).done().is_none() {
            let result = self.prepare_now(engine).with_context(|| format!("preparing Hive for {engine}"));
            self.ready(engine).set(result)?;
        }
        self.ready(engine).done().unwrap_or(Ok(()))?;
        self.engines.begin(engine)
    }

    fn prepare_now(&mut self, engine: Engine) -> Result<()> {
        // MapReduce creates the copies for every engine, because it is the fastest here.
        let maker = if engine == Engine::Tez { Engine::Mr } else { engine };
        self.engines.begin(maker)?;
        for part in ["mapping", "target"] {
            let ddl = self.ddl(part)?;
            self.engines.script(maker, &ddl)?;
        }
        let hex = self.write_hex_rows()?;
        let copy = native_copy(&hex.to_string_lossy());
        self.engines.script(maker, &copy)?;
        let target = self.file.target.clone();
        self.engines.script(maker, &stale_row(&self.stale_directory(engine), &target))?;
        Ok(())
    }

    /// The rows as text that no table format can misread.
    fn write_hex_rows(&self) -> Result<PathBuf> {
        let path = self.data().join("rows.hex");
        let lines: String = rows::rows().iter().map(|row| hex_line(row) + "\n").collect();
        std::fs::write(&path, lines).with_context(|| path.display().to_string())?;
        Ok(path)
    }

    /// Adds one old row to each partition that the case will fill, and one to a partition that it must not
    /// change.
    fn reset_target(&mut self, engine: Engine, case: &Case, expected: &[String]) -> Result<()> {
        let target = self.file.target.clone();
        let stale = self.stale_directory(engine);
        let mut days: Vec<&str> = expected.iter().filter_map(|row| row.split('\t').next()).collect();
        days.push(OTHER_PARTITION);
        let emptied;
        if let Expect::Emptied { day } = case.expect {
            emptied = day.to_string();
            days.push(&emptied);
        }
        days.sort_unstable();
        days.dedup();
        let ddl = self.ddl("target")?;
        let mut script = format!("DROP TABLE {target};\n{ddl}\n");
        for day in days {
            script += &format!(
                "LOAD DATA LOCAL INPATH '{stale}' OVERWRITE INTO TABLE {target} PARTITION (`opera_day` = {day});\n"
            );
        }
        self.engines.script(engine, &script)?;
        Ok(())
    }

    fn stale_directory(&self, engine: Engine) -> String {
        self.data().join(format!("stale-{:?}", engine.home())).to_string_lossy().into_owned()
    }

    fn data(&self) -> PathBuf {
        lab_directory(&self.root).join("data")
    }

    // ---- the helpers

    fn ready(&mut self, engine: Engine) -> &mut Step {
        self.metastores.entry(engine.home()).or_default()
    }

    fn reads(&mut self) -> Result<u64> {
        let table = self.file.hbase.clone();
        Ok(self.engines.client("reads", &table)?.parse()?)
    }
}

fn columns(first: &str) -> String {
    let names: Vec<String> = rows::columns().iter().map(|name| format!("`{name}`")).collect();
    format!("{first}{}", names.join(", "))
}

/// One row in the form of the helper's `put`.
fn put(row: &Row, key: &str) -> String {
    let mut line = rows::hex(key.as_bytes());
    for (column, cell) in rows::columns().iter().zip(&row.cells) {
        if let Some(value) = cell {
            line += &format!("\tcf1:{column}={}", rows::hex(value.as_bytes()));
        }
    }
    line
}

/// Day, row id and cells in hex, `\N` for NULL, separated by commas.
fn hex_line(row: &Row) -> String {
    let mut cells = vec![row.opera_day.to_string(), rows::hex(row.row_id.as_bytes())];
    cells.extend(
        row.cells
            .iter()
            .map(|cell| cell.as_ref().map_or("\\N".to_owned(), |text| rows::hex(text.as_bytes()))),
    );
    cells.join(",")
}

fn native_copy(hex_file: &str) -> String {
    let names = rows::columns();
    let declare =
        |kind: &str| names.iter().map(|name| format!("`{name}` {kind}")).collect::<Vec<_>>().join(", ");
    let decode = |name: &str| format!("decode(unhex(`{name}`), 'UTF-8') AS `{name}`");
    let decoded: Vec<String> = names.iter().map(|name| decode(name)).collect();
    format!(
        "DROP TABLE IF EXISTS {NATIVE}_hex;
CREATE TABLE {NATIVE}_hex (`opera_day` int, `row_id` string, {columns})
  ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' STORED AS TEXTFILE;
LOAD DATA LOCAL INPATH '{hex_file}' INTO TABLE {NATIVE}_hex;
DROP TABLE IF EXISTS {NATIVE};
CREATE TABLE {NATIVE} STORED AS ORC AS SELECT `opera_day`, {row_id}, {decoded} FROM {NATIVE}_hex;
",
        columns = declare("string"),
        row_id = decode("row_id"),
        decoded = decoded.join(", "),
    )
}

/// An ORC file with one row that must not appear in any result; loading a file into a partition needs no job.
fn stale_row(directory: &str, target: &str) -> String {
    let columns = rows::columns();
    let names = std::iter::once("row_id").chain(columns.iter().map(String::as_str));
    let stale: Vec<String> = names.map(|name| format!("'stale' AS `{name}`")).collect();
    format!(
        "USE {};
INSERT OVERWRITE LOCAL DIRECTORY '{directory}' STORED AS ORC SELECT {} FROM default.{NATIVE} LIMIT 1;
USE default;
",
        target.split('.').next().unwrap_or("default"),
        stale.join(", ")
    )
}

/// Compares rows as multisets and lists a few that differ.
fn compare(found: Vec<String>, expected: Vec<String>) -> Result<()> {
    let (found_rows, expected_rows) = (found.len(), expected.len());
    let mut balance: BTreeMap<String, i64> = BTreeMap::new();
    for row in found {
        *balance.entry(row).or_default() += 1;
    }
    for row in expected {
        *balance.entry(row).or_default() -= 1;
    }
    balance.retain(|_, count| *count != 0);
    let examples: Vec<String> =
        balance.iter().take(3).map(|(row, count)| format!("{count:+} {row}")).collect();
    ensure!(
        balance.is_empty(),
        "{found_rows} rows, expected {expected_rows}; {} differ (+ too many, - missing):\n{}",
        balance.len(),
        examples.join("\n")
    );
    Ok(())
}

/// The shell ends a scan with a line such as `12 row(s)`.
fn rows_of_scan(line: &str) -> Option<usize> {
    line.trim().strip_suffix(" row(s)")?.trim().parse().ok()
}

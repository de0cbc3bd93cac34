//! Hive plans the queries of a table itself: plain queries return the rows of a native copy and read only the ranges, and whatever
//! happens to the planner, the rows are right.

mod faults;

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use saltplan_law::sample::sampled;

use crate::Report;
use crate::engine::{Engine, Engines, Home, has_planner, lab_directory};
use crate::project::Measured;
use crate::rows::hex;
use crate::saltplan;

const TABLE: &str = "planned";
const NATIVE: &str = "planned_native";
const VIEW: &str = "planned_view";
const VIEW_NATIVE: &str = "planned_view_native";
const SALTS: u32 = 16;
const DAYS: u32 = 8;
/// Rows of a day.
const EACH: u64 = 40;
const ALL: u64 = EACH * DAYS as u64;
const SCHEMA: &str = "
saltplan: 1
hbase: { table: planned, families: { f: {} } }
key:
  salt: { md5: { of: key, first_hex_digits: 1, write: { decimal: 3 } } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: row_id, type: string }
regions: { per_salt: {} }
columns:
  - { name: amount, type: int, hbase: 'f:a' }
  - { name: note, type: string, hbase: 'f:n' }
hive:
  mapping: { table: planned, key_column: rowkey, planned: true }
  view: planned_view
";

/// The rows of a day, in a form that only the planner understands.
fn day(key: &str, day: u32) -> String {
    let salts = (0..SALTS).map(|salt| format!("{key} LIKE '{salt:03}{day}%'"));
    format!("({})", salts.collect::<Vec<_>>().join(" OR "))
}

/// The days that a query needs: HBase returns the rows that it returns for the statements that `plan` prints for them.
#[derive(Clone, Copy)]
enum Days {
    One,
    Two,
    /// One day twice, which Hive may read once.
    Same,
}

/// A query as a user writes it: `{t}` is the table, `{D:x}` and `{E:x}` are two days of the alias `x`. With the days that
/// it needs.
const QUERIES: [(&str, &str, Days); 11] = [
    ("one day", "SELECT amount, note FROM {t} x WHERE {D:x}", Days::One),
    ("one day, as a job", "SELECT note, count(*) FROM {t} x WHERE {D:x} GROUP BY note", Days::One),
    (
        "comma join",
        "SELECT a.amount, b.amount FROM {t} a, {t} b WHERE {D:a} AND {E:b} AND a.note = b.note",
        Days::Two,
    ),
    (
        "WITH",
        "WITH d AS (SELECT amount, note FROM {t} x WHERE {D:x}) SELECT note, max(amount) FROM d GROUP BY note",
        Days::One,
    ),
    (
        "subquery",
        "SELECT n, total FROM (SELECT note n, sum(amount) total FROM {t} x WHERE {D:x} GROUP BY note) s WHERE total > 5",
        Days::One,
    ),
    (
        "self join",
        "SELECT a.amount, b.amount FROM {t} a JOIN {t} b ON a.note = b.note WHERE {D:a} AND {D:b}",
        Days::Same,
    ),
    (
        "outer join",
        "SELECT a.amount, b.amount FROM {t} a LEFT JOIN (SELECT * FROM {t} x WHERE {E:x}) b ON a.note = b.note WHERE {D:a}",
        Days::Two,
    ),
    (
        "UNION ALL",
        "SELECT amount FROM {t} x WHERE {D:x} UNION ALL SELECT amount FROM {t} y WHERE {E:y}",
        Days::Two,
    ),
    (
        "EXISTS",
        "SELECT a.amount FROM {t} a WHERE {D:a} AND EXISTS (SELECT 1 FROM {t} b WHERE {E:b} AND b.note = a.note)",
        Days::Two,
    ),
    (
        "current_date",
        "SELECT amount FROM {t} x WHERE {D:x} AND date_add(current_date, 1) > '2020-01-01'",
        Days::One,
    ),
    ("two days", "SELECT amount FROM {t} x WHERE {D:x} OR {E:x}", Days::Two),
];

fn query(template: &str, table: &str) -> String {
    let mut sql = template.replace("{t}", table);
    for (letter, value) in [("D", 20_200_406), ("E", 20_200_403)] {
        for alias in ["x", "y", "a", "b"] {
            let mark = format!("{{{letter}:{alias}}}");
            if sql.contains(&mark) {
                let condition = match table {
                    VIEW | VIEW_NATIVE => format!("{alias}.day = {value}"),
                    _ => day(&format!("{alias}.rowkey"), value),
                };
                sql = sql.replace(&mark, &condition);
            }
        }
    }
    sql
}

type Check = fn(&mut Lab, Engine) -> Result<()>;

pub fn trials(root: &Path, engines: &Engines, report: &Report) -> Vec<Trial> {
    let lab = Lab {
        root: root.to_owned(),
        engines: engines.clone(),
        report: report.clone(),
        is_filled: false,
        declared: Vec::new(),
        planned: None,
    };
    let lab = Arc::new(Mutex::new(lab));
    let has_planner = has_planner(root);
    let mut trials = Vec::new();
    for engine in Engine::ALL {
        let mut checks: Vec<(&str, Check)> =
            vec![("queries", Lab::queries), ("view", Lab::view), ("inserts", Lab::inserts)];
        if engine != Engine::Tez {
            checks.push(("guards", Lab::guards));
            checks.push(("faults", Lab::faults));
            checks.push(("module_faults", Lab::module_faults));
        }
        for (name, check) in checks {
            let lab = Arc::clone(&lab);
            let trial = Trial::test(format!("planned::{engine}::{name}"), move || {
                let mut lab = lab.lock().unwrap_or_else(PoisonError::into_inner);
                check(&mut lab, engine).map_err(|error| Failed::from(format!("{error:#}")))
            });
            trials.push(trial.with_ignored_flag(!has_planner && name != "faults"));
        }
    }
    trials
}

struct Lab {
    root: PathBuf,
    engines: Engines,
    report: Report,
    is_filled: bool,
    declared: Vec<Home>,
    /// What HBase returns for the statements of `plan`.
    planned: Option<[u64; 2]>,
}

impl Lab {
    fn prepare(&mut self, engine: Engine) -> Result<()> {
        let file = self.schema()?;
        if !self.is_filled {
            let rows: Vec<(u32, u64)> =
                (0..DAYS).flat_map(|day| (0..EACH).map(move |id| (20_200_401 + day, id))).collect();
            let json: String = rows
                .iter()
                .map(|(day, id)| format!("{{\"day\":\"{day}\",\"row_id\":\"r{id}\"}}\n"))
                .collect();
            self.engines.client("drop", TABLE)?;
            self.engines.shell(&saltplan::run(&self.root, &["ddl", &file, "--only", "hbase"], "")?)?;
            let keys = saltplan::run(&self.root, &["key", "encode", &file, "-"], &json)?;
            let mut puts = TABLE.to_owned();
            for (key, (day, id)) in keys.lines().zip(&rows) {
                let amount = hex(format!("{}", u64::from(*day) * 100 + id).as_bytes());
                let note = hex(format!("n{}", id % 7).as_bytes());
                let _ = write!(puts, "\n{}\tf:a={amount}\tf:n={note}", hex(key.as_bytes()));
            }
            self.engines.client("put", &puts)?;
            self.is_filled = true;
        }
        if !self.declared.contains(&engine.home()) {
            let maker = if engine == Engine::Tez { Engine::Mr } else { engine };
            self.engines.begin(maker)?;
            let tables = saltplan::run(&self.root, &["ddl", &file, "--only", "mapping,view"], "")?;
            let mut script = format!("DROP VIEW IF EXISTS {VIEW};\nDROP TABLE IF EXISTS {TABLE};\n{tables}");
            script += "set saltplan.plan=false;\n";
            for (native, of) in [(NATIVE, TABLE), (VIEW_NATIVE, VIEW)] {
                let _ = writeln!(
                    script,
                    "DROP TABLE IF EXISTS {native};\nCREATE TABLE {native} STORED AS ORC AS SELECT * FROM {of};"
                );
            }
            self.engines.script(maker, &script)?;
            self.declared.push(engine.home());
        }
        self.engines.begin(engine)?;
        self.engines.script(engine, "set hive.auto.convert.join=false;\n")?;
        if self.planned.is_none() {
            self.planned =
                Some([self.planned_day(engine, 20_200_406)?, self.planned_day(engine, 20_200_403)?]);
        }
        Ok(())
    }

    /// The rows that HBase returns for the statement that `plan` prints for a day.
    fn planned_day(&self, engine: Engine, day: u32) -> Result<u64> {
        let predicate = format!("day = {day}");
        let arguments = ["plan", &self.schema()?, &predicate, "--select", "--no-header", "--engine", "mr"];
        let sql = saltplan::run(&self.root, &arguments, "")?;
        let select = sql.find("SELECT").context("no SELECT")?;
        let (rows, reads) =
            self.run(&self.engines, engine, sql[select..].trim_end().trim_end_matches(';'))?;
        ensure!(
            rows.len() as u64 == EACH && reads < EACH + u64::from(SALTS),
            "{} rows, {reads} reads",
            rows.len()
        );
        Ok(reads)
    }

    fn reads_of(&self, days: Days, reads: u64) -> Result<bool> {
        let [one, other] = self.planned.context("not prepared")?;
        Ok(match days {
            Days::One => reads == one,
            Days::Two => reads == one + other,
            Days::Same => reads == one || reads == 2 * one,
        })
    }

    fn schema(&self) -> Result<String> {
        let file = saltplan::folder()?.join("planned.yaml");
        fs::write(&file, SCHEMA)?;
        Ok(file.to_string_lossy().into_owned())
    }

    fn reads(&self) -> Result<u64> {
        Ok(self.engines.client("reads", TABLE)?.parse()?)
    }

    /// The sorted rows of a query, and the rows that HBase returned for it.
    fn run(&self, engines: &Engines, engine: Engine, sql: &str) -> Result<(Vec<String>, u64)> {
        let before = self.reads()?;
        let mut rows = engines.query(engine, sql)?;
        rows.sort_unstable();
        Ok((rows, self.reads()? - before))
    }

    /// A query returns the rows of the native copy; with the rows that HBase returns.
    fn right(&self, engines: &Engines, engine: Engine, sql: &str) -> Result<u64> {
        let (expected, _) = self.run(engines, engine, &query(sql, NATIVE))?;
        let (found, reads) = self.run(engines, engine, &query(sql, TABLE))?;
        ensure!(!expected.is_empty() && found == expected, "`{sql}`: {found:?}, expected {expected:?}");
        Ok(reads)
    }

    fn expect_all(&self, engines: &Engines, engine: Engine, sql: &str) -> Result<()> {
        let reads = self.right(engines, engine, sql)?;
        ensure!(reads == ALL, "`{sql}`: HBase handed out {reads} rows, not all {ALL}");
        Ok(())
    }

    fn expect_planned(&self, engine: Engine, sql: &str, days: Days) -> Result<()> {
        let reads = self.right(&self.engines, engine, sql)?;
        ensure!(
            self.reads_of(days, reads)?,
            "`{sql}`: HBase handed out {reads} rows, planned are {:?}",
            self.planned
        );
        Ok(())
    }

    /// The queries on the view of the logical table, whose columns are pieces of the row key.
    fn view(&mut self, engine: Engine) -> Result<()> {
        self.prepare(engine)?;
        let failures = self.failures(engine, "view, ", VIEW, VIEW_NATIVE)?;
        ensure!(failures.is_empty(), "{failures}");
        Ok(())
    }

    fn failures(&self, engine: Engine, of: &str, table: &str, native: &str) -> Result<String> {
        let mut failures = String::new();
        for (name, template, days) in sampled(QUERIES, 4) {
            let expected = self.run(&self.engines, engine, &query(template, native))?.0;
            let begin = Instant::now();
            let (found, read) = self.run(&self.engines, engine, &query(template, table))?;
            let measured = Measured { rows: found.len(), reads: read, elapsed: begin.elapsed() };
            self.report.add(format!("planned::{engine}::{of}{name}"), measured);
            if expected.is_empty() || found != expected || !self.reads_of(days, read)? {
                let _ = writeln!(failures, "{name}: {read} reads, {found:?}, expected {expected:?}");
            }
        }
        Ok(failures)
    }

    fn queries(&mut self, engine: Engine) -> Result<()> {
        self.prepare(engine)?;
        let mut failures = self.failures(engine, "", TABLE, NATIVE)?;
        self.engines.script(engine, "set hive.explain.user=false;\n")?;
        let plan = self.engines.query(engine, &format!("EXPLAIN {}", query(QUERIES[1].1, TABLE)))?.join("\n");
        if !plan.contains("hex(rowkey)") || !plan.contains("more ranges") {
            let _ = writeln!(failures, "EXPLAIN shows no ranges:\n{plan}");
        }
        ensure!(failures.is_empty(), "{failures}");
        self.carried(engine)
    }

    /// `drift` understands what this Hive shows of the table.
    fn carried(&self, engine: Engine) -> Result<()> {
        let shown = self.engines.script(engine, &format!("SHOW CREATE TABLE {TABLE};\n"))?;
        let drift = saltplan::run(&self.root, &["drift", &self.schema()?, "--from-hive", "-"], &shown)?;
        ensure!(drift.contains("no drift; the table carries the row key"), "{drift}\n{shown}");
        Ok(())
    }

    /// Tables that are made of a query, and two that are filled from one scan.
    fn inserts(&mut self, engine: Engine) -> Result<()> {
        self.prepare(engine)?;
        let target = format!("planned_{engine}");
        let count = |table: &str| format!("SELECT count(*), min(amount), max(amount) FROM {table}");
        let before = self.reads()?;
        let ctas = format!(
            "DROP TABLE IF EXISTS {target}_a;\nCREATE TABLE {target}_a STORED AS ORC AS {};\n",
            query("SELECT amount FROM {t} x WHERE {D:x}", TABLE)
        );
        self.engines.script(engine, &ctas)?;
        let read = self.reads()? - before;
        ensure!(self.reads_of(Days::One, read)?, "HBase handed out {read} rows for CREATE TABLE AS");
        let found = self.engines.query(engine, &count(&format!("{target}_a")))?;
        ensure!(found == [format!("{EACH}\t2020040600\t2020040639")], "{found:?}");
        let mut script = String::new();
        for table in ["b", "c"] {
            let _ = writeln!(
                script,
                "DROP TABLE IF EXISTS {target}_{table};\nCREATE TABLE {target}_{table} (amount int) STORED AS ORC;"
            );
        }
        script += &query(
            &format!(
                "FROM {{t}} x INSERT OVERWRITE TABLE {target}_b SELECT amount WHERE {{D:x}} \
                 INSERT OVERWRITE TABLE {target}_c SELECT amount WHERE {{E:x}};\n"
            ),
            TABLE,
        );
        let (before, begin) = (self.reads()?, Instant::now());
        self.engines.script(engine, &script)?;
        let measured =
            Measured { rows: 2 * EACH as usize, reads: self.reads()? - before, elapsed: begin.elapsed() };
        self.report.add(format!("planned::{engine}::two INSERTs"), measured);
        for (table, day) in [("b", 20_200_406), ("c", 20_200_403)] {
            let found = self.engines.query(engine, &count(&format!("{target}_{table}")))?;
            ensure!(found == [format!("{EACH}\t{day}00\t{day}39")], "{table}: {found:?}");
        }
        Ok(())
    }

    /// What sessions and properties of the table may decide, and what not.
    fn guards(&mut self, engine: Engine) -> Result<()> {
        self.prepare(engine)?;
        let engines = self.engines.clone();
        let one = QUERIES[0].1;
        self.expect_planned(engine, one, Days::One)?;
        engines.script(engine, "set saltplan.plan=false;\n")?;
        self.expect_all(&self.engines, engine, one)?;
        engines.script(engine, "set saltplan.plan=true;\n")?;

        // Neither a setting nor a property of the system chooses the program.
        let trace = saltplan::folder()?.join("planned.trace");
        let _ = fs::remove_file(&trace);
        let program = self.script_file("trace", &format!("echo x >> {}; exit 1", trace.display()))?;
        engines.script(
            engine,
            &format!("set saltplan.command={program};\nset hiveconf:saltplan.command={program};\nset system:saltplan.command={program};\n"),
        )?;
        self.expect_planned(engine, "SELECT amount FROM {t} x WHERE {D:x} AND amount > 0", Days::One)?;
        ensure!(!trace.exists(), "a session chose the planner");

        // A function of the session with the name of a built-in one.
        let (keys, _) = self.run(&engines, engine, &format!("SELECT rowkey FROM {NATIVE}"))?;
        let shadowed = format!("SELECT amount FROM {{t}} x WHERE substr(rowkey, 1, 11) = '{}111'", keys[5]);
        engines.script(
            engine,
            "CREATE TEMPORARY FUNCTION substr AS 'org.apache.hadoop.hive.ql.udf.generic.GenericUDFConcat';\n",
        )?;
        self.expect_all(&self.engines, engine, &shadowed)?;
        engines.script(engine, "DROP TEMPORARY FUNCTION substr;\n")?;
        let prefix = &keys[5][..11];
        let read = self.right(
            &engines,
            engine,
            &format!("SELECT amount FROM {{t}} x WHERE substr(rowkey, 1, 11) = '{prefix}'"),
        )?;
        ensure!(read < EACH, "HBase handed out {read} rows of {prefix}");

        // A session can require a plan.
        engines.script(engine, "set saltplan.required=true;\n")?;
        self.expect_planned(engine, one, Days::One)?;
        self.refused(&engines, engine, "SELECT amount FROM {t} WHERE note = 'n1'", "saltplan.required")?;
        engines.script(engine, "set saltplan.required=false;\n")?;
        self.expect_all(&self.engines, engine, "SELECT amount FROM {t} WHERE note = 'n1'")?;

        self.refused_full_scans(engine)?;
        self.edited(engine)
    }

    fn refused(&self, engines: &Engines, engine: Engine, sql: &str, why: &str) -> Result<()> {
        let before = fs::read(self.log(engine))?.len();
        let error =
            engines.query(engine, &query(sql, TABLE)).err().with_context(|| format!("`{sql}` runs"))?;
        let error = format!("{error:#}");
        // A failed job says why only in its log.
        let log = fs::read(self.log(engine))?;
        let log = String::from_utf8_lossy(log.get(before..).unwrap_or_default());
        ensure!(error.contains(why) || log.contains(why), "`{sql}`: {error}");
        Ok(())
    }

    fn log(&self, engine: Engine) -> PathBuf {
        let name = if engine.home() == Home::Hive2 { "hive2.log" } else { "hive3.log" };
        lab_directory(&self.root).join(name)
    }

    /// The mapping table with another property. Hive 2 does not change those of such tables.
    fn declare_with(&self, engine: Engine, change: impl Fn(&str) -> String) -> Result<()> {
        let mapping = saltplan::run(&self.root, &["ddl", &self.schema()?, "--only", "mapping"], "")?;
        let changed = change(&mapping);
        ensure!(changed != mapping, "{mapping}");
        self.engines.script(engine, &format!("DROP TABLE {TABLE};\n{changed}"))?;
        Ok(())
    }

    fn refused_full_scans(&self, engine: Engine) -> Result<()> {
        let refuse = |mapping: &str| {
            mapping.replace("TBLPROPERTIES (", "TBLPROPERTIES ('saltplan.full_scan' = 'refuse', ")
        };
        self.declare_with(engine, refuse)?;
        for sql in [
            "SELECT * FROM {t} LIMIT 3",
            "SELECT count(*) FROM {t}",
            "SELECT amount FROM {t} WHERE note = 'n1'",
        ] {
            let before = self.reads()?;
            self.refused(&self.engines, engine, sql, "which refuses that")?;
            ensure!(self.reads()? == before, "`{sql}` reads");
        }
        self.expect_planned(engine, QUERIES[0].1, Days::One)?;
        self.expect_planned(engine, QUERIES[5].1, Days::Same)?;
        self.engines.script(engine, "set saltplan.allow.full_scan=true;\n")?;
        self.expect_all(&self.engines, engine, "SELECT count(*) FROM {t}")?;
        self.engines.script(engine, "set saltplan.allow.full_scan=false;\n")?;
        Ok(())
    }

    /// Salts of four digits for those of three would lose all rows, if they were believed.
    fn edited(&self, engine: Engine) -> Result<()> {
        self.declare_with(engine, |mapping| mapping.replace("decimal: 3", "decimal: 4"))?;
        self.expect_all(&self.engines, engine, QUERIES[0].1)?;
        self.warned(engine, "saltplan.schema was changed")?;
        self.declare_with(engine, |mapping| format!("{mapping}\n"))?;
        self.expect_planned(engine, QUERIES[0].1, Days::One)
    }

    fn warned(&self, engine: Engine, why: &str) -> Result<()> {
        let log = fs::read_to_string(self.log(engine))?;
        let warning = format!("saltplan: all keys of default.{TABLE} are read: ");
        let found = log.lines().any(|line| line.contains(&warning) && line.contains(why));
        ensure!(found, "no warning about {why} in {}", self.log(engine).display());
        Ok(())
    }

    fn script_file(&self, name: &str, script: &str) -> Result<String> {
        let file = saltplan::folder()?.join(format!("planner_{name}.sh"));
        fs::write(&file, format!("#!/bin/sh\n{script}\n"))?;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755))?;
        Ok(file.to_string_lossy().into_owned())
    }
}

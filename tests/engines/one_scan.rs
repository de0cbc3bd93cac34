//! Mapping tables with the storage handler of `storage-handler/`: every statement returns the rows that a native copy
//! returns, and HBase returns those of the ranges. The shapes that Hive's own handler answers wrongly come
//! first.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use saltplan_law::sample::sampled;
use serde_json::Value;

use crate::Report;
use crate::engine::{Engine, Engines, lab_directory};
use crate::keys::{self, Random};
use crate::project::Measured;
use crate::rows::hex;
use crate::saltplan;

const SALTS: u32 = 16;
const DAYS: u32 = 10;
/// Rows of each salt and day.
const EACH: u32 = 10;
/// The requested day.
const DAY: u32 = 20_200_406;

/// 16 salts and regions, 1,600 rows.
const SALTED: &str = "one_scan_salted";
/// The same keys in one region.
const ONE_REGION: &str = "one_scan_one_region";

/// A statement; `{t}` and `{o}` are the tables, `{p}` is the first one with Hive's own handler.
struct Case {
    name: &'static str,
    sets: &'static str,
    sql: String,
    /// The maximum number of rows that HBase may return from both tables.
    reads: u32,
}

fn case(name: &'static str, sql: impl Into<String>, reads: u32) -> Case {
    Case { name, sets: "", sql: sql.into(), reads }
}

impl Case {
    fn with(self, sets: &'static str) -> Self {
        Case { sets, ..self }
    }
}

/// The rows of a day, as `plan` prints its ranges.
fn day(key: &str, day: u32) -> String {
    let ranges: Vec<String> = (0..SALTS)
        .map(|salt| format!("({key} >= '{salt:03}{day}' AND {key} < '{salt:03}{}')", day + 1))
        .collect();
    format!("({})", ranges.join(" OR "))
}

const OF_DAY: u32 = SALTS * EACH;
const ALL: u32 = OF_DAY * DAYS;

fn cases() -> Vec<Case> {
    let mut cases = of_several_scans();
    cases.extend(of_one_scan());
    cases.extend(of_many_ranges());
    cases
}

fn place(alias: &str) -> String {
    format!("concat(substr({alias}.`key`, 1, 3), substr({alias}.`key`, 12))")
}

fn at(key: &str) -> String {
    day(key, DAY)
}

fn later(key: &str) -> String {
    day(key, DAY + 2)
}

/// A day of one table with another day of a second one, or of the same one.
fn join_of_days(other: &str) -> String {
    format!(
        "SELECT a.`key`, b.`key` FROM {{t}} a JOIN {other} b ON {} = {} WHERE {} AND {}",
        place("a"),
        place("b"),
        at("a.`key`"),
        later("b.`key`")
    )
}

/// The rows of the day with one salt.
fn one(key: &str) -> String {
    format!("{key} >= '003{DAY}' AND {key} < '003{}'", DAY + 1)
}

/// This many ranges that cover the day, most of them without a row.
fn many(count: u32) -> String {
    let each = count / SALTS;
    let ranges = (0..count).map(|n| {
        let (salt, n) = (n / each, n % each);
        let start = format!("{salt:03}{DAY}{n:04x}");
        format!("(`key` >= '{start}' AND `key` < '{start}~')")
    });
    ranges.collect::<Vec<_>>().join(" OR ")
}

/// As Hive's `hex` prints it.
fn upper_hex(text: &str) -> String {
    hex(text.as_bytes()).to_uppercase()
}

/// What Hive leaves in the configuration for one scan must not restrict another.
fn of_several_scans() -> Vec<Case> {
    vec![
        case(
            "two tables, other ranges of each",
            join_of_days("{o}"),
            2 * OF_DAY + 1,
        )
        .with("set hive.auto.convert.join=false;"),
        case(
            "one table twice, other ranges of each",
            join_of_days("{t}"),
            2 * OF_DAY,
        )
        .with("set hive.auto.convert.join=false;"),
        // What is pushed down for `a` must not restrict the table of the other two.
        case(
            "a range together with two scans by Hive's handler",
            format!(
                "SELECT count(*), min(b.`key`), max(c.`key`) FROM {{t}} a JOIN {{p}} b ON a.`v` = b.`v` \
                 JOIN {{p}} c ON a.`v` = c.`v` AND b.`d` = c.`d` WHERE {} AND b.`d` <> '{DAY}'",
                one("a.`key`")
            ),
            3 * ALL,
        )
        .with("set hive.auto.convert.join=false;"),
        case(
            "one table twice, all rows of the other",
            format!(
                "SELECT count(*), min(b.`key`) FROM {{t}} a JOIN {{t}} b ON a.`v` = b.`v` WHERE {} AND b.`d` <> '{DAY}'",
                at("a.`key`")
            ),
            2 * ALL,
        )
        .with("set hive.auto.convert.join=false;"),
        case(
            "UNION ALL of two days",
            format!(
                "SELECT `v`, count(*) FROM (SELECT `v` FROM {{t}} WHERE {} UNION ALL SELECT `v` FROM {{t}} WHERE {}) u GROUP BY `v`",
                at("`key`"),
                later("`key`")
            ),
            2 * OF_DAY,
        ),
        case(
            "UNION ALL of two tables",
            format!(
                "SELECT `key`, `d` FROM {{t}} WHERE {} UNION ALL SELECT `key`, `d` FROM {{o}} WHERE {}",
                at("`key`"),
                later("`key`")
            ),
            2 * OF_DAY + 1,
        ),
        case(
            "a condition of the ON",
            format!(
                "SELECT a.`key`, b.`v` FROM {{o}} a LEFT JOIN {{t}} b ON a.`key` = b.`key` AND {} WHERE {}",
                one("b.`key`"),
                at("a.`key`")
            ),
            2 * OF_DAY + 1,
        )
        .with("set hive.auto.convert.join=false;"),
        case(
            "a small table that is read outside the job",
            join_of_days("{t}"),
            2 * OF_DAY,
        )
        .with("set hive.exec.submit.local.task.via.child=false;\nset hive.auto.convert.join=true;"),
    ]
}

/// Every way to run a statement, and every form of condition.
fn of_one_scan() -> Vec<Case> {
    vec![
        case("a day", format!("SELECT `key`, `v`, `d` FROM {{t}} WHERE {}", at("`key`")), OF_DAY),
        case(
            "a day, no fetch",
            format!("SELECT `key`, `v`, `d` FROM {{t}} WHERE {}", at("`key`")),
            OF_DAY,
        )
        .with("set hive.fetch.task.conversion=none;"),
        case(
            "a day, row by row",
            format!("SELECT count(*), max(`v`) FROM {{t}} WHERE {}", at("`key`")),
            OF_DAY,
        )
        .with("set hive.vectorized.execution.enabled=false;"),
        case(
            "a day, vectorised, from statistics",
            format!("SELECT count(*), max(`v`) FROM {{t}} WHERE {}", at("`key`")),
            OF_DAY,
        )
        .with(
            "set hive.vectorized.execution.enabled=true;\nset hive.compute.query.using.stats=true;\nset hive.fetch.task.aggr=true;",
        ),
        // Hive's own handler makes a row of each part.
        case("a batch of columns", format!("SELECT * FROM {{t}} WHERE {}", at("`key`")), OF_DAY)
            .with("set hbase.scan.batch=1;"),
        case(
            "a batch of columns, the whole table",
            format!("SELECT * FROM {{t}} WHERE `d` = '{DAY}'"),
            ALL,
        )
        .with("set hbase.scan.batch=1;"),
        case("a day of one region", format!("SELECT `key`, `v` FROM {{o}} WHERE {}", at("`key`")), OF_DAY),
        case(
            "points, one of them missing",
            format!("SELECT * FROM {{t}} WHERE `key` IN ('000{DAY}0001', '015{DAY}0009', '003x') OR `key` = '007{DAY}0003'"),
            4,
        ),
        case(
            "conditions in addition to the ranges",
            format!(
                "SELECT `key` FROM {{t}} WHERE ({} AND `v` = '3') OR (`key` = '000202004010000' AND `d` LIKE '2020%')",
                at("`key`")
            ),
            OF_DAY + 1,
        ),
        case(
            "hex digits",
            format!(
                "SELECT hex(`key`) FROM {{t}} WHERE hex(`key`) >= '{}' AND hex(`key`) < '{}'",
                upper_hex("00220200404"),
                upper_hex("00220200406")
            ),
            2 * EACH,
        ),
        case("no key", "SELECT count(*) FROM {t} WHERE `key` > 'x' AND `key` < 'y'", 1),
        // Hive 3.1.3 simplifies it to FALSE, about which no handler is informed: it reads the table and drops
        // every row.
        case("no range at all", "SELECT count(*) FROM {t} WHERE `key` > 'y' AND `key` < 'x'", ALL),
        case(
            "CTE and subquery",
            format!(
                "WITH c AS (SELECT `key`, `v` FROM {{t}} WHERE {}) SELECT `v`, n FROM (SELECT `v`, count(*) n FROM c GROUP BY `v`) s WHERE n > 1",
                at("`key`")
            ),
            OF_DAY,
        ),
        case("LIMIT", format!("SELECT `d` FROM {{t}} WHERE {} LIMIT 3", at("`key`")), OF_DAY),
    ]
}

fn of_many_ranges() -> Vec<Case> {
    vec![
        case(
            "a day, four tasks a region",
            format!("SELECT count(*), max(`key`) FROM {{t}} WHERE {}", many(256)),
            OF_DAY + 256,
        )
        .with("set saltplan.splits.per.region=4;"),
        case("100 ranges", format!("SELECT `key` FROM {{t}} WHERE {}", many(96)), OF_DAY + 96),
        case("256 ranges", format!("SELECT `key` FROM {{t}} WHERE {}", many(256)), OF_DAY + 256),
        case("4,096 ranges", format!("SELECT `key` FROM {{t}} WHERE {}", many(4_096)), OF_DAY + 4_096),
        case(
            "4,096 ranges of one region",
            format!("SELECT count(*) FROM {{o}} WHERE {}", many(4_096)),
            OF_DAY + 4_096,
        ),
    ]
}

/// What a trial tests.
type Check = fn(&mut Lab, Engine) -> Result<()>;

/// Trials of each engine: the statements, the designs with binary keys, a Hive without the jar.
pub fn trials(root: &Path, engines: &Engines, report: &Report) -> Vec<Trial> {
    let lab = Arc::new(Mutex::new(Lab {
        root: root.to_owned(),
        engines: engines.clone(),
        report: report.clone(),
        is_filled: false,
        expected: HashMap::new(),
        mapped: Vec::new(),
    }));
    let mut trials = Vec::new();
    for engine in Engine::ALL {
        let checks: [(&str, Check); 4] = [
            ("statements", Lab::statements),
            ("more_statements", Lab::more_statements),
            ("bytes", Lab::bytes),
            ("without_jar", Lab::without_jar),
        ];
        for (name, check) in checks {
            let lab = Arc::clone(&lab);
            trials.push(Trial::test(format!("one_scan::{engine}::{name}"), move || {
                let mut lab = lab.lock().unwrap_or_else(PoisonError::into_inner);
                check(&mut lab, engine).map_err(|error| Failed::from(format!("{error:#}")))
            }));
        }
    }
    trials
}

struct Lab {
    root: PathBuf,
    engines: Engines,
    report: Report,
    is_filled: bool,
    /// The results of the native copies; both engines of Hive 3 have the same.
    expected: HashMap<(bool, String), Vec<String>>,
    mapped: Vec<bool>,
}

fn tables(sql: &str, t: &str, o: &str, p: &str) -> String {
    sql.replace("{t}", t).replace("{o}", o).replace("{p}", p)
}

impl Lab {
    /// Every third statement (or sixth), INSERTs, and the number of jobs.
    fn statements(&mut self, engine: Engine) -> Result<()> {
        let mut failures = self.failures(engine, sampled(cases().into_iter().step_by(3), 8))?;
        if let Err(error) = self.inserts(engine) {
            let _ = writeln!(failures, "inserts: {error:#}");
        }
        if let Err(error) = self.one_job(engine) {
            let _ = writeln!(failures, "one job: {error:#}");
        }
        ensure!(failures.is_empty(), "{failures}");
        Ok(())
    }

    /// The other statements.
    fn more_statements(&mut self, engine: Engine) -> Result<()> {
        let others = cases().into_iter().enumerate().filter(|(at, _)| at % 3 != 0);
        let failures = self.failures(engine, others.map(|(_, case)| case))?;
        ensure!(failures.is_empty(), "{failures}");
        Ok(())
    }

    fn failures(&mut self, engine: Engine, cases: impl Iterator<Item = Case>) -> Result<String> {
        self.fill()?;
        self.declare(engine)?;
        let mut failures = String::new();
        for case in cases {
            if let Err(error) = self.check(engine, &case) {
                let _ = writeln!(failures, "{}: {error:#}", case.name);
            }
        }
        Ok(failures)
    }

    fn check(&mut self, engine: Engine, case: &Case) -> Result<()> {
        let native = "one_scan_native";
        let mut expected = self.native(engine, &tables(&case.sql, native, native, native))?;
        let sql = tables(&case.sql, SALTED, ONE_REGION, "one_scan_plain");
        self.engines.begin(engine)?;
        if !case.sets.is_empty() {
            self.engines.script(engine, case.sets)?;
        }
        let before = self.reads()?;
        let begin = Instant::now();
        let mut found = self.engines.query(engine, &sql)?;
        let elapsed = begin.elapsed();
        let reads = self.reads()? - before;
        found.sort_unstable();
        if case.name == "LIMIT" {
            expected.truncate(found.len());
        }
        let rows = found.len();
        self.report.add(format!("one_scan::{engine}::{}", case.name), Measured { rows, reads, elapsed });
        ensure!(found == expected, "{rows} rows, expected {}: {found:?}, {expected:?}", expected.len());
        ensure!(reads <= u64::from(case.reads), "HBase handed out {reads} rows, expected {}", case.reads);
        Ok(())
    }

    /// The rows of a native copy, sorted.
    fn native(&mut self, engine: Engine, sql: &str) -> Result<Vec<String>> {
        let home = (engine == Engine::Mr2, sql.to_string());
        if let Some(rows) = self.expected.get(&home) {
            return Ok(rows.clone());
        }
        let maker = if engine == Engine::Tez { Engine::Mr } else { engine };
        self.engines.begin(maker)?;
        self.engines.script(maker, "set hive.auto.convert.join=false;\n")?;
        let mut rows = self.engines.query(maker, sql)?;
        rows.sort_unstable();
        self.expected.insert(home, rows.clone());
        Ok(rows)
    }

    /// A partition that is overwritten, with and without new rows, and two tables filled from one scan.
    fn inserts(&mut self, engine: Engine) -> Result<()> {
        let target = format!("one_scan_target_{engine}");
        let settings = match engine {
            Engine::Tez | Engine::Hive4 => "set hive.merge.tezfiles=true;",
            Engine::Mr | Engine::Mr2 => "set hive.merge.mapfiles=false;\nset hive.merge.mapredfiles=false;",
        };
        self.engines.begin(engine)?;
        let insert = |table: &str, condition: &str| {
            format!(
                "INSERT OVERWRITE TABLE {target}_{table} PARTITION (`p` = 1) SELECT `key` FROM {SALTED} WHERE {condition};\n"
            )
        };
        let mut script = format!("{settings}\n");
        for table in ["a", "b", "c"] {
            let _ = write!(
                script,
                "DROP TABLE IF EXISTS {target}_{table};\nCREATE TABLE {target}_{table} (`key` string) PARTITIONED BY (`p` int) STORED AS ORC;\n"
            );
        }
        script += &insert("a", &day("`key`", DAY));
        script += &insert("b", &day("`key`", DAY));
        // Its old rows must be removed, although there is no new one.
        script += &insert("b", "`key` > 'x' AND `key` < 'y'");
        let _ = writeln!(
            script,
            "FROM {SALTED} INSERT OVERWRITE TABLE {target}_c PARTITION (`p` = 1) SELECT `key` WHERE {} \
             INSERT OVERWRITE TABLE {target}_c PARTITION (`p` = 2) SELECT `key` WHERE {};",
            day("`key`", DAY),
            day("`key`", DAY + 1),
        );
        self.engines.script(engine, &script)?;
        let of_day = |day: u32| {
            let keys =
                (0..SALTS).flat_map(move |salt| (0..EACH).map(move |n| format!("{salt:03}{day}{n:04}")));
            keys.collect::<Vec<_>>()
        };
        for (table, partition, expected) in
            [("a", 1, of_day(DAY)), ("b", 1, Vec::new()), ("c", 1, of_day(DAY)), ("c", 2, of_day(DAY + 1))]
        {
            let sql = format!("SELECT `key` FROM {target}_{table} WHERE `p` = {partition}");
            let mut found = self.engines.query(engine, &sql)?;
            found.sort_unstable();
            ensure!(found == expected, "{table}, partition {partition}: {} rows, {found:?}", found.len());
        }
        Ok(())
    }

    /// The plan of a query of a day has one job, and one scan.
    fn one_job(&mut self, engine: Engine) -> Result<()> {
        self.engines.begin(engine)?;
        // As MapReduce prints it.
        self.engines.script(engine, "set hive.explain.user=false;\n")?;
        let sql =
            format!("EXPLAIN SELECT `v`, count(*) FROM {SALTED} WHERE {} GROUP BY `v`", day("`key`", DAY));
        let plan = self.engines.query(engine, &sql)?.join("\n");
        let jobs = plan.lines().filter(|line| matches!(line.trim(), "Map Reduce" | "Tez")).count();
        let scans = plan.matches("TableScan").count();
        ensure!(jobs == 1 && scans == 1, "{jobs} jobs, {scans} scans:\n{plan}");
        Ok(())
    }

    /// A Hive without the jar names the missing class, whatever is done with the table; ADD JAR is enough.
    fn without_jar(&mut self, engine: Engine) -> Result<()> {
        self.fill()?;
        self.declare(engine)?;
        let select = |table: &str| format!("SELECT count(*), max(`key`) FROM {table} WHERE {}", at("`key`"));
        let expected = self.native(engine, &select("one_scan_native"))?;
        let jar = lab_directory(&self.root).join("ranges/saltplan-hive.jar");
        self.engines.without_jar(engine.home(), |hive| {
            hive.begin(engine)?;
            let refused = [
                hive.query(engine, &select(SALTED)).err(),
                hive.script(engine, &format!("INSERT INTO {SALTED} SELECT * FROM one_scan_native;\n")).err(),
                hive.script(engine, &format!("DROP TABLE {SALTED};\n")).err(),
            ];
            for error in refused {
                let error = format!("{:#}", error.context("a statement runs without the jar")?);
                let named = "Error in loading storage handler.io.saltplan.hive.RangesStorageHandler";
                ensure!(error.contains(named), "{error}");
            }
            // Another table with Hive's own handler is not affected.
            let found = hive.query(engine, &select("one_scan_plain"))?;
            ensure!(found == expected, "{found:?}, expected {expected:?}");

            if engine == Engine::Tez {
                // In local mode its tasks have the class path of the session, without added jars.
                return Ok(());
            }
            hive.script(engine, &format!("ADD JAR {};\n", jar.display()))?;
            let before = self.reads()?;
            let found = hive.query(engine, &select(SALTED))?;
            let reads = self.reads()? - before;
            ensure!(found == expected, "{found:?}, expected {expected:?}");
            ensure!(reads == u64::from(OF_DAY), "HBase handed out {reads} rows, expected {OF_DAY}");
            Ok(())
        })
    }

    // ---- designs with bytes in the key

    /// The printed tables and queries of the designs with binary keys, with decoded key fields.
    fn bytes(&mut self, engine: Engine) -> Result<()> {
        let mut failures = String::new();
        for design in DESIGNS {
            if let Err(error) = self.design(engine, &design) {
                let _ = writeln!(failures, "{}: {error:#}", design.name);
            }
        }
        if let Err(error) = self.numbers(engine) {
            let _ = writeln!(failures, "numbers: {error:#}");
        }
        if let Err(error) = self.text_forms(engine) {
            let _ = writeln!(failures, "text forms: {error:#}");
        }
        ensure!(failures.is_empty(), "{failures}");
        Ok(())
    }

    /// Every binary encoding of numbers, decoded by Hive: the extremes of each, and values near zero.
    fn numbers(&mut self, engine: Engine) -> Result<()> {
        let rows: Vec<Value> =
            (0..5).map(|row| NUMBERS.iter().map(|(name, values)| (*name, values[row])).collect()).collect();
        self.decoded(engine, "numbers", &NUMBERS.map(|(name, _)| name), &rows)
    }

    /// Every form of text that is not its own bytes: empty, as long as the field, with characters beyond ASCII.
    fn text_forms(&mut self, engine: Engine) -> Result<()> {
        let rows: Vec<Value> =
            (0..4).map(|row| TEXTS.iter().map(|(name, values)| (*name, values[row])).collect()).collect();
        self.decoded(engine, "text_forms", &TEXTS.map(|(name, _)| name), &rows)
    }

    /// The rows of a layout, each found by all its fields and printed as it was.
    fn decoded(&mut self, engine: Engine, layout: &str, names: &[&str], rows: &[Value]) -> Result<()> {
        let schema = self.root.join(format!("tests/engines/layouts/{layout}.yaml"));
        let schema = schema.to_string_lossy().into_owned();
        self.mapped_table(engine, &schema, &format!("layout_{layout}"), rows)?;
        for row in rows {
            let cells: Vec<String> = names.iter().map(|name| keys::plain(&row[*name])).collect();
            let cells = cells.join("\t");
            // The first field gives a range; for the others Hive compares decoded values.
            let literal = |value: &Value| match value.as_str() {
                Some(text) => format!("'{text}'"),
                None => value.to_string(),
            };
            let conditions: Vec<String> =
                names.iter().map(|name| format!("{name} = {}", literal(&row[*name]))).collect();
            let (range, residual) = conditions.split_first().context("no field")?;
            for predicate in [range.clone(), residual.join(" AND ")] {
                let arguments = [
                    "plan",
                    &schema,
                    &predicate,
                    "--allow-full-scan",
                    "--allow-partial",
                    "--engine",
                    engine.option(),
                    "--select",
                    "--no-header",
                ];
                let sql = saltplan::run(&self.root, &arguments, "")?;
                let found = self.selected(engine, &sql)?;
                ensure!(found == [cells.clone()], "`{predicate}`: {found:?}, expected {cells}\n{sql}");
            }
        }
        Ok(())
    }

    /// A table with the keys of the rows, and the mapping table that is printed for it.
    fn mapped_table(&mut self, engine: Engine, schema: &str, table: &str, rows: &[Value]) -> Result<()> {
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        let encoded = saltplan::run(&self.root, &["key", "encode", schema, "--keys", "hex"], &lines)?;
        self.engines.client("drop", table)?;
        self.engines.shell(&format!("create '{table}', 'f'\n"))?;
        let puts: String =
            encoded.lines().map(|key| format!("\n{key}\tf:payload={}", hex(key.as_bytes()))).collect();
        self.engines.client("put", &format!("{table}{puts}"))?;

        self.engines.begin(engine)?;
        let mapping = saltplan::run(&self.root, &["ddl", schema, "--only", "mapping"], "")?;
        ensure!(mapping.contains("io.saltplan.hive.RangesStorageHandler"), "{mapping}");
        self.engines.script(engine, &format!("DROP TABLE IF EXISTS {table}_map;\n{mapping}"))?;
        Ok(())
    }

    /// The result of a printed query, after its settings.
    fn selected(&mut self, engine: Engine, sql: &str) -> Result<Vec<String>> {
        let (settings, select) = match sql.rfind("SET ") {
            Some(last) => {
                let end = sql[last..].find('\n').map_or(sql.len(), |end| last + end);
                sql.split_at(end)
            }
            None => ("", sql),
        };
        if !settings.is_empty() {
            self.engines.script(engine, settings)?;
        }
        self.engines.query(engine, select.trim().trim_end_matches(';'))
    }

    fn design(&mut self, engine: Engine, design: &Design) -> Result<()> {
        let schema = self.schema_of(design)?;
        let mut random = Random::new(design.name);
        let mut rows: Vec<Value> =
            (0..60).map(|row| Value::from(keys::object(&keys::row(design.name, &mut random, row)))).collect();
        rows.dedup();
        let table = format!("one_scan_{}", design.name);
        self.mapped_table(engine, &schema, &table, &rows)?;
        for (predicate, holds) in design.queries(&rows) {
            let arguments =
                ["plan", &schema, &predicate, "--engine", engine.option(), "--select", "--no-header"];
            let sql = saltplan::run(&self.root, &arguments, "")?;
            ensure!(sql.matches("FROM `").count() == 1, "more than one scan:\n{sql}");
            let before: u64 = self.engines.client("reads", &table)?.parse()?;
            let begin = Instant::now();
            let mut found = self.selected(engine, &sql)?;
            let elapsed = begin.elapsed();
            let reads = self.engines.client("reads", &table)?.parse::<u64>()? - before;
            found.sort_unstable();
            let mut expected: Vec<String> = rows
                .iter()
                .zip(&holds)
                .filter(|(_, holds)| **holds)
                .map(|(row, _)| design.cells(row))
                .collect();
            expected.sort_unstable();
            expected.dedup();
            ensure!(!expected.is_empty(), "`{predicate}` holds for no row: it proves nothing");
            self.report.add(
                format!("one_scan::{engine}::{}", design.name),
                Measured { rows: found.len(), reads, elapsed },
            );
            ensure!(found == expected, "`{predicate}`: {found:?}, expected {expected:?}\n{sql}");
            ensure!(
                reads < rows.len() as u64,
                "`{predicate}`: HBase handed out {reads} of {} rows\n{sql}",
                rows.len()
            );
        }
        Ok(())
    }

    /// The example with one scan, on a separate table, with the key fields in the target.
    fn schema_of(&self, design: &Design) -> Result<String> {
        let path = self.root.join(format!("schemas/examples/{}.yaml", design.name));
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let mut changed = String::new();
        let mut skipping = false;
        for line in text.lines() {
            // Of the preceding parts only the row key is used.
            if !line.starts_with(' ') && !line.starts_with('#') && !line.is_empty() {
                skipping = !["saltplan:", "key:", "time_zone:"].iter().any(|part| line.starts_with(part));
            }
            if !skipping {
                changed.push_str(line);
                changed.push('\n');
            }
        }
        let name = format!("one_scan_{}", design.name);
        let fields: String = design
            .fields
            .iter()
            .map(|(name, hive_type)| {
                format!("      - {{ name: {name}, from: key.{name}, type: {hive_type} }}\n")
            })
            .collect();
        let _ = write!(
            changed,
            "hbase:\n  table: '{name}'\n  families:\n    f: {{}}\ncolumns:\n  - {{ name: payload, type: string, hbase: 'f:payload' }}\n\
             hive:\n  mapping:\n    table: {name}_map\n    key_column: rowkey\n    one_scan: true\n  target:\n    table: {name}_target\n    columns:\n{fields}"
        );
        let path = lab_directory(&self.root).join("data").join(format!("{name}.yaml"));
        std::fs::write(&path, changed).with_context(|| path.display().to_string())?;
        Ok(path.to_string_lossy().into_owned())
    }

    // ---- preparation

    fn fill(&mut self) -> Result<()> {
        if self.is_filled {
            return Ok(());
        }
        let splits: Vec<String> = (1..SALTS).map(|salt| format!("'{salt:03}'")).collect();
        for (table, splits) in
            [(SALTED, format!(", SPLITS => [{}]", splits.join(", "))), (ONE_REGION, String::new())]
        {
            self.engines.client("drop", table)?;
            self.engines.shell(&format!("create '{table}', 'f'{splits}\n"))?;
            let mut request = table.to_string();
            for salt in 0..SALTS {
                for day in (0..DAYS).map(|day| 20_200_401 + day) {
                    for n in 0..EACH {
                        let key = hex(format!("{salt:03}{day}{n:04}").as_bytes());
                        let (v, d) = (hex(n.to_string().as_bytes()), hex(day.to_string().as_bytes()));
                        let _ = write!(request, "\n{key}\tf:v={v}\tf:d={d}");
                    }
                }
            }
            let stored = self.engines.client("put", &request)?;
            ensure!(stored.trim() == ALL.to_string(), "put {stored} rows");
        }
        self.is_filled = true;
        Ok(())
    }

    fn declare(&mut self, engine: Engine) -> Result<()> {
        let home = engine == Engine::Mr2;
        if self.mapped.contains(&home) {
            return Ok(());
        }
        let maker = if engine == Engine::Tez { Engine::Mr } else { engine };
        self.engines.begin(maker)?;
        let mut script = String::new();
        let ranges = "io.saltplan.hive.RangesStorageHandler";
        let plain = "org.apache.hadoop.hive.hbase.HBaseStorageHandler";
        for (table, hbase, handler) in
            [(SALTED, SALTED, ranges), (ONE_REGION, ONE_REGION, ranges), ("one_scan_plain", SALTED, plain)]
        {
            let _ = write!(
                script,
                "DROP TABLE IF EXISTS {table};
CREATE EXTERNAL TABLE {table} (`key` string, `v` string, `d` string) STORED BY '{handler}'
  WITH SERDEPROPERTIES ('hbase.columns.mapping' = ':key,f:v,f:d') TBLPROPERTIES ('hbase.table.name' = '{hbase}');
"
            );
        }
        script += "DROP TABLE IF EXISTS one_scan_native;
CREATE TABLE one_scan_native STORED AS ORC AS SELECT * FROM one_scan_plain;
";
        self.engines.script(maker, &script)?;
        let rows = self.engines.query(maker, "SELECT `key` FROM one_scan_native")?;
        ensure!(rows.len() == ALL as usize, "the native copy has {} rows", rows.len());
        self.mapped.push(home);
        Ok(())
    }

    /// The number of rows that HBase returned to clients, from both tables.
    fn reads(&self) -> Result<u64> {
        let mut reads = 0;
        for table in [SALTED, ONE_REGION] {
            reads += self.engines.client("reads", table)?.parse::<u64>()?;
        }
        Ok(reads)
    }
}

/// A design of `schemas/examples` and its key fields, with their types in the target.
struct Design {
    name: &'static str,
    fields: &'static [(&'static str, &'static str)],
}

const DESIGNS: [Design; 4] = [
    Design { name: "hash_prefix_short", fields: &[("customer_id", "string"), ("contract_id", "string")] },
    Design { name: "md5_sampled", fields: &[("id", "bigint")] },
    Design { name: "modulo_partition", fields: &[("id", "bigint")] },
    Design { name: "reversed_id_time", fields: &[("user_id", "string"), ("order_time", "bigint")] },
];

/// The fields of layouts/numbers.yaml, with their values in five rows.
const NUMBERS: [(&str, [i64; 5]); 20] = [
    ("flipped_int", INTS),
    ("flipped_int_desc", INTS),
    ("flipped_long", LONGS),
    ("flipped_long_desc", LONGS),
    ("twos_int", INTS),
    ("twos_int_desc", INTS),
    ("twos_long", LONGS),
    ("twos_long_desc", LONGS),
    ("three_bytes", [0, 1, 255, 65_536, 16_777_215]),
    ("three_bytes_desc", [0, 1, 255, 65_536, 16_777_215]),
    ("unsigned_long", [0, 1, 255, 4_294_967_296, i64::MAX]),
    ("unsigned_long_desc", [0, 1, 255, 4_294_967_296, i64::MAX]),
    ("flipped_tiny", TINYINTS),
    ("flipped_tiny_desc", TINYINTS),
    ("twos_tiny", TINYINTS),
    ("unsigned_tiny_desc", [0, 1, 2, 100, 127]),
    ("flipped_small", SMALLINTS),
    ("twos_small", SMALLINTS),
    ("twos_small_desc", SMALLINTS),
    ("unsigned_small", [0, 1, 255, 256, 32_767]),
];
/// The fields of `layouts/text_forms.yaml`, with their values in four rows.
const TEXTS: [(&str, [&str; 4]); 9] = [
    ("uid", ["0001ff", "000000", "ffffff", "80ff00"]),
    ("uid_desc", ["00ff", "0000", "ffff", "0102"]),
    ("agent", ["web-1", "", "12345678", "caf\u{e9}"]),
    ("code", ["ab", "", "abcd", "a b"]),
    ("code_desc", ["ab", "", "abcd", "a b"]),
    ("city", ["K\u{f6}ln", "", "x", "\u{6771}\u{4eac}"]),
    ("city_desc", ["K\u{f6}ln", "", "x", "\u{6771}\u{4eac}"]),
    ("kind_desc", ["K1", "00", "zz", "\u{e9}"]),
    ("last_desc", ["z", "", "abc", "\u{1f600}"]),
];
const TINYINTS: [i64; 5] = [-128, -1, 0, 16, 127];
const SMALLINTS: [i64; 5] = [-32_768, -1, 0, 256, 32_767];
const INTS: [i64; 5] = [-2_147_483_648, -1, 0, 256, 2_147_483_647];
const LONGS: [i64; 5] = [i64::MIN, -1, 0, 4_294_967_296, i64::MAX];

impl Design {
    /// The fields of a row as Hive prints them.
    fn cells(&self, row: &Value) -> String {
        self.fields.iter().map(|(name, _)| keys::plain(&row[*name])).collect::<Vec<_>>().join("\t")
    }

    /// Predicates, and the rows for which they are true.
    fn queries(&self, rows: &[Value]) -> Vec<(String, Vec<bool>)> {
        let text = |row: &Value, field: &str| keys::plain(&row[field]);
        let number = |row: &Value, field: &str| row[field].as_i64().unwrap_or_default();
        let of = |holds: &dyn Fn(&Value) -> bool| rows.iter().map(holds).collect::<Vec<_>>();
        match self.name {
            "hash_prefix_short" => {
                let (customer, contract) = (text(&rows[7], "customer_id"), text(&rows[7], "contract_id"));
                vec![(
                    format!("customer_id = '{customer}' AND contract_id = '{contract}'"),
                    of(&|row| text(row, "customer_id") == customer && text(row, "contract_id") == contract),
                )]
            }
            "md5_sampled" => {
                let ids: Vec<i64> = [3, 11, 30].iter().map(|row| number(&rows[*row], "id")).collect();
                let list: Vec<String> = ids.iter().map(i64::to_string).collect();
                vec![(format!("id IN ({})", list.join(", ")), of(&|row| ids.contains(&number(row, "id"))))]
            }
            "modulo_partition" => {
                let mut ids: Vec<i64> = rows.iter().map(|row| number(row, "id")).collect();
                ids.sort_unstable();
                let (first, last) = (ids[20], ids[25]);
                vec![(
                    format!("id BETWEEN {first} AND {last}"),
                    of(&|row| (first..=last).contains(&number(row, "id"))),
                )]
            }
            _ => {
                let (user, time) = (text(&rows[5], "user_id"), number(&rows[5], "order_time"));
                vec![(
                    format!("user_id = '{user}' AND order_time <= {time}"),
                    of(&|row| text(row, "user_id") == user && number(row, "order_time") <= time),
                )]
            }
        }
    }
}

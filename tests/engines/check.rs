//! `check` on the real engines: a load without a fault raises no alarm, each fault is found and named, and HBase reads the ranges once.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use chrono::NaiveDate;
use libtest_mimic::Trial;
use serde_json::json;

use crate::engine::{Engine, Engines, trials_on};
use crate::rows::hex;
use crate::saltplan;

const TABLE: &str = "saltplan_check";
const FIRST_DAY: u32 = 20_200_401;
/// Each day after the first gets another fault.
const DAYS: u32 = 10;
const IDS: usize = 24;
const SALTS: u32 = 4;

/// Texts that a careless comparison confuses: with NULL, with each other, or with signs between columns.
const TEXTS: [Option<&str>; 8] =
    [Some(""), None, Some("-"), Some(","), Some("a b "), Some("it's"), Some("é漢😀"), Some("line\nbreak")];
const DOUBLES: [&str; 8] =
    ["0.1", "-0.0", "0.0", "NaN", "0.30000000000000004", "1.0E300", "-Infinity", "4.9E-324"];
const FLOATS: [&str; 4] = ["0.1", "-0.0", "3.4028235E38", "NaN"];
const DECIMALS: [&str; 4] = ["5", "5.00", "-12345678.99", "0.01"];
const TIMES: [&str; 4] =
    ["2020-04-06 00:00:00", "2020-04-06 12:34:56.789", "1969-12-31 23:59:59", "2020-03-29 02:30:00"];
const COLUMNS: [&str; 10] = ["s", "n", "big", "d", "f", "m", "t", "dt", "c", "b"];

/// Enough ids for each salt of the table that is counted by HBase and in which an empty salt is named.
const MANY_IDS: usize = 400;
/// Days that are loaded without a fault.
const RIGHT_DAYS: u64 = 200;

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let mut trials =
        trials_on(Engine::ALL, root, engines, |engine| format!("{engine}::check::faults"), check);
    trials.extend(trials_on(
        Engine::ALL,
        root,
        engines,
        |engine| format!("{engine}::check::one_day"),
        one_day,
    ));
    trials.extend(trials_on(
        Engine::ALL,
        root,
        engines,
        |engine| format!("{engine}::check::unnamed_partition"),
        unnamed_partition,
    ));
    trials.extend(trials_on(
        Engine::ALL,
        root,
        engines,
        |engine| format!("{engine}::check::right_days"),
        right_days,
    ));
    trials
}

fn cells(day: u32, id: usize) -> [Option<String>; COLUMNS.len()] {
    let at = id + day as usize;
    let one = |of: &[&str]| Some(of[at % of.len()].to_string());
    [
        TEXTS[at % TEXTS.len()].map(str::to_string),
        (!at.is_multiple_of(5)).then(|| (at as i32 % 3 - 1).to_string()),
        Some((i64::MAX - at as i64).to_string()),
        (!at.is_multiple_of(11)).then(|| DOUBLES[at % DOUBLES.len()].to_string()),
        one(&FLOATS),
        one(&DECIMALS),
        one(&TIMES),
        (!at.is_multiple_of(7)).then(|| format!("2020-02-{:02}", at % 28 + 1)),
        one(&["abc", "a", ""]),
        one(&["true", "false"]),
    ]
}

fn days() -> impl Iterator<Item = u32> {
    FIRST_DAY..FIRST_DAY + DAYS
}

fn check(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let schema = OF_FAULTS.schema()?;
    OF_FAULTS.create(root, engines, engine)?;
    let rows: Vec<_> = days().flat_map(|day| (0..IDS).map(move |id| (day, id, cells(day, id)))).collect();
    OF_FAULTS.put(root, engines, &rows, |_| true)?;
    let check = Check { root, engines, engine, schema: &schema };
    let all = format!("day BETWEEN {FIRST_DAY} AND {}", FIRST_DAY + DAYS - 1);
    let load = |predicate: &str| -> Result<()> {
        let statement = saltplan::run(root, &["plan", &schema, predicate, "--engine", engine.option()], "")?;
        engines.script(engine, &statement).map(drop_text)
    };

    // Nothing is loaded yet.
    let first = format!("day = {FIRST_DAY}");
    let told = check.run(&first, &[])?;
    ensure!(told.len() == SALTS as usize && told.iter().all(|row| row[1].starts_with("missing")), "{told:?}");
    // Rows that are right raise no alarm, and HBase reads them once.
    load(&all)?;
    let before = reads(engines)?;
    let told = check.run(&all, &["--by", "day"])?;
    let read = reads(engines)? - before;
    ensure!(told.is_empty(), "a false alarm: {told:?}");
    let held = u64::from(DAYS) * IDS as u64;
    ensure!(
        (held..=held + u64::from(SALTS)).contains(&read),
        "HBase read {read} rows where the ranges hold {held}"
    );
    ensure!(check.run(&first, &[])?.is_empty(), "a false alarm by salt");
    ensure!(check.run(&first, &["--rows", "10"])?.is_empty(), "rows that are right differ");
    check.run(&first, &["--assert"])?;

    let expected = spoil(engines, engine)?;
    let told = check.run(&all, &["--by", "day"])?;
    let words: Vec<(String, String)> = told
        .iter()
        .map(|row| (row[0].clone(), row[1].split(':').next().unwrap_or_default().into()))
        .collect();
    ensure!(words == expected, "{told:#?}\nexpected {expected:#?}");
    ensure!(told.iter().any(|row| row[1].contains("each row 2 times")), "{told:#?}");

    // A lost salt is named, and the others are not.
    let lost = check.run(&format!("day = {}", FIRST_DAY + 2), &[])?;
    ensure!(lost.len() == 1 && lost[0][0] == "1" && lost[0][1].starts_with("missing"), "{lost:?}");
    // A changed cell is a row of HBase and a row of the target.
    let rows = check.run(&format!("day = {}", FIRST_DAY + 5), &["--rows", "10"])?;
    let mut counts: Vec<[&str; 2]> = rows.iter().map(|row| [row[0].as_str(), row[1].as_str()]).collect();
    counts.sort_unstable();
    ensure!(
        counts == [["0", "1"], ["1", "0"]] && rows.iter().any(|row| row.contains(&"other".into())),
        "{rows:?}"
    );
    let failed = check.run(&format!("day = {}", FIRST_DAY + 5), &["--assert"]);
    let error = failed.err().context("a statement with --assert did not fail")?;
    ensure!(format!("{error:#}").contains("assert"), "{error:#}");
    // Other shapes and one range say the same.
    for shape in ["union_all", "one_scan"] {
        let told = check.run(&format!("day = {}", FIRST_DAY + 2), &["--shape", shape])?;
        ensure!(told == lost, "{shape}: {told:?}");
    }
    // The next load repairs all of it.
    load(&all)?;
    let told = check.run(&all, &["--by", "day"])?;
    // A partition that receives rows is replaced as a whole.
    ensure!(told.is_empty(), "{told:?}");
    Ok(())
}

fn drop_text(_: String) {}

struct Check<'a> {
    root: &'a Path,
    engines: &'a Engines,
    engine: Engine,
    schema: &'a str,
}

impl Check<'_> {
    /// The rows that the printed statement returns.
    fn run(&self, predicate: &str, more: &[&str]) -> Result<Vec<Vec<String>>> {
        let arguments = ["check", self.schema, predicate, "--no-header", "--engine", self.engine.option()];
        let sql = saltplan::run(self.root, &[&arguments, more].concat(), "")?;
        let (settings, query) = sql.split_once("\nSELECT").context("no query")?;
        self.engines.begin(self.engine)?;
        self.engines.script(self.engine, &format!("{settings}\n"))?;
        let query = format!("SELECT{query}");
        let rows = self.engines.query(self.engine, query.trim_end().trim_end_matches(';'));
        let rows = rows.with_context(|| format!("{predicate} {more:?}"))?;
        Ok(rows.iter().map(|row| row.split('\t').map(str::to_string).collect()).collect())
    }
}

/// The select lists and conditions of the queries that fill a partition.
type Parts = Vec<(String, String)>;

/// Faults in the partitions of the target, and what must be said of each day.
fn spoil(engines: &Engines, engine: Engine) -> Result<Vec<(String, String)>> {
    let columns = COLUMNS.join(", ");
    let day = |place: u32| FIRST_DAY + place;
    let other = |column: &str, value: &str| {
        let shown = COLUMNS.map(|name| if name == column { value.to_string() } else { name.to_string() });
        format!("id, {}", shown.join(", "))
    };
    let same = format!("id, {columns}");
    // Java's `hashCode` of the id, which begins with `i`, decides the salt; the id is known from the key in HBase.
    let lost_salt = "pmod(hash(id), 4) <> 1".to_string();
    let spoiled: [(u32, &str, Parts); 7] = [
        (1, "missing", vec![(same.clone(), "1 = 0".into())]),
        (2, "fewer", vec![(same.clone(), lost_salt)]),
        (3, "repeated", vec![(same.clone(), "TRUE".into()), (same.clone(), "TRUE".into())]),
        (4, "more", vec![(same.clone(), "TRUE".into()), (same.clone(), "id = 'i3'".into())]),
        (5, "values", vec![(same.clone(), "id <> 'i3'".into()), (other("s", "'other'"), "id = 'i3'".into())]),
        // NULL for an empty text.
        (6, "values", vec![(other("s", "CASE WHEN s = '' THEN NULL ELSE s END"), "TRUE".into())]),
        // The last digit of a double.
        (
            7,
            "values",
            vec![(other("d", "CASE WHEN d = 0.1D THEN 0.10000000000000002D ELSE d END"), "TRUE".into())],
        ),
    ];
    let mut expected = Vec::new();
    let mut script = "SET hive.vectorized.execution.enabled=false;\nSET hive.merge.tezfiles=true;\nSET hive.merge.mapfiles=false;\nSET hive.merge.mapredfiles=false;\n".to_string();
    for (place, word, parts) in spoiled {
        let day = day(place);
        expected.push((day.to_string(), word.to_string()));
        if place == 1 {
            writeln!(script, "ALTER TABLE {TABLE}_target DROP PARTITION (day = {day});")?;
            continue;
        }
        let parts: Vec<String> = parts
            .iter()
            .map(|(items, condition)| {
                format!("SELECT {items} FROM {TABLE}_copy WHERE day = {day} AND {condition}")
            })
            .collect();
        writeln!(
            script,
            "INSERT OVERWRITE TABLE {TABLE}_target PARTITION (day = {day})\n{};",
            parts.join("\nUNION ALL\n")
        )?;
    }
    // Rows of a day that HBase does not have.
    let foreign = day(DAYS - 1);
    expected.push((foreign.to_string(), "more".into()));
    writeln!(
        script,
        "INSERT INTO TABLE {TABLE}_target PARTITION (day = {foreign}) SELECT 'i99', {columns} FROM {TABLE}_copy WHERE day = {foreign} AND id = 'i3';"
    )?;
    engines.script(engine, &format!("DROP TABLE IF EXISTS {TABLE}_copy;\nCREATE TABLE {TABLE}_copy STORED AS ORC AS SELECT * FROM {TABLE}_target;\n"))?;
    engines.script(engine, &script)?;
    Ok(expected)
}

fn reads(engines: &Engines) -> Result<u64> {
    Ok(engines.client("reads", TABLE)?.parse()?)
}

/// A table in HBase and its target.
struct Table {
    name: &'static str,
    /// The column of the target that has the id, if there is one.
    id: &'static str,
}

const OF_FAULTS: Table = Table { name: TABLE, id: "{ name: id, from: key.id }, " };

impl Table {
    /// Writes the schema file; its path.
    fn schema(&self) -> Result<String> {
        let Table { name, id } = self;
        let text = format!(
            "saltplan: 1
hbase: {{ table: '{name}', families: {{ f: {{}} }} }}
key:
  salt: {{ java_hash: {{ of: [id], abs: after, modulo: {SALTS}, write: decimal }} }}
  fields:
    - {{ name: day, type: date, format: yyyyMMdd }}
    - {{ name: id, type: string, chars: alnum }}
regions: {{ per_salt: {{}} }}
columns:
  - {{ name: s, type: string, hbase: 'f:s' }}
  - {{ name: n, type: int, hbase: 'f:n' }}
  - {{ name: big, type: bigint, hbase: 'f:big' }}
  - {{ name: d, type: double, hbase: 'f:d' }}
  - {{ name: f, type: float, hbase: 'f:f' }}
  - {{ name: m, type: 'decimal(10,2)', hbase: 'f:m' }}
  - {{ name: t, type: timestamp, hbase: 'f:t' }}
  - {{ name: dt, type: date, hbase: 'f:dt' }}
  - {{ name: c, type: 'char(3)', hbase: 'f:c' }}
  - {{ name: b, type: boolean, hbase: 'f:b' }}
hive:
  mapping: {{ table: {name}_map, key_column: rowkey }}
  target:
    table: {name}_target
    partition: [{{ name: day, type: int }}]
    columns: [{id}s, n, big, d, f, m, t, dt, c, b]
"
        );
        let path = saltplan::folder()?.join(format!("{name}.yaml"));
        fs::write(&path, text)?;
        Ok(path.to_string_lossy().into_owned())
    }

    /// Creates the table in HBase, and the tables of Hive without rows.
    fn create(&self, root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
        let (schema, name) = (self.schema()?, self.name);
        engines.client("drop", name)?;
        engines.shell(&saltplan::run(root, &["ddl", &schema, "--only", "hbase"], "")?)?;
        engines.begin(engine)?;
        let tables = saltplan::run(root, &["ddl", &schema, "--only", "mapping,target"], "")?;
        let drop = format!("DROP TABLE IF EXISTS {name}_map;\nDROP TABLE IF EXISTS {name}_target;\n");
        engines.script(engine, &format!("{drop}{tables}")).map(drop_text)
    }

    /// Puts rows whose keys `is_put` accepts: the day, the number of the id, and the values.
    fn put(
        &self,
        root: &Path,
        engines: &Engines,
        rows: &[(u32, usize, [Option<String>; COLUMNS.len()])],
        is_put: impl Fn(&str) -> bool,
    ) -> Result<()> {
        let lines: String = rows
            .iter()
            .map(|(day, id, _)| format!("{}\n", json!({ "day": day.to_string(), "id": format!("i{id}") })))
            .collect();
        let keys = saltplan::run(root, &["key", "encode", &self.schema()?, "-"], &lines)?;
        let mut puts = self.name.to_string();
        for (key, (_, _, cells)) in keys.lines().zip(rows).filter(|(key, _)| is_put(key)) {
            write!(puts, "\n{}", hex(key.as_bytes()))?;
            for (name, cell) in COLUMNS.iter().zip(cells) {
                if let Some(cell) = cell {
                    write!(puts, "\tf:{name}={}", hex(cell.as_bytes()))?;
                }
            }
        }
        engines.client("put", &puts).map(drop_text)
    }
}

/// One day, of which one salt has no row: it is named, a lost region is, and HBase counts the rows itself.
fn one_day(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let table = Table { name: "saltplan_check_day", id: OF_FAULTS.id };
    let (schema, predicate) = (table.schema()?, format!("day = {FIRST_DAY}"));
    table.create(root, engines, engine)?;
    let rows: Vec<_> = (0..MANY_IDS).map(|id| (FIRST_DAY, id, cells(FIRST_DAY, id))).collect();
    table.put(root, engines, &rows, |key| !key.starts_with('0'))?;
    let statement = saltplan::run(root, &["plan", &schema, &predicate, "--engine", engine.option()], "")?;
    engines.script(engine, &statement)?;
    let check = Check { root, engines, engine, schema: &schema };
    let told = |rows: &[Vec<String>]| -> Vec<(String, String)> {
        let word = |row: &Vec<String>| row[1].split(':').next().unwrap_or_default().to_string();
        rows.iter().map(|row| (row[0].clone(), word(row))).collect()
    };
    let named = |groups: &[(&str, &str)]| -> Vec<(String, String)> {
        groups.iter().map(|(salt, word)| (salt.to_string(), word.to_string())).collect()
    };
    for shape in ["auto", "one_scan"] {
        let found = told(&check.run(&predicate, &["--shape", shape])?);
        ensure!(found == named(&[("0", "empty")]), "{shape}: {found:?}");
    }
    ensure!(check.run(&predicate, &["--by", "day"])?.is_empty(), "the sides differ");
    let script = Counted::new(root, engines, engine, &schema, &predicate)?;
    ensure!(script.run(engines, &table)? == 0, "HBase counts other rows than there are");

    // A region from the middle of salt 1 to the end of salt 2.
    let name = table.name;
    let salt = format!("abs(hash(id) % {SALTS})");
    let spoil = format!(
        "SET hive.vectorized.execution.enabled=false;
DROP TABLE IF EXISTS {name}_copy;
CREATE TABLE {name}_copy STORED AS ORC AS SELECT * FROM {name}_target;
INSERT OVERWRITE TABLE {name}_target PARTITION (day = {FIRST_DAY})
SELECT id, {} FROM {name}_copy WHERE NOT ({salt} = 2 OR {salt} = 1 AND id >= 'i3');
",
        COLUMNS.join(", ")
    );
    engines.begin(engine)?;
    engines.script(engine, &spoil)?;
    let found = told(&check.run(&predicate, &[])?);
    ensure!(found == named(&[("0", "empty"), ("1", "fewer"), ("2", "missing")]), "{found:?}");
    let script = Counted::new(root, engines, engine, &schema, &predicate)?;
    ensure!(script.run(engines, &table)? == 1, "HBase counts a lost region");
    Ok(())
}

/// The words of the commands that the script of `--count` calls, when the query has its real result.
struct Counted {
    arguments: Vec<String>,
}

impl Counted {
    fn new(root: &Path, engines: &Engines, engine: Engine, schema: &str, predicate: &str) -> Result<Self> {
        let folder = saltplan::folder()?.join("counted");
        fs::create_dir_all(&folder)?;
        let script = folder.join("count.sh");
        fs::write(&script, saltplan::run(root, &["check", schema, predicate, "--count"], "")?)?;
        fs::write(folder.join("answer"), "0\n")?;
        for program in ["hive", "hbase"] {
            let path = folder.join(program);
            let text = format!(
                "#!/bin/sh\nprintf '%s\\0' \"$@\" > '{0}/{program}.words'\n[ {program} = hbase ] || cat '{0}/answer'\n",
                folder.display()
            );
            fs::write(&path, text)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
        let run = || -> Result<()> {
            let path = format!("{}:{}", folder.display(), std::env::var("PATH")?);
            let done = Command::new("sh").arg(&script).env("PATH", path).status()?;
            ensure!(done.success(), "the script fails");
            Ok(())
        };
        let words = |program: &str| -> Result<Vec<String>> {
            let text = fs::read_to_string(folder.join(format!("{program}.words")))?;
            Ok(text.trim_end_matches('\0').split('\0').map(str::to_string).collect())
        };
        run()?;
        let called = words("hive")?;
        let (sql, options) = called.split_last().context("no query")?;
        // The files are read, not the number that the metastore knows.
        let setting = "hive.compute.query.using.stats=false";
        ensure!(options == ["-S", "--hiveconf", setting, "-e"], "{options:?}");
        engines.begin(engine)?;
        engines.script(engine, &format!("set {setting};\n"))?;
        fs::write(folder.join("answer"), engines.query(engine, sql)?.join("\n") + "\n")?;
        run()?;
        let mut arguments = words("hbase")?;
        ensure!(arguments.remove(0) == "org.apache.hadoop.hbase.mapreduce.RowCounter", "{arguments:?}");
        Ok(Counted { arguments })
    }

    /// The exit code of HBase's program.
    fn run(&self, engines: &Engines, table: &Table) -> Result<u8> {
        let request = format!("{}\n{}", table.name, self.arguments.join("\n"));
        Ok(engines.client("count", &request)?.parse()?)
    }
}

/// Rows whose partition has no name, NULL and an empty text, raise no alarm where they are, and are named where they are missing.
fn unnamed_partition(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let table = Table { name: "saltplan_check_kinds", id: OF_FAULTS.id };
    let by_day = "partition: [{ name: day, type: int }]\n    columns: [{ name: id, from: key.id }, s, n,";
    let by_kind = "partition: [{ name: day, type: int }, { name: s, of: s }]\n    columns: [{ name: id, from: key.id }, n,";
    let path = table.schema()?;
    let text = fs::read_to_string(&path)?;
    ensure!(text.contains(by_day), "{text}");
    table.create(root, engines, engine)?;
    let rows: Vec<_> = [None, Some(""), Some("a"), Some("b c")]
        .into_iter()
        .enumerate()
        .map(|(id, kind)| {
            let mut values = cells(FIRST_DAY, id);
            values[0] = kind.map(str::to_string);
            (FIRST_DAY, id, values)
        })
        .collect();
    table.put(root, engines, &rows, |_| true)?;
    let of_kinds = saltplan::folder()?.join("saltplan_check_kinds_by_kind.yaml");
    fs::write(&of_kinds, text.replace(by_day, by_kind))?;
    let schema = of_kinds.to_string_lossy().into_owned();
    let name = table.name;
    let tables = saltplan::run(root, &["ddl", &schema, "--only", "target"], "")?;
    engines.script(engine, &format!("DROP TABLE IF EXISTS {name}_target;\n{tables}"))?;
    let predicate = format!("day = {FIRST_DAY}");
    let load = saltplan::run(root, &["plan", &schema, &predicate, "--engine", engine.option()], "")?;
    engines.begin(engine)?;
    engines.script(engine, &load)?;
    let check = Check { root, engines, engine, schema: &schema };
    for more in [[].as_slice(), &["--by", "s"], &["--rows", "5"], &["--shape", "one_scan"]] {
        let told = check.run(&predicate, more)?;
        ensure!(told.is_empty(), "{more:?}: {told:?}");
    }
    let drop = format!("ALTER TABLE {name}_target DROP PARTITION (s = '__HIVE_DEFAULT_PARTITION__');\n");
    engines.script(engine, &drop)?;
    let told = check.run(&predicate, &["--by", "s"])?;
    let words: Vec<_> =
        told.iter().map(|row| (row[0].as_str(), row[1].split(':').next(), row[2].as_str())).collect();
    ensure!(words == [("__HIVE_DEFAULT_PARTITION__", Some("missing"), "2")], "{told:?}");
    Ok(())
}

/// Many days whose rows are right, some of them the same but for their key, and then some rows that arrive.
fn right_days(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let table = Table { name: "saltplan_check_right", id: "" };
    let schema = table.schema()?;
    table.create(root, engines, engine)?;
    let first = NaiveDate::from_ymd_opt(2020, 4, 1).context("a day")?;
    let days: Vec<u32> = first
        .iter_days()
        .take(RIGHT_DAYS as usize)
        .map(|day| Ok(day.format("%Y%m%d").to_string().parse()?))
        .collect::<Result<_>>()?;
    let all = format!("day BETWEEN {} AND {}", days[0], days[days.len() - 1]);
    let mut rows = Vec::new();
    for (place, day) in days.iter().enumerate() {
        rows.extend((0..10).map(|id| (*day, id, cells(place as u32, id % 3))));
    }
    table.put(root, engines, &rows, |_| true)?;
    let load = saltplan::run(root, &["plan", &schema, &all, "--engine", engine.option()], "")?;
    engines.script(engine, &load)?;
    let check = Check { root, engines, engine, schema: &schema };
    let told = check.run(&all, &[])?;
    ensure!(told.is_empty(), "false alarms: {told:?}");
    ensure!(check.run(&all, &["--rows", "5"])?.is_empty(), "rows that are right differ");

    // A row that arrives, and one that is overwritten: these two days differ, and no other.
    let late = [(days[10], 77, cells(1, 1)), (days[150], 2, [const { None }; COLUMNS.len()])];
    table.put(root, engines, &late[..1], |_| true)?;
    let mut changed = late[1].clone();
    changed.2[0] = Some("later".into());
    table.put(root, engines, &[changed], |_| true)?;
    let told = check.run(&all, &[])?;
    let words: Vec<_> = told.iter().map(|row| (row[0].as_str(), row[1].split(':').next())).collect();
    let [fewer, values] = [days[10], days[150]].map(|day| day.to_string());
    ensure!(words == [(fewer.as_str(), Some("fewer")), (values.as_str(), Some("values"))], "{told:?}");

    // The days that the result names are loaded again, and no others.
    let folder = saltplan::folder()?.join("reload");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join(".git"))?;
    fs::copy(&schema, folder.join("schema.yaml"))?;
    let jobs = format!(
        "version: 1\njobs:\n  - {{ name: '{{day}}', schema: schema.yaml, predicate: 'day = :day', engine: {}, out: '{{job}}.sql', for_each: {{ day: {}..{} }} }}\n",
        engine.option(),
        days[0],
        days[days.len() - 1]
    );
    let file = folder.join("jobs.yaml");
    fs::write(&file, jobs)?;
    let result = folder.join("days.tsv");
    fs::write(&result, told.iter().map(|row| row.join("\t") + "\n").collect::<String>())?;
    let [file, result] = [&file, &result].map(|path| path.to_string_lossy().into_owned());
    saltplan::run(root, &["build", &file, "--missing", &result], "")?;
    let mut written: Vec<_> = fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    written.retain(|path| path.extension().is_some_and(|end| end == "sql"));
    ensure!(written.len() == 2, "{written:?}");
    for statement in written {
        engines.begin(engine)?;
        engines.script(engine, &fs::read_to_string(statement)?)?;
    }
    let told = check.run(&all, &[])?;
    ensure!(told.is_empty(), "{told:?}");
    Ok(())
}

//! Functions of instants and local times in residuals: every Hive finds the rows according to local time in
//! the schema's zone, whatever zone Hive runs in (`TZ=Asia/Kolkata tests/engines/run clock::`).

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use chrono::{DateTime, Datelike, NaiveDateTime, Timelike, Weekday};
use chrono_tz::America::New_York;
use libtest_mimic::Trial;

use crate::engine::{Engine, Engines, trials_on};
use crate::rows::hex;
use crate::saltplan;

const TABLE: &str = "saltplan_clock";
const SCHEMA: &str = "
saltplan: 1
hbase: { table: 'saltplan_clock', families: { f: {} } }
key:
  fields:
    - { name: kind, type: string, values: [a, b] }
    - { name: ts, type: timestamp, epoch: ms, encoding: decimal, width: 13 }
    - { name: at, type: timestamp, format: yyyyMMddHHmm }
columns:
  - { name: status, type: string, hbase: 'f:status' }
time_zone: America/New_York
hive: { mapping: { table: saltplan_clock, key_column: rowkey, external: true } }
";

/// A row: its instant in milliseconds, and its local time.
struct Row {
    instant: i64,
    clock: NaiveDateTime,
}

type Holds = fn(&Row) -> bool;

/// Conditions and their meaning.
const CASES: [(&str, Holds); 24] = [
    ("hour(ts) = 3", |row| row.clock.hour() == 3),
    ("2 * hour(ts) + 1 = 5", |row| row.clock.hour() == 2),
    ("hour(ts) BETWEEN 1 AND 2 AND minute(ts) >= 30", |row| {
        (1..=2).contains(&row.clock.hour()) && row.clock.minute() >= 30
    }),
    ("second(ts) = 59", |row| row.clock.second() == 59),
    ("month(ts) = 11", |row| row.clock.month() == 11),
    ("day(ts) = 1 OR dayofmonth(ts) = 31", |row| [1, 31].contains(&row.clock.day())),
    ("quarter(ts) = 4", |row| row.clock.month() >= 10),
    ("dayofweek(ts) = 1", |row| row.clock.weekday() == Weekday::Sun),
    ("year(ts) <> 2020 AND hour(ts) < 12", |row| row.clock.year() != 2020 && row.clock.hour() < 12),
    ("date_format(ts, 'HH') = '03'", |row| row.clock.hour() == 3),
    ("date_format(ts, 'E H:mm') LIKE 'Sun 1:%'", |row| {
        row.clock.weekday() == Weekday::Sun && row.clock.hour() == 1
    }),
    ("date_format(ts, 'hh a') = '12 AM'", |row| row.clock.hour() == 0),
    ("date_format(ts, 'yyyyMMdd HHmmss.SSS') >= '20200308 030000.000'", |row| {
        row.clock.format("%Y%m%d %H%M%S").to_string().as_str() >= "20200308 030000"
    }),
    ("date_format(ts, \"yyyy-MM-dd'T'HH\") = '2020-11-01T01'", |row| {
        row.clock.format("%Y-%m-%dT%H").to_string() == "2020-11-01T01"
    }),
    ("from_unixtime(ts DIV 1000, 'HH') = '03'", |row| row.clock.hour() == 3),
    ("from_unixtime(cast(ts / 1000 AS bigint), 'MMddHH') = '030803'", |row| {
        row.clock.format("%m%d%H").to_string() == "030803"
    }),
    ("from_unixtime(floor(ts / 1000)) LIKE '%:59'", |row| row.clock.second() == 59),
    ("ts DIV 1000 % 3600 = 1799", |row| row.instant / 1_000 % 3_600 == 1_799),
    ("to_date(ts) IN ('2020-03-08', '2020-11-01') AND hour(ts) IN (1, 2, 3)", |row| {
        ["2020-03-08", "2020-11-01"].contains(&row.clock.date().to_string().as_str())
            && (1..=3).contains(&row.clock.hour())
    }),
    ("datediff(ts, '2020-03-08') = 0", |row| row.clock.date().to_string() == "2020-03-08"),
    ("concat(to_date(ts), '!') = '2020-11-01!'", |row| row.clock.date().to_string() == "2020-11-01"),
    ("hour(at) = 2", |row| row.clock.hour() == 2),
    ("date_format(at, 'HH:mm') = '02:30'", |row| (row.clock.hour(), row.clock.minute()) == (2, 30)),
    ("quarter(at) = 1 AND minute(at) = 30", |row| row.clock.month() <= 3 && row.clock.minute() == 30),
];

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    trials_on(Engine::ALL, root, engines, |engine| format!("clock::{engine}"), check)
}

fn check(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let path = saltplan::folder()?.join("clock.yaml");
    fs::write(&path, SCHEMA)?;
    let path = path.to_string_lossy();
    let rows = rows()?;
    engines.client("drop", TABLE)?;
    engines.shell(&saltplan::run(root, &["ddl", &path, "--only", "hbase"], "")?)?;
    let mut puts = TABLE.to_owned();
    for (index, row) in rows.iter().enumerate() {
        let key = format!("a{:013}{}", row.instant, row.clock.format("%Y%m%d%H%M"));
        write!(puts, "\n{}\tf:status={}", hex(key.as_bytes()), hex(index.to_string().as_bytes()))?;
    }
    engines.client("put", &puts)?;

    let mapping = saltplan::run(root, &["ddl", &path, "--only", "mapping"], "")?;
    let mut selects = Vec::new();
    for (number, (condition, _)) in CASES.iter().enumerate() {
        // Combined with a condition on the table's two columns, so that a lost range is noticed.
        let predicate = format!("kind = 'a' AND ({condition})");
        let arguments = ["plan", &path, &predicate, "--select", "--no-header", "--quiet"];
        let printed = saltplan::run(root, &arguments, "")?;
        let (_, query) = printed.split_once("SELECT").with_context(|| printed.clone())?;
        let query = query.trim_end().trim_end_matches(';');
        selects.push(format!("SELECT '{number}' AS n, `status` FROM (SELECT{query}) `q{number}`"));
    }
    engines.begin(engine)?;
    engines.script(
        engine,
        &format!("DROP TABLE IF EXISTS {TABLE};\n{mapping}SET hive.vectorized.execution.enabled=false;\n"),
    )?;
    let mut found = engines.query(engine, &selects.join("\nUNION ALL\n"))?;
    found.sort();
    for (number, (condition, holds)) in CASES.iter().enumerate() {
        let of_case = |line: &&String| line.split('\t').next() == Some(&number.to_string());
        let found: Vec<&String> = found.iter().filter(of_case).collect();
        let mut expected: Vec<String> = rows
            .iter()
            .enumerate()
            .filter(|(_, row)| holds(row))
            .map(|(index, _)| format!("{number}\t{index}"))
            .collect();
        expected.sort();
        ensure!(!expected.is_empty(), "no row for `{condition}`: it proves nothing");
        let is_same = found.iter().map(|line| line.as_str()).eq(expected.iter().map(String::as_str));
        ensure!(is_same, "`{condition}`: {} rows, expected {}: {found:?}", found.len(), expected.len());
    }
    Ok(())
}

/// Every half hour around the days of 23 and 25 hours, with the last second of each, and a day in every month
/// of four years.
fn rows() -> Result<Vec<Row>> {
    let mut instants: Vec<i64> = Vec::new();
    for start in [1_583_625_600, 1_604_188_800] {
        instants.extend((start..start + 100_000).step_by(1_800).flat_map(|second| [second, second + 1_799]));
    }
    instants.extend((1_546_300_800..1_672_531_200).step_by(2_345_671));
    let rows = instants.into_iter().map(|second| {
        let at = DateTime::from_timestamp(second, 0).context("an instant")?;
        Ok(Row { instant: second * 1_000 + 7, clock: at.with_timezone(&New_York).naive_local() })
    });
    rows.collect()
}

//! Partitions that are not key fields: days, hours and months of an instant and of a local time, constants
//! and columns, in any order. On days of 23, 24 and 25 hours every row is in the partition of its local time,
//! static or dynamic, and other partitions keep their rows.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::engine::{Engine, Engines, trials_on};
use crate::rows::hex;
use crate::saltplan;

const TABLE: &str = "saltplan_partition_parts";

/// Seconds since 1970, local time in New York, and a city; there is no cell if it is absent.
const ROWS: [(i64, &str, Option<&str>); 14] = [
    (1_583_643_599, "2020-03-07 23:59:59", Some("bern")),
    (1_583_643_600, "2020-03-08 00:00:00", Some("bern")),
    (1_583_650_799, "2020-03-08 01:59:59", None),
    (1_583_650_800, "2020-03-08 03:00:00", Some("")),
    (1_583_726_399, "2020-03-08 23:59:59", Some("東京/x=1")),
    (1_583_726_400, "2020-03-09 00:00:00", Some("O'Hare \\")),
    (1_604_160_000, "2020-10-31 12:00:00", Some("bern")),
    (1_604_203_200, "2020-11-01 00:00:00", Some("bern")),
    (1_604_208_600, "2020-11-01 01:30:00", Some("rom")),
    (1_604_212_200, "2020-11-01 01:30:00", None),
    (1_604_293_199, "2020-11-01 23:59:59", Some("bern")),
    (1_604_293_200, "2020-11-02 00:00:00", Some("bern")),
    (1_604_379_599, "2020-11-02 23:59:59", Some("")),
    (1_604_379_600, "2020-11-03 00:00:00", Some("bern")),
];

/// A text that is escaped in a literal and in a path.
const SOURCE: &str = "w'x 漢/a=b%";

/// A target, and what is written into it, one after the other.
struct Target {
    /// As written in the schema file.
    partition: String,
    columns: &'static [&'static str],
    /// The value that a row has in them.
    values: fn(usize) -> Vec<String>,
    inserts: &'static [Insert],
}

struct Insert {
    predicate: &'static str,
    /// The rows, by their place in [`ROWS`].
    rows: &'static [usize],
    is_fixed: bool,
}

fn part(row: usize, from: usize, to: usize) -> String {
    ROWS[row].1[from..to].to_string()
}

fn digits(row: usize) -> String {
    part(row, 0, 10).replace('-', "")
}

fn targets() -> [Target; 4] {
    [
        Target {
            partition: format!(
                "[{{ name: src, value: {} }}, {{ name: dt, of: ts, format: yyyyMMdd }}]",
                json!(SOURCE)
            ),
            columns: &["src", "dt"],
            values: |row| vec![SOURCE.into(), digits(row)],
            inserts: &[
                Insert {
                    predicate: "ts >= '2020-10-31' AND ts < '2020-11-03'",
                    rows: &[6, 7, 8, 9, 10, 11, 12],
                    is_fixed: false,
                },
                // A day of 25 hours, on which one hour occurs twice, and a day of 23 hours.
                Insert { predicate: "to_date(ts) = '2020-11-01'", rows: &[7, 8, 9, 10], is_fixed: true },
                Insert {
                    predicate: "ts >= 1583643600 AND ts < 1583726400",
                    rows: &[1, 2, 3, 4],
                    is_fixed: true,
                },
                Insert {
                    predicate: "to_date(ts) = '2020-11-02' AND city = 'bern'",
                    rows: &[11],
                    is_fixed: true,
                },
            ],
        },
        Target {
            partition: "[{ name: city, of: city }, { name: order, of: ts, format: yyyy-MM-dd, type: date }, { name: \
                        src, value: 7, type: int }, { name: hh, of: ts, format: HH }]"
                .into(),
            columns: &["city", "order", "src", "hh"],
            values: |row| {
                let city = ROWS[row].2.filter(|city| !city.is_empty()).unwrap_or("__HIVE_DEFAULT_PARTITION__");
                // The helper escapes its output.
                vec![city.replace('\\', "\\\\"), part(row, 0, 10), "7".into(), part(row, 11, 13)]
            },
            inserts: &[
                Insert {
                    predicate: "to_date(ts) BETWEEN '2020-03-07' AND '2020-03-09'",
                    rows: &[0, 1, 2, 3, 4, 5],
                    is_fixed: false,
                },
                Insert {
                    predicate: "date_format(ts, 'yyyyMMddHH') = '2020110101' AND city = 'rom'",
                    rows: &[8],
                    is_fixed: false,
                },
            ],
        },
        Target {
            partition: "[{ name: y, of: at, format: yyyy }, { name: m, of: at, format: MM }, { name: d, of: at, format: \
                        dd, type: tinyint }]"
                .into(),
            columns: &["y", "m", "d"],
            values: |row| {
                let day = part(row, 8, 10);
                vec![part(row, 0, 4), part(row, 5, 7), day.trim_start_matches('0').into()]
            },
            inserts: &[
                Insert {
                    predicate: "at >= '2020-10-31' AND at < '2020-11-02'",
                    rows: &[6, 7, 8, 9, 10],
                    is_fixed: false,
                },
                Insert { predicate: "to_date(at) = '2020-11-02'", rows: &[11, 12], is_fixed: true },
                Insert { predicate: "y = 2020 AND m = '11' AND d = 2", rows: &[11, 12], is_fixed: true },
            ],
        },
        Target {
            partition: "[{ name: dt, of: ts, format: yyyyMMdd }, { name: hr, of: ts, format: HH }]".into(),
            columns: &["dt", "hr"],
            values: |row| vec![digits(row), part(row, 11, 13)],
            inserts: &[
                // The hour that occurs twice, and the one after the hour that is skipped.
                Insert { predicate: "dt = 20201101 AND hr = '01'", rows: &[8, 9], is_fixed: true },
                Insert { predicate: "dt = 20200308 AND hr = '03'", rows: &[3], is_fixed: true },
                Insert {
                    predicate: "dt = 20201101 AND hr IN ('00', '01', '23')",
                    rows: &[7, 8, 9, 10],
                    is_fixed: false,
                },
                Insert { predicate: "concat(dt, hr) = '2020110200'", rows: &[11], is_fixed: true },
                Insert {
                    predicate: "ts >= '2020-11-02T05:00:00Z' AND ts < '2020-11-02T01:00:00-05:00'",
                    rows: &[11],
                    is_fixed: true,
                },
            ],
        },
    ]
}

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    trials_on(Engine::ALL, root, engines, |engine| format!("{engine}::partition_parts"), check)
}

fn check(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let targets = targets();
    let schemas =
        targets.iter().enumerate().map(|(at, target)| schema(at, target)).collect::<Result<Vec<_>>>()?;
    fill(root, engines, &schemas[0])?;
    engines.begin(engine)?;
    let mapping = saltplan::run(root, &["ddl", &schemas[0], "--only", "mapping"], "")?;
    engines.script(engine, &format!("DROP TABLE IF EXISTS {TABLE}_map;\n{mapping}"))?;
    for (schema, target) in schemas.iter().zip(&targets) {
        let table = saltplan::run(root, &["ddl", schema, "--only", "target"], "")?;
        engines.script(engine, &format!("DROP TABLE IF EXISTS {TABLE}_target;\n{table}"))?;
        // The rows by their partitions.
        let mut written: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for insert in target.inserts {
            run(root, engines, engine, schema, insert)
                .with_context(|| format!("{} of {}", insert.predicate, target.partition))?;
            let of = |row: &usize| (target.values)(*row);
            insert.rows.iter().for_each(|row| drop(written.remove(&of(row))));
            insert.rows.iter().for_each(|row| written.entry(of(row)).or_default().push(*row));
            compare(engines, engine, target, &written)
                .with_context(|| format!("{} of {}", insert.predicate, target.partition))?;
        }
    }
    Ok(())
}

fn run(root: &Path, engines: &Engines, engine: Engine, schema: &str, insert: &Insert) -> Result<()> {
    // In the key the local time follows the instant.
    let arguments = [
        "plan",
        schema,
        insert.predicate,
        "--allow-partial",
        "--engine",
        engine.option(),
        "--allow-full-scan",
    ];
    let statement = saltplan::run(root, &arguments, "")?;
    ensure!(statement.contains("hive.exec.dynamic.partition") != insert.is_fixed, "{statement}");
    engines.script(engine, &statement).with_context(|| statement.clone())?;
    // The rows are in partitions that `plan` lists, unless columns determine them.
    let json = saltplan::run(root, &[&arguments[..], &["--output-format", "json"]].concat(), "")?;
    let json: Value = serde_json::from_str(&json)?;
    let named = json["partitions"].as_array().context("no partitions are named")?;
    ensure!(named.len() == 1 || !insert.is_fixed, "{named:?}");
    let partitions = engines.query(engine, &format!("SHOW PARTITIONS {TABLE}_target"))?;
    let missing = named.iter().filter(|name| !partitions.iter().any(|found| name.as_str() == Some(found)));
    // In these trials each listed partition has rows.
    ensure!(missing.count() == 0, "{partitions:?} lack some of {named:?}");
    Ok(())
}

fn compare(
    engines: &Engines,
    engine: Engine,
    target: &Target,
    written: &BTreeMap<Vec<String>, Vec<usize>>,
) -> Result<()> {
    let columns: Vec<String> =
        target.columns.iter().map(|name| format!("cast(`{name}` as string)")).collect();
    let query = format!("SELECT `v`, {} FROM {TABLE}_target", columns.join(", "));
    let mut found = engines.query(engine, &query)?;
    let mut expected: Vec<String> = written
        .iter()
        .flat_map(|(values, rows)| rows.iter().map(move |row| format!("row {row}\t{}", values.join("\t"))))
        .collect();
    found.sort_unstable();
    expected.sort_unstable();
    ensure!(found == expected, "{found:#?}, expected {expected:#?}");
    Ok(())
}

fn schema(at: usize, target: &Target) -> Result<String> {
    let text = format!(
        "saltplan: 1
hbase: {{ table: '{TABLE}', families: {{ f: {{}} }} }}
key:
  salt: {{ java_hash: {{ of: [id], abs: after, modulo: 3, write: decimal }} }}
  separator: '|'
  fields:
    - {{ name: ts, type: timestamp, epoch: s, encoding: decimal, width: 10 }}
    - {{ name: at, type: timestamp, format: yyyyMMddHHmmss }}
    - {{ name: id, type: string, chars: alnum }}
columns:
  - {{ name: v, type: string, hbase: 'f:v' }}
  - {{ name: city, type: string, hbase: 'f:c' }}
time_zone: America/New_York
hive:
  mapping: {{ table: {TABLE}_map, key_column: rowkey }}
  target:
    table: {TABLE}_target
    columns: [v]
    partition: {}
",
        target.partition
    );
    let path = saltplan::folder()?.join(format!("{TABLE}_{at}.yaml"));
    fs::write(&path, text)?;
    Ok(path.to_string_lossy().into_owned())
}

fn fill(root: &Path, engines: &Engines, schema: &str) -> Result<()> {
    let rows: String = ROWS
        .iter()
        .enumerate()
        .map(|(row, (ts, at, _))| {
            let at: String = at.chars().filter(char::is_ascii_digit).collect();
            format!("{}\n", json!({ "ts": ts, "at": at, "id": format!("r{row}") }))
        })
        .collect();
    let keys = saltplan::run(root, &["key", "encode", schema, "--keys", "hex"], &rows)?;
    engines.client("drop", TABLE)?;
    engines.shell(&format!("create '{TABLE}', 'f', SPLITS => ['1', '2']\n"))?;
    let puts = keys.lines().zip(ROWS).enumerate().map(|(row, (key, (_, _, city)))| {
        let v = hex(format!("row {row}").as_bytes());
        let city = city.map(|city| format!("\tf:c={}", hex(city.as_bytes()))).unwrap_or_default();
        format!("\n{key}\tf:v={v}{city}")
    });
    engines.client("put", &format!("{TABLE}{}", puts.collect::<String>()))?;
    Ok(())
}

//! Forms of conditions on values that are filled in when the statement runs: for every valid value exactly its rows are
//! returned, and HBase reads little else; for an invalid one nothing is read.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};

use crate::engine::{Engine, Engines};
use crate::rows::hex;
use crate::saltplan;

const TABLE: &str = "saltplan_forms";

/// A table, and the conditions that are tested with it.
struct Form {
    name: &'static str,
    /// The part of the schema between `key:` and `columns:`, and lines before it.
    key: String,
    one_scan: bool,
    splits: &'static str,
    rows: fn() -> Vec<Value>,
    asked: &'static [Asked],
}

/// Parameters of Hive and their values.
type Values = &'static [(&'static str, &'static str)];

struct Asked {
    predicate: &'static str,
    runtime: &'static [&'static str],
    /// Values of the parameters, and the numbers of the rows that are returned.
    runs: &'static [(Values, &'static [usize])],
    /// Values that are not valid.
    stops: &'static [&'static str],
}

/// The first instant of three days in Berlin, and the first one after each: 29 March 2020 has 23 hours, 25 October 25.
const DAYS: [(i64, i64); 3] = [
    (1_585_436_400_000, 1_585_519_200_000),
    (1_593_554_400_000, 1_593_640_800_000),
    (1_603_576_800_000, 1_603_666_800_000),
];

fn instants() -> Vec<Value> {
    let around = DAYS.into_iter().flat_map(|(start, stop)| [start - 1, start, stop - 1, stop]);
    around.map(|et| json!({ "dev": "AAA", "et": et })).collect()
}

const INSTANTS: [Asked; 4] = [
    Asked {
        predicate: "dev = 'AAA' AND et >= :d AND et < date_add(:d, 1)",
        runtime: &["d:iso=hivevar:d"],
        runs: &[
            (&[("d", "2020-03-29")], &[1, 2]),
            (&[("d", "2020-03-28")], &[0]),
            (&[("d", "2020-03-30")], &[3]),
            (&[("d", "2020-07-01")], &[5, 6]),
            (&[("d", "2020-10-25")], &[9, 10]),
            (&[("d", "2020-10-26")], &[11]),
            (&[("d", "2021-02-03")], &[]),
        ],
        stops: &["2020-02-30", "20200329", "yesterday", "", "1969-12-31", "2031-02-01"],
    },
    Asked {
        predicate: "dev = 'AAA' AND to_date(et) = :d",
        runtime: &["d:yyyyMMdd=hivevar:d"],
        runs: &[(&[("d", "20200329")], &[1, 2]), (&[("d", "20201025")], &[9, 10])],
        stops: &["2020-03-29", "20200230"],
    },
    Asked {
        predicate: "dev = 'AAA' AND date_format(et, 'yyyyMMdd') IN (:a, :b)",
        runtime: &["a=hivevar:d", "b=hivevar:b"],
        runs: &[(&[("d", "20200329"), ("b", "20200701")], &[1, 2, 5, 6])],
        stops: &[],
    },
    Asked {
        predicate: "dev = 'AAA' AND et >= concat(:d, ' 00:00:00') AND et < concat(:d, ' 12:00:00')",
        runtime: &["d:iso=hivevar:d"],
        runs: &[(&[("d", "2020-03-29")], &[1]), (&[("d", "2020-10-25")], &[9])],
        stops: &["2020-03-32"],
    },
];

/// Around hours of Berlin: 2020-03-29 skips the third, 2020-10-25 has it twice.
fn hours() -> Vec<Value> {
    let rows: [i64; 11] = [
        1_585_443_599_999, // 2020-03-29 01:59:59.999
        1_585_443_600_000, // 03:00
        1_585_447_199_999, // 03:59:59.999
        1_585_447_200_000, // 04:00
        1_603_583_999_999, // 2020-10-25 01:59:59.999
        1_603_584_000_000, // 02:00
        1_603_587_599_999, // 02:59:59.999
        1_603_587_600_000, // 02:00 again
        1_603_591_199_999, // 02:59:59.999 again
        1_603_591_200_000, // 03:00
        1_593_554_399_999, // 2020-06-30 23:59:59.999
    ];
    rows.map(|et| json!({ "dev": "AAA", "et": et })).to_vec()
}

const HOURS: [Asked; 3] = [
    Asked {
        predicate: "dev = 'AAA' AND date_format(et, 'yyyyMMdd') = :d AND date_format(et, 'HH') = :h",
        runtime: &["d=hivevar:d", "h=hivevar:h"],
        runs: &[
            (&[("d", "20200329"), ("h", "01")], &[0]),
            (&[("d", "20200329"), ("h", "03")], &[1, 2]),
            (&[("d", "20200329"), ("h", "04")], &[3]),
            (&[("d", "20201025"), ("h", "01")], &[4]),
            (&[("d", "20201025"), ("h", "02")], &[5, 6, 7, 8]),
            (&[("d", "20201025"), ("h", "03")], &[9]),
            (&[("d", "20200630"), ("h", "23")], &[10]),
        ],
        stops: &["2020-03-29", "20200230", "", "2020032901", "20310201"],
    },
    Asked {
        predicate: "dev = 'AAA' AND date_format(et, 'yyyyMMddHH') = :h",
        runtime: &["h=hivevar:h"],
        runs: &[
            (&[("h", "2020032903")], &[1, 2]),
            (&[("h", "2020102502")], &[5, 6, 7, 8]),
            (&[("h", "2020063023")], &[10]),
        ],
        stops: &["2020032902", "2020032924", "2020023001", "20200329", "2020-03-29 03", "202003290300", ""],
    },
    Asked {
        predicate: "dev = 'AAA' AND et >= :from AND et < :until",
        runtime: &["from:instant=hivevar:d", "until:instant=hivevar:h"],
        runs: &[
            (&[("d", "2020-10-25T00:00:00+00:00"), ("h", "2020-10-25T01:00:00+00:00")], &[5, 6]),
            (&[("d", "2020-10-25T01:00:00Z"), ("h", "2020-10-25T02:00:00.000000+00:00")], &[7, 8]),
            (&[("d", "2020-03-29 01:00:00+00:00"), ("h", "2020-03-29T02:00:00+00:00")], &[1, 2]),
        ],
        stops: &["2020-10-25T00:00:00+01:00", "2020-10-25T00:00:00", "2020-10-32T00:00:00Z", "20201025", ""],
    },
];

fn users() -> Vec<Value> {
    ["u1", "u2", "zz", "Ü-漢"].iter().flat_map(|u| ["a", "b"].map(|id| json!({ "u": u, "id": id }))).collect()
}

const USERS: [Asked; 2] = [
    Asked {
        predicate: "u = :u",
        runtime: &["u=hivevar:u"],
        runs: &[
            (&[("u", "u1")], &[0, 1]),
            (&[("u", "zz")], &[4, 5]),
            (&[("u", "Ü-漢")], &[6, 7]),
            (&[("u", "nobody")], &[]),
        ],
        stops: &["", "u_1"],
    },
    Asked {
        predicate: "u IN (:u, :w) AND id = 'b'",
        runtime: &["u=hivevar:u", "w=hivevar:w"],
        runs: &[(&[("u", "u2"), ("w", "zz")], &[3, 5])],
        stops: &[],
    },
];

fn ascii_users() -> Vec<Value> {
    users().into_iter().take(6).collect()
}

const ASCII_USERS: [Asked; 1] = [Asked {
    predicate: "u = :u AND id = 'a'",
    runtime: &["u=hivevar:u"],
    runs: &[(&[("u", "u1")], &[0]), (&[("u", "zz")], &[4])],
    stops: &[""],
}];

const FIXED_USERS: [Asked; 1] = [Asked {
    predicate: "u = :u",
    runtime: &["u=hivevar:u"],
    runs: &[(&[("u", "u1")], &[0, 1]), (&[("u", "zz")], &[4, 5]), (&[("u", "~~")], &[])],
    stops: &["u", "u11"],
}];

fn numbers() -> Vec<Value> {
    [1, 7, 23, 99_998].iter().flat_map(|n| ["a", "b"].map(|id| json!({ "n": n, "id": id }))).collect()
}

const NUMBERS: [Asked; 1] = [Asked {
    predicate: "n = :n",
    runtime: &["n=hivevar:u"],
    runs: &[(&[("u", "7")], &[2, 3]), (&[("u", "99998")], &[6, 7]), (&[("u", "8")], &[])],
    stops: &["7.0", "07", "x", "100000", "-1", ""],
}];

const RANGES: [Asked; 2] = [
    Asked {
        predicate: "n BETWEEN :a AND :b",
        runtime: &["a=hivevar:u", "b=hivevar:b"],
        runs: &[(&[("u", "7"), ("b", "23")], &[2, 3, 4, 5]), (&[("u", "23"), ("b", "99998")], &[4, 5, 6, 7])],
        stops: &[],
    },
    Asked {
        predicate: "n < :n",
        runtime: &["n=hivevar:u"],
        runs: &[(&[("u", "7")], &[0, 1])],
        stops: &["seven"],
    },
];

fn days() -> Vec<Value> {
    ["20200229", "20200331", "20200401", "20200430", "20200501", "20210401"]
        .map(|day| json!({ "day": day, "id": "a" }))
        .to_vec()
}

const MONTHS: [Asked; 3] = [
    Asked {
        predicate: "substr(day, 1, 6) = substr(:d, 1, 6)",
        runtime: &["d=hivevar:d"],
        runs: &[(&[("d", "20200415")], &[2, 3]), (&[("d", "20200201")], &[0]), (&[("d", "20201231")], &[])],
        stops: &["202004", "20200431", "2020-04-15", ""],
    },
    Asked {
        predicate: "date_format(day, 'yyyyMM') = date_format(date_sub(:d, 1), 'yyyyMM')",
        runtime: &["d:iso=hivevar:d"],
        runs: &[(&[("d", "2020-04-01")], &[1]), (&[("d", "2020-05-01")], &[2, 3])],
        stops: &["20200401"],
    },
    Asked {
        predicate: "substr(day, 1, 4) = :y",
        runtime: &["y=hivevar:d"],
        runs: &[(&[("d", "2020")], &[0, 1, 2, 3, 4]), (&[("d", "2021")], &[5])],
        stops: &["20", "20200401", "twenty"],
    },
];

fn times() -> Vec<Value> {
    ["20200406095959", "20200406100000", "20200406235959", "20200407000000", "20200407100000"]
        .map(|ts| json!({ "ts": ts, "id": "a" }))
        .to_vec()
}

const TIMES: [Asked; 6] = [
    Asked {
        predicate: "ts >= concat(:d, '100000') AND ts < concat(:e, '100000')",
        runtime: &["d=hivevar:d", "e=hivevar:e"],
        runs: &[(&[("d", "20200406"), ("e", "20200407")], &[1, 2, 3])],
        stops: &[],
    },
    Asked {
        predicate: "ts >= concat(:d, '100000') AND ts <= concat(:d, '235959')",
        runtime: &["d=hivevar:d"],
        runs: &[(&[("d", "20200406")], &[1, 2]), (&[("d", "20200407")], &[4])],
        stops: &["20200431", "2020-04-06", ""],
    },
    Asked {
        predicate: "ts >= :d AND ts < date_add(:d, 1)",
        runtime: &["d:iso=hivevar:d"],
        runs: &[(&[("d", "2020-04-06")], &[0, 1, 2])],
        stops: &["20200406"],
    },
    Asked {
        predicate: "substr(ts, 1, 8) = :d",
        runtime: &["d=hivevar:d"],
        runs: &[(&[("d", "20200407")], &[3, 4])],
        stops: &["202004"],
    },
    Asked {
        predicate: "date_format(ts, 'yyyy-MM-dd') = :d AND hour(ts) = :h",
        runtime: &["d=hivevar:d", "h=hivevar:h"],
        runs: &[(&[("d", "2020-04-06"), ("h", "09")], &[0]), (&[("d", "2020-04-07"), ("h", "10")], &[4])],
        stops: &["20200406", "2020-02-30"],
    },
    Asked {
        predicate: "date_format(ts, 'yyyyMMddHH') = :h",
        runtime: &["h=hivevar:h"],
        runs: &[(&[("h", "2020040609")], &[0]), (&[("h", "2020040623")], &[2])],
        stops: &["2020040624", "20200406", "2020023009"],
    },
];

fn whole_hours() -> Vec<Value> {
    ["2020040609", "2020040610", "2020040700"].map(|ts| json!({ "ts": ts, "id": "a" })).to_vec()
}

const WHOLE_HOURS: [Asked; 2] = [
    Asked {
        predicate: "ts = :h",
        runtime: &["h:yyyyMMddHH=hivevar:h"],
        runs: &[(&[("h", "2020040609")], &[0]), (&[("h", "2020040700")], &[2])],
        stops: &["2020040624", "20200406", "2020023009", ""],
    },
    Asked {
        predicate: "to_date(ts) = :d AND hour(ts) = :h",
        runtime: &["d:iso=hivevar:d", "h=hivevar:h"],
        runs: &[(&[("d", "2020-04-06"), ("h", "10")], &[1])],
        stops: &["20200406"],
    },
];

fn form(
    name: &'static str,
    key: &str,
    splits: &'static str,
    rows: fn() -> Vec<Value>,
    asked: &'static [Asked],
) -> Form {
    Form { name, key: key.to_string(), one_scan: false, splits, rows, asked }
}

/// Text fields that are inputs of the salt.
fn of_texts() -> Vec<Form> {
    vec![
        form(
            "users",
            "key:
  salt: { md5: { of: [u], first_hex_digits: 8, write: hex } }
  separator: '_'
  fields:
    - { name: u, type: string, chars: '[0-9A-Za-zÜ漢-]' }
    - { name: id, type: string, chars: alnum }
",
            "'4', '8', 'c'",
            users,
            &USERS,
        ),
        form(
            "decimal_users",
            "key:
  salt: { md5: { of: [u, id], joined_by: '-', first_hex_digits: 2, write: decimal } }
  separator: '_'
  fields:
    - { name: u, type: string, chars: alnum }
    - { name: id, type: string, chars: alnum }
",
            "'064', '128'",
            ascii_users,
            &ASCII_USERS,
        ),
        form(
            "hashed_users",
            "key:
  salt: { java_hash: { of: [u, id], abs: after, modulo: 700, write: decimal } }
  separator: '_'
  fields:
    - { name: u, type: string, chars: alnum }
    - { name: id, type: string, chars: alnum }
",
            "'1', '2'",
            ascii_users,
            &ASCII_USERS,
        ),
        form(
            "fixed_users",
            "key:
  salt: { md5: { of: [u], first_hex_digits: 4, write: hex } }
  fields:
    - { name: u, type: string, width: 2, chars: ascii }
    - { name: id, type: string, chars: alnum }
",
            "'4', '8', 'c'",
            ascii_users,
            &FIXED_USERS,
        ),
    ]
}

fn of_numbers_and_days() -> Vec<Form> {
    vec![
        form(
            "numbers",
            "key:
  salt: { modulo: { of: n, by: 500, write: decimal, then: '_' } }
  fields:
    - { name: n, type: int, encoding: decimal, width: 5 }
    - { name: id, type: string, chars: alnum }
",
            "'1', '2'",
            numbers,
            &NUMBERS,
        ),
        form(
            "rising_numbers",
            "key:
  fields:
    - { name: n, type: int, encoding: decimal, width: 5 }
    - { name: id, type: string, chars: alnum }
",
            "'1', '2'",
            numbers,
            &RANGES,
        ),
        form(
            "falling_numbers",
            "key:
  fields:
    - { name: n, type: int, encoding: decimal, width: 10, descending: true }
    - { name: id, type: string, chars: alnum }
",
            "'1', '2'",
            numbers,
            &RANGES,
        ),
        form(
            "months",
            "key:
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: id, type: string, chars: alnum }
",
            "'2', '3'",
            days,
            &MONTHS,
        ),
        form(
            "times",
            "key:
  fields:
    - { name: ts, type: timestamp, format: yyyyMMddHHmmss }
    - { name: id, type: string, chars: alnum }
",
            "'2', '3'",
            times,
            &TIMES,
        ),
        form(
            "whole_hours",
            "key:
  separator: '|'
  fields:
    - { name: ts, type: timestamp, format: yyyyMMddHH }
    - { name: id, type: string, chars: alnum }
",
            "'2', '3'",
            whole_hours,
            &WHOLE_HOURS,
        ),
    ]
}

fn of_instants() -> Vec<Form> {
    let instant = "time_zone: Europe/Berlin
key:
  fields:
    - { name: dev, type: string, width: 3, chars: '[A-Z]' }
    - { name: et, type: timestamp, epoch: ms, WRITTEN, min: 2015-01-01, max: 2030-12-31 }
";
    let mut forms = Vec::new();
    for (name, encoding, one_scan) in [
        ("hours", "encoding: decimal, width: 13", false),
        ("falling_hours", "encoding: decimal, width: 19, descending: true", false),
        ("binary_hours", "encoding: be_sortable", true),
        ("falling_binary_hours", "encoding: be, descending: true", true),
    ] {
        let key = instant.replace("WRITTEN", encoding);
        forms.push(Form { name, key, one_scan, splits: "'B'", rows: hours, asked: &HOURS });
    }
    for (name, encoding, one_scan) in [
        ("instants", "encoding: decimal, width: 13", false),
        ("falling_instants", "encoding: decimal, width: 19, descending: true", false),
        ("binary_instants", "encoding: be_sortable", true),
        ("falling_binary_instants", "encoding: be, descending: true", true),
    ] {
        let key = instant.replace("WRITTEN", encoding);
        forms.push(Form { name, key, one_scan, splits: "'B'", rows: instants, asked: &INSTANTS });
    }
    forms
}

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let mut trials = Vec::new();
    let forms = of_texts().into_iter().chain(of_numbers_and_days()).chain(of_instants());
    for form in forms.map(Arc::new) {
        for engine in Engine::ALL {
            let (form, root, engines) = (Arc::clone(&form), root.to_owned(), engines.clone());
            trials.push(Trial::test(format!("{engine}::runtime_form::{}", form.name), move || {
                form.check(&root, &engines, engine).map_err(|error| Failed::from(format!("{error:#}")))
            }));
        }
    }
    trials
}

impl Form {
    fn schema(&self) -> Result<String> {
        let one_scan = if self.one_scan { ", one_scan: true" } else { "" };
        let yaml = format!(
            "saltplan: 1\nhbase: {{ table: {TABLE}, families: {{ f: {{}} }} }}\n{}columns: [{{ name: v, type: string, hbase: 'f:v' }}]\n\
             hive:\n  mapping: {{ table: {TABLE}_map, key_column: rowkey{one_scan} }}\n  target: {{ table: {TABLE}_target, columns: [v] }}\n",
            self.key
        );
        let schema = saltplan::folder()?.join(format!("{TABLE}_{}.yaml", self.name));
        fs::write(&schema, yaml)?;
        Ok(schema.to_string_lossy().into_owned())
    }

    fn check(&self, root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
        let schema = self.schema()?;
        let rows = (self.rows)();
        fill(root, engines, &schema, self.splits, &rows)?;
        engines.begin(engine)?;
        let tables = saltplan::run(root, &["ddl", &schema, "--only", "mapping"], "")?;
        engines.script(engine, &format!("DROP TABLE IF EXISTS {TABLE}_map;\n{tables}"))?;
        for asked in self.asked {
            let mut arguments =
                vec!["plan", &schema, asked.predicate, "--select", "--engine", engine.option()];
            asked.runtime.iter().for_each(|text| arguments.extend(["--runtime", text]));
            let statement = saltplan::run(root, &arguments, "")?;
            for (values, expected) in asked.runs {
                let before = reads(engines)?;
                let mut found = run(engines, engine, &statement, values)?;
                found.sort_unstable();
                let mut wanted: Vec<String> = expected.iter().map(|row| format!("row {row}")).collect();
                wanted.sort_unstable();
                ensure!(found == wanted, "{found:?}, expected {wanted:?} of {values:?}\n{statement}");
                let reads = reads(engines)? - before;
                // HBase counts a scan that finds no row as one read in each region, and a residual may drop half of the
                // rows.
                let most = (expected.len() * 2 + 2) as u64;
                ensure!(reads <= most, "{reads} rows are read, {most} may be, of {values:?}\n{statement}");
            }
            let first = asked.runs[0].0[0].0;
            for wrong in asked.stops {
                let error = run(engines, engine, &statement, &[(first, *wrong)]).err();
                let error =
                    format!("{:#}", error.with_context(|| format!("nothing stops `{wrong}`:\n{statement}"))?);
                ensure!(error.contains("ASSERT_TRUE"), "`{wrong}` stops otherwise: {error}");
            }
        }
        Ok(())
    }
}

/// The values of `v`, after the NULL of the check.
fn run(engines: &Engines, engine: Engine, statement: &str, values: &[(&str, &str)]) -> Result<Vec<String>> {
    let values: String =
        values.iter().map(|(name, value)| format!("set hivevar:{name}={value};\n")).collect();
    let printed = engines.script(engine, &format!("{values}{statement}"))?;
    Ok(printed.lines().filter(|line| line.starts_with("row ")).map(str::to_string).collect())
}

/// The rows that HBase looked at.
fn reads(engines: &Engines) -> Result<u64> {
    let mut sum = 0;
    for verb in ["reads", "filtered"] {
        sum += engines.client(verb, TABLE)?.parse::<u64>()?;
    }
    Ok(sum)
}

fn fill(root: &Path, engines: &Engines, schema: &str, splits: &str, rows: &[Value]) -> Result<()> {
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let keys = saltplan::run(root, &["key", "encode", schema, "--keys", "hex"], &lines)?;
    engines.client("drop", TABLE)?;
    engines.shell(&format!("create '{TABLE}', 'f', SPLITS => [{splits}]\n"))?;
    let puts = keys
        .lines()
        .enumerate()
        .map(|(index, key)| format!("\n{key}\tf:v={}", hex(format!("row {index}").as_bytes())));
    engines.client("put", &format!("{TABLE}{}", puts.collect::<String>()))?;
    Ok(())
}

//! The table of the trial: rows with difficult values, each in a native table, under a row key, and in the
//! form of the oracle.

use std::fs;

use anyhow::{Context, Result, ensure};
use chrono::{NaiveDate, NaiveDateTime};
use chrono_tz::Tz;
use saltplan_core::key::Value;
use saltplan_core::key::field::FieldVec;

use crate::engine::{Engine, Engines};
use crate::rows::{hex, native_table};
use crate::saltplan;
use saltplan_law::calendar;
use saltplan_law::sql::V;

pub const TABLE: &str = "saltplan_evaluator";
/// The non-key columns. The fields `i`, `n` and `s` of the key also have columns in the native table.
const COLUMNS: [(&str, &str); 10] = [
    ("c_s", "string"),
    ("c_v", "varchar(5)"),
    ("c_y", "tinyint"),
    ("c_i", "int"),
    ("c_b", "bigint"),
    ("c_d", "decimal(10,2)"),
    ("c_x", "double"),
    ("c_f", "boolean"),
    ("c_day", "date"),
    ("c_at", "timestamp"),
];
const DAY: &str = "yyyyMMdd";
const TIME: &str = "yyyyMMddHHmmss";

/// The schema in a time zone.
pub fn schema(zone: Tz) -> String {
    let columns: String = COLUMNS
        .iter()
        .map(|(name, of)| format!("  - {{ name: {name}, type: '{of}', hbase: 'f:{name}' }}\n"))
        .collect();
    format!(
        "saltplan: 1
hbase: {{ table: {TABLE}, families: {{ f: {{}} }} }}
time_zone: {zone}
key:
  fields:
    - {{ name: day, type: date, format: {DAY} }}
    - {{ name: at, type: timestamp, format: {TIME} }}
    - {{ name: ts, type: timestamp, epoch: ms, encoding: decimal, width: 13 }}
    - {{ name: i, type: int, encoding: decimal, width: 4 }}
    - {{ name: n, type: bigint, encoding: decimal, then: '|' }}
    - {{ name: s, type: string }}
columns:
{columns}hive:
  mapping: {{ table: {TABLE}, key_column: key }}
"
    )
}

pub const TEXTS: [Option<&str>; 37] = [
    Some(""),
    Some(" "),
    Some("a"),
    Some("A"),
    Some("ab"),
    Some("a%b"),
    Some("a_b"),
    Some("a\\b"),
    Some("\\"),
    Some("\\%"),
    Some("it's"),
    Some("\"q\""),
    Some("é"),
    Some("ß"),
    Some("😀x"),
    Some("a\nb"),
    Some("\tb"),
    Some("0"),
    Some("5"),
    Some("05"),
    Some(" 5"),
    Some("5 "),
    Some("5.0"),
    Some("-5"),
    Some("+5"),
    Some("5e0"),
    Some("5d"),
    Some("1.50"),
    Some("99999999999999999999"),
    Some("9223372036854775807"),
    Some("NaN"),
    Some("2020-04-06"),
    Some("2020-04-06 10:20:30"),
    Some("20200406"),
    Some("2020-4-6"),
    Some("2020-02-31"),
    Some("true"),
];
const SHORT: [Option<&str>; 7] =
    [Some("a"), None, Some(""), Some("ab  "), Some("5"), Some("é"), Some("2020")];
const BIG: [Option<i64>; 11] = [
    Some(0),
    Some(5),
    None,
    Some(-5),
    Some(i64::MAX),
    Some(i64::MIN),
    Some(20_200_406),
    Some(1),
    Some(1_583_650_800),
    Some(9_007_199_254_740_993),
    Some(-1),
];
const INTS: [Option<i64>; 9] = [
    Some(5),
    Some(0),
    None,
    Some(-1),
    Some(i32::MAX as i64),
    Some(i32::MIN as i64),
    Some(7),
    Some(20_200_406),
    Some(1),
];
const TINY: [Option<i64>; 6] = [Some(5), None, Some(-128), Some(127), Some(0), Some(-5)];
/// In hundredths.
const DECIMALS: [Option<i64>; 8] =
    [Some(150), None, Some(0), Some(500), Some(-150), Some(9_999_999_999), Some(-1), Some(10)];
const DOUBLES: [Option<&str>; 9] = [
    Some("1.5"),
    None,
    Some("0"),
    Some("5"),
    Some("-0.1"),
    Some("1e300"),
    Some("0.1"),
    Some("9.223372036854776E18"),
    Some("-5"),
];
const FLAGS: [Option<bool>; 5] = [Some(true), Some(false), None, Some(false), Some(true)];
const DAYS: [Option<&str>; 9] = [
    Some("2020-04-06"),
    Some("1600-03-01"),
    None,
    Some("9999-12-31"),
    Some("2020-02-29"),
    Some("1969-12-31"),
    Some("2020-03-08"),
    Some("2021-12-31"),
    Some("2020-04-05"),
];
const TIMES: [Option<&str>; 8] = [
    Some("2020-04-06 10:20:30"),
    Some("2020-04-06 00:00:00"),
    None,
    Some("1969-12-31 23:59:59"),
    Some("9999-12-31 23:59:59"),
    Some("2020-11-01 01:30:00"),
    Some("2020-03-08 03:30:00"),
    Some("2020-04-06 10:20:30.5"),
];
/// For key fields, which are never NULL.
const KEY_DAYS: [&str; 7] =
    ["20200406", "20200229", "00010101", "99991231", "20191231", "20200308", "19700101"];
const KEY_TIMES: [&str; 6] = [
    "20200406102030",
    "20200406000000",
    "20200308023000",
    "20201101013000",
    "99991231235959",
    "19691231235959",
];
/// The hours before and during the clock changes of New York; the first and the last.
const INSTANTS: [i64; 9] = [
    1_583_650_799_999,
    1_583_650_800_000,
    1_604_208_600_000,
    1_604_212_200_000,
    0,
    9_999_999_999_999,
    1_586_168_430_000,
    1_586_131_200_000,
    1_586_145_600_000,
];
const SMALL: [i64; 7] = [5, 0, 9_999, 7, 42, 2_020, 1];
const KEY_NUMBERS: [i64; 10] =
    [5, 0, -5, i64::MAX, i64::MIN, 20_200_406, 1, 1_586_168_430_000, -1, 9_007_199_254_740_993];

pub const COUNT: usize = 74;

pub struct Row {
    /// The values for the oracle.
    pub values: Vec<(String, V)>,
    /// The key fields in the form of the planner.
    pub fields: FieldVec<Value>,
    /// The cells as in a file: texts in hex, NULL as `\N`.
    cells: Vec<String>,
}

pub fn rows() -> Result<Vec<Row>> {
    (0..COUNT).map(row).collect()
}

fn at<T: Copy, const N: usize>(pool: &[T; N], number: usize) -> T {
    // After a full pass through the pool, the combinations change.
    pool[(number + number / N) % N]
}

fn row(number: usize) -> Result<Row> {
    let (day, time) = (at(&KEY_DAYS, number), at(&KEY_TIMES, number));
    let (instant, small) = (at(&INSTANTS, number), at(&SMALL, number));
    let big = at(&KEY_NUMBERS, number);
    let text = at(&TEXTS, number).unwrap_or_default();
    let key = format!("{day}{time}{instant:013}{small:04}{big}|{text}");
    let local = |pattern: &str, text: &str| {
        calendar::parse(pattern, text).with_context(|| format!("{text} is no {pattern}"))
    };
    let (key_day, key_time) = (local(DAY, day)?, local(TIME, time)?);
    let fields = vec![
        Value::Number(calendar::ordinal(DAY, key_day)),
        Value::Number(calendar::ordinal(TIME, key_time)),
        Value::Number(instant),
        Value::Number(small),
        Value::Number(big),
        Value::Text(text.to_string()),
    ];
    let number_of = |number: Option<i64>| number.map_or(V::Null, V::integer);
    let text_of = |text: Option<&str>| text.map_or(V::Null, |text| V::Text(text.to_string()));
    // The column next to it in the row: a text of the key rarely equals that of the column.
    let column_text = at(&TEXTS, (number + 5) % TEXTS.len()).filter(|_| number % 9 != 4);
    let short = at(&SHORT, number);
    let (tiny, int, bigint) = (at(&TINY, number), at(&INTS, number), at(&BIG, number));
    let (decimal, double, flag) = (at(&DECIMALS, number), at(&DOUBLES, number), at(&FLAGS, number));
    let (date, timestamp) = (at(&DAYS, number), at(&TIMES, number));
    let parsed_date = date.map(str::parse::<NaiveDate>).transpose()?;
    let parse_time = |text: &str| NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f");
    let parsed_time = timestamp.map(parse_time).transpose()?;
    let values = [
        ("day", V::Calendar(key_day, DAY.into())),
        ("at", V::Calendar(key_time, TIME.into())),
        ("ts", V::Instant(instant, 1)),
        ("i", V::integer(small)),
        ("n", V::integer(big)),
        ("s", text_of(Some(text))),
        ("c_s", text_of(column_text)),
        ("c_v", text_of(short)),
        ("c_y", number_of(tiny)),
        ("c_i", number_of(int)),
        ("c_b", number_of(bigint)),
        ("c_d", decimal.map_or(V::Null, |cents| V::Number(i128::from(cents) * 10_000))),
        ("c_f", flag.map_or(V::Null, V::Bool)),
        ("c_day", parsed_date.map_or(V::Null, V::Date)),
        ("c_at", parsed_time.map_or(V::Null, V::Timestamp)),
    ];
    let or_null = |cell: Option<String>| cell.unwrap_or_else(|| "\\N".into());
    let cells = vec![
        number.to_string(),
        hex(key.as_bytes()),
        small.to_string(),
        big.to_string(),
        hex(text.as_bytes()),
        or_null(column_text.map(|text| hex(text.as_bytes()))),
        or_null(short.map(|text| hex(text.as_bytes()))),
        or_null(tiny.map(|n| n.to_string())),
        or_null(int.map(|n| n.to_string())),
        or_null(bigint.map(|n| n.to_string())),
        or_null(
            decimal
                .map(|n| format!("{}{}.{:02}", if n < 0 { "-" } else { "" }, n.abs() / 100, n.abs() % 100)),
        ),
        or_null(double.map(str::to_owned)),
        or_null(flag.map(|flag| flag.to_string())),
        or_null(date.map(str::to_owned)),
        or_null(timestamp.map(str::to_owned)),
    ];
    let values = values.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
    Ok(Row { values, fields: fields.into(), cells })
}

/// Creates the native table, in a format that is also read vectorized.
pub fn fill(engines: &Engines, engine: Engine, rows: &[Row]) -> Result<()> {
    let lines: String = rows.iter().map(|row| row.cells.join(",") + "\n").collect();
    let path = saltplan::folder()?.join("evaluator_rows.txt");
    fs::write(&path, lines)?;
    let names: Vec<&str> =
        ["id", "key", "i", "n", "s"].into_iter().chain(COLUMNS.map(|(name, _)| name)).collect();
    let types = ["int", "", "int", "bigint", ""].into_iter().chain(COLUMNS.map(|(_, of)| of));
    let read: Vec<String> = names
        .iter()
        .zip(types)
        .map(|(name, of)| match of {
            "" | "string" => format!("decode(unhex(`{name}`), 'UTF-8') AS `{name}`"),
            of if of.starts_with("varchar") => {
                format!("cast(decode(unhex(`{name}`), 'UTF-8') AS {of}) AS `{name}`")
            }
            "boolean" => {
                format!("CASE `{name}` WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END AS `{name}`")
            }
            of => format!("cast(`{name}` AS {of}) AS `{name}`"),
        })
        .collect();
    engines.script(engine, &native_table(TABLE, &names, &path, &read))?;
    let again = |name: &str| match name {
        "key" | "s" | "c_s" | "c_v" => format!("hex({name})"),
        _ => format!("cast({name} AS string)"),
    };
    let cells: Vec<String> = names.iter().map(|name| again(name)).collect();
    let mut found = engines.query(engine, &format!("SELECT {} FROM {TABLE}", cells.join(", ")))?;
    found.sort_by_key(|line| line.split('\t').next().and_then(|id| id.parse::<usize>().ok()));
    ensure!(found.len() == rows.len(), "{} rows of {}", found.len(), rows.len());
    for (row, line) in rows.iter().zip(found) {
        for (index, (wanted, cell)) in row.cells.iter().zip(line.split('\t')).enumerate() {
            let is_double = names[index] == "c_x";
            let is_same = wanted == cell
                || is_double && wanted.parse::<f64>().ok() == cell.parse::<f64>().ok()
                || wanted.eq_ignore_ascii_case(cell)
                || cell.strip_suffix(".0") == Some(wanted)
                // Hive 3 prints a decimal without trailing zeros.
                || names[index] == "c_d" && wanted.parse::<f64>().ok() == cell.parse::<f64>().ok();
            ensure!(is_same, "{}: {wanted} is {cell} in Hive", names[index]);
        }
    }
    Ok(())
}

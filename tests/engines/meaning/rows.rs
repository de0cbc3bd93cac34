//! A native table with the fields of a row key as columns of every possible Hive type, together with the row
//! key.

use std::fs;

use anyhow::{Result, ensure};

use crate::engine::{Engine, Engines};
use crate::rows::{hex, native_table};
use crate::saltplan;

pub const TABLE: &str = "saltplan_meaning";

/// The Hive types of the calendar fields in one schema.
#[derive(Clone, Copy)]
pub struct FieldTypes {
    pub name: &'static str,
    /// Of `day` (yyyyMMdd), `iso` (yyyy-MM-dd) and `at` (yyyyMMddHHmmss). `moment` (yyyy-MM-dd HH:mm:ss) is always a string.
    pub day: &'static str,
    pub iso: &'static str,
    pub at: &'static str,
    /// Whether the schema declares the types; otherwise they are the defaults.
    pub is_declared: bool,
}

impl FieldTypes {
    pub const ALL: [Self; 5] = [
        Self { name: "default", day: "int", iso: "string", at: "string", is_declared: false },
        Self { name: "strings", day: "string", iso: "string", at: "string", is_declared: true },
        Self { name: "numbers", day: "bigint", iso: "date", at: "bigint", is_declared: true },
        Self { name: "dates", day: "date", iso: "date", at: "timestamp", is_declared: true },
        Self { name: "times", day: "timestamp", iso: "string", at: "timestamp", is_declared: true },
    ];

    /// The table as a Hive user would create it. `day_text`, `day_date` and similar columns are for
    /// conditions in which a field is used in another form than its own type.
    pub fn logical_table(&self) -> String {
        format!(
            "(SELECT id, `key`, day_{} AS day, day_string AS day_text, day_date, iso_{} AS iso, iso_string AS iso_text, iso_date, \
             at_{} AS at, at_string AS at_text, at_timestamp AS at_date, moment, ts, c_day, c_time, c_iso, c_text, n, b FROM {TABLE}) logical",
            self.day, self.iso, self.at
        )
    }
}

pub fn schema(types: &FieldTypes) -> String {
    let of = |hive_type: &str| match types.is_declared {
        true => format!(", hive_type: {hive_type}"),
        false => String::new(),
    };
    format!(
        "saltplan: 1
hbase: {{ table: {TABLE}, families: {{ f: {{}} }} }}
time_zone: UTC
key:
  fields:
    - {{ name: day, type: date, format: yyyyMMdd{} }}
    - {{ name: iso, type: date, format: yyyy-MM-dd{} }}
    - {{ name: at, type: timestamp, format: yyyyMMddHHmmss{} }}
    - {{ name: ts, type: timestamp, epoch: ms, encoding: decimal, width: 13 }}
    - {{ name: moment, type: timestamp, format: 'yyyy-MM-dd HH:mm:ss' }}
columns:
  - {{ name: c_day, type: date, hbase: 'f:c_day' }}
  - {{ name: c_time, type: timestamp, hbase: 'f:c_time' }}
  - {{ name: c_iso, type: string, hbase: 'f:c_iso' }}
  - {{ name: c_text, type: string, hbase: 'f:c_text' }}
  - {{ name: n, type: int, hbase: 'f:n' }}
  - {{ name: b, type: bigint, hbase: 'f:b' }}
hive:
  mapping: {{ table: {TABLE}, key_column: key }}
",
        of(types.day),
        of(types.iso),
        of(types.at)
    )
}

/// Days and times of the key; columns use the same ones, so that many are equal.
const DAYS: [&str; 9] = [
    "2020-04-06",
    "2020-04-05",
    "2020-04-07",
    "2020-02-29",
    "2019-12-31",
    "2020-03-31",
    "2021-04-06",
    "2020-04-30",
    "1999-01-01",
];
const TIMES: [&str; 7] = ["10:20:30", "00:00:00", "23:59:59", "10:00:00", "04:06:10", "12:34:56", "10:20:31"];
const INSTANTS: [i64; 5] = [1_586_168_430_000, 1_586_131_200_000, 1_586_217_599_999, 0, 1_582_934_400_000];
pub const COUNT: usize = 63;

/// The cells of a row; `None` is NULL.
fn cells(number: usize) -> Vec<Option<String>> {
    let day = |shift: usize| DAYS[(number + shift) % DAYS.len()];
    let time = TIMES[number % TIMES.len()];
    let instant = INSTANTS[number % INSTANTS.len()];
    let compact = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let (of_key, iso, at) = (day(0), day(number / 9), format!("{} {time}", day(number / 7)));
    let moment = format!("{} {time}", day(1));
    let key = format!("{}{iso}{}{instant:013}{moment}", compact(of_key), compact(&at));
    // A column is NULL in some rows and equal to the field in a third of them.
    let other = |salt: usize| match (number * 7 + salt) % 8 {
        0 => None,
        1..=3 => Some(of_key),
        shift => Some(day(shift)),
    };
    vec![
        Some(number.to_string()),
        Some(key),
        Some(of_key.to_string()),
        Some(iso.to_string()),
        Some(at.clone()),
        Some(instant.to_string()),
        other(0).map(str::to_string),
        match number % 6 {
            0 => None,
            1..=3 => Some(at.clone()),
            _ => Some(moment.clone()),
        },
        other(1).map(str::to_string),
        match number % 5 {
            0 => None,
            1 => Some(compact(&at)),
            2 => Some("no date".into()),
            _ => other(2).map(compact),
        },
        other(3).map(compact),
        match number % 4 {
            0 => None,
            1 => Some(instant.to_string()),
            2 => Some(compact(&at)),
            _ => Some((instant + 1).to_string()),
        },
        Some(moment),
    ]
}

pub fn shown(row: usize) -> String {
    let cells = cells(row);
    let names =
        ["id", "key", "day", "iso", "at", "ts", "c_day", "c_time", "c_iso", "c_text", "n", "b", "moment"];
    let shown = names.iter().zip(&cells).skip(2);
    shown
        .map(|(name, cell)| format!("{name}={}", cell.as_deref().unwrap_or("NULL")))
        .collect::<Vec<_>>()
        .join(" ")
}

pub fn fill(engines: &Engines, engine: Engine) -> Result<()> {
    let line = |number: usize| {
        let cells = cells(number).into_iter();
        let shown = cells.map(|cell| cell.map_or_else(|| "\\N".to_string(), |text| hex(text.as_bytes())));
        shown.collect::<Vec<_>>().join(",") + "\n"
    };
    let path = saltplan::folder()?.join("meaning_rows.txt");
    fs::write(&path, (0..COUNT).map(line).collect::<String>())?;
    let names =
        ["id", "key", "day", "iso", "at", "ts", "c_day", "c_time", "c_iso", "c_text", "n", "b", "moment"];
    let text = |name: &str| format!("decode(unhex(`{name}`), 'UTF-8')");
    let digits = |name: &str| format!("regexp_replace({}, '[^0-9]', '')", text(name));
    let cast = |value: String, of: &str, name: &str| format!("cast({value} AS {of}) AS `{name}`");
    let selected = vec![
        cast(text("id"), "int", "id"),
        cast(text("key"), "string", "key"),
        cast(digits("day"), "int", "day_int"),
        cast(digits("day"), "bigint", "day_bigint"),
        cast(digits("day"), "string", "day_string"),
        cast(text("day"), "date", "day_date"),
        cast(text("day"), "timestamp", "day_timestamp"),
        cast(text("iso"), "string", "iso_string"),
        cast(text("iso"), "date", "iso_date"),
        cast(digits("at"), "string", "at_string"),
        cast(digits("at"), "bigint", "at_bigint"),
        cast(text("at"), "timestamp", "at_timestamp"),
        cast(text("ts"), "bigint", "ts"),
        cast(text("c_day"), "date", "c_day"),
        cast(text("c_time"), "timestamp", "c_time"),
        cast(text("c_iso"), "string", "c_iso"),
        cast(text("c_text"), "string", "c_text"),
        cast(text("n"), "int", "n"),
        cast(text("b"), "bigint", "b"),
        cast(text("moment"), "string", "moment"),
    ];
    engines.script(engine, &native_table(TABLE, &names, &path, &selected))?;
    let found =
        engines.query(engine, &format!("SELECT count(*), count(c_day), count(n), count(b) FROM {TABLE}"))?;
    let given = |column: usize| (0..COUNT).filter(|row| cells(*row)[column].is_some()).count();
    let wanted = format!("{COUNT}\t{}\t{}\t{}", given(6), given(10), given(11));
    ensure!(found == [wanted.clone()], "{found:?} instead of {wanted}");
    Ok(())
}

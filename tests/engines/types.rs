//! Target columns for every kind of key field and every possible type: what the printed INSERT writes agrees
//! with this program's own calendar, and what the printed `load` reads from it gives the keys of `key
//! encode`. With two session time zones.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use chrono::{DateTime, MappedLocalTime, NaiveDateTime, TimeZone};
use chrono_tz::Tz;
use libtest_mimic::{Failed, Trial};
use saltplan_sql::time::zone::Zone;
use serde_json::{Map, Value};

use crate::engine::{Engine, Engines};
use crate::rows::hex;
use crate::saltplan;

/// A key field, the types of its columns in the target, and values in the form for `key encode`.
struct Field {
    name: &'static str,
    declared: &'static str,
    /// The first is the type of the column that has the field's name.
    types: &'static [&'static str],
    values: &'static [&'static str],
}

const fn field(
    name: &'static str,
    declared: &'static str,
    types: &'static [&'static str],
    values: &'static [&'static str],
) -> Field {
    Field { name, declared, types, values }
}

const FIELDS: [Field; 16] = [
    field(
        "sec",
        "type: timestamp, epoch: s, encoding: decimal, width: 10",
        &["timestamp", "bigint", "string", "decimal(10,0)", "varchar(19)"],
        &["0", "9999999999"],
    ),
    field(
        "ago",
        "type: timestamp, epoch: ms, encoding: decimal, width: 19, descending: true",
        &["timestamp", "string", "bigint", "varchar(30)"],
        &["500", "9223372036854775807"],
    ),
    field(
        "day",
        "type: date, format: yyyyMMdd",
        &["int", "date", "decimal(8,0)", "string", "timestamp", "char(8)", "bigint", "varchar(8)"],
        &["20200229", "19700101", "16000301", "99991231"],
    ),
    field(
        "iso",
        "type: date, format: yyyy-MM-dd",
        &["date", "string", "timestamp"],
        &["2020-03-08", "1582-10-15", "1969-12-31"],
    ),
    field("month", "type: date, format: yyyyMM", &["int", "date", "string"], &["202002", "190012"]),
    field("dmy", "type: date, format: ddMMyyyy", &["date", "string", "timestamp"], &["01022020", "31121999"]),
    field(
        "at",
        "type: timestamp, format: yyyyMMddHHmmss",
        &["bigint", "timestamp", "string", "decimal(14)"],
        &["20200229235959", "19691231000000"],
    ),
    field("hour", "type: timestamp, format: 'yyyy-MM-dd HH'", &["timestamp", "string"], &["2020-02-29 23"]),
    field("n2", "type: int, encoding: decimal, width: 2", &["tinyint", "int"], &["0", "7", "99"]),
    field(
        "n4",
        "type: int, encoding: decimal, width: 4",
        &["smallint", "decimal(4,0)", "string", "char(4)", "bigint", "varchar(5)"],
        &["0", "42", "9999", "100"],
    ),
    field(
        "back",
        "type: string, width: 3, chars: alnum, reverse: true",
        &["char(3)", "string", "varchar(9)"],
        &["abc", "001", "Z9a"],
    ),
    field(
        "down",
        "type: bigint, encoding: decimal, width: 19, descending: true",
        &["string", "bigint", "decimal(20,0)"],
        &["0", "9223372036854775807", "5"],
    ),
    field(
        "ms",
        "type: timestamp, epoch: ms, encoding: decimal",
        &["string", "timestamp", "bigint", "char(23)"],
        &["-1", "-11000000000000", "-14182940000", "253402243199999", "-20000000000000", "999999999999999"],
    ),
    field(
        "raw",
        "type: timestamp, epoch: s, encoding: decimal",
        &["bigint", "date", "timestamp", "decimal(19)"],
        &["-1", "9223372036854775807", "-9223372036854775808"],
    ),
    field(
        "big",
        "type: bigint, encoding: decimal",
        &["decimal(19)", "bigint", "string"],
        &["-9223372036854775808", "9223372036854775807", "-1", "0"],
    ),
    field(
        "lang",
        "type: string, values: [cn, us-e, x]",
        &["varchar(4)", "char(5)", "binary", "string"],
        &["cn", "us-e", "x"],
    ),
];

/// Zones of schemas, each with the zone of the session; `None` is the zone of the machine.
const ZONES: [(Tz, Option<&str>); 2] =
    [(Tz::America__New_York, None), (Tz::Asia__Shanghai, Some("America/New_York"))];

/// The first clock change of a zone after each of these seconds is tested.
const PERIODS: [i64; 6] =
    [-3_000_000_000, -1_000_000_000, 500_000_000, 560_000_000, 1_583_000_000, 1_590_000_000];

/// One trial for each engine and zone; those of one session follow each other, because another session is
/// another process.
pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (zone, session) in ZONES {
        let lab = Lab { root: root.to_owned(), engines: engines.clone(), zone };
        let lab = Arc::new(Mutex::new(lab));
        for engine in Engine::ALL {
            let lab = Arc::clone(&lab);
            let name = format!("{engine}::types::{}", short(zone));
            trials.push(Trial::test(name, move || {
                let lab = lab.lock().unwrap_or_else(PoisonError::into_inner);
                lab.engines.set_zone(session);
                lab.check(engine).map_err(|error| Failed::from(format!("{error:#}")))
            }));
        }
    }
    trials
}

fn short(zone: Tz) -> String {
    zone.name().rsplit('/').next().unwrap_or_default().to_lowercase()
}

struct Lab {
    root: PathBuf,
    engines: Engines,
    zone: Tz,
}

type Row = BTreeMap<&'static str, String>;

impl Lab {
    fn check(&self, engine: Engine) -> Result<()> {
        let schema = self.schema()?;
        let rows = self.rows();
        let keys = self.fill(&schema, &rows)?;

        self.engines.begin(engine)?;
        let table = self.table();
        let drop = format!("DROP TABLE IF EXISTS {table}_map;\nDROP TABLE IF EXISTS {table}_target;\n");
        let mapping = self.run(&["ddl", &schema, "--only", "mapping"], "")?;
        let target = self.run(&["ddl", &schema, "--only", "target"], "")?;
        self.engines.script(engine, &format!("{drop}{mapping}{target}"))?;
        let all = "id BETWEEN '0000' AND 'zzzz'";
        let accepted = ["--allow-partial", "--allow-full-scan"];
        let insert = self
            .run(&[&["plan", &schema, all, "--engine", engine.option()][..], &accepted[..]].concat(), "")?;
        self.engines.script(engine, &insert)?;
        let read = format!("SELECT `id`, {} FROM {table}_target", texts());
        self.compare(&rows, self.engines.query(engine, &read)?)?;

        // With few clock changes in its instants the statement is different.
        let change = self.changes()[4];
        let narrow = format!("{all} AND sec BETWEEN {} AND {}", change - 7_200, change + 7_200);
        let select = self.run(&["plan", &schema, &narrow, "--engine", engine.option(), "--select"], "")?;
        let (settings, select) = select.split_once("SELECT").context("no query")?;
        self.engines.script(engine, settings)?;
        let read = format!(
            "SELECT `id`, {} FROM (SELECT{}) `few`",
            texts(),
            select.trim_end().trim_end_matches(';')
        );
        let few: Vec<Row> = rows.iter().filter(|row| near(row, change)).cloned().collect();
        ensure!(few.len() > 2, "no rows near {change}");
        self.compare(&few, self.engines.query(engine, &read)?)?;

        let most = FIELDS.iter().map(|field| field.types.len()).max().unwrap_or(0);
        (0..most).try_for_each(|choice| self.load(engine, &schema, choice, &rows, &keys))
    }

    fn table(&self) -> String {
        format!("saltplan_types_{}", short(self.zone))
    }

    fn schema(&self) -> Result<String> {
        let table = self.table();
        let fields =
            FIELDS.iter().map(|field| format!("    - {{ name: {}, {} }}\n", field.name, field.declared));
        let columns = FIELDS.iter().flat_map(|field| {
            field.types.iter().enumerate().map(|(choice, hive_type)| {
                let name = column(field, choice);
                format!("      - {{ name: {name}, from: key.{}, type: '{hive_type}' }}\n", field.name)
            })
        });
        let text = format!(
            "saltplan: 1
hbase: {{ table: '{table}', families: {{ f: {{}} }} }}
time_zone: {zone}
key:
  separator: '|'
  fields:
    - {{ name: id, type: string, width: 4, chars: alnum }}
{fields}columns:
  - {{ name: v, type: string, hbase: 'f:v' }}
hive:
  mapping: {{ table: {table}_map, key_column: rowkey }}
  target:
    table: {table}_target
    columns:
      - {{ name: id, from: key.id }}
      - v
{columns}",
            zone = self.zone.name(),
            fields = fields.collect::<String>(),
            columns = columns.collect::<String>(),
        );
        let path = saltplan::folder()?.join(format!("{table}.yaml"));
        fs::write(&path, text)?;
        Ok(path.to_string_lossy().into_owned())
    }

    fn changes(&self) -> Vec<i64> {
        let zone = Zone::all().find(|zone| zone.name() == self.zone.name());
        let first = |from: &i64| zone?.changes(*from, from + 2_000_000_000).first().copied();
        let found = PERIODS.iter().filter_map(first);
        let mut found: Vec<i64> = found.map(|change| change.at).collect();
        // Zones without further clock changes have an ordinary second there.
        found.resize(PERIODS.len(), 1_583_020_800);
        found
    }

    /// Every value of every field, and for instants the seconds around clock changes.
    fn rows(&self) -> Vec<Row> {
        let around = self
            .changes()
            .into_iter()
            .flat_map(|at| [-3_600, -1_800, -1, 0, 1_800, 3_599, 3_600].map(|by| at + by));
        let around: Vec<i64> = around.collect();
        let count = around.len() + 6;
        let value = |field: &Field, row: usize| -> String {
            let Some(second) = row.checked_sub(6).map(|row| around[row]) else {
                return field.values[row % field.values.len()].into();
            };
            match field.name {
                "sec" if second >= 0 => second.to_string(),
                "raw" => second.to_string(),
                "ms" => (second * 1_000 + [0, 1, 500, 999][row % 4]).to_string(),
                "ago" if second >= 0 => (second * 1_000 + [999, 10, 0][row % 3]).to_string(),
                _ => field.values[row % field.values.len()].into(),
            }
        };
        let row = |row: usize| {
            let mut values: Row = FIELDS.iter().map(|field| (field.name, value(field, row))).collect();
            values.insert("id", format!("r{row:03}"));
            values
        };
        (0..count).map(row).collect()
    }

    /// Stores the rows under the keys of `key encode`, and returns these.
    fn fill(&self, schema: &str, rows: &[Row]) -> Result<Vec<String>> {
        let json = rows.iter().map(|row| {
            let members = row.iter().map(|(name, value)| ((*name).to_string(), Value::from(value.as_str())));
            format!("{}\n", Value::from(members.collect::<Map<_, _>>()))
        });
        let keys = self.run(&["key", "encode", schema, "--keys", "hex"], &json.collect::<String>())?;
        let keys: Vec<String> = keys.lines().map(str::to_owned).collect();
        ensure!(keys.len() == rows.len(), "{} keys of {} rows", keys.len(), rows.len());
        let table = self.table();
        self.engines.client("drop", &table)?;
        self.engines.shell(&format!("create '{table}', 'f'\n"))?;
        let lines: String = keys.iter().map(|key| format!("\n{key}\tf:v=78")).collect();
        self.engines.client("put", &format!("{table}{lines}"))?;
        Ok(keys)
    }

    fn compare(&self, rows: &[Row], mut found: Vec<String>) -> Result<()> {
        found.sort_unstable();
        ensure!(found.len() == rows.len(), "{} rows, expected {}", found.len(), rows.len());
        for (row, line) in rows.iter().zip(&found) {
            let mut cells = line.split('\t');
            ensure!(cells.next() == Some(&row["id"]), "{line} is not {}", row["id"]);
            for field in &FIELDS {
                for hive_type in field.types {
                    let expected = self.shown(field, hive_type, &row[field.name]).unwrap_or("\\N".into());
                    let cell = cells.next().unwrap_or_default();
                    ensure!(
                        cell == expected,
                        "{} {} as {hive_type} is {cell}, expected {expected}",
                        field.name,
                        row[field.name],
                    );
                }
            }
        }
        Ok(())
    }

    /// The value of a column as Hive prints it; `None` is NULL.
    fn shown(&self, field: &Field, hive_type: &str, value: &str) -> Option<String> {
        let Some(epoch) = unit(field) else { return Some(shown(field.declared, hive_type, value)) };
        let local = self.local(epoch, value);
        match hive_type {
            "date" => Some(local?.format("%Y-%m-%d").to_string()),
            "timestamp" => Some(trimmed(local?)),
            text if text.contains("char") || text == "string" => {
                let format = if epoch == 1 { "%Y-%m-%d %H:%M:%S" } else { "%Y-%m-%d %H:%M:%S%.3f" };
                Some(local?.format(format).to_string())
            }
            _ => Some(value.into()),
        }
    }

    /// Local time in the zone, if Hive can represent it.
    fn local(&self, per_second: i64, value: &str) -> Option<NaiveDateTime> {
        let instant = value.parse::<i64>().ok()?.checked_mul(1_000 / per_second)?;
        let local = DateTime::from_timestamp_millis(instant)?.with_timezone(&self.zone).naive_local();
        let text = local.format("%Y-%m-%d").to_string();
        (text.len() == 10 && text.as_str() >= "1582-10-15").then_some(local)
    }

    /// Reads the keys that the printed `load` makes of one column for each field.
    fn load(&self, engine: Engine, schema: &str, choice: usize, rows: &[Row], keys: &[String]) -> Result<()> {
        let table = self.table();
        let view = format!("{table}_view");
        let chosen = |field: &Field| -> usize {
            let choice = choice % field.types.len();
            let takes_readings = matches!(field.types[0], "timestamp" | "string");
            // A day is not an instant, and if the field's own column is a number, `load` accepts numbers.
            let is_read = unit(field).is_none()
                || field.types[choice] != "date" && (takes_readings || !is_reading(field.types[choice]));
            if is_read { choice } else { 0 }
        };
        let columns: String = FIELDS
            .iter()
            .map(|field| format!(", `{}` AS `{}`", column(field, chosen(field)), field.name))
            .collect();
        self.engines.script(
            engine,
            &format!(
                "DROP VIEW IF EXISTS {view};\nCREATE VIEW {view} AS SELECT `id`, `v`{columns} FROM {table}_target;\n"
            ),
        )?;
        let load = self.run(&["load", schema, "--from", &view], "")?;
        let (settings, select) = load.split_once("INSERT INTO").context("no INSERT")?;
        self.engines.script(engine, settings)?;
        let (_, select) = select.split_once('\n').context("no SELECT")?;
        let select = select.trim_end().trim_end_matches(';');
        let mut found = self.engines.query(engine, &format!("SELECT `rowkey` FROM ({select}) `loaded`"))?;
        let expected = rows.iter().zip(keys).map(|(row, key)| {
            let readable =
                |field: &Field| self.reads_back(field, field.types[chosen(field)], &row[field.name]);
            if FIELDS.iter().all(readable) { key.clone() } else { "\\N".into() }
        });
        let mut expected: Vec<String> = expected.collect();
        for key in found.iter_mut().filter(|key| *key != "\\N") {
            *key = hex(key.as_bytes());
        }
        found.sort_unstable();
        expected.sort_unstable();
        let nulls = expected.iter().filter(|key| *key == "\\N").count();
        ensure!(nulls < expected.len(), "no row can be read back: the load proves nothing");
        let differ = found.iter().zip(&expected).find(|(found, expected)| found != expected);
        ensure!(differ.is_none() && found.len() == expected.len(), "columns {choice}: loaded {differ:?}");
        Ok(())
    }

    /// Whether a column contains the whole value: a local time that occurs once and is inside the calendar.
    fn reads_back(&self, field: &Field, hive_type: &str, value: &str) -> bool {
        let Some(per_second) = unit(field) else { return true };
        if !is_reading(hive_type) {
            return true;
        }
        let Some(local) = self.local(per_second, value) else { return false };
        matches!(self.zone.offset_from_local_datetime(&local), MappedLocalTime::Single(_))
    }

    fn run(&self, arguments: &[&str], stdin: &str) -> Result<String> {
        saltplan::run(&self.root, arguments, stdin)
    }
}

fn column(field: &Field, choice: usize) -> String {
    if choice == 0 { field.name.into() } else { format!("{}_{choice}", field.name) }
}

/// All columns as text.
fn texts() -> String {
    let columns = FIELDS.iter().flat_map(|field| (0..field.types.len()).map(|choice| column(field, choice)));
    columns.map(|column| format!("cast(`{column}` as string)")).collect::<Vec<_>>().join(", ")
}

/// The number of the instant's units in a second.
fn unit(field: &Field) -> Option<i64> {
    match field.declared {
        declared if declared.contains("epoch: ms") => Some(1_000),
        declared if declared.contains("epoch: s") => Some(1),
        _ => None,
    }
}

/// Whether a column of instants contains local time.
fn is_reading(hive_type: &str) -> bool {
    hive_type == "timestamp" || hive_type == "string" || hive_type.contains("char")
}

fn near(row: &Row, change: i64) -> bool {
    row["sec"].parse::<i64>().is_ok_and(|second| (change - 7_200..=change + 7_200).contains(&second))
}

/// As Hive prints a TIMESTAMP.
fn trimmed(local: NaiveDateTime) -> String {
    let text = local.format("%Y-%m-%d %H:%M:%S%.3f").to_string();
    let (seconds, fraction) = text.split_at("yyyy-MM-dd HH:mm:ss".len());
    format!("{seconds}{}", fraction.trim_end_matches('0').trim_end_matches('.'))
}

/// Texts, numbers, dates and local times as the type shows them.
fn shown(declared: &str, hive_type: &str, value: &str) -> String {
    if !matches!(hive_type, "date" | "timestamp") {
        return value.into();
    }
    let day = match declared {
        one if one.contains("yyyyMMddHHmmss") => {
            return trimmed(NaiveDateTime::parse_from_str(value, "%Y%m%d%H%M%S").unwrap_or_default());
        }
        one if one.contains("HH") => return format!("{value}:00:00"),
        one if one.contains("ddMMyyyy") => format!("{}-{}-{}", &value[4..], &value[2..4], &value[..2]),
        one if one.contains("yyyyMMdd") => format!("{}-{}-{}", &value[..4], &value[4..6], &value[6..]),
        one if one.contains("yyyyMM ") || one.ends_with("yyyyMM") => {
            format!("{}-{}-01", &value[..4], &value[4..])
        }
        _ => value.into(),
    };
    if hive_type == "date" { day } else { format!("{day} 00:00:00") }
}

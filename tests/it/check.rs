//! The statements of `check` over random rows in `SQLite`: what they say of the groups and rows is what a comparison of all rows says.
//! Hive itself runs them in `tests/engines/check.rs`.

use std::collections::BTreeMap;

use md5::{Digest, Md5};
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::Value;
use rusqlite::{Connection, Error};
use saltplan_core::Table;
use saltplan_core::hive::check::{CheckForm, CheckOptions};
use saltplan_core::queries::QueryOptions;

const SCHEMA: &str = "
saltplan: 1
hbase: { table: calls, families: { f: {} } }
key:
  salt: { md5: { of: [id], first_hex_digits: 1, write: { decimal: 3 } } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: id, type: string, chars: alnum }
columns:
  - { name: x, type: int, hbase: 'f:x' }
  - { name: y, type: string, hbase: 'f:y' }
hive:
  mapping: { table: calls_map, key_column: k }
  target: { table: calls_target, partition: [{ name: day, type: int }] }
";

const DAYS: [i64; 3] = [20_200_406, 20_200_407, 20_200_408];
/// Texts that a careless concatenation confuses.
const TEXTS: [Option<&str>; 8] =
    [None, Some(""), Some("-"), Some(","), Some("a"), Some("a,"), Some("61"), Some("NULL")];
const CASES: u64 = 150;

/// A row of the target: day, id, x, y.
type Row = (i64, String, Option<i64>, Option<&'static str>);

struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    fn row(&mut self) -> Row {
        let x = [None, Some(0), Some(1), Some(-1)][self.below(4)];
        (DAYS[self.below(2)], format!("i{}", self.below(12)), x, TEXTS[self.below(TEXTS.len())])
    }
}

/// One text for each row, with a length before each text.
fn shown(row: &Row) -> String {
    format!("{row:?}")
}

fn database(table: &Table, source: &[Row], target: &[Row]) -> Connection {
    let database = Connection::open_in_memory().expect("a database");
    let text = |context: &Context<'_>, at: usize| -> Result<Option<String>, Error> {
        Ok(match context.get::<Value>(at)? {
            Value::Text(text) => Some(text),
            Value::Integer(number) => Some(number.to_string()),
            _ => None,
        })
    };
    let all = move |context: &Context<'_>| {
        (0..context.len()).map(|at| text(context, at)).collect::<Result<Vec<_>, _>>()
    };
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    let function = |name: &str, of: fn(Vec<Option<String>>) -> Option<String>| {
        let of = move |context: &mut Context<'_>| Ok(of(all(context)?));
        database.create_scalar_function(name, -1, flags, of).expect("a function");
    };
    function("concat", |parts| Some(parts.into_iter().collect::<Option<Vec<_>>>()?.concat()));
    function("concat_ws", |parts| {
        let mut parts = parts.into_iter();
        let between = parts.next()??;
        Some(parts.flatten().collect::<Vec<_>>().join(&between))
    });
    function("hex", |parts| Some(hex(parts.into_iter().next()??.as_bytes())));
    function("md5", |parts| Some(hex(&Md5::digest(parts.into_iter().next()??.as_bytes())).to_lowercase()));
    function("lpad", |mut parts| {
        let text = parts.first_mut()?.take()?;
        Some(format!("{text:0>3}"))
    });
    // A sum in SQLite has 64 bits: 40 bits of each hash are enough for these rows.
    function("conv", |mut parts| {
        let digits = parts.first_mut()?.take()?;
        let number = u64::from_str_radix(&digits, 16).ok()?;
        Some((if digits.len() > 10 { number >> 20 } else { number }).to_string())
    });
    let assert_true = |context: &mut Context<'_>| match context.get::<Option<bool>>(0)? {
        Some(true) => Ok(Value::Null),
        _ => Err(Error::UserFunctionError("ASSERT_TRUE(): assertion failed.".into())),
    };
    database.create_scalar_function("assert_true", 1, flags, assert_true).expect("a function");
    let tables = "CREATE TABLE calls_map (k TEXT, x INT, y TEXT); CREATE TABLE calls_target (id TEXT, x INT, y TEXT, day INT);";
    database.execute_batch(tables).expect("tables");
    for (day, id, x, y) in source {
        let row = serde_json::json!({ "day": day.to_string(), "id": id });
        let key = table.encode(row.as_object().expect("an object")).expect("a key");
        let key = String::from_utf8(key).expect("text");
        database.execute("INSERT INTO calls_map VALUES (?, ?, ?)", (key, x, y)).expect("a row");
    }
    for (day, id, x, y) in target {
        database.execute("INSERT INTO calls_target VALUES (?, ?, ?, ?)", (id, x, y, day)).expect("a row");
    }
    database
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// The printed statement in the words of `SQLite`.
fn statement(table: &Table, predicate: &str, by: Option<&str>, form: CheckForm) -> String {
    let planned = table.plan(predicate, &[].into()).expect("a plan");
    let options =
        CheckOptions { query: QueryOptions::default(), by: by.map(str::to_string), form, header: Vec::new() };
    let sql = planned.check(&options).expect("a statement").sql;
    let sql = sql.strip_prefix("SET hive.vectorized.execution.enabled=false;\n").expect("the setting");
    let sql = sql.replace(" as string)", " as text)");
    let Some((before, rest)) = sql.split_once("explode(") else { return sql };
    let (list, after) = rest.split_once("AS `salt`").expect("the end of the list");
    let list = list.split_whitespace().collect::<String>().replace('\'', "\"");
    let salts = list.strip_prefix("array(").and_then(|list| list.strip_suffix("))")).expect("a list");
    format!("{before}value AS `salt` FROM json_each('[{salts}]'){after}")
}

fn query(database: &Connection, sql: &str) -> Result<Vec<Vec<String>>, Error> {
    let mut prepared = database.prepare(sql)?;
    let columns = prepared.column_count();
    let text = |value: Value| match value {
        Value::Null => "NULL".to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => format!("{text:?}"),
        other => format!("{other:?}"),
    };
    let rows = prepared
        .query_map([], |row| (0..columns).map(|at| Ok(text(row.get(at)?))).collect::<Result<Vec<_>, _>>())?;
    rows.collect()
}

/// How often each side has each row of some days.
fn counted(sides: [&[Row]; 2], days: &[i64]) -> BTreeMap<String, (Row, [i64; 2])> {
    let mut counts = BTreeMap::new();
    for (side, rows) in sides.into_iter().enumerate() {
        for row in rows.iter().filter(|row| days.contains(&row.0)) {
            counts.entry(shown(row)).or_insert_with(|| (row.clone(), [0; 2])).1[side] += 1;
        }
    }
    counts
}

/// What must be said of each group that differs: its rows on both sides, and the first word of the meaning.
fn expected(
    sides: [&[Row]; 2],
    days: &[i64],
    group: impl Fn(&Row) -> String,
) -> Vec<(String, i64, i64, String)> {
    let mut groups: BTreeMap<String, Vec<[i64; 2]>> = BTreeMap::new();
    for (row, counts) in counted(sides, days).into_values() {
        groups.entry(group(&row)).or_default().push(counts);
    }
    let mut found = Vec::new();
    for (name, counts) in groups {
        if counts.iter().all(|[hbase, target]| hbase == target) {
            continue;
        }
        let [hbase, target] = [0, 1].map(|side| counts.iter().map(|counts| counts[side]).sum::<i64>());
        let is_repeated = hbase > 0
            && target > hbase
            && target % hbase == 0
            && counts.iter().all(|[of_hbase, of_target]| *of_target == of_hbase * (target / hbase));
        let word = match target - hbase {
            _ if target == 0 => "missing".to_string(),
            _ if hbase == 0 => "foreign".to_string(),
            _ if is_repeated => format!("repeated: the target has each row {} times", target / hbase),
            ..0 => "fewer".to_string(),
            1.. => "more".to_string(),
            0 => "values".to_string(),
        };
        found.push((name, hbase, target, word));
    }
    found
}

/// A load with a fault, or without one.
fn loaded(random: &mut Random, source: &[Row]) -> Vec<Row> {
    let mut target = source.to_vec();
    let place = |random: &mut Random, target: &[Row]| random.below(target.len().max(1));
    for _ in 0..random.below(3) {
        let at = place(random, &target);
        if target.is_empty() {
            break;
        }
        match random.below(8) {
            0 => drop(target.remove(at)),
            1 => target.push(target[at].clone()),
            2 => target[at].3 = TEXTS[random.below(TEXTS.len())],
            3 => target[at].2 = target[at].2.map(|x| x + 1),
            4 => {
                let day = target[at].0;
                target.retain(|row| row.0 != day);
            }
            5 => {
                let id = target[at].1.clone();
                target.retain(|row| row.1 != id);
            }
            6 => target.extend(target.clone()),
            _ => target.push(random.row()),
        }
    }
    target
}

/// A salt that neither side has is named beside salts with many inputs, and not where few rows or few inputs leave some without one.
#[test]
fn an_empty_salt_is_named_beside_full_ones() {
    let salt = |id: &str| Md5::digest(id.as_bytes())[0] >> 4;
    let ids = |count: usize| (0..).map(|n| format!("i{n}")).filter(|id| salt(id) != 7).take(count);
    let row = |id: String| (DAYS[0], id, Some(1), None);
    let of_schema = |schema: &str, rows: &[Row]| {
        let table = Table::from_yaml(schema).expect("a schema");
        let sql = statement(&table, "day = 20200406", None, CheckForm::Groups);
        let told =
            query(&database(&table, rows, rows), &sql).unwrap_or_else(|error| panic!("{error}\n{sql}"));
        told.into_iter().map(|row| (row[0].clone(), row[1].clone(), row[2].clone())).collect::<Vec<_>>()
    };
    let rows: Vec<Row> = ids(900).map(row).collect();
    let empty = ("\"007\"".into(), "\"empty: neither side has a row\"".into(), "0".into());
    assert_eq!(of_schema(SCHEMA, &rows), [empty]);
    let table = Table::from_yaml(SCHEMA).expect("a schema");
    let asserting = statement(&table, "day = 20200406", None, CheckForm::Assert);
    assert!(query(&database(&table, &rows, &rows), &asserting).is_err());
    assert!(of_schema(SCHEMA, &rows[..790]).is_empty(), "few rows");

    // With a time behind the id, one id has many rows, all with one salt.
    let several = SCHEMA.replace(
        "    - { name: id, type: string, chars: alnum }\n",
        "    - { name: id, type: string, width: 5, chars: digits }\n    - { name: at, type: string, chars: alnum }\n",
    );
    let table = Table::from_yaml(&several).expect("a schema");
    let sql = statement(&table, "day = 20200406", None, CheckForm::Groups);
    let database = database(&table, &[], &[]);
    database
        .execute_batch(
            "DROP TABLE calls_target; CREATE TABLE calls_target (id TEXT, at TEXT, x INT, y TEXT, day INT);",
        )
        .expect("a table");
    for id in (0..40).map(|n| format!("{n:05}")) {
        for at in 0..40 {
            let key = format!("{:03}20200406{id}{at}", salt(&id));
            database.execute("INSERT INTO calls_map VALUES (?, 1, NULL)", [key]).expect("a row");
            database
                .execute("INSERT INTO calls_target VALUES (?, ?, 1, NULL, 20200406)", (&id, at.to_string()))
                .expect("a row");
        }
    }
    let told = query(&database, &sql).unwrap_or_else(|error| panic!("{error}\n{sql}"));
    assert!(told.is_empty(), "few inputs: {told:?}");

    // Remainders of a number are not spread by chance.
    let modulo = SCHEMA
        .replace(
            "md5: { of: [id], first_hex_digits: 1, write: { decimal: 3 } }",
            "modulo: { of: id, by: 16, write: { decimal: 2 } }",
        )
        .replace(
            "{ name: id, type: string, chars: alnum }",
            "{ name: id, type: bigint, encoding: decimal, width: 10 }",
        );
    let table = Table::from_yaml(&modulo).expect("a schema");
    assert!(!statement(&table, "day = 20200406", None, CheckForm::Groups).contains("empty"));
}

#[test]
fn statements_say_what_a_comparison_of_all_rows_says() {
    let table = Table::from_yaml(SCHEMA).expect("a schema");
    let one_day = "day = 20200406";
    let two_days = "day BETWEEN 20200406 AND 20200407";
    let salt = |row: &Row| {
        let digit = Md5::digest(row.1.as_bytes())[0] >> 4;
        format!("{:?}", format!("{digit:03}"))
    };
    let statement = |predicate: &str, by: Option<&str>, form| statement(&table, predicate, by, form);
    let statements = [one_day, two_days].map(|predicate| {
        let of_groups = [None, Some("day")]
            .map(|by| [CheckForm::Groups, CheckForm::Assert].map(|form| statement(predicate, by, form)));
        (of_groups, statement(predicate, None, CheckForm::Rows(1_000)))
    });
    let groups: [&dyn Fn(&Row) -> String; 2] = [&salt, &|row| row.0.to_string()];
    let mut random = Random(53);
    let (mut agreeing, mut differing) = (0, BTreeMap::<String, usize>::new());
    for case in 0..CASES {
        let mut source: Vec<Row> = (0..random.below(20)).map(|_| random.row()).collect();
        // Rows of a key that stands once in HBase.
        source.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        source.dedup_by(|one, other| (one.0, &one.1) == (other.0, &other.1));
        let target = loaded(&mut random, &source);
        let sides = [source.as_slice(), target.as_slice()];
        let database = database(&table, &source, &target);
        for ((of_groups, sql), days) in statements.iter().zip([&DAYS[..1], &DAYS[..2]]) {
            for ([sql, asserting], group) in of_groups.iter().zip(groups) {
                let told = query(&database, sql).unwrap_or_else(|error| panic!("{error}\n{sql}"));
                let expected = expected(sides, days, group);
                let is_same = told.len() == expected.len()
                    && told.iter().zip(&expected).all(|(told, (name, hbase, target, word))| {
                        told[0] == *name
                            && told[1].trim_matches('"').starts_with(word)
                            && told[2..4] == [hbase.to_string(), target.to_string()]
                    });
                assert!(is_same, "case {case}: {told:?}, not {expected:?}\n{source:?}\n{target:?}\n{sql}");
                for (_, _, _, word) in &expected {
                    *differing.entry(word.split(':').next().unwrap_or_default().to_string()).or_default() +=
                        1;
                }
                let asserted = query(&database, asserting);
                assert_eq!(asserted.is_ok(), expected.is_empty(), "case {case}: {asserted:?}");
                agreeing += usize::from(expected.is_empty());
            }
            let mut told = query(&database, sql).unwrap_or_else(|error| panic!("{error}\n{sql}"));
            told.sort();
            let text = |text: &str| format!("{text:?}");
            let number = |number: Option<i64>| number.map_or("NULL".into(), |number| number.to_string());
            let mut rows: Vec<Vec<String>> = counted(sides, days)
                .into_values()
                .filter(|(_, [hbase, target])| hbase != target)
                .map(|((day, id, x, y), [hbase, target])| {
                    let y = y.map_or("NULL".into(), text);
                    vec![hbase.to_string(), target.to_string(), text(&id), number(x), y, day.to_string()]
                })
                .collect();
            rows.sort();
            assert_eq!(told, rows, "case {case}\n{sql}");
        }
    }
    // Each meaning was met, and loads without a fault.
    assert!(agreeing > 100, "{agreeing}");
    let words: Vec<&str> = differing.keys().map(String::as_str).collect();
    assert_eq!(words, ["fewer", "foreign", "missing", "more", "repeated", "values"]);
}

//! Partitions by key fields of every kind, with every possible type: what the printed INSERTs write, static
//! and dynamic, is found under the values of the rows, in the partitions that `plan` lists.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use serde_json::{Map, Value};

use crate::engine::{Engine, Engines, trials_on};
use crate::saltplan;

const TABLE: &str = "saltplan_partitions";

/// A key field, its types as a partition, and its value in each of the rows.
struct Field {
    name: &'static str,
    declared: &'static str,
    types: &'static [&'static str],
    values: [&'static str; ROWS],
}

/// The first one is requested alone, then together with the second; never the third.
const ROWS: usize = 3;

const FIELDS: [Field; 6] = [
    Field {
        name: "kind",
        declared: "type: string, values: ['a/b', 'A b', 'c=d']",
        types: &["string", "varchar(3)", "char(3)"],
        values: ["a/b", "A b", "c=d"],
    },
    Field {
        name: "small",
        declared: "type: int, encoding: decimal, width: 2",
        types: &["tinyint", "smallint", "int", "bigint", "decimal(2)", "string", "varchar(2)"],
        values: ["7", "0", "42"],
    },
    Field {
        name: "big",
        declared: "type: bigint, encoding: decimal",
        types: &["bigint", "decimal(19)", "string", "varchar(20)"],
        values: ["-5", "9223372036854775807", "0"],
    },
    Field {
        name: "day",
        declared: "type: date, format: yyyyMMdd",
        types: &["int", "bigint", "string", "varchar(8)", "char(8)", "decimal(8)"],
        values: ["20200406", "00010101", "99991231"],
    },
    Field {
        name: "iso",
        declared: "type: date, format: yyyy-MM-dd",
        types: &["string", "date", "varchar(10)", "char(10)"],
        values: ["2020-04-06", "1969-12-31", "2000-01-01"],
    },
    Field {
        name: "ts",
        declared: "type: timestamp, epoch: s, encoding: decimal, width: 10",
        types: &["bigint", "decimal(10)"],
        values: ["1586131200", "0", "9999999999"],
    },
];

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    trials_on(Engine::ALL, root, engines, |engine| format!("{engine}::partitions"), check)
}

fn check(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let first = schema(0)?;
    fill(root, engines, &first)?;
    engines.begin(engine)?;
    let mapping = saltplan::run(root, &["ddl", &first, "--only", "mapping"], "")?;
    engines.script(engine, &format!("DROP TABLE IF EXISTS {TABLE}_map;\n{mapping}"))?;
    let most = FIELDS.iter().map(|field| field.types.len()).max().unwrap_or(0);
    for choice in 0..most {
        let schema = schema(choice)?;
        let target = saltplan::run(root, &["ddl", &schema, "--only", "target"], "")?;
        engines.script(engine, &format!("DROP TABLE IF EXISTS {TABLE}_target;\n{target}"))?;
        for asked in [1, 2] {
            insert(root, engines, engine, &schema, choice, asked)
                .with_context(|| format!("{asked} of the rows, types {choice}"))?;
        }
    }
    Ok(())
}

/// The INSERT of the first rows: for one row it has all partition values, for more only the columns.
fn insert(
    root: &Path,
    engines: &Engines,
    engine: Engine,
    schema: &str,
    choice: usize,
    asked: usize,
) -> Result<()> {
    let conditions = FIELDS.map(|field| {
        let values = field.values[..asked].iter().map(|value| constant(&field, value));
        format!("{} IN ({})", field.name, values.collect::<Vec<_>>().join(", "))
    });
    let predicate = conditions.join(" AND ");
    let arguments = ["plan", schema, &predicate, "--engine", engine.option(), "--max-branches", "1"];
    let statement = saltplan::run(root, &arguments, "")?;
    ensure!(statement.contains("hive.exec.dynamic.partition") == (asked > 1), "{statement}");
    engines.script(engine, &statement)?;

    let columns = FIELDS.map(|field| format!("cast(`{}` as string)", field.name)).join(", ");
    let mut found = engines.query(engine, &format!("SELECT `v`, {columns} FROM {TABLE}_target"))?;
    found.sort_unstable();
    let row = |row: usize| {
        let cells =
            FIELDS.iter().map(|field| shown(field.types[choice % field.types.len()], field.values[row]));
        std::iter::once(format!("row {row}")).chain(cells).collect::<Vec<_>>().join("\t")
    };
    let expected: Vec<String> = (0..asked).map(row).collect();
    ensure!(found == expected, "{found:?}, expected {expected:?}\n{statement}");

    // The rows are in partitions that `plan` lists.
    let json = saltplan::run(root, &[&arguments[..], &["--output-format", "json"]].concat(), "")?;
    let json: Value = serde_json::from_str(&json)?;
    let named = json["partitions"].as_array().context("no partitions are named")?;
    let partitions = engines.query(engine, &format!("SHOW PARTITIONS {TABLE}_target"))?;
    ensure!(partitions.len() == asked, "{partitions:?}");
    for partition in &partitions {
        let is_named = named.iter().any(|name| name.as_str() == Some(partition));
        ensure!(is_named, "{partition} is none of {named:?}");
    }
    Ok(())
}

fn schema(choice: usize) -> Result<String> {
    let fields = FIELDS.map(|field| format!("    - {{ name: {}, {} }}\n", field.name, field.declared));
    let partition = FIELDS.map(|field| {
        let hive_type = field.types[choice % field.types.len()];
        format!("      - {{ name: {}, type: '{hive_type}' }}\n", field.name)
    });
    let text = format!(
        "saltplan: 1
hbase: {{ table: '{TABLE}', families: {{ f: {{}} }} }}
key:
  separator: '|'
  fields:
{}columns: [{{ name: v, type: string, hbase: 'f:v' }}]
hive:
  mapping: {{ table: {TABLE}_map, key_column: rowkey }}
  target:
    table: {TABLE}_target
    columns: [v]
    partition:
{}",
        fields.concat(),
        partition.concat(),
    );
    let path = saltplan::folder()?.join(format!("{TABLE}_{choice}.yaml"));
    fs::write(&path, text)?;
    Ok(path.to_string_lossy().into_owned())
}

fn fill(root: &Path, engines: &Engines, schema: &str) -> Result<()> {
    let row = |row: usize| {
        let members = FIELDS.iter().map(|field| (field.name.to_string(), Value::from(field.values[row])));
        format!("{}\n", Value::from(members.collect::<Map<_, _>>()))
    };
    let rows: String = (0..ROWS).map(row).collect();
    let keys = saltplan::run(root, &["key", "encode", schema, "--keys", "hex"], &rows)?;
    engines.client("drop", TABLE)?;
    engines.shell(&format!("create '{TABLE}', 'f'\n"))?;
    let hex = |row: usize| crate::rows::hex(format!("row {row}").as_bytes());
    let puts = keys.lines().enumerate().map(|(row, key)| format!("\n{key}\tf:v={}", hex(row)));
    engines.client("put", &format!("{TABLE}{}", puts.collect::<String>()))?;
    Ok(())
}

fn is_number(field: &Field) -> bool {
    field.declared.contains("int") || field.declared.contains("epoch")
}

/// As written in a predicate.
fn constant(field: &Field, value: &str) -> String {
    if is_number(field) { value.into() } else { format!("'{value}'") }
}

/// As the type shows it: numbers without leading zeros.
fn shown(hive_type: &str, value: &str) -> String {
    let is_number = hive_type.contains("int") || hive_type.starts_with("decimal");
    match value.trim_start_matches('0') {
        "" => "0".into(),
        digits if is_number => digits.into(),
        _ => value.into(),
    }
}

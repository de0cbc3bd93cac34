//! The TPC-H queries as they are published, over data of the scale 0.01 (a sample: some of them, 0.001): with `lineitem` and `orders` in HBase under salted row keys,
//! each query returns, as `saltplan rewrite` makes it, the rows that it returns over native tables, and HBase reads no more than the
//! ranges contain.
//!
//! The queries are those of `pushed/`; the data is made by tpchgen-cli, which pip installs into target/tpch. Neither is stored here.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use saltplan_law::sample::{is_sampled, sampled};
use serde_json::Value;

use crate::engine::{Engine, Engines, trials_on};
use crate::pushed::{SETS, Set, Tables};
use crate::rewrite::{self, Keys};
use crate::rows::hex;
use crate::saltplan;

const GENERATOR: &str = "tpchgen-cli==4.0.0";
const NATIVE: &str = "saltplan_tpch_native";
const SALTED: &str = "saltplan_tpch";

/// A table in HBase, with the fields of its row key behind the salt.
struct Salted {
    name: &'static str,
    salt_of: &'static str,
    fields: &'static [(&'static str, &'static str)],
}

const DAY: &str = "type: date, format: yyyyMMdd, hive_type: date";
const NUMBER: &str = "type: bigint, encoding: decimal, width: 8";

const TABLES: [Salted; 2] = [
    Salted {
        name: "lineitem",
        salt_of: "l_orderkey",
        fields: &[
            ("l_shipdate", DAY),
            ("l_orderkey", NUMBER),
            ("l_linenumber", "type: int, encoding: decimal, width: 1"),
        ],
    },
    Salted { name: "orders", salt_of: "o_orderkey", fields: &[("o_orderdate", DAY), ("o_orderkey", NUMBER)] },
];

/// Over native tables, too, a join that does not fit into its hash table fails on vectorised Hive 3.1.3 with a `ClassCastException`:
/// `LongColumnVector` and `DecimalColumnVector`.
const SETTINGS: &str = "set hive.mapjoin.hybridgrace.hashtable=false;\n";

/// Rows that a scan may read behind its range.
const MORE_ROWS: u64 = 4;

/// Each salt is a region of its own, and so a scan.
const SALTS: u64 = 4;

/// Queries of a WITH that is named twice, which Hive runs twice.
const READ_TWICE: [&str; 1] = ["tpch/q15"];

/// Of the 22 queries, a sample takes every so many.
const STEP: usize = 4;

/// How much data there is, as tpchgen-cli takes it, and how many references of its queries are narrowed at least: fewer would mean
/// that the trial has lost some.
fn size() -> (&'static str, usize) {
    if is_sampled() { ("0.001", 3) } else { ("0.01", 12) }
}

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    trials_on([Engine::Tez], root, engines, |engine| format!("{engine}::tpch"), check)
}

fn check(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let data = generate(root).with_context(|| format!("the data of {GENERATOR}"))?;
    let set = SETS.iter().find(|set| set.name == "tpch").context("no set tpch")?;
    let tables = Tables::read(root, set.tables)?;
    let folder = saltplan::folder()?.join("tpch");
    fs::create_dir_all(&folder)?;
    let keys = fill(root, engines, &tables, &data, &folder)?;
    compare(root, engines, engine, set, &tables, &folder, &keys)
}

/// The folder with the files of the tables, which are made if they are missing.
fn generate(root: &Path) -> Result<PathBuf> {
    let folder = root.join("target/tpch");
    let (scale, _) = size();
    let data = folder.join(format!("data-{scale}"));
    if data.exists() {
        return Ok(data);
    }
    fs::create_dir_all(&folder)?;
    let python = folder.join("python");
    run(Command::new("python3").args(["-m", "venv"]).arg(&python))?;
    run(Command::new(python.join("bin/pip")).args(["install", "--quiet", GENERATOR]))?;
    let made = folder.join("data.part");
    if made.exists() {
        fs::remove_dir_all(&made)?;
    }
    run(Command::new(python.join("bin/tpchgen-cli")).args(["-s", scale, "--output-dir"]).arg(&made))?;
    fs::rename(&made, &data)?;
    Ok(data)
}

fn run(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// Creates all tables as native ones, and the salted ones in HBase with the rows of the native ones. Returns the keys of each.
fn fill(
    root: &Path,
    engines: &Engines,
    tables: &Tables,
    data: &Path,
    folder: &Path,
) -> Result<BTreeMap<&'static str, Keys>> {
    // MapReduce is the fastest here.
    let engine = Engine::Mr;
    engines.begin(engine)?;
    for database in [NATIVE, SALTED] {
        engines.script(
            engine,
            &format!("DROP DATABASE IF EXISTS {database} CASCADE;\nCREATE DATABASE {database};\n"),
        )?;
        for name in tables.names() {
            if database == SALTED && TABLES.iter().any(|table| table.name == name) {
                continue;
            }
            // A folder for each table, as Hive wants it.
            let rows = folder.join(name);
            fs::create_dir_all(&rows)?;
            fs::copy(data.join(name).with_extension("tbl"), rows.join("rows.tbl"))?;
            engines.script(
                engine,
                &format!(
                    "USE {database};\n{}\nROW FORMAT DELIMITED FIELDS TERMINATED BY '|' LOCATION 'file://{}';\n",
                    tables.create(name, name).replacen("CREATE", "CREATE EXTERNAL", 1),
                    rows.display()
                ),
            )?;
        }
    }
    let schemas = folder.join("schemas");
    fs::create_dir_all(&schemas)?;
    let mut keys = BTreeMap::new();
    for table in &TABLES {
        let path = schemas.join(table.name).with_extension("yaml");
        fs::write(&path, schema(table, tables)?)?;
        let path = path.to_string_lossy();
        engines.client("drop", &hbase_table(table))?;
        engines.shell(&saltplan::run(root, &["ddl", &path, "--only", "hbase"], "")?)?;
        engines.script(engine, &saltplan::run(root, &["ddl", &path, "--only", "mapping,view"], "")?)?;
        let from = format!("{NATIVE}.{}", table.name);
        engines.script(engine, &saltplan::run(root, &["load", &path, "--from", &from], "")?)?;
        let of_table = engines.query(engine, &format!("SELECT rowkey FROM {SALTED}.{}_map", table.name))?;
        let of_table = Keys::new(of_table.iter().map(|key| hex(key.as_bytes())).collect());
        let made = fs::read_to_string(data.join(table.name).with_extension("tbl"))?.lines().count();
        ensure!(of_table.count() == made as u64, "{} rows of {}, not {made}", of_table.count(), table.name);
        keys.insert(table.name, of_table);
    }
    Ok(keys)
}

fn hbase_table(table: &Salted) -> String {
    format!("saltplan_tpch_{}", table.name)
}

fn schema(table: &Salted, tables: &Tables) -> Result<String> {
    let Salted { name, salt_of, fields, .. } = table;
    let is_field = |column: &str| fields.iter().any(|(field, _)| *field == column);
    let fields: String =
        fields.iter().map(|(field, layout)| format!("    - {{ name: {field}, {layout} }}\n")).collect();
    let columns: String = tables
        .columns(name)?
        .iter()
        .filter(|(column, _)| !is_field(column))
        .map(|(column, hive_type)| {
            format!("  - {{ name: {column}, type: '{hive_type}', hbase: 'f:{column}' }}\n")
        })
        .collect();
    Ok(format!(
        "saltplan: 1
hbase: {{ table: {}, families: {{ f: {{}} }} }}
key:
  salt: {{ modulo: {{ of: {salt_of}, by: {SALTS}, write: decimal }} }}
  fields:
{fields}regions: {{ per_salt: {{}} }}
columns:
{columns}hive: {{ mapping: {{ table: {SALTED}.{name}_map, key_column: rowkey }}, view: {SALTED}.{name} }}
",
        hbase_table(table)
    ))
}

fn compare(
    root: &Path,
    engines: &Engines,
    engine: Engine,
    set: &Set,
    tables: &Tables,
    folder: &Path,
    keys: &BTreeMap<&'static str, Keys>,
) -> Result<()> {
    let others = folder.join("others.sql");
    let creates: Vec<String> = tables
        .names()
        .filter(|name| TABLES.iter().all(|table| table.name != *name))
        .map(|name| tables.create(name, name))
        .collect();
    fs::write(&others, creates.join(";\n"))?;
    let schemas = folder.join("schemas");
    let (schemas_option, others) = (schemas.to_string_lossy(), others.to_string_lossy());
    let (mut faults, mut narrowed, mut with_rows) = (Vec::new(), 0, 0);
    set.fetch(root)?;
    let queries: Vec<_> = sampled(set.queries(root, tables)?, STEP).collect();
    for query in &queries {
        let arguments = [
            "rewrite",
            "--schemas",
            &schemas_option,
            "--tables",
            &others,
            "--database",
            SALTED,
            "--engine",
            engine.option(),
            "--output-format",
            "json",
            "--allow-full-scan",
        ];
        let report: Value = serde_json::from_str(&saltplan::run(root, &arguments, &query.text)?)?;
        let file = &report["files"][0];
        let references = file["references"].as_array().context("no references")?;
        let of_query = references.iter().filter(|reference| reference["pruned"] == true).count();
        narrowed += of_query;
        let text = file["sql"].as_str().context("no text")?;
        let ask = |database: &str, text: &str| -> Result<Vec<String>> {
            rewrite::begin(engines, engine)?;
            engines.script(engine, &format!("{SETTINGS}USE {database};\n"))?;
            rewrite::rows(engines, engine, text)
        };
        let expected = match ask(NATIVE, &query.text) {
            Ok(expected) => expected,
            Err(error) => {
                faults.push(format!("{} over native tables: {error:#}", query.name));
                continue;
            }
        };
        let before = reads(engines)?;
        match ask(SALTED, text) {
            Ok(found) if found == expected => {}
            Ok(found) => faults.push(format!(
                "{}: {} rows, not {}: {found:?}\nnot {expected:?}\n{text}",
                query.name,
                found.len(),
                expected.len()
            )),
            Err(error) => faults.push(format!("{}: {error:#}\n{text}", query.name)),
        }
        let reads = reads(engines)? - before;
        with_rows += usize::from(!expected.is_empty());
        println!(
            "{engine}::{}: {} rows; {of_query} of {} references narrowed, {reads} rows read",
            query.name,
            expected.len(),
            references.len()
        );
        let mut most = 0;
        for reference in references {
            most += most_reads(root, &schemas, reference, keys)?;
        }
        if READ_TWICE.contains(&query.name.as_str()) {
            most *= 2;
        }
        if reads > most {
            faults.push(format!("{}: HBase read {reads} rows where the ranges hold {most}", query.name));
        }
    }
    println!(
        "{engine}::tpch: {} of {} queries with the rows of native tables, {with_rows} with rows; {narrowed} references narrowed",
        queries.len() - faults.len(),
        queries.len()
    );
    ensure!(faults.is_empty(), "{}", faults.join("\n\n"));
    let (_, least_narrowed) = size();
    ensure!(narrowed >= least_narrowed, "only {narrowed} references narrowed");
    ensure!(with_rows * 4 > queries.len() * 3, "only {with_rows} queries with rows");
    Ok(())
}

/// The rows that HBase reads at most for a reference.
fn most_reads(
    root: &Path,
    schemas: &Path,
    reference: &Value,
    keys: &BTreeMap<&'static str, Keys>,
) -> Result<u64> {
    let table = reference["table"].as_str().context("no table")?;
    let keys = keys.get(table).with_context(|| format!("{table} is not salted"))?;
    if reference["pruned"] != true {
        return Ok(keys.count() + MORE_ROWS * SALTS);
    }
    let predicate = reference["reads"]["predicate"].as_str().context("no predicate")?;
    let schema = schemas.join(table).with_extension("yaml");
    let ranges = reference["reads"]["ranges"].as_u64().context("no ranges")?;
    Ok(keys.in_ranges(root, &schema.to_string_lossy(), predicate)? + MORE_ROWS * ranges.max(1))
}

/// What HBase has read of both tables.
fn reads(engines: &Engines) -> Result<u64> {
    let of = |table| -> Result<u64> { Ok(engines.client("reads", &hbase_table(table))?.parse()?) };
    Ok(of(&TABLES[0])? + of(&TABLES[1])?)
}

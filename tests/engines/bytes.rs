//! Binary keys and values in Hive: what each way to declare them reads, finds and writes. The table in
//! `docs/designs.md` shows the expected results, and what `saltplan` refuses because of them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::engine::{Engine, Engines};
use crate::keys::{self, Random};
use crate::saltplan;

/// The designs with binary keys, and the number of rows of each.
const DESIGNS: [&str; 4] = ["hash_prefix_short", "reversed_id_time", "md5_sampled", "modulo_partition"];
const ROWS: usize = 12;
const TABLE: &str = "saltplan_bytes";
const WRITTEN: &str = "saltplan_bytes_written";
/// A key that is not valid UTF-8.
const KEY: &str = "00ff8041c3";
/// The key after conversion to text: every invalid byte becomes U+FFFD.
const KEY_AS_TEXT: &str = "00efbfbdefbfbd41efbfbd";
/// `AP+AQcM=`
const KEY_AS_BASE64: &str = "41502b4151634d3d";

/// A way to declare the key and the column `v`.
#[derive(Clone, Copy)]
struct Mapping {
    name: &'static str,
    hive_type: &'static str,
    storage: &'static str,
    /// Whether all rows of another program are read correctly, keys and values.
    read: Found,
    /// The key that an INSERT of [`KEY`] stores in HBase.
    written: &'static str,
    /// What `key >= bytes` and `key = bytes` give: wrong rows, or a failure of the statement.
    bounds: Bounds,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    Right,
    Wrong,
}

#[derive(Clone, Copy, Debug)]
enum Bounds {
    /// Never the right number of rows.
    Wrong,
    Fail,
}

const MAPPINGS: [Mapping; 4] = [
    Mapping {
        name: "string",
        hive_type: "string",
        storage: "",
        read: Found::Right,
        written: KEY_AS_TEXT,
        bounds: Bounds::Wrong,
    },
    Mapping {
        name: "string_b",
        hive_type: "string",
        storage: "#b",
        read: Found::Right,
        written: KEY_AS_TEXT,
        bounds: Bounds::Wrong,
    },
    Mapping {
        name: "binary",
        hive_type: "binary",
        storage: "",
        // Keys that consist of letters and digits are taken for Base64.
        read: Found::Wrong,
        written: KEY_AS_BASE64,
        bounds: Bounds::Wrong,
    },
    Mapping {
        name: "binary_b",
        hive_type: "binary",
        storage: "#b",
        read: Found::Right,
        written: KEY,
        bounds: Bounds::Fail,
    },
];

/// One trial for each engine and mapping.
pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let lab = Arc::new(Mutex::new(Lab { root: root.to_owned(), engines: engines.clone(), keys: Vec::new() }));
    let mut trials = Vec::new();
    for engine in Engine::ALL {
        for mapping in MAPPINGS {
            let lab = Arc::clone(&lab);
            trials.push(Trial::test(format!("{engine}::bytes::{}", mapping.name), move || {
                let mut lab = lab.lock().unwrap_or_else(PoisonError::into_inner);
                lab.check(engine, mapping).map_err(|error| Failed::from(format!("{error:#}")))
            }));
        }
    }
    trials
}

struct Lab {
    root: PathBuf,
    engines: Engines,
    /// In hex and in byte order; empty before the table is filled.
    keys: Vec<String>,
}

impl Lab {
    fn check(&mut self, engine: Engine, mapping: Mapping) -> Result<()> {
        self.fill()?;
        self.engines.begin(engine)?;
        let table = format!("{TABLE}_{}", mapping.name);
        self.declare(engine, &table, TABLE, mapping)?;

        for column in ["key", "v"] {
            self.check_reading(engine, &table, column, mapping.read)?;
        }
        self.check_bounds(engine, &table, mapping)?;
        self.check_writing(engine, mapping)
    }

    /// One row for each key; `f:v` contains the key again.
    fn fill(&mut self) -> Result<()> {
        if !self.keys.is_empty() {
            return Ok(());
        }
        let mut keys = Vec::new();
        for design in DESIGNS {
            let mut random = Random::new(design);
            let rows: String = (0..ROWS)
                .map(|row| format!("{}\n", Value::from(keys::object(&keys::row(design, &mut random, row)))))
                .collect();
            let schema = format!("schemas/examples/{design}.yaml");
            let encoded = saltplan::run(&self.root, &["key", "encode", &schema, "--keys", "hex"], &rows)?;
            keys.extend(encoded.lines().map(str::to_owned));
        }
        keys.sort_unstable();
        keys.dedup();
        for table in [TABLE, WRITTEN] {
            self.engines.client("drop", table)?;
            self.engines.shell(&format!("create '{table}', 'f'\n"))?;
        }
        let lines: String = keys.iter().map(|key| format!("\n{key}\tf:v={key}")).collect();
        self.engines.client("put", &format!("{TABLE}{lines}"))?;
        self.keys = keys;
        Ok(())
    }

    fn declare(&self, engine: Engine, table: &str, hbase: &str, mapping: Mapping) -> Result<()> {
        let Mapping { hive_type, storage, .. } = mapping;
        let script = format!(
            "DROP TABLE IF EXISTS {table};
CREATE EXTERNAL TABLE {table} (`key` {hive_type}, `v` {hive_type})
  STORED BY 'org.apache.hadoop.hive.hbase.HBaseStorageHandler'
  WITH SERDEPROPERTIES ('hbase.columns.mapping' = ':key{storage},f:v{storage}')
  TBLPROPERTIES ('hbase.table.name' = '{hbase}');
"
        );
        self.engines.script(engine, &script)?;
        Ok(())
    }

    fn check_reading(&self, engine: Engine, table: &str, column: &str, expected: Found) -> Result<()> {
        let mut rows = self.query(engine, &format!("SELECT lower(hex(`{column}`)) FROM {table}"))?;
        rows.sort_unstable();
        let found = if rows == self.keys { Found::Right } else { Found::Wrong };
        ensure!(found == expected, "`{column}`: {found:?}, expected {expected:?}: {rows:?}, {:?}", self.keys);
        Ok(())
    }

    fn check_bounds(&self, engine: Engine, table: &str, mapping: Mapping) -> Result<()> {
        let middle = self.keys.len() / 2;
        let bound = self.keys.get(middle).context("no keys")?;
        let ask = |operator: &str| {
            let condition = format!("`key` {operator} unhex('{bound}')");
            self.query(engine, &format!("SELECT lower(hex(`key`)) FROM {table} WHERE {condition}"))
        };
        let expected = mapping.bounds;
        for (operator, right) in [(">=", self.keys.len() - middle), ("=", 1)] {
            let answer = ask(operator);
            let found = answer.as_ref().ok().map(Vec::len);
            let holds = match expected {
                Bounds::Wrong => found != Some(right),
                Bounds::Fail => found.is_none(),
            };
            ensure!(holds, "`{operator}` found {found:?} of {right} rows, expected {expected:?}: {answer:?}");
        }
        Ok(())
    }

    fn check_writing(&self, engine: Engine, mapping: Mapping) -> Result<()> {
        let table = format!("{WRITTEN}_{}", mapping.name);
        self.declare(engine, &table, WRITTEN, mapping)?;
        let key = match mapping.hive_type {
            "string" => format!("cast(unhex('{KEY}') AS string)"),
            _ => format!("unhex('{KEY}')"),
        };
        let value = if mapping.hive_type == "string" { "'v'" } else { "unhex('76')" };
        self.engines.script(
            engine,
            &format!(
                "INSERT INTO TABLE {table} SELECT {key}, {value} FROM {TABLE}_{} LIMIT 1;\n",
                mapping.name
            ),
        )?;
        let stored = self.engines.client("scan", WRITTEN)?;
        let keys: Vec<&str> = stored.lines().filter_map(|row| row.split('\t').next()).collect();
        self.engines.client("drop", WRITTEN)?;
        self.engines.shell(&format!("create '{WRITTEN}', 'f'\n"))?;
        ensure!(keys == [mapping.written], "wrote {keys:?}, expected {}", mapping.written);
        Ok(())
    }

    fn query(&self, engine: Engine, statement: &str) -> Result<Vec<String>> {
        self.engines.query(engine, statement)
    }
}

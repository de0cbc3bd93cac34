//! Writing on the real engines: rows that the printed `load` writes are in HBase under exactly the keys of
//! `key encode`, and the printed `verify` finds wrong keys that were added.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use serde_json::{Map, Value};

use crate::engine::{Engine, Engines};
use crate::example::{self, Copy};
use crate::keys::{self, Fields, Random};
use crate::rows::{hex, native_table};
use crate::saltplan;

const ROWS: usize = 300;
/// The designs for which Hive computes split keys, as plain text and in hex, and the number of regions.
const SAMPLED: [&str; 2] = ["region_number", "md5_nibble_day"];
const REGIONS: usize = 4;

/// A text-keyed design and the mapping of one of its columns, for wrong rows.
struct Design {
    name: &'static str,
    /// From the root of the project.
    folder: &'static str,
    column: &'static str,
    random: bool,
    /// Hive 2 does not have its function.
    needs_hive3: bool,
}

const fn computed(name: &'static str, column: &'static str) -> Design {
    Design { name, folder: example::FOLDER, column, random: false, needs_hive3: false }
}

/// A design with another salt, over the fields of contracts.
const fn salt(name: &'static str) -> Design {
    Design { folder: SALTS, ..computed(name, "info:amount") }
}

/// A design in which contracts may be NULL.
const NULLABLE: &str = "salt_nullable";

const SALTS: &str = "tests/engines/salts";

const DESIGNS: [Design; 25] = [
    computed("md5_nibble_day", "cf1:phone_number"),
    computed("region_number", "f1:called"),
    computed("md5_prefix", "info:amount"),
    computed("md5_whole", "info:customer_id"),
    computed("plain_concat", "info:amount"),
    Design { random: true, ..computed("random_digit", "info:page") },
    Design { random: true, ..computed("random_two_digits", "info:payload") },
    salt("salt_sha1"),
    salt("salt_sha256"),
    salt("salt_crc32"),
    salt("salt_md5"),
    salt("salt_text_last"),
    salt("salt_key_bytes"),
    salt("salt_joined_hash"),
    salt("salt_alphabet"),
    salt("salt_constant"),
    salt("salt_digits"),
    salt("salt_original"),
    salt("salt_objects"),
    salt("salt_charset"),
    salt("salt_utf16"),
    salt("hash_fields"),
    salt(NULLABLE),
    Design { random: true, ..salt("salt_spread") },
    Design { needs_hive3: true, ..salt("salt_murmur") },
];

/// One trial for each engine and design.
pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let lab = Arc::new(Mutex::new(Lab {
        root: root.to_owned(),
        engines: engines.clone(),
        sources: BTreeSet::new(),
    }));
    let mut trials = Vec::new();
    for engine in Engine::ALL {
        for design in DESIGNS.iter().filter(|design| !(design.needs_hive3 && engine == Engine::Mr2)) {
            let lab = Arc::clone(&lab);
            trials.push(Trial::test(format!("{engine}::written::{}", design.name), move || {
                let mut lab = lab.lock().unwrap_or_else(PoisonError::into_inner);
                lab.check(engine, design).map_err(|error| Failed::from(format!("{error:#}")))
            }));
        }
    }
    trials
}

struct Lab {
    root: PathBuf,
    engines: Engines,
    /// Existing sources: Tez and MapReduce of the same Hive share them.
    sources: BTreeSet<String>,
}

impl Lab {
    fn check(&mut self, engine: Engine, design: &Design) -> Result<()> {
        let copy = example::copy_from(&self.root, design.folder, design.name, "written")?;
        let rows = rows(design);
        self.create(&copy)?;
        let source = self.prepare(engine, design, &copy, &rows)?;
        let load = self.saltplan(&["load", &copy.path, "--from", &format!("default.{source}")])?;
        self.engines.begin(engine)?;
        self.engines.script(engine, &load)?;
        let written = self.scan(&copy.hbase)?;
        self.compare(design, &copy, &rows, &written)?;
        if SAMPLED.contains(&design.name) && engine != Engine::Tez {
            self.check_splits(engine, &copy, &written)?;
        }

        let wrong = wrong_keys(design, &written);
        let lines: String = wrong.iter().map(|key| format!("\n{key}\t{}=78", design.column)).collect();
        self.engines.client("put", &format!("{}{lines}", copy.hbase))?;
        // A right row that is counted as wrong would increase this number.
        self.verify(engine, &copy, &Counts { rows: written.len() + wrong.len(), wrong: wrong.len() })
    }

    /// Few regions: each costs every statement a task, and their number does not affect the keys.
    fn create(&self, copy: &Copy) -> Result<()> {
        self.engines.client("drop", &copy.hbase)?;
        let create = self.saltplan(&["ddl", &copy.path, "--only", "hbase"])?;
        let head = create.split(",\n  SPLITS =>").next().unwrap_or_default();
        self.engines.shell(&format!("{head},\n  SPLITS => ['0133', '5', '9a']\n"))?;
        Ok(())
    }

    /// Creates the mapping table and the source; returns the name of the source.
    fn prepare(&mut self, engine: Engine, design: &Design, copy: &Copy, rows: &[Fields]) -> Result<String> {
        let name = format!("saltplan_source_{}", design.name);
        if self.sources.insert(format!("{:?} {name}", engine.home())) {
            // MapReduce creates them, because it is the fastest here.
            let maker = if engine == Engine::Tez { Engine::Mr } else { engine };
            let mapping = self.saltplan(&["ddl", &copy.path, "--only", "mapping"])?;
            let source = source(&name, copy, rows)?;
            self.engines.begin(maker)?;
            self.engines
                .script(maker, &format!("DROP TABLE IF EXISTS {};\n{mapping}{source}", copy.mapping))?;
        }
        Ok(name)
    }

    /// The keys in HBase, in hex.
    fn scan(&self, table: &str) -> Result<Vec<String>> {
        let rows = self.engines.client("scan", table)?;
        Ok(rows.lines().filter_map(|line| line.split('\t').next()).map(str::to_owned).collect())
    }

    fn compare(&self, design: &Design, copy: &Copy, rows: &[Fields], written: &[String]) -> Result<()> {
        ensure!(written.len() == rows.len(), "HBase holds {} keys of {} rows", written.len(), rows.len());
        let found: BTreeSet<String> = if design.random {
            let decoded =
                self.run(&["key", "decode", &copy.path, "--keys", "hex"], &(written.join("\n") + "\n"))?;
            decoded.lines().map(without_salt).collect::<Result<_>>()?
        } else {
            written.iter().cloned().collect()
        };
        let json: String = rows.iter().map(|row| format!("{}\n", Value::from(keys::object(row)))).collect();
        let expected: BTreeSet<String> = if design.random {
            json.lines().map(without_salt).collect::<Result<_>>()?
        } else {
            self.run(&["key", "encode", &copy.path, "--keys", "hex"], &json)?
                .lines()
                .map(str::to_owned)
                .collect()
        };
        let difference: Vec<&String> = found.symmetric_difference(&expected).take(4).collect();
        ensure!(difference.is_empty(), "the keys differ from those of `key encode`: {difference:?}");
        Ok(())
    }

    /// One row of counts: all rows, then one column for each kind of fault.
    fn verify(&self, engine: Engine, copy: &Copy, expected: &Counts) -> Result<()> {
        let verify = self.saltplan(&["verify", &copy.path, "--list", "0", "--no-header"])?;
        let (settings, query) = verify.split_once("SELECT").context("verify prints no query")?;
        self.engines.script(engine, settings)?;
        let query = format!("SELECT{}", query.trim_end().trim_end_matches(';'));
        let counts = self.engines.query(engine, &query)?;
        let numbers: Vec<usize> =
            counts.first().context("no counts")?.split('\t').map(str::parse).collect::<Result<_, _>>()?;
        let found = Counts { rows: numbers[0], wrong: numbers[1..].iter().sum() };
        ensure!(found == *expected, "verify counts {found:?}, expected {expected:?}");
        Ok(())
    }

    /// The quantiles that Hive computes are those of the keys in HBase.
    fn check_splits(&self, engine: Engine, copy: &Copy, written: &[String]) -> Result<()> {
        let regions = REGIONS.to_string();
        let printed =
            self.saltplan(&["splits", &copy.path, "--emit-sql", "--one-in", "1", "--regions", &regions])?;
        let (head, query) = printed.split_once("SELECT").context("no query is printed")?;
        self.engines.script(engine, head)?;
        let query = format!("SELECT{}", query.trim_end().trim_end_matches(';'));
        let found = self.engines.query(engine, &query)?.join("\n") + "\n";
        // As the comment above the query says.
        let form = if head.contains("--key-form hex") { "hex" } else { "text" };
        let found = self.run(&["splits", "--from-splits", "-", "--keys", form], &found)?;
        let keys = written.join("\n") + "\n";
        let expected = ["splits", "--from-keys", "-", "--keys", "hex", "--regions", &regions];
        let expected = self.run(&expected, &keys)?;
        ensure!(found == expected, "Hive finds {found}, the keys give {expected}");
        Ok(())
    }

    fn saltplan(&self, arguments: &[&str]) -> Result<String> {
        self.run(arguments, "")
    }

    fn run(&self, arguments: &[&str], stdin: &str) -> Result<String> {
        saltplan::run(&self.root, arguments, stdin)
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Counts {
    rows: usize,
    wrong: usize,
}

/// Rows with different keys.
fn rows(design: &Design) -> Vec<Fields> {
    let mut random = Random::new(design.name);
    let mut seen = BTreeSet::new();
    let mut rows = Vec::new();
    while rows.len() < ROWS {
        let like = if design.folder == SALTS { "md5_prefix" } else { design.name };
        let mut row = keys::row(like, &mut random, rows.len());
        row.retain(|(name, _)| *name != "_salt");
        if design.name == NULLABLE {
            // An empty contract would be refused.
            let is_empty = |value: &Value| value.as_str().is_some_and(str::is_empty);
            let is_null = rows.len().is_multiple_of(5);
            let contracts = row.iter_mut().filter(|(name, _)| *name == "contract_id").map(|(_, value)| value);
            contracts.filter(|value| is_null || is_empty(value)).for_each(|value| *value = Value::Null);
        }
        if seen.insert(Value::from(keys::object(&row)).to_string()) {
            rows.push(row);
        }
    }
    rows
}

/// A native table with the rows. The values are written in hex, because a text file would not preserve all
/// characters.
fn source(name: &str, copy: &Copy, rows: &[Fields]) -> Result<String> {
    let lines = rows.iter().map(|row| {
        let cell = |value: &Value| match value {
            Value::Null => "\\N".into(),
            value => hex(keys::plain(value).as_bytes()),
        };
        let cells: Vec<String> = row.iter().map(|(_, value)| cell(value)).collect();
        cells.join(",") + "\n"
    });
    let path = saltplan::folder()?.join(format!("{name}.txt"));
    fs::write(&path, lines.collect::<String>())?;
    let names: Vec<&str> = rows[0].iter().map(|(name, _)| *name).collect();
    let decoded = names.iter().map(|name| format!("decode(unhex(`{name}`), 'UTF-8') AS `{name}`"));
    let others = copy.schema.columns.iter().filter(|column| !names.contains(&column.name.as_str()));
    let selected: Vec<String> =
        decoded.chain(others.map(|column| format!("'x' AS `{}`", column.name))).collect();
    Ok(native_table(name, &names, &path, &selected))
}

/// Keys that are wrong in every design: another first byte, a line feed after the salt, only the beginning.
fn wrong_keys(design: &Design, written: &[String]) -> Vec<String> {
    let mut wrong = vec![format!("7a{}", &written[0][2..]), written[1][..6].to_owned()];
    if design.name != "md5_whole" {
        wrong.push(format!("{}0a{}", &written[2][..8], &written[2][10..]));
    }
    wrong
}

fn without_salt(json: &str) -> Result<String> {
    let mut row: Map<String, Value> = serde_json::from_str(json)?;
    // `remove` would change the order.
    row.shift_remove("_salt");
    Ok(Value::from(row).to_string())
}

//! The write side on the real engines: rows that the printed `load` writes lie in HBase under exactly the keys of `key encode`, and the
//! printed `verify` finds the wrong keys that are planted among them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use serde_json::{Map, Value};

use crate::engine::{Engine, Home, Session};
use crate::helper::{Helper, Shell};
use crate::keys::{self, Fields, Random};
use crate::rows::hex;
use crate::saltplan;

const ROWS: usize = 300;
const ANSWER: Duration = Duration::from_secs(120);

/// A text-keyed design and the mapping of one of its columns, for planted rows.
struct Design {
    name: &'static str,
    column: &'static str,
    random: bool,
}

const fn computed(name: &'static str, column: &'static str) -> Design {
    Design { name, column, random: false }
}

const DESIGNS: [Design; 7] = [
    computed("md5_nibble_day", "cf1:phone_number"),
    computed("region_number", "f1:called"),
    computed("md5_prefix", "info:amount"),
    computed("md5_whole", "info:customer_id"),
    computed("plain_concat", "info:amount"),
    Design { random: true, ..computed("random_digit", "info:page") },
    Design { random: true, ..computed("random_two_digits", "info:payload") },
];

/// One trial for each engine and design.
pub fn trials(root: &Path) -> Vec<Trial> {
    let lab = Arc::new(Mutex::new(Lab::new(root)));
    let mut trials = Vec::new();
    for engine in Engine::ALL {
        for design in &DESIGNS {
            let lab = Arc::clone(&lab);
            trials.push(
                Trial::test(format!("{engine}::written::{}", design.name), move || {
                    let mut lab = lab.lock().unwrap_or_else(PoisonError::into_inner);
                    lab.check(engine, design).map_err(|error| Failed::from(format!("{error:#}")))
                })
                // Not yet seen green for every design on every engine: run them with `--ignored`.
                .with_ignored_flag(true),
            );
        }
    }
    trials
}

struct Lab {
    root: PathBuf,
    script: PathBuf,
    client: Option<Helper>,
    shell: Option<Shell>,
    hive3: Session,
    hive2: Session,
}

/// A copy of an example with tables of its own.
struct Copy {
    schema: String,
    hbase: String,
    mapping: String,
    /// Columns that are no key fields.
    columns: Vec<String>,
}

impl Lab {
    fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            script: root.join("tests/engines/lab"),
            client: None,
            shell: None,
            hive3: Session::new(Home::Hive3),
            hive2: Session::new(Home::Hive2),
        }
    }

    fn check(&mut self, engine: Engine, design: &Design) -> Result<()> {
        let copy = self.copy(design)?;
        let rows = rows(design);
        self.prepare(engine, &copy, &rows)?;
        let load = self.saltplan(&["load", &copy.schema, "--from", "default.saltplan_source"])?;
        let script = self.script.clone();
        self.session(engine).1.script(&script, &load)?;
        let written = self.scan(&copy.hbase)?;
        self.compare(design, &copy, &rows, &written)?;
        let mut expected = Counts { rows: written.len(), ..Counts::default() };
        self.verify(engine, &copy, &expected)?;

        let wrong = wrong_keys(design, &written);
        let lines: String = wrong.iter().map(|key| format!("\n{key}\t{}=78", design.column)).collect();
        self.client("put", &format!("{}{lines}", copy.hbase))?;
        expected.rows += wrong.len();
        expected.wrong = wrong.len();
        self.verify(engine, &copy, &expected)
    }

    /// The example under other names, so that the cases on the example keep their rows.
    fn copy(&self, design: &Design) -> Result<Copy> {
        let text = fs::read_to_string(self.root.join(format!("schemas/examples/{}.yaml", design.name)))?;
        let hbase = between(&text, "  table: '", "'")?;
        let mapping = between(&text, "  mapping:\n    table: ", "\n")?;
        let changed = text
            .replace(&hbase, &format!("{hbase}_written"))
            .replace(&mapping, &format!("{mapping}_written"));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}_written.yaml", design.name));
        fs::write(&path, changed)?;
        let columns = text
            .lines()
            .filter(|line| line.contains(" hbase: '"))
            .filter_map(|line| line.split("name: ").nth(1)?.split(',').next().map(str::to_owned));
        Ok(Copy {
            schema: path.to_string_lossy().into_owned(),
            hbase: format!("{hbase}_written"),
            mapping: format!("{mapping}_written"),
            columns: columns.collect(),
        })
    }

    fn prepare(&mut self, engine: Engine, copy: &Copy, rows: &[Fields]) -> Result<()> {
        self.client("drop", &copy.hbase)?;
        let create = self.saltplan(&["ddl", &copy.schema, "--only", "hbase"])?;
        self.shell(&create)?;
        let mapping = self.saltplan(&["ddl", &copy.schema, "--only", "mapping"])?;
        let source = source(copy, rows)?;
        let script = self.script.clone();
        let (engine, session) = self.session(engine);
        session.begin(&script, engine)?;
        session.script(&script, &format!("DROP TABLE IF EXISTS {};\n{mapping}{source}", copy.mapping))?;
        Ok(())
    }

    fn session(&mut self, engine: Engine) -> (Engine, &mut Session) {
        match engine.home() {
            Home::Hive3 => (engine, &mut self.hive3),
            Home::Hive2 => (engine, &mut self.hive2),
        }
    }

    /// The keys that HBase holds, in hex.
    fn scan(&mut self, table: &str) -> Result<Vec<String>> {
        let rows = self.client("scan", table)?;
        Ok(rows.lines().filter_map(|line| line.split('\t').next()).map(str::to_owned).collect())
    }

    fn compare(&self, design: &Design, copy: &Copy, rows: &[Fields], written: &[String]) -> Result<()> {
        ensure!(written.len() == rows.len(), "HBase holds {} keys of {} rows", written.len(), rows.len());
        let found: BTreeSet<String> = if design.random {
            let decoded =
                self.run(&["key", "decode", &copy.schema, "--keys", "hex"], &(written.join("\n") + "\n"))?;
            decoded.lines().map(without_salt).collect::<Result<_>>()?
        } else {
            written.iter().cloned().collect()
        };
        let json: String = rows.iter().map(|row| format!("{}\n", Value::from(keys::object(row)))).collect();
        let expected: BTreeSet<String> = if design.random {
            json.lines().map(without_salt).collect::<Result<_>>()?
        } else {
            self.run(&["key", "encode", &copy.schema, "--keys", "hex"], &json)?
                .lines()
                .map(str::to_owned)
                .collect()
        };
        let difference: Vec<&String> = found.symmetric_difference(&expected).take(4).collect();
        ensure!(difference.is_empty(), "the keys differ from those of `key encode`: {difference:?}");
        Ok(())
    }

    /// One row of counts: all rows, then one column for each kind of fault.
    fn verify(&mut self, engine: Engine, copy: &Copy, expected: &Counts) -> Result<()> {
        let verify = self.saltplan(&["verify", &copy.schema, "--list", "0", "--no-header"])?;
        let (settings, query) = verify.split_once("SELECT").context("verify prints no query")?;
        let (script, query) =
            (self.script.clone(), format!("SELECT{}", query.trim_end().trim_end_matches(';')));
        let session = self.session(engine).1;
        session.script(&script, settings)?;
        let counts = session.query(&script, &query)?;
        let numbers: Vec<usize> =
            counts.first().context("no counts")?.split('\t').map(str::parse).collect::<Result<_, _>>()?;
        let found = Counts { rows: numbers[0], wrong: numbers[1..].iter().sum() };
        ensure!(found == *expected, "verify counts {found:?}, expected {expected:?}");
        Ok(())
    }

    fn saltplan(&self, arguments: &[&str]) -> Result<String> {
        self.run(arguments, "")
    }

    fn run(&self, arguments: &[&str], stdin: &str) -> Result<String> {
        saltplan::run(&self.root, arguments, stdin)
    }

    fn client(&mut self, verb: &str, body: &str) -> Result<String> {
        let client = match self.client.take() {
            Some(client) => self.client.insert(client),
            None => self.client.insert(Helper::start(&self.script, "hbase")?),
        };
        client.ask(verb, body, ANSWER)?
    }

    fn shell(&mut self, script: &str) -> Result<String> {
        let shell = match self.shell.take() {
            Some(shell) => self.shell.insert(shell),
            None => self.shell.insert(Shell::start(&self.script)?),
        };
        shell.run(script, ANSWER).with_context(|| format!("running in the HBase shell:\n{script}"))
    }
}

#[derive(Debug, PartialEq, Eq, Default)]
struct Counts {
    rows: usize,
    wrong: usize,
}

fn between(text: &str, before: &str, after: &str) -> Result<String> {
    let (_, rest) = text.split_once(before).with_context(|| format!("the example has no `{before}`"))?;
    Ok(rest.split(after).next().unwrap_or_default().to_owned())
}

/// Rows with different keys.
fn rows(design: &Design) -> Vec<Fields> {
    let mut random = Random::new(design.name);
    let mut seen = BTreeSet::new();
    let mut rows = Vec::new();
    while rows.len() < ROWS {
        let mut row = keys::row(design.name, &mut random, rows.len());
        row.retain(|(name, _)| *name != "_salt");
        if seen.insert(Value::from(keys::object(&row)).to_string()) {
            rows.push(row);
        }
    }
    rows
}

/// A native table with the rows. The values travel in hex: a text file would not keep all characters.
fn source(copy: &Copy, rows: &[Fields]) -> Result<String> {
    let lines = rows.iter().map(|row| {
        let cells: Vec<String> = row.iter().map(|(_, value)| hex(keys::plain(value).as_bytes())).collect();
        cells.join(",") + "\n"
    });
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("written_source.txt");
    fs::write(&path, lines.collect::<String>())?;
    let names: Vec<&str> = rows[0].iter().map(|(name, _)| *name).collect();
    let declared: Vec<String> = names.iter().map(|name| format!("`{name}` string")).collect();
    let decoded = names.iter().map(|name| format!("decode(unhex(`{name}`), 'UTF-8') AS `{name}`"));
    let others = copy.columns.iter().filter(|column| !names.contains(&column.as_str()));
    let selected: Vec<String> = decoded.chain(others.map(|column| format!("'x' AS `{column}`"))).collect();
    Ok(format!(
        "DROP TABLE IF EXISTS saltplan_source_hex;
CREATE TABLE saltplan_source_hex ({}) ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' STORED AS TEXTFILE;
LOAD DATA LOCAL INPATH '{}' INTO TABLE saltplan_source_hex;
DROP TABLE IF EXISTS saltplan_source;
CREATE TABLE saltplan_source STORED AS ORC AS SELECT {} FROM saltplan_source_hex;
",
        declared.join(", "),
        path.display(),
        selected.join(", "),
    ))
}

/// Keys that are wrong in every design: another first byte, a line feed behind the salt, the beginning alone.
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

//! Tables of Apache Phoenix in the HBase of the lab: Phoenix creates and fills them, and selects rows; the scans that `saltplan scan`
//! prints for the same condition return the same rows in the HBase shell. The schema file is the one that `saltplan init` makes of the
//! CREATE TABLE; it gives the same split keys, and reads every stored row key.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use super::{KeyColumn, NAMES, NANOS, PhoenixTable, TYPES, Values};
use crate::engine::Engines;
use crate::helper::Helper;
use crate::keys::{self, Fields, Random};
use crate::layouts;
use crate::saltplan;

/// The number of values of each column.
const VALUES: usize = 5;
const COMPARISONS: [&str; 5] = ["=", "<", "<=", ">", ">="];
/// With names for columns instead of numbers.
const OPTIONS: &str = ", COLUMN_ENCODED_BYTES = 0";
/// The column with the number of a row.
const NUMBER: &str = "0:V";
/// The first connection creates Phoenix' own tables.
const ANSWER: Duration = Duration::from_secs(300);

pub fn trials(root: &Path, engines: &Engines) -> Result<Vec<Trial>> {
    let lab = Lab { root: root.to_owned(), engines: engines.clone(), phoenix: Arc::default() };
    let mut trials = Vec::new();
    // Phoenix 5.1.3 has no classes for later servers.
    let is_ignored = std::env::var("SALTPLAN_LAB_SERVER").is_ok_and(|server| server != "hbase");
    let shared = lab.clone();
    trials.push(trial("phoenix::types".to_string(), move || shared.check_types()));
    for file in read_all(&root.join("tests/engines/phoenix"))? {
        let lab = lab.clone();
        trials.push(trial(format!("phoenix::{}", file.name), move || lab.check_file(&file)));
    }
    Ok(trials.into_iter().map(|trial| trial.with_ignored_flag(is_ignored)).collect())
}

fn trial(name: String, check: impl FnOnce() -> Result<()> + Send + 'static) -> Trial {
    Trial::test(name, move || check().map_err(|error| Failed::from(format!("{error:#}"))))
}

#[derive(Clone)]
struct Lab {
    root: PathBuf,
    engines: Engines,
    phoenix: Arc<Mutex<Option<Helper>>>,
}

/// A condition for Phoenix, the same for saltplan, and how many rows it has, where that is known.
struct Comparison {
    phoenix: String,
    saltplan: String,
    rows: Option<usize>,
}

/// A table that Phoenix has created.
struct Table<'a> {
    /// As HBase has it.
    name: &'a str,
    schema: String,
    rows: usize,
}

impl Lab {
    /// Every type in both orders and at every place of a key, with conditions on the columns up to it.
    fn check_types(&self) -> Result<()> {
        let mut random = Random::new("phoenix::server");
        let mut columns: Vec<KeyColumn> = Vec::new();
        for descending in [false, true] {
            columns.extend(TYPES.iter().map(|of| KeyColumn { of, descending }));
        }
        let mut compared = 0;
        let mut differences = Vec::new();
        for number in 0.. {
            let rest = columns.split_off(NAMES.len().min(columns.len()));
            let table = PhoenixTable { number, columns, buckets: 1 + number as u64 };
            match self.check_table(&mut random, &table) {
                Ok(count) => compared += count,
                Err(error) => differences.push(format!("{error:#}")),
            }
            if rest.is_empty() {
                break;
            }
            columns = rest;
        }
        ensure!(differences.is_empty(), "{}", differences.join("\n\n"));
        ensure!(compared > 500, "only {compared} conditions had rows");
        Ok(())
    }

    /// Returns the number of conditions with rows.
    fn check_table(&self, random: &mut Random, table: &PhoenixTable) -> Result<usize> {
        let create = table.create_with(|_| false) + OPTIONS;
        let values: Vec<Vec<(Value, String)>> = table
            .columns
            .iter()
            .map(|column| (0..VALUES).map(|row| column.of.values.draw(random, row)).collect())
            .collect();
        let rows = rows(&values);
        let literals: Vec<String> = rows
            .iter()
            .map(|row| {
                row.iter()
                    .zip(&values)
                    .map(|(&at, values)| values[at].1.as_str())
                    .collect::<Vec<_>>()
                    .join(", ")
            })
            .collect();
        let name = format!("T{}", table.number);
        let table_of = self.create(&name, &create, &literals)?;
        let fields = rows.iter().map(|row| {
            let fields = table
                .columns
                .iter()
                .enumerate()
                .flat_map(|(at, column)| column.fields(at, values[at][row[at]].0.clone()));
            fields.collect::<Fields>()
        });
        self.check_keys(&table_of, &fields.collect::<Vec<_>>())?;
        self.compare(&table_of, &comparisons(table, &values)).with_context(|| create)
    }

    fn check_file(&self, file: &File) -> Result<()> {
        let table = self.create(&file.table, &file.create, &file.rows)?;
        let found = self.compare(&table, &file.cases)?;
        ensure!(found > 0, "no case has rows");
        Ok(())
    }

    /// Creates a table whose last column is the number of the row.
    fn create<'a>(&self, name: &'a str, create: &str, rows: &[String]) -> Result<Table<'a>> {
        let upserts = rows
            .iter()
            .enumerate()
            .map(|(number, row)| format!("UPSERT INTO {name} VALUES ({row}, '{number}')"));
        let statements =
            [format!("DROP TABLE IF EXISTS {name}"), create.to_string()].into_iter().chain(upserts);
        self.ask("run", &statements.collect::<Vec<_>>().join("\n"))?;
        let schema = saltplan::folder()?.join(format!("phoenix_{name}.yaml"));
        let text = saltplan::run(&self.root, &["init", "--phoenix", create], "")?;
        std::fs::write(&schema, text)?;
        let schema = schema.to_string_lossy().into_owned();
        let splits = self.engines.client("splits", name)?;
        // A file without split keys is refused.
        if !splits.is_empty() {
            saltplan::run(
                &self.root,
                &["drift", &schema, "--key-form", "hex", "--from-splits", "-"],
                &splits,
            )
            .with_context(|| format!("the split keys are\n{splits}"))?;
        }
        Ok(Table { name, schema, rows: rows.len() })
    }

    /// Every stored key is read, and its values are those of a row.
    fn check_keys(&self, table: &Table, rows: &[Fields]) -> Result<()> {
        let stored = self.engines.client("scan", table.name)?;
        let keys: Vec<&str> = stored.lines().filter_map(|line| line.split('\t').next()).collect();
        let decoded = saltplan::run(
            &self.root,
            &["key", "decode", &table.schema, "--keys", "hex"],
            &(keys.join("\n") + "\n"),
        )?;
        let sorted = |row: serde_json::Map<String, Value>| -> BTreeMap<String, String> {
            row.into_iter().map(|(name, value)| (name, value.to_string())).collect()
        };
        let mut found = BTreeSet::new();
        for line in decoded.lines() {
            let mut row: serde_json::Map<String, Value> = serde_json::from_str(line)?;
            row.remove("_salt");
            found.insert(sorted(row));
        }
        let expected: BTreeSet<_> = rows.iter().map(|row| sorted(keys::object(row))).collect();
        ensure!(
            found == expected,
            "{}: the keys have the values\n{found:#?}\nnot\n{expected:#?}",
            table.name
        );
        Ok(())
    }

    /// Phoenix selects the same rows as the printed scans return. Returns the number of conditions with rows.
    fn compare(&self, table: &Table, comparisons: &[Comparison]) -> Result<usize> {
        let queries: Vec<String> = comparisons
            .iter()
            .map(|comparison| format!("SELECT v FROM {} WHERE {}", table.name, comparison.phoenix))
            .collect();
        let selected = self.ask("query", &queries.join("\n"))?;
        let selected: Vec<&str> = selected.split_terminator('\n').collect();
        ensure!(selected.len() == comparisons.len(), "{} answers of Phoenix", selected.len());
        let mut scripts = Vec::new();
        for comparison in comparisons {
            let script = saltplan::run(
                &self.root,
                &["scan", &table.schema, &comparison.saltplan, "--allow-empty", "--allow-full-scan"],
                "",
            )?;
            ensure!(!script.contains("# residual"), "a residual is left:\n{script}");
            scripts.push(script);
        }
        let printed = self.engines.shell(&scripts.concat())?;
        let mut answers = layouts::answers(&printed, NUMBER)?.into_iter();
        let mut with_rows = 0;
        let mut differences = Vec::new();
        for ((comparison, script), expected) in comparisons.iter().zip(&scripts).zip(selected) {
            let commands = script.lines().filter(|line| !line.starts_with('#')).count();
            let mut found: Vec<usize> =
                answers.by_ref().take(commands).flatten().map(|hit| hit.number).collect();
            found.sort_unstable();
            let found_text = found.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
            if found_text != expected {
                let Comparison { phoenix, saltplan, .. } = comparison;
                differences.push(format!(
                    "{phoenix}: Phoenix has the rows [{expected}], the scans of\n  {saltplan}\nreturn [{found_text}]:\n{script}"
                ));
            }
            let is_expected = comparison.rows.is_none_or(|rows| rows == found.len());
            ensure!(
                is_expected,
                "{}: {} rows of {}, the case says {:?}",
                comparison.phoenix,
                found.len(),
                table.rows,
                comparison.rows
            );
            with_rows += usize::from(!found.is_empty());
        }
        ensure!(answers.next().is_none(), "the shell answered more than it was asked");
        ensure!(
            differences.is_empty(),
            "{} of {} differ:\n{}",
            differences.len(),
            comparisons.len(),
            differences.join("\n")
        );
        Ok(with_rows)
    }

    fn ask(&self, verb: &str, body: &str) -> Result<String> {
        let mut place = self.phoenix.lock().unwrap_or_else(PoisonError::into_inner);
        let mut phoenix = match place.take() {
            Some(phoenix) => phoenix,
            None => Helper::start(&self.root.join("tests/engines/lab"), "phoenix", &[])?,
        };
        let answer = phoenix.ask(verb, body, ANSWER)?;
        *place = Some(phoenix);
        answer
    }
}

/// The value of a column that the others have while one varies.
const COMMON: usize = 2;

/// Rows as the places of their values: each column in turn has all of its values.
fn rows(values: &[Vec<(Value, String)>]) -> Vec<Vec<usize>> {
    let mut seen = BTreeSet::new();
    let mut rows = Vec::new();
    for at in 0..values.len() {
        for place in 0..VALUES {
            let mut row = vec![COMMON; values.len()];
            row[at] = place;
            // Two draws may be the same value.
            let key: Vec<&str> =
                row.iter().zip(values).map(|(&place, values)| values[place].1.as_str()).collect();
            if seen.insert(key) {
                rows.push(row);
            }
        }
    }
    rows
}

/// For each column, every comparison with some of its values, while the columns before it have the common
/// value.
fn comparisons(table: &PhoenixTable, values: &[Vec<(Value, String)>]) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    let mut before = Comparison { phoenix: String::new(), saltplan: String::new(), rows: None };
    for (at, column) in table.columns.iter().enumerate() {
        let with = |operator: &str, place: usize| {
            let (value, literal) = &values[at][place];
            Comparison {
                phoenix: format!("{}{} {operator} {literal}", before.phoenix, NAMES[at]),
                saltplan: format!("{}{}", before.saltplan, condition(column, at, operator, value)),
                rows: None,
            }
        };
        for operator in COMPARISONS {
            let places = [0, 1, 3]
                .into_iter()
                .filter(|place| !is_wrong_in_phoenix(column, operator, &values[at][*place].0));
            comparisons.extend(places.map(|place| with(operator, place)));
        }
        let Comparison { phoenix, saltplan, .. } = with("=", COMMON);
        before = Comparison { phoenix: phoenix + " AND ", saltplan: saltplan + " AND ", rows: None };
    }
    comparisons
}

/// Whether the comparison is one with the last number of the key order for which Phoenix 5.1.3 returns all
/// rows, although no row can satisfy it.
fn is_wrong_in_phoenix(column: &KeyColumn, operator: &str, value: &Value) -> bool {
    let Values::Numbers(least, greatest) = column.of.values else { return false };
    let (behind, last) = if column.descending { ("<", least) } else { (">", greatest) };
    operator == behind && value.as_i64() == Some(last)
}

/// A comparison as saltplan reads it.
fn condition(column: &KeyColumn, at: usize, operator: &str, value: &Value) -> String {
    let name = NAMES[at];
    let number = value.as_i64().unwrap_or_default();
    let at_milliseconds = |number| {
        let time = chrono::DateTime::from_timestamp_millis(number).unwrap_or_default();
        format!("'{}'", time.format("%Y-%m-%d %H:%M:%S%.3f"))
    };
    match &column.of.values {
        Values::Numbers(..) | Values::Flags => format!("{name} {operator} {number}"),
        Values::Times => format!("{name} {operator} {}", at_milliseconds(number)),
        Values::Nanoseconds => {
            let (milliseconds, rest) = (number / 1_000_000, number % 1_000_000);
            format!("({name}, {}) {operator} ({}, {rest})", NANOS[at], at_milliseconds(milliseconds))
        }
        Values::Ascii(_) | Values::Texts | Values::Bytes(_) => {
            let text = value.as_str().unwrap_or_default().replace('\\', r"\\").replace('\'', r"\'");
            format!("{name} {operator} '{text}'")
        }
    }
}

/// A table with its rows, and conditions with the number of their rows.
struct File {
    /// Without `.txt`.
    name: String,
    table: String,
    create: String,
    rows: Vec<String>,
    cases: Vec<Comparison>,
}

fn read_all(directory: &Path) -> Result<Vec<File>> {
    let mut paths: Vec<PathBuf> =
        directory.read_dir()?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    ensure!(!paths.is_empty(), "no tables (*.txt) in {}", directory.display());
    paths.iter().map(|path| read(path).with_context(|| path.display().to_string())).collect()
}

fn read(path: &Path) -> Result<File> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut file =
        File { name, table: String::new(), create: String::new(), rows: Vec::new(), cases: Vec::new() };
    for (index, line) in std::fs::read_to_string(path)?.lines().enumerate() {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            read_line(&mut file, line).with_context(|| format!("line {}", index + 1))?;
        }
    }
    ensure!(!file.create.is_empty() && !file.cases.is_empty(), "no `create`, or no case");
    Ok(file)
}

fn read_line(file: &mut File, line: &str) -> Result<()> {
    let (name, value) = line.split_once(':').context("expected `name: value`")?;
    let value = value.trim().to_string();
    match (name, file.cases.last_mut()) {
        ("table", None) => file.table = value,
        ("create", None) => file.create = value,
        ("row", None) => file.rows.push(value),
        ("where", _) => file.cases.push(Comparison { phoenix: value.clone(), saltplan: value, rows: None }),
        ("saltplan", Some(case)) => case.saltplan = value,
        ("rows", Some(case)) => case.rows = Some(value.parse()?),
        _ => bail!(
            "unexpected `{name}`; the head takes table, create and row, a case begins with `where` and takes saltplan and rows"
        ),
    }
    Ok(())
}

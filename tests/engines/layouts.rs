//! Every kind of key on the real HBase: the printed scans and gets run in the real shell, the printed INSERT
//! OVERWRITE in Hive, and they must return exactly the rows of the predicate. The oracle of the property
//! tests, which knows nothing about keys and plans, decides which rows these are.

mod hive;
mod read;
mod views;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail, ensure};
use libtest_mimic::{Failed, Trial};
use saltplan_sql::ast::Node;
use serde_json::{Map, Value as Json};

use crate::Report;
use ::saltplan_core::schema::model::{Column, ColumnId, Schema};

use crate::engine::{Engine, Engines};
use crate::example;
use crate::keys::plain;
use crate::project::Measured;
use crate::rows::hex;
use crate::saltplan;
use read::{Case, Field, Kind, Layout};
use saltplan_law::calendar;
use saltplan_law::sql::{self, V};

/// The qualifier of the row number if no column of the schema contains it.
const NUMBER: &str = "number";

/// For each case a trial in the HBase shell, and the requested ones in Hive. They share the tables.
pub fn trials(root: &Path, engines: &Engines, report: &Report) -> Result<Vec<Trial>> {
    let shared = Shared { lab: Arc::new(Mutex::new(Lab::new(root, engines))), report: report.clone() };
    let layouts: Vec<Arc<Layout>> =
        read::read_all(&root.join("tests/engines/layouts"))?.into_iter().map(Arc::new).collect();
    let mut trials = Vec::new();
    for layout in &layouts {
        for case in &layout.cases {
            trials.push(
                shared.trial("scan", layout, case, |lab, layout, case| lab.check(layout, case).map(Some)),
            );
            if !case.refuses.is_empty() {
                trials.push(shared.trial("refused", layout, case, |lab, layout, case| {
                    lab.check_refusal(layout, case).map(|()| None)
                }));
            }
        }
    }
    for engine in Engine::ALL {
        for layout in &layouts {
            for case in layout.cases.iter().filter(|case| case.hive.contains(&engine)) {
                let run = move |lab: &mut Lab, layout: &Layout, case: &Case| {
                    lab.check_hive(engine, layout, case).map(Some)
                };
                trials.push(shared.trial(&engine.to_string(), layout, case, run));
            }
        }
    }
    trials.extend(views::trials(&shared, root, &layouts));
    Ok(trials)
}

#[derive(Clone)]
struct Shared {
    lab: Arc<Mutex<Lab>>,
    report: Report,
}

impl Shared {
    fn trial<F>(&self, kind: &str, layout: &Arc<Layout>, case: &Case, run: F) -> Trial
    where
        F: FnOnce(&mut Lab, &Layout, &Case) -> Result<Option<Measured>> + Send + 'static,
    {
        let name = format!("{kind}::{}::{}", layout.name, case.name);
        let (shared, layout, case) = (self.clone(), layout.clone(), case.clone());
        Trial::test(name.clone(), move || {
            let mut lab = shared.lab.lock().unwrap_or_else(PoisonError::into_inner);
            let measured =
                run(&mut lab, &layout, &case).map_err(|error| Failed::from(format!("{error:#}")))?;
            if let Some(measured) = measured {
                shared.report.add(name, measured);
            }
            Ok(())
        })
    }
}

struct Lab {
    root: PathBuf,
    engines: Engines,
    /// The filled tables by layout, or why one could not be filled.
    tables: BTreeMap<String, Result<Arc<Table>, String>>,
    /// Hive tables that already exist.
    mapped: BTreeSet<String>,
}

struct Table {
    schema: Schema,
    /// The column of the schema that contains the row number, if there is one, and its cell.
    number: Option<ColumnId>,
    number_cell: String,
    rows: Vec<Row>,
    /// The hex keys of the rows.
    keys: Vec<String>,
}

struct Row {
    json: Json,
    /// The values for the oracle.
    values: Vec<(String, V)>,
}

/// A printed get or scan with the residual above it.
struct Command<'a> {
    text: &'a str,
    residual: Option<Node>,
}

/// A row that the shell printed. A get does not print the key.
pub struct Hit {
    key: Option<String>,
    pub number: usize,
}

impl Lab {
    fn new(root: &Path, engines: &Engines) -> Self {
        Self {
            root: root.to_owned(),
            engines: engines.clone(),
            tables: BTreeMap::new(),
            mapped: BTreeSet::new(),
        }
    }

    fn check(&mut self, layout: &Layout, case: &Case) -> Result<Measured> {
        let table = self.table(layout)?;
        let script = self.scans(layout, case)?;
        ensure!(script.contains(&case.prints), "`{}` is not printed:\n{script}", case.prints);

        if let Some(expected) = case.scans {
            let found = commands(&script).len();
            ensure!(found == expected, "{found} scans and gets, expected {expected}:\n{script}");
        }

        let begin = Instant::now();
        let (printed, reads) = self.counted(layout, &script)?;
        let elapsed = begin.elapsed();

        let answers = answers(&printed, &table.number_cell)?;
        let judged = judge(layout, case, &table, &commands(&script), &answers);
        judged.with_context(|| format!("the commands:\n{script}"))?;
        let handed: usize = answers.iter().map(Vec::len).sum();
        check_reads(case, handed, reads, table.rows.len())?;
        if let Some(text) = one_scan(&script) {
            // Its rows must be checked against the whole predicate.
            let command = Command { text, residual: Some(sql::parse(&case.predicate)) };
            let (printed, _) = self.counted(layout, text)?;
            let judged =
                judge(layout, case, &table, &[command], &self::answers(&printed, &table.number_cell)?);
            judged.with_context(|| format!("the scan with a filter:\n{text}"))?;
        }
        if case.skips {
            let (_, all) = self.counted(layout, &format!("scan '{}'", layout.table))?;
            ensure!(
                reads < all,
                "HBase looked at {reads} rows, a full scan looks at {all}: nothing is skipped"
            );
        }
        Ok(Measured { rows: handed, reads, elapsed })
    }

    /// Runs a script; returns the shell's output, and how many rows HBase looked at.
    fn counted(&mut self, layout: &Layout, script: &str) -> Result<(String, u64)> {
        let before = self.reads(layout)?;
        let printed = self.engines.shell(script)?;
        Ok((printed, self.reads(layout)? - before))
    }

    fn scans(&self, layout: &Layout, case: &Case) -> Result<String> {
        let schema = layout.schema.to_string_lossy();
        let mut arguments = vec!["scan", &schema, &case.predicate];
        arguments.extend(case.arguments.iter().map(String::as_str));
        saltplan::run(&self.root, &arguments, "")
    }

    /// The rows that HBase looked at, returned or not.
    fn reads(&mut self, layout: &Layout) -> Result<u64> {
        let mut sum = 0;
        for verb in ["reads", "filtered"] {
            sum += self.engines.client(verb, &layout.table)?.parse::<u64>()?;
        }
        Ok(sum)
    }

    fn table(&mut self, layout: &Layout) -> Result<Arc<Table>> {
        if !self.tables.contains_key(&layout.name) {
            let filled = self.fill(layout).map(Arc::new).map_err(|error| format!("{error:#}"));
            self.tables.insert(layout.name.clone(), filled);
        }
        self.tables[&layout.name].clone().map_err(|message| anyhow!("filling the table: {message}"))
    }

    /// The printed DDL creates the table; the rows are stored under the keys of `saltplan key encode`.
    fn fill(&mut self, layout: &Layout) -> Result<Table> {
        self.engines.client("drop", &layout.table)?;
        let schema = layout.schema.to_string_lossy();
        self.engines.shell(&saltplan::run(&self.root, &["ddl", &schema, "--only", "hbase"], "")?)?;
        let rows = rows(layout)?;
        let lines: String = rows.iter().map(|row| format!("{}\n", row.json)).collect();
        let keys = saltplan::run(&self.root, &["key", "encode", &schema, "--keys", "hex"], &lines)?;
        let keys: Vec<String> = keys.lines().map(str::to_uppercase).collect();
        ensure!(keys.len() == rows.len(), "{} keys of {} rows", keys.len(), rows.len());
        ensure!(keys.iter().collect::<BTreeSet<_>>().len() == rows.len(), "two rows have one key");
        let schema = example::read(&self.root.join(&layout.schema))?;
        let number = schema.columns.find(|column| !layout.has_values_of(&column.name));
        let number_cell = number
            .map_or_else(|| format!("{}:{NUMBER}", layout.family), |column| cell(&schema.columns[column]));
        let table = Table { schema, number, number_cell, rows, keys };
        let puts: Vec<String> = (0..table.rows.len()).map(|number| table.put(number)).collect();
        self.engines.client("put", &format!("{}\n{}", layout.table, puts.join("\n")))?;
        Ok(table)
    }
}

impl Table {
    /// A row in the form of the client's `put`.
    fn put(&self, number: usize) -> String {
        let mut line =
            format!("{}\t{}={}", self.keys[number], self.number_cell, hex(number.to_string().as_bytes()));
        for column in &self.schema.columns {
            let value = self.rows[number].json.get(&column.name).filter(|value| !value.is_null());
            if let Some(value) = value {
                line += &format!("\t{}={}", cell(column), hex(plain(value).as_bytes()));
            }
        }
        line
    }
}

fn cell(column: &Column) -> String {
    format!("{}:{}", column.family, column.qualifier)
}

// ---- rows

/// Every combination of the fields' values; the columns take their values in turn.
fn rows(layout: &Layout) -> Result<Vec<Row>> {
    let mut combinations: Vec<Vec<(&Field, &Json)>> = vec![Vec::new()];
    for field in &layout.fields {
        combinations = combinations
            .iter()
            .flat_map(|head| field.values.iter().map(|value| [head.as_slice(), &[(field, value)]].concat()))
            .collect();
    }
    let with_columns = combinations.into_iter().enumerate().map(|(number, mut cells)| {
        cells.extend(
            layout.columns.iter().map(|column| (column, &column.values[number % column.values.len()])),
        );
        row(&cells)
    });
    with_columns.collect()
}

fn row(cells: &[(&Field, &Json)]) -> Result<Row> {
    let json: Map<String, Json> =
        cells.iter().map(|(field, value)| (field.name.clone(), (*value).clone())).collect();
    let values = cells
        .iter()
        .map(|(field, json)| {
            let value = value(&field.kind, json).with_context(|| format!("{}: {json}", field.name))?;
            Ok((field.name.clone(), value))
        })
        .collect::<Result<_>>()?;
    Ok(Row { json: json.into(), values })
}

fn value(kind: &Kind, json: &Json) -> Result<V> {
    match (kind, json) {
        (_, Json::Null) => Ok(V::Null),
        (Kind::Text, Json::String(text)) => Ok(V::Text(text.clone())),
        (Kind::Number, Json::Number(number)) => Ok(V::integer(number.as_i64().context("no 64 bits")?)),
        (Kind::Epoch(unit), Json::Number(number)) => {
            Ok(V::Instant(number.as_i64().context("no 64 bits")?, *unit))
        }
        (Kind::Calendar(pattern), Json::String(text)) => {
            let at = calendar::parse(pattern, text).with_context(|| format!("not in the form {pattern}"))?;
            Ok(V::Calendar(at, pattern.clone()))
        }
        _ => bail!("not a value of this kind"),
    }
}

// ---- what was printed

fn commands(script: &str) -> Vec<Command<'_>> {
    let mut commands = Vec::new();
    let mut comment = String::new();
    let mut residual = None;
    for line in script.lines() {
        if let Some(part) = line.strip_prefix("# residual: ") {
            comment = format!("{comment}{part}\n");
        } else if line == "# no residual" {
            residual = None;
        } else if !line.starts_with('#') {
            if !comment.is_empty() {
                residual = Some(sql::parse(&std::mem::take(&mut comment)));
            }
            commands.push(Command { text: line, residual: residual.clone() });
        }
    }
    commands
}

/// The scan with a filter that is printed, as a comment, as an alternative to many ranges.
fn one_scan(script: &str) -> Option<&str> {
    script.lines().find_map(|line| line.strip_prefix("# ").filter(|command| command.starts_with("scan '")))
}

/// The output of each command, which ends with a line such as `12 row(s)`. Of each row only the cell with its
/// number is used.
pub fn answers(printed: &str, cell: &str) -> Result<Vec<Vec<Hit>>> {
    let mut answers = Vec::new();
    let mut hits = Vec::new();
    for line in printed.lines() {
        if line.ends_with(" row(s)") {
            answers.push(std::mem::take(&mut hits));
        } else if let Some((head, number)) =
            line.strip_prefix(' ').and_then(|row| row.rsplit_once(", value="))
        {
            let (key, column) = match head.rsplit_once(" column=") {
                Some((key, column)) => (Some(bytes_of(key)?), column),
                None => (None, head),
            };
            if column.split([',', ' ']).next() == Some(cell) {
                hits.push(Hit { key, number: number.parse()? });
            }
        }
    }
    Ok(answers)
}

/// The hex form of a key in the shell's form, where `\xNN` is a byte.
fn bytes_of(text: &str) -> Result<String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let width = match rest.strip_prefix("\\x").and_then(|tail| tail.get(..2)) {
            Some(digits) => {
                bytes.push(u8::from_str_radix(digits, 16)?);
                4
            }
            None => {
                bytes.push(u8::try_from(first)?);
                1
            }
        };
        rest = &rest[width..];
    }
    Ok(hex(&bytes).to_uppercase())
}

// ---- the judge

/// The returned rows that satisfy the residual of their command must be the rows of the predicate, each once.
fn judge(
    layout: &Layout,
    case: &Case,
    table: &Table,
    commands: &[Command<'_>],
    answers: &[Vec<Hit>],
) -> Result<()> {
    ensure!(commands.len() == answers.len(), "{} commands, {} answers", commands.len(), answers.len());
    let holds = |condition: &Node, number: usize| {
        sql::holds(condition, &sql::Row { values: &table.rows[number].values, zone: layout.zone })
    };
    let mut found = Vec::new();
    for (command, hits) in commands.iter().zip(answers) {
        check_keys(table, hits).context(command.text.to_owned())?;
        let numbers = hits.iter().map(|hit| hit.number);
        found.extend(
            numbers
                .filter(|number| command.residual.as_ref().is_none_or(|residual| holds(residual, *number))),
        );
    }
    found.sort_unstable();
    let predicate = sql::parse(&case.predicate);
    let expected: Vec<usize> = (0..table.rows.len()).filter(|number| holds(&predicate, *number)).collect();
    ensure!(found == expected, "{}", difference(table, &found, &expected));
    ensure!(found.len() == case.rows, "{} rows, the case says {}", found.len(), case.rows);
    Ok(())
}

/// The printed keys are those of the stored rows.
fn check_keys(table: &Table, hits: &[Hit]) -> Result<()> {
    for Hit { key, number } in hits {
        let (row, expected) = (&table.rows[*number].json, &table.keys[*number]);
        ensure!(
            key.as_ref().is_none_or(|key| key == expected),
            "the key of {row} is {expected}, the shell printed {key:?}"
        );
    }
    Ok(())
}

fn difference(table: &Table, found: &[usize], expected: &[usize]) -> String {
    let of = |numbers: Vec<&usize>| -> String {
        numbers.iter().take(5).map(|number| format!("\n  {}", table.rows[**number].json)).collect()
    };
    let lost = of(expected.iter().filter(|number| !found.contains(number)).collect());
    let wrong = of(found.iter().filter(|number| !expected.contains(number)).collect());
    let doubled = of(found.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect());
    format!(
        "{} rows, expected {}; lost:{lost}\nwrong:{wrong}\ndoubled:{doubled}",
        found.len(),
        expected.len()
    )
}

fn check_reads(case: &Case, handed: usize, reads: u64, all: usize) -> Result<()> {
    let expected = case.handed.unwrap_or(case.rows);
    ensure!(handed == expected, "the scans hand out {handed} of {all} rows, expected {expected}");
    let allowed = case.reads.unwrap_or(expected as u64);
    ensure!(reads <= allowed, "HBase looked at {reads} of {all} rows, expected {allowed}");
    Ok(())
}

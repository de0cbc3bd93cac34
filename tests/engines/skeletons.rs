//! For Hive's own query tests, the trees of scripts have the same blocks, tables, aliases and joins as Hive's
//! parser, and Hive can parse every rewritten text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use saltplan_core::Table;
use saltplan_core::messages::Source;
use saltplan_rewrite::{Catalog, Options, rewrite};
use saltplan_sql::ast::Name;
use saltplan_sql::script::{Block, JoinKind, Relation, Script, StatementKind, Tokens};

use crate::engine::{Engine, Engines, trials_on};

/// The number of statements per request.
const BATCH: usize = 500;

/// A folder of target/corpus, with the minimum number of statements that Hive must parse, and of texts that must be
/// rewritten.
struct Corpus {
    name: &'static str,
    read: usize,
    rewritten: usize,
}

const CORPORA: [Corpus; 2] = [
    Corpus { name: "hive", read: 5_500, rewritten: 60 },
    Corpus { name: "spark", read: 6_500, rewritten: 30 },
];

/// Schemas whose logical tables have the names of tables in the queries.
const SCHEMAS: [&str; 4] = [
    "
saltplan: 1
hbase: { table: src, families: { f: {} } }
key: { fields: [{ name: key, type: string }] }
columns: [{ name: value, type: string, hbase: 'f:v' }]
hive: { mapping: { table: src_map, key_column: k }, view: src }
",
    "
saltplan: 1
hbase: { table: dates, families: { f: {} } }
key:
  salt: { modulo: { of: d_moy, by: 3, write: decimal } }
  fields: [{ name: d_year, type: int, encoding: decimal, width: 4 }, { name: d_moy, type: int, encoding: decimal, width: 2 }]
columns: [{ name: d_date_sk, type: int, hbase: 'f:s' }]
hive: { mapping: { table: dates_map, key_column: k }, view: date_dim }
",
    "
saltplan: 1
hbase: { table: region, families: { f: {} } }
key: { fields: [{ name: r_name, type: string }] }
columns: [{ name: r_regionkey, type: int, hbase: 'f:r' }]
hive: { mapping: { table: region_map, key_column: k }, view: region }
",
    "
saltplan: 1
hbase: { table: t1, families: { f: {} } }
key: { fields: [{ name: t1a, type: string }] }
columns: [{ name: t1b, type: int, hbase: 'f:b' }]
hive: { mapping: { table: t1_map, key_column: k }, view: t1 }
",
];

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    trials_on([Engine::Mr, Engine::Mr2], root, engines, |engine| format!("{engine}::skeletons"), check)
}

/// A statement as written in a file.
struct Statement {
    file: PathBuf,
    text: String,
    /// The blocks of its tree.
    found: String,
}

fn check(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let fetched = Command::new(root.join("tests/engines/corpus")).status()?;
    ensure!(fetched.success(), "tests/engines/corpus: {fetched}");
    let catalog = catalog()?;
    let mut faults = String::new();
    for corpus in CORPORA {
        compare(root, engines, engine, &corpus, &catalog, &mut faults)?;
    }
    ensure!(faults.is_empty(), "{faults}");
    Ok(())
}

fn compare(
    root: &Path,
    engines: &Engines,
    engine: Engine,
    corpus: &Corpus,
    catalog: &Catalog,
    faults: &mut String,
) -> Result<()> {
    let statements = statements(&root.join("target/corpus").join(corpus.name), catalog)?;
    write_down(&root.join("target/corpus"), corpus, &statements)?;
    let (mut read, mut same, mut left, mut rewritten) = (0, 0, 0, 0);
    for batch in statements.chunks(BATCH) {
        let texts: Vec<&str> = batch.iter().map(|statement| statement.text.as_str()).collect();
        let answers = engines.structure(engine, &texts)?;
        ensure!(answers.len() == batch.len(), "{} answers to {}", answers.len(), batch.len());
        let mut again = Vec::new();
        for (statement, answer) in batch.iter().zip(&answers) {
            if answer.starts_with("error: ") {
                continue;
            }
            read += 1;
            if is_same(answer, &statement.found) {
                same += 1;
            } else if statement.found.contains(" unclear at ") {
                left += 1;
            } else {
                let file = statement.file.file_name().unwrap_or_default().to_string_lossy();
                writeln!(
                    faults,
                    "{file}: {}\n  hive:  {answer:?}\n  found: {:?}",
                    statement.text, statement.found
                )?;
            }
            again.extend(rewritten_text(&statement.text, catalog)?);
        }
        let texts: Vec<&str> = again.iter().map(String::as_str).collect();
        if texts.is_empty() {
            continue;
        }
        for (text, answer) in texts.iter().zip(engines.structure(engine, &texts)?) {
            rewritten += 1;
            if answer.starts_with("error: ") {
                writeln!(faults, "Hive does not read the rewritten {text}\n  {answer}")?;
            }
        }
    }
    let Corpus { name, read: least_read, rewritten: least_rewritten } = corpus;
    println!(
        "{engine}: {name}: {} statements with queries, Hive reads {read}, the same structure in {same}, left alone {left}; {rewritten} rewritten",
        statements.len()
    );
    if read < *least_read || rewritten < *least_rewritten {
        writeln!(faults, "{name}: only {read} statements read and {rewritten} rewritten")?;
    }
    Ok(())
}

/// The tree skips what is never rewritten: table functions, VALUES, a query without FROM.
fn is_same(hive: &str, found: &str) -> bool {
    const OTHERS: [&str; 3] = ["TOK_PTBLFUNCTION", "TOK_UNIQUEJOIN", "TOK_VIRTUAL_TABLE"];
    let sources = |lines: &str| -> Vec<String> {
        lines.lines().filter(|line| !line.starts_with(' ')).map(str::to_string).collect()
    };
    OTHERS.iter().any(|other| hive.contains(other)) || sources(hive) == sources(found)
}

fn catalog() -> Result<Catalog> {
    let mut catalog = Catalog::default();
    for schema in SCHEMAS {
        let table = Table::from_yaml(schema).context("a schema")?;
        catalog.add(table, saltplan_core::queries::Engine::Tez).context("a schema")?;
    }
    Ok(catalog)
}

/// Writes the statements for another SQL parser, see `second_reader.py`.
fn write_down(folder: &Path, corpus: &Corpus, statements: &[Statement]) -> Result<()> {
    let mut lines = String::new();
    for Statement { file, text, found } in statements {
        writeln!(lines, "{}", serde_json::json!({ "file": file, "text": text, "found": found }))?;
    }
    Ok(fs::write(folder.join(corpus.name).with_extension("jsonl"), lines)?)
}

/// The files of a folder and of those in it.
fn files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files(&path, found)?;
        } else if path.extension().is_some_and(|end| end == "q" || end == "sql") {
            found.push(path);
        }
    }
    Ok(())
}

/// The distinct statements of a folder. Every file is rewritten as a whole, which must not panic and can be undone.
fn statements(folder: &Path, catalog: &Catalog) -> Result<Vec<Statement>> {
    let mut paths = Vec::new();
    files(folder, &mut paths)?;
    paths.sort();
    let mut found: BTreeMap<String, Statement> = BTreeMap::new();
    let mut unread = 0;
    for file in paths {
        let text = String::from_utf8_lossy(&fs::read(&file)?).into_owned();
        let _ = rewritten_text(&text, catalog)?;
        let source = Source::new("statement", text.as_str());
        let Ok(script) = Script::read(&source, []) else {
            unread += 1;
            continue;
        };
        for statement in script.statements() {
            if statement.kind != StatementKind::Query || statement.blocks.is_empty() {
                continue;
            }
            let place = script.tokens.place(&statement.tokens);
            let text = without_comments(&text[place.start..place.end]);
            let blocks = statement.blocks.iter();
            let mut lines: Vec<String> = blocks.map(|block| line(&script.tokens, block)).collect();
            lines.sort();
            let found_here = Statement { file: file.clone(), text: text.clone(), found: lines.join("\n") };
            found.entry(text).or_insert(found_here);
        }
    }
    println!("{}: {unread} files cannot be cut into tokens", folder.display());
    Ok(found.into_values().collect())
}

/// `hive -f` removes comments before parsing.
fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("--"));
    lines.collect::<Vec<_>>().join("\n")
}

/// A block in the form of the helper's `Structure`.
fn line(tokens: &Tokens<'_>, block: &Block) -> String {
    let relation = |relation: &Relation| {
        let name = relation.table().map_or(&[][..], |(name, _)| name);
        let name: Vec<String> = name.iter().map(Name::lower).collect();
        let name = if name.is_empty() { "()".to_string() } else { name.join(".") };
        format!("{name}:{}", relation.alias.as_ref().map(Name::lower).unwrap_or_default())
    };
    let mut texts: Vec<String> = block.relations.iter().map(relation).collect();
    for join in &block.joins {
        let kind = match join.kind {
            JoinKind::Inner => 'I',
            JoinKind::Left => 'L',
            JoinKind::Right => 'R',
            JoinKind::Full => 'F',
            JoinKind::Semi => 'S',
            JoinKind::Anti => 'A',
        };
        let on = if join.on.is_some() { "on" } else { "" };
        texts[join.first] = format!("{kind}({} {}){on}", texts[join.first], texts[join.middle]);
    }
    let mut line = texts.into_iter().next().unwrap_or_default();
    for arm in &block.arms {
        line += if arm.filter.is_some() { " where" } else { " all" };
    }
    match block.unclear {
        Some(unclear) => format!("{line} unclear at {:?}: {:?}", tokens.raw(unclear.token), unclear.why),
        None => line,
    }
}

/// The text with the tables of [`SCHEMAS`] as logical ones, where that changes it.
fn rewritten_text(text: &str, catalog: &Catalog) -> Result<Option<String>> {
    let Ok(rewritten) = rewrite("statement", text, catalog, &Options::default()) else { return Ok(None) };
    ensure!(rewritten.without_splices() == text, "the splices cannot be undone: {text}");
    Ok((rewritten.text != text).then_some(rewritten.text))
}

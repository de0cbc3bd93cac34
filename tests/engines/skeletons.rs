//! For Hive's own query tests, saltplan-rewrite finds the same blocks, tables, aliases and joins as Hive's
//! parser, and Hive can parse every rewritten text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use saltplan_core::Table;
use saltplan_rewrite::skeleton::{Block, JoinKind, Skeleton, StatementKind};
use saltplan_rewrite::tokens::Tokens;
use saltplan_rewrite::{Catalog, Options, rewrite};

use crate::engine::{Engine, Engines, trials_on};

/// The number of statements per request.
const BATCH: usize = 500;

/// The allowed number of differences per thousand statements that Hive can parse.
const DIFFERENT_OF_1000: usize = 2;

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    trials_on([Engine::Mr, Engine::Mr2], root, engines, |engine| format!("{engine}::skeletons"), check)
}

/// A statement as written in a file.
struct Statement {
    file: PathBuf,
    text: String,
    /// The result of the skeleton.
    found: String,
}

fn check(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let fetched = Command::new(root.join("tests/engines/corpus")).status()?;
    ensure!(fetched.success(), "tests/engines/corpus: {fetched}");
    let statements = statements(&root.join("target/corpus/clientpositive"))?;
    let (mut read, mut same, mut rewritten, mut unread) = (0, 0, 0, 0);
    let mut faults = String::new();
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
            // The skeleton skips statements without a query.
            if answer.contains("TOK_PTBLFUNCTION")
                || answer.contains("TOK_UNIQUEJOIN")
                || *answer == statement.found
            {
                same += 1;
            } else {
                let file = statement.file.file_name().unwrap_or_default().to_string_lossy();
                writeln!(
                    faults,
                    "{file}: {}\n  hive:  {answer:?}\n  found: {:?}",
                    statement.text, statement.found
                )?;
            }
            again.extend(rewritten_text(&statement.text)?);
        }
        let texts: Vec<&str> = again.iter().map(String::as_str).collect();
        if texts.is_empty() {
            continue;
        }
        for (text, answer) in texts.iter().zip(engines.structure(engine, &texts)?) {
            rewritten += 1;
            if answer.starts_with("error: ") {
                unread += 1;
                writeln!(faults, "Hive does not read the rewritten {text}\n  {answer}")?;
            }
        }
    }
    fs::write(root.join(format!("target/corpus-{engine}.txt")), &faults)?;
    println!(
        "{engine}: {} statements with queries, Hive reads {read}, the same structure in {same}; {rewritten} rewritten, Hive reads all but {unread}",
        statements.len()
    );
    ensure!(read > 3_000 && rewritten > 50, "{read} statements read, {rewritten} rewritten");
    ensure!((read - same) * 1_000 <= read * DIFFERENT_OF_1000 && unread == 0, "{faults}");
    Ok(())
}

fn statements(folder: &Path) -> Result<Vec<Statement>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.sort();
    let mut found: BTreeMap<String, Statement> = BTreeMap::new();
    for file in files.into_iter().filter(|file| file.extension().is_some_and(|end| end == "q")) {
        let text = String::from_utf8_lossy(&fs::read(&file)?).into_owned();
        let Ok(tokens) = Tokens::new(&text) else { continue };
        let skeleton = Skeleton::new(&tokens);
        for (index, statement) in skeleton.statements.iter().enumerate() {
            let blocks: Vec<&Block> =
                skeleton.blocks.iter().filter(|block| block.statement == index).collect();
            if statement.kind != StatementKind::Query || blocks.is_empty() {
                continue;
            }
            let place = tokens.place(&statement.tokens);
            let text = without_comments(&text[place.start..place.end]);
            let mut lines: Vec<String> = blocks.iter().map(|block| line(&tokens, block)).collect();
            lines.sort();
            let found_here = Statement { file: file.clone(), text: text.clone(), found: lines.join("\n") };
            found.entry(text).or_insert(found_here);
        }
    }
    Ok(found.into_values().collect())
}

/// `hive -f` removes comments before parsing.
fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("--"));
    lines.collect::<Vec<_>>().join("\n")
}

/// A block in the form of the helper's `Structure`.
fn line(tokens: &Tokens<'_>, block: &Block) -> String {
    let relation = |index: usize| {
        let relation = &block.relations[index];
        let name: Vec<String> = relation.name.iter().map(|part| tokens.name(*part)).collect();
        let name = if name.is_empty() { "()".to_string() } else { name.join(".") };
        format!("{name}:{}", relation.alias.map(|alias| tokens.name(alias)).unwrap_or_default())
    };
    let mut texts: Vec<String> = (0..block.relations.len()).map(relation).collect();
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
        Some((token, why)) => format!("{line} unclear at {:?}: {why}", tokens.raw(token)),
        None => line,
    }
}

/// The statement with `src`, the table of most of Hive's tests, as the logical table of a schema.
fn rewritten_text(text: &str) -> Result<Option<String>> {
    const SCHEMA: &str = "
saltplan: 1
hbase: { table: src, families: { f: {} } }
key: { fields: [{ name: key, type: string }] }
columns: [{ name: value, type: string, hbase: 'f:v' }]
hive: { mapping: { table: src_map, key_column: k }, view: src }
";
    let mut catalog = Catalog::default();
    catalog
        .add(Table::from_yaml(SCHEMA).context("the schema")?, saltplan_core::queries::Engine::Tez)
        .context("the schema")?;
    let rewritten = rewrite("statement", text, &catalog, &Options::default())
        .map_err(|told| anyhow::anyhow!("{told}"))?;
    ensure!(rewritten.without_splices() == text, "the splices cannot be undone: {text}");
    Ok((rewritten.text != text).then_some(rewritten.text))
}

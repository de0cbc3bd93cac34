//! The bound tree of a condition is the tree of Hive's check of types, node by node, with the type of each and the casts that Hive
//! adds: for the predicates of the plan cases, the conditions of the rewrite cases, and random ones, in each version of Hive.
//! `tests/testdata/bound.txt` lists where they differ, and why.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use saltplan_core::analyze::bind::{Setting, TypedColumns, bind, hive_form};
use saltplan_core::schema::model::Schema;
use saltplan_core::schema::{load, read_file};
use saltplan_document::diag::Source;
use saltplan_law::expect::schema_file;
use saltplan_law::readers::differences::Differences;
use saltplan_law::readers::hive::line_of;
use saltplan_sql::version::HiveVersion;
use saltplan_sql::{Parameters, parse};

use super::tree::Tree;
use super::{ask, conditions};
use crate::evaluator::from_environment;

/// Random conditions.
const CASES: u64 = 10_000;
/// The share of conditions, in percent, that saltplan may leave open although Hive compiles them.
const MAX_OPEN: usize = 2;

/// A condition over columns, which are declared as in `i int, s string`.
struct Asked {
    columns: String,
    text: String,
}

pub fn check(root: &Path, hive: &str, version: HiveVersion) -> Result<()> {
    let seed = from_environment("SALTPLAN_JUDGE_SEED", 1)?;
    let count = from_environment("SALTPLAN_JUDGE_CONDITIONS", CASES)? as usize;
    let mut asked = plan_cases(root)?;
    let of_plans = asked.len();
    asked.extend(rewrite_cases(root)?);
    let of_rewrites = asked.len() - of_plans;
    let mut maker = conditions::Maker::new(seed);
    asked.extend((0..count).map(|_| Asked { columns: conditions::declared(), text: maker.condition() }));
    ensure!(of_plans > 400 && of_rewrites > 60, "only {of_plans} plan cases, {of_rewrites} rewrite cases");

    let lines: Vec<String> =
        asked.iter().map(|asked| format!("{}\t{}", asked.columns, line_of(&asked.text))).collect();
    let answers = ask(root, &["typed", hive], None, &lines)?;
    let file = std::fs::read_to_string(root.join("tests/testdata/bound.txt"))?;
    let mut differences = Differences::of(hive, &file);
    let mut scopes: BTreeMap<&str, TypedColumns> = BTreeMap::new();
    let (mut compiled, mut open) = (0, Vec::new());
    for (asked, answer) in asked.iter().zip(&answers) {
        if !scopes.contains_key(asked.columns.as_str()) {
            scopes.insert(&asked.columns, TypedColumns::parse(&asked.columns).map_err(anyhow::Error::msg)?);
        }
        let ours = ours(&asked.text, &scopes[asked.columns.as_str()], version);
        let theirs = Tree::of_line(answer);
        compiled += usize::from(theirs.is_ok());
        if let (Err(message), Ok(_)) = (&ours, &theirs) {
            open.push(format!("{message}: {}", asked.text));
        }
        differences.compare_trees(&asked.text, &ours, &theirs);
    }
    let counts = format!(
        "{of_plans} plan cases, {of_rewrites} rewrite cases, {count} random ones; {compiled} compiled, {} of them left open",
        open.len()
    );
    ensure!(2 * compiled > asked.len(), "too few compile: {counts}");
    match differences.check(count >= CASES as usize) {
        Ok(known) => eprintln!("judge::bound: {known}; {counts}"),
        Err(report) => bail!("{counts}\n{report}"),
    }
    ensure!(100 * open.len() <= MAX_OPEN * compiled, "{counts}:\n{}", open.join("\n"));
    Ok(())
}

fn ours(text: &str, scope: &TypedColumns, version: HiveVersion) -> Result<Tree, String> {
    let parsed = parse(&Source::new("predicate", text), &Parameters::new());
    let parsed = parsed.map_err(|error| format!("not parsed: {error}"))?;
    let bound = bind(&parsed.tree, scope, Setting::Query(Some(version)));
    Tree::of_line(&hive_form(&bound, version)?)
}

/// The predicates of the plan cases over the columns of their tables.
fn plan_cases(root: &Path) -> Result<Vec<Asked>> {
    let mut asked = Vec::new();
    let mut declared: BTreeMap<String, String> = BTreeMap::new();
    for file in std::fs::read_dir(root.join("tests/testdata/plan"))? {
        let text = std::fs::read_to_string(file?.path())?;
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(header) = line.strip_prefix("plan ") else { continue };
            let name = header
                .split(' ')
                .find_map(|setting| setting.strip_prefix("schema="))
                .unwrap_or("plain_concat");
            let predicate: Vec<&str> = lines.by_ref().take_while(|line| *line != "----").collect();
            if !declared.contains_key(name) {
                declared.insert(name.to_string(), columns(&schema(name)?));
            }
            asked.push(Asked { columns: declared[name].clone(), text: predicate.join("\n") });
        }
    }
    Ok(asked)
}

fn schema(name: &str) -> Result<Schema> {
    let path = schema_file(name).with_context(|| format!("no schema {name}"))?;
    let loaded = read_file(&path).and_then(|source| load(&source));
    Ok(loaded.map_err(|errors| anyhow::Error::msg(errors.to_string()))?.schema)
}

/// The columns of a logical table.
fn columns(schema: &Schema) -> String {
    let fields = schema.key.fields.iter().map(|field| format!("{} {}", field.name, field.kind.hive_type()));
    let columns =
        schema.columns.iter().map(|column| format!("{} {}", column.name, column.hive_type.hive_type()));
    fields.chain(columns).collect::<Vec<_>>().join(", ")
}

/// The conditions that the rewrite cases show, over the columns of their tables; others are texts.
fn rewrite_cases(root: &Path) -> Result<Vec<Asked>> {
    let cases = std::fs::read_to_string(root.join("tests/testdata/rewrite/cases.txt"))?;
    let schemas = std::fs::read_to_string(root.join("tests/testdata/rewrite/schemas.txt"))?;
    let mut columns_of_all: BTreeMap<String, String> = BTreeMap::new();
    for text in schemas.split("\n---\n") {
        let loaded = load(&Source::new("schemas.txt", text));
        let schema = loaded.map_err(|errors| anyhow::Error::msg(errors.to_string()))?.schema;
        for column in columns(&schema).split(", ") {
            if let Some((name, hive_type)) = column.split_once(' ') {
                columns_of_all.entry(name.to_string()).or_insert_with(|| hive_type.to_string());
            }
        }
    }
    let mut texts = std::collections::BTreeSet::new();
    for line in cases.lines() {
        let line = line.trim_start();
        let used = line.strip_prefix("used, WHERE: ").or(line.strip_prefix("used, ON: "));
        texts.extend(used.or(line.strip_prefix("not used: ")).map(without_relations));
    }
    let mut asked = Vec::new();
    for text in texts {
        let Ok(parsed) = parse(&Source::new("condition", text.clone()), &Parameters::new()) else { continue };
        let mut declared: BTreeMap<String, String> = BTreeMap::new();
        saltplan_sql::rewrite::columns(&parsed.tree).iter().for_each(|(name, _)| {
            let name = name.to_lowercase();
            let hive_type = columns_of_all.get(&name).map_or("string", String::as_str);
            declared.insert(name.clone(), hive_type.to_string());
        });
        let declared: Vec<String> = declared.iter().map(|(name, of)| format!("{name} {of}")).collect();
        asked.push(Asked { columns: declared.join(", "), text });
    }
    Ok(asked)
}

/// The condition with plain names of columns.
fn without_relations(text: &str) -> String {
    let mut plain = String::new();
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '.') => {
                let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '`');
                let start = plain.trim_end_matches(word).len();
                if plain[start..].starts_with(|c: char| c.is_alphabetic() || c == '`') {
                    plain.truncate(start);
                    continue;
                }
            }
            _ => {}
        }
        plain.push(c);
    }
    plain
}

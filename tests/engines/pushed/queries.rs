//! The public queries, and the tables that they read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use saltplan_core::messages::Source;
use saltplan_sql::script::Script;

/// Queries of one source.
pub struct Set {
    pub name: &'static str,
    /// The folder below target/corpus/spark.
    folder: &'static str,
    /// The set of `tables.txt`.
    pub tables: &'static str,
    /// What is no HiveQL, and how it is written in Hive.
    spellings: &'static [(&'static str, &'static str)],
    /// Fewer scans than these would mean that the trial has lost some.
    pub least: usize,
}

pub const SETS: [Set; 5] = [
    Set { name: "tpch", folder: "tpch", tables: "tpch", spellings: &[(" .06", " 0.06")], least: 35 },
    Set { name: "ssb", folder: "ssb", tables: "ssb", spellings: &RESERVED, least: 40 },
    Set { name: "tpcds", folder: "tpcds", tables: "tpcds", spellings: &[], least: 1 },
    Set { name: "tpcds_2_7", folder: "tpcds-v2.7.0", tables: "tpcds", spellings: &[], least: 1 },
    Set {
        name: "tpcds_modified",
        folder: "tpcds-modifiedQueries",
        tables: "tpcds",
        spellings: &[],
        least: 1,
    },
];

/// Hive reserves the word `date`, which is a table there.
const RESERVED: [(&str, &str); 3] = [
    ("from date,", "from `date`,"),
    (", date,", ", `date`,"),
    (
        ", date
",
        ", `date`
",
    ),
];

/// A query, as it is published and as Hive reads it here.
pub struct Query {
    /// The set and the file: `tpch/q7`.
    pub name: String,
    pub text: String,
    /// With a table of its own for each reference.
    pub marked: String,
    pub references: Vec<Reference>,
}

/// A place where a query reads a table.
pub struct Reference {
    pub table: String,
    /// Counted from 1 among the references to the table.
    pub number: usize,
    /// The name of the table that stands there for Hive.
    pub marked: String,
    /// The byte in the text where the name starts.
    pub start: usize,
}

/// The columns of each table, with their types.
pub struct Tables(BTreeMap<String, Vec<(String, String)>>);

impl Tables {
    pub fn read(root: &Path, set: &str) -> Result<Self> {
        let path = root.join("tests/testdata/pushed/tables.txt");
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let mut tables = BTreeMap::new();
        for line in text.lines().filter_map(|line| line.strip_prefix(&format!("{set} "))) {
            let (name, columns) = line.split_once(": ").context("a table and its columns")?;
            let columns = columns.split(", ").map(|column| {
                let (name, hive_type) = column.split_once(' ').context("a column and its type")?;
                Ok((name.to_string(), hive_type.to_string()))
            });
            tables.insert(name.to_string(), columns.collect::<Result<_>>()?);
        }
        ensure!(!tables.is_empty(), "no tables of {set}");
        Ok(Tables(tables))
    }

    pub fn columns(&self, table: &str) -> Result<&[(String, String)]> {
        Ok(self.0.get(table).with_context(|| format!("no table {table}"))?)
    }

    /// The statements that create all tables but one.
    pub fn others(&self, table: &str) -> Arc<Source> {
        let others = self.0.keys().filter(|other| *other != table);
        let statements: Vec<String> = others.map(|other| self.create(other, other)).collect();
        Source::new("tables", statements.join(";\n"))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The statement that creates a table with the columns of `table`.
    pub fn create(&self, name: &str, table: &str) -> String {
        let columns = self.0[table].iter().map(|(name, hive_type)| format!("`{name}` {hive_type}"));
        format!("CREATE TABLE `{name}` ({})", columns.collect::<Vec<_>>().join(", "))
    }

    /// The statements that create the tables of all references, as lines of the lab.
    pub fn statements(&self, queries: &[Query]) -> Vec<String> {
        let references = queries.iter().flat_map(|query| &query.references);
        let marked: BTreeSet<(&str, &str)> =
            references.map(|reference| (reference.marked.as_str(), reference.table.as_str())).collect();
        marked.iter().map(|(marked, table)| self.create(marked, table)).collect()
    }
}

impl Set {
    /// Downloads the queries, if they are missing.
    pub fn fetch(&self, root: &Path) -> Result<()> {
        let fetched = Command::new(root.join("tests/engines/corpus")).arg("spark").status()?;
        ensure!(fetched.success(), "tests/engines/corpus: {fetched}");
        Ok(())
    }

    pub fn queries(&self, root: &Path, tables: &Tables) -> Result<Vec<Query>> {
        let folder = root.join("target/corpus/spark").join(self.folder);
        let mut paths: Vec<_> = std::fs::read_dir(&folder)
            .with_context(|| folder.display().to_string())?
            .map(|file| Ok(file?.path()))
            .collect::<Result<_>>()?;
        paths.retain(|path| path.extension().is_some_and(|end| end == "sql"));
        paths.sort();
        paths.iter().map(|path| self.query(path, tables)).collect()
    }

    fn query(&self, path: &Path, tables: &Tables) -> Result<Query> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{}/{stem}", self.name);
        let mut text = std::fs::read_to_string(path)?;
        // As `hive -f` does.
        text =
            text.lines().filter(|line| !line.trim_start().starts_with("--")).collect::<Vec<_>>().join("\n");
        text.truncate(text.trim_end().trim_end_matches(';').len());
        for (other, in_hive) in self.spellings {
            text = text.replace(other, in_hive);
        }
        let (references, marked) = marked(&name, &text, tables)?;
        Ok(Query { name, text, marked, references })
    }
}

/// The references of a text, and the text with a table of its own for each.
fn marked(name: &str, text: &str, tables: &Tables) -> Result<(Vec<Reference>, String)> {
    let source = Source::new(name, text);
    let script = Script::read(&source, [])
        .map_err(|fault| anyhow::anyhow!("{name}: {}", fault.diagnostic(&source).message))?;
    let mut found = Vec::new();
    for statement in script.statements() {
        for block in &statement.blocks {
            ensure!(block.unclear.is_none(), "{name}: a block is not understood: {:?}", block.unclear);
            for relation in &block.relations {
                let Some((parts, tokens)) = relation.table() else { continue };
                let Some(table) = parts.last().map(saltplan_sql::ast::Name::lower) else { continue };
                if tables.0.contains_key(&table) && !statement.is_cte(block, &table) {
                    found.push((script.tokens.place(tokens), table, relation.alias.is_none()));
                }
            }
        }
    }
    found.sort_by_key(|(place, ..)| place.start);
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let (mut references, mut marked, mut end) = (Vec::new(), String::new(), 0);
    for (place, table, needs_alias) in found {
        let number = numbers.entry(table.clone()).or_default();
        *number += 1;
        let of_its_own = format!("{table}__{number}");
        marked += &text[end..place.start];
        marked += &format!("`{of_its_own}`");
        if needs_alias {
            marked += &format!(" `{table}`");
        }
        end = place.end;
        references.push(Reference { table, number: *number, marked: of_its_own, start: place.start });
    }
    marked += &text[end..];
    Ok((references, marked))
}

/// A statement as a line of the lab.
pub fn line_of(statement: &str) -> String {
    saltplan_law::readers::hive::line_of(statement)
}

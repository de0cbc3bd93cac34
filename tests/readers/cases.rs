//! The cases of `testdata/reader_programs.txt`.

#![allow(clippy::panic, reason = "a case that cannot be read fails its test")]

use std::collections::BTreeMap;
use std::path::Path;

use saltplan_core::Table;
use serde_json::{Map, Value as Json};

/// A predicate with the rows of its table.
pub struct Case {
    /// A name for files and tables.
    pub name: String,
    /// The schema file's text.
    pub yaml: String,
    pub predicate: String,
    /// All rows, in key order.
    pub rows: Vec<Row>,
    /// The rows of the ranges.
    pub reads: usize,
}

pub struct Row {
    pub key: Vec<u8>,
    /// The cell of `f:v`.
    pub cell: Option<String>,
    pub is_expected: bool,
}

impl Case {
    /// The row keys that a program must read.
    pub fn expected(&self) -> Vec<Vec<u8>> {
        self.rows.iter().filter(|row| row.is_expected).map(|row| row.key.clone()).collect()
    }

    pub fn table(&self) -> String {
        format!("saltplan_reader_{}", self.name)
    }
}

/// The values of fields, and of the column `v`.
type Values = BTreeMap<String, Vec<String>>;

pub fn read(root: &Path) -> Vec<Case> {
    let path = root.join("tests/testdata/reader_programs.txt");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.split("\n--- ").skip(1).map(case).collect()
}

fn case(section: &str) -> Case {
    let (title, body) = section.split_once('\n').unwrap_or((section, ""));
    let name = title.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let known = ["splits: ", "predicate: ", "rows: ", "cells: ", "expected: ", "reads: "];
    let is_head = |line: &&str| known.iter().any(|word| line.starts_with(word));
    let (head, key): (Vec<&str>, Vec<&str>) = body.lines().partition(is_head);
    let of = |word: &str| {
        head.iter().filter_map(|line| line.strip_prefix(word)?.strip_prefix(": ")).collect::<Vec<_>>()
    };
    let one = |word: &str| of(word).first().copied().unwrap_or_else(|| panic!("{title}: no `{word}`"));
    let yaml = format!(
        "saltplan: 1\nhbase: {{ table: saltplan_reader_{name}, families: {{ f: {{}} }} }}\nkey:\n  {}\n\
         columns:\n  - {{ name: v, type: string, hbase: 'f:v' }}\n\
         regions:\n  explicit: ['{}']\n",
        key.join("\n  "),
        one("splits").replace(' ', "', '")
    );
    let table = Table::from_yaml(&yaml).unwrap_or_else(|error| panic!("{title}: {error}"));
    let wanted: Vec<Values> = of("expected").into_iter().filter(|line| *line != "-").map(values).collect();
    let cells: Vec<&str> = of("cells").first().map_or(vec!["-"], |line| line.split(' ').collect());
    let mut rows: Vec<Row> = combinations(&ordered(one("rows")))
        .into_iter()
        .enumerate()
        .map(|(place, row)| {
            let key = table.encode(&row).unwrap_or_else(|error| panic!("{title}: {error}"));
            let cell = Some(cells[place % cells.len()]).filter(|cell| *cell != "-").map(String::from);
            let has = |(name, values): (&String, &Vec<String>)| {
                let value = if name == "v" { cell.as_deref().or(Some("-")) } else { row[name].as_str() };
                values.iter().any(|wanted| value == Some(wanted))
            };
            let is_expected = wanted.iter().any(|wanted| wanted.iter().all(has));
            Row { key, cell, is_expected }
        })
        .collect();
    rows.sort_by(|one, other| one.key.cmp(&other.key));
    let expected = rows.iter().filter(|row| row.is_expected).count();
    assert_eq!(expected == 0, wanted.is_empty(), "{title}: the expected rows are no rows");
    let reads = of("reads")
        .first()
        .map_or(expected, |count| count.parse().unwrap_or_else(|_| panic!("{title}: reads")));
    Case { name, yaml, predicate: one("predicate").into(), rows, reads }
}

fn values(line: &str) -> Values {
    ordered(line).into_iter().collect()
}

/// `a=1,2 b=x`
fn ordered(line: &str) -> Vec<(String, Vec<String>)> {
    let field = |part: &str| {
        let (name, values) = part.split_once('=').unwrap_or_else(|| panic!("{line}: no values"));
        (name.to_string(), values.split(',').map(String::from).collect())
    };
    line.split(' ').map(field).collect()
}

fn combinations(fields: &[(String, Vec<String>)]) -> Vec<Map<String, Json>> {
    let Some(((name, values), rest)) = fields.split_first() else { return vec![Map::new()] };
    let rest = combinations(rest);
    let with = |value: &String| {
        let row = |row: &Map<String, Json>| {
            let mut row = row.clone();
            row.insert(name.clone(), value.clone().into());
            row
        };
        rest.iter().map(row).collect::<Vec<_>>()
    };
    values.iter().flat_map(with).collect()
}

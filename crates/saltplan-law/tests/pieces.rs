//! Pieces of the row key: `tests/testdata/pieces/*.txt` have conditions on the key column of mapping tables as people write them, and
//! what they mean for the fields.
//!
//! A case is a line `piece schema=NAME`, conditions, one a line, `----`, and the expected output up to an empty line: for each condition
//! what it is as a condition on fields (`=` before it; `-` if nothing was recognised), then the pieces, and the ranges that all of them
//! have, those of the first salt. `BLESS=1 cargo test` writes the actual outputs into the files.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use saltplan_core::analyze::analyze;
use saltplan_core::analyze::bind::{Setting, bind, written_node};
use saltplan_core::key::range::to_string_binary;
use saltplan_core::pieces::{MappingScope, Recognised, recognise};
use saltplan_core::plan::{Options, Plan, PlanKind, plan};
use saltplan_core::schema::{load, model::Schema};
use saltplan_document::diag::{Diagnostics, Source};
use saltplan_law::expect::{CaseForm, Expectations, answered, repository, schema_file};
use saltplan_sql::{Parameters, Parsed, parse};

#[test]
fn pieces() {
    let mut expectations = Expectations::default();
    let mut count = 0;
    let folder = repository().join("tests/testdata/pieces");
    let entries = std::fs::read_dir(folder).expect("the folder of cases");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    for file in files {
        let before = std::fs::read_to_string(&file).expect("a readable file");
        let (after, cases) = answered(&before, CaseForm { word: "piece", end: "" }, answer);
        expectations.file(&file, &after);
        count += cases;
    }
    expectations.check();
    assert!(count >= 40, "only {count} cases");
}

fn answer(header: &str, conditions: &str) -> String {
    let name = header.trim().strip_prefix("schema=").expect("a schema");
    let schema = schema(name);
    let mut answer = String::new();
    let mut pieces = BTreeMap::new();
    let mut plans: Vec<String> = Vec::new();
    for condition in conditions.lines() {
        match recognised(&schema, condition) {
            Ok((found, shown)) => {
                let _ = writeln!(
                    answer,
                    "{} {}",
                    if found.pieces.is_empty() { '-' } else { '=' },
                    found.tree_text()
                );
                pieces.extend(found.pieces.into_iter().map(|piece| (piece.expression, piece.meaning)));
                if !plans.contains(&shown) {
                    plans.push(shown);
                }
            }
            Err(errors) => {
                let _ = writeln!(answer, "{errors}");
            }
        }
    }
    for (expression, meaning) in pieces {
        let _ = writeln!(answer, "{expression} is {meaning}");
    }
    plans.into_iter().for_each(|plan| answer += &plan);
    answer
}

trait TreeText {
    fn tree_text(&self) -> String;
}

impl TreeText for Recognised {
    fn tree_text(&self) -> String {
        written_node(&self.tree).expr.to_string()
    }
}

fn recognised(schema: &Schema, condition: &str) -> Result<(Recognised, String), Diagnostics> {
    let parsed = parse(&Source::new("condition", condition), &Parameters::new())?;
    let bound = bind(&parsed.tree, &MappingScope(schema), Setting::Query(None));
    let found = recognise(schema, bound);
    let parsed = Parsed { tree: written_node(&found.tree), ..parsed };
    let planned = plan(schema, &analyze(schema, &parsed)?, Options::default());
    Ok((found, ranges(&planned)))
}

fn ranges(plan: &Plan) -> String {
    let mut text = String::new();
    if plan.kind == PlanKind::FullScan {
        return "all keys\n".into();
    }
    let salts = plan.branches.chunk_by(|one, next| one.salt == next.salt);
    let count = salts.count();
    let first = plan.branches.first().map(|branch| branch.salt.clone());
    for branch in plan.branches.iter().filter(|branch| Some(&branch.salt) == first.as_ref()).take(4) {
        let start = to_string_binary(&branch.range.start);
        let stop = branch.range.stop.as_deref().map_or("end".into(), to_string_binary);
        let _ = writeln!(text, "[{start}, {stop})");
    }
    match count {
        0 => text += "no keys\n",
        1 => {}
        count => {
            let _ = writeln!(text, "… for {count} salts");
        }
    }
    text
}

fn schema(name: &str) -> Schema {
    let file = schema_file(name).unwrap_or_else(|| panic!("no schema {name}"));
    let mut text = std::fs::read_to_string(&file).expect("a schema");
    if !text.contains("\nhive:") {
        text += "hive:\n  mapping: { table: m, key_column: rowkey }\n";
    }
    load(&Source::new(name, text)).unwrap_or_else(|errors| panic!("{errors}")).schema
}

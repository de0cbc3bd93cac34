//! `tests/testdata/key_ranges.txt`: conditions on a key that is a single text, with its key ranges. The jar
//! for Hive reads the same cases, so that a condition means the same keys for planner and jar.

use std::path::Path;

use saltplan_core::analyze::analyze;
use saltplan_core::key::range::KeyRange;
use saltplan_core::plan::{Options, plan};
use saltplan_core::schema::{load, model::Schema};
use saltplan_document::diag::Source;
use saltplan_sql::{Parameters, parse};

const SCHEMA: &str = "saltplan: 1
hbase: { table: t, families: { f: {} } }
key: { fields: [{ name: key, type: string }] }
columns: [{ name: status, type: string, hbase: 'f:status' }]
";

#[derive(Default)]
struct Case {
    name: String,
    condition: String,
    keys: String,
    planner: Option<String>,
}

#[test]
fn the_planner_means_the_keys_that_the_jar_reads() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/key_ranges.txt");
    let text = std::fs::read_to_string(path).expect("the cases");
    let schema = load(&Source::new("schema", SCHEMA)).expect("a schema").schema;
    let mut planned = 0;
    let mut others = Vec::new();
    for case in cases(&text) {
        let keys = keys(&schema, &case.condition);
        if keys != *case.planner.as_ref().unwrap_or(&case.keys) {
            others.push(format!("{}: {keys}", case.name));
        }
        planned += 1;
    }
    assert!(others.is_empty(), "{others:#?}");
    assert!(planned >= 30, "only {planned} cases");
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix("case ") {
            cases.push(Case { name: name.to_string(), ..Case::default() });
            continue;
        }
        let (name, value) = line.split_once(':').expect("`name: value`");
        let value = value.trim().to_string();
        let case = cases.last_mut().expect("a line `case NAME` first");
        match name {
            "where" => case.condition = value,
            "keys" => case.keys = value,
            "planner" => case.planner = Some(value),
            _ => panic!("unknown name `{name}`"),
        }
    }
    cases
}

/// The keys of all branches in the notation of the file.
fn keys(schema: &Schema, condition: &str) -> String {
    let parsed = parse(&Source::new("predicate", condition), &Parameters::new()).expect("a condition");
    let analysis = analyze(schema, &parsed).expect("a condition on the columns");
    let plan = plan(schema, &analysis, Options::default());
    let mut ranges: Vec<KeyRange> = plan.branches.iter().map(|branch| branch.range.clone()).collect();
    ranges.sort_by(|left, right| left.start.cmp(&right.start));
    let mut joined: Vec<KeyRange> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.stop.as_ref().is_none_or(|stop| *stop >= range.start) => {
                let reaches_further = match (&last.stop, &range.stop) {
                    (None, _) => false,
                    (_, None) => true,
                    (Some(last), Some(stop)) => last < stop,
                };
                if reaches_further {
                    last.stop = range.stop;
                }
            }
            _ => joined.push(range),
        }
    }
    if joined.is_empty() {
        return "none".to_string();
    }
    let texts = joined
        .iter()
        .map(|range| format!("{}..{}", hex(&range.start), range.stop.as_deref().map_or(String::new(), hex)));
    texts.collect::<Vec<_>>().join(" ")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

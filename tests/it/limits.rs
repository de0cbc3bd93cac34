//! Predicates that would make more boxes, pieces or branches than can be kept: answered all the same.

use std::path::Path;

use saltplan_core::diag::Source;
use saltplan_core::plan::{Kind, Options, Plan, plan};
use saltplan_core::predicate::{Parameters, lower, parse};
use saltplan_core::schema::{load, read_file};

fn planned(schema: &str, predicate: String, max_branches: usize) -> Plan {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(schema);
    let schema = load(&read_file(&path).expect("a file")).expect("a schema").schema;
    let parsed = parse(&Source::new("predicate", predicate), &Parameters::new()).expect("a predicate");
    let lowered = lower(&schema, &parsed).expect("known names");
    plan(&schema, &lowered, Options { max_branches, split_keys: None })
}

fn list(count: usize, one: impl Fn(usize) -> String, join: &str) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(join)
}

fn codes(plan: &Plan) -> Vec<&'static str> {
    plan.notes.iter().map(|note| note.code).collect()
}

fn assert_residuals(plan: &Plan, expected: &str) {
    for branch in &plan.branches {
        let text = branch.residual.as_ref().map(|residual| residual.text.to_string()).unwrap_or_default();
        let start: String = text.chars().take(200).collect();
        assert!(text.contains(expected), "{expected} is not in {start} … ({} bytes)", text.len());
        assert!(text.len() <= 2 * 65_536, "{start} … ({} bytes)", text.len());
    }
}

/// One box stands for all, and every arm is checked on its rows.
#[test]
fn boxes_past_their_limit_keep_the_condition() {
    let arms = |column: &str| list(70, |n| format!("(country = 'cn' AND {column} = {n})"), " OR ");
    let predicate = format!("({}) AND ({}) AND day = 20200406", arms("amount"), arms("status"));
    let plan = planned("tests/testdata/schemas/country.yaml", predicate, 256);
    assert_eq!((plan.kind, plan.branches.len()), (Kind::Point, 1));
    assert_residuals(&plan, "amount = 69");
    assert_residuals(&plan, "status = 69");
}

/// 160,000 ranges are not built to be thrown away.
#[test]
fn ten_thousand_values_behind_sixteen_salts() {
    let numbers = list(10_000, |n| (10_000 + 7 * n).to_string(), ",");
    let plan = planned("tests/testdata/schemas/nibble_number.yaml", format!("id IN ({numbers})"), 256);
    assert_eq!((plan.kind, plan.branches.len()), (Kind::FanOut, 256));
    assert!(codes(&plan).contains(&"widened"), "{:?}", plan.notes);
    assert_residuals(&plan, "id IN (");
}

/// A million combinations.
#[test]
fn three_lists_of_a_hundred() {
    let values = list(100, |n| format!("'{n:010}'"), ", ");
    let predicate =
        format!("customer_id IN ({values}) AND contract_id IN ({values}) AND amount IN ({values})");
    let plan = planned("schemas/examples/md5_prefix.yaml", predicate.clone(), 256);
    assert_eq!(plan.kind, Kind::FullScan);
    assert!(codes(&plan).contains(&"too_many_salts"), "{:?}", plan.notes);
    let plan = planned("schemas/examples/plain_concat.yaml", predicate, 256);
    assert_eq!(plan.branches.len(), 200);
    assert_residuals(&plan, "amount IN (");
}

#[test]
fn arms_of_an_or_up_to_64_kib() {
    let arm = |n: usize| format!("(opera_day = {} AND phone_number = 's{n}')", 20_000_101 + n % 28);
    let predicate = list(1_250, arm, " OR ");
    assert!(predicate.len() > 60_000 && predicate.len() <= 65_536, "{}", predicate.len());
    let plan = planned("schemas/examples/md5_nibble_day.yaml", predicate, 65_536);
    assert_eq!((plan.kind, plan.branches.len()), (Kind::FanOut, 28 * 16));
    assert_residuals(&plan, "phone_number = 's");
}

/// No family has so many, and each is looked up by its name.
#[test]
fn attributes_past_their_limit_are_an_error() {
    let attributes = list(257, |n| format!("hbase.x{n}: {n}"), ", ");
    let key = "key: { fields: [{ name: id, type: string, width: 8, chars: alnum }] }";
    let text = format!("saltplan: 1\nhbase: {{ table: t, families: {{ f: {{ {attributes} }} }} }}\n{key}\n");
    let errors = load(&Source::new("wide.yaml", text)).expect_err("an error");
    let messages: Vec<&str> = errors.0.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(messages, ["257 attributes of a family, the limit is 256"]);
}

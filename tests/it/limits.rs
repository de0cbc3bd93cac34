//! Predicates that would make more boxes, parts or branches than can be kept still give a plan.

use std::path::Path;

use saltplan_core::analyze::analyze;
use saltplan_core::hive;
use saltplan_core::hive::query::{QueryOptions, QueryShape};
use saltplan_core::plan::{DEFAULT_MAX_RESIDUAL_BYTES, Options, Plan, PlanKind, plan};
use saltplan_core::render::size::DEFAULT_MAX_BYTES;
use saltplan_core::render::templates::Templates;
use saltplan_core::row::{RowCodec, RowError};
use saltplan_core::schema::{load, model::Schema, read_file};
use saltplan_document::diag::Source;
use saltplan_law::sample::sampled;
use saltplan_sql::{Parameters, parse};

fn planned(schema: &str, predicate: String, max_branches: usize) -> Plan {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(schema);
    let schema = load(&read_file(&path).expect("a file")).expect("a schema").schema;
    plan_of(&schema, predicate, max_branches)
}

fn plan_of(schema: &Schema, predicate: String, max_branches: usize) -> Plan {
    let parsed = parse(&Source::new("predicate", predicate), &Parameters::new()).expect("a predicate");
    let analysis = analyze(schema, &parsed).expect("known names");
    plan(schema, &analysis, Options { max_branches, ..Options::default() })
}

fn list(count: usize, one: impl Fn(usize) -> String, join: &str) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(join)
}

fn codes(plan: &Plan) -> Vec<&'static str> {
    plan.notes.iter().map(saltplan_core::plan::Note::code).collect()
}

fn assert_residuals(plan: &Plan, expected: &str) {
    for branch in &plan.branches {
        let text = plan.residual_of(branch).map(|residual| residual.expr.to_string()).unwrap_or_default();
        let start: String = text.chars().take(200).collect();
        assert!(text.contains(expected), "{expected} is not in {start} … ({} bytes)", text.len());
        assert!(text.len() <= 2 * 65_536, "{start} … ({} bytes)", text.len());
    }
}

fn residual_bytes(plan: &Plan) -> usize {
    plan.branches
        .iter()
        .filter_map(|branch| plan.residual_of(branch))
        .map(|residual| residual.expr.to_string().len())
        .sum()
}

/// One box represents all, and every operand is checked on its rows.
#[test]
fn boxes_past_their_limit_keep_the_condition() {
    let arms = |column: &str| list(70, |n| format!("(country = 'cn' AND {column} = {n})"), " OR ");
    let predicate = format!("({}) AND ({}) AND day = 20200406", arms("amount"), arms("status"));
    let plan = planned("tests/testdata/schemas/country.yaml", predicate, 256);
    assert_eq!((plan.kind, plan.branches.len()), (PlanKind::Point, 1));
    assert_residuals(&plan, "amount = 69");
    assert_residuals(&plan, "status = 69");
}

/// 160,000 ranges are not built only to be dropped.
#[test]
fn ten_thousand_values_behind_sixteen_salts() {
    let numbers = list(10_000, |n| (10_000 + 7 * n).to_string(), ",");
    let plan = planned("tests/testdata/schemas/nibble_number.yaml", format!("id IN ({numbers})"), 256);
    assert_eq!((plan.kind, plan.branches.len()), (PlanKind::FanOut, 256));
    assert!(codes(&plan).contains(&"widened"), "{:?}", plan.notes);
    assert_residuals(&plan, "id IN (");
    // Each range checks only the values in it, not all 60 KB of them.
    assert!(residual_bytes(&plan) < 17 * 70_000, "{}", residual_bytes(&plan));
}

/// A million combinations.
#[test]
fn three_lists_of_a_hundred() {
    let values = list(100, |n| format!("'{n:010}'"), ", ");
    let predicate =
        format!("customer_id IN ({values}) AND contract_id IN ({values}) AND amount IN ({values})");
    let plan = planned("schemas/examples/md5_prefix.yaml", predicate.clone(), 256);
    assert_eq!(plan.kind, PlanKind::FullScan);
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
    assert_eq!((plan.kind, plan.branches.len()), (PlanKind::FanOut, 28 * 16));
    assert_residuals(&plan, "phone_number = 's");
}

/// Every box of the product would contain every condition: a few hundred ORs would take gigabytes.
#[test]
fn an_and_of_ors_up_to_64_kib() {
    let or = |n: usize| format!("(row_id = '{n}' OR phone_number > '{n}')");
    for count in [12, 50, 400, 1_400] {
        let predicate = format!("opera_day = 20200406 AND {}", list(count, or, " AND "));
        assert!(predicate.len() <= 65_536, "{}", predicate.len());
        let plan = planned("schemas/examples/md5_nibble_day.yaml", predicate, 256);
        assert_eq!(plan.kind, PlanKind::FanOut, "{count}");
        assert!(plan.branches.len() >= 16 && plan.branches.len() <= 256, "{count}: {}", plan.branches.len());
        assert_residuals(&plan, "phone_number > '1");
        assert!(residual_bytes(&plan) <= DEFAULT_MAX_RESIDUAL_BYTES, "{count}: {}", residual_bytes(&plan));
    }
}

/// Nested ORs: the operands share one limit.
#[test]
fn ors_of_ands_of_ors() {
    let or = |n: usize| format!("(row_id = '{n}' OR phone_number > '{n}')");
    let and = |n: usize| format!("(opera_day = {} AND {})", 20_200_401 + n % 28, list(12, or, " AND "));
    let predicate = list(110, and, " OR ");
    assert!(predicate.len() > 50_000 && predicate.len() <= 65_536, "{}", predicate.len());
    let plan = planned("schemas/examples/md5_nibble_day.yaml", predicate, 256);
    assert_eq!(plan.kind, PlanKind::FanOut);
    assert_residuals(&plan, "phone_number > '11'");
}

/// 33 KB of predicate made 26 MB of residuals: a range over some pairs checks only these pairs.
#[test]
fn more_pairs_than_branches() {
    let pair = |n: usize| format!("(a = {} AND b = {})", 10 * n, n % 7);
    let predicate = list(1_001, pair, " OR ");
    let plan = planned("tests/testdata/schemas/two_numbers.yaml", predicate.clone(), 256);
    assert_eq!((plan.kind, plan.branches.len()), (PlanKind::Range, 256));
    assert!(residual_bytes(&plan) < 2 * predicate.len(), "{}", residual_bytes(&plan));
    let first = plan.residual_of(&plan.branches[0]).map(|residual| residual.expr.to_string());
    assert_eq!(
        first.as_deref(),
        Some("((a = 0) AND (b = 0)) OR ((a = 10) AND (b = 1)) OR ((a = 20) AND (b = 2))")
    );
}

/// Each operand would be read with 65,536 salts: 100 million ranges, which would be merged again.
#[test]
fn many_arms_behind_many_salts() {
    let text = "saltplan: 1\nhbase: { table: t, families: { f: {} } }\nkey:\n  \
                salt: { md5: { of: key, first_hex_digits: 4, write: hex } }\n  fields:\n  \
                - { name: day, type: date, format: yyyyMMdd }\n  - { name: id, type: string }\n\
                columns: [{ name: x, type: string, hbase: 'f:x' }]\n";
    let schema = load(&Source::new("wide.yaml", text)).expect("a schema").schema;
    let arm = |n: usize| {
        format!("(day = {}{:02}{:02} AND x = '{n}')", 2000 + n / 28 / 12, n / 28 % 12 + 1, n % 28 + 1)
    };
    let plan = plan_of(&schema, list(1_600, arm, " OR "), 100_000);
    assert_eq!((plan.kind, plan.branches.len()), (PlanKind::FanOut, 65_536));
    assert_eq!(plan.branches[7].salt.as_deref(), Some(&b"0007"[..]));
    let residual = plan.residual_of(&plan.branches[7]).expect("a residual");
    assert!(residual.expr.to_string().contains("x = '1599'"));
}

/// A condition that is repeated in every range: merged ranges read more, but can be printed.
#[test]
fn a_long_residual_makes_fewer_ranges() {
    let days = list(16, |n| (20_200_401 + n / 2 * 3 + n % 2).to_string(), ", ");
    let numbers = list(6_000, |n| format!("'{n:06}'"), ", ");
    let predicate = format!("opera_day IN ({days}) AND phone_number IN ({numbers})");
    assert!(predicate.len() <= 65_536, "{}", predicate.len());
    let plan = planned("schemas/examples/md5_nibble_day.yaml", predicate, 256);
    assert_eq!((plan.kind, plan.branches.len()), (PlanKind::FanOut, 32));
    assert!(codes(&plan).contains(&"widened"), "{:?}", plan.notes);
    assert_residuals(&plan, "phone_number IN (");
    assert_residuals(&plan, "opera_day IN (");
    assert!(residual_bytes(&plan) <= DEFAULT_MAX_RESIDUAL_BYTES, "{}", residual_bytes(&plan));
}

/// A schema may list as many values as fit into its file.
#[test]
fn a_hundred_thousand_listed_values() {
    let values = list(100_000, |n| format!("'{n:06}'"), ", ");
    let fields = format!("{{ name: code, type: string, values: [{values}] }}, {{ name: id, type: string }}");
    let text = format!(
        "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\nkey: {{ separator: '_', fields: [{fields}] }}\n"
    );
    let schema = load(&Source::new("listed.yaml", text)).expect("a schema").schema;
    let some = plan_of(&schema, "code >= '000100' AND code < '000200' AND id = 'x'".into(), 256);
    assert_eq!((some.kind, some.branches.len()), (PlanKind::Range, 100));
    assert!(some.branches.iter().all(|branch| branch.range.is_point() && branch.residual.is_none()));
    let all = plan_of(&schema, "code <> '000100' AND id = 'x'".into(), 256);
    assert_eq!(all.branches.len(), 2);
    assert_residuals(&all, "id = 'x'");
}

/// The same parts of a list follow each of many single values, and the list is too long to be repeated.
#[test]
fn shared_parts_of_a_long_list_are_checked_once() {
    let text = "saltplan: 1
hbase: { table: t, families: { f: {} } }
key:
  fields:
    - { name: a, type: string, width: 3, chars: digits }
    - { name: b, type: bigint, encoding: be, min: 0 }
";
    let schema = load(&Source::new("two.yaml", text)).expect("a schema").schema;
    let singles = list(100, |n| format!("'{:03}'", n * 4), ", ");
    let many = list(2_000, |n| (n * 7).to_string(), ", ");
    let plan = plan_of(&schema, format!("a IN ({singles}) AND b IN ({many})"), 256);
    assert_eq!((plan.branches.len(), plan.residuals.len()), (200, 2));
    assert!(residual_bytes(&plan) <= DEFAULT_MAX_RESIDUAL_BYTES);
}

const VISITS: &str = "tests/cmd/visits.yaml";

fn printed(plan: &Plan, shape: QueryShape, max_bytes: usize) -> Result<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(VISITS);
    let schema = load(&read_file(&path).expect("a file")).expect("a schema").schema;
    printed_of(&schema, plan, shape, max_bytes)
}

fn printed_of(schema: &Schema, plan: &Plan, shape: QueryShape, max_bytes: usize) -> Result<String, String> {
    let mut options = QueryOptions::default();
    options.shape = Some(shape);
    options.select_only = true;
    options.max_bytes = max_bytes;
    let query = hive::query::render(schema, plan, &options, &Templates::new(None));
    query.map(|query| query.sql).map_err(|error| error.to_string())
}

/// Repeated in every branch it made 15 MB.
#[test]
fn a_long_residual_of_all_branches_is_printed_once() {
    let text = "
saltplan: 1
hbase: { table: t, families: { f: {} } }
key:
  salt: { md5: { of: key, first_hex_digits: 2, write: hex } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: id, type: string, width: 8, chars: digits }
columns: [{ name: status, type: string, hbase: 'f:s' }]
hive: { mapping: { table: m, key_column: rowkey } }
";
    let schema = load(&Source::new("salts.yaml", text)).expect("a schema").schema;
    let values = list(6_000, |n| format!("'{n:06}'"), ", ");
    let predicate = format!("day = 20200406 AND (status IN ({values}) OR substr(id, 8) = '7')");
    let plan = plan_of(&schema, predicate, 256);
    assert_eq!(plan.branches.len(), 256);
    for shape in [QueryShape::UnionAll, QueryShape::Isolated] {
        let sql = printed_of(&schema, &plan, shape, DEFAULT_MAX_BYTES).expect("a statement");
        assert_eq!((sql.matches("'000077'").count(), sql.matches("UNION ALL").count()), (1, 255));
        // The branches select the key, because the residual has a condition on a field.
        assert!(
            sql.contains("SELECT `rowkey`, `status`") && sql.contains("\n) `branches`\nWHERE "),
            "{shape:?}"
        );
        let refused = printed_of(&schema, &plan, shape, 50_000).expect_err("a refusal");
        assert!(refused.contains("50,000"), "{refused}");
    }
}

/// They were written with all their ranges in every branch: 500 MB.
#[test]
fn months_and_days_of_every_year_are_short() {
    let conditions = [
        "month(at) = 2",
        "day(at) IN (29, 31)",
        "month(at) = 2 OR at = '20200406101500'",
        "NOT (month(at) = 2 AND day(at) = 29)",
        "day(at) <> 31 AND month(at) BETWEEN 3 AND 9",
        "CAST(day(at) AS string) = '3'",
    ];
    for condition in sampled(conditions, 3) {
        let plan = planned(VISITS, format!("visitor IN ('7', '8', '9') AND ({condition})"), 256);
        assert!(
            plan.branches.len() > 100 || condition.starts_with("CAST"),
            "{condition}: {}",
            plan.branches.len()
        );
        let sql = printed(&plan, QueryShape::UnionAll, DEFAULT_MAX_BYTES).expect(condition);
        assert!(sql.len() < 400_000, "{condition}: {} bytes", sql.len());
    }
}

/// Each of them has about ten thousand ranges, and a predicate can have thousands of them: the rest is
/// checked row by row.
#[test]
fn thousands_of_conditions_on_days_of_the_month() {
    let day = |n: usize| format!("day(at) = {}", n % 31 + 1);
    let predicates = [
        list(3_500, day, " OR "),
        list(3_500, day, " AND "),
        list(1_500, |n| format!("({} AND referrer = '{n}')", day(n)), " OR "),
        list(2_000, |n| format!("({}) IS NULL", day(n)), " OR "),
    ];
    for predicate in sampled(predicates, 2) {
        let plan = planned(VISITS, format!("visitor = '7' AND ({predicate})"), 256);
        assert!(matches!(plan.kind, PlanKind::Range | PlanKind::Empty), "{:?}", plan.kind);
        assert!(residual_bytes(&plan) <= DEFAULT_MAX_RESIDUAL_BYTES, "{}", residual_bytes(&plan));
    }
}

/// A result that is too long is refused before it is generated, with an approximately right size.
#[test]
fn a_statement_has_a_limit() {
    let plan = planned(VISITS, "visitor = '7' AND month(at) = 2".into(), 256);
    let sql = printed(&plan, QueryShape::UnionAll, usize::MAX).expect("a statement");
    for limit in [20_000, sql.len() / 2] {
        let refused = printed(&plan, QueryShape::UnionAll, limit).expect_err("a refusal");
        assert!(refused.contains("the limit is") && refused.contains("`max_bytes`"), "{refused}");
        let digits: String = refused
            .split("about ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next())
            .unwrap_or("")
            .replace(',', "");
        let said: usize = digits.parse().expect("a number of bytes");
        assert!(
            said > limit && said > sql.len() / 3 && said < sql.len() * 2,
            "{limit} {refused} {}",
            sql.len()
        );
    }
    assert_eq!(printed(&plan, QueryShape::UnionAll, sql.len()).as_deref(), Ok(sql.as_str()));
}

/// More attributes than any real family has; each is looked up by its name.
#[test]
fn attributes_past_their_limit_are_an_error() {
    let attributes = list(257, |n| format!("hbase.x{n}: {n}"), ", ");
    let key = "key: { fields: [{ name: id, type: string, width: 8, chars: alnum }] }";
    let text = format!("saltplan: 1\nhbase: {{ table: t, families: {{ f: {{ {attributes} }} }} }}\n{key}\n");
    let errors = load(&Source::new("wide.yaml", text)).expect_err("an error");
    let messages: Vec<&str> = errors.0.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(messages, ["257 attributes of a family, the limit is 256"]);
}

/// HBase accepts keys of 1 to 32,767 bytes.
#[test]
fn keys_of_a_length_that_hbase_refuses_are_errors() {
    let text = "saltplan: 1\nhbase: { table: t, families: { f: {} } }\nkey: { fields: [{ name: id, type: string }] }\n";
    let schema = load(&Source::new("schema.yaml", text)).expect("a schema").schema;
    let codec = RowCodec::new(&schema);
    let encoded = |id: String| codec.encode_json(format!("{{\"id\": \"{id}\"}}").as_bytes());
    assert_eq!(encoded("x".repeat(32_767)).expect("a key").len(), 32_767);
    assert_eq!(encoded("x".repeat(40_011)), Err(RowError::TooLong { bytes: 40_011 }));
    assert_eq!(encoded(String::new()), Err(RowError::Empty));
}

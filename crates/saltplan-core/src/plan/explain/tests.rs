use super::{to_json, to_text};
use crate::analyze::analyze;
use crate::key::salt::SaltDomain;
use crate::plan::{Options, plan};
use crate::schema::{load, model::Schema};
use saltplan_document::diag::Source;
use saltplan_sql::{Parameters, parse};

const WIDE: usize = 100;

fn schema(key: &str) -> Schema {
    let yaml = format!(
        "saltplan: 1\nhbase: {{ table: 't', families: {{ f: {{}} }} }}\nkey: {key}\n\
         columns:\n  - {{ name: status, type: string, hbase: 'f:status' }}\n"
    );
    load(&Source::new("t.yaml", yaml)).expect("a schema").schema
}

/// A day and a row id behind sixteen salts of two digits.
fn nibble() -> Schema {
    schema(
        "{ salt: { md5: { of: key, first_hex_digits: 1, write: { decimal: 2 } } }, fields: [
           { name: day, type: date, format: yyyyMMdd }, { name: row_id, type: string, chars: alnum } ] }",
    )
}

fn explained(schema: &Schema, predicate: &str, split_keys: Option<&[Vec<u8>]>, width: usize) -> String {
    let source = Source::new("predicate", predicate);
    let parsed = parse(&source, &Parameters::new()).expect("a predicate");
    let analysis = analyze(schema, &parsed).expect("known names");
    let listed = match schema.key.salt.as_ref().map(|salt| salt.domain(&schema.key.fields)) {
        Some(SaltDomain::Listed(salts)) => salts,
        _ => Vec::new(),
    };
    let plan = plan(schema, &analysis, Options { split_keys, ..Options::default() });
    let json = to_json(&plan, &analysis.warnings);
    assert_eq!(json["branches"].as_array().map(Vec::len), Some(plan.branches.len()));
    let text = to_text(schema, &listed, &plan, width);
    let ranges = text.split("\n\n").nth(1).unwrap_or_default();
    ranges.to_string()
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

#[test]
fn salts_with_the_same_ranges_stand_once() {
    let ranges = explained(&nibble(), "day = 20200406", None, WIDE);
    assert_eq!(
        lines(&ranges),
        ["salt    salts  start           stop", "00..15  16     <salt>20200406  <salt>20200407"]
    );
}

#[test]
fn a_run_ends_where_a_salt_is_not_read_or_reads_something_else() {
    // The salt of `day`, `row_id` = `u1` is 04; it gets its own point read.
    let text = explained(&nibble(), "day = 20200407 OR day = 20200410 AND row_id = 'u1'", None, WIDE);
    let point = text.lines().find(|line| line.contains("(one key)")).expect("a point read");
    let salt = text.lines().nth(2).expect("a second group").split_whitespace().next().expect("a salt");
    assert!(point.contains(&format!("{salt}20200410u1")), "{text}");
    let runs: Vec<&str> = text.lines().filter(|line| line.contains("..")).collect();
    assert_eq!(runs.len(), 2, "{text}");
    let counts = runs.iter().map(|run| run.split_whitespace().nth(1).expect("a count"));
    assert_eq!(counts.map(|count| count.parse::<u32>().expect("a number")).sum::<u32>(), 15, "{text}");
}

#[test]
fn salts_between_which_one_is_missing_are_no_run() {
    let schema = schema(
        "{ separator: '_', salt: { modulo: { of: id, by: 12, write: { decimal: 2 } } }, fields: [
           { name: id, type: bigint, encoding: decimal, width: 4 }, { name: day, type: date, format: yyyyMMdd } ] }",
    );
    let text = explained(&schema, "id IN (1, 2, 4)", None, WIDE);
    assert_eq!(
        lines(&text),
        ["salt  start    stop", "01    01_0001  01_0002", "02    02_0002  02_0003", "04    04_0004  04_0005",]
    );
}

#[test]
fn salts_of_different_widths_are_all_or_apart() {
    let schema = schema(
        "{ separator: '_', salt: { random: { below: 12, write: decimal } }, fields: [
           { name: day, type: date, format: yyyyMMdd }, { name: row_id, type: string } ] }",
    );
    let all = explained(&schema, "day = 20200406", None, WIDE);
    assert_eq!(
        lines(&all),
        ["salt  salts  start            stop", "all   12     <salt>_20200406  <salt>_20200407"]
    );
}

#[test]
fn regions_of_several_salts_are_counted_once() {
    // Four regions for sixteen salts: 00 to 03 are in the first one.
    let split_keys: Vec<Vec<u8>> = ["04", "08", "12"].map(|key| key.as_bytes().to_vec()).to_vec();
    let text = explained(&nibble(), "day = 20200406", Some(&split_keys), WIDE);
    assert_eq!(
        lines(&text)[1].split_whitespace().collect::<Vec<_>>(),
        ["00..15", "16", "<salt>20200406", "<salt>20200407", "4"]
    );
    // A split key inside the day: both of its regions are touched.
    let text = explained(&nibble(), "day = 20200406", Some(&[b"0020200406m".to_vec()]), WIDE);
    assert!(lines(&text)[1].ends_with("  2"), "{text}");
}

#[test]
fn equal_residuals_stand_once() {
    let predicate =
        "day = 20200406 AND status LIKE '1%' OR day = 20200408 AND status LIKE '1%' OR day = 20200410";
    let schema = nibble();
    let text = explained(&schema, predicate, None, WIDE);
    assert_eq!(
        lines(&text),
        [
            "salt    salts  start           stop            residual",
            "00..15  16     <salt>20200406  <salt>20200407  1",
            "               <salt>20200408  <salt>20200409  1",
            "               <salt>20200410  <salt>20200411",
        ]
    );
}

#[test]
fn long_keys_stand_in_paragraphs_on_a_narrow_page() {
    let narrow = explained(&nibble(), "day = 20200406 AND status LIKE '1%'", None, 40);
    assert_eq!(
        lines(&narrow),
        [
            "salt 00..15 (16 salts)",
            "  start  <salt>20200406",
            "  stop   <salt>20200407",
            "         residual 1"
        ]
    );
    assert!(narrow.lines().all(|line| line.len() <= 40));
}

#[test]
fn a_table_without_salt_has_no_column_for_it() {
    let schema =
        schema("{ fields: [ { name: day, type: date, format: yyyyMMdd }, { name: row_id, type: string } ] }");
    assert_eq!(
        lines(&explained(&schema, "day = 20200406", None, WIDE)),
        ["start     stop", "20200406  20200407"]
    );
    assert_eq!(
        lines(&explained(&schema, "status = 'x'", None, WIDE)),
        ["start        stop        residual", "(first key)  (open end)  1"]
    );
}

//! Printed SQL has lines that fit on a page, whatever the literals contain.

use saltplan_core::analyze::analyze;
use saltplan_core::hive;
use saltplan_core::hive::query::{QueryOptions, QueryShape};
use saltplan_core::plan::{Options, plan};
use saltplan_core::render::CommentLine;
use saltplan_core::render::templates::Templates;
use saltplan_core::schema::{load, model::Schema};
use saltplan_document::diag::Source;
use saltplan_sql::layout::WIDTH;
use saltplan_sql::literal;
use saltplan_sql::{Parameters, parse};

/// Values that look like SQL to a program that searches text.
const ODD: [&str; 8] = [
    "a, b, c AND d OR e",
    "it's (open",
    "`, ' , \" -- /* */",
    "\\', '",
    "WHEN 1 THEN 2 END) UNION ALL (SELECT",
    "ü漢😀, ü漢😀 AND",
    "two\nlines\r\n;",
    "${hivevar:x}, {{ x }}",
];

/// A name that just fits on a line.
fn wide_schema() -> Schema {
    let columns: Vec<String> = (0..40)
        .map(|n| format!("  - {{ name: column_number_{n}, type: string, hbase: 'f:c{n}' }}\n"))
        .collect();
    let yaml = format!(
        "saltplan: 1
hbase: {{ table: 't', families: {{ f: {{}} }} }}
key:
  salt: {{ md5: {{ of: key, first_hex_digits: 1, write: hex }} }}
  fields:
    - {{ name: day, type: date, format: yyyyMMdd }}
    - {{ name: row_id, type: string, chars: alnum }}
columns:
{}hive:
  mapping: {{ table: db.t_map, key_column: key }}
  target: {{ table: db.t, partition: [day] }}
",
        columns.concat()
    );
    load(&Source::new("t.yaml", yaml)).expect("a schema").schema
}

fn sql(schema: &Schema, predicate: &str, shape: QueryShape) -> String {
    let source = Source::new("predicate", predicate);
    let parsed = parse(&source, &Parameters::new()).expect("a predicate");
    let analysis = analyze(schema, &parsed).expect("known names");
    let plan = plan(schema, &analysis, Options::default());
    let mut options = QueryOptions::default();
    options.shape = Some(shape);
    options.allow_partial = true;
    hive::query::render(schema, &plan, &options, &Templates::new(None)).expect("a statement").sql
}

fn assert_fits(sql: &str) {
    let long: Vec<&str> = sql.lines().filter(|line| line.chars().count() > WIDTH).collect();
    assert!(long.is_empty(), "{long:#?}");
    assert!(sql.lines().all(|line| line.trim_end() == line), "{sql}");
}

#[test]
fn statements_fit_whatever_their_literals_hold() {
    let schema = wide_schema();
    let quoted: Vec<String> =
        ODD.iter().map(|text| format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))).collect();
    let alternatives = quoted.iter().map(|text| format!("column_number_1 = {text}"));
    let predicate = format!(
        "day = 20200406 AND column_number_0 IN ({}) AND ({} OR upper(column_number_2) LIKE 'A, B%')",
        quoted.join(", "),
        alternatives.collect::<Vec<_>>().join(" OR ")
    );
    for shape in [QueryShape::UnionAll, QueryShape::Isolated] {
        let sql = sql(&schema, &predicate, shape);
        assert_fits(&sql);
        for text in ODD {
            assert!(sql.contains(&literal(text)), "{text} in\n{sql}");
        }
        assert_eq!(sql.matches("FROM `db`.`t_map`\n").count(), 16, "{sql}");
    }
}

#[test]
fn statements_that_write_check_and_split_fit() {
    let schema = wide_schema();
    let templates = Templates::new(None);
    let from = schema.target().expect("a target").table.clone();
    for list_faults in [None, Some(5)] {
        let options = hive::load::LoadOptions {
            from: from.clone(),
            list_faults,
            header: vec![CommentLine::new("from a table")],
        };
        let sql = hive::load::render(&schema, &options, &templates).expect("a statement");
        // One expression of a date is a literal of 250 characters.
        assert_fits(&without_long_literals(&sql));
    }
    let options = hive::verify::VerifyOptions { list: 5, header: Vec::new() };
    let sql = hive::verify::render(&schema, &options, &templates).expect("a query");
    assert_fits(&without_long_literals(&sql));
    let query = hive::splits::SplitQuery { regions: 16, one_in: 1000, table: None, key_column: None };
    assert_fits(&hive::splits::render(&schema, &query, &templates).expect("a query"));
}

/// The lines, except those that are a single literal.
fn without_long_literals(sql: &str) -> String {
    let is_literal = |line: &&str| line.trim_start().starts_with('\'') && line.len() > WIDTH;
    let kept: Vec<&str> = sql.lines().filter(|line| !is_literal(line)).collect();
    assert!(kept.len() + 4 >= sql.lines().count(), "{sql}");
    kept.join("\n")
}

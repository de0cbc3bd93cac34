//! Printed SQL has lines that fit on a page, whatever the literals contain, and the templates that users begin with print the same.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use saltplan_core::analyze::analyze;
use saltplan_core::ddl::{self, DdlTable};
use saltplan_core::hive;
use saltplan_core::hive::query::{QueryOptions, QueryShape};
use saltplan_core::plan::{Options, plan};
use saltplan_core::render::CommentLine;
use saltplan_core::render::templates::BUILT_IN;
use saltplan_core::render::templates::Templates;
use saltplan_core::schema::{load, model::Schema};
use saltplan_core::{Parameters, PlanOptions, Table};
use saltplan_document::diag::Source;
use saltplan_sql::layout::WIDTH;
use saltplan_sql::literal;
use saltplan_sql::parse;

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
    sql_with(schema, predicate, shape, &Templates::new(None))
}

fn sql_with(schema: &Schema, predicate: &str, shape: QueryShape, templates: &Templates) -> String {
    let source = Source::new("predicate", predicate);
    let parsed = parse(&source, &Parameters::new()).expect("a predicate");
    let analysis = analyze(schema, &parsed).expect("known names");
    let plan = plan(schema, &analysis, Options::default());
    let mut options = QueryOptions::default();
    options.shape = Some(shape);
    options.allow_partial = true;
    hive::query::render(schema, &plan, &options, templates).expect("a statement").sql
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

/// What a template prints differs from what is printed without one by white space only.
#[test]
fn templates_of_users_begin_with_the_same_statements() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in BUILT_IN {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let (own, built_in) = (Templates::new(Some(folder.path())), Templates::new(None));
    let mut compared = BTreeSet::new();
    let mut same = |kind: &'static str, print: &dyn Fn(&Templates) -> Option<String>| {
        let Some(text) = print(&built_in) else { return };
        let of_template = print(&own).unwrap_or_else(|| panic!("no {kind}"));
        assert_eq!(words(&of_template), words(&text), "{kind}");
        compared.insert(kind);
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["schemas/examples", "examples/rewrite"].map(|folder| root.join(folder).read_dir());
    for file in folders.into_iter().flat_map(|files| files.expect("a folder")) {
        let path = file.expect("a file").path();
        let Ok(table) = Table::load(&path) else { continue };
        let schema = table.schema();
        let mut planned = schema.clone();
        if let Some(mapping) = planned.hive.as_mut().and_then(|hive| hive.mapping.as_mut()) {
            mapping.planned = true;
        }
        let mapping = [DdlTable::Mapping];
        same("planned", &|templates| {
            ddl::all(&planned, table.places(), &mapping, &[], false, 1 << 20, templates).ok()
        });
        for (kind, part) in
            [("mapping", DdlTable::Mapping), ("view", DdlTable::View), ("target", DdlTable::Target)]
        {
            same(kind, &|templates| {
                ddl::all(schema, table.places(), &[part], &[], false, 1 << 20, templates).ok()
            });
        }
        for (kind, list) in [("count", 0), ("verify", 5)] {
            let options = hive::verify::VerifyOptions { list, header: vec![CommentLine::new("a table")] };
            same(kind, &|templates| hive::verify::render(schema, &options, templates).ok());
        }
        for (kind, list_faults) in [("load", None), ("faults", Some(5))] {
            let from = hive_table("db.source");
            let options = hive::load::LoadOptions { from, list_faults, header: Vec::new() };
            same(kind, &|templates| hive::load::render(schema, &options, templates).ok());
        }
        for (kind, one_in) in [("splits", 1), ("sampled", 1_000)] {
            let query = hive::splits::SplitQuery { regions: 16, one_in, table: None, key_column: None };
            same(kind, &|templates| hive::splits::render(schema, &query, templates).ok());
        }
        for (kind, split_keys) in [("rows", &[][..]), ("rows of regions", &[vec![0x31], vec![0x32]])] {
            let query = hive::counts::CountQuery { split_keys, table: None, key_column: None };
            same(kind, &|templates| hive::counts::render(schema, &query, templates).ok());
        }
        let accepted = PlanOptions::accepting_all();
        let field = schema.key.fields.iter().next().map(|field| field.name.clone()).unwrap_or_default();
        for predicate in
            ["1 = 1".to_string(), "1 = 2".into(), format!("{field} IS NOT NULL AND {field} IS NULL")]
        {
            let Ok(planned) = table.plan_with(&predicate, &Parameters::new(), &accepted) else { continue };
            for (kind, shape) in [
                ("union_all", QueryShape::UnionAll),
                ("isolated", QueryShape::Isolated),
                ("one_scan", QueryShape::OneScan),
            ] {
                let mut options = QueryOptions::default();
                options.shape = Some(shape);
                options.select_only = true;
                same(kind, &|templates| {
                    planned.hive_sql_with(&options, templates).ok().map(|query| query.sql)
                });
            }
        }
    }
    let schema = wide_schema();
    let long = format!("day IN (20200406, 20200408) AND column_number_0 LIKE '%{}%'", "x".repeat(3_000));
    for (kind, predicate) in
        [("day", "day = 20200406"), ("days", "day IN (20200406, 20200408)"), ("long", &long)]
    {
        for shape in [QueryShape::UnionAll, QueryShape::Isolated] {
            same(kind, &|templates| Some(sql_with(&schema, predicate, shape, templates)));
        }
    }
    assert_eq!(compared.len(), 18, "{compared:?}");
}

fn hive_table(name: &str) -> saltplan_core::schema::model::HiveTableName {
    saltplan_core::render::parse_table_name(name).expect("a name")
}

fn words(sql: &str) -> String {
    sql.replace([' ', '\n'], "")
}

//! INSERT OVERWRITEs of rewritten queries: `tests/testdata/rewrite/inserts.txt` has scripts, and after `----` why
//! they are refused, or the lines that are added around their statements.

use std::fs;
use std::path::Path;

use saltplan_core::Table;
use saltplan_core::queries::Engine;
use saltplan_core::refusal::Remedy;
use saltplan_rewrite::{Catalog, Options, rewrite};

const SCHEMAS: [&str; 3] = [
    "
saltplan: 1
hbase: { table: calls, families: { f: {} } }
key:
  salt: { modulo: { of: n, by: 3, write: decimal } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: n, type: int, encoding: decimal, width: 3 }
columns:
  - { name: x, type: int, hbase: 'f:x' }
  - { name: y, type: string, hbase: 'f:y' }
hive:
  mapping: { table: trace.calls_map, key_column: k }
  view: trace.calls
  target: { table: trace.calls_day, partition: [{ name: src, value: wx }, { name: dt, of: day }] }
",
    "
saltplan: 1
hbase: { table: events, families: { f: {} } }
key: { fields: [{ name: ts, type: timestamp, format: yyyyMMddHHmmss }, { name: id, type: string }] }
columns: [{ name: x, type: int, hbase: 'f:x' }]
hive:
  mapping: { table: trace.events_map, key_column: k }
  view: trace.events
  target: { table: trace.events_day, partition: [{ name: dt, of: ts, format: yyyyMMdd }] }
",
    "
saltplan: 1
hbase: { table: users, families: { f: {} } }
key: { fields: [{ name: id, type: string }] }
columns: [{ name: x, type: int, hbase: 'f:x' }]
hive:
  mapping: { table: trace.users_map, key_column: k }
  view: trace.users
  target: { table: trace.users_copy }
",
];

fn catalog(engine: Engine) -> Catalog {
    let mut catalog = Catalog::default();
    for schema in SCHEMAS {
        assert!(catalog.add(Table::from_yaml(schema).expect("a schema"), engine).expect("a table"));
    }
    catalog
}

/// What is said about a script, or the lines that are added to it.
fn said(name: &str, query: &str, catalog: &Catalog) -> String {
    let rewritten = rewrite("q", query, catalog, &Options::default()).expect("HiveQL");
    assert_eq!(rewritten.without_splices(), query, "{name}");
    if !rewritten.refused.is_empty() {
        let mut options = Options::default();
        (options.allow_empty, options.allow_partial, options.allow_overlap) = (true, true, true);
        let accepted = rewrite("q", query, catalog, &options).expect("HiveQL");
        assert!(accepted.refused.is_empty() && accepted.text == rewritten.text, "{name}: accepted");
        let refused = rewritten.refused.iter();
        return refused.map(|refused| format!("{}\n", rewritten.refusal(refused, Remedy::name))).collect();
    }
    let again = rewrite("q", &rewritten.text, catalog, &Options::default()).expect("HiveQL");
    assert_eq!(again.text, rewritten.text, "{name}: rewritten twice");
    let is_whole = |line: &&str| !line.starts_with(' ') || line.contains("SET ");
    rewritten.text.lines().filter(is_whole).map(|line| format!("{line}\n")).collect()
}

#[test]
fn inserts() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite/inserts.txt");
    let before = fs::read_to_string(&file).expect("the cases");
    let tez = catalog(Engine::Tez);
    let mr = catalog(Engine::MapReduce);
    let mut blocks = before.split("\n== ");
    let mut after = blocks.next().expect("a head").to_string();
    let mut count = 0;
    for block in blocks {
        let (name, rest) = block.split_once('\n').expect("a name");
        let (query, _) = rest.split_once("\n----\n").expect("a query");
        let catalog = if name.ends_with("MapReduce") { &mr } else { &tez };
        after += &format!("\n== {name}\n{query}\n----\n{}", said(name, query, catalog));
        count += 1;
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, after).expect("a writable file");
    } else {
        let diff = similar::TextDiff::from_lines(&before, &after);
        assert!(before == after, "accept with BLESS=1\n{}", diff.unified_diff().context_radius(6));
    }
    assert!(count >= 40, "only {count} cases");
}

/// A view has a name of its own, also among several schemas.
#[test]
fn a_view_is_no_table_of_another_schema() {
    for (view, table) in [("trace.events", "trace.calls_map"), ("trace.events", "TRACE.Calls_Day")] {
        let other = SCHEMAS[1].replace(&format!("view: {view}"), &format!("view: {table}"));
        for [first, second] in [[SCHEMAS[0], &other], [&other, SCHEMAS[0]]] {
            let mut catalog = Catalog::default();
            catalog.add(Table::from_yaml(first).expect("a schema"), Engine::Tez).expect("a table");
            let told = catalog.add(Table::from_yaml(second).expect("a schema"), Engine::Tez);
            let told = told.expect_err(table).to_string();
            assert!(told.contains("the view of `schema`, is the "), "{told}");
        }
    }
}

/// Time grows with the number of arms and of queries, not faster.
#[test]
fn long_scripts() {
    let arm = |day: usize| {
        format!("INSERT OVERWRITE TABLE t{day} SELECT n WHERE day = 20240101 AND n = {} ", day % 900)
    };
    let arms: String = (0..400).map(arm).collect();
    let nested = (1..25)
        .fold("SELECT n, x FROM trace.calls WHERE day = 20240631".to_string(), |inner, level| {
            format!("SELECT a.n, a.x FROM ({inner}) a JOIN t{level} b ON a.n = b.n")
        });
    let mut with = "WITH q0 AS (SELECT n FROM trace.calls WHERE day = 20240631)".to_string();
    for level in 1..60 {
        with += &format!(", q{level} AS (SELECT * FROM q{0} UNION ALL SELECT * FROM q{0})", level - 1);
    }
    for (script, refused) in [
        (format!("FROM trace.calls {arms}"), 0),
        (format!("INSERT OVERWRITE TABLE t {nested}"), 1),
        (format!("{with} INSERT OVERWRITE TABLE t SELECT * FROM q59"), 1),
        (format!("{with} INSERT OVERWRITE TABLE trace.users_copy SELECT * FROM q59 WHERE x = 1"), 1),
    ] {
        let rewritten = rewrite("q", &script, &catalog(Engine::Tez), &Options::default()).expect("HiveQL");
        assert_eq!(rewritten.refused.len(), refused, "{script:.200}");
    }
}

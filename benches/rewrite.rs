//! A thousand files of 10 KB, rewritten on as many threads as there are processors: less than 2 s on two. And statements with
//! many tables or inserts, and texts of up to 16 MB, which is the limit: the time must grow like the size.

#![expect(clippy::expect_used, reason = "a benchmark")]

use std::thread;

use saltplan_core::Table;
use saltplan_core::queries::Engine;
use saltplan_rewrite::{Catalog, Options, rewrite};

fn main() {
    divan::main();
}

const SCHEMA: &str = "
saltplan: 1
hbase: { table: calls, families: { f: {} } }
key:
  salt: { md5: { of: key, first_hex_digits: 1, write: { decimal: 3 } } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: id, type: string }
columns: [{ name: phone, type: string, hbase: 'f:p' }]
hive: { mapping: { table: trace.calls_map, key_column: k }, view: trace.calls }
";

const FILES: usize = 1_000;

/// A file of 10 KB: statements of about 1 KB; every second one reads the logical table.
fn file(number: usize) -> String {
    let mut text = String::new();
    let mut statement = 0;
    while text.len() < 10_000 {
        let day = 20_200_401 + (number + statement) % 28;
        let columns: Vec<String> =
            (0..30).map(|column| format!("u.column_{column} AS `c{column}`")).collect();
        let table = if statement % 2 == 0 { "trace.calls" } else { "dim.others" };
        text += &format!(
            "-- statement {statement} of file {number}\nINSERT OVERWRITE TABLE out.t{statement} PARTITION (dt = '{day}')\nSELECT {},\n  \
             count(*) OVER (PARTITION BY u.id ORDER BY u.name)\nFROM dim.users u LEFT JOIN {table} c ON c.id = u.id AND c.day = {day} \
             AND c.id IN ('u{number}', 'it\\'s')\nWHERE u.name LIKE 'a%' AND (u.id = 1 OR c.phone IS NULL);\n",
            columns.join(", ")
        );
        statement += 1;
    }
    text
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn a_thousand_files(bencher: divan::Bencher<'_, '_>) {
    let mut catalog = Catalog::default();
    catalog.add(Table::from_yaml(SCHEMA).expect("a schema"), Engine::Tez).expect("a table");
    let files: Vec<String> = (0..FILES).map(file).collect();
    let workers = thread::available_parallelism().map_or(1, usize::from);
    bencher.bench(|| {
        thread::scope(|scope| {
            for part in files.chunks(FILES.div_ceil(workers)) {
                let catalog = &catalog;
                scope.spawn(move || {
                    for text in part {
                        let rewritten = rewrite("file", text, catalog, &Options::default()).expect("HiveQL");
                        assert_eq!(rewritten.left(), 0);
                    }
                });
            }
        });
    });
}

/// A text without a logical table, like most files of a folder.
#[divan::bench]
fn a_megabyte_of_others(bencher: divan::Bencher<'_, '_>) {
    let mut catalog = Catalog::default();
    catalog.add(Table::from_yaml(SCHEMA).expect("a schema"), Engine::Tez).expect("a table");
    let text = (0..100).map(file).collect::<String>().replace("trace.calls", "trace.other");
    bencher.bench(|| rewrite("file", &text, &catalog, &Options::default()).expect("HiveQL"));
}

fn catalog() -> Catalog {
    let mut catalog = Catalog::default();
    catalog.add(Table::from_yaml(SCHEMA).expect("a schema"), Engine::Tez).expect("a table");
    catalog
}

/// Joins of the logical table with itself, each with conditions of its own.
#[divan::bench(args = [400, 800, 1_600, 3_200], sample_count = 3, sample_size = 1)]
fn joins(bencher: divan::Bencher<'_, '_>, count: usize) {
    let catalog = catalog();
    let join = |at: usize| {
        format!(
            "\nLEFT JOIN trace.calls c{at} ON c{at}.id = u.id AND c{at}.day = 20200406 AND c{at}.id = 'u{at}'"
        )
    };
    let text = format!("SELECT 1 FROM users u{}", (0..count).map(join).collect::<String>());
    bencher.bench(|| {
        let rewritten = rewrite("file", &text, &catalog, &Options::default()).expect("HiveQL");
        assert_eq!((rewritten.references.len(), rewritten.left()), (count, 0));
        rewritten
    });
}

/// Inserts of one query, with as many different conditions as there are days in a month.
#[divan::bench(args = [4_000, 8_000, 16_000, 32_000], sample_count = 3, sample_size = 1)]
fn inserts(bencher: divan::Bencher<'_, '_>, count: usize) {
    let catalog = catalog();
    let insert = |at: usize| {
        format!("\nINSERT INTO t{at} SELECT phone WHERE day = {} AND id = 'a'", 20_200_401 + at % 28)
    };
    let text = format!("FROM trace.calls{}", (0..count).map(insert).collect::<String>());
    bencher.bench(|| {
        let rewritten = rewrite("file", &text, &catalog, &Options::default()).expect("HiveQL");
        assert_eq!(rewritten.left(), 0);
        rewritten
    });
}

/// Asserts that every reference is narrowed.
fn narrows(bencher: divan::Bencher<'_, '_>, text: &str, references: usize) {
    let catalog = catalog();
    bencher.bench(|| {
        let rewritten = rewrite("file", text, &catalog, &Options::default()).expect("HiveQL");
        assert_eq!((rewritten.references.len(), rewritten.left()), (references, 0));
        rewritten
    });
}

/// Joins by a column on which one of the tables has a condition.
#[divan::bench(args = [400, 800, 1_600, 3_200], sample_count = 3, sample_size = 1)]
fn equal_columns(bencher: divan::Bencher<'_, '_>, count: usize) {
    let join = |at: usize| format!("\nJOIN trace.calls c{at} ON c{at}.day = c.day AND c{at}.id = 'u{at}'");
    let joins: String = (1..count).map(join).collect();
    narrows(bencher, &format!("SELECT 1 FROM trace.calls c{joins} WHERE c.day = 20200406"), count);
}

/// Arms of a UNION with a condition around it.
#[divan::bench(args = [400, 800, 1_600, 3_200], sample_count = 3, sample_size = 1)]
fn arms_of_a_union(bencher: divan::Bencher<'_, '_>, count: usize) {
    let arms = vec!["SELECT day, id, phone FROM trace.calls"; count].join("\nUNION ALL ");
    narrows(bencher, &format!("SELECT * FROM ({arms}) d WHERE d.day = 20200406 AND id = 'a'"), count);
}

/// Subqueries that compare a column on which the outer query has a condition.
#[divan::bench(args = [400, 800, 1_600, 3_200], sample_count = 3, sample_size = 1)]
fn correlated_subqueries(bencher: divan::Bencher<'_, '_>, count: usize) {
    let exists = |at: usize| {
        format!("\nAND EXISTS (SELECT 1 FROM trace.calls c WHERE c.day = u.day AND c.id = 'u{at}')")
    };
    let exists: String = (0..count).map(exists).collect();
    narrows(bencher, &format!("SELECT 1 FROM users u WHERE u.day = 20200406{exists}"), count);
}

/// Arms of an OR over two tables.
#[divan::bench(args = [400, 800, 1_600, 3_200], sample_count = 3, sample_size = 1)]
fn arms_of_an_or(bencher: divan::Bencher<'_, '_>, count: usize) {
    let arm = |at: usize| format!("(a.day = {} AND b.day = {})", 20_200_401 + at % 28, 20_200_401 + at % 27);
    let arms = (0..count).map(arm).collect::<Vec<_>>().join("\nOR ");
    narrows(bencher, &format!("SELECT 1 FROM trace.calls a, trace.calls b WHERE {arms}"), 2);
}

/// Sizes in MB, up to the limit of a text.
const SIZES: [usize; 4] = [2, 4, 8, 16];

/// As many of the lines that `line` makes as fit, between a begin and an end. Returns their number, too.
fn filled(megabytes: usize, begin: &str, line: impl Fn(usize) -> String, end: &str) -> (String, usize) {
    let most = (megabytes << 20) - end.len() - 1_000;
    let mut text = begin.to_string();
    let mut count = 0;
    while text.len() < most {
        text += &line(count);
        count += 1;
    }
    (text + end, count)
}

/// One rewriting; says how many of the references were narrowed.
fn large(bencher: divan::Bencher<'_, '_>, text: &str) {
    let catalog = catalog();
    bencher.bench(|| rewrite("file", text, &catalog, &Options::default()).map(|rewritten| rewritten.left()));
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn large_joins(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let join = |at: usize| {
        format!(
            "\nLEFT JOIN trace.calls c{at} ON c{at}.id = u.id AND c{at}.day = 20200406 AND c{at}.id = 'u{at}'"
        )
    };
    large(bencher, &filled(megabytes, "SELECT 1 FROM users u", join, "").0);
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn large_equal_columns(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let join = |at: usize| format!("\nJOIN trace.calls c{at} ON c{at}.day = c.day AND c{at}.id = 'u{at}'");
    large(bencher, &filled(megabytes, "SELECT 1 FROM trace.calls c", join, " WHERE c.day = 20200406").0);
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn large_union(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let arm = |_: usize| String::from("SELECT day, id, phone FROM trace.calls\nUNION ALL ");
    let end = "SELECT 1, 'a', 'b') d WHERE d.day = 20200406 AND id = 'a'";
    large(bencher, &filled(megabytes, "SELECT * FROM (", arm, end).0);
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn large_uses_of_a_query(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let one =
        |at: usize| format!("SELECT * FROM q WHERE day = {} AND n > 0\nUNION ALL ", 20_200_401 + at % 28);
    let begin = "WITH q AS (SELECT day, id, count(*) AS n FROM trace.calls GROUP BY day, id) ";
    large(bencher, &filled(megabytes, begin, one, "SELECT * FROM q WHERE day = 20200406").0);
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn large_inserts(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let insert = |at: usize| {
        format!("\nINSERT INTO t{at} SELECT phone WHERE day = {} AND id = 'a'", 20_200_401 + at % 28)
    };
    large(bencher, &filled(megabytes, "FROM trace.calls", insert, "").0);
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn large_or(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let arm =
        |at: usize| format!("\nOR (a.day = {} AND a.day = b.day AND b.id = 'b{at}')", 20_200_401 + at % 28);
    let begin = "SELECT 1 FROM trace.calls a, trace.calls b WHERE (a.day = 20200401 AND b.day = 20200402)";
    large(bencher, &filled(megabytes, begin, arm, "").0);
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn large_subqueries(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let exists = |at: usize| {
        format!("\nAND EXISTS (SELECT 1 FROM trace.calls c WHERE c.day = u.day AND c.id = 'u{at}')")
    };
    large(bencher, &filled(megabytes, "SELECT 1 FROM users u WHERE u.day = 20200406", exists, "").0);
}

/// Brackets beside each other, each as deep as is read, and brackets that are deeper.
#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn large_brackets(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let (open, close) = ("(".repeat(90), ")".repeat(90));
    let bracket = |at: usize| {
        format!("\nJOIN {open}trace.calls c{at}{close} ON c{at}.id = 'u{at}' AND c{at}.day = 20200406")
    };
    large(bencher, &filled(megabytes, "SELECT 1 FROM users u", bracket, "").0);
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn large_deep_brackets(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let half = (megabytes << 19) - 100;
    let text =
        format!("SELECT 1 FROM {}trace.calls c{} WHERE c.day = 20200406", "(".repeat(half), ")".repeat(half));
    large(bencher, &text);
}

#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn large_chain_of_queries(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let next = |at: usize| format!(",\nq{} AS (SELECT * FROM q{at} WHERE id <> 'a{at}')", at + 1);
    let (text, count) = filled(megabytes, "WITH q0 AS (SELECT * FROM trace.calls)", next, "");
    large(bencher, &format!("{text} SELECT * FROM q{count} WHERE day = 20200406"));
}

/// Statements of a script, each with a reference.
#[divan::bench(args = SIZES, sample_count = 1, sample_size = 1)]
fn large_scripts(bencher: divan::Bencher<'_, '_>, megabytes: usize) {
    let statement = |at: usize| {
        format!("INSERT INTO t{at} SELECT phone FROM trace.calls WHERE day = 20200406 AND id = 'a{at}';\n")
    };
    large(bencher, &filled(megabytes, "", statement, "").0);
}

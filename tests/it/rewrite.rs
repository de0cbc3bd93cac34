//! Rewritten queries as text: `tests/testdata/rewrite/cases.txt` has queries and the result for each
//! reference to a logical table.

use std::fs;
use std::path::Path;

use saltplan_core::Table;
use saltplan_core::queries::Engine;
use saltplan_law::sample::sampled;
use saltplan_rewrite::{Catalog, Fate, Options, WhyLeft, rewrite};
use saltplan_sql::Runtime;

fn catalog(folder: &Path, engine: Engine) -> Catalog {
    let mut catalog = Catalog::default();
    let schemas = fs::read_to_string(folder.join("schemas.txt")).expect("the schemas");
    for schema in schemas.split("---\n") {
        let table = Table::from_yaml(schema).unwrap_or_else(|told| panic!("{told}"));
        assert!(catalog.add(table, engine).expect("a table"), "a schema without a view");
    }
    catalog
}

#[test]
fn places() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let file = folder.join("cases.txt");
    let before = fs::read_to_string(&file).expect("the cases");
    let catalog = catalog(&folder, Engine::Tez);
    let mut options = Options::default();
    for text in ["hivevar:run_day", "airflow:ds_nodash", "hivevar:run_id"] {
        options.runtime.push(Runtime::new(text, None).expect("a text that is filled in"));
    }
    let mut blocks = before.split("\n== ");
    let mut after = blocks.next().expect("a head").to_string();
    let mut count = 0;
    for block in blocks {
        let (name, rest) = block.split_once('\n').expect("a name");
        let (query, _) = rest.split_once("\n----\n").expect("a query");
        let said = match rewrite("q", query, &catalog, &options) {
            Err(told) => format!("{told}\n"),
            Ok(rewritten) => {
                assert_eq!(rewritten.without_splices(), query, "{name}");
                let again = rewrite("q", &rewritten.text, &catalog, &options).expect("HiveQL");
                let left = again.references.iter().filter(|reference| reference.is_pruned()).count();
                assert_eq!((left, &again.text), (0, &rewritten.text), "{name}: rewritten twice");
                let text = rewritten.to_text(&WhyLeft::help);
                let lines = text.lines().filter(|line| !line.starts_with("  costs "));
                let notes = rewritten.notes.iter().map(|note| format!("{note}\n"));
                lines.map(|line| format!("{line}\n")).chain(notes).collect()
            }
        };
        after += &format!("\n== {name}\n{query}\n----\n{said}");
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

/// Single quotes inside a text of Jinja become double ones, in the query and in its ranges.
#[test]
fn texts_with_quotes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let catalog = catalog(&folder, Engine::Tez);
    let text = "{{ data_interval_start.in_timezone('Asia/Shanghai') | ds_nodash }}";
    let mut options = Options::default();
    options.runtime.push(Runtime::new(text, None).expect("a text that is filled in"));
    let query = format!("SELECT 1 FROM trace.calls WHERE day = '{text}'");
    let rewritten = rewrite("q", &query, &catalog, &options).expect("HiveQL");
    let written = "'{{ data_interval_start.in_timezone(\"Asia/Shanghai\") | ds_nodash }}'";
    assert!(rewritten.references.iter().all(saltplan_rewrite::Reference::is_pruned), "{}", rewritten.text);
    assert!(rewritten.text.ends_with(&format!("WHERE day = {written}")), "{}", rewritten.text);
    assert!(rewritten.text.matches(written).count() > 3, "{}", rewritten.text);
    assert!(!rewritten.text.contains("('Asia"), "{}", rewritten.text);
}

/// `ds` is never a day of this key.
#[test]
fn texts_of_another_form() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let catalog = catalog(&folder, Engine::Tez);
    let mut options = Options::default();
    options.runtime.push(Runtime::new("airflow:ds", None).expect("a text that is filled in"));
    let query = "SELECT 1 FROM trace.calls WHERE day = '{{ ds }}'";
    let rewritten = rewrite("q", query, &catalog, &options).expect("HiveQL");
    let said = rewritten.to_text(&WhyLeft::help);
    assert!(!rewritten.references.iter().any(saltplan_rewrite::Reference::is_pruned), "{said}");
    assert!(said.contains("becomes `yyyy-MM-dd`"), "{said}");
}

/// Hive 2.3.9 may show a stored 02:30 as 03:30: the ranges begin with the day, and end at the time.
#[test]
fn times_that_are_moved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let catalog = catalog(&folder, Engine::Tez);
    for (condition, from, until) in [
        ("at = '2024-03-10 03:30:00'", "20240310000000", "20240310033001"),
        ("at >= '2024-03-10 03:30:00' AND at < '2024-03-10 04:00:00'", "20240310000000", "20240310040000"),
        ("at > '2024-03-10 00:00:00' AND at <= '2024-03-10 04:00:00'", "20240310000000", "20240310040001"),
        ("at IN ('2024-03-10 03:30:00', '2024-03-10 05:00:00')", "20240310000000", "20240310050001"),
    ] {
        let query = format!("SELECT x FROM trace.times WHERE {condition}");
        let rewritten = rewrite("q", &query, &catalog, &Options::default()).expect("HiveQL");
        let range = format!("`k` >= '{from}' AND `k` < '{until}'");
        assert!(rewritten.text.contains(&range), "{range}: {}", rewritten.text);
    }
}

/// The end of all keys is U+10FFFF, which is no character: a metastore or a client may replace it.
#[test]
fn ranges_have_characters_only() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let catalog = catalog(&folder, Engine::Tez);
    for query in [
        "SELECT x FROM trace.texts WHERE d = date_format(current_date, 'yyyy-MM-dd')",
        "CREATE VIEW v AS SELECT x FROM trace.texts WHERE d = date_format(current_date, 'yyyy-MM-dd')",
    ] {
        let rewritten = rewrite("q", query, &catalog, &Options::default()).expect("HiveQL");
        assert!(rewritten.text.contains("'\\uDBFF\\uDFFF'"), "{}", rewritten.text);
        assert!(!rewritten.text.contains(char::MAX), "{}", rewritten.text);
    }
}

/// Each schema says what the keys of its mapping table are.
#[test]
fn a_mapping_table_of_two_schemas() {
    let schema = |name: &str, field: &str| {
        format!(
            "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\nkey: {{ fields: [{{ name: {field}, type: string }}] }}\n\
             hive: {{ mapping: {{ table: trace.m, key_column: k }}, view: trace.{name} }}\n"
        )
    };
    let mut catalog = Catalog::default();
    for (name, field) in [("a", "x"), ("b", "y")] {
        let table = Table::from_yaml(&schema(name, field)).expect("a schema");
        assert!(catalog.add(table, Engine::Tez).expect("a table"), "{name}");
    }
    let query = "SELECT 1 FROM trace.m WHERE substr(k, 1) = 'u1'; USE trace; SELECT 1 FROM m";
    let rewritten = rewrite("q", query, &catalog, &Options::default()).expect("HiveQL");
    let notes: Vec<String> = rewritten.notes.iter().map(ToString::to_string).collect();
    assert_eq!(rewritten.text, query);
    assert!(notes.len() == 2 && notes[0].contains("several schemas have this mapping table"), "{notes:?}");
}

/// On MapReduce a job that reads several tables loses the range of each, so there a single range is isolated too.
/// Otherwise Hive leaves `count(*)` a UNION ALL without columns, and fails.
#[test]
fn on_mapreduce_the_key_of_a_mapping_table_is_a_value() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let query = "SELECT count(*) FROM trace.calls_map WHERE substr(k, 2, 8) = '20200406'";
    for (engine, value) in [(Engine::MapReduce, "concat(`k`, '') AS `k`"), (Engine::Tez, "    `k`,")] {
        let rewritten = rewrite("q", query, &catalog(&folder, engine), &Options::default()).expect("HiveQL");
        assert!(rewritten.text.contains(value), "{}", rewritten.text);
    }
}

#[test]
fn shapes_on_mapreduce() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let catalog = catalog(&folder, Engine::MapReduce);
    let queries = [
        ("SELECT 1 FROM (SELECT n FROM trace.calls WHERE day = 20200406 AND n = 1) s", "union_all"),
        ("SELECT 1 FROM trace.calls WHERE day = 20200406 AND n < 3", "isolated"),
        (
            "SELECT 1 FROM trace.calls c LATERAL VIEW explode(array(1)) e WHERE c.day = 20200406 AND c.n = 1",
            "union_all",
        ),
        (
            "FROM trace.calls INSERT INTO a SELECT n WHERE n = 1 INSERT INTO b SELECT x WHERE n = 4",
            "union_all",
        ),
        ("SELECT 1 FROM trace.calls c, other WHERE c.day = 20200406 AND c.n = 1", "isolated"),
        ("SELECT 1 FROM trace.calls c JOIN ${hivevar:other} o ON c.n = o.n AND c.n = 1", "isolated"),
        ("SELECT 1 FROM trace.calls WHERE n = 1 UNION ALL SELECT 1 FROM ${hivevar:other}", "isolated"),
        (
            "SELECT 1 FROM trace.calls WHERE n = 1 UNION ALL SELECT 1 FROM trace.calls WHERE n = 2",
            "isolated isolated",
        ),
        ("SELECT 1 FROM other WHERE n IN (SELECT n FROM trace.calls WHERE n = 1)", "isolated"),
        ("WITH a AS (SELECT n FROM trace.calls WHERE n = 1) SELECT 1 FROM a", "union_all"),
        (
            "WITH a AS (SELECT n FROM trace.calls WHERE n = 1) SELECT 1 FROM a UNION ALL SELECT 2 FROM a",
            "isolated",
        ),
        ("CREATE VIEW v AS SELECT n FROM trace.calls WHERE n = 1", "isolated"),
        ("SELECT 1 FROM trace.calls c, other WHERE c.n = 1 AND c.n = 2", "union_all"),
        // What Hive refuses without its optimizer.
        ("SELECT n FROM trace.calls WHERE n = 1 INTERSECT SELECT n FROM other", "left"),
        ("SELECT 1 FROM other WHERE x = (SELECT max(x) FROM trace.calls WHERE n = 1)", "left"),
        ("SELECT 1 FROM other WHERE x = 1 OR n IN (SELECT n FROM trace.calls WHERE n = 1)", "left"),
        ("SELECT 1 FROM other WHERE NOT n IN (SELECT n FROM trace.calls WHERE n = 1)", "left"),
        ("SELECT (SELECT max(x) FROM trace.calls WHERE n = 1) FROM other", "left"),
        (
            "SELECT 1 FROM other WHERE EXISTS (SELECT 1 FROM a) AND n IN (SELECT n FROM trace.calls WHERE n = 1)",
            "left",
        ),
        (
            "SELECT 1 FROM other o WHERE EXISTS (SELECT 1 FROM trace.calls c WHERE c.day = 20200406 AND c.n = o.n AND c.id = o.v)",
            "left",
        ),
        // `v` can only be a column of the outer table.
        (
            "SELECT 1 FROM other o WHERE EXISTS (SELECT 1 FROM trace.calls c WHERE v = c.id AND n = 1 AND c.n = o.n)",
            "left",
        ),
        // There the plain names are those of the inner table, which is not known.
        (
            "SELECT 1 FROM trace.calls c WHERE c.n = 1 AND EXISTS (SELECT 1 FROM other WHERE v = c.id AND w = 2)",
            "isolated",
        ),
        (
            "SELECT 1 FROM other o WHERE EXISTS (SELECT 1 FROM trace.calls c WHERE day = 20200406 AND c.n = o.n)",
            "isolated",
        ),
        (
            "SELECT 1 FROM other o WHERE NOT EXISTS (SELECT 1 FROM trace.calls c WHERE c.day = 20200406 AND c.n = o.n AND c.id = o.v)",
            "isolated",
        ),
        (
            "SELECT 1 FROM other o WHERE (o.x = 1 AND NOT EXISTS (SELECT 1 FROM trace.calls c WHERE c.n = 1 AND c.n = o.n))",
            "isolated",
        ),
        (
            "SELECT 1 FROM other WHERE x = 1 AND n NOT IN (SELECT s.n FROM (SELECT n FROM trace.calls WHERE n = 1) s) AND y = 2",
            "isolated",
        ),
    ];
    for (query, shapes) in queries {
        let rewritten = rewrite("q", query, &catalog, &Options::default()).expect("HiveQL");
        let found: Vec<&str> = rewritten
            .references
            .iter()
            .map(|reference| match &reference.fate {
                Fate::Pruned(pruned) => pruned.shape.name(),
                _ => "left",
            })
            .collect();
        assert_eq!(found.join(" "), shapes, "{query}");
        assert_eq!(
            rewritten.text.contains("DISTRIBUTE BY `k`"),
            shapes.contains("isolated"),
            "{}",
            rewritten.text
        );
        assert_eq!(rewritten.text.contains("LIMIT 0"), query.ends_with("c.n = 2"), "{}", rewritten.text);
    }
}

/// A table in brackets is narrowed, or it is said that it is not.
#[test]
fn tables_in_brackets() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let catalog = catalog(&folder, Engine::Tez);
    for depth in [1, 50, 190, 197, 198, 199, 200, 201, 500] {
        let (open, close) = ("(".repeat(depth), ")".repeat(depth));
        let table = format!("SELECT 1 FROM {open}trace.calls c{close} WHERE c.day = 20200406 AND c.n = 1");
        let query = format!("SELECT 1 FROM {open}SELECT n FROM trace.calls WHERE n = 1{close} s");
        let using =
            format!("MERGE INTO t USING {open}trace.calls{close} c ON t.n = c.n WHEN MATCHED THEN DELETE");
        for text in [table, query, using] {
            let rewritten = rewrite("q", &text, &catalog, &Options::default()).expect("HiveQL");
            assert_eq!(rewritten.references.len(), 1, "{depth}: {}", &text[..20]);
            let is_narrowed = depth < 190 && !text.starts_with("MERGE");
            assert!(!is_narrowed || rewritten.references[0].is_pruned(), "{depth}: {}", &text[..20]);
        }
    }
}

/// Inserts with equal conditions are narrowed, however many they are.
#[test]
fn many_inserts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let catalog = catalog(&folder, Engine::Tez);
    let arms = |count: usize, different: usize| {
        let arm = |at: usize| {
            format!("\nINSERT INTO t SELECT id WHERE day = {} AND n = 1", 20_200_401 + at % different)
        };
        format!("FROM trace.calls{}", (0..count).map(arm).collect::<String>())
    };
    for (count, different) in sampled([(3_000, 20), (3_000, 1), (20_000, 28)], 3) {
        let text = arms(count, different);
        let rewritten = rewrite("q", &text, &catalog, &Options::default()).expect("HiveQL");
        let Fate::Pruned(pruned) = &rewritten.references[0].fate else { panic!("{count}: not narrowed") };
        assert_eq!(pruned.ranges, different, "{count}");
    }
}

/// Queries with many parts are narrowed, or it is said why they are not.
#[test]
fn many_parts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let catalog = catalog(&folder, Engine::Tez);
    let left = |text: String| {
        let rewritten = rewrite("q", &text, &catalog, &Options::default()).expect("HiveQL");
        let why: Vec<String> =
            rewritten.references.iter().filter_map(|found| Some(found.why_left()?.to_string())).collect();
        let mut unused = rewritten.references.iter().flat_map(|found| &found.unused);
        let last = unused.next_back().map(|unused| unused.why.to_string());
        (rewritten.references.len(), why.len(), last.unwrap_or_default())
    };
    let arms = vec!["SELECT day, n FROM trace.calls"; 300].join(" UNION ALL ");
    assert_eq!(left(format!("SELECT * FROM ({arms}) d WHERE d.day = 20200406")).1, 0);
    let joins = (0..300).map(|at| format!(" JOIN trace.calls c{at} ON c{at}.day = c.day"));
    let joins = joins.collect::<String>();
    assert_eq!(left(format!("SELECT 1 FROM trace.calls c{joins} WHERE c.day = 20200406")).1, 0);
    let uses = (0..300).map(|at| format!("SELECT * FROM q WHERE day = {}", 20_200_401 + at % 28));
    let uses = uses.collect::<Vec<_>>().join(" UNION ALL ");
    assert_eq!(left(format!("WITH q AS (SELECT * FROM trace.calls) {uses}")).1, 0);
    let nested = |depth: usize| {
        let close: String = (0..depth).map(|at| format!(") d{at}")).collect();
        format!("SELECT 1 FROM {}trace.calls{close} WHERE day = 20200406", "(SELECT * FROM ".repeat(depth))
    };
    assert_eq!(left(nested(90)).1, 0);
    assert_eq!(left(nested(150)).1, 1);
    // The conditions of all queries of a long chain would be too many.
    let chain = |count: usize| {
        let next = |at: usize| format!(", q{} AS (SELECT * FROM q{at} WHERE id <> 'a{at}')", at + 1);
        let chain = (0..count).map(next).collect::<String>();
        format!("WITH q0 AS (SELECT * FROM trace.calls){chain} SELECT * FROM q{count} WHERE day = 20200406")
    };
    assert_eq!(left(chain(100)).1, 0);
    let (_, count, unused) = left(chain(2_000));
    assert_eq!((count, unused.as_str()), (1, "the queries around have more conditions than are handed on"));
    // Doubles in each query.
    let doubled =
        (0..60).map(|at| format!(", q{} AS (SELECT d + d AS d FROM q{at})", at + 1)).collect::<String>();
    let (_, count, _) =
        left(format!("WITH q0 AS (SELECT day AS d FROM trace.calls){doubled} SELECT * FROM q60 WHERE d = 5"));
    assert_eq!(count, 1);
}

/// A table whose ranges would be too long a text is left, and the others are narrowed; so is the rest of a text of which the ranges
/// would be too long together. A text that is too long itself is refused.
#[test]
fn sizes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let catalog = catalog(&folder, Engine::Tez);
    let mut options = Options::default();
    options.max_bytes = 1_000;
    let query = "SELECT 1 FROM trace.calls a, trace.calls b WHERE a.day IN (20200401, 20200403) AND b.n = 1 AND b.day = 20200401";
    let rewritten = rewrite("q", query, &catalog, &options).expect("HiveQL");
    let said = rewritten.to_text(&WhyLeft::help);
    let is_narrowed: Vec<bool> =
        rewritten.references.iter().map(saltplan_rewrite::Reference::is_pruned).collect();
    assert_eq!(is_narrowed, [false, true], "{said}");
    assert!(said.contains("the limit is 1,000"), "{said}");

    let script = "SELECT 1 FROM trace.calls WHERE day = 20200406;\n".repeat(20);
    let mut options = Options::default();
    options.max_bytes_in_all = 5_000;
    let rewritten = rewrite("q", &script, &catalog, &options).expect("HiveQL");
    let left: Vec<String> =
        rewritten.references.iter().filter_map(|found| Some(found.why_left()?.to_string())).collect();
    assert!(!left.is_empty() && left.len() < 20, "{}", left.len());
    assert_eq!(left[0], "the ranges of all tables of the text would have more than 5000 bytes");
    assert!(rewritten.text.len() <= script.len() + 5_000, "{}", rewritten.text.len());
    assert_eq!(rewritten.without_splices(), script);

    let long = format!("{query} -- {}", "x".repeat(16 << 20));
    let told = rewrite("q", &long, &catalog, &Options::default()).expect_err("too long").to_string();
    assert!(told.contains("the limit is 16777216"), "{told}");
}

/// A query that reads another one twice, which reads another one twice: what is told grows with the text.
#[test]
fn queries_that_are_read_twice() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let catalog = catalog(&folder, Engine::Tez);
    let chain = |count: usize, filter: &dyn Fn(usize) -> String| {
        let next = |at: usize| {
            let [one, other] = [2 * at, 2 * at + 1].map(filter);
            format!(", w{} AS (SELECT * FROM w{at}{one} UNION ALL SELECT * FROM w{at}{other})", at + 1)
        };
        let chain = (0..count).map(next).collect::<String>();
        format!("WITH w0 AS (SELECT * FROM trace.calls){chain} SELECT 1 FROM w{count} WHERE day = 20200406")
    };
    let different = |at: usize| format!(" WHERE n > {at}");
    for (count, filter, is_narrowed) in [
        (3, &(|_| String::new()) as &dyn Fn(usize) -> String, true),
        (40, &|_| String::new(), true),
        (3, &different, true),
        (40, &different, true),
    ] {
        let text = chain(count, filter);
        let rewritten = rewrite("q", &text, &catalog, &Options::default()).expect("HiveQL");
        let told = rewritten.to_json(&WhyLeft::help).to_string();
        assert_eq!(rewritten.left() == 0, is_narrowed, "{count}: {told}");
        assert_eq!(told.matches("day = 20200406").count(), 2, "{count}: {told}");
        assert!(told.len() < 60 * text.len(), "{count}: {} of {}", told.len(), text.len());
    }
}

/// Of the conditions of many INSERTs on one line, a message shows some.
#[test]
fn messages_with_many_conditions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let catalog = catalog(&folder, Engine::Tez);
    let arm = |at: usize| format!(" INSERT INTO t SELECT id WHERE x = ${{d{at}}}");
    let text = format!("FROM trace.calls{}", (0..500).map(arm).collect::<String>());
    let rewritten = rewrite("q", &text, &catalog, &Options::default()).expect("HiveQL");
    let message = rewritten.message(&rewritten.references[0], WhyLeft::help).expect("a message");
    assert_eq!(message.labels.len(), 11);
    assert_eq!(message.labels[0].text, "left as it is; 490 more conditions are not used");
}

/// Texts that try to make the program hang or overflow the stack.
#[test]
fn hostile_texts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let catalog = catalog(&folder, Engine::Tez);
    let deep = 50_000;
    let texts = [
        format!("SELECT {}1{} FROM trace.calls WHERE day = 20200406", "(".repeat(deep), ")".repeat(deep)),
        format!("SELECT 1 FROM trace.calls WHERE {}day = 20200406{}", "(".repeat(deep), ")".repeat(deep)),
        format!("SELECT 1 FROM {}trace.calls c{} WHERE c.day = 1", "(".repeat(deep), ")".repeat(deep)),
        format!(
            "{}SELECT 1 FROM trace.calls{}",
            "SELECT 1 FROM (".repeat(deep / 10),
            ") x".repeat(deep / 10)
        ),
        format!("{}SELECT 1 FROM trace.calls{}", "(".repeat(deep), ")".repeat(deep)),
        format!("SELECT 1 FROM trace.calls WHERE {}", "NOT ".repeat(deep)),
        format!("SELECT 1 FROM trace.calls c WHERE {}", vec!["c.n = 1"; 3_000].join(" OR ")),
        format!("SELECT 1 FROM trace.calls c{}", " JOIN a ON c.n = 1 AND c.day = 20200406".repeat(500)),
        format!(
            "SELECT 1 FROM trace.calls c{}",
            (0..500).map(|at| format!(" LEFT JOIN trace.calls c{at} ON c{at}.n = c.n")).collect::<String>()
        ),
        format!("SELECT 1 FROM trace.calls {}", "${".repeat(deep)),
        format!("SELECT 1 FROM trace.calls WHERE {}", "CASE WHEN ".repeat(deep)),
        format!("SET a={};", "'\"".repeat(deep)),
        "SELECT 1;".repeat(deep / 10),
        format!("SELECT 1 FROM trace.calls /{}", "/*".repeat(deep)),
        format!("SELECT 1 FROM trace.calls WHERE n BETWEEN {}", "BETWEEN ".repeat(deep)),
        format!(
            "WITH a AS (SELECT 1){} SELECT 1 FROM trace.calls",
            ", a AS (SELECT 1 FROM trace.calls)".repeat(300)
        ),
    ];
    for text in sampled(texts, 3) {
        let begun = std::time::Instant::now();
        if let Ok(rewritten) = rewrite("q", &text, &catalog, &Options::default()) {
            assert_eq!(rewritten.without_splices(), text);
        }
        let seconds = begun.elapsed().as_secs();
        assert!(seconds < 60, "{seconds} s for {}…", &text[..60]);
    }
}

/// Every inserted, removed or doubled byte gives a result, and the splices can be undone.
#[test]
fn edited_texts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let catalog = catalog(&folder, Engine::Tez);
    let cases = fs::read_to_string(folder.join("cases.txt")).expect("the cases");
    let signs = [
        "'", "\"", "`", "(", ")", ";", "--", "/*", "*/", "${", "}", "é", "😀", "\0", "\\", "\r\n", " AND ",
        " FROM ",
    ];
    let mut number: usize = 1;
    for block in sampled(cases.split("\n== ").skip(1), 4) {
        let (_, rest) = block.split_once('\n').expect("a name");
        let (query, _) = rest.split_once("\n----\n").expect("a query");
        for _ in 0..20 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut at = (number >> 33) % query.len();
            while !query.is_char_boundary(at) {
                at -= 1;
            }
            let text = match number % 3 {
                0 => format!("{}{}{}", &query[..at], signs[(number >> 20) % signs.len()], &query[at..]),
                1 => query[..at].to_string(),
                _ => format!("{}{}", &query[..at], query[at..].chars().skip(1).collect::<String>()),
            };
            if let Ok(rewritten) = rewrite("q", &text, &catalog, &Options::default()) {
                assert_eq!(rewritten.without_splices(), text);
            }
        }
    }
}

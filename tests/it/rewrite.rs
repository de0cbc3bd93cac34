//! Rewritten queries as text: `tests/testdata/rewrite/cases.txt` has queries and the result for each
//! reference to a logical table.

use std::fs;
use std::path::Path;

use saltplan_core::Table;
use saltplan_core::queries::Engine;
use saltplan_rewrite::{Catalog, Options, WhyLeft, rewrite};

fn catalog(folder: &Path) -> Catalog {
    let mut catalog = Catalog::default();
    let schemas = fs::read_to_string(folder.join("schemas.txt")).expect("the schemas");
    for schema in schemas.split("---\n") {
        let table = Table::from_yaml(schema).unwrap_or_else(|told| panic!("{told}"));
        assert!(catalog.add(table, Engine::Tez).expect("a table"), "a schema without a view");
    }
    catalog
}

#[test]
fn places() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let file = folder.join("cases.txt");
    let before = fs::read_to_string(&file).expect("the cases");
    let catalog = catalog(&folder);
    let mut blocks = before.split("\n== ");
    let mut after = blocks.next().expect("a head").to_string();
    let mut count = 0;
    for block in blocks {
        let (name, rest) = block.split_once('\n').expect("a name");
        let (query, _) = rest.split_once("\n----\n").expect("a query");
        let said = match rewrite("q", query, &catalog, &Options::default()) {
            Err(told) => format!("{told}\n"),
            Ok(rewritten) => {
                assert_eq!(rewritten.without_splices(), query, "{name}");
                let again = rewrite("q", &rewritten.text, &catalog, &Options::default()).expect("HiveQL");
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

/// Texts that try to make the program hang or overflow the stack.
#[test]
fn hostile_texts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/rewrite");
    let catalog = catalog(&folder);
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
    for text in texts {
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
    let catalog = catalog(&folder);
    let cases = fs::read_to_string(folder.join("cases.txt")).expect("the cases");
    let signs = [
        "'", "\"", "`", "(", ")", ";", "--", "/*", "*/", "${", "}", "é", "😀", "\0", "\\", "\r\n", " AND ",
        " FROM ",
    ];
    let mut number: usize = 1;
    for block in cases.split("\n== ").skip(1) {
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

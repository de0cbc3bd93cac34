//! Salts and forms of fields that published programs write. `testdata/hash_salts` and `testdata/field_forms` have for each a schema and
//! rows with their keys, which `make.py` computes without saltplan: it says which rows a predicate means, and how many ranges a plan has
//! at most.

use std::fs;
use std::path::{Path, PathBuf};

use saltplan_core::key::range::{from_string_binary, to_string_binary};
use saltplan_core::{Parameters, Table};
use serde_json::{Map, Value as Json};

/// A predicate with the number of ranges that its plan may have.
struct Asked {
    predicate: String,
    most: usize,
}

#[test]
fn keys_and_plans_are_those_of_an_independent_encoder() {
    for (folder, least) in [("hash_salts", 10), ("field_forms", 1)] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata").join(folder);
        let mut schemas: Vec<PathBuf> = fs::read_dir(&folder)
            .expect("the folder")
            .map(|entry| entry.expect("a readable entry").path())
            .filter(|path| path.extension().is_some_and(|end| end == "yaml"))
            .collect();
        schemas.sort();
        assert!(schemas.len() >= least, "only {} schemas in {}", schemas.len(), folder.display());
        for schema in schemas {
            check(&schema);
        }
    }
}

fn check(schema: &Path) {
    let name = schema.file_stem().expect("a name").to_string_lossy().into_owned();
    let table = Table::load(schema).unwrap_or_else(|errors| panic!("{name}: {errors}"));
    let text = fs::read_to_string(schema.with_extension("txt")).expect("the rows");
    // A key may start with `#`, but its row follows after a tab.
    let (head, rows): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| !line.contains('\t'));
    let asked: Vec<Asked> = head
        .iter()
        .filter_map(|line| line.strip_prefix("# ")?.split_once(" ranges: "))
        .map(|(most, predicate)| Asked {
            predicate: predicate.to_string(),
            most: most.parse().expect("a number of ranges"),
        })
        .collect();
    assert!(rows.len() >= 300 && asked.len() >= 2, "{name}: {} rows, {} predicates", rows.len(), asked.len());
    let plans: Vec<_> = asked
        .iter()
        .map(|asked| {
            let planned = table.plan(&asked.predicate, &Parameters::default());
            let planned = planned.unwrap_or_else(|error| panic!("{name}: {}: {error}", asked.predicate));
            assert!(!planned.has_residual(), "{name}: {} leaves a residual", asked.predicate);
            let count = planned.plan().branches.len();
            assert!(count <= asked.most, "{name}: {} reads {count} ranges", asked.predicate);
            planned
        })
        .collect();
    for line in rows {
        let mut parts = line.split('\t');
        let mut part = || parts.next().unwrap_or_else(|| panic!("{name}: {line}"));
        let (key, row, meant) = (part(), part(), part());
        let bytes = from_string_binary(key);
        let row: Map<String, Json> = serde_json::from_str(row).expect("a row");
        let encoded = table.encode(&row).unwrap_or_else(|error| panic!("{name}: {line}: {error}"));
        assert_eq!(to_string_binary(&encoded), to_string_binary(&bytes), "{name}: {line}");
        let decoded = table.decode(&bytes).unwrap_or_else(|error| panic!("{name}: {line}: {error}"));
        for (member, value) in table.row_of(&decoded) {
            assert!(row.get(&member).is_none_or(|given| *given == value), "{name}: {member} of {line}");
        }
        for ((asked, planned), meant) in asked.iter().zip(&plans).zip(meant.chars()) {
            let is_read = planned.plan().branches.iter().any(|branch| branch.range.contains(&bytes));
            assert_eq!(is_read, meant == '1', "{name}: {} and {line}", asked.predicate);
        }
    }
}

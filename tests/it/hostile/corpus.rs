//! Input that once caused a failure, or was meant to: every file and every predicate of tests/testdata/fuzz
//! goes through every command.

use std::fs;
use std::path::{Path, PathBuf};

use saltplan_core::schema::{load, source_from_bytes};
use saltplan_law::sample::sampled;

use super::terminal::assert_inert;
use super::{Run, saltplan, write};
use crate::schema_errors::schemas;

const GOOD: &str = "\
saltplan: 1
hbase: { table: t, families: { f: {} } }
key: { fields: [{ name: id, type: string, width: 8, chars: digits }] }
columns: [{ name: c, type: string, hbase: 'f:c' }]
";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/fuzz")
}

/// A command succeeds, finds something, or reports invalid input, and its messages are complete lines.
fn assert_sound(what: &str, run: &Run) {
    assert!(matches!(run.code, Some(0..=2)), "{what}: {:?} {}", run.code, run.said());
    assert!(!run.stderr.contains("panicked"), "{what}: {}", run.stderr);
    assert!(run.code == Some(0) || !run.said().is_empty(), "{what} says nothing");
    assert_inert(what, &run.stdout);
    assert_inert(what, &run.stderr);
}

/// The commands that read a schema. If a file can be loaded, they plan a condition on its first field.
fn commands(file: &str, bytes: Vec<u8>) -> Vec<Vec<String>> {
    let loaded = source_from_bytes(file, bytes).and_then(|source| load(&source));
    let field = loaded.ok().and_then(|loaded| Some(loaded.schema.key.fields.iter().next()?.name.clone()));
    let predicate = format!("`{}` = 'x'", field.as_deref().unwrap_or("id"));
    let lines: &[&str] = &[
        "audit S",
        "splits S",
        "ddl S",
        "plan S P --select --allow-empty --allow-full-scan",
        "diff good.yaml S",
    ];
    // A file that cannot be loaded is refused by the same reader in every command.
    let more: &[&str] = &[
        "plan S P --allow-empty --engine mr --output-format json",
        "check S P --allow-empty --allow-partial",
        "explain S P",
        "scan S P",
        "load S --from a.b",
        "verify S",
        "diff S good.yaml --output-format markdown",
        "diff S S --output-format json",
        "simulate S --keys 10",
    ];
    let chosen = lines.iter().chain(if field.is_some() { more } else { &[] });
    let word = |word: &str| match word {
        "S" => file.to_string(),
        "P" => predicate.clone(),
        other => other.to_string(),
    };
    chosen.map(|line| line.split(' ').map(word).collect()).collect()
}

#[test]
fn files() {
    let copies = tempfile::tempdir().expect("a folder");
    write(copies.path(), "good.yaml", GOOD);
    let files = schemas(&folder());
    assert!(files.len() >= 50, "only {} files", files.len());
    for file in sampled(files, 6) {
        let bytes = fs::read(&file).expect("a readable file");
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        write(copies.path(), &name, &bytes);
        for words in commands(&name, bytes) {
            let run = saltplan(copies.path(), &words);
            assert_sound(&words.join(" "), &run);
            // The content of the file that a sample path names is not shown.
            assert!(!run.said().contains("root:x:"), "{words:?}");
        }
    }
}

/// A line of predicates.txt: `\n` and `\r` are line ends, `{3 times (a = #) OR }` is repeated with a number
/// in place of `#`.
fn predicate(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, repeated)) = rest.split_once('{') {
        text.push_str(before);
        let part = repeated.split_once('}').and_then(|(part, after)| {
            let (count, part) = part.split_once(" times ")?;
            Some((count.parse::<usize>().ok()?, part, after))
        });
        match part {
            Some((count, part, after)) => {
                (0..count).for_each(|number| text.push_str(&part.replace('#', &number.to_string())));
                rest = after;
            }
            None => {
                text.push('{');
                rest = repeated;
            }
        }
    }
    (text + rest).replace("\\n", "\n").replace("\\r", "\r")
}

#[test]
fn predicates() {
    let text = fs::read_to_string(folder().join("predicates.txt")).expect("a readable file");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(lines.len() >= 50, "only {} predicates", lines.len());
    for line in sampled(lines, 6) {
        let schema =
            if line.contains("ts") { "instant_as_timestamp.yaml" } else { "partition_text_and_day.yaml" };
        let predicate = predicate(line);
        for words in [
            &["plan", schema, &predicate][..],
            &["plan", schema, &predicate, "--select", "--allow-full-scan", "--engine", "mr"],
            &["scan", schema, &predicate],
            &["explain", schema, &predicate, "--output-format", "json"],
        ] {
            assert_sound(&words[..2].join(" "), &saltplan(&folder(), words));
        }
    }
}

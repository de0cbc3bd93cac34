//! Fields that are named like anything in a generated class: each class must still encode and decode.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use saltplan_core::Table;
use saltplan_core::queries::Templates;
use saltplan_generate::{Language, Writer, templates};
use saltplan_law::sample::sampled;

use crate::{folder, root, run, subjects};

/// The fields of one class; more classes take the compiler of Java longer.
const FIELDS: usize = 40;

/// Each kind of salt uses other functions of a class; the last one is a member of its rows.
const SALTS: [&str; 6] = [
    "",
    "salt: { md5: { of: key, first_hex_digits: 1, write: hex } }",
    "salt: { java_hash: { of: key, abs: after, modulo: 7, write: { decimal: 1 } } }",
    "salt: { digest: { hash: murmur3_32, of: key, modulo: 256, write: be8 } }",
    "salt: { bytes_hash: { of: key, seed: 0, abs: before, modulo: 300, write: be16 } }",
    "salt: { random: { below: 300, write: be16 } }",
];

/// The files themselves: a change of a template needs no build.
fn own_templates() -> Templates {
    templates(Some(&root().join("crates/saltplan-generate/templates")))
}

/// Every word in the classes of all schemas, without comments.
fn words(language: Language) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for subject in subjects() {
        let Ok(class) = Writer::new(language).print(&subject.table, &own_templates()) else { continue };
        let is_comment =
            |line: &&str| ["//", "*", "/*", "#"].iter().any(|sign| line.trim_start().starts_with(sign));
        for line in class.lines().filter(|line| !is_comment(line)) {
            let names = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let is_name = |name: &&str| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            words.extend(names.filter(is_name).map(String::from));
        }
    }
    words
}

/// Tables whose fields have these names, at most [`FIELDS`] each. Names that differ only in case are in different tables.
fn tables(words: &BTreeSet<String>, salt: &str) -> Vec<Table> {
    let mut groups: Vec<BTreeMap<String, &str>> = Vec::new();
    for word in words {
        let lower = word.to_lowercase();
        let has_room =
            |group: &&mut BTreeMap<String, &str>| group.len() < FIELDS && !group.contains_key(&lower);
        match groups.iter_mut().find(has_room) {
            Some(group) => drop(group.insert(lower, word)),
            None => groups.push([(lower, word.as_str())].into()),
        }
    }
    let table = |(place, group): (usize, &BTreeMap<String, &str>)| {
        // Of every second table the first field has no fixed width, so that every separator may be its end.
        let field = |(at, name): (usize, &&str)| match at == 0 && place % 2 == 0 && group.len() > 1 {
            true => format!("    - {{ name: {name:?}, type: string, then: '|' }}\n"),
            false => format!("    - {{ name: {name:?}, type: string, width: 2, chars: alnum }}\n"),
        };
        let fields: String = group.values().enumerate().map(field).collect();
        let yaml = format!(
            "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\nkey:\n  {salt}\n  fields:\n{fields}"
        );
        Table::from_yaml(&yaml).unwrap_or_else(|error| panic!("{error}\n{yaml}"))
    };
    groups.iter().enumerate().map(table).collect()
}

/// Writes the classes with their golden tests; returns the number, and the words that a class names differently.
fn write_all(language: Language, folder: &Path) -> (usize, BTreeSet<String>) {
    let words = words(language);
    assert!(words.len() > 150, "{}", words.len());
    let mut count = 0;
    let mut renamed = BTreeSet::new();
    for salt in sampled(SALTS, 2) {
        for table in tables(&words, salt) {
            let mut writer = Writer::new(language);
            writer.class = Some(format!("Names{count}"));
            let class = writer.print(&table, &own_templates()).expect("a class");
            for field in &table.schema().key.fields {
                let member = match language {
                    Language::Python => format!("\n    {}: str\n", field.name),
                    _ => format!("public final String {};", field.name),
                };
                if !class.contains(&member) {
                    renamed.insert(field.name.clone());
                }
            }
            writer.golden_test = true;
            let test = writer.print(&table, &own_templates()).expect("a test");
            let (file, test_file) = match language {
                Language::Python => (format!("names{count}.py"), format!("test_names{count}.py")),
                _ => (format!("Names{count}.java"), format!("Names{count}Test.java")),
            };
            fs::write(folder.join(file), class).expect("a file");
            fs::write(folder.join(test_file), test).expect("a file");
            count += 1;
        }
    }
    (count, renamed)
}

/// The words that a language reserves.
fn reserved(list: &str) -> impl Fn(&String) -> bool {
    let words: BTreeSet<String> = list.split_whitespace().map(String::from).collect();
    move |word| words.contains(word)
}

#[test]
fn names_of_python_classes_are_fields() {
    let folder = folder("python_names");
    let (_, renamed) = write_all(Language::Python, &folder);
    run(Command::new("python3").args(["-m", "unittest", "-q"]).current_dir(&folder));
    let keywords = run(Command::new("python3").args(["-c", "import keyword; print(*keyword.kwlist)"]));
    let is_keyword = reserved(&keywords);
    let changed: Vec<&String> = renamed.iter().filter(|word| !is_keyword(word)).collect();
    let is_told =
        |word: &&&String| word.starts_with('_') || ["encode", "decode", "salt"].contains(&word.as_str());
    let untold: Vec<&&String> = changed.iter().filter(|word| !is_told(word)).collect();
    assert!(untold.is_empty() && changed.len() > 5, "{untold:?}");
}

#[test]
fn names_of_java_classes_are_fields() {
    let folder = folder("java_names");
    let (count, renamed) = write_all(Language::Java, &folder);
    let sources = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let options = ["--release", "8", "-Xlint:-options", "-encoding", "US-ASCII", "-d", "."];
    run(Command::new("javac").args(options).args(sources).current_dir(&folder));
    // One virtual machine for all of them.
    let tests: String = (0..count).map(|place| format!("        Names{place}Test.main(args);\n")).collect();
    let all = format!(
        "class All {{\n    public static void main(String[] args) throws Exception {{\n{tests}    }}\n}}\n"
    );
    fs::write(folder.join("All.java"), all).expect("a file");
    run(Command::new("javac").args(["-cp", ".", "-d", ".", "All.java"]).current_dir(&folder));
    run(Command::new("java").args(["-ea", "-cp", ".", "All"]).current_dir(&folder));
    let untold: Vec<&String> = renamed
        .iter()
        .filter(|word| {
            !word.starts_with(|c: char| c.is_ascii_uppercase()) && *word != "java" && *word != "salt"
        })
        .collect();
    let is_keyword = reserved(JAVA_KEYWORDS);
    assert!(!untold.is_empty() && untold.iter().all(|word| is_keyword(word)), "{untold:?}");
}

/// Java Language Specification, 3.9, without the contextual keywords, with the literals.
const JAVA_KEYWORDS: &str = "_ abstract assert boolean break byte case catch char class const continue default do double else \
    enum extends final finally float for goto if implements import instanceof int interface long native new package private \
    protected public return short static strictfp super switch synchronized this throw throws transient try void volatile \
    while true false null";

/// Readers use the names of fields only as texts, so that no name can clash.
#[test]
fn readers_name_nothing_after_a_field() {
    for template in ["program.java", "program.py"] {
        let text =
            fs::read_to_string(root().join("crates/saltplan-generate/templates/reader").join(template));
        let text = text.expect("a template");
        assert!(!text.contains("field."), "{template}");
    }
}

//! Output for a terminal or a log has no escape sequence and no line whose start a stranger controls.

use super::{saltplan, saltplan_with, write};

const SCHEMA: &str = "\
saltplan: 1
hbase: { table: t, families: { f: { storage_policy: \"HOT@\" } } }
key: { fields: [{ name: id, type: string, width: 8 }] }
regions: { explicit: ['5'] }
columns: [{ name: c, type: string, hbase: 'f:c' }]
hive: { mapping: { table: m, key_column: rowkey }, target: { table: t } }
workload: { id: \"zipf(@)\" }
";

/// Escapes in double-quoted YAML text: an escape sequence, line ends, a command of a CI service, characters
/// that change the writing direction.
const YAML: &str = "\\e[31m\\n::error::x\\r\\x9B2J\\u2028\\u202E\\x7F\\x85";
const RAW: &str = "\u{1B}[31m\n::error::x\r\u{9B}2J\u{2028}\u{202E}\u{7F}\u{85}";

/// Nothing in a text has an effect. Lines start with text of the program.
pub(super) fn assert_inert(what: &str, text: &str) {
    let bad = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    assert_eq!(text.chars().find(|c| bad(*c)), None, "{what}: {text:?}");
    assert!(!text.lines().any(|line| line.trim_start().starts_with("::")), "{what}: {text}");
}

#[test]
fn values_of_a_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write(at, "s.yaml", SCHEMA.replace('@', YAML));
    write(at, "old.yaml", SCHEMA.replace("HOT@", "HOT").replace("zipf(@)", "zipf(1.1, 10)"));
    write(at, "accept", format!("hbase.families.f.storage_policy: {RAW}\n"));
    for words in [
        &["simulate", "s.yaml", "--keys", "10"][..],
        &["diff", "old.yaml", "s.yaml"],
        &["diff", "old.yaml", "s.yaml", "--output-format", "markdown"],
        &["diff", "s.yaml", "old.yaml", "--accept", "accept"],
        &["audit", "s.yaml"],
        &["audit", "s.yaml", "--output-format", "concise"],
        &["ddl", "s.yaml"],
        &["ddl", "s.yaml", "-o", "old.yaml", "--check"],
    ] {
        let run = saltplan(at, words);
        assert_inert(&words.join(" "), &run.stdout);
        assert_inert(&words.join(" "), &run.stderr);
        assert!(run.said().contains("error::x"), "{words:?}: {}", run.said());
    }
}

#[test]
fn values_of_a_predicate() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write(at, "s.yaml", SCHEMA.replace("HOT@", "HOT").replace("zipf(@)", "zipf(1.1, 10)"));
    let predicate = format!("id >= '1{RAW}' AND id < '2{RAW}' AND (c = '{RAW}' OR length(id) = 3)");
    let param = format!("v={RAW}");
    for words in [
        &["explain", "s.yaml", &predicate][..],
        &["scan", "s.yaml", &predicate],
        &["scan", "s.yaml", "id >= '1' AND c = :v", "--param", &param],
        &["explain", "s.yaml", "id >= '1' AND c = :v AND id < :v", "--param", &param],
        &["simulate", "s.yaml", "--keys", "10", "--predicate", &predicate, "--quiet"],
        &["explain", "s.yaml", &format!("id = '{RAW}' AND AND")],
        &["explain", "s.yaml", &format!("`{RAW}` = 1")],
        &["explain", "s.yaml", &format!("@{RAW}")],
        &["explain", "s.yaml", "id = 'a'", "--param", &param],
        &["plan", "s.yaml", "id = 'a'", "--select", "--params-file", RAW],
        &["plan", "s.yaml", "id = 'a'", "--engine", RAW],
        &["plan", "s.yaml", "id = 'a'", &format!("--{RAW}")],
        &["splits", "s.yaml", "--emit-sql", "--regions", RAW],
        &["splits", "s.yaml", "--emit-sql", "--key-column", RAW],
        &["simulate", "s.yaml", "--emit-sql", "--from", RAW],
        &["load", "s.yaml", "--from", RAW],
        &[RAW],
    ] {
        let run = saltplan(at, words);
        assert_inert(&words.join(" "), &run.stdout);
        assert_inert(&words.join(" "), &run.stderr);
    }
    for line in ["\u{1B}[31m\u{9B}", "{\"id\": \"\u{1B}[31m"] {
        let run = saltplan_with(at, &["key", "encode", "s.yaml"], line.as_bytes());
        assert_inert(line, &run.said());
    }
}

/// Names of files and folders, in messages, findings, headers and results.
#[cfg(unix)]
#[test]
fn names_of_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let name = format!("x{RAW};'.yaml");
    let schema = SCHEMA.replace("HOT@", "HOTT").replace("zipf(@)", "zipf(1.1, 10)");
    write(at, &name, &schema);
    write(at, &format!("f{RAW}/broken.yaml"), "a: [");
    write(at, "old.yaml", schema.replace("width: 8", "width: 9"));
    let from_stdin = ["plan", "-", "id = '00000001'", "--select", "--stdin-filename", &name];
    let run = saltplan_with(at, &from_stdin, schema.as_bytes());
    assert!(run.code == Some(0) && run.stdout.starts_with("-- saltplan plan x"), "{}", run.said());
    assert_inert("plan", &run.said());
    for words in [
        &["audit", "."][..],
        &["audit", ".", "--output-format", "concise"],
        &["audit", &name],
        &["audit", &name, "--fix"],
        &["audit", &name, "--fix", "--check"],
        &["audit", &format!("none{RAW}")],
        &["plan", &name, "id = '00000001'", "--select"],
        &["plan", &name, "id = '00000001'", "--select", "-o", &format!("o{RAW}")],
        &["plan", &name, "id = '00000001'", "--select", "--no-header", "-o", &format!("o{RAW}"), "--check"],
        &["plan", &name, "id = '00000001'", "-o", &name],
        &["plan", &name, "id = '00000001'", "-o", &format!("none{RAW}/x")],
        &["load", &name, "--from", "a.b"],
        &["verify", &name],
        &["splits", &name, "--emit-sql", "--regions", "4"],
        &["simulate", &name, "--emit-sql"],
        &["simulate", &name, "--keys", "10", "--svg", &format!("s{RAW}"), "--quiet"],
        &["diff", "old.yaml", &name],
        &["diff", "old.yaml", &name, "--output-format", "markdown"],
        &["diff", "old.yaml", &format!("git:main:a{RAW}")],
        &["splits", "--from-keys", &format!("none{RAW}"), "--regions", "3"],
        &["generate", "templates", &format!("T{RAW}")],
        &["init", "--from-keys", &name],
    ] {
        let run = saltplan(at, words);
        assert_inert(&words.join(" "), &run.stdout);
        assert_inert(&words.join(" "), &run.stderr);
    }
    // A service that reads annotations only gets commands at the start of the program's own lines.
    let run = saltplan(at, &["audit", ".", "--output-format", "github"]);
    let commands = ["::error file=", "::warning file=", "::notice file="];
    assert!(
        run.stdout.lines().all(|line| commands.iter().any(|start| line.starts_with(start))),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains(['\u{1B}', '\u{9B}', '\r']), "{:?}", run.stdout);
}

/// The output does not depend on the current folder.
#[test]
fn headers_name_the_file_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write(at, "a/s.yaml", SCHEMA.replace("HOT@", "HOT").replace("zipf(@)", "zipf(1.1, 10)"));
    let absolute = at.join("a/s.yaml").display().to_string();
    for command in [
        "plan S id='00000001' --allow-partial",
        "check S id='00000001' --allow-partial",
        "load S --from a.b",
        "load S --from a.b --list",
        "verify S",
        "splits S --emit-sql",
    ] {
        let printed = |folder: &std::path::Path, schema: &str| {
            let words: Vec<&str> =
                command.split(' ').map(|word| if word == "S" { schema } else { word }).collect();
            let run = saltplan(folder, &words);
            assert_eq!(run.code, Some(0), "{command}: {}", run.stderr);
            run.stdout
        };
        let here = printed(at, "a/s.yaml");
        assert!(!here.contains("a/s.yaml"), "{here}");
        for (folder, schema) in [
            (at.join("a"), "s.yaml"),
            (at.join("a"), "./s.yaml"),
            (at.join("a"), "../a/s.yaml"),
            (at.to_path_buf(), &absolute),
        ] {
            assert_eq!(printed(&folder, schema), here, "{command} {schema}");
        }
    }
}

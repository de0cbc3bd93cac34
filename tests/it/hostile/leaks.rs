//! A schema refers to a sample of row keys. The author of the schema must not choose which files are read, or
//! see their content.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Run, saltplan, saltplan_with, write};

const SECRET: &str = "AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46Z2hz";

/// Digits, so that every rule of the audit would report other keys.
fn schema(keys: &str) -> String {
    format!(
        "\
saltplan: 1
hbase: {{ table: t, families: {{ f: {{}} }} }}
key:
  salt: {{ md5: {{ of: key, first_hex_digits: 1, write: {{ decimal: 3 }} }} }}
  fields:
    - {{ name: id, type: string, width: 8, chars: digits }}
regions: {{ sampled: {{ keys: {keys}, regions: 4 }} }}
columns: [{{ name: c, type: string, hbase: 'f:c' }}]
hive:
  mapping: {{ table: t_map, key_column: rowkey }}
  target: {{ table: t }}
"
    )
}

/// Every command that reads a schema, with arguments for which it would otherwise succeed.
fn commands(schema: &str) -> Vec<Vec<String>> {
    let lines = [
        "splits S",
        "splits S --format json",
        "splits S --emit-sql --regions 3",
        "splits S --from-keys k.txt",
        "ddl S",
        "ddl S --only hbase",
        "ddl S --only mapping",
        "plan S id='00000001' --select",
        "explain S id='00000001'",
        "explain S id='00000001' --output-format json",
        "scan S id='00000001'",
        "check S id='00000001' --allow-partial",
        "drift S --from-splits dump.txt",
        "drift S --from-splits dump.txt --output-format json",
        "simulate S --keys 10",
        "simulate S --keys 10 --output-format json",
        "simulate S --keys-from k.txt",
        "simulate S --emit-sql",
        "grow S --for 1d --rows-per-day 10 --keys 10",
        "load S --from a.b",
        "verify S",
        "key decode S --input k.txt",
        "diff S S",
        "diff old.yaml S",
        "diff S old.yaml --output-format markdown",
        "diff old.yaml S --output-format json",
    ];
    let words = |line: &str| {
        line.split(' ').map(|word| if word == "S" { schema } else { word }.to_string()).collect()
    };
    lines.iter().map(|line| words(line)).collect()
}

fn audits(schema: &str) -> Vec<Vec<String>> {
    let formats = ["full", "concise", "json", "github", "gitlab", "sarif"];
    let words = |format: &str| ["audit", schema, "--output-format", format].map(str::to_string).to_vec();
    formats.iter().map(|format| words(format)).collect()
}

fn surroundings(folder: &Path) {
    write(
        folder,
        "schemas/old.yaml",
        schema("k.txt").replace("sampled: { keys: k.txt, regions: 4 }", "hex_string: 4"),
    );
    write(folder, "schemas/k.txt", "00000000001\n00500000002\n01000000003\n");
    write(folder, "schemas/dump.txt", "hbase> get_splits 't'\nTotal number of splits = 1\n\n");
}

fn assert_refused(run: &Run, words: &[String], reason: &str) {
    assert_eq!(run.code, Some(2), "{words:?}: {}", run.said());
    assert!(run.stderr.contains(reason) && run.stderr.contains(":7:29"), "{words:?}: {}", run.stderr);
    let help = if reason == "is hidden" {
        "help: use a file name without a leading dot"
    } else {
        "help: keep the sample next to the schema"
    };
    assert!(run.stderr.contains(help), "{words:?}: {}", run.stderr);
    assert!(run.stdout.is_empty() && !run.stderr.contains("eC1h"), "{words:?}: {}", run.said());
}

#[test]
fn a_sample_lies_beside_its_schema_or_in_its_repository() {
    let outer = tempfile::tempdir().expect("a folder");
    write(outer.path(), "secret", SECRET);
    let repository = outer.path().join("repository");
    surroundings(&repository);
    write(&repository, ".git/config", format!("[core]\n{SECRET}\nx\ny\nz\n"));
    let secret = outer.path().join("secret").display().to_string();
    let stray = [
        (secret.as_str(), "the path is absolute"),
        ("../../secret", "leads out"),
        ("nowhere/../../../secret", "leads out"),
        ("../.git/config", "is hidden"),
        ("/dev/zero", "the path is absolute"),
    ];
    let folder = repository.join("schemas");
    for (at, (path, reason)) in stray.iter().enumerate() {
        let name = format!("s{at}.yaml");
        write(&folder, &name, schema(path));
        // The first path is tried with all commands, the others with those that show split keys.
        let commands = commands(&name);
        let chosen = commands
            .iter()
            .filter(|words| at == 0 || ["splits", "diff", "load"].contains(&words[0].as_str()));
        for words in chosen {
            assert_refused(&saltplan(&folder, words), words, reason);
        }
        for words in audits(&name) {
            let run = saltplan(&folder, &words);
            assert_eq!(run.code, Some(1), "{words:?}: {}", run.said());
            assert!(run.stdout.contains("SP208") && run.stdout.contains(reason), "{words:?}: {}", run.said());
            assert!(!run.said().contains("eC1h"), "{words:?}: {}", run.said());
        }
    }
    let from_stdin = saltplan_with(&folder, &["splits", "-"], schema("../../secret").as_bytes());
    assert!(from_stdin.code == Some(2) && from_stdin.stderr.contains("leads out"), "{}", from_stdin.stderr);
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out() {
    use std::os::unix::fs::symlink;

    let outer = tempfile::tempdir().expect("a folder");
    write(outer.path(), "secret", SECRET);
    let repository = outer.path().join("repository");
    surroundings(&repository);
    write(&repository, ".git/config", SECRET);
    let folder = repository.join("schemas");
    symlink("../../secret", folder.join("link")).expect("a link");
    symlink("../..", folder.join("up")).expect("a link");
    symlink("../.git/config", folder.join("config")).expect("a link");
    for (path, reason) in [("link", "leads out"), ("up/secret", "leads out"), ("config", "is hidden")] {
        write(&folder, "s.yaml", schema(path));
        for words in [["splits", "s.yaml"], ["ddl", "s.yaml"], ["verify", "s.yaml"]] {
            assert_refused(&saltplan(&folder, &words), &words.map(str::to_string), reason);
        }
        let run = saltplan(&folder, &["audit", "s.yaml"]);
        assert!(run.stdout.contains("SP208") && run.stdout.contains(reason), "{}", run.said());
    }
    // A schema that is a link, in a folder or by its name, is refused as well.
    symlink("../.git/config", folder.join("token.yaml")).expect("a link");
    for words in [
        &["audit", "."][..],
        &["audit", "token.yaml"],
        &["plan", "token.yaml", "a = 1"],
        &["diff", "old.yaml", "token.yaml"],
    ] {
        let run = saltplan(&folder, words);
        assert!(
            run.said().contains("`token.yaml` is a symbolic link that leaves")
                || run.said().contains("`./token.yaml` is a symbolic link that leaves"),
            "{words:?}: {}",
            run.said()
        );
        assert!(!run.said().contains("eC1h"), "{words:?}: {}", run.said());
    }
    symlink("old.yaml", folder.join("other.yaml")).expect("a link");
    assert_eq!(saltplan(&folder, &["splits", "other.yaml"]).code, Some(0));
}

/// An allowed sample is printed by commands about split keys, but only counted where a stranger's schema is
/// reviewed.
#[test]
fn keys_of_a_sample_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    surroundings(folder.path());
    let at = folder.path().join("schemas");
    let keys = ["[core]", SECRET, "extra-eC1h", "~~~ eC1h", "zzz"];
    write(&at, "secret.txt", keys.join("\n"));
    write(&at, "other.txt", "a\nb eC1h\nc\nd\n");
    write(&at, "s.yaml", schema("secret.txt"));
    write(&at, "t.yaml", schema("other.txt"));
    for words in ["splits s.yaml", "ddl s.yaml"] {
        let run = saltplan(&at, &words.split(' ').collect::<Vec<_>>());
        assert!(run.code == Some(0) && run.stdout.contains("eC1h"), "{words}: {}", run.said());
    }
    let mut said = String::new();
    for words in audits("s.yaml") {
        said += &saltplan(&at, &words).said();
    }
    assert!(said.contains("no row can reach the last 3 regions, from split key 1 on"), "{said}");
    assert!(said.contains("the sample contains keys that this schema cannot produce"), "{said}");
    for format in ["text", "markdown", "json"] {
        for pair in [["old.yaml", "s.yaml"], ["s.yaml", "t.yaml"], ["s.yaml", "old.yaml"]] {
            let run = saltplan(&at, &["diff", pair[0], pair[1], "--output-format", format]);
            assert_eq!(run.code, Some(1), "{}", run.said());
            assert!(run.stdout.contains("4 regions, split at 3 sampled keys"), "{}", run.stdout);
            said += &run.said();
        }
    }
    assert!(!said.contains("eC1h") && !said.contains("core"), "{said}");
    // The same keys, written in the schema or sampled, give the same regions.
    let explicit = schema("x").replace("sampled: { keys: x, regions: 4 }", "explicit: ['a', 'b', 'c']");
    write(&at, "three.txt", "a\na\nb\nc\n");
    write(&at, "explicit.yaml", explicit);
    write(&at, "three.yaml", schema("three.txt"));
    let run = saltplan(&at, &["diff", "explicit.yaml", "three.yaml"]);
    assert!(!run.stdout.contains("regions:  "), "{}", run.stdout);
}

fn git(folder: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .output()
        .expect("git");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(unix)]
#[test]
fn a_revision_gives_access_only_to_its_own_files() {
    use std::os::unix::fs::symlink;

    let outer = tempfile::tempdir().expect("a folder");
    let folder = outer.path().join("repository");
    write(outer.path(), "secret", SECRET);
    surroundings(&folder);
    git(&folder, &["init", "--quiet"]);
    for (name, path) in [
        ("up", "../../secret"),
        ("absolute", "/etc/passwd"),
        ("hidden", "../.git/config"),
        ("link", "link"),
        ("dangling", "dangling"),
        ("folder", "."),
        ("missing", "none.txt"),
        ("good", "../keys/k*.txt"),
    ] {
        write(&folder, &format!("schemas/{name}.yaml"), schema(path));
    }
    write(&folder, "keys/k*.txt", "000\n004\n008\n012\n");
    write(&folder, "keys/kk.txt", "eC1h\n");
    write(&folder, "schemas/a b[1]*.yaml", schema("../keys/k*.txt"));
    write(&folder, "nobranch:calls.yaml", "eC1h");
    symlink("../../secret", folder.join("schemas/link")).expect("a link");
    symlink("nowhere", folder.join("schemas/dangling")).expect("a link");
    symlink("good.yaml", folder.join("schemas/inside.yaml")).expect("a link");
    symlink("../../secret.yaml", folder.join("schemas/outside.yaml")).expect("a link");
    git(&folder, &["add", "--all"]);
    git(&folder, &["commit", "--quiet", "--message", "eC1h"]);

    let compared = |old: &str| saltplan(&folder, &["diff", old, "git:main:schemas/good.yaml"]);
    for good in [
        "git:main:schemas/good.yaml",
        "git:HEAD:./schemas/good.yaml",
        "git:main:schemas/../schemas/good.yaml",
        "git:main:schemas/inside.yaml",
        "git:main:schemas/a b[1]*.yaml",
    ] {
        let run = compared(good);
        assert!(run.stderr.is_empty() && !run.stdout.contains("regions:"), "{good}: {}", run.said());
    }
    for (bad, reason) in [
        ("git:main:schemas/up.yaml", "leads out of the folder of the schema"),
        ("git:main:schemas/absolute.yaml", "the path is absolute"),
        ("git:main:schemas/hidden.yaml", "is hidden"),
        (
            "git:main:schemas/link.yaml",
            "`schemas/link` of the revision `main` is a symbolic link whose target",
        ),
        ("git:main:schemas/dangling.yaml", "is a symbolic link whose target is not in the repository"),
        ("git:main:schemas/folder.yaml", "is a folder"),
        ("git:main:schemas/missing.yaml", "the revision `main` has no file `schemas/none.txt`"),
        ("git:main:schemas/outside.yaml", "is a symbolic link whose target is not in the repository"),
        ("git:main:schemas", "is a folder"),
        ("git:main:schemas/go*.yaml", "the revision `main` has no file `schemas/go*.yaml`"),
        ("git:main:nope[1].yaml", "the revision `main` has no file `nope[1].yaml`"),
        ("git:main:../x.yaml", "leads out of the git repository"),
        ("git:main:/etc/passwd", "leads out of the git repository"),
        ("git:nobranch:calls.yaml", "git does not know the revision `nobranch`"),
        ("git:nobranch:cal*.yaml", "git does not know the revision `nobranch`"),
        ("git:-h:calls.yaml", "is not of the form `git:REF:path`"),
        ("git:main:a\nmain:schemas/good.yaml", "is not of the form `git:REF:path`"),
    ] {
        let run = compared(bad);
        assert_eq!(run.code, Some(2), "{bad}: {}", run.said());
        assert!(run.stderr.contains(reason), "{bad}: {}", run.stderr);
        assert!(!run.said().contains("eC1h"), "{bad}: {}", run.said());
    }
    let elsewhere = saltplan(outer.path(), &["diff", "git:main:a.yaml", "git:main:a.yaml"]);
    assert!(elsewhere.stderr.contains("not a git repository"), "{}", elsewhere.stderr);
    fs::remove_dir_all(folder.join(".git")).expect("its end");
}

//! The options of all commands, from the command line's own list: a name has one meaning, and each is accepted in some call.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Output;

use crate::help::{PROGRAM, copy, root, shell};

/// Options whose value or text differs between commands, and why it is one meaning all the same.
const DIFFERENT: [(&str, &str); 7] = [
    ("--allow-partial", "the rows are only a part of those of a partition"),
    ("--by", "what is counted apart: rows or puts"),
    ("--check", "nothing is written and differences are shown, whatever the command writes"),
    ("--emit-sql", "the query that does the command's work on the cluster"),
    ("--fail-on", "findings have a severity, changes a class"),
    ("--output", "a file; several files go to a folder"),
    ("--predicate", "a page has several, so each has a name"),
];

struct Listed {
    command: String,
    /// `--output`
    name: String,
    /// `FILE`, or nothing for a switch.
    value: String,
    text: String,
}

/// The rows of the tables that `generate commands` prints.
fn listed() -> Vec<Listed> {
    let output = shell(root(), "saltplan generate commands");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut command = String::new();
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            command = name.to_string();
        }
        let Some((spelling, text)) = line.strip_prefix("| `").and_then(|line| line.split_once("` | ")) else {
            continue;
        };
        let Some(at) = spelling.find("--") else { continue };
        let (name, value) = spelling[at..].split_once(' ').unwrap_or((&spelling[at..], ""));
        found.push(Listed {
            command: command.clone(),
            name: name.to_string(),
            value: value.trim_matches(['[', ']']).to_string(),
            text: text.trim_end_matches(" |").to_string(),
        });
    }
    found.retain(|one| !one.command.is_empty());
    assert!(found.len() > 150, "{}", found.len());
    found
}

#[test]
fn an_option_has_one_meaning_in_all_commands() {
    let mut meanings: BTreeMap<String, Vec<Listed>> = BTreeMap::new();
    for one in listed() {
        meanings.entry(one.name.clone()).or_default().push(one);
    }
    let mut wrong = Vec::new();
    let mut is_excused = BTreeSet::new();
    for (name, all) in &meanings {
        let Some(first) = all.first() else { continue };
        let is_same =
            |one: &Listed| one.text == first.text || !one.value.is_empty() && one.value == first.value;
        let Some(other) = all.iter().find(|one| !is_same(one)) else { continue };
        match DIFFERENT.iter().find(|(excused, _)| excused == name) {
            Some((excused, _)) => drop(is_excused.insert(*excused)),
            None => wrong.push(format!(
                "{name}\n  {}: {} {}\n  {}: {} {}",
                first.command, first.value, first.text, other.command, other.value, other.text
            )),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let unneeded: Vec<&str> =
        DIFFERENT.iter().map(|(name, _)| *name).filter(|name| !is_excused.contains(name)).collect();
    assert!(unneeded.is_empty(), "these have the same text or value everywhere: {unneeded:?}");
}

/// `tests/testdata/options/calls.txt` has for each command a line that calls it, and below it indented lines with options to add.
/// All of them are run, and every option of every command must be in one that is not refused.
#[test]
fn every_option_is_accepted_in_some_call() {
    let sandbox = tempfile::tempdir().expect("a folder");
    let at = sandbox.path();
    for folder in ["schemas", "examples"] {
        copy(&root().join(folder), &at.join(folder));
    }
    copy(&root().join("tests/cmd"), &at.join("cmd"));
    copy(&root().join("tests/testdata/options"), &at.join("options"));
    fs::copy(root().join("tests/testdata/live/create.txt"), at.join("create.txt")).expect("a copy");
    fs::copy(root().join("tests/testdata/init_salts/scan.txt"), at.join("printed_by_scan.txt"))
        .expect("a copy");
    // Jobs use files of their repository.
    assert!(shell(at, "git init -qb main .").status.success());
    let text = fs::read_to_string(root().join("tests/testdata/options/calls.txt")).expect("the calls");
    let mut accepted: BTreeSet<(String, String)> = BTreeSet::new();
    let mut wrong = Vec::new();
    let mut call = "";
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let Some(added) = line.strip_prefix("  ") else {
            call = line;
            continue;
        };
        let (words, arguments) = call.split_once(':').expect("the command, a colon and its arguments");
        let whole = format!("saltplan {words} {arguments} {added}");
        let output = shell(at, &whole);
        // What a command finds is not a refusal.
        let finds = ["audit", "diff", "drift"].contains(&words) && output.status.code() == Some(1);
        if !(output.status.success() || finds) || said_note(&output) {
            wrong.push(format!("{whole}\n{}", String::from_utf8_lossy(&output.stderr)));
        }
        let names = whole.split_whitespace().filter(|word| word.starts_with("--"));
        let names = names.map(|word| word.split('=').next().unwrap_or(word).to_string());
        accepted.extend(names.map(|name| (words.to_string(), name)));
        accepted.extend(whole.contains(" -o ").then(|| (words.to_string(), "--output".to_string())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let missing: Vec<String> = listed()
        .into_iter()
        .filter(|one| !accepted.contains(&(one.command.clone(), one.name.clone())))
        .map(|one| format!("{} {}", one.command, one.name))
        .collect();
    assert!(missing.is_empty(), "no call in tests/testdata/options/calls.txt has\n{}", missing.join("\n"));
}

/// An old name of an option.
fn said_note(output: &Output) -> bool {
    String::from_utf8_lossy(&output.stderr).contains("is now called")
}

#[test]
fn an_option_of_another_command_is_named() {
    let cases = [
        (
            "scan s.yaml 'a = 1' --runtime a=hivevar:a",
            "`--runtime` is an option of `plan`, `check`, `rewrite` and `report`",
        ),
        (
            "ddl s.yaml --max-scans 5",
            "`--max-scans` is an option of `plan`, `explain`, `check` and `rewrite`",
        ),
        ("build --fix", "`--fix` is an option of `audit`"),
    ];
    for (call, tip) in cases {
        let output = shell(root(), &format!("saltplan {call}; true"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(tip), "{said}");
    }
    let output =
        std::process::Command::new(PROGRAM).args(["ddl", "s.yaml", "--nothing"]).output().expect("a run");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("is an option of"));
}

/// Messages that the sessions and pages show: an option in backquotes is one of the command that printed it, or follows the name
/// of a command that has it.
#[test]
fn remedies_name_options_that_exist() {
    let known: BTreeSet<(String, String)> = listed().into_iter().map(|one| (one.command, one.name)).collect();
    let commands: BTreeSet<&str> = known.iter().map(|(command, _)| command.as_str()).collect();
    let has = |command: &str, option: &str| known.contains(&(command.to_string(), option.to_string()));
    // Of Hive, or of every command.
    let others = ["--hivevar", "--hiveconf", "--quiet", "--message-format", "--color", "--help"];
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for folder in ["tests/cmd", "docs"] {
        for entry in fs::read_dir(root().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if !path.extension().is_some_and(|end| end == "trycmd" || end == "md") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("text");
            let mut command = None;
            for line in text.lines() {
                if let Some(call) = line.strip_prefix("$ ") {
                    let words = call.rsplit_once("saltplan ").map_or("", |(_, words)| words);
                    let named = |name: &&&str| words == **name || words.starts_with(&format!("{name} "));
                    command = commands.iter().filter(named).max_by_key(|name| name.len()).copied();
                }
                let is_message = line.trim_start().starts_with("= help:")
                    || ["error: ", "warning: ", "note: "].iter().any(|kind| line.starts_with(kind));
                let (Some(command), true) = (command, is_message && !line.contains("is now called")) else {
                    continue;
                };
                let parts: Vec<&str> = line.split('`').collect();
                for (at, code) in parts.iter().enumerate().filter(|(at, _)| at % 2 == 1) {
                    let said = code.strip_prefix("saltplan ").unwrap_or(code);
                    let of = |name: &&&str| said.starts_with(&format!("{name} "));
                    let named = commands.iter().filter(of).max_by_key(|name| name.len()).copied();
                    // `plan` `--runtime day=TEXT`
                    let before =
                        at.checked_sub(2).and_then(|at| parts.get(at)).filter(|_| parts[at - 1].len() < 5);
                    for option in said.split_whitespace().filter(|word| word.starts_with("--")) {
                        let option = option.split('=').next().unwrap_or(option);
                        seen += 1;
                        let is_known = match named {
                            Some(named) => has(named, option),
                            None => has(command, option) || before.is_some_and(|before| has(before, option)),
                        };
                        if !(is_known || others.contains(&option)) && said.starts_with("--") | named.is_some()
                        {
                            wrong.push(format!("{}: {command}: {line}", path.display()));
                        }
                    }
                }
            }
        }
    }
    assert!(seen > 100, "{seen}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

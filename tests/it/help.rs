//! The help of every command: it fits a terminal, lists the exit codes, and its examples work.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use saltplan_law::sample::{is_sampled, sampled};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_saltplan");

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The help of a command in a terminal of 80 columns.
pub fn help(words: &[String], flag: &str) -> String {
    help_in(words, flag, "80")
}

fn help_in(words: &[String], flag: &str, columns: &str) -> String {
    let output =
        Command::new(PROGRAM).args(words).arg(flag).env("COLUMNS", columns).output().expect("the help");
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The names below `Commands:`.
fn subcommands(help: &str) -> Vec<String> {
    let lines =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Further lines of a description are indented more.
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).map(str::to_string).collect()
}

/// Every command that can be run, with the words that call it.
pub fn commands() -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut waiting = vec![Vec::new()];
    while let Some(words) = waiting.pop() {
        let below = subcommands(&help(&words, "--help"));
        if below.is_empty() {
            found.push(words.clone());
        }
        for name in below.into_iter().filter(|name| name != "help") {
            waiting.push(words.iter().cloned().chain([name]).collect());
        }
    }
    found.sort();
    assert!(found.len() >= 18, "{found:?}");
    found
}

/// The commands below `Examples:`, with continued lines joined. Nothing follows them.
fn examples(help: &str) -> Vec<String> {
    let mut examples: Vec<String> = Vec::new();
    for line in help.lines().skip_while(|line| *line != "Examples:").skip(1) {
        match line.strip_prefix("  ") {
            Some(line) if !line.starts_with(' ') => examples.push(line.to_string()),
            Some(line) => {
                let last = examples.last_mut().expect("an example before it");
                last.push('\n');
                last.push_str(line);
            }
            None => panic!("`{line}` is no example"),
        }
    }
    examples
}

#[test]
fn every_help_names_exit_codes_and_ends_with_examples() {
    for words in commands() {
        let text = help(&words, "--help");
        assert!(text.contains("\nExit codes:\n  0  "), "{words:?}");
        assert!(!examples(&text).is_empty(), "{words:?}");
    }
}

/// The names of options in a help.
fn options(help: &str) -> Vec<&str> {
    let words = help.lines().filter_map(|line| line.trim_start().strip_prefix('-').map(|_| line));
    words.filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--"))).collect()
}

#[test]
fn the_short_help_is_a_part_of_the_whole() {
    let (mut few, mut all) = (0, 0);
    for words in commands().iter().map(Vec::as_slice).chain([&[][..]]) {
        let (short, whole) = (help(words, "-h"), help(words, "--help"));
        for line in short.lines().chain(whole.lines()) {
            assert!(line.chars().count() <= 80, "{words:?}: {line}");
        }
        let known = options(&whole);
        assert!(options(&short).iter().all(|name| known.contains(name)), "{words:?}");
        assert!(short.lines().count() < whole.lines().count(), "{words:?}\n{short}");
        // A screen of a terminal.
        assert!(options(&short).len() <= 14 && short.lines().count() <= 48, "{words:?}\n{short}");
        assert!(short.contains("\nExample:\n  "), "{words:?}");
        let called = format!("`saltplan {}", words.join(" "));
        assert!(short.contains(&format!("{} --help` shows", called.trim_end())), "{words:?}\n{short}");
        few += short.lines().count();
        all += whole.lines().count();
    }
    assert!(few * 2 < all, "{few} of {all} lines");
    let as_command = help(&["help".to_string(), "plan".to_string()], "-q");
    assert_eq!(as_command, help(&["plan".to_string()], "--help"));
}

/// Tables and examples below the options have their own lines, which a terminal of 80 columns does not break.
#[test]
fn nothing_below_the_options_wraps() {
    for words in commands() {
        let below = |columns: &str| {
            let text = help_in(&words, "--help", columns);
            let (_, below) = text.rsplit_once("\n  -h, --help").expect("the last option");
            below.split_once("\n\n").expect("something below").1.to_string()
        };
        assert_eq!(below("80"), below("100"), "{words:?}");
    }
}

#[test]
fn examples_of_the_help_work() {
    let sandbox = tempfile::tempdir().expect("a folder");
    let at = sandbox.path();
    copy(&root().join("schemas"), &at.join("schemas"));
    copy(&root().join("examples"), &at.join("examples"));
    let git = "git init -qb main . && git add schemas && git -c user.name=a -c user.email=a@b commit -qm one";
    succeeded(git, &shell(at, git));
    let mut count = 0;
    for words in sampled([Vec::new()].into_iter().chain(commands()), 2) {
        for example in examples(&help(&words, "--help")) {
            let called = format!("saltplan {}", words.join(" "));
            assert!(example.contains(called.trim_end()), "`{example}` is no example of `{called}`");
            let output = shell(at, &example);
            // `diff` shows two schemas that differ.
            if !(words == ["diff"] && output.status.code() == Some(1)) {
                succeeded(&example, &output);
            }
            assert!(
                ["-o ", "generate", "build"].iter().any(|word| example.contains(word))
                    || !output.stdout.is_empty(),
                "{example}"
            );
            count += 1;
        }
    }
    assert!(count >= if is_sampled() { 15 } else { 35 }, "only {count} examples");
}

pub fn shell(folder: &Path, line: &str) -> Output {
    let programs = Path::new(PROGRAM).parent().expect("its folder").as_os_str().to_owned();
    let mut path = programs;
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    Command::new("sh").arg("-ec").arg(line).current_dir(folder).env("PATH", path).output().expect("a shell")
}

fn succeeded(line: &str, output: &Output) {
    assert!(output.status.success(), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
}

pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry").path();
        let target = to.join(entry.file_name().expect("a name"));
        if entry.is_dir() {
            copy(&entry, &target);
        } else {
            fs::copy(&entry, &target).expect("a copy");
        }
    }
}

#[test]
fn old_spellings_of_options_are_understood() {
    let at = root();
    let pairs = [
        (
            "splits schemas/examples/md5_prefix.yaml --format file",
            "splits schemas/examples/md5_prefix.yaml --output-format file",
        ),
        (
            "splits --from-splits tests/cmd/split_keys.txt --keys hex",
            "splits --from-splits tests/cmd/split_keys.txt --key-form hex",
        ),
        (
            "explain schemas/examples/md5_nibble_day.yaml 'opera_day = 20200406' --regions schemas/examples/list_regions.txt",
            "explain schemas/examples/md5_nibble_day.yaml 'opera_day = 20200406' --from-splits schemas/examples/list_regions.txt",
        ),
        (
            "explain schemas/examples/md5_nibble_day.yaml 'opera_day = 20200406 AND row_id IN (:ids)' --param-file ids=tests/cmd/ids.txt",
            "explain schemas/examples/md5_nibble_day.yaml 'opera_day = 20200406 AND row_id IN (:ids)' --param-list ids=tests/cmd/ids.txt",
        ),
        (
            "init --table t --field id:bigint --regions longs:1-3",
            "init --table t --field id:bigint --split longs:1-3",
        ),
        (
            "load schemas/examples/md5_nibble_day.yaml --from a.b --faults 5",
            "load schemas/examples/md5_nibble_day.yaml --from a.b --list 5",
        ),
        (
            "audit tests/cmd/audit/visits.yaml --select SP205 --diff",
            "audit tests/cmd/audit/visits.yaml --rules SP205 --fix --check",
        ),
        (
            "simulate tests/cmd/simulate.yaml --keys 1k --field 'tel=zipf(1, 2)' --where 'day = 20250331'",
            "simulate tests/cmd/simulate.yaml --keys 1k --workload 'tel=zipf(1, 2)' --predicate 'day = 20250331'",
        ),
        (
            "simulate tests/cmd/one_region.yaml --keys 1k --grow 1d --rows-per-day 1k",
            "grow tests/cmd/one_region.yaml --keys 1k --for 1d --rows-per-day 1k",
        ),
        (
            "simulate tests/cmd/one_region.yaml --keys 1k --grow --rows-per-day 1k",
            "grow tests/cmd/one_region.yaml --keys 1k --rows-per-day 1k",
        ),
        (
            "init --from-keys tests/testdata/init/md5_nibble_day.txt --keys text",
            "init --from-keys tests/testdata/init/md5_nibble_day.txt --key-form text",
        ),
        (
            "simulate tests/cmd/simulate.yaml --keys-from tests/cmd/real_keys.txt",
            "simulate tests/cmd/simulate.yaml --from-keys tests/cmd/real_keys.txt",
        ),
        (
            "splits schemas/examples/md5_prefix.yaml --from-sql --regions 4",
            "splits schemas/examples/md5_prefix.yaml --emit-sql --regions 4",
        ),
        (
            "simulate tests/cmd/simulate.yaml --counts tests/cmd/region_counts.txt",
            "simulate tests/cmd/simulate.yaml --from-counts tests/cmd/region_counts.txt",
        ),
        (
            "drift schemas/examples/md5_nibble_day.yaml --splits schemas/examples/get_splits.txt",
            "drift schemas/examples/md5_nibble_day.yaml --from-splits schemas/examples/get_splits.txt",
        ),
        (
            "key decode schemas/examples/md5_sampled.yaml --input schemas/examples/keys.txt",
            "key decode schemas/examples/md5_sampled.yaml schemas/examples/keys.txt",
        ),
        (
            "key encode schemas/examples/md5_nibble_day.yaml --keys hex < tests/cmd/rows.jsonl",
            "key encode schemas/examples/md5_nibble_day.yaml - --key-form hex < tests/cmd/rows.jsonl",
        ),
    ];
    for (old, new) in pairs {
        let (old_run, new_run) =
            (shell(at, &format!("saltplan {old}")), shell(at, &format!("saltplan {new}")));
        assert_eq!(old_run.status.code(), new_run.status.code(), "{old}: {new_run:?}");
        // One of the rows is not JSON, so the exit code is 2.
        let said = String::from_utf8_lossy(&old_run.stderr);
        assert!(!said.contains("Usage:"), "{old}: {said}");
        assert!(said.contains("is now called `"), "{old}: {said}");
        assert!(!String::from_utf8_lossy(&new_run.stderr).contains("is now called"), "{new}");
        assert!(!old_run.stdout.is_empty() && old_run.stdout == new_run.stdout, "{old}");
    }
}

//! Puts faults into the planner one by one; the tests must find each of them.
//!
//! `list.txt` contains the faults. The source tree is copied to `target/mutations`, so the working tree is
//! never changed. Run it with `cargo test --test mutations`, which tries one fault for each part of the
//! planner, with `-- --all`, or with a part of a name after `--`. With `-- --list` no fault is tried: their names
//! are printed if each still finds the text that it changes.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the runner says how far it is")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

struct Mutation {
    name: String,
    file: PathBuf,
    from: String,
    to: String,
    is_for_all: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let filter = arguments.iter().find(|argument| !argument.starts_with('-')).map(String::as_str);
    let all = filter.is_some() || arguments.iter().any(|argument| argument == "--all");
    let is_list = arguments.iter().any(|argument| argument == "--list");
    match run(filter.unwrap_or_default(), all, is_list) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("mutations: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(filter: &str, all: bool, is_list: bool) -> Result<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mutations = read(&fs::read_to_string(root.join("tests/mutations/list.txt"))?)?;
    let chosen: Vec<&Mutation> = mutations.iter().filter(|mutation| mutation.name.contains(filter)).collect();
    ensure!(!chosen.is_empty(), "no mutation has `{filter}` in its name");
    // A text that no longer matches is reported at once, not after the preceding mutations.
    for mutation in &chosen {
        mutated(mutation, &original_of(root, mutation)?)?;
        let is_looked_for = RUNS.iter().any(|run| run.is_for(&mutation.file));
        ensure!(is_looked_for, "no test looks for `{}` in {}", mutation.name, mutation.file.display());
    }
    if is_list {
        chosen.iter().for_each(|mutation| println!("{} in {}", mutation.name, mutation.file.display()));
        return Ok(true);
    }
    let (chosen, left_out): (Vec<&Mutation>, Vec<&Mutation>) =
        chosen.into_iter().partition(|mutation| all || !mutation.is_for_all);
    if !left_out.is_empty() {
        let names: Vec<&str> = left_out.iter().map(|mutation| mutation.name.as_str()).collect();
        println!("left out, run by `cargo test --test mutations -- --all`: {}", names.join(", "));
    }
    let begun = Instant::now();
    let tree = root.join("target/mutations/tree");
    copy_tree(root, &tree)?;
    lend_libraries(&tree.with_file_name("target/debug"))?;
    let mut survivors = Vec::new();
    let mut killers = BTreeSet::new();
    for mutation in &chosen {
        let path = tree.join(&mutation.file);
        let original = original_of(&tree, mutation)?;
        fs::write(&path, mutated(mutation, &original)?)?;
        let killer = first_that_fails(&tree, RUNS.iter().filter(|run| run.is_for(&mutation.file)));
        fs::write(&path, original)?;
        let killer = killer.with_context(|| mutation.name.clone())?;
        let seconds = begun.elapsed().as_secs();
        match killer {
            Some(run) => {
                println!("{seconds:4} killed   {}, by {}", mutation.name, run.name);
                killers.insert(run.name);
            }
            None => {
                println!("{seconds:4} SURVIVED {}", mutation.name);
                survivors.push(mutation.name.as_str());
            }
        }
    }
    // A fault counts as found only if the run that found it passes without it.
    let runs: Vec<&Run> = RUNS.iter().filter(|run| killers.contains(run.name)).collect();
    if let Some(run) = first_that_fails(&tree, runs.iter().copied())? {
        bail!("{} fails without a mutation: this run shows nothing", run.name);
    }
    let names: Vec<&str> = runs.iter().map(|run| run.name).collect();
    println!("{:4} passed without a mutation: {}", begun.elapsed().as_secs(), names.join(", "));
    println!("{} of {} mutations killed", chosen.len() - survivors.len(), chosen.len());
    Ok(survivors.is_empty())
}

fn read(list: &str) -> Result<Vec<Mutation>> {
    list.split("\n== ").skip(1).map(|block| parse(block).with_context(|| block.to_string())).collect()
}

fn parse(block: &str) -> Result<Mutation> {
    let (head, rest) = block.split_once('\n').context("a head line")?;
    let (head, is_for_all) = head.strip_suffix(", with --all").map_or((head, false), |head| (head, true));
    let (name, file) = head.split_once(" in ").context("`name in file`")?;
    let (from, to) = rest.split_once("\n--\n").context("`--` between before and after")?;
    Ok(Mutation {
        name: name.into(),
        file: file.into(),
        from: from.into(),
        to: to.trim_end_matches('\n').into(),
        is_for_all,
    })
}

fn original_of(root: &Path, mutation: &Mutation) -> Result<String> {
    fs::read_to_string(root.join(&mutation.file)).with_context(|| mutation.file.display().to_string())
}

fn mutated(mutation: &Mutation, original: &str) -> Result<String> {
    let count = original.matches(&mutation.from).count();
    ensure!(count == 1, "`{}`: its text occurs {count} times in {}", mutation.name, mutation.file.display());
    Ok(original.replacen(&mutation.from, &mutation.to, 1))
}

/// Everything that the tests of the planner need, and no more.
fn copy_tree(root: &Path, tree: &Path) -> Result<()> {
    if tree.exists() {
        fs::remove_dir_all(tree)?;
    }
    fs::create_dir_all(tree)?;
    for part in
        ["Cargo.toml", "Cargo.lock", "build.rs", "README.md", "src", "crates", "schemas", "tests", "benches"]
    {
        copy(&root.join(part), &tree.join(part)).with_context(|| part.to_string())?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if !from.is_dir() {
        fs::copy(from, to)?;
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// The dependencies, which are already compiled for this run and need not be compiled again.
fn lend_libraries(target: &Path) -> Result<()> {
    let runner = std::env::current_exe()?;
    let built = runner.parent().and_then(Path::parent).context("a test is in a folder of its profile")?;
    for part in [".fingerprint", "build"] {
        for entry in fs::read_dir(built.join(part))? {
            let entry = entry?;
            if !entry.file_name().to_string_lossy().starts_with("saltplan") {
                link(&entry.path(), &target.join(part).join(entry.file_name()))?;
            }
        }
    }
    for entry in fs::read_dir(built.join("deps"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_library =
            name.starts_with("lib") || Path::new(&name).extension().is_some_and(|end| end == "d");
        if is_library && !name.trim_start_matches("lib").starts_with("saltplan") {
            link(&entry.path(), &target.join("deps").join(name))?;
        }
    }
    Ok(())
}

/// The results of an earlier run may belong to another build.
fn link(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            link(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    fs::create_dir_all(to.parent().context("a folder")?)?;
    if to.exists() {
        fs::remove_file(to)?;
    }
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(|_| ()))?;
    Ok(())
}

fn cargo(tree: &Path, arguments: &[&str]) -> Result<(bool, String)> {
    let output = Command::new(env!("CARGO"))
        // Nobody reads a backtrace. The dependencies stay as they are, so that they are reused.
        .args(["--config", "profile.dev.debug=false"])
        .args(["--config", "profile.dev.package.'*'.debug='line-tables-only'"])
        .args(arguments)
        .current_dir(tree)
        // A separate folder, because cargo takes two trees of the same package for one.
        .env("CARGO_TARGET_DIR", tree.with_file_name("target"))
        // Each fault recompiles the package that it is in.
        .env("CARGO_INCREMENTAL", "1")
        .env("SALTPLAN_LAW_SEED", "20200406")
        // A failing case need not be minimized.
        .env("SALTPLAN_LAW_SHRINKS", "0")
        .output()?;
    Ok((output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// Tests that look for faults.
struct Run {
    name: &'static str,
    /// The parts of the planner whose faults it can find.
    of: &'static [&'static str],
    target: &'static [&'static str],
    /// The arguments after `--`.
    filters: &'static [&'static str],
}

impl Run {
    fn is_for(&self, file: &Path) -> bool {
        self.of.iter().any(|part| file.starts_with(part))
    }
}

/// Stops at the first failure, and does not build what comes after it. For the whole workspace, like the
/// reused dependencies.
const RUNS: [Run; 10] = [
    Run {
        name: "filters of Hive",
        of: &["crates/saltplan-pushdown"],
        target: &["--workspace", "--test", "pushdown"],
        filters: &[],
    },
    Run {
        name: "requests of Hive",
        of: &["crates/saltplan-pushdown"],
        target: &["--workspace", "--test", "requests"],
        filters: &[],
    },
    Run {
        name: "zones of Hive",
        of: &["crates/saltplan-pushdown"],
        target: &["-p", "saltplan-pushdown", "--lib"],
        filters: &[],
    },
    Run {
        name: "pieces of the key",
        of: &["crates/saltplan-core/src/pieces"],
        target: &["--workspace", "--test", "pieces"],
        filters: &[],
    },
    Run {
        name: "the law",
        of: &["crates/saltplan-core", "crates/saltplan-sql"],
        target: &["--workspace", "--test", "law"],
        filters: &[],
    },
    Run {
        name: "plan cases",
        of: &["crates/saltplan-core", "crates/saltplan-sql"],
        target: &["--workspace", "--test", "plan_cases"],
        filters: &[],
    },
    Run {
        name: "limits and partitions",
        of: &["crates/saltplan-core"],
        target: &["--workspace", "--test", "it"],
        filters: &["limits::", "partitions::"],
    },
    Run {
        name: "unit tests",
        of: &["crates/saltplan-core"],
        target: &["-p", "saltplan-core", "--lib"],
        filters: &[],
    },
    Run {
        name: "rewritten queries",
        of: &["crates/saltplan-rewrite"],
        target: &["--workspace", "--test", "same_rows"],
        filters: &[],
    },
    Run {
        name: "cases of rewrite",
        of: &["crates/saltplan-rewrite"],
        target: &["--workspace", "--test", "it"],
        filters: &["rewrite::places", "rewrite_inserts::"],
    },
];

/// The first run that fails.
fn first_that_fails<'a>(tree: &Path, runs: impl Iterator<Item = &'a Run>) -> Result<Option<&'a Run>> {
    for run in runs {
        let (built, errors) = cargo(tree, &[&["test", "--no-run", "--quiet"], run.target].concat())?;
        ensure!(built, "does not build:\n{errors}");
        if !cargo(tree, &[&["test", "--quiet"], run.target, &["--"], run.filters].concat())?.0 {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

//! Faults put into the planner one by one: the tests must find each of them.
//!
//! `list.txt` holds the faults. The tree is copied to `target/mutations`, so the working tree is never touched.
//! Run with `cargo test --test mutations`, or with a part of a name behind `--`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the runner says how far it is")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};

struct Mutation {
    name: String,
    file: PathBuf,
    from: String,
    to: String,
}

fn main() -> ExitCode {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    match run(&filter) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("mutations: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(filter: &str) -> Result<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mutations = read(&fs::read_to_string(root.join("tests/mutations/list.txt"))?)?;
    let chosen: Vec<&Mutation> = mutations.iter().filter(|mutation| mutation.name.contains(filter)).collect();
    ensure!(!chosen.is_empty(), "no mutation has `{filter}` in its name");
    // A text that was moved shows at once, not after the mutations before it.
    for mutation in &chosen {
        mutated(mutation, &original_of(root, mutation)?)?;
    }
    let tree = root.join("target/mutations/tree");
    copy_tree(root, &tree)?;
    builds(&tree)?;
    ensure!(tests_pass(&tree)?, "the tests fail without a mutation");
    let mut survivors = Vec::new();
    for mutation in &chosen {
        let path = tree.join(&mutation.file);
        let original = original_of(&tree, mutation)?;
        fs::write(&path, mutated(mutation, &original)?)?;
        let passed = builds(&tree).and_then(|()| tests_pass(&tree));
        fs::write(&path, original)?;
        let passed = passed.with_context(|| mutation.name.clone())?;
        println!("{} {}", if passed { "SURVIVED" } else { "killed  " }, mutation.name);
        if passed {
            survivors.push(mutation.name.as_str());
        }
    }
    println!("{} of {} mutations killed", chosen.len() - survivors.len(), chosen.len());
    Ok(survivors.is_empty())
}

fn read(list: &str) -> Result<Vec<Mutation>> {
    list.split("\n== ").skip(1).map(|block| parse(block).with_context(|| block.to_string())).collect()
}

fn parse(block: &str) -> Result<Mutation> {
    let (head, rest) = block.split_once('\n').context("a head line")?;
    let (name, file) = head.split_once(" in ").context("`name in file`")?;
    let (from, to) = rest.split_once("\n--\n").context("`--` between before and after")?;
    Ok(Mutation {
        name: name.into(),
        file: file.into(),
        from: from.into(),
        to: to.trim_end_matches('\n').into(),
    })
}

fn original_of(root: &Path, mutation: &Mutation) -> Result<String> {
    fs::read_to_string(root.join(&mutation.file)).with_context(|| mutation.file.display().to_string())
}

fn mutated(mutation: &Mutation, original: &str) -> Result<String> {
    let count = original.matches(&mutation.from).count();
    ensure!(count == 1, "`{}`: its text stands {count} times in {}", mutation.name, mutation.file.display());
    Ok(original.replacen(&mutation.from, &mutation.to, 1))
}

/// What the tests of the planner need, and no more.
fn copy_tree(root: &Path, tree: &Path) -> Result<()> {
    if tree.exists() {
        fs::remove_dir_all(tree)?;
    }
    fs::create_dir_all(tree)?;
    for part in
        ["Cargo.toml", "Cargo.lock", "README.md", "src", "crates", "templates", "schemas", "tests", "benches"]
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

fn cargo(tree: &Path, arguments: &[&str]) -> Result<(bool, String)> {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(tree)
        // A folder of its own: cargo takes two trees of one package for the same.
        .env("CARGO_TARGET_DIR", tree.with_file_name("target"))
        .env("SALTPLAN_LAW_SEED", "20200406")
        .output()?;
    Ok((output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned()))
}

fn builds(tree: &Path) -> Result<()> {
    let targets: [&[&str]; 2] = [&["-p", "saltplan-core", "--lib"], &["-p", "saltplan", "--test", "it"]];
    for target in targets {
        let (built, errors) = cargo(tree, &[&["test", "--no-run", "--quiet"], target].concat())?;
        if !built {
            bail!("does not build:\n{errors}");
        }
    }
    Ok(())
}

/// Unit tests, readable plans, and the law on random cases; the first failure ends it.
fn tests_pass(tree: &Path) -> Result<bool> {
    let runs: [&[&str]; 3] = [
        &["test", "--quiet", "-p", "saltplan", "--test", "it", "plan_cases"],
        &["test", "--quiet", "-p", "saltplan-core", "--lib"],
        &["test", "--quiet", "-p", "saltplan", "--test", "it", "--", "law::", "limits::"],
    ];
    for arguments in runs {
        if !cargo(tree, arguments)?.0 {
            return Ok(false);
        }
    }
    Ok(true)
}

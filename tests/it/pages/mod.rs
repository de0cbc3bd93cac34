//! The README and the pages of the documentation. Each page is one session from top to bottom in one folder,
//! like that of a reader who types along.
//!
//! A code block with `title="NAME"` is written to a file with that name. A `console` block contains commands,
//! each after `$ `, and exactly their output on standard output and standard error. A line `…` matches any
//! number of lines. A command that fails is the last one of its block, and `<!-- exit: 2 -->` above the block
//! gives its exit code. Pages contain no other marks of the tests. `BLESS=1 cargo test` rewrites the output
//! and keeps the lines `…`.

mod links;
mod session;
mod titles;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use saltplan_law::expect::is_blessing;
use serde_json::Value;
use session::Session;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README, and the pages under `docs/`.
fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("docs")).expect("docs");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut pages: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

#[test]
fn examples_of_the_pages_print_what_they_say() {
    let is_blessing = is_blessing();
    let mut faults = Vec::new();
    let mut commands = 0;
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page");
        let session = Session::run(&page);
        commands += session.commands;
        if is_blessing && session.page != page {
            fs::write(&path, &session.page).expect("the page");
        } else if !is_blessing {
            faults.extend(session.faults.iter().map(|fault| format!("{}: {fault}", path.display())));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(commands >= 20, "only {commands} commands");
}

/// Commands outside `console` blocks are not tested and would become outdated.
#[test]
fn commands_are_in_tested_blocks() {
    for path in pages().into_iter().filter(|path| !path.ends_with("docs/commands.md")) {
        let page = fs::read_to_string(&path).expect("a page");
        for block in session::blocks(&page).into_iter().filter(|block| block.language != "console") {
            let called = block.text.lines().find(|line| {
                let line = line.trim_start().trim_start_matches("$ ");
                line.starts_with("saltplan ")
            });
            assert!(called.is_none(), "{}: make a `console` block of {called:?}", path.display());
        }
    }
}

/// The README has two commands for newcomers with Rust. The tests run the first one as an example with the
/// built program; `.ci/run` runs the second one.
#[test]
fn the_first_commands_of_the_readme_run() {
    let page = fs::read_to_string(root().join("README.md")).expect("the README");
    let script = fs::read_to_string(root().join(".ci/run")).expect("a script");
    let mut count = 0;
    for block in session::blocks(&page) {
        let lines = block.text.lines().filter(|line| line.starts_with("cargo "));
        for line in lines.filter(|line| !line.starts_with("cargo install ")) {
            count += 1;
            match line.strip_prefix("cargo run -- ") {
                Some(example) => assert!(page.contains(&format!("\n$ saltplan {example}\n")), "{line}"),
                None => assert!(script.lines().any(|run| run.trim_start_matches("nice ") == line), "{line}"),
            }
        }
    }
    assert_eq!(count, 2);
    assert_eq!(program_of_cargo_run(), "saltplan");
}

/// The program that `cargo run` starts, if it can choose one: the only one of the packages that it builds, or the only `default-run`.
fn program_of_cargo_run() -> String {
    let asked = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let output = Command::new(env!("CARGO")).args(asked).current_dir(root()).output().expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let list = |of: &Value| of.as_array().cloned().unwrap_or_default();
    let built = list(&metadata["workspace_default_members"]);
    let packages: Vec<Value> =
        list(&metadata["packages"]).into_iter().filter(|package| built.contains(&package["id"])).collect();
    let programs = packages.iter().flat_map(|package| list(&package["targets"]));
    let programs = programs.filter(|target| list(&target["kind"]).contains(&"bin".into()));
    let programs: Vec<Value> = programs.map(|target| target["name"].clone()).collect();
    let defaults = packages.iter().map(|package| package["default_run"].clone());
    let defaults: Vec<Value> = defaults.filter(|name| !name.is_null()).collect();
    match (programs.as_slice(), defaults.as_slice()) {
        ([only], _) | (_, [only]) => only.as_str().unwrap_or_default().to_string(),
        _ => panic!("`cargo run` cannot choose among {programs:?}"),
    }
}

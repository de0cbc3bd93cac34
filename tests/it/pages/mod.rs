//! The pages of the documentation: a page is a session from its top to its end in one folder, as a reader would have it.
//!
//! A block of code with `title="NAME"` is a file of that name. A `console` block holds commands, `$ ` in front of each, and what
//! they print; a line `...` stands for any lines and `[..]` for any text in a line, as in the sessions under `tests/cmd`. Pipes
//! and files that are written work, which those sessions cannot have. `BLESS=1 cargo test` writes what is printed now.

mod links;
mod session;

use std::fs;
use std::path::{Path, PathBuf};

use session::Session;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages, sorted.
fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("docs")).expect("docs");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut pages: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.sort();
    pages
}

#[test]
fn examples_of_the_pages_print_what_they_say() {
    let is_blessing = std::env::var_os("BLESS").is_some();
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

/// A command that nobody runs is wrong some day.
#[test]
fn commands_stand_where_they_are_run() {
    for path in pages().into_iter().filter(|path| !path.ends_with("docs/commands.md")) {
        let page = fs::read_to_string(&path).expect("a page");
        for block in session::blocks(&page).into_iter().filter(|block| block.language != "console") {
            let called = block.text.lines().find(|line| {
                let line = line.trim_start().trim_start_matches("$ ");
                line.starts_with("saltplan ") || line.starts_with("cargo run")
            });
            assert!(called.is_none(), "{}: make a `console` block of {called:?}", path.display());
        }
    }
}

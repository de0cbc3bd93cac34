//! Why a rule does not concern a door: each reason is a property, which running the command shows.

use super::blocks::{Block, Step};
use super::runs::{Place, expect, prepare};
use crate::help::help;

pub fn check(reason: &str, block: &Block, place: &Place) -> Result<(), String> {
    let check: fn(&Block, &Step, &Place) -> Result<(), String> = match reason {
        "prints no INSERT OVERWRITE" => prints_no_overwrite,
        "writes no file" => writes_no_file,
        "reads no file" => reads_no_file,
        "takes no folder" => takes_no_folder,
        "takes no value" => takes_no_value,
        _ => return Err(format!("`{reason}` is no reason that a test can check")),
    };
    prepare(block, place);
    block.steps.iter().try_for_each(|step| check(block, step, place))
}

/// Neither on standard output nor in a file that it writes.
fn prints_no_overwrite(_: &Block, step: &Step, place: &Place) -> Result<(), String> {
    let before = place.files();
    let run = expect(step, place)?;
    let mut written = run.said();
    for (path, content) in place.files() {
        if before.get(&path) != Some(&content) {
            written.push_str(&String::from_utf8_lossy(&content));
        }
    }
    match written.is_empty() || written.contains("INSERT OVERWRITE TABLE") {
        true => Err(format!("`{}` prints nothing, or an INSERT OVERWRITE", step.command)),
        false => Ok(()),
    }
}

fn writes_no_file(block: &Block, step: &Step, place: &Place) -> Result<(), String> {
    let before = place.files();
    expect(step, place)?;
    if before != place.files() {
        return Err(format!("`{}` writes a file", step.command));
    }
    has_no_option(block, &["--output <", "--out <"])
}

/// It works in an empty folder, and has no argument or option for an input.
fn reads_no_file(block: &Block, step: &Step, place: &Place) -> Result<(), String> {
    for name in place.files().into_keys().chain([place.at().join("huge")]) {
        std::fs::remove_file(name).map_err(|error| error.to_string())?;
    }
    expect(step, place)?;
    has_no_option(block, &["SCHEMA", "PREDICATE", "  <FILE", "  [FILE", "[PATH", "--from"])
}

/// A folder in place of its input is an error.
fn takes_no_folder(_: &Block, step: &Step, place: &Place) -> Result<(), String> {
    let run = expect(step, place)?;
    match run.code == Some(2) && ["folder", "directory"].iter().any(|word| run.stderr.contains(word)) {
        true => Ok(()),
        false => Err(format!("`{}` does not say that it takes no folder: {}", step.command, run.said())),
    }
}

fn takes_no_value(block: &Block, step: &Step, place: &Place) -> Result<(), String> {
    expect(step, place)?;
    has_no_option(block, &["--param", "--runtime", "--hivevar", "PREDICATE"])
}

/// By the help of a command; a kind of job has none.
fn has_no_option(block: &Block, parts: &[&str]) -> Result<(), String> {
    if block.door.starts_with("job ") {
        return Ok(());
    }
    let words: Vec<String> = block.door.split(' ').map(str::to_string).collect();
    let text = help(&words, "--help");
    match parts.iter().find(|part| text.contains(**part)) {
        Some(part) => Err(format!("the help of `{}` has `{part}`", block.door)),
        None => Ok(()),
    }
}

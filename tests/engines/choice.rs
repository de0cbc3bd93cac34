//! Which trials run: all of them, or those that every change must pass.
//!
//! `left_out.txt` names the trials that only `tests/engines/run --all` runs, each with what shows the same. A trial that is not
//! named there runs at every change.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Arguments, Trial};

/// Marks the trials of the list as ignored, and says so, unless the arguments ask for all or for some by name.
pub fn choose(root: &Path, trials: Vec<Trial>, arguments: &Arguments) -> Result<Vec<Trial>> {
    let path = root.join("tests/engines/left_out.txt");
    let list = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let left_out = read(&list)?;
    for name in left_out.keys() {
        ensure!(
            trials.iter().any(|trial| trial.name() == *name),
            "{}: there is no trial `{name}`",
            path.display()
        );
    }
    if arguments.list || is_whole(arguments) {
        return Ok(trials);
    }
    let mut names = Vec::new();
    let chosen = trials
        .into_iter()
        .map(|trial| {
            let is_left_out = left_out.contains_key(trial.name());
            if is_left_out {
                names.push(trial.name().to_string());
            }
            let ignored = is_left_out || trial.has_ignored_flag();
            trial.with_ignored_flag(ignored)
        })
        .collect();
    if !names.is_empty() {
        println!("left out, run by `tests/engines/run --all`: {} trials", names.len());
        names.iter().for_each(|name| println!("  {name}: {}", left_out[name.as_str()]));
    }
    Ok(chosen)
}

/// Whether all trials were asked for, or some by their names.
pub fn is_whole(arguments: &Arguments) -> bool {
    arguments.filter.is_some() || arguments.include_ignored
}

/// Names with their reasons.
fn read(list: &str) -> Result<BTreeMap<&str, &str>> {
    let lines = list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, reason) = line.split_once(' ').with_context(|| format!("`{line}` gives no reason"))?;
            Ok((name, reason.trim()))
        })
        .collect()
}

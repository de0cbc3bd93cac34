//! Selects the trials that run: all of them, or those that every change must pass.
//!
//! `left_out.txt` lists the trials that only `tests/engines/run --all` runs, each with a trial that covers
//! the same. All other trials run for every change. `tests/engines/run` gives each of its processes a share
//! of them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::{Arguments, Trial};

/// The variable that selects a share of the trials: one of [`SHARES`], or `rest`.
const SHARE: &str = "SALTPLAN_ENGINES_SHARE";

/// Shares, defined by parts of names; these and the rest take about equally long.
const SHARES: [(&str, &[&str]); 2] =
    [("tez", &["tez", "attributes", "drift", "grow", "judge", "splits"]), ("mr2", &["mr2"])];

/// Marks the trials of the list as ignored, and prints that, unless the arguments request all trials or some
/// by name.
pub fn choose(root: &Path, trials: Vec<Trial>, arguments: &Arguments) -> Result<Vec<Trial>> {
    let path = root.join("tests/engines/left_out.txt");
    let list = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let left_out = read(&list)?;
    for (name, reason) in &left_out {
        ensure!(
            trials.iter().any(|trial| trial.name() == *name),
            "{}: there is no trial `{name}`",
            path.display()
        );
        let words = reason.split([' ', ',', ';']);
        if let Some(other) = words.into_iter().find(|word| left_out.contains_key(word)) {
            bail!("{}: `{other}`, which stands for `{name}`, is left out itself", path.display());
        }
    }
    let trials = share_of(trials)?;
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

/// The share of this process, if it has not all trials.
pub fn share() -> Option<String> {
    std::env::var(SHARE).ok()
}

/// The trials of this process.
fn share_of(trials: Vec<Trial>) -> Result<Vec<Trial>> {
    let Some(asked) = share() else { return Ok(trials) };
    let known = SHARES.map(|(name, _)| name);
    ensure!(
        asked == "rest" || known.contains(&asked.as_str()),
        "{SHARE} is `{asked}`: it is {} or rest",
        known.join(", ")
    );
    let share = |trial: &Trial| {
        let is_of = |parts: &[&str]| trial.name().split("::").any(|part| parts.contains(&part));
        SHARES.iter().find(|(_, parts)| is_of(parts)).map_or("rest", |(name, _)| *name) == asked
    };
    Ok(trials.into_iter().filter(share).collect())
}

/// Whether all trials were requested, or some by name.
pub fn is_whole(arguments: &Arguments) -> bool {
    arguments.filter.is_some() || arguments.include_ignored
}

/// Names with their reasons.
fn read(list: &str) -> Result<BTreeMap<&str, &str>> {
    let mut reasons = BTreeMap::new();
    for line in list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, reason) = line.split_once(' ').with_context(|| format!("`{line}` gives no reason"))?;
        ensure!(reasons.insert(name, reason.trim()).is_none(), "`{name}` is in the list twice");
    }
    Ok(reasons)
}

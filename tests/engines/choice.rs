//! Which trials run: all of them, or those that every change must pass; and which half of them, where two labs share the work.
//!
//! `left_out.txt` names the trials that only `tests/engines/run --all` runs, each with what shows the same. A trial that is not
//! named there runs at every change.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::{Arguments, Trial};

use crate::engine::Engine;

/// One of two labs that run at once. Reads are counted by table, so trials of one lab run one after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    /// What runs on Hive 3, with Tez or MapReduce.
    Hive3,
    /// Everything else: HBase alone, and Hive 2.
    Others,
}

impl Half {
    const VARIABLE: &str = "SALTPLAN_ENGINES_HALF";

    /// The half that the environment asks for; `None` for both.
    fn asked() -> Result<Option<Half>> {
        match std::env::var(Self::VARIABLE).as_deref() {
            Err(_) => Ok(None),
            Ok("hive3") => Ok(Some(Half::Hive3)),
            Ok("others") => Ok(Some(Half::Others)),
            Ok(other) => bail!("{} is `{other}`; there are `hive3` and `others`", Self::VARIABLE),
        }
    }

    fn of(name: &str) -> Half {
        let hive3 = [Engine::Tez, Engine::Mr].map(|engine| engine.to_string());
        let is_hive3 = name.split("::").any(|part| hive3.iter().any(|engine| engine == part));
        if is_hive3 { Half::Hive3 } else { Half::Others }
    }
}

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
    let half = Half::asked()?;
    let mut trials = trials;
    trials.retain(|trial| half.is_none_or(|half| half == Half::of(trial.name())));
    if arguments.filter.is_some() || arguments.list || arguments.include_ignored {
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

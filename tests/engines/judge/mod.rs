//! Hive's own compiler as the judge of what saltplan knows of HiveQL, without a server: which functions a Hive has, what its check of
//! types makes of conditions, and what expressions give (`lab classes`, `lab typed`, `lab values`). No trial needs HBase.
//!
//! `SALTPLAN_JUDGE_CASES` sets the number of values of each function (60 without it), `SALTPLAN_JUDGE_CONDITIONS` that of random
//! conditions (10,000); `SALTPLAN_JUDGE_SEED` chooses others, for which differences may occur that no file lists.

mod bound;
mod calls;
mod catalogue;
mod conditions;
mod evaluation;
mod orders;
mod random;
mod samples;
pub(crate) mod tree;
mod value;
mod zones;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use saltplan_sql::version::HiveVersion;

/// The Hives of the lab: 2.3.9, 3.1.3 and 4.1.0.
pub(crate) const HIVES: [&str; 3] = ["hive2", "hive3", "hive4"];

/// Rows of each call.
const ROWS: u64 = 60;

/// The differences of a failure that are shown.
const SHOWN: usize = 100;
const SHOWN_OF_EACH: usize = 5;

pub fn trials(root: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (hive, version) in HIVES.into_iter().zip(HiveVersion::ALL) {
        let mut add = |what: &str, run: fn(&Path, &str, HiveVersion) -> Result<()>| {
            trials.push(trial(root, format!("judge::{hive}::{what}"), move |root| run(root, hive, version)));
        };
        add("classes", catalogue::classes);
        add("values", catalogue::values);
        add("orders", orders::orders);
        add("constants", evaluation::check);
        add("bound", bound::check);
        add("zones", zones::zones);
    }
    trials
}

fn trial(root: &Path, name: String, run: impl FnOnce(&Path) -> Result<()> + Send + 'static) -> Trial {
    let root = root.to_owned();
    Trial::test(name, move || run(&root).map_err(|error| Failed::from(format!("{error:#}"))))
}

/// What a subcommand of the lab answers to lines, one for each; in a time zone, or in that of the machine.
pub(crate) fn ask(
    root: &Path,
    arguments: &[&str],
    zone: Option<&str>,
    lines: &[String],
) -> Result<Vec<String>> {
    let answers = all_lines(root, arguments, zone, lines)?;
    ensure!(answers.len() == lines.len(), "{} lines, {} answers", lines.len(), answers.len());
    Ok(answers)
}

/// All lines that a subcommand of the lab prints.
fn all_lines(root: &Path, arguments: &[&str], zone: Option<&str>, lines: &[String]) -> Result<Vec<String>> {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let mut child = Command::new(root.join("tests/engines/lab"))
        .args(arguments)
        .envs(zone.map(|zone| ("TZ", zone)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run tests/engines/lab")?;
    let mut stdin = child.stdin.take().context("no stdin")?;
    // It answers while it reads.
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output()?;
    let command = arguments.join(" ");
    ensure!(output.status.success(), "lab {command}: {}; see its log in the lab's directory", output.status);
    writer.join().ok().context("the writer ended early")??;
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

/// The shortest of the differences, a few of each function, below what was counted.
fn report(counts: &str, mut differences: Vec<String>) -> Result<()> {
    eprintln!("{counts}");
    if differences.is_empty() {
        return Ok(());
    }
    differences.sort_by_key(String::len);
    let mut of_each: BTreeMap<&str, usize> = BTreeMap::new();
    let few = differences.iter().filter(|difference| {
        let name = difference.split(['(', ':', ' ']).next().unwrap_or_default();
        let count = of_each.entry(name).or_default();
        *count += 1;
        *count <= SHOWN_OF_EACH
    });
    let shown: String = few.take(SHOWN).map(|difference| format!("\n{difference}")).collect();
    let of_each: Vec<String> = of_each.iter().map(|(name, count)| format!("{name} {count}")).collect();
    anyhow::bail!("{} differences: {}; {counts}{shown}", differences.len(), of_each.join(", "))
}

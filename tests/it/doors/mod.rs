//! The rules of every door: each command, and each kind of job, has for each rule a case, or a reason why the rule does
//! not concern it. `tests/testdata/doors` has a file for each rule; its first lines are the rule. Functions of Python
//! stand in the same files; `python/tests/test_doors.py` runs them.
//!
//! A file has blocks:
//!
//!     [plan]
//!     $ saltplan plan s.yaml "opera_day = 20200406 AND opera_day = 20200407"
//!     1: the predicate is never true
//!
//! The last line is the exit code, and a text that is printed. Without it, the command succeeds. Lines before the first
//! `$` are a file: the job of `[job plan]`, in a `jobs.yaml`. A block with a reason, `[scan] prints no INSERT`, has the
//! commands that show it. A block may name several doors, `[ddl, verify]`; `DOOR` in its commands is each of them.
//!
//! Every command runs in a folder with the files of `tests/testdata/doors/files`, with a limit of memory and of time.

mod blocks;
mod reasons;
mod runs;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use blocks::Block;
use runs::Place;

/// The rules, each in a file of this name.
const RULES: [&str; 6] = ["overwrites", "kinds", "links", "bounds", "results", "values"];

fn blocks(rule: &str) -> Vec<Block> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/testdata/doors/{rule}.txt"));
    let text = fs::read_to_string(&path).expect("the file of the rule");
    blocks::read(&text).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

/// What can be called: commands, by clap's own list, and kinds of jobs, by the JSON schema of jobs files.
fn doors() -> BTreeSet<String> {
    let commands = super::help::commands().into_iter().map(|words| words.join(" "));
    let printed = Place::new().run("saltplan generate json-schema --of jobs").stdout;
    let schema: Json = serde_json::from_str(&printed).expect("JSON");
    let kind = &schema["properties"]["jobs"]["items"]["properties"]["kind"]["enum"];
    let kinds: Vec<String> = kind
        .as_array()
        .expect("the kinds")
        .iter()
        .filter_map(|kind| Some(format!("job {}", kind.as_str()?)))
        .collect();
    assert!(kinds.len() >= 6, "{kinds:?}");
    commands.chain(kinds).collect()
}

#[test]
fn every_door_has_a_case_or_a_reason_for_each_rule() {
    let doors = doors();
    for rule in RULES {
        let named: BTreeSet<String> = blocks(rule).into_iter().map(|block| block.door).collect();
        let missing: Vec<&String> = doors.difference(&named).collect();
        assert!(missing.is_empty(), "tests/testdata/doors/{rule}.txt says nothing of {missing:?}");
        let unknown: Vec<&String> =
            named.difference(&doors).filter(|door| !door.starts_with("python ")).collect();
        assert!(unknown.is_empty(), "tests/testdata/doors/{rule}.txt names {unknown:?}, which do not exist");
    }
}

/// Runs the blocks of a rule, and reports all that do not hold.
fn hold(rule: &str) {
    let faults: Vec<String> = blocks(rule)
        .iter()
        .filter(|block| !block.door.starts_with("python "))
        .filter_map(|block| {
            let place = Place::new();
            let fault = match &block.reason {
                Some(reason) => reasons::check(reason, block, &place),
                None => runs::check(block, &place),
            };
            fault.err().map(|fault| format!("line {}, [{}]: {fault}", block.line, block.door))
        })
        .collect();
    assert!(faults.is_empty(), "tests/testdata/doors/{rule}.txt\n{}", faults.join("\n"));
}

#[test]
fn overwrites() {
    hold("overwrites");
}

#[test]
fn kinds() {
    hold("kinds");
}

#[test]
fn links() {
    hold("links");
}

#[test]
fn bounds() {
    hold("bounds");
}

#[test]
fn results() {
    hold("results");
}

#[test]
fn values() {
    hold("values");
}

//! Rows of a real table by region: the query of `simulate --emit-sql` gives the same counts in Hive as
//! `--from-keys` for the same keys, for text and binary keys.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::engine::{Engine, Engines};
use crate::example;
use crate::rows::hex;
use crate::saltplan;

/// Designs with a column of the mapping: text keys, text with a binary end, binary keys.
const DESIGNS: [(&str, &str); 3] =
    [("md5_prefix", "info:amount"), ("md5_sampled", "f:payload"), ("modulo_partition", "f:payload")];

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let trial = |(design, column): (&'static str, &'static str)| {
        let (root, engines) = (root.to_owned(), engines.clone());
        Trial::test(format!("counts::{design}"), move || {
            check(&root, &engines, design, column).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    DESIGNS.into_iter().map(trial).collect()
}

fn check(root: &Path, engines: &Engines, design: &str, column: &str) -> Result<()> {
    let copy = example::copy(root, design, "counts")?;
    let splits = saltplan::run(root, &["splits", &copy.path, "--output-format", "json"], "")?;
    let keys = keys(&serde_json::from_str(&splits)?)?;
    engines.client("drop", &copy.hbase)?;
    engines.shell(&saltplan::run(root, &["ddl", &copy.path, "--only", "hbase"], "")?)?;
    let mut puts = copy.hbase.clone();
    for key in &keys {
        write!(puts, "\n{}\t{column}=78", hex(key))?;
    }
    engines.client("put", &puts)?;

    let mapping = saltplan::run(root, &["ddl", &copy.path, "--only", "mapping"], "")?;
    let sql = saltplan::run(root, &["simulate", &copy.path, "--emit-sql"], "")?;
    let (settings, query) = sql.split_once("SELECT").context("no SELECT")?;
    engines.begin(Engine::Mr)?;
    engines.script(Engine::Mr, &format!("DROP TABLE IF EXISTS {};\n{mapping}{settings}", copy.mapping))?;
    let query = format!("SELECT{}", query.trim_end().trim_end_matches(';'));
    let result = engines.query(Engine::Mr, &query)?.join("\n");
    let file = saltplan::folder()?.join(format!("counts-{design}.txt"));
    fs::write(&file, &result)?;

    let counted = simulate(root, &copy.path, &["--from-counts", &file.to_string_lossy()], "")?;
    let lines: String = keys.iter().map(|key| hex(key) + "\n").collect();
    let expected = simulate(root, &copy.path, &["--from-keys", "-", "--key-form", "hex"], &lines)?;
    ensure!(counted == expected, "Hive counts\n{counted:#}\nof keys that are\n{expected:#}\nfrom\n{result}");
    ensure!(expected["total"] == keys.len(), "{} keys, {} counted", keys.len(), expected["total"]);
    Ok(())
}

fn simulate(root: &Path, schema: &str, arguments: &[&str], stdin: &str) -> Result<Value> {
    let arguments = [&["simulate", schema, "--output-format", "json"], arguments].concat();
    Ok(serde_json::from_str(&saltplan::run(root, &arguments, stdin)?)?)
}

/// For every split key: the key, the last key before it, and some after it; a different number for each
/// region.
fn keys(splits: &Value) -> Result<Vec<Vec<u8>>> {
    let mut keys = vec![vec![0], b"\xFF\xFF".to_vec()];
    let splits = splits["split_keys"].as_array().context("no split keys")?;
    for (index, split) in splits.iter().enumerate() {
        let digits = split["hex"].as_str().context("no hex")?;
        let bytes = (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16));
        let key: Vec<u8> = bytes.collect::<Result<_, _>>()?;
        let mut before = key.clone();
        if let Some(last) = before.last_mut().filter(|last| **last > 0) {
            *last -= 1;
            before.extend([0xFF, b'\n']);
            keys.push(before);
        }
        keys.push(key.clone());
        keys.extend((0..index % 4).map(|more| [&key[..], &[0, b'\t', more as u8]].concat()));
    }
    Ok(keys)
}

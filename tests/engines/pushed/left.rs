//! The list of the scans that `rewrite` leaves: blocks of a line `HIVES: REASON`, then a line for each reference and column, such as
//! `tpch/q7 nation[2].n_name` for the second reference of the query to `nation`.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use anyhow::{Context, Result, ensure};

use super::queries::Reference;

pub const FILE: &str = "tests/testdata/pushed/left.txt";

/// A reference of a query and the column with which its row key begins.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair(String);

impl Pair {
    pub fn new(query: &str, reference: &Reference, column: &str) -> Self {
        let Reference { table, number, .. } = reference;
        Pair(format!("{query} {table}[{number}].{column}"))
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The listed pairs of a Hive and a set, and what was found.
pub struct Left {
    /// Each with whether it was found.
    listed: BTreeMap<Pair, bool>,
    narrowed: Vec<Pair>,
    new: BTreeMap<Pair, String>,
}

impl Left {
    pub fn read(text: &str, hive: &str, set: &str) -> Result<Self> {
        let mut listed = BTreeMap::new();
        let mut is_of_hive = None;
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.split_once(": ") {
                Some((hives, reason)) => {
                    ensure!(hives.split(' ').all(|word| word.starts_with("hive")), "{FILE}: {line}");
                    ensure!(!reason.is_empty(), "{FILE}: no reason: {line}");
                    is_of_hive = Some(hives.split(' ').any(|word| word == hive));
                }
                None => {
                    let is_of_hive =
                        is_of_hive.with_context(|| format!("{FILE}: no reason before {line}"))?;
                    if is_of_hive && line.starts_with(&format!("{set}/")) {
                        let twice = listed.insert(Pair(line.to_string()), false);
                        ensure!(twice.is_none(), "{FILE}: twice: {line}");
                    }
                }
            }
        }
        Ok(Left { listed, narrowed: Vec::new(), new: BTreeMap::new() })
    }

    pub fn narrowed(&mut self, pair: &Pair) {
        if self.listed.remove(pair).is_some() {
            self.narrowed.push(pair.clone());
        }
    }

    pub fn not_narrowed(&mut self, pair: &Pair, why: &str) {
        match self.listed.get_mut(pair) {
            Some(found) => *found = true,
            None => {
                self.new.insert(pair.clone(), why.to_string());
            }
        }
    }

    /// # Errors
    /// What the list must say instead.
    pub fn check(&self) -> Result<(), String> {
        let mut report = String::new();
        if !self.new.is_empty() {
            let _ = writeln!(
                report,
                "{} are not narrowed, or not to the ranges of Hive's filter, and not listed:",
                self.new.len()
            );
            self.new.iter().for_each(|(pair, why)| report += &format!("{pair}\n    {why}\n"));
        }
        if !self.narrowed.is_empty() {
            let _ =
                writeln!(report, "{} are listed, but narrowed now; remove their lines:", self.narrowed.len());
            self.narrowed.iter().for_each(|pair| report += &format!("{pair}\n"));
        }
        let gone: Vec<&Pair> =
            self.listed.iter().filter(|(_, found)| !**found).map(|(pair, _)| pair).collect();
        if !gone.is_empty() {
            let _ = writeln!(
                report,
                "{} are listed, but Hive's filter narrows no such scan; remove their lines:",
                gone.len()
            );
            gone.iter().for_each(|pair| report += &format!("{pair}\n"));
        }
        if report.is_empty() { Ok(()) } else { Err(format!("{FILE}:\n{report}")) }
    }
}

//! Hive's own optimizer as the judge of `rewrite`: for the TPC-H, SSB and TPC-DS queries that a test jar of Spark holds, Hive says which
//! filter reaches each scan (`lab pushed`). For each column in such a filter a table is made whose row key begins with that column.
//! Where `plan` accepts Hive's filter, `rewrite` of the query as it is published must narrow that reference to the same ranges, if need
//! be with the columns of the other tables (`--tables`), which Hive knows too.
//! `tests/testdata/pushed/left.txt` lists those that it does not, each with its reason. No trial needs HBase.
//!
//! Hive reads each reference as a table of its own with the same columns, so that a scan tells which reference it is of. A query of a
//! WITH that is named several times has several scans of one reference; what they read together is what the reference must read.

mod filter;
mod left;
mod queries;
mod schema;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::{Failed, Trial};
use saltplan_core::Table;
use saltplan_core::key::range::{KeyRange, KeyRanges};
use saltplan_core::messages::Source;
use saltplan_core::queries::Engine;
use saltplan_core::refusal::Refusal;
use saltplan_core::table::PlanFault;
use saltplan_core::{Parameters, PlanOptions};
use saltplan_rewrite::{Catalog, Fate, Options, Reference as Rewritten, rewrite};
use saltplan_sql::version::HiveVersion;

use crate::judge::{HIVES, ask};
use filter::Scan;
use left::{Left, Pair};
use queries::Query;
pub use queries::{SETS, Set, Tables};

/// Messages of Hive that are shown.
const SHOWN: usize = 10;

pub fn trials(root: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (hive, version) in HIVES.into_iter().zip(HiveVersion::ALL) {
        for set in &SETS {
            let root = root.to_owned();
            trials.push(Trial::test(format!("pushed::{hive}::{}", set.name), move || {
                check(&root, hive, version, set).map_err(|error| Failed::from(format!("{error:#}")))
            }));
        }
    }
    trials
}

fn check(root: &Path, hive: &str, version: HiveVersion, set: &Set) -> Result<()> {
    set.fetch(root)?;
    let tables = Tables::read(root, set.tables)?;
    let queries = set.queries(root, &tables)?;
    let answers = explained(root, hive, &tables, &queries)?;
    let list = std::fs::read_to_string(root.join(left::FILE))?;
    let mut left = Left::read(&list, hive, set.name)?;
    let mut found = Found::default();
    for (query, answer) in queries.iter().zip(&answers) {
        match Scan::all(answer) {
            Ok(scans) => found.judge(query, &tables, &scans, version, &mut left)?,
            Err(message) => found.refused.push(format!("{}: {}", query.name, first_line(&message))),
        }
    }
    let counts = found.counts(hive, set, queries.len());
    eprintln!("{counts}{}", found.remarks());
    ensure!(found.pairs >= set.least, "{counts}: fewer scans than the {} of before", set.least);
    match left.check() {
        Ok(()) => Ok(()),
        Err(report) => bail!("{counts}\n{report}"),
    }
}

/// What Hive answers to each query.
fn explained(root: &Path, hive: &str, tables: &Tables, queries: &[Query]) -> Result<Vec<String>> {
    let mut lines = tables.statements(queries);
    let of_tables = lines.len();
    lines.extend(queries.iter().map(|query| queries::line_of(&query.marked)));
    let mut answers = ask(root, &["pushed", hive], None, &lines)?;
    for (answer, line) in answers.iter().take(of_tables).zip(&lines) {
        ensure!(answer.is_empty(), "{hive} refuses {line}: {answer}");
    }
    Ok(answers.split_off(of_tables))
}

/// What was found in a set of queries.
#[derive(Default)]
struct Found {
    /// References with a filter, and columns that can begin a row key for which `plan` accepts it.
    references: usize,
    pairs: usize,
    same: usize,
    /// Those of the same that `rewrite` narrows only if it knows the other tables.
    with_tables: usize,
    /// Columns of types that no key field has.
    without_type: usize,
    /// Parts of filters that are not HiveQL, such as values that only a join knows.
    dropped: usize,
    refused: Vec<String>,
    not_planned: Vec<String>,
}

impl Found {
    fn judge(
        &mut self,
        query: &Query,
        tables: &Tables,
        scans: &[Scan],
        version: HiveVersion,
        left: &mut Left,
    ) -> Result<()> {
        for scan in scans {
            let is_marked = query.references.iter().any(|reference| reference.marked == scan.table);
            ensure!(is_marked, "{}: a scan of `{}`, which is no reference", query.name, scan.table);
        }
        for reference in &query.references {
            let of_reference: Vec<&Scan> =
                scans.iter().filter(|scan| scan.table == reference.marked).collect();
            let filters: Option<Vec<_>> = of_reference.iter().map(|scan| scan.filter.as_ref()).collect();
            // Hive reads nothing if it has seen that no row can satisfy the conditions.
            let Some(filters) = filters.filter(|filters| !filters.is_empty()) else { continue };
            let mut arms = Vec::new();
            for tree in &filters {
                arms.extend(filter::implied(tree, version, &mut self.dropped));
            }
            if arms.len() < filters.len() {
                continue;
            }
            self.references += 1;
            arms.sort();
            arms.dedup();
            let text = arms.iter().map(|arm| format!("({arm})")).collect::<Vec<_>>().join(" OR ");
            let columns = tables.columns(&reference.table)?;
            for column in filter::columns(&filters) {
                let Some(yaml) = schema::beginning_with(&reference.table, columns, &column) else {
                    self.without_type += 1;
                    continue;
                };
                let table = Table::from_yaml(&yaml).with_context(|| yaml.clone())?;
                let pair = Pair::new(&query.name, reference, &column);
                let asked = match ranges(&table, &text) {
                    Ok(Some(asked)) => asked,
                    Ok(None) => continue,
                    Err(message) => {
                        self.not_planned.push(format!("{pair}: {}: {text}", first_line(&message)));
                        continue;
                    }
                };
                self.pairs += 1;
                let mut outcome = compared(&rewritten(query, reference.start, &yaml, None)?, &asked);
                if outcome.is_err() {
                    let others = tables.others(&reference.table);
                    outcome = compared(&rewritten(query, reference.start, &yaml, Some(&others))?, &asked);
                    self.with_tables += usize::from(outcome.is_ok());
                }
                match outcome {
                    Ok(()) => {
                        self.same += 1;
                        left.narrowed(&pair);
                    }
                    Err(why) => left.not_narrowed(&pair, &format!("{why}\n    Hive: {}", shortened(&text))),
                }
            }
        }
        Ok(())
    }

    fn counts(&self, hive: &str, set: &Set, queries: usize) -> String {
        format!(
            "pushed::{hive}::{}: `rewrite` narrows {} of {} scans that `plan` narrows by Hive's filter ({} only with `--tables`); {} references with a filter in {} of {queries} queries",
            set.name,
            self.same,
            self.pairs,
            self.with_tables,
            self.references,
            queries - self.refused.len(),
        )
    }

    fn remarks(&self) -> String {
        let mut remarks = String::new();
        let mut few = |title: &str, of: &[String]| {
            if !of.is_empty() {
                let _ = write!(remarks, "\n  {}: {title}", of.len());
                of.iter().take(SHOWN).for_each(|line| remarks += &format!("\n    {line}"));
            }
        };
        few("queries that this Hive refuses", &self.refused);
        few("filters that `plan` does not take", &self.not_planned);
        if self.without_type + self.dropped > 0 {
            let _ = write!(
                remarks,
                "\n  {} columns of types that no row key has, {} parts of filters that are no HiveQL",
                self.without_type, self.dropped
            );
        }
        remarks
    }
}

/// The ranges that a predicate reads; `None` if that is the whole table.
///
/// # Errors
/// The predicate is not understood.
fn ranges(table: &Table, predicate: &str) -> Result<Option<KeyRanges>, String> {
    let mut options = PlanOptions::accepting_all();
    (options.allow_full_scan, options.max_widening) = (false, PlanOptions::default().max_widening);
    match table.try_plan(predicate, &Parameters::new(), &options) {
        Ok(planned) => {
            let ranges: Vec<KeyRange> =
                planned.plan().branches.iter().map(|branch| branch.range.clone()).collect();
            Ok(Some(KeyRanges::from_intervals(ranges)))
        }
        Err(PlanFault::Refused(Refusal::FullScan { .. })) => Ok(None),
        Err(fault) => Err(fault.to_string()),
    }
}

/// What `rewrite` makes of a reference of the query as it is published, and the table for its predicate; `others` describes the tables
/// without a schema, as `--tables` does.
fn rewritten(
    query: &Query,
    start: usize,
    yaml: &str,
    others: Option<&Arc<Source>>,
) -> Result<(Table, Rewritten)> {
    let mut catalog = Catalog::default();
    catalog.add(Table::from_yaml(yaml)?, Engine::Tez).context("a schema")?;
    if let Some(others) = others {
        catalog.add_other_tables(others).context("the other tables")?;
    }
    let mut options = Options::default();
    options.database = Some("default".into());
    let rewritten = rewrite(&query.name, &query.text, &catalog, &options)
        .with_context(|| format!("rewrite of {}", query.name))?;
    let reference = rewritten.references.into_iter().find(|reference| reference.span.start == start);
    let reference =
        reference.with_context(|| format!("{}: `rewrite` sees no reference at {start}", query.name))?;
    Ok((Table::from_yaml(yaml)?, reference))
}

/// Why a reference does not read these ranges.
fn compared((table, reference): &(Table, Rewritten), asked: &KeyRanges) -> Result<(), String> {
    if let Some(why) = reference.why_left() {
        let mut reasons: Vec<String> =
            reference.unused.iter().map(|unused| unused.why.reason.clone()).collect();
        reasons.dedup();
        return Err(format!("{why}: {}", reasons.join("; ")));
    }
    let Fate::Pruned(pruned) = &reference.fate else { return Err("not narrowed".into()) };
    match ranges(table, &pruned.predicate)? {
        Some(found) if found == *asked => Ok(()),
        Some(found) if found.is_subset(asked) => {
            Err(format!("narrower than Hive's filter: {}", pruned.predicate))
        }
        _ => Err(format!("other ranges: {}", pruned.predicate)),
    }
}

fn first_line(message: &str) -> String {
    shortened(message.lines().next().unwrap_or_default())
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(300).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

//! Files of a build that overwrite the same rows: of these, only the rows of the one that runs last remain.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::build::Build;
use super::expand::Item;
use super::model::{JobKind, RewriteJob};
use saltplan_core::hive::overlap::{Overlap, Overwrite, overlaps};
use saltplan_core::hive::query::{Extent, PartitionText};
use saltplan_core::table::Table;
use saltplan_document::diag::{Diagnostic, DiagnosticKind};

/// The code of the refusal, for programs.
pub const CODE: &str = "overlap";

/// The number of files whose partitions are found at the same time.
const CHUNK: usize = 256;

/// The maximum number of partitions that are compared. Those of further files count as unknown.
const MAX_PARTITIONS: usize = 2_000_000;

impl Build {
    /// Finds the selected files that overwrite rows of each other, before any of them is written. [`Build::make`] refuses them.
    pub fn find_overlaps(&mut self) {
        let several = self.perhaps_overlapping();
        let (mut writers, mut all) = (Vec::new(), Vec::new());
        let mut partitions = 0;
        for chunk in several.chunks(CHUNK) {
            let found: Vec<Vec<Overwrite>> =
                chunk.par_iter().map(|index| self.overwrites(&self.items[*index])).collect();
            for (index, overwrites) in chunk.iter().zip(found) {
                for mut overwrite in overwrites {
                    partitions += count(&mut overwrite, MAX_PARTITIONS - partitions);
                    writers.push(*index);
                    all.push(overwrite);
                }
            }
        }
        // Every schema was read, and will be read again.
        self.count_schemas();
        let mut faults: BTreeMap<usize, Diagnostic> = BTreeMap::new();
        for Overlap { earlier, later, perhaps } in overlaps(&all) {
            let (first, second) = (writers[earlier], writers[later]);
            // A script that overwrites rows of its own is refused with its text.
            if first != second {
                let table = &all[later].table;
                for (one, other) in [(first, second), (second, first)] {
                    let (one, other) = (&self.items[one], &self.items[other]);
                    faults.entry(one.index).or_insert_with(|| self.overlap(one, other, table, perhaps));
                }
            }
        }
        self.overlaps = faults;
    }

    /// The selected files that overwrite a table that another one overwrites, as far as that is known without their plans.
    fn perhaps_overlapping(&self) -> Vec<usize> {
        let mut targets: BTreeMap<&str, Option<String>> = BTreeMap::new();
        let mut by_target: BTreeMap<Option<String>, Vec<usize>> = BTreeMap::new();
        for index in &self.chosen {
            let item = &self.items[*index];
            let job = self.job(item);
            let overwrites = match &job.kind {
                JobKind::Plan(plan) => !plan.select && !plan.into,
                JobKind::Rewrite(_) => true,
                _ => false,
            };
            if !overwrites || job.allow_overlap {
                continue;
            }
            let target = targets.entry(item.schema.as_str()).or_insert_with(|| {
                let table = Table::load(&self.schema_of(item).ok()?).ok()?;
                Some(table.schema().hive.as_ref()?.target.as_ref()?.table.to_string().to_lowercase())
            });
            by_target.entry(target.clone()).or_default().push(*index);
        }
        let is_rewrite = |index: &usize| RewriteJob::of(&self.job(&self.items[*index]).kind).is_some();
        let mut several: Vec<usize> = by_target
            .into_values()
            .filter(|indices| indices.len() > 1 || indices.iter().any(is_rewrite))
            .flatten()
            .collect();
        several.sort_unstable();
        if several.len() > 1 { several } else { Vec::new() }
    }

    /// What a file overwrites; nothing if it is not made anyway.
    fn overwrites(&self, item: &Item) -> Vec<Overwrite> {
        let found = self.with_table(item, |maker| {
            let overwrites = match &maker.job().kind {
                JobKind::Plan(plan) => {
                    let (planned, _) = maker.planned(&plan.ranges)?;
                    let options = self.statement(maker.job(), plan, item).options;
                    let target = planned.target(&options).ok().flatten();
                    // A whole partition has the same rows in every statement of its schema.
                    let is_whole = planned.part_of_target().is_none();
                    let overwrite = target.map(|target| Overwrite {
                        table: target.table.to_lowercase(),
                        extent: target.extent,
                        source: is_whole.then(|| item.schema.clone()),
                    });
                    overwrite.into_iter().collect()
                }
                JobKind::Rewrite(rewrite) => maker.rewritten(rewrite)?.overwrites,
                _ => Vec::new(),
            };
            Ok(overwrites)
        });
        found.unwrap_or_default()
    }

    fn overlap(&self, item: &Item, other: &Item, table: &str, perhaps: bool) -> Diagnostic {
        let (title, other_title) = (&item.title, &other.title);
        let what = match perhaps {
            true => format!(
                "`{title}` and `{other_title}` may overwrite the same partition of `{table}`, which is known only when they run"
            ),
            false => format!("`{title}` and `{other_title}` overwrite the same rows of `{table}`"),
        };
        let diagnostic = Diagnostic::error(format!(
            "refused: {what}: only those of the last one would remain"
        ))
        .at(&self.jobs.source, self.job(item).place(), "this job");
        let diagnostic = match item.job == other.job {
            true => diagnostic,
            false => diagnostic.with_label(self.job(other).place(), "and this one"),
        };
        diagnostic
            .with_help("read the rows in one job, write them to different partitions, add them with `into: true`, or accept this with `allow_overlap: true`")
            .with_kind(DiagnosticKind::Refused(CODE))
    }
}

/// The number of partitions. If there are more than `limit`, a single unknown partition takes their place.
fn count(overwrite: &mut Overwrite, limit: usize) -> usize {
    let Extent::Partitions(partitions) = &mut overwrite.extent else { return 0 };
    if partitions.len() > limit {
        let columns = partitions.first().map_or(0, Vec::len);
        *partitions = vec![vec![PartitionText::Unknown; columns]];
        return 0;
    }
    partitions.len()
}

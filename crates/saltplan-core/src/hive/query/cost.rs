//! The cost of a statement: HBase scans and jobs.

use std::fmt;

use serde_json::{Value as Json, json};

use super::shape::QueryShape;
use crate::refusal::Refusal;
use crate::schema::model::Engine;
use crate::warning::Warning;
use saltplan_document::diag::{counted, grouped};

/// The scans and jobs of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    pub engine: Engine,
    pub shape: QueryShape,
    /// The number of ranges and points of the plan.
    pub ranges: usize,
    pub scans: usize,
    /// The number of MapReduce jobs or Tez graphs, without the one that merges small files.
    pub jobs: usize,
    /// Whether Hive reads the whole table once instead of the ranges.
    pub reads_table: bool,
}

impl Cost {
    pub(super) fn new(engine: Engine, shape: QueryShape, ranges: usize, beside_tables: bool) -> Self {
        // Inside another statement an empty plan has a LIMIT, so it runs in its own job.
        let reads_table =
            shape == QueryShape::UnionAll && engine.loses_ranges(ranges, beside_tables && ranges > 0);
        // The statement of an empty plan has one branch.
        let ranges = ranges.max(1);
        let scans = if shape == QueryShape::OneScan || reads_table { 1 } else { ranges };
        let jobs = engine.jobs(shape, ranges, beside_tables);
        Cost { engine, shape, ranges, scans, jobs, reads_table }
    }

    /// The warning about the query, with guards or without.
    pub(super) fn warning(&self, guards: bool) -> Option<Warning> {
        match (self.shape, guards) {
            // Hive checks the whole condition, and reads every row once.
            (QueryShape::OneScan, _) => None,
            (_, false) if self.reads_table => Some(Warning::TablePerBranch),
            (_, true) if self.reads_table => Some(Warning::TableRead),
            (_, false) => Some(Warning::NoGuards),
            (_, true) => None,
        }
    }

    /// The JSON form.
    #[doc(hidden)]
    pub fn to_json(&self) -> Json {
        json!({
            "engine": self.engine.name(),
            "shape": self.shape.name(),
            "scans": self.scans,
            "jobs": self.jobs,
        })
    }
}

/// The text for the comment above a statement. It has no semicolon, which `hive -e` finds in comments, too.
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cost { engine, shape, ranges, scans, jobs, reads_table } = *self;
        f.write_str(&counted(scans as u128, "scan", "scans"))?;
        if reads_table {
            f.write_str(" of the whole table")?;
        } else if ranges > scans {
            write!(f, " with {} ranges", grouped(ranges as u128))?;
        }
        write!(f, " in {} on {}", counted(jobs as u128, "job", "jobs"), engine.name())?;
        if ranges > 1 && shape != QueryShape::OneScan {
            f.write_str(", or one scan with saltplan-hive.jar")?;
        }
        Ok(())
    }
}

/// The maximum cost of a statement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budget {
    pub max_scans: Option<usize>,
    pub max_jobs: Option<usize>,
}

impl Budget {
    /// # Errors
    /// The statement costs more.
    #[doc(hidden)]
    pub fn check(&self, cost: &Cost) -> Result<(), Refusal> {
        if let Some(limit) = self.max_jobs.filter(|limit| cost.jobs > *limit) {
            let tez = cost.engine != Engine::Tez && cost.shape == QueryShape::Isolated;
            return Err(Refusal::TooManyJobs { jobs: cost.jobs, engine: cost.engine.name(), limit, tez });
        }
        match self.max_scans.filter(|limit| cost.scans > *limit) {
            Some(limit) => Err(Refusal::TooManyScans { scans: cost.scans, limit }),
            None => Ok(()),
        }
    }
}

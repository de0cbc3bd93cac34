//! Jobs as values.

use std::sync::Arc;

use super::pattern::JobPattern;
use saltplan_core::diag::{Source, Span, Spanned};
use saltplan_core::hiveql::Parameters;
use saltplan_core::limits::Limits;
use saltplan_core::render::ddl::DdlTable;
use saltplan_core::render::hive_query::QueryShape;
use saltplan_core::schema::model::Engine;

/// The jobs of a file, and what holds for all of them.
#[derive(Debug, Clone)]
pub struct Jobs {
    pub source: Arc<Source>,
    /// What Hive runs on, where neither a job nor its schema says it.
    pub engine: Option<Engine>,
    pub jobs: Vec<Job>,
}

/// A job: one file, or one for each of some values. Paths are as the jobs file writes them, from its own folder.
#[derive(Debug, Clone)]
pub struct Job {
    pub name: JobPattern,
    pub schema: JobPattern,
    /// The names and the values that there is a file for each of.
    pub for_each: Vec<(Spanned<String>, Vec<String>)>,
    pub header: bool,
    pub templates: Option<Spanned<String>>,
    pub out: JobPattern,
    pub kind: JobKind,
}

/// What a job makes, with the keys that only this kind takes.
#[derive(Debug, Clone)]
pub enum JobKind {
    Plan(PlanJob),
    Scan(Ranges),
    Load(LoadJob),
    Verify(VerifyJob),
    Ddl(DdlJob),
}

/// The ranges that a job reads.
#[derive(Debug, Clone)]
pub struct Ranges {
    pub predicate: Spanned<String>,
    /// Of the predicate; those of `for_each` come to them.
    pub parameters: Parameters,
    /// Lists of values that stand in files, by the names of their parameters.
    pub lists: Vec<(String, Spanned<String>)>,
    /// Names of `for_each` that the predicate has.
    pub bound: Vec<String>,
    pub max_branches: Option<usize>,
    /// Those of `defaults` included.
    pub limits: Limits,
    pub allow_full_scan: bool,
    pub allow_empty: bool,
}

/// The Hive statement that reads ranges.
#[derive(Debug, Clone)]
pub struct PlanJob {
    pub ranges: Ranges,
    pub engine: Option<Engine>,
    /// `None` chooses by engine.
    pub shape: Option<QueryShape>,
    pub select: bool,
    pub guards: bool,
}

/// The statement that writes rows.
#[derive(Debug, Clone)]
pub struct LoadJob {
    pub from: JobPattern,
}

/// The count of wrong keys.
#[derive(Debug, Clone)]
pub struct VerifyJob {
    /// Wrong rows to list, at most.
    pub list: u32,
}

/// The statements that make the tables.
#[derive(Debug, Clone)]
pub struct DdlJob {
    /// `None` makes all that the schema has.
    pub only: Option<Vec<DdlTable>>,
    pub if_not_exists: bool,
}

impl Job {
    /// Where the file names the job.
    pub fn place(&self) -> Span {
        self.name.text.span
    }

    /// What it reads of the table; `load`, `verify` and `ddl` read nothing.
    pub fn ranges(&self) -> Option<&Ranges> {
        match &self.kind {
            JobKind::Plan(plan) => Some(&plan.ranges),
            JobKind::Scan(ranges) => Some(ranges),
            JobKind::Load(_) | JobKind::Verify(_) | JobKind::Ddl(_) => None,
        }
    }
}

//! Jobs as plain values.

use std::sync::Arc;

use super::pattern::JobPattern;
use saltplan_core::ddl::DdlTable;
use saltplan_core::hive::check::CheckForm;
use saltplan_core::hive::query::QueryShape;
use saltplan_core::limits::Limits;
use saltplan_core::schema::model::Engine;
use saltplan_document::diag::{Source, Span, Spanned};
use saltplan_rewrite::Now;
use saltplan_sql::{Parameters, Runtime};

/// The jobs of a file, and their common settings.
#[derive(Debug, Clone)]
pub struct Jobs {
    pub source: Arc<Source>,
    /// The engine, if neither a job nor its schema sets it.
    pub engine: Option<Engine>,
    pub jobs: Vec<Job>,
}

/// A job, which writes one file, or one file for each of some values. Paths are as written, relative to the
/// jobs file.
#[derive(Debug, Clone)]
pub struct Job {
    pub name: JobPattern,
    pub schema: JobPattern,
    /// The names and values of `for_each`.
    pub for_each: Vec<(Spanned<String>, Vec<String>)>,
    pub header: bool,
    pub templates: Option<Spanned<String>>,
    pub out: JobPattern,
    pub engine: Option<Engine>,
    /// `None` depends on the engine.
    pub shape: Option<QueryShape>,
    pub max_branches: Option<usize>,
    /// Including those of `defaults`.
    pub limits: Limits,
    pub allow_full_scan: bool,
    pub allow_empty: bool,
    pub allow_partial: bool,
    pub allow_overlap: bool,
    pub kind: JobKind,
}

/// What a job writes, with the keys that only this kind has.
#[derive(Debug, Clone)]
pub enum JobKind {
    Plan(PlanJob),
    Scan(Ranges),
    Check(CheckJob),
    /// The statement that writes rows.
    Load {
        from: JobPattern,
    },
    /// The query that counts wrong keys.
    Verify {
        /// The maximum number of wrong rows to list.
        list: u32,
    },
    /// The statements that create the tables.
    Ddl {
        /// `None` prints all parts that the schema has.
        only: Option<Vec<DdlTable>>,
        if_not_exists: bool,
    },
    Rewrite(RewriteJob),
}

/// Files with lists of values, by parameter.
pub type Lists = Vec<(String, Spanned<String>)>;

/// The ranges that a job reads.
#[derive(Debug, Clone)]
pub struct Ranges {
    pub predicate: Spanned<String>,
    /// The parameters of the predicate; the values of `for_each` are added.
    pub parameters: Parameters,
    pub lists: Lists,
    /// The names of `for_each` that the predicate uses.
    pub bound: Vec<String>,
}

/// The Hive statement that reads ranges.
#[derive(Debug, Clone)]
pub struct PlanJob {
    pub ranges: Ranges,
    pub select: bool,
    pub into: bool,
    pub guards: bool,
}

/// The query that compares the rows of ranges with those of the target.
#[derive(Debug, Clone)]
pub struct CheckJob {
    pub ranges: Ranges,
    pub guards: bool,
    /// The field or column by which rows are counted.
    pub by: Option<String>,
    pub form: CheckForm,
}

/// A query on logical tables, with their key ranges.
#[derive(Debug, Clone)]
pub struct RewriteJob {
    /// The file that holds it.
    pub query: JobPattern,
    /// Files of further tables that it reads.
    pub schemas: Vec<JobPattern>,
    /// Files with the columns of other tables that it reads.
    pub tables: Vec<JobPattern>,
    pub database: Option<String>,
    /// Values of `${name}`; those of `for_each` come to them.
    pub variables: Vec<(String, String)>,
    /// Texts that are filled in when the query runs.
    pub runtime: Vec<Runtime>,
    /// The time of the clocks in the query.
    pub now: Option<Now>,
}

impl Job {
    /// The place of the job in the file.
    pub fn place(&self) -> Span {
        self.name.text.span
    }

    /// The ranges that it reads; `None` for `load`, `verify`, `ddl` and `rewrite`.
    pub fn ranges(&self) -> Option<&Ranges> {
        match &self.kind {
            JobKind::Plan(plan) => Some(&plan.ranges),
            JobKind::Scan(ranges) => Some(ranges),
            JobKind::Check(check) => Some(&check.ranges),
            _ => None,
        }
    }
}

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

/// What a job makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    Plan,
    Scan,
    Load,
    Verify,
    Ddl,
}

/// A job: one file, or one for each of some values. Paths are as the jobs file writes them, from its own folder.
#[derive(Debug, Clone)]
pub struct Job {
    pub name: JobPattern,
    pub kind: JobKind,
    pub schema: JobPattern,
    pub predicate: Option<Spanned<String>>,
    /// Of the predicate; those of `for_each` come to them.
    pub parameters: Parameters,
    /// Lists of values that stand in files, by the names of their parameters.
    pub lists: Vec<(String, Spanned<String>)>,
    /// The names and the values that there is a file for each of.
    pub for_each: Vec<(Spanned<String>, Vec<String>)>,
    /// Names of `for_each` that the predicate has.
    pub bound: Vec<String>,
    pub from: Option<JobPattern>,
    pub list: Option<u32>,
    pub only: Vec<DdlTable>,
    pub if_not_exists: bool,
    pub engine: Option<Engine>,
    /// `None` chooses by engine.
    pub shape: Option<QueryShape>,
    pub select: bool,
    pub guards: bool,
    pub header: bool,
    pub max_branches: Option<usize>,
    /// Those of `defaults` included.
    pub limits: Limits,
    pub allow_full_scan: bool,
    pub allow_empty: bool,
    pub templates: Option<Spanned<String>>,
    pub out: JobPattern,
}

impl Job {
    /// Where the file names the job.
    pub fn place(&self) -> Span {
        self.name.text.span
    }
}

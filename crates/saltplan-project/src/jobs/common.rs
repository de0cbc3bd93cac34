//! Data that all files of a build share.

use std::path::{Path, PathBuf};

use super::build::{Build, JobStatement};
use super::expand::{Item, reason};
use super::header;
use super::model::{CheckJob, Job, JobKind, PlanJob, Ranges};
use saltplan_core::hive::query::QueryOptions;
use saltplan_core::limits::Limits;
use saltplan_core::render::templates::Templates;
use saltplan_core::schema::model::Engine;
use saltplan_core::table::{PlanOptions, Table};
use saltplan_document::diag::{Diagnostic, Span};
use saltplan_document::files;
use saltplan_document::files::paths::{way, without_detours};
use saltplan_sql::{BlankAtEnd, Parameter, Parameters, values_of_lines};

/// The maximum size of a file with the values of a list, in bytes.
const MAX_LIST_BYTES: u64 = 16 << 20;

/// Defaults if neither a job, its schema nor the jobs file sets a value.
#[derive(Debug, Default)]
pub struct Fallback {
    pub engine: Option<Engine>,
    /// Folder with templates.
    pub templates: Option<PathBuf>,
    pub limits: Limits,
}

impl Build {
    pub fn engine(&self) -> Engine {
        self.jobs.engine.or(self.fallback.engine).unwrap_or(Engine::Tez)
    }

    pub fn limits(&self, job: &Job) -> Limits {
        job.limits.or(self.fallback.limits)
    }

    /// The bounds of a job's plans.
    pub fn bounds(&self, job: &Job) -> PlanOptions {
        let mut options = PlanOptions::default();
        options.max_widening = self.limits(job).max_widening();
        options.max_branches = job.max_branches.unwrap_or(options.max_branches);
        options
    }

    /// How the plan of a job is made.
    pub fn plan_options(&self, job: &Job) -> PlanOptions {
        let mut options = self.bounds(job);
        options.allow_full_scan = job.allow_full_scan;
        options.allow_empty = job.allow_empty;
        options.overwrites = matches!(&job.kind, JobKind::Plan(plan) if !plan.select && !plan.into);
        options
    }

    /// How a job that plans writes its statement.
    pub fn statement(&self, job: &Job, plan: &PlanJob, item: &Item) -> JobStatement {
        let mut options = QueryOptions::default();
        options.shape = job.shape;
        options.guards = plan.guards;
        options.select_only = plan.select;
        options.into = plan.into;
        options.allow_partial = job.allow_partial;
        options.budget = self.limits(job).budget();
        let header = job.header.then(|| {
            let line = header::line(header::HIVE, &self.way_back(item), &item.title);
            (line, format!("saltplan plan {}", item.schema))
        });
        JobStatement {
            engine: job.engine,
            fallback: self.engine(),
            options,
            templates: self.templates_of(job),
            header,
        }
    }

    /// How a check reads the ranges.
    pub(super) fn check_options(&self, job: &Job, check: &CheckJob, table: &Table) -> QueryOptions {
        let mut options = QueryOptions::default();
        options.engine = job.engine.or(table.engine()).unwrap_or(self.engine());
        options.shape = job.shape;
        options.guards = check.guards;
        options.allow_partial = job.allow_partial;
        options.budget = self.limits(job).budget();
        options
    }

    fn templates_of(&self, job: &Job) -> Option<PathBuf> {
        match &job.templates {
            Some(named) => Some(self.place.folder.join(&named.value)),
            None => self.fallback.templates.clone(),
        }
    }

    /// The templates of a job; all of them were loaded before.
    pub fn templates(&self, job: &Job) -> &Templates {
        &self.templates[&self.templates_of(job)]
    }

    /// The path of the jobs file from the folder of a generated file.
    pub(crate) fn way_back(&self, item: &Item) -> PathBuf {
        let folder = item.out.parent().unwrap_or(Path::new(""));
        self.way_back_from(folder)
    }

    /// The path of the jobs file from a folder, which is itself relative to that of the jobs file.
    pub(crate) fn way_back_from(&self, folder: &Path) -> PathBuf {
        let text = folder.to_string_lossy();
        let folder = self.place.bounds.walk(&text).unwrap_or_else(|_| without_detours(text.as_ref()));
        way(&folder, &self.file)
    }

    /// The values of the predicate's parameters in a file.
    ///
    /// # Errors
    /// A list of values cannot be read.
    pub fn parameters(&self, item: &Item, ranges: &Ranges) -> Result<Parameters, Diagnostic> {
        let mut parameters = ranges.parameters.clone();
        for (name, path) in &ranges.lists {
            let text = self.read(&path.value, MAX_LIST_BYTES, (path.span, "this file"))?;
            let values = values_of_lines(&text).map_err(|fault| {
                let message = format!("`{}`:{}: {fault}", path.value, fault.line);
                self.fault(path.span, message, "this file").with_help(BlankAtEnd::HELP)
            })?;
            parameters.insert(name.as_str(), Parameter::List(values));
        }
        for (name, value) in item.values.iter().filter(|(name, _)| ranges.bound.contains(name)) {
            // A comma is part of the value.
            parameters.insert(name.as_str(), Parameter::List(vec![value.clone()]));
        }
        Ok(parameters)
    }

    /// A file that the jobs file names at a place.
    ///
    /// # Errors
    /// The jobs file may not name it, or it cannot be read.
    pub(super) fn read(
        &self,
        path: &str,
        limit: u64,
        (span, label): (Span, &str),
    ) -> Result<String, Diagnostic> {
        let fault = |reason: String| self.fault(span, format!("cannot read `{path}`: {reason}"), label);
        let file = self.place.input(path).map_err(|stray| fault(reason(stray)))?;
        files::read_text(&file, limit).map_err(|error| fault(error.to_string()))
    }
}

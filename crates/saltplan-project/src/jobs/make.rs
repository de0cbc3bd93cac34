//! Generates the text of one file.

use std::sync::Arc;

use super::build::Build;
use super::expand::Item;
use super::header;
use super::model::{CheckJob, Job, JobKind, PlanJob, Ranges};
use super::pattern::JobPattern;
use crate::remedy::in_keys;
use saltplan_core::ddl::{self, DdlTable};
use saltplan_core::hive;
use saltplan_core::hive::check::CheckOptions;
use saltplan_core::hive::load::LoadOptions;
use saltplan_core::hive::verify::VerifyOptions;
use saltplan_core::refusal::Refusal;
use saltplan_core::render::size::{DEFAULT_MAX_BYTES, limited};
use saltplan_core::render::{CommentLine, NameError, RenderError, parse_table_name};
use saltplan_core::table::{PlanFault, Planned, Table};
use saltplan_document::diag::{Diagnostic, DiagnosticKind, Diagnostics, Source};
use saltplan_document::reader::inside;

/// A generated text and its messages.
#[derive(Debug)]
pub struct Made {
    pub text: String,
    pub warnings: Vec<Diagnostic>,
}

/// Why a job writes no text.
#[derive(Debug)]
pub enum JobFault {
    /// It could be generated, but would be wrong or expensive.
    Refused(Box<Diagnostic>),
    Invalid(Vec<Diagnostic>),
}

impl From<Diagnostics> for JobFault {
    fn from(told: Diagnostics) -> Self {
        JobFault::Invalid(told.0)
    }
}

impl From<Diagnostic> for JobFault {
    fn from(told: Diagnostic) -> Self {
        JobFault::Invalid(vec![told])
    }
}

/// A file that is being generated.
pub struct Maker<'b> {
    pub build: &'b Build,
    pub item: &'b Item,
    pub table: &'b Table,
}

impl Maker<'_> {
    /// The text including its first line.
    pub fn made(&self) -> Result<Made, JobFault> {
        let job = self.job();
        let mut made = match &job.kind {
            JobKind::Plan(plan) => self.plan(plan)?,
            JobKind::Scan(ranges) => self.scan(ranges)?,
            JobKind::Check(check) => self.check(check)?,
            JobKind::Load { from } => self.load(from)?,
            JobKind::Verify { list } => self.verify(*list)?,
            JobKind::Ddl { only, if_not_exists } => self.ddl(only.as_deref(), *if_not_exists)?,
            JobKind::Rewrite(rewrite) => self.rewrite(rewrite)?,
        };
        made.warnings.extend(self.table.warnings().iter().cloned());
        Ok(made)
    }

    pub(super) fn job(&self) -> &Job {
        self.build.job(self.item)
    }

    pub(super) fn source(&self) -> &Arc<Source> {
        &self.build.jobs.source
    }

    /// A message about the whole job.
    pub(super) fn about(&self, told: Diagnostic) -> Diagnostic {
        match told.source {
            Some(_) => told,
            None => told.at(self.source(), self.job().place(), self.label()),
        }
    }

    fn label(&self) -> String {
        if self.item.values.is_empty() { "this job".into() } else { format!("`{}`", self.item.title) }
    }

    fn refused(&self, refusal: &Refusal) -> JobFault {
        let told = Diagnostic::error(format!("refused: {refusal}"))
            .with_help(in_keys(refusal))
            .with_kind(DiagnosticKind::Refused(refusal.code()));
        JobFault::Refused(Box::new(self.about(told)))
    }

    fn not_rendered(&self, error: RenderError) -> JobFault {
        match error {
            RenderError::Refused(refusal) => self.refused(&refusal),
            error => self.about(Diagnostic::error(error.to_string())).into(),
        }
    }

    fn not_planned(&self, error: PlanFault) -> JobFault {
        match error {
            PlanFault::Invalid(told) => {
                JobFault::Invalid(told.0.into_iter().map(|told| self.about(told)).collect())
            }
            PlanFault::Refused(refusal) => self.refused(&refusal),
            PlanFault::Template(error) => self.not_rendered(error.into()),
        }
    }

    /// Where messages about the predicate point: the jobs file that contains it.
    fn of_predicate(&self, ranges: &Ranges, told: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let moved = told.into_iter().map(|told| match &told.source {
            Some(source) if source.name == PREDICATE => inside(self.source(), told, &ranges.predicate),
            _ => self.about(told),
        });
        moved.collect()
    }

    pub(super) fn first_line(&self, sign: &str, text: String) -> String {
        match self.job().header {
            true => {
                format!("{}\n{text}", header::line(sign, &self.build.way_back(self.item), &self.item.title))
            }
            false => text,
        }
    }

    pub(super) fn planned(&self, ranges: &Ranges) -> Result<(Planned, Vec<Diagnostic>), JobFault> {
        let source = Source::new(PREDICATE, ranges.predicate.value.as_str());
        let analysis = self.table.analyze(&source, &self.build.parameters(self.item, ranges)?);
        let analysis = analysis.map_err(|told| JobFault::Invalid(self.of_predicate(ranges, told.0)))?;
        let planned = self.table.plan_analysis(&analysis, &self.build.plan_options(self.job()));
        let planned = planned.map_err(|error| self.not_planned(error))?;
        let mut warnings = self.of_predicate(ranges, analysis.warnings);
        warnings.extend(planned.range_warnings().iter().map(|warning| self.about(warning.into())));
        Ok((planned, warnings))
    }

    fn plan(&self, plan: &PlanJob) -> Result<Made, JobFault> {
        let job = self.job();
        let (planned, mut warnings) = self.planned(&plan.ranges)?;
        let statement = self.build.statement(job, plan, self.item);
        let query = statement.query(&planned, self.table, self.build.templates(job));
        let query = query.map_err(|error| self.not_rendered(error))?;
        warnings.extend(query.warnings.iter().map(|warning| self.about(warning.into())));
        Ok(Made { text: query.sql, warnings })
    }

    fn scan(&self, ranges: &Ranges) -> Result<Made, JobFault> {
        let (planned, mut warnings) = self.planned(ranges)?;
        warnings.extend(planned.scan_warning().map(|warning| self.about((&warning).into())));
        let commands = planned.limited_hbase_shell(DEFAULT_MAX_BYTES);
        let mut text = commands.map_err(|refusal| self.refused(&refusal))?;
        if self.job().header {
            let lines = planned.header_of(format!("saltplan scan {}", self.item.schema));
            text = comment(header::SHELL, &lines) + &text;
        }
        Ok(Made { text: self.first_line(header::SHELL, text), warnings })
    }

    fn check(&self, check: &CheckJob) -> Result<Made, JobFault> {
        let job = self.job();
        let (planned, mut warnings) = self.planned(&check.ranges)?;
        let query = self.build.check_options(job, check, self.table);
        let planned = planned.for_statement(query.shape);
        let made_of = format!("saltplan check {} (engine {})", self.item.schema, query.engine.name());
        let header = if job.header { planned.header_of(made_of) } else { Vec::new() };
        let options = CheckOptions { query, by: check.by.clone(), form: check.form, header };
        let made = planned.check(&options).map_err(|error| self.not_rendered(error))?;
        warnings.extend(made.warnings.iter().map(|warning| self.about(warning.into())));
        Ok(Made { text: self.first_line(header::HIVE, made.sql), warnings })
    }

    fn load(&self, from: &JobPattern) -> Result<Made, JobFault> {
        let job = self.job();
        let from = parse_table_name(&from.fill(&self.item.values)).map_err(|error: NameError| {
            let told = Diagnostic::error(error.to_string()).with_help(error.help());
            JobFault::from(told.at(self.source(), from.text.span, "this table"))
        })?;
        let mut options = LoadOptions { from, list_faults: None, header: Vec::new() };
        if job.header {
            options.header = hive::load::header(&self.item.schema, &options);
        }
        let schema = self.table.schema();
        let text = hive::load::render(schema, &options, self.build.templates(job));
        let text = text.map_err(|error| self.not_rendered(error))?;
        let warning = hive::load::warning(schema, &options);
        let warnings = warning.map(|warning| self.about((&warning).into()));
        self.finished(header::HIVE, text, warnings.into_iter().collect())
    }

    fn verify(&self, list: u32) -> Result<Made, JobFault> {
        let job = self.job();
        let header = if job.header { hive::verify::header(&self.item.schema) } else { Vec::new() };
        let options = VerifyOptions { list, header };
        let text = hive::verify::render(self.table.schema(), &options, self.build.templates(job));
        let text = text.map_err(|error| self.not_rendered(error))?;
        self.finished(header::HIVE, text, Vec::new())
    }

    fn ddl(&self, only: Option<&[DdlTable]>, if_not_exists: bool) -> Result<Made, JobFault> {
        let job = self.job();
        let schema = self.table.schema();
        let parts = only.map_or_else(|| ddl::parts_of(schema), <[_]>::to_vec);
        let split_keys = self.table.split_keys_of(&parts)?;
        let templates = self.build.templates(job);
        let places = self.table.places();
        let text = ddl::all(schema, places, &parts, split_keys, if_not_exists, DEFAULT_MAX_BYTES, templates);
        let mut text = text.map_err(|error| self.not_rendered(error))?;
        let sign = parts.first().map_or(header::HIVE, |part| part.comment());
        if job.header {
            let line = CommentLine::new(&format!("saltplan ddl {}", self.item.schema));
            text = comment(sign, &[line]) + &text;
        }
        self.finished(sign, text, Vec::new())
    }

    fn finished(&self, sign: &str, text: String, warnings: Vec<Diagnostic>) -> Result<Made, JobFault> {
        let text = limited(text, DEFAULT_MAX_BYTES).map_err(|refusal| self.refused(&refusal))?;
        Ok(Made { text: self.first_line(sign, text), warnings })
    }
}

/// The source name of a predicate, before its messages are moved into the jobs file.
const PREDICATE: &str = "predicate";

pub(super) fn comment(sign: &str, lines: &[CommentLine]) -> String {
    lines.iter().map(|line| format!("{sign} {line}\n")).collect()
}

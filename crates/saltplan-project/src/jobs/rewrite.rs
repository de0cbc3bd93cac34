//! Jobs of the kind `rewrite`: a query on logical tables, with their key ranges.

use super::expand::{Item, RewriteFiles, told_of};
use super::header;
use super::make::{JobFault, Made, Maker, comment};
use super::model::{JobKind, RewriteJob};
use crate::remedy::key;
use saltplan_core::render::CommentLine;
use saltplan_core::table::Table;
use saltplan_document::diag::{Diagnostic, Diagnostics, Severity, Source};
use saltplan_document::files;
use saltplan_rewrite::{Catalog, MAX_BYTES, Options, Rewritten, Variables, has_runtime};

/// What the logical tables of a file are known by; files of one job mostly share them.
pub(super) fn tables_of(item: &Item) -> Option<String> {
    let RewriteFiles { schemas, tables, .. } = item.query.as_ref()?;
    let files = [&item.schema].into_iter().chain(schemas).chain(tables);
    let files: Vec<&str> = files.map(String::as_str).collect();
    Some(format!("{} {}", item.job, files.join("\n")))
}

impl Maker<'_> {
    pub(super) fn rewrite(&self, job: &RewriteJob) -> Result<Made, JobFault> {
        let rewritten = self.rewritten(job)?;
        if let Some(refused) = rewritten.refused.first() {
            return Err(JobFault::Refused(Box::new(rewritten.refusal(refused, key))));
        }
        let mut warnings = self.left(&rewritten)?;
        let unread = job.runtime.iter().filter(|text| !has_runtime(&rewritten.source.text, text));
        warnings.extend(unread.map(|runtime| {
            let note =
                Diagnostic::note(format!("the query has no `{}`, which `runtime` names", runtime.text()));
            note.with_help("write the text as it is in the query; the value is not checked otherwise")
        }));
        warnings.extend(rewritten.notes);
        let mut text = rewritten.text;
        if self.job().header {
            let name = CommentLine::new(&format!("saltplan rewrite {}", rewritten.source.name));
            text = comment(header::HIVE, &[name]) + &text;
        }
        Ok(Made { text: self.first_line(header::HIVE, text), warnings })
    }

    pub(super) fn rewritten(&self, job: &RewriteJob) -> Result<Rewritten, JobFault> {
        let (Some(files), Some(tables)) = (&self.item.query, tables_of(self.item)) else {
            return Err(self.about(Diagnostic::error("the job has no query")).into());
        };
        let place = (job.query.text.span, "this query");
        let text = self.build.read(&files.query, MAX_BYTES as u64, place)?;
        let text = files::without_mark(&text);
        let read = || self.catalog(job, files);
        self.build.catalogs.with(&tables, read, |catalog| match catalog {
            Ok(catalog) => saltplan_rewrite::rewrite(&files.query, text, catalog, &self.options(job))
                .map_err(|error| JobFault::Invalid(Diagnostics::from(error).0)),
            Err(told) => Err(JobFault::Invalid(told.0.clone())),
        })
    }

    fn options(&self, job: &RewriteJob) -> Options {
        let mut options = Options::default();
        options.variables = Variables {
            hivevar: job.variables.iter().chain(&self.item.values).cloned().collect(),
            ..Variables::default()
        };
        options.runtime = job.runtime.clone();
        options.now = job.now.clone();
        options.database = job.database.clone();
        options.shape = self.job().shape;
        options.plan = self.build.bounds(self.job());
        options.allow_empty = self.job().allow_empty;
        options.allow_partial = self.job().allow_partial;
        options.allow_overlap = self.job().allow_overlap;
        options.budget = self.build.limits(self.job()).budget();
        options
    }

    /// Warnings about tables that are still read as a whole, which the job must accept.
    fn left(&self, rewritten: &Rewritten) -> Result<Vec<Diagnostic>, JobFault> {
        let mut warnings = rewritten
            .references
            .iter()
            .filter_map(|reference| rewritten.message(reference, |why| why.help_with(key)));
        if self.job().allow_full_scan {
            return Ok(warnings.collect());
        }
        let Some(mut told) = warnings.next() else { return Ok(Vec::new()) };
        told.severity = Severity::Error;
        told.message = format!("refused: {}", told.message);
        Err(JobFault::Refused(Box::new(told)))
    }

    /// The logical tables that a job names.
    fn catalog(&self, job: &RewriteJob, files: &RewriteFiles) -> Result<Catalog, Diagnostics> {
        let mut catalog = Catalog::default();
        let named = [(&self.item.schema, &self.job().schema)].into_iter();
        for (path, pattern) in named.chain(files.schemas.iter().zip(&job.schemas)) {
            let span = pattern.text.span;
            let stray = |stray| told_of(stray, &self.build.jobs, path, span, "this schema");
            let table = Table::load(&self.build.place.input(path).map_err(stray)?)?;
            let engine = self.job().engine.or(table.engine()).unwrap_or(self.build.engine());
            if !catalog.add(table, engine)? {
                let told = self.build.fault(span, format!("`{path}` names no `hive.view`"), "this schema");
                return Err(told
                    .with_help("queries name the logical table: add `view: db.name` under `hive`")
                    .into());
            }
        }
        for (path, pattern) in files.tables.iter().zip(&job.tables) {
            let place = (pattern.text.span, "this file");
            let text = self.build.read(path, saltplan_tables::MAX_BYTES as u64, place)?;
            catalog.add_other_tables(&Source::new(path, text))?;
        }
        Ok(catalog)
    }
}

impl RewriteJob {
    /// The rewrite of a job, where it is one.
    pub(super) fn of(kind: &JobKind) -> Option<&RewriteJob> {
        match kind {
            JobKind::Rewrite(rewrite) => Some(rewrite),
            _ => None,
        }
    }
}

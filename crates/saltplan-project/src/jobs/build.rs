//! Builds the files of a jobs file in chunks, each chunk on all cores.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::common::Fallback;
use super::expand::{self, Item, JobsPlace};
use super::make::{JobFault, Made, Maker};
use super::model::{Job, JobKind, Jobs, RewriteJob};
use super::rewrite;
use super::stale;
use super::tables::Tables;
use crate::settings;
use saltplan_core::hive::query::{Query, QueryOptions};
use saltplan_core::render::RenderError;
use saltplan_core::render::templates::{BUILT_IN, Templates};
use saltplan_core::schema::model::Engine;
use saltplan_core::table::{PlanOptions, Planned, Table};
use saltplan_document::diag::{Diagnostic, Diagnostics, Span};
use saltplan_document::files::bounds::{Bounds, Stray};
use saltplan_rewrite::{Catalog, Rewritten};
use saltplan_sql::Parameters;

/// The number of files that are generated before their results are reported, which limits how many texts are
/// kept in memory.
const CHUNK: usize = 256;

/// The files of a jobs file that are to be built.
#[derive(Debug)]
pub struct Build {
    pub(super) jobs: Jobs,
    pub(super) place: JobsPlace,
    /// By folder, except for the built-in ones.
    pub(super) templates: BTreeMap<Option<PathBuf>, Templates>,
    pub(super) fallback: Fallback,
    /// The path of the jobs file from the root of its repository, or from its own folder.
    pub(super) file: PathBuf,
    /// Every file of every job.
    pub(super) items: Vec<Item>,
    /// The selected files, by position.
    pub(super) chosen: Vec<usize>,
    /// Where each file is written, with links resolved; empty until that is determined.
    targets: Vec<Result<PathBuf, Box<Diagnostic>>>,
    tables: Tables,
    /// Why files are not made, by their index: others overwrite the same rows.
    pub(super) overlaps: BTreeMap<usize, Diagnostic>,
    /// The logical tables of rewrites.
    pub(super) catalogs: Tables<Catalog>,
}

/// Names of files that commands find by themselves, with what they hold: a build must not make one.
const NAMES_THAT_ARE_FOUND: [(&str, &str); 2] =
    [(settings::NAME, "a settings file"), (super::NAME, "a jobs file")];

/// A path with links resolved, also that of a file that does not exist yet, such as a template.
fn real_path(file: &Path) -> Option<PathBuf> {
    let of_folder = || Some(file.parent()?.canonicalize().ok()?.join(file.file_name()?));
    file.canonicalize().ok().or_else(of_folder)
}

/// A predicate of a jobs file, and what its job makes of it.
#[derive(Debug)]
pub struct Question {
    /// The job with the values that distinguish its files.
    pub title: String,
    pub schema: PathBuf,
    pub predicate: String,
    pub parameters: Parameters,
    /// The files with values of parameters.
    pub lists: Vec<PathBuf>,
    pub options: PlanOptions,
    /// The statement that the job writes; none for a scan.
    pub statement: Option<JobStatement>,
}

/// How a job writes its statement.
#[derive(Debug)]
pub struct JobStatement {
    /// As the job says.
    pub(super) engine: Option<Engine>,
    /// Where neither the job nor the schema says it.
    pub(super) fallback: Engine,
    /// Without the engine and the header.
    pub(super) options: QueryOptions,
    /// The folder of the templates.
    pub templates: Option<PathBuf>,
    /// The line above the statement, and what the header calls it before its engine.
    pub(super) header: Option<(String, String)>,
}

impl JobStatement {
    pub fn engine(&self, table: &Table) -> Engine {
        self.engine.or(table.engine()).unwrap_or(self.fallback)
    }

    /// The statement, with the lines above it.
    ///
    /// # Errors
    /// The plan cannot be written, or costs too much.
    pub fn query(
        &self,
        planned: &Planned,
        table: &Table,
        templates: &Templates,
    ) -> Result<Query, RenderError> {
        let mut options = self.options.clone();
        options.engine = self.engine(table);
        let planned = planned.for_statement(options.shape);
        if let Some((_, made_of)) = &self.header {
            options.header = planned.header_of(format!("{made_of} (engine {})", options.engine.name()));
        }
        let mut query = planned.query(&options, templates)?;
        if let Some((line, _)) = &self.header {
            query.sql = format!("{line}\n{}", query.sql);
        }
        Ok(query)
    }
}

/// A query of a jobs file, with its key ranges.
#[derive(Debug)]
pub struct QueryOfJob {
    pub title: String,
    pub rewritten: Result<Rewritten, JobFault>,
}

impl Build {
    /// All files of the jobs in `file`.
    ///
    /// # Errors
    /// Two jobs write the same file, a path leads out of the repository of the jobs file, or its folder
    /// cannot be read.
    pub fn new(jobs: Jobs, file: &Path, fallback: Fallback) -> Result<Self, Diagnostics> {
        let place = JobsPlace::of(file).map_err(|error| {
            Diagnostic::error(format!("cannot read the folder of `{}`: {error}", file.display()))
        })?;
        let items = expand::items(&jobs, &place).map_err(Diagnostics)?;
        let mut templates = BTreeMap::new();
        for job in &jobs.jobs {
            let Some(named) = &job.templates else { continue };
            let folder = place.input(&named.value).map_err(|stray| {
                expand::told_of(stray, &jobs, &named.value, named.span, "this folder")
                    .with_help("write a path from the jobs file to a folder of its repository")
            })?;
            if !folder.is_dir() {
                let told = Diagnostic::error(format!("there is no folder `{}`", named.value));
                let told = told.at(&jobs.source, named.span, "this folder");
                return Err(told
                    .with_help("write the built-in ones with `saltplan generate templates`")
                    .into());
            }
            templates.entry(Some(folder.clone())).or_insert_with(|| Templates::of_repository(&folder));
        }
        let of_settings =
            fallback.templates.as_deref().map_or_else(|| Templates::new(None), Templates::of_repository);
        templates.insert(fallback.templates.clone(), of_settings);
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let file = place.bounds.walk(&name).unwrap_or_else(|_| PathBuf::from(name));
        let mut build = Build {
            jobs,
            place,
            templates,
            fallback,
            file,
            chosen: (0..items.len()).collect(),
            items,
            targets: Vec::new(),
            tables: Tables::default(),
            overlaps: BTreeMap::new(),
            catalogs: Tables::default(),
        };
        build.count_schemas();
        Ok(build)
    }

    /// Selects the files of some jobs.
    ///
    /// # Errors
    /// No job has this name.
    pub fn choose(&mut self, names: &[String]) -> Result<(), Diagnostic> {
        let job = |item: &Item| self.jobs.jobs[item.job].name.text.value.as_str();
        for name in names {
            if !self.items.iter().any(|item| job(item) == name || item.title == *name) {
                let known = self.jobs.jobs.iter().map(|job| job.name.text.value.as_str());
                let told = Diagnostic::error(format!("no job has the name `{name}`"));
                let told = told.with_help(format!("the jobs are in `{}`", self.jobs.source.name));
                return Err(told.with_suggestion(name, known));
            }
        }
        let is_chosen = |item: &Item| names.iter().any(|name| job(item) == name || item.title == *name);
        self.chosen = (0..self.items.len()).filter(|index| is_chosen(&self.items[*index])).collect();
        self.count_schemas();
        Ok(())
    }

    pub(super) fn job(&self, item: &Item) -> &Job {
        &self.jobs.jobs[item.job]
    }

    /// An error about a place in the jobs file.
    pub(super) fn fault(&self, span: Span, message: String, label: &str) -> Diagnostic {
        Diagnostic::error(message).at(&self.jobs.source, span, label)
    }

    pub(super) fn count_schemas(&mut self) {
        let chosen = || self.chosen.iter().map(|index| &self.items[*index]);
        self.tables = Tables::for_files(chosen().map(|item| item.schema.clone()));
        self.catalogs = Tables::for_files(chosen().filter_map(rewrite::tables_of));
    }

    /// The number of selected files.
    pub fn count(&self) -> usize {
        self.chosen.len()
    }

    /// Where a file is written, as named. In another folder it has the same relative path as in that of the
    /// jobs file.
    pub fn path(&self, item: &Item, folder: Option<&Path>) -> PathBuf {
        folder.unwrap_or(&self.place.folder).join(&item.out)
    }

    /// Determines where all files are written, before any of them is generated. `read` are files that the
    /// build has read or will read, in addition to those that the jobs name.
    ///
    /// # Errors
    /// Two files are the same after links are resolved, or a file is one that the build reads.
    pub fn find_targets(&mut self, folder: Option<&Path>, read: &[PathBuf]) -> Result<(), Diagnostics> {
        let bounds = match folder {
            Some(folder) => Bounds::within(folder).ok(),
            None => None,
        };
        let mut faults = Vec::new();
        let mut writers: BTreeMap<PathBuf, usize> = BTreeMap::new();
        let mut inputs = self.inputs(read);
        let mut has_odd_file = false;
        for (index, item) in self.items.iter().enumerate() {
            let target = self.target_of(item, folder, bounds.as_ref());
            if let Ok(real) = &target {
                if let Some(first) = writers.insert(real.clone(), index) {
                    faults.push(expand::same_file(&self.jobs, &self.items[first], item));
                }
                has_odd_file |= real.exists() && !stale::is_of_a_build(real);
            }
            self.targets.push(target);
        }
        // The sample of keys is known when its schema is loaded. Only a file that no build wrote can be one.
        if has_odd_file {
            inputs.extend(self.samples());
        }
        for (real, index) in &writers {
            if let Some((name, what)) = NAMES_THAT_ARE_FOUND.iter().find(|(name, _)| real.ends_with(name)) {
                let item = &self.items[*index];
                let message = format!("`{name}` is the name of {what}, which saltplan would read");
                let fault = self.fault(self.job(item).out.text.span, message, "this path");
                faults.push(fault.with_help("write to a file of another name"));
            }
            if let Some((_, what)) = inputs.iter().find(|(input, _)| input == real) {
                let item = &self.items[*index];
                let message = format!("`{}` is {what}", item.out.display());
                let fault = self.fault(self.job(item).out.text.span, message, "would be overwritten");
                faults.push(fault.with_help("write to another file"));
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(Diagnostics(faults)) }
    }

    /// The files that are read, with links resolved, and the role of each.
    fn inputs(&self, read: &[PathBuf]) -> Vec<(PathBuf, &'static str)> {
        let at = |path: &String| self.place.folder.join(path);
        let schema = |path: &String| (at(path), "a schema of this build");
        let mut named: Vec<(PathBuf, &str)> =
            read.iter().map(|file| (file.clone(), "an input of this build")).collect();
        named.extend(self.items.iter().map(|item| schema(&item.schema)));
        for files in self.items.iter().filter_map(|item| item.query.as_ref()) {
            named.push((at(&files.query), "a query of this build"));
            named.extend(files.schemas.iter().map(schema));
            named.extend(files.tables.iter().map(|path| (at(path), "a description of tables")));
        }
        let lists = self.jobs.jobs.iter().filter_map(Job::ranges).flat_map(|ranges| &ranges.lists);
        named.extend(lists.map(|(_, path)| (at(&path.value), "a list of parameters")));
        let folders = self.templates.keys().flatten();
        named.extend(folders.flat_map(|folder| {
            BUILT_IN.iter().map(|(name, _)| (folder.join(name), "a template of this build"))
        }));
        named.sort();
        named.dedup();
        named.into_iter().filter_map(|(file, what)| Some((real_path(&file)?, what))).collect()
    }

    /// The samples of keys that the schemas refer to.
    fn samples(&self) -> Vec<(PathBuf, &'static str)> {
        let schemas: BTreeSet<&str> = self.items.iter().map(|item| item.schema.as_str()).collect();
        let of_schema = |schema: &str| {
            let table = Table::load(&self.place.input(schema).ok()?).ok()?;
            Some((table.sample_path()?.canonicalize().ok()?, "a sample of keys"))
        };
        schemas.into_iter().filter_map(of_schema).collect()
    }

    /// Where a file is written, with links resolved.
    ///
    /// # Errors
    /// The path leads out of the folder, or through a link out of the repository.
    pub fn target(&self, item: &Item) -> Result<PathBuf, Box<Diagnostic>> {
        match self.targets.get(item.index) {
            Some(target) => target.clone(),
            None => self.target_of(item, None, None),
        }
    }

    fn target_of(
        &self,
        item: &Item,
        folder: Option<&Path>,
        bounds: Option<&Bounds>,
    ) -> Result<PathBuf, Box<Diagnostic>> {
        let job = self.job(item);
        let path = item.out.display();
        let fault = |message: String, help: &str| {
            Box::new(self.fault(job.out.text.span, message, "this path").with_help(help))
        };
        let target = self.path(item, folder);
        let bounds = match (folder, bounds) {
            (Some(_), _) if item.out.starts_with("..") => {
                let message = format!("`{path}` leads out of the folder of `--output`");
                return Err(fault(message, "write it without `..`"));
            }
            // The folder does not exist yet, so it contains no link.
            (Some(_), None) => return Ok(target),
            (Some(_), Some(bounds)) => bounds,
            (None, _) => &self.place.bounds,
        };
        bounds.output(&target).map_err(|stray| match (folder, stray) {
            (Some(folder), Stray::Outside) => fault(
                format!(
                    "`{path}` is not written: it is outside the folder `{}` of `--out`",
                    folder.display()
                ),
                "remove the symbolic link, or write to another folder",
            ),
            (_, stray) => fault(
                format!("`{path}` is not written: {}", expand::reason(stray)),
                "write to a file in the repository of the jobs file, without symbolic links",
            ),
        })
    }

    /// The text of a file.
    ///
    /// # Errors
    /// The schema or the predicate cannot be read, or the plan is refused.
    pub fn make(&self, item: &Item) -> Result<Made, JobFault> {
        match self.overlaps.get(&item.index) {
            Some(overlap) => Err(JobFault::Refused(Box::new(overlap.clone()))),
            None => self.with_table(item, |maker| maker.made()),
        }
    }

    /// Does something with the schema of a file.
    pub(super) fn with_table<T>(
        &self,
        item: &Item,
        make: impl FnOnce(Maker<'_>) -> Result<T, JobFault>,
    ) -> Result<T, JobFault> {
        let read = || Ok(Table::load(&self.schema_of(item)?)?);
        self.tables.with(&item.schema, read, |table| match table {
            Ok(table) => make(Maker { build: self, item, table }),
            Err(errors) => Err(JobFault::Invalid(errors.0.clone())),
        })
    }

    /// The plans of all selected files with a predicate.
    ///
    /// # Errors
    /// A schema is not allowed, or a list of values cannot be read.
    pub fn questions(&self) -> Result<Vec<Question>, Diagnostic> {
        let items = self.chosen.iter().map(|index| &self.items[*index]);
        let question = |item: &Item| {
            let job = self.job(item);
            let ranges = job.ranges()?;
            let asked = || {
                Ok(Question {
                    title: item.title.clone(),
                    schema: self.schema_of(item)?,
                    predicate: ranges.predicate.value.clone(),
                    parameters: self.parameters(item, ranges)?,
                    options: self.plan_options(job),
                    statement: match &job.kind {
                        JobKind::Plan(plan) => Some(self.statement(job, plan, item)),
                        _ => None,
                    },
                    lists: ranges.lists.iter().map(|(_, path)| self.place.folder.join(&path.value)).collect(),
                })
            };
            Some(asked())
        };
        items.filter_map(question).collect()
    }

    /// The chosen queries, with their key ranges.
    pub fn queries(&self) -> Vec<QueryOfJob> {
        let items = self.chosen.iter().map(|index| &self.items[*index]);
        let query = |item: &Item| {
            let rewrite = RewriteJob::of(&self.job(item).kind)?;
            let rewritten = self.with_table(item, |maker| maker.rewritten(rewrite));
            Some(QueryOfJob { title: item.title.clone(), rewritten })
        };
        items.filter_map(query).collect()
    }

    /// The path of a file's schema.
    pub(super) fn schema_of(&self, item: &Item) -> Result<PathBuf, Diagnostic> {
        let job = self.job(item);
        self.place.input(&item.schema).map_err(|stray| {
            expand::told_of(stray, &self.jobs, &item.schema, job.schema.text.span, "this schema")
        })
    }

    /// Runs some work for every selected file, on all cores, and reports the results in the order of the jobs
    /// file. Stops when `told` says so.
    pub fn each<T: Send>(&self, work: impl Fn(&Item) -> T + Sync, mut told: impl FnMut(&Item, T) -> bool) {
        for chunk in self.chosen.chunks(CHUNK) {
            let done: Vec<T> = chunk.par_iter().map(|index| work(&self.items[*index])).collect();
            for (index, result) in chunk.iter().zip(done) {
                if !told(&self.items[*index], result) {
                    return;
                }
            }
        }
    }

    /// Files that an earlier build of this jobs file wrote and that no job writes any more, identified by
    /// their first line.
    pub fn stale(&self, folder: Option<&Path>) -> Vec<PathBuf> {
        let base = folder.unwrap_or(&self.place.folder);
        stale::files(self, base)
    }
}

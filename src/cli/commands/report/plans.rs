//! The plans of a page: from predicates on the command line, and from a jobs file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::{NamedPredicate, ReportArgs};
use crate::cli::args::TemplateArgs;
use crate::cli::failure::Failure;
use crate::cli::reporter::Reporter;
use crate::cli::settings;
use saltplan_core::limits::Limits;
use saltplan_core::queries::Templates;
use saltplan_core::refusal::Refusal;
use saltplan_core::render::RenderError;
use saltplan_core::table::PlanFault;
use saltplan_core::{Parameters, PlanOptions, Planned, Table};
use saltplan_document::diag::Diagnostic;
use saltplan_project::jobs::{self, Build, JobStatement, QueryOfJob, Question};
use saltplan_project::remedy::in_keys;
use saltplan_project::settings::Settings;
use saltplan_report::{Explanation, PlanReport, PlanVersion, Statement};
use saltplan_sql::parameter_names;

/// A predicate with a name, and the statements that its plan is shown with.
pub struct Asked {
    pub question: Question,
    statements: Statements,
}

/// The statements that a plan is shown with.
enum Statements {
    /// The statements that `plan` prints for each engine.
    Engines,
    /// The one that a job writes; none for a job of HBase shell commands.
    Job(Option<Box<(JobStatement, Rc<Templates>)>>),
}

impl Statements {
    /// Why the command does not take a plan.
    fn refused(&self, refusal: &Refusal) -> Explanation {
        match self {
            Statements::Engines => Explanation::refused_by_plan(refusal),
            Statements::Job(_) => {
                Explanation::new(format!("`build` refuses this: {refusal}"), Some(in_keys(refusal)))
            }
        }
    }
}

/// The predicates of a jobs file, and its queries with their ranges.
pub fn of_jobs(file: &Path, reporter: &Reporter) -> Result<(Vec<Asked>, Vec<QueryOfJob>), Failure> {
    let loaded = jobs::read_file(file)?;
    reporter.inputs.add(file);
    reporter.remarks(&loaded.warnings);
    let settings = settings::of_file(file)?;
    settings.file().iter().for_each(|file| reporter.inputs.add(Path::new(file)));
    let build = Build::new(loaded.jobs, file, settings::fallback(&settings))?;
    let (questions, queries) = (build.questions()?, build.queries());
    if questions.is_empty() && queries.is_empty() {
        let diagnostic =
            Diagnostic::error(format!("no job of `{}` has a predicate or a query", file.display()));
        return Err(diagnostic
            .with_help("a page shows jobs of the kinds `plan`, `scan` and `rewrite`")
            .into());
    }
    let mut templates: BTreeMap<Option<PathBuf>, Rc<Templates>> = BTreeMap::new();
    let mut with_templates = |statement: JobStatement| {
        let known = templates.entry(statement.templates.clone()).or_insert_with(|| {
            let folder = statement.templates.as_deref();
            folder.iter().for_each(|folder| settings::add_templates(folder, reporter));
            Rc::new(folder.map_or_else(|| Templates::new(None), Templates::of_repository).keeping_printed())
        });
        Box::new((statement, Rc::clone(known)))
    };
    let asked = questions.into_iter().map(|mut question| {
        question.lists.iter().for_each(|list| reporter.inputs.add(list));
        let statements = Statements::Job(question.statement.take().map(&mut with_templates));
        Asked { question, statements }
    });
    Ok((asked.collect(), queries))
}

/// Refuses a parameter that no predicate of the command line has.
pub fn check_parameters(args: &ReportArgs, parameters: &Parameters) -> Result<(), Failure> {
    let known: BTreeSet<String> =
        args.predicates.iter().flat_map(|predicate| parameter_names(&predicate.text)).collect();
    match parameters.iter().find(|(name, _)| !known.contains(*name)) {
        // A query may have it as a variable.
        Some((name, _)) if args.queries.is_empty() => {
            let diagnostic = Diagnostic::error(format!("no predicate has a parameter `:{name}`"));
            Err(diagnostic.with_suggestion(name, known.iter().map(String::as_str)).into())
        }
        _ => Ok(()),
    }
}

/// Plans predicates for one schema.
pub struct Planner<'a> {
    limits: Limits,
    templates: Templates,
    max_branches: usize,
    parameters: &'a Parameters,
}

impl<'a> Planner<'a> {
    pub fn new(
        settings: &Settings,
        max_branches: usize,
        parameters: &'a Parameters,
        reporter: &Reporter,
    ) -> Self {
        let templates = TemplateArgs { templates: None }.load(settings, reporter);
        Planner { limits: settings.limits(), templates, max_branches, parameters }
    }

    /// A predicate of the command line, with those of the parameters that it has.
    pub fn asked(&self, predicate: &NamedPredicate, schema: &Path) -> Asked {
        let mut options = PlanOptions::default();
        options.max_branches = self.max_branches;
        options.max_widening = self.limits.max_widening();
        let names = parameter_names(&predicate.text);
        let mut parameters = self.parameters.clone();
        parameters.retain(|name| names.contains(name));
        let question = Question {
            schema: schema.to_path_buf(),
            title: predicate.name.clone(),
            predicate: predicate.text.clone(),
            parameters,
            lists: Vec::new(),
            options,
            statement: None,
        };
        Asked { question, statements: Statements::Engines }
    }

    /// The plan of a predicate on the command line.
    ///
    /// # Errors
    /// The predicate is invalid or has unknown names.
    pub fn named(
        &self,
        table: &Table,
        base: Option<&Table>,
        asked: &Asked,
    ) -> Result<PlanReport, Vec<Diagnostic>> {
        match self.version(table, asked) {
            Err(PlanFault::Invalid(errors)) => Err(errors.0),
            now => Ok(self.report(now, base, asked)),
        }
    }

    /// The plan of a job, or why there is none.
    pub fn of_job(&self, table: &Table, base: Option<&Table>, asked: &Asked) -> PlanReport {
        self.report(self.version(table, asked), base, asked)
    }

    fn report(&self, now: Result<PlanVersion, PlanFault>, base: Option<&Table>, asked: &Asked) -> PlanReport {
        PlanReport {
            name: asked.question.title.clone(),
            predicate: asked.question.predicate.clone(),
            now: now.map_err(Explanation::from),
            before: base.map(|base| self.version(base, asked).map_err(Explanation::from)),
        }
    }

    fn version(&self, table: &Table, asked: &Asked) -> Result<PlanVersion, PlanFault> {
        let Question { predicate, parameters, options, .. } = &asked.question;
        let refused = |refusal: &Refusal| asked.statements.refused(refusal);
        PlanVersion::of(table, (predicate, parameters), options, refused, |planned| match &asked.statements {
            Statements::Engines => Statement::of_engines(planned, self.limits, &self.templates),
            Statements::Job(job) => job.iter().map(|job| statement_of_job(planned, table, job)).collect(),
        })
    }
}

/// The statement that `build` writes for a job.
fn statement_of_job(
    planned: &Planned,
    table: &Table,
    (job, templates): &(JobStatement, Rc<Templates>),
) -> Statement {
    let query = job.query(planned, table, templates).map_err(|error| match error {
        RenderError::Refused(refusal) => {
            Explanation::new(format!("refused: {refusal}"), Some(in_keys(&refusal)))
        }
        error => error.into(),
    });
    Statement { engine: job.engine(table), query, note: None }
}

//! The plans of a page: from predicates on the command line, and from a jobs file.

use std::path::{Path, PathBuf};

use crate::cli::args::{NamedPredicate, TemplateArgs};
use crate::cli::failure::{Failure, refused_elsewhere};
use crate::cli::settings;
use crate::cli::talk::Talk;
use saltplan_core::diag::Diagnostic;
use saltplan_core::limits::Limits;
use saltplan_core::plans::MaxWidening;
use saltplan_core::queries::{Engine, QueryOptions, Templates};
use saltplan_core::{Accept, Parameters, PlanError, PlanOptions, Planned, Refusal, Table};
use saltplan_project::jobs::{self, Build, Fallback};
use saltplan_project::settings::Settings;
use saltplan_report::{PlanReport, PlanVersion, Statement, Told};

/// A predicate with a name.
pub struct Asked {
    pub schema: PathBuf,
    name: String,
    predicate: String,
    parameters: Parameters,
    max_branches: Option<usize>,
}

impl Asked {
    pub fn of(predicate: &NamedPredicate, schema: &Path) -> Self {
        Asked {
            schema: schema.to_path_buf(),
            name: predicate.name.clone(),
            predicate: predicate.text.clone(),
            parameters: Parameters::new(),
            max_branches: None,
        }
    }
}

/// The predicates of a jobs file.
pub fn of_jobs(file: &Path, talk: &Talk) -> Result<Vec<Asked>, Failure> {
    let loaded = jobs::read_file(file)?;
    talk.inputs.add(file);
    talk.remarks(&loaded.warnings);
    let questions = Build::new(loaded.jobs, file, Fallback::default())?.questions()?;
    questions.iter().flat_map(|question| &question.lists).for_each(|list| talk.inputs.add(list));
    if questions.is_empty() {
        let told = Diagnostic::error(format!("no job of `{}` has a predicate", file.display()));
        return Err(told.with_help("a page shows jobs of the kinds `plan` and `scan`").into());
    }
    let asked = questions.into_iter().map(|question| Asked {
        schema: question.schema,
        name: question.title,
        predicate: question.predicate,
        parameters: question.parameters,
        max_branches: question.max_branches,
    });
    Ok(asked.collect())
}

/// Plans predicates for one schema.
pub struct Planner {
    limits: Limits,
    templates: Templates,
    max_branches: usize,
}

impl Planner {
    pub fn new(settings: &Settings, max_branches: usize, talk: &Talk) -> Self {
        let templates = settings::templates(&TemplateArgs { templates: None }, settings, talk);
        Planner { limits: settings.limits, templates, max_branches }
    }

    /// The plan of a predicate on the command line.
    ///
    /// # Errors
    /// The predicate is invalid or has unknown names.
    pub fn named<'t>(
        &self,
        table: &'t Table,
        base: Option<&'t Table>,
        asked: &Asked,
    ) -> Result<PlanReport<'t>, Vec<Diagnostic>> {
        match self.version(table, asked) {
            Err(PlanError::Invalid(errors)) => Err(errors.0),
            now => Ok(self.report(now, base, asked)),
        }
    }

    /// The plan of a job, or why there is none.
    pub fn of_job<'t>(&self, table: &'t Table, base: Option<&'t Table>, asked: &Asked) -> PlanReport<'t> {
        self.report(self.version(table, asked), base, asked)
    }

    fn report<'t>(
        &self,
        now: Result<PlanVersion<'t>, PlanError>,
        base: Option<&'t Table>,
        asked: &Asked,
    ) -> PlanReport<'t> {
        PlanReport {
            name: asked.name.clone(),
            predicate: asked.predicate.clone(),
            now: now.map_err(told),
            before: base.map(|base| self.version(base, asked).map_err(told)),
        }
    }

    /// A plan that may be a mistake is shown with the reason for its refusal.
    fn version<'t>(&self, table: &'t Table, asked: &Asked) -> Result<PlanVersion<'t>, PlanError> {
        let max_branches = asked.max_branches.unwrap_or(self.max_branches);
        let options = PlanOptions::default().with_max_branches(max_branches);
        let options = options.with_max_widening(self.limits.max_widening());
        let plan = |options: &PlanOptions| table.plan_with(&asked.predicate, &asked.parameters, options);
        let (planned, refused) = match plan(&options) {
            Err(PlanError::Refused(refusal)) if !matches!(refusal, Refusal::NeedsValue { .. }) => {
                let accepting = options.accepting(Accept::ALL).with_max_widening(MaxWidening::Any);
                (plan(&accepting)?, Some(told_of(&refused_elsewhere(&refusal))))
            }
            planned => (planned?, None),
        };
        let statements = Engine::ALL.iter().map(|engine| self.statement(&planned, *engine)).collect();
        Ok(PlanVersion { planned, refused, statements })
    }

    /// The statement that `plan` prints; if it is refused, the query without the INSERT.
    fn statement(&self, planned: &Planned<'_>, engine: Engine) -> Statement {
        let mut options = QueryOptions::default();
        options.engine = engine;
        options.header = planned.header(engine);
        options.budget = self.limits.budget();
        let refused = match planned.hive_sql_with(&options, &self.templates) {
            Ok(query) => return Statement { engine, query: Ok(query), note: None },
            Err(error) => told(error),
        };
        options.select_only = true;
        match planned.hive_sql_with(&options, &self.templates) {
            Ok(query) => {
                let note = Told::new(
                    format!("this is the query without the INSERT: {}", refused.message),
                    refused.help,
                );
                Statement { engine, query: Ok(query), note: Some(note) }
            }
            Err(_) => Statement { engine, query: Err(refused), note: None },
        }
    }
}

fn told(failure: impl Into<Failure>) -> Told {
    told_of(&failure.into().into_diagnostic())
}

fn told_of(told: &Diagnostic) -> Told {
    Told::new(told.message.clone(), told.help.clone())
}

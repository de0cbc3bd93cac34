//! Predicates as `plan` plans them, with the statements of each engine. A plan that `plan` refuses is made all the same, and shown with the
//! reason.

use saltplan_core::limits::Limits;
use saltplan_core::messages::Diagnostics;
use saltplan_core::queries::{Engine, QueryOptions, Templates};
use saltplan_core::refusal::Refusal;
use saltplan_core::render::RenderError;
use saltplan_core::table::PlanFault;
use saltplan_core::{Parameters, PlanOptions, Planned, Table};
use saltplan_project::remedy::in_flags_of;

use crate::{Explanation, PlanVersion, Statement};

impl PlanVersion {
    /// The plan of a predicate with the statements that `statements` makes of it. If it may be a mistake, `refused` says why.
    ///
    /// # Errors
    /// The predicate is invalid, or lacks the value of a parameter.
    pub fn of(
        table: &Table,
        (predicate, parameters): (&str, &Parameters),
        options: &PlanOptions,
        refused: impl Fn(&Refusal) -> Explanation,
        statements: impl FnOnce(&Planned) -> Vec<Statement>,
    ) -> Result<Self, PlanFault> {
        let plan = |options: &PlanOptions| table.try_plan(predicate, parameters, options);
        let (planned, refused) = match plan(options) {
            Err(PlanFault::Refused(refusal)) if !matches!(refusal, Refusal::NeedsValue { .. }) => {
                let mut all = PlanOptions::accepting_all();
                all.max_branches = options.max_branches;
                (plan(&all)?, Some(refused(&refusal)))
            }
            planned => (planned?, None),
        };
        let statements = statements(&planned);
        Ok(PlanVersion { planned, refused, statements })
    }
}

impl Statement {
    /// The statement that `plan` prints for each engine.
    pub fn of_engines(planned: &Planned, limits: Limits, templates: &Templates) -> Vec<Self> {
        Engine::ALL.iter().map(|engine| Statement::of_engine(planned, *engine, limits, templates)).collect()
    }

    /// The statement that `plan` prints; if it is refused, the query without the INSERT.
    fn of_engine(planned: &Planned, engine: Engine, limits: Limits, templates: &Templates) -> Self {
        let mut options = QueryOptions::default();
        options.engine = engine;
        let planned = planned.for_statement(options.shape);
        options.header = planned.header(engine);
        options.budget = limits.budget();
        let refused = match planned.query(&options, templates) {
            Ok(query) => return Statement { engine, query: Ok(query), note: None },
            Err(error) => Explanation::from(error),
        };
        options.select_only = true;
        match planned.query(&options, templates) {
            Ok(query) => {
                let note = Explanation::new(
                    format!("this is the query without the INSERT: {}", refused.message),
                    refused.help,
                );
                Statement { engine, query: Ok(query), note: Some(note) }
            }
            Err(_) => Statement { engine, query: Err(refused), note: None },
        }
    }
}

impl Explanation {
    /// Why `plan` does not take a plan that the page shows.
    pub fn refused_by_plan(refusal: &Refusal) -> Self {
        Explanation::new(
            format!("`plan` refuses this: {refusal}"),
            Some(in_flags_of(refusal, "plan", |_| false)),
        )
    }

    fn of_messages(messages: Diagnostics) -> Self {
        match messages.0.as_slice() {
            [only] => Explanation::new(only.message.clone(), only.help.clone()),
            _ => Explanation::new(messages.to_string(), None),
        }
    }
}

/// The page itself has no options: a remedy names those of `plan`.
impl From<&Refusal> for Explanation {
    fn from(refusal: &Refusal) -> Self {
        Explanation::new(format!("refused: {refusal}"), Some(in_flags_of(refusal, "plan", |_| false)))
    }
}

impl From<RenderError> for Explanation {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Refused(refusal) => Explanation::from(&refusal),
            error => Explanation::new(error.to_string(), None),
        }
    }
}

impl From<PlanFault> for Explanation {
    fn from(fault: PlanFault) -> Self {
        match fault {
            PlanFault::Invalid(messages) => Explanation::of_messages(messages),
            PlanFault::Refused(refusal) => Explanation::from(&refusal),
            PlanFault::Template(error) => RenderError::from(error).into(),
        }
    }
}

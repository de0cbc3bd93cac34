//! Plans of a table: from a predicate to what is printed, and the plans that are probably a mistake.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value as Json;

use super::Table;
use crate::diag::{Diagnostic, Diagnostics, Source};
use crate::hiveql::{self, Parameters};
use crate::key::field::FieldKind;
use crate::plan::{self, DEFAULT_MAX_BRANCHES, MaxWidening, Note, Options, Plan, PlanKind, explain};
use crate::predicate::runtime::RuntimeCondition;
use crate::predicate::{self, Lowered};
use crate::refusal::Refusal;
use crate::render::fuzzy::FuzzyScan;
use crate::render::hive_query::{self, Cost, Query, QueryOptions};
use crate::render::size::{DEFAULT_MAX_BYTES, limited};
use crate::render::templates::Templates;
use crate::render::{CommentLine, RenderError, fuzzy, hbase_shell};
use crate::schema::model::Engine;
use crate::schema::model::Schema;
use crate::warning::Warning;

/// Most branches that a refusal offers: a statement of more is too long for Hive, see docs/engines.md.
const MOST_OFFERED: usize = 8_192;

/// Unused conditions that a refusal speaks of, at most.
const MAX_UNUSED: usize = 3;

/// How a predicate is planned.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PlanOptions {
    /// Most ranges of a plan, at least 1.
    pub max_branches: usize,
    /// How many times as many values as were asked for merged ranges may hold.
    pub max_widening: MaxWidening,
    pub accept: Accept,
    /// What is read overwrites a partition.
    pub overwrites: bool,
}

impl Default for PlanOptions {
    fn default() -> Self {
        PlanOptions {
            max_branches: DEFAULT_MAX_BRANCHES,
            max_widening: MaxWidening::default(),
            accept: Accept::default(),
            overwrites: false,
        }
    }
}

impl PlanOptions {
    #[must_use]
    pub fn with_max_branches(self, max_branches: usize) -> Self {
        PlanOptions { max_branches, ..self }
    }

    #[must_use]
    pub fn with_max_widening(self, max_widening: MaxWidening) -> Self {
        PlanOptions { max_widening, ..self }
    }

    /// What is read overwrites a partition: the refusal of a plan that reads nothing says that this would wipe it.
    #[must_use]
    pub fn overwriting(self, overwrites: bool) -> Self {
        PlanOptions { overwrites, ..self }
    }

    #[must_use]
    pub fn accepting(self, accept: Accept) -> Self {
        PlanOptions { accept, ..self }
    }
}

/// Plans that are refused unless they are accepted. The default accepts none of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Accept {
    /// Reads the whole table, which is expensive.
    pub full_scan: bool,
    /// Reads nothing: an INSERT OVERWRITE of it wipes a partition.
    pub empty: bool,
    /// A value that its field's declaration rejects is read as one all the same.
    pub(crate) rejected_value: bool,
}

impl Accept {
    /// For plans that are looked at.
    pub const ALL: Accept = Accept { full_scan: true, empty: true, rejected_value: true };

    #[must_use]
    pub fn full_scan(self, full_scan: bool) -> Self {
        Accept { full_scan, ..self }
    }

    #[must_use]
    pub fn empty(self, empty: bool) -> Self {
        Accept { empty, ..self }
    }
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The predicate cannot be read, or the split keys cannot.
    #[error(transparent)]
    Invalid(#[from] Diagnostics),
    #[error("{0} ({help})", help = .0.help())]
    Refused(#[from] Refusal),
}

impl From<Diagnostic> for PlanError {
    fn from(error: Diagnostic) -> Self {
        PlanError::Invalid(error.into())
    }
}

/// A plan with the table it is of.
#[derive(Debug, Clone)]
pub struct Planned<'t> {
    table: &'t Table,
    /// The predicate in one line.
    predicate: String,
    plan: Plan,
    /// What is to be said of merged ranges.
    widened: Option<Warning>,
    warnings: Vec<Diagnostic>,
}

impl Table {
    /// Plans a predicate: what holds its rows, by the law that docs/predicates.md and the planner state.
    ///
    /// # Errors
    /// The predicate cannot be read or names what the schema does not know, the table has no split keys where it should,
    /// or the plan is probably a mistake, see [`Accept`].
    pub fn plan(&self, predicate: &str, parameters: &Parameters) -> Result<Planned<'_>, PlanError> {
        self.plan_with(predicate, parameters, &PlanOptions::default())
    }

    /// [`Table::plan`] within other limits, or of a plan that is accepted though it is probably a mistake.
    ///
    /// # Errors
    /// As [`Table::plan`].
    pub fn plan_with(
        &self,
        predicate: &str,
        parameters: &Parameters,
        options: &PlanOptions,
    ) -> Result<Planned<'_>, PlanError> {
        self.plan_lowered(&self.lower(&Source::new("predicate", predicate), parameters)?, options)
    }

    /// What a predicate says of the fields.
    ///
    /// # Errors
    /// The predicate cannot be read, or names what the schema does not know.
    #[doc(hidden)]
    pub fn lower(&self, predicate: &Arc<Source>, parameters: &Parameters) -> Result<Lowered, Diagnostics> {
        let formats = self.schema.key.fields.iter().filter_map(|field| match &field.kind {
            FieldKind::Calendar(calendar) => Some(&calendar.format),
            _ => None,
        });
        predicate::lower(
            &self.schema,
            &hiveql::parse_for(predicate, parameters, &formats.collect::<Vec<_>>())?,
        )
    }

    fn needs_value(&self, plan: &Plan, reason: String) -> Refusal {
        let parameters = plan.runtime.as_ref().map(RuntimeCondition::names).unwrap_or_default();
        Refusal::NeedsValue { parameters, reason }
    }

    fn fuzzy_scan(&self, plan: &Plan) -> Option<FuzzyScan> {
        fuzzy::one_scan(&self.schema, self.image(), plan)
    }

    /// Plans a predicate that was read by [`Table::lower`].
    ///
    /// # Errors
    /// As [`Table::plan`].
    #[doc(hidden)]
    pub fn plan_lowered(&self, lowered: &Lowered, options: &PlanOptions) -> Result<Planned<'_>, PlanError> {
        let split_keys = self.split_keys()?;
        let planned = |max_branches: usize| {
            let options = Options { max_branches, split_keys, image: self.image(), ..Options::default() };
            plan::plan(&self.schema, lowered, options)
        };
        let plan = planned(options.max_branches);
        if let Some(reason) = needs_value(&self.schema, &plan, options.max_branches) {
            return Err(self.needs_value(&plan, reason).into());
        }
        if let Some(mut refusal) = mistake(&plan, options, || branches_needed(&plan, options, planned)) {
            if let Refusal::FullScan { seeks, .. } = &mut refusal {
                *seeks = self.fuzzy_scan(&plan).map(|scan| scan.ranges);
            }
            return Err(refusal.into());
        }
        let widened = plan.merging().map(|note| Warning::Widened { note: note.to_string() });
        let warnings = self.warnings.iter().chain(&lowered.warnings).cloned();
        let warnings = warnings.chain(widened.iter().map(Diagnostic::from)).collect();
        Ok(Planned { table: self, predicate: lowered.expr.to_string(), plan, widened, warnings })
    }
}

/// Why the values that are known when the statement runs do not narrow what is read.
fn needs_value(schema: &Schema, plan: &Plan, max_branches: usize) -> Option<String> {
    let runtime = plan.runtime.as_ref()?;
    let field = &schema.key.fields[runtime.field].name;
    if plan.kind == PlanKind::FullScan {
        return Some(format!(
            "without it, the whole table would be read: {}",
            why_everything(plan).join("; ")
        ));
    }
    if plan.branches.iter().any(|branch| branch.runtime.is_none()) {
        return Some(format!(
            "the key fields before `{field}` are not bound to single values with a known end"
        ));
    }
    let count = plan.branches.len();
    (count > max_branches).then(|| format!("{count} ranges exceed the limit of a plan ({max_branches})"))
}

/// The least limit of branches found with which a plan is not refused that the present one is the reason to refuse.
fn branches_needed(plan: &Plan, options: &PlanOptions, planned: impl Fn(usize) -> Plan) -> Option<usize> {
    let is_limit = |note: &Note| match note {
        Note::TooManySalts { count, .. } => *count <= MOST_OFFERED as u128,
        Note::TooManyBranches { salts, .. } => *salts <= MOST_OFFERED,
        Note::Unordered { .. } => true,
        note => note.code() == "widened",
    };
    if !plan.notes.iter().any(is_limit) {
        return None;
    }
    let is_taken = |plan: &Plan| {
        plan.kind != PlanKind::FullScan
            && !plan.widening().is_some_and(|widening| widening.exceeds(options.max_widening))
    };
    let mut limit = options.max_branches;
    while limit < MOST_OFFERED {
        limit = limit.saturating_mul(2).min(MOST_OFFERED);
        let plan = planned(limit);
        if is_taken(&plan) {
            let count = plan.branches.len();
            let is_enough = (options.max_branches + 1..limit).contains(&count) && is_taken(&planned(count));
            return Some(if is_enough { count } else { limit });
        }
    }
    None
}

/// Why a plan is refused; `branches` are those with which it would not be.
fn mistake(plan: &Plan, options: &PlanOptions, branches: impl Fn() -> Option<usize>) -> Option<Refusal> {
    let accept = options.accept;
    let rejected = plan.notes.iter().find_map(|note| match note {
        Note::RejectedValue { reason } => Some(reason.clone()),
        _ => None,
    });
    match (rejected, plan.kind) {
        (Some(reason), _) if !accept.rejected_value => Some(Refusal::RejectedValue { reason }),
        (_, PlanKind::FullScan) if !accept.full_scan => {
            Some(Refusal::FullScan { reasons: why_everything(plan), branches: branches(), seeks: None })
        }
        (_, PlanKind::Empty) if !accept.empty => {
            let is_reason = |note: &&Note| matches!(note, Note::Never { .. } | Note::Contradiction { .. });
            let reasons = plan.notes.iter().filter(is_reason).map(Note::to_string).collect();
            Some(Refusal::Empty { reasons, overwrites: options.overwrites })
        }
        _ => {
            let MaxWidening::Times(limit) = options.max_widening else { return None };
            let widening = plan.widening().filter(|widening| widening.exceeds(options.max_widening))?;
            let least = match widening.least_limit() {
                MaxWidening::Times(factor) => Some(factor),
                MaxWidening::Any => None,
            };
            Some(Refusal::TooWide { reads: widening.to_string(), limit, least, branches: branches() })
        }
    }
}

fn why_everything(plan: &Plan) -> Vec<String> {
    let is_reason = |note: &&Note| {
        matches!(note, Note::NoPruning { .. } | Note::TooManySalts { .. } | Note::TooManyBranches { .. })
    };
    let reasons = plan.notes.iter().filter(is_reason).map(Note::to_string);
    let unused: Vec<&Note> = plan.notes.iter().filter(|note| note.code() == "not_used").collect();
    let more = unused.len().saturating_sub(MAX_UNUSED);
    let more = (more > 0).then(|| format!("`explain` has {more} more reasons"));
    reasons.chain(unused.into_iter().take(MAX_UNUSED).map(Note::to_string)).chain(more).collect()
}

impl Planned<'_> {
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What is said of the schema, of the predicate and of merged ranges.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Refuses what shows keys where they are known when a statement runs.
    ///
    /// # Errors
    /// They are, for the reason that is given.
    #[doc(hidden)]
    pub fn check_known(&self, reason: &str) -> Result<(), Refusal> {
        match &self.plan.runtime {
            None => Ok(()),
            Some(_) => Err(self.table.needs_value(&self.plan, reason.into())),
        }
    }

    /// Whether rows of the ranges have to be checked against a residual.
    pub fn has_residual(&self) -> bool {
        self.plan.branches.iter().any(|branch| branch.residual.is_some())
    }

    /// What is to be said of merged ranges.
    #[doc(hidden)]
    pub fn widening_warning(&self) -> Option<&Warning> {
        self.widened.as_ref()
    }

    /// What the statement costs; `None` where there is none.
    pub fn cost(&self, options: &QueryOptions) -> Option<Cost> {
        hive_query::cost(&self.table.schema, &self.plan, options).ok()
    }

    /// What a reader of the ranges alone should know.
    #[doc(hidden)]
    pub fn scan_warning(&self) -> Option<Warning> {
        self.has_residual().then_some(Warning::Residual)
    }

    /// One line: what is read, and how much of the table that is.
    pub fn summary(&self) -> String {
        explain::summary(&self.plan)
    }

    /// The plan for people, on a page of so many characters, with what its statement costs.
    pub fn to_text(&self, width: usize) -> String {
        let engine = self.table.engine().unwrap_or(Engine::Tez);
        self.explained(width, self.cost(&QueryOptions { engine, ..QueryOptions::default() }).as_ref())
    }

    #[doc(hidden)]
    pub fn explained(&self, width: usize, cost: Option<&Cost>) -> String {
        explain::to_text(&self.table.schema, self.table.salts(), &self.plan, cost, width)
    }

    /// The plan for programs, in a stable, versioned form.
    pub fn to_json(&self) -> Json {
        explain::to_json(&self.plan, &self.warnings)
    }

    /// [`Planned::to_json`] with the warnings of the caller, where its residuals alone are not longer than `max_bytes`.
    ///
    /// # Errors
    /// They are longer.
    pub fn limited_json(&self, warnings: &[Diagnostic], max_bytes: usize) -> Result<Json, Refusal> {
        self.check_known("an explanation shows the keys themselves")?;
        let mut known = BTreeMap::new();
        let residuals = self.plan.branches.iter().filter_map(|branch| branch.residual);
        let bytes = residuals
            .map(|id| *known.entry(id).or_insert_with(|| self.plan.residual(id).expr.to_string().len()));
        let bytes = bytes.fold(0, usize::saturating_add);
        if bytes > max_bytes {
            return Err(Refusal::TooLong { bytes, limit: max_bytes });
        }
        Ok(explain::to_json(&self.plan, warnings))
    }

    /// The plan for programs that scan: [`Planned::limited_json`] with the table's name and patterns for a fuzzy row filter.
    ///
    /// # Errors
    /// The residuals are longer than `max_bytes`.
    pub fn scan_json(&self, warnings: &[Diagnostic], max_bytes: usize) -> Result<Json, Refusal> {
        let mut json = self.limited_json(warnings, max_bytes)?;
        if let Some(members) = json.as_object_mut() {
            members.shift_insert(1, "table".into(), Json::from(self.table.schema.hbase.full_name()));
            let patterns = fuzzy::patterns(&self.table.schema, &self.plan);
            members.insert("fuzzy_row_filter".into(), fuzzy::to_json(&patterns));
            let one_scan = self.table.fuzzy_scan(&self.plan).map(|scan| scan.to_json());
            members.insert("one_scan".into(), one_scan.unwrap_or_default());
        }
        Ok(json)
    }

    /// Commands of the HBase shell that read the ranges. Rows have to be checked where the plan [has a
    /// residual](Planned::has_residual).
    ///
    /// # Errors
    /// The text is longer than [`DEFAULT_MAX_BYTES`].
    pub fn hbase_shell(&self) -> Result<String, Refusal> {
        self.limited_hbase_shell(DEFAULT_MAX_BYTES)
    }

    /// [`Planned::hbase_shell`] in at most so many bytes.
    ///
    /// # Errors
    /// The text is longer.
    pub fn limited_hbase_shell(&self, max_bytes: usize) -> Result<String, Refusal> {
        self.check_known("HBase's shell takes keys as they are")?;
        let patterns = fuzzy::patterns(&self.table.schema, &self.plan);
        let filter = (!patterns.is_empty()).then(|| fuzzy::shell_filter(&patterns));
        let name = self.table.schema.hbase.full_name();
        limited(
            hbase_shell::commands(
                &name,
                &self.plan,
                filter.as_deref(),
                self.table.fuzzy_scan(&self.plan).as_ref(),
                max_bytes,
            )?,
            max_bytes,
        )
    }

    /// The comment above a query: which file it is made of, its predicate, and what it reads.
    pub fn header(&self, engine: Engine) -> Vec<CommentLine> {
        let made_of = format!("saltplan plan {} (engine {})", self.table.file_name(), engine.name());
        self.header_of(made_of)
    }

    /// [`Planned::header`] with another first line.
    #[doc(hidden)]
    pub fn header_of(&self, made_of: String) -> Vec<CommentLine> {
        let predicate = format!("predicate: {}", self.predicate);
        let mut lines = vec![made_of, predicate];
        if let Some(runtime) = &self.plan.runtime {
            let mut given: Vec<String> = runtime
                .values()
                .map(|value| format!("`:{}` is `{}`", value.name, value.given.text()))
                .collect();
            given.dedup();
            lines.push(format!("when it runs: {}", given.join(", ")));
        }
        lines.push(self.summary());
        lines.extend(self.widened.iter().map(ToString::to_string));
        lines.iter().map(|line| CommentLine::new(line)).collect()
    }

    /// The query that reads the plan through the Hive mapping table, as an INSERT into the target table.
    ///
    /// # Errors
    /// The schema lacks one of the tables, Hive cannot run the plan correctly, or a partition would lose rows.
    pub fn hive_sql(&self, options: &QueryOptions) -> Result<Query, RenderError> {
        self.hive_sql_with(options, &Templates::new(None))
    }

    /// [`Planned::hive_sql`] in the layout of other templates.
    ///
    /// # Errors
    /// As [`Planned::hive_sql`], and faults of a template.
    pub fn hive_sql_with(&self, options: &QueryOptions, templates: &Templates) -> Result<Query, RenderError> {
        hive_query::render(&self.table.schema, &self.plan, options, templates)
    }
}

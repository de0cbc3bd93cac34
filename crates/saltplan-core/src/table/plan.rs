//! Plans of a table: from a predicate to printed statements, and the refusal of plans that are probably a
//! mistake.

mod text;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value as Json;

use super::Table;
use super::error::{Error, PlanFault};
use crate::analyze::bind::BoundNode;
use crate::analyze::runtime::RuntimeCondition;
use crate::analyze::{self, Analysis};
use crate::hbase::fuzzy::FuzzyScan;
use crate::hbase::{fuzzy, shell};
use crate::hive;
use crate::hive::check::{Check, CheckOptions};
use crate::hive::query::{Cost, PartitionText, Query, QueryOptions, Target};
use crate::key::field::FieldKind;
use crate::plan::{self, DEFAULT_MAX_BRANCHES, MaxWidening, Note, Options, Plan, PlanKind, explain};
use crate::refusal::{Part, Refusal};
use crate::render::size::{DEFAULT_MAX_BYTES, limited};
use crate::render::templates::Templates;
use crate::render::{CommentLine, RenderError};
use crate::schema::model::Engine;
use crate::schema::model::Schema;
use crate::warning::Warning;
use saltplan_document::diag::{Diagnostic, Diagnostics, Source};
use saltplan_sql::{Parameters, Parsed};

/// The maximum number of branches that a refusal suggests: longer statements are too long for Hive, see
/// docs/engines.md.
const MOST_OFFERED: usize = 8_192;

/// The maximum number of unused conditions that a refusal mentions.
const MAX_UNUSED: usize = 3;

/// How a predicate is planned.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PlanOptions {
    /// The maximum number of ranges, at least 1.
    pub max_branches: usize,
    /// If ranges are merged, the maximum ratio of values read to values requested.
    pub max_widening: MaxWidening,
    /// Accepts plans that read the whole table, which is expensive.
    pub allow_full_scan: bool,
    /// Accepts plans that read nothing: an INSERT OVERWRITE would empty a partition.
    pub allow_empty: bool,
    /// Accepts values that their field's declaration rejects, but that can be parsed.
    #[doc(hidden)]
    pub allow_rejected_value: bool,
    /// Whether the rows overwrite a partition: the refusal of a plan that reads nothing then says that it would be emptied.
    pub overwrites: bool,
}

impl Default for PlanOptions {
    /// Accepts no plan that is probably a mistake.
    fn default() -> Self {
        PlanOptions {
            max_branches: DEFAULT_MAX_BRANCHES,
            max_widening: MaxWidening::default(),
            allow_full_scan: false,
            allow_empty: false,
            allow_rejected_value: false,
            overwrites: false,
        }
    }
}

impl PlanOptions {
    /// For plans that are only looked at: accepts whatever they read.
    #[must_use]
    pub fn accepting_all() -> Self {
        PlanOptions {
            max_widening: MaxWidening::Any,
            allow_full_scan: true,
            allow_empty: true,
            allow_rejected_value: true,
            ..PlanOptions::default()
        }
    }
}

/// What `plan` does with a predicate.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct Verdict {
    /// The cost of the INSERT OVERWRITE, or why it is refused.
    pub insert: Result<Cost, Refusal>,
    /// The cost of the bare query, if only the INSERT is refused.
    pub query: Option<Cost>,
}

/// A plan together with its table.
#[derive(Debug, Clone)]
pub struct Planned {
    pub(super) table: Table,
    /// The predicate on one line.
    predicate: String,
    plan: Plan,
    /// A plan with text ranges, if those of `plan` have binary parts: a Hive statement without one scan reads this one.
    for_text: Option<Box<Plan>>,
    /// Warnings about what the ranges contain besides the requested rows, and about ranges that leave out little.
    of_ranges: Vec<Warning>,
    warnings: Vec<Diagnostic>,
}

impl Table {
    /// Plans a predicate. The plan contains all rows of the predicate, see docs/predicates.md and the
    /// property of the planner.
    ///
    /// # Errors
    /// The predicate is invalid or has unknown names, the split keys are invalid, or the plan is probably a
    /// mistake, see [`Accept`].
    pub fn plan(&self, predicate: &str, parameters: &Parameters) -> Result<Planned, Error> {
        self.plan_with(predicate, parameters, &PlanOptions::default())
    }

    /// [`Table::plan`] with other limits, or for plans that are accepted although they are probably a
    /// mistake.
    ///
    /// # Errors
    /// As [`Table::plan`].
    pub fn plan_with(
        &self,
        predicate: &str,
        parameters: &Parameters,
        options: &PlanOptions,
    ) -> Result<Planned, Error> {
        Ok(self.try_plan(predicate, parameters, options)?)
    }

    /// [`Table::plan_with`] for callers that tell the causes apart.
    ///
    /// # Errors
    /// As [`Table::plan`].
    #[doc(hidden)]
    pub fn try_plan(
        &self,
        predicate: &str,
        parameters: &Parameters,
        options: &PlanOptions,
    ) -> Result<Planned, PlanFault> {
        self.plan_analysis(&self.analyze(&Source::new("predicate", predicate), parameters)?, options)
    }

    /// [`Table::try_plan`] for a predicate whose tree is known, such as conditions of a query.
    ///
    /// # Errors
    /// As [`Table::plan`].
    #[doc(hidden)]
    pub fn try_plan_tree(&self, predicate: &Parsed, options: &PlanOptions) -> Result<Planned, PlanFault> {
        predicate.check_size()?;
        self.plan_analysis(&analyze::analyze(&self.inner.schema, predicate)?, options)
    }

    /// [`Table::try_plan`] for a predicate that was not read from text, such as a filter that Hive has compiled. It means what the same
    /// predicate as text does: casts that are added to it say nothing, and a day may be `'2020-04-06'` whatever the field's type is.
    ///
    /// # Errors
    /// As [`Table::plan`].
    #[doc(hidden)]
    pub fn try_plan_bound(&self, predicate: BoundNode, options: &PlanOptions) -> Result<Planned, PlanFault> {
        let mut parts: usize = 0;
        predicate.walk(&mut |_| parts += 1);
        saltplan_sql::check_parts(parts)?;
        self.plan_analysis(&analyze::analyze_bound(&self.inner.schema, predicate)?, options)
    }

    /// What a predicate means for the fields.
    ///
    /// # Errors
    /// The predicate is invalid or has unknown names.
    #[doc(hidden)]
    pub fn analyze(&self, predicate: &Arc<Source>, parameters: &Parameters) -> Result<Analysis, Diagnostics> {
        let formats = self.inner.schema.key.fields.iter().filter_map(|field| match &field.kind {
            FieldKind::Calendar(calendar) => Some(&calendar.format),
            _ => None,
        });
        analyze::analyze(
            &self.inner.schema,
            &saltplan_sql::parse_for(predicate, parameters, &formats.collect::<Vec<_>>())?,
        )
    }

    fn needs_value(&self, plan: &Plan, reason: String) -> Refusal {
        let parameters = plan.runtime.as_ref().map(RuntimeCondition::names).unwrap_or_default();
        Refusal::NeedsValue { parameters, reason }
    }

    fn fuzzy_scan(&self, plan: &Plan) -> Option<FuzzyScan> {
        fuzzy::one_scan(&self.inner.schema, self.salt_domain(), plan)
    }

    /// What `plan` does with a predicate that was analyzed by [`Table::analyze`].
    ///
    /// # Errors
    /// As [`Table::plan`], except refusals, which are part of the verdict.
    #[doc(hidden)]
    pub fn verdict(
        &self,
        analysis: &Analysis,
        options: &PlanOptions,
        query: &QueryOptions,
    ) -> Result<Verdict, PlanFault> {
        let cost = |select_only: bool| {
            let planned =
                self.plan_analysis(analysis, &PlanOptions { overwrites: !select_only, ..options.clone() })?;
            let query = QueryOptions { select_only, ..query.clone() };
            Ok(planned.query(&query, &Templates::new(None)).map_err(PlanFault::from)?.cost)
        };
        match cost(false) {
            Ok(cost) => Ok(Verdict { insert: Ok(cost), query: None }),
            Err(PlanFault::Refused(refusal)) => Ok(Verdict { insert: Err(refusal), query: cost(true).ok() }),
            Err(fault) => Err(fault),
        }
    }

    /// Plans a predicate that was analyzed by [`Table::analyze`].
    ///
    /// # Errors
    /// As [`Table::plan`].
    #[doc(hidden)]
    pub fn plan_analysis(&self, analysis: &Analysis, options: &PlanOptions) -> Result<Planned, PlanFault> {
        let split_keys = self.try_split_keys()?;
        let with = |max_branches: usize, text_only: bool| {
            let salt_domain = self.salt_domain();
            let options = Options { max_branches, split_keys, salt_domain, text_only, ..Options::default() };
            plan::plan(&self.inner.schema, analysis, options)
        };
        let planned = |max_branches: usize| with(max_branches, false);
        let plan = planned(options.max_branches);
        if let Some(reason) = needs_value(&self.inner.schema, &plan, options.max_branches) {
            return Err(self.needs_value(&plan, reason).into());
        }
        if let Some(mut refusal) = mistake(&plan, options, || branches_needed(&plan, options, planned)) {
            if let Refusal::FullScan { seeks, .. } = &mut refusal {
                *seeks = self.fuzzy_scan(&plan).map(|scan| scan.ranges);
            }
            return Err(refusal.into());
        }
        let of_ranges = warnings_of_ranges(&plan);
        let warnings = self.inner.warnings.iter().chain(&analysis.warnings).cloned();
        let warnings = warnings.chain(of_ranges.iter().map(Diagnostic::from)).collect();
        let for_text = self.plan_of_text(&plan, options, || with(options.max_branches, true));
        let predicate = analysis.expr.to_string();
        Ok(Planned { table: self.clone(), predicate, plan, for_text, of_ranges, warnings })
    }
}

fn warnings_of_ranges(plan: &Plan) -> Vec<Warning> {
    let widened = plan.merging().map(|note| Warning::Widened { note: note.to_string() });
    let nearly = plan.notes.iter().find(|note| matches!(note, Note::NearlyAll(_)));
    let nearly = nearly.map(|note| Warning::NearlyAll { note: note.to_string() });
    widened.into_iter().chain(nearly).collect()
}

/// Why values that are known only at run time do not narrow the plan.
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

/// Finds the smallest limit of branches with which a plan is not refused, if the present limit is the reason
/// for the refusal.
fn branches_needed(plan: &Plan, options: &PlanOptions, planned: impl Fn(usize) -> Plan) -> Option<usize> {
    let is_limit = |note: &Note| match note {
        Note::TooManySalts { count, .. } => *count <= MOST_OFFERED as u128,
        Note::TooManyBranches { salts, .. } => *salts <= MOST_OFFERED,
        Note::Unordered { .. } => true,
        note => note.is_of_merging(),
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

/// Why a plan is refused; `branches` is the limit with which it would not be.
fn mistake(plan: &Plan, options: &PlanOptions, branches: impl Fn() -> Option<usize>) -> Option<Refusal> {
    let rejected = plan.notes.iter().find_map(|note| match note {
        Note::RejectedValue { reason } => Some(reason.clone()),
        _ => None,
    });
    match (rejected, plan.kind) {
        (Some(reason), _) if !options.allow_rejected_value => Some(Refusal::RejectedValue { reason }),
        (_, PlanKind::FullScan) if !options.allow_full_scan => {
            Some(Refusal::FullScan { reasons: why_everything(plan), branches: branches(), seeks: None })
        }
        _ if !options.allow_full_scan && holds_every_key(plan) => {
            let reasons = vec!["its ranges hold every possible key".into()];
            Some(Refusal::FullScan { reasons, branches: None, seeks: None })
        }
        (_, PlanKind::Empty) if !options.allow_empty => {
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

/// Whether ranges that were not merged because of a limit contain every possible key, such as those of all listed values.
fn holds_every_key(plan: &Plan) -> bool {
    plan.nearly_all().is_some_and(|nearly| nearly.left_out == 0) && plan.merging().is_none()
}

fn why_everything(plan: &Plan) -> Vec<String> {
    let is_reason = |note: &&Note| {
        matches!(note, Note::NoPruning { .. } | Note::TooManySalts { .. } | Note::TooManyBranches { .. })
    };
    let reasons = plan.notes.iter().filter(is_reason).map(Note::to_string);
    let unused: Vec<&Note> = plan.notes.iter().filter(|note| note.is_of_unused()).collect();
    let more = unused.len().saturating_sub(MAX_UNUSED);
    let more = (more > 0).then(|| format!("`explain` has {more} more reasons"));
    reasons.chain(unused.into_iter().take(MAX_UNUSED).map(Note::to_string)).chain(more).collect()
}

impl Planned {
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The predicate on one line, with the values of its parameters.
    pub fn predicate(&self) -> &str {
        &self.predicate
    }

    /// Warnings about the schema, the predicate and merged ranges.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Refuses output that shows keys if they are known only at run time.
    ///
    /// # Errors
    /// They are, with the given reason.
    #[doc(hidden)]
    pub fn check_known(&self, reason: &str) -> Result<(), Refusal> {
        match &self.plan.runtime {
            None => Ok(()),
            Some(_) => Err(self.table.needs_value(&self.plan, reason.into())),
        }
    }

    /// Remarks on the plan, each with a stable name for programs: why conditions make no ranges, why ranges were merged.
    pub fn notes(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.plan.notes.iter().map(|note| (note.code(), note.to_string()))
    }

    /// Whether rows of the ranges must be checked against a residual.
    pub fn has_residual(&self) -> bool {
        self.plan.branches.iter().any(|branch| branch.residual.is_some())
    }

    /// The warnings about merged ranges, and about ranges that leave out little.
    #[doc(hidden)]
    pub fn range_warnings(&self) -> &[Warning] {
        &self.of_ranges
    }

    /// The cost of the statement; `None` if there is none.
    pub fn cost(&self, options: &QueryOptions) -> Option<Cost> {
        let planned = self.for_statement(options.shape);
        hive::query::cost(&self.table.inner.schema, &planned.plan, options).ok()
    }

    /// The warning for readers who only use the ranges.
    #[doc(hidden)]
    pub fn scan_warning(&self) -> Option<Warning> {
        self.has_residual().then_some(Warning::Residual)
    }

    /// One line: what is read, and how much of the table that is.
    pub fn summary(&self) -> String {
        explain::summary(&self.plan)
    }

    /// [`Planned::summary`] without residuals, for readers whose statement checks the predicate itself. `None` if nothing is read.
    #[doc(hidden)]
    pub fn summary_of_ranges(&self) -> Option<String> {
        explain::summary_of_ranges(&self.plan)
    }

    /// The plan as text of the given width, with the cost of its statement at the end.
    pub fn to_text(&self, width: usize) -> String {
        let engine = self.table.engine().unwrap_or(Engine::Tez);
        let cost = self.cost(&QueryOptions { engine, ..QueryOptions::default() });
        let cost = cost.map(|cost| format!("\n{cost}\n")).unwrap_or_default();
        self.explained(width) + &cost
    }

    /// [`Planned::to_text`] without the cost.
    #[doc(hidden)]
    pub fn explained(&self, width: usize) -> String {
        explain::to_text(&self.table.inner.schema, self.table.salts(), &self.plan, width)
    }

    /// The plan as JSON, in a stable, versioned form.
    pub fn to_json(&self) -> Json {
        explain::to_json(&self.plan, &self.warnings)
    }

    /// [`Planned::to_json`] with the caller's warnings, if the residuals have at most `max_bytes`.
    ///
    /// # Errors
    /// They are longer.
    #[doc(hidden)]
    pub fn limited_json(&self, warnings: &[Diagnostic], max_bytes: usize) -> Result<Json, Refusal> {
        self.check_known("an explanation shows the keys themselves")?;
        self.check_residuals(max_bytes)?;
        Ok(explain::to_json(&self.plan, warnings))
    }

    /// Only the ranges as JSON, in a stable, versioned form: `table`, `kind`, and for each range `start` and `stop` in
    /// hex, `point` and `residual`.
    ///
    /// # Errors
    /// Keys are known only at run time, or the residuals are longer than `max_bytes`.
    #[doc(hidden)]
    pub fn ranges_json(&self, warnings: &[Diagnostic], max_bytes: usize) -> Result<Json, Refusal> {
        self.check_known("ranges show the keys themselves")?;
        self.check_residuals(max_bytes)?;
        Ok(explain::ranges_json(&self.table.inner.schema.hbase.full_name(), &self.plan, warnings))
    }

    fn check_residuals(&self, max_bytes: usize) -> Result<(), Refusal> {
        let mut known = BTreeMap::new();
        let residuals = self.plan.branches.iter().filter_map(|branch| branch.residual);
        let bytes = residuals
            .map(|id| *known.entry(id).or_insert_with(|| self.plan.residual(id).expr.to_string().len()));
        let bytes = bytes.fold(0, usize::saturating_add);
        if bytes > max_bytes {
            return Err(Refusal::TooLong { bytes, limit: max_bytes });
        }
        Ok(())
    }

    /// The plan as JSON for scanning clients: [`Planned::limited_json`] with the name of the table and the
    /// patterns of a fuzzy row filter.
    ///
    /// # Errors
    /// The residuals are longer than `max_bytes`.
    #[doc(hidden)]
    pub fn scan_json(&self, warnings: &[Diagnostic], max_bytes: usize) -> Result<Json, Refusal> {
        let mut json = self.limited_json(warnings, max_bytes)?;
        if let Some(members) = json.as_object_mut() {
            members.shift_insert(1, "table".into(), Json::from(self.table.inner.schema.hbase.full_name()));
            let patterns = fuzzy::patterns(&self.table.inner.schema, &self.plan);
            members.insert("fuzzy_row_filter".into(), fuzzy::to_json(&patterns));
            let one_scan = self.table.fuzzy_scan(&self.plan).map(|scan| scan.to_json());
            members.insert("one_scan".into(), one_scan.unwrap_or_default());
        }
        Ok(json)
    }

    /// HBase shell commands that read the ranges. Rows must be checked if the plan [has a
    /// residual](Planned::has_residual).
    ///
    /// # Errors
    /// The text is longer than [`DEFAULT_MAX_BYTES`].
    pub fn hbase_shell(&self) -> Result<String, Error> {
        Ok(self.limited_hbase_shell(DEFAULT_MAX_BYTES).map_err(PlanFault::from)?)
    }

    /// [`Planned::hbase_shell`] with at most the given number of bytes.
    ///
    /// # Errors
    /// The text is longer.
    #[doc(hidden)]
    pub fn limited_hbase_shell(&self, max_bytes: usize) -> Result<String, Refusal> {
        self.check_known("HBase's shell takes keys as they are")?;
        let patterns = fuzzy::patterns(&self.table.inner.schema, &self.plan);
        let filter = (!patterns.is_empty()).then(|| fuzzy::shell_filter(&patterns));
        let name = self.table.inner.schema.hbase.full_name();
        limited(
            shell::commands(
                &name,
                &self.plan,
                filter.as_deref(),
                self.table.fuzzy_scan(&self.plan).as_ref(),
                max_bytes,
            )?,
            max_bytes,
        )
    }

    /// The comment above a query: its schema file, its predicate, and what it reads.
    #[doc(hidden)]
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
            let mut given: Vec<String> =
                runtime.given().map(|(name, given)| format!("`:{name}` is `{}`", given.text())).collect();
            given.dedup();
            lines.push(format!("when it runs: {}", given.join(", ")));
        }
        lines.push(self.summary());
        lines.extend(self.note_of_text());
        lines.extend(self.of_ranges.iter().map(ToString::to_string));
        lines.iter().map(|line| CommentLine::new(line)).collect()
    }

    /// The query that reads the plan through the mapping table, as an INSERT into the target table.
    ///
    /// # Errors
    /// The schema lacks one of the tables, Hive cannot run the plan correctly, or a partition would lose
    /// rows.
    pub fn hive_sql(&self, options: &QueryOptions) -> Result<Query, Error> {
        self.hive_sql_with(options, &Templates::new(None))
    }

    /// [`Planned::hive_sql`] with other templates.
    ///
    /// # Errors
    /// As [`Planned::hive_sql`], and errors of a template.
    pub fn hive_sql_with(&self, options: &QueryOptions, templates: &Templates) -> Result<Query, Error> {
        Ok(self.query(options, templates).map_err(PlanFault::from)?)
    }

    /// What the statement writes to; `None` for a bare query.
    ///
    /// # Errors
    /// As [`Planned::hive_sql`], where the INSERT is the reason.
    #[doc(hidden)]
    pub fn target(&self, options: &QueryOptions) -> Result<Option<Target>, Refusal> {
        hive::query::target(&self.table.inner.schema, &self.plan, options)
    }

    /// Which part of the schema's target, or of its partitions, the plan selects; `None` if it selects all of it, or there is no
    /// target.
    #[doc(hidden)]
    pub fn part_of_target(&self) -> Option<Part> {
        hive::query::part_of_target(&self.table.inner.schema, &self.plan)
    }

    /// The partitions of the schema's target whose rows the plan selects, with the value of each column; none if that is not known, or
    /// there is no target.
    #[doc(hidden)]
    pub fn partitions_of_target(&self) -> Vec<Vec<PartitionText>> {
        hive::query::partitions_of_target(&self.table.inner.schema, &self.plan)
    }

    /// The statement that compares the plan's rows with those of the target.
    ///
    /// # Errors
    /// As [`Planned::hive_sql`], or the plan selects only a part of the target's partitions.
    #[doc(hidden)]
    pub fn check(&self, options: &CheckOptions) -> Result<Check, RenderError> {
        let planned = self.for_statement(options.query.shape);
        hive::check::render(&self.table.inner.schema, &planned.plan, options)
    }

    /// The shell script with which HBase itself counts the plan's rows, and compares them with the number of the target's.
    ///
    /// # Errors
    /// As [`Planned::check`], keys are known only at run time, or some rows of the ranges are not of the plan.
    #[doc(hidden)]
    pub fn counted_by_hbase(&self, options: &CheckOptions) -> Result<String, Refusal> {
        self.check_known("HBase's RowCounter takes keys as they are")?;
        hive::check::counted_by_hbase(&self.table.inner.schema, &self.plan, options)
    }

    /// [`Planned::hive_sql_with`] for callers that tell the causes apart.
    ///
    /// # Errors
    /// As [`Planned::hive_sql`].
    #[doc(hidden)]
    pub fn query(&self, options: &QueryOptions, templates: &Templates) -> Result<Query, RenderError> {
        let planned = self.for_statement(options.shape);
        hive::query::render(&self.table.inner.schema, &planned.plan, options, templates)
    }
}

//! Rewrites a text: finds the references, applies the rules and the planner, and makes the splices.

mod guard;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use saltplan_core::hive::overlap::Overwrite;
use saltplan_core::messages::{Diagnostic, Diagnostics, Source, Span};
use saltplan_core::plans::{MaxWidening, PlanKind};
use saltplan_core::queries::{Budget, Engine, Query, QueryOptions, QueryShape, Templates};
use saltplan_core::refusal::Refusal;
use saltplan_core::render::RenderError;
use saltplan_core::table::{LogicalTable, PlanFault, TimeReading};
use saltplan_core::{Accept, PlanOptions, Planned, Table};
use saltplan_document::diag::DiagnosticKind;
use saltplan_sql::{Runtime, parse};

use crate::catalog::{Catalog, Entry, Found};
use crate::conditions;
use crate::meaning;
use crate::report::{Fate, Pruned, Reference, Refused, Rewritten, UnusedCondition, UsedCondition, WhyLeft};
use crate::rows::Facts;
use crate::rules::{self, Condition, Place, Rule, Unused, VIRTUAL_COLUMNS};
use crate::runtime::{RuntimeTexts, with_double_quotes};
use crate::skeleton::{Block, Relation, Skeleton, StatementKind, begins_query};
use crate::splice::{self, Splice};
use crate::tokens::{Fault, Kind, Tokens};
use crate::variables::Variables;

/// The maximum size of a text in bytes.
pub const MAX_BYTES: usize = 16 << 20;

/// How a text is rewritten.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    pub variables: Variables,
    /// Values that are filled in when the query runs, in the form of the key.
    pub runtime: Vec<Runtime>,
    /// The current database at the start of the script.
    pub database: Option<String>,
    /// `None` depends on the engine.
    pub shape: Option<QueryShape>,
    pub plan: PlanOptions,
    /// Accepts INSERT OVERWRITEs that can have no row.
    pub allow_empty: bool,
    /// Accepts those whose rows are only a part of what they replace in the target table of a schema.
    pub allow_partial: bool,
    /// Accepts those that replace what an earlier one of the script has written to the target table of a schema.
    pub allow_overlap: bool,
    /// The limits for each reference.
    pub budget: Budget,
    /// The maximum size in bytes of the text that replaces a reference.
    pub max_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            variables: Variables::default(),
            runtime: Vec::new(),
            database: None,
            shape: None,
            plan: PlanOptions::default(),
            allow_empty: false,
            allow_partial: false,
            allow_overlap: false,
            budget: Budget::default(),
            max_bytes: QueryOptions::default().max_bytes,
        }
    }
}

/// Rewrites a script. `name` is its name in messages.
///
/// # Errors
/// The text is too long or is not HiveQL, with the place.
pub fn rewrite(
    name: &str,
    text: &str,
    catalog: &Catalog,
    options: &Options,
) -> Result<Rewritten, Diagnostics> {
    if text.len() > MAX_BYTES {
        let diagnostic =
            Diagnostic::error(format!("`{name}` has {} bytes, but the limit is {MAX_BYTES}", text.len()));
        return Err(diagnostic.with_help("split it into several files").into());
    }
    if let Some(at) = text.find('\0') {
        return Err(with_zero(name, text, at).into());
    }
    if options.shape == Some(QueryShape::Statements) {
        let diagnostic =
            Diagnostic::error("the shape `statements` is several statements, which a query cannot contain");
        return Err(diagnostic.with_help("take the shape `auto`").into());
    }
    let mut variables = options.variables.clone();
    let own = variables.remove_those_set_in(text);
    let source = Source::new(name, with_double_quotes(variables.fill(text), &options.runtime));
    let tokens = Tokens::new(&source.text).map_err(|Fault { span, message, help }| {
        Diagnostics(vec![Diagnostic::error(message).at(&source, span, "here").with_help(help)])
    })?;
    let skeleton = Skeleton::new(&tokens);
    let rewriter = Rewriter {
        source: &source,
        tokens: &tokens,
        skeleton: &skeleton,
        catalog,
        options,
        runtime: RuntimeTexts::new(&options.runtime),
        references: Vec::new(),
        splices: Vec::new(),
        facts: Facts::default(),
        places: Vec::new(),
        overwrites: Vec::new(),
        refused: Vec::new(),
        notes: own.iter().map(|name| set_by_script(name)).collect(),
        redefined: BTreeSet::new(),
    };
    rewriter.run()
}

/// The error about a text in another encoding, with the position of the first byte that is not UTF-8.
pub fn not_utf8(name: &str, at: usize) -> Diagnostic {
    let diagnostic = Diagnostic::error(format!("`{name}` is not UTF-8 text (byte {at})"));
    diagnostic.with_help("save the file as UTF-8, for example with `iconv -t UTF-8`")
}

/// The error about a text with a character 0, which is mostly UTF-16: half of its bytes are 0, and it would pass as
/// UTF-8.
fn with_zero(name: &str, text: &str, at: usize) -> Diagnostic {
    let begin = &text.as_bytes()[..text.len().min(256)];
    if begin.iter().filter(|byte| **byte == 0).count() * 4 > begin.len() {
        return not_utf8(name, at);
    }
    let source = Source::new(name, text);
    Diagnostic::error(format!("`{name}` has a NUL character (byte {at})"))
        .at(&source, Span::new(at, at + 1), "here")
        .with_help("remove it: HiveQL has no such character")
}

fn set_by_script(name: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::note(format!("the script sets `{name}` itself, so the value from outside is not used"));
    diagnostic.with_help("remove the SET, or write the value into the query")
}

struct Rewriter<'a> {
    source: &'a Arc<Source>,
    tokens: &'a Tokens<'a>,
    skeleton: &'a Skeleton,
    catalog: &'a Catalog,
    options: &'a Options,
    runtime: RuntimeTexts,
    references: Vec<Reference>,
    splices: Vec<Splice>,
    /// What is known of the references of the present statement.
    facts: Facts,
    /// Where the present statement reads logical tables, and their positions in the catalog.
    places: Vec<(usize, usize)>,
    /// INSERT OVERWRITEs of target tables.
    overwrites: Vec<(Overwrite, Span)>,
    refused: Vec<Refused>,
    notes: Vec<Diagnostic>,
    /// Functions and tables that the script defines itself, in lower case.
    redefined: BTreeSet<String>,
}

/// What the ranges need above a statement, each once.
#[derive(Default)]
struct Above {
    /// `name=value` of SETs.
    settings: Vec<String>,
    /// `name=value` of SETs that are put back below it.
    restored: Vec<String>,
    /// Statements that fail if a value that is filled in does not have the form of the key.
    checks: Vec<String>,
}

/// The position of a statement among the others.
struct Session {
    database: Option<String>,
    /// What the SETs of the script have set.
    settings: BTreeMap<String, String>,
}

/// The properties of a statement that its references depend on.
struct Whole {
    makes_view: bool,
    /// Also true for a view, because queries may read it together with other tables.
    beside_tables: bool,
    /// Hive refuses it without its cost-based optimizer.
    needs_optimizer: bool,
    /// Has a CASE or an `if` that may return a text.
    chooses_text: bool,
    /// The engine of the references that were narrowed.
    engine: Option<Engine>,
    above: Above,
}

impl<'a> Rewriter<'a> {
    fn run(mut self) -> Result<Rewritten, Diagnostics> {
        let mut session = Session {
            database: self.options.database.as_ref().map(|name| name.to_lowercase()),
            settings: BTreeMap::new(),
        };
        let mut by_statement: Vec<Vec<&Block>> = vec![Vec::new(); self.skeleton.statements.len()];
        for block in &self.skeleton.blocks {
            by_statement[block.statement].push(block);
        }
        for (statement, blocks) in self.skeleton.statements.iter().zip(by_statement) {
            match &statement.kind {
                StatementKind::Unknown => return Err(self.unknown(statement.tokens.start).into()),
                StatementKind::Use(name) => session.database = name.map(|name| self.tokens.name(name)),
                StatementKind::Temporary(name) => {
                    let parts: Vec<String> = self.name_parts(name);
                    self.redefined.extend(parts.last().cloned());
                }
                StatementKind::Query | StatementKind::Other => {}
            }
            session.note_set(self.tokens, statement.tokens.start);
            let beside_tables = statement.makes_view || self.reads_several(&blocks);
            let mut whole = Whole {
                makes_view: statement.makes_view,
                beside_tables,
                needs_optimizer: self.needs_optimizer(&statement.tokens, &blocks),
                chooses_text: conditions::chooses_text(self.tokens, &statement.tokens),
                engine: None,
                above: Above::default(),
            };
            let first = self.references.len();
            for block in &blocks {
                self.block(block, &session, &mut whole);
            }
            self.inserts(statement, &blocks, &session, &mut whole, first);
            self.put_around(&statement.tokens, whole.above);
        }
        self.check_overlaps();
        self.references.sort_by_key(|reference| reference.span);
        self.splices.sort_by_key(|splice| splice.span);
        let text = splice::apply(&self.source.text, &self.splices);
        Ok(Rewritten {
            source: Arc::clone(self.source),
            text,
            splices: self.splices,
            references: self.references,
            overwrites: self.overwrites.into_iter().map(|(overwrite, _)| overwrite).collect(),
            refused: self.refused,
            notes: self.notes,
        })
    }

    fn unknown(&self, token: usize) -> Diagnostic {
        let span = self.tokens.span(token);
        let raw = self.tokens.raw(token);
        let diagnostic = Diagnostic::error("Hive has no statement that starts like this").at(
            self.source,
            span,
            "not understood",
        );
        let is_template = matches!(raw, "{" | "#" | "@" | "<");
        diagnostic.with_help(match is_template {
            true => "fill in the values of the template before rewriting it",
            false => "check for a missing or an extra semicolon",
        })
    }

    fn name_parts(&self, range: &Range<usize>) -> Vec<String> {
        range.clone().filter(|at| self.tokens.is_name(*at)).map(|at| self.tokens.name(at)).collect()
    }

    /// Whether a statement reads more than one table, or one more than once. A WITH query is read where its name is used.
    fn reads_several(&self, blocks: &[&Block]) -> bool {
        let mut queries = BTreeSet::new();
        let mut tables = 0;
        for block in blocks {
            if block.unclear.is_some() || block.relations.len() > 1 {
                return true;
            }
            let Some(relation) = block.relations.first().filter(|relation| relation.query.is_none()) else {
                continue;
            };
            match relation.name.as_slice() {
                [only] if self.skeleton.is_cte(block, &self.tokens.name(*only)) => {
                    if !queries.insert(self.tokens.name(*only)) {
                        return true;
                    }
                }
                _ => tables += 1,
            }
        }
        tables > 1
    }

    /// Whether Hive 2.3.9 and 3.1.3 run a statement with their cost-based optimizer alone: INTERSECT and EXCEPT, and subqueries
    /// other than one IN or EXISTS as a part of the AND of a WHERE.
    fn needs_optimizer(&self, statement: &Range<usize>, blocks: &[&Block]) -> bool {
        let t = self.tokens;
        let sources: BTreeSet<usize> =
            blocks.iter().flat_map(|block| &block.relations).filter_map(|relation| relation.query).collect();
        let is_hard = |block: &&Block| {
            let mut at = block.tokens.start;
            let mut queries = Vec::new();
            while at < block.tokens.end {
                let is_query = begins_query(t, at);
                if is_query && !sources.contains(&at) {
                    queries.push(at);
                }
                at = if is_query || sources.contains(&at) { t.after(at) } else { at + 1 };
            }
            match queries.as_slice() {
                [] => false,
                [open] => {
                    let filters = block.arms.iter().filter_map(|arm| arm.filter.as_ref());
                    let mut conditions = filters.flat_map(|filter| conditions::conjuncts(t, filter));
                    !conditions.any(|condition| conditions::is_simple_subquery(t, &condition, *open))
                }
                _ => true,
            }
        };
        statement.clone().any(|at| t.is_any(at, &["intersect", "except", "minus"]))
            || blocks.iter().any(is_hard)
    }

    fn block(&mut self, block: &'a Block, session: &Session, whole: &mut Whole) {
        if block.unclear.is_some() && block.relations.is_empty() {
            self.unread(block, session);
            return;
        }
        for (index, relation) in block.relations.iter().enumerate() {
            let Some(name) = relation.name_tokens() else { continue };
            let parts = self.name_parts(&name);
            if let [only] = parts.as_slice()
                && self.skeleton.is_cte(block, only)
            {
                continue;
            }
            let (position, is_certain) = match self.catalog.find(&parts, session.database.as_deref()) {
                Found::View(position) => (position, true),
                Found::Perhaps(position) => (position, false),
                Found::Mapping(position) => {
                    self.ranges_already(position, &name);
                    continue;
                }
                Found::Nothing => continue,
            };
            let entry = self.catalog.entry(position);
            let Some(logical) = entry.table.logical() else { continue };
            self.places.push((self.tokens.place(&name).start, position));
            let alias = match relation.alias {
                Some(alias) => self.tokens.name(alias),
                None => parts.last().cloned().unwrap_or_default(),
            };
            let mut reference = Reference {
                span: self.tokens.place(&name),
                alias,
                schema: entry.table.file_name(),
                used: Vec::new(),
                unused: Vec::new(),
                fate: Fate::Left(WhyLeft::NoCondition),
            };
            let obstacle = self.obstacle(block, relation, &parts, &logical, is_certain);
            reference.fate = match obstacle {
                Some(why) => Fate::Left(why),
                None => self.prune(block, index, entry, &logical, &mut reference, whole),
            };
            self.references.push(reference);
        }
    }

    /// The names of tables in a part of a text whose structure is not understood.
    fn unread(&mut self, block: &Block, session: &Session) {
        let t = self.tokens;
        let Some((_, why)) = block.unclear else { return };
        for at in block.tokens.clone() {
            let is_source = at > 0 && (t.is_any(at - 1, &["from", "join"]) || t.is_sign(at - 1, ","));
            if !is_source || !t.is_name(at) {
                continue;
            }
            let end = if t.is_sign(at + 1, ".") && t.is_name(at + 2) { at + 3 } else { at + 1 };
            let (Found::View(position) | Found::Perhaps(position)) =
                self.catalog.find(&self.name_parts(&(at..end)), session.database.as_deref())
            else {
                continue;
            };
            self.references.push(Reference {
                span: t.place(&(at..end)),
                alias: String::new(),
                schema: self.catalog.entry(position).table.file_name(),
                used: Vec::new(),
                unused: Vec::new(),
                fate: Fate::Left(WhyLeft::construct(
                    why,
                    "split the query, with WITH or an intermediate table",
                )),
            });
        }
    }

    fn ranges_already(&mut self, position: usize, name: &Range<usize>) {
        let entry = self.catalog.entry(position);
        let Some(logical) = entry.table.logical() else { return };
        let message =
            format!("the query reads the mapping table `{}`, which is not rewritten", logical.mapping);
        if self.notes.iter().any(|note| note.message == message) {
            return;
        }
        let view = logical
            .database
            .map_or(logical.view.to_string(), |database| format!("{database}.{}", logical.view));
        let diagnostic = Diagnostic::note(message).at(self.source, self.tokens.place(name), "here first");
        self.notes.push(diagnostic.with_help(format!(
            "only queries on `{view}` are rewritten; a file that was rewritten before needs no change"
        )));
    }

    /// Why a reference cannot be replaced, regardless of its conditions.
    fn obstacle(
        &self,
        block: &Block,
        relation: &Relation,
        parts: &[String],
        logical: &LogicalTable<'_>,
        is_certain: bool,
    ) -> Option<WhyLeft> {
        if !is_certain {
            return Some(WhyLeft::construct(
                "the current database of the query is not known",
                format!(
                    "write `{}.{}`, or set the current database",
                    logical.database.unwrap_or_default(),
                    logical.view
                ),
            ));
        }
        if parts.last().is_some_and(|name| self.redefined.contains(name)) {
            return Some(WhyLeft::construct(
                "the script creates a temporary table of that name",
                "give the temporary table another name",
            ));
        }
        if let Some((token, reason)) = block.unclear {
            let (line, _) = self.source.line_column(self.tokens.span(token).start);
            return Some(WhyLeft::construct(
                format!("{reason}, at line {line}"),
                "split the query, with WITH or an intermediate table",
            ));
        }
        if let Some(reason) = relation.fixed {
            return Some(WhyLeft::construct(
                reason,
                "read the table in a subquery, and do the rest outside it",
            ));
        }
        let t = self.tokens;
        let statement = self.skeleton.statements.get(block.statement)?.tokens.clone();
        for at in block.tokens.clone() {
            if t.is_name(at) && VIRTUAL_COLUMNS.contains(&t.name(at).as_str()) {
                return Some(WhyLeft::construct(
                    format!("a subquery has no `{}`", t.raw(at)),
                    "remove it, or read the mapping table",
                ));
            }
        }
        if let [database, name] = parts {
            let is_long = |at: usize| {
                t.is_name(at)
                    && t.is_sign(at + 1, ".")
                    && t.is_name(at + 2)
                    && t.is_sign(at + 3, ".")
                    && t.name(at) == *database
                    && t.name(at + 2) == *name
            };
            if let Some(at) = statement.clone().find(|at| is_long(*at)) {
                return Some(WhyLeft::construct(
                    format!("`{}.{}.…` cannot name a column of a subquery", t.raw(at), t.raw(at + 2)),
                    format!("use the alias, such as `{name}.column`"),
                ));
            }
        }
        None
    }

    fn prune(
        &mut self,
        block: &'a Block,
        relation: usize,
        entry: &'a Entry,
        logical: &LogicalTable<'_>,
        reference: &mut Reference,
        whole: &mut Whole,
    ) -> Fate {
        let alias = reference.alias.clone();
        let rules = rules::Reference {
            tokens: self.tokens,
            block,
            relation,
            alias: &alias,
            table: logical,
            is_unique: self.is_unique(block, &alias),
            redefined: &self.redefined,
            runtime: &self.runtime,
        };
        let mut conditions = rules.conditions();
        let is_filtered_late = conditions.iter().any(|condition| rules.is_filtered_late(condition));
        let planned = match is_filtered_late {
            true => Err(WhyLeft::construct(
                "the ON of a join after an outer join tests it, and Hive on MapReduce may then keep rows that this ON excludes",
                "move that condition to the WHERE, or to the ON of the outer join",
            )),
            false => {
                self.drop_other_meanings(logical, &mut conditions);
                self.plan(&entry.table, block, &mut conditions)
            }
        };
        for condition in &conditions {
            let span = self.tokens.place(&condition.tokens);
            match &condition.fate {
                Ok(()) => {
                    let place = if matches!(condition.place, Place::On(_)) { "ON" } else { "WHERE" };
                    reference.used.push(UsedCondition { span, place });
                }
                Err(why) => reference.unused.push(UnusedCondition { span, why: why.clone() }),
            }
        }
        let (predicate, planned) = match planned {
            Ok(planned) => planned,
            Err(why) => return Fate::Left(why),
        };
        self.add_facts(block, reference.span, &conditions, entry, &planned);
        let query = match self.query(&planned, entry, whole) {
            Ok(query) => query,
            Err(why) => return Fate::Left(why),
        };
        whole.engine = Some(entry.engine);
        if whole.makes_view && whole.chooses_text {
            let diagnostic = Diagnostic::note(
                "vectorized Hive 3.1.3 may return wrong texts from a CASE or an `if` over this table, and a view keeps no SET",
            );
            let diagnostic = diagnostic.at(self.source, reference.span, "for this table");
            self.notes.push(
                diagnostic.with_help(
                    "run the queries of the view with `SET hive.vectorized.execution.enabled=false`",
                ),
            );
        }
        let mut text = splice::bracketed(query.subquery(), &self.source.text, reference.span.start);
        let of_block = &block.relations[relation];
        if of_block.alias.is_none()
            && let Some(last) = of_block.name.last()
        {
            text.push(' ');
            text.push_str(self.tokens.raw(*last));
        }
        self.splices.push(Splice { span: reference.span, text });
        for warning in &query.warnings {
            self.notes.push(Diagnostic::from(warning).at(self.source, reference.span, "for this table"));
        }
        for setting in &query.settings {
            if !whole.above.settings.contains(setting) {
                whole.above.settings.push(setting.clone());
            }
        }
        if let Some(check) = query.check()
            && whole.above.checks.iter().all(|known| known != check)
        {
            whole.above.checks.push(check.to_string());
        }
        let is_empty = planned.plan().kind == PlanKind::Empty;
        if is_empty {
            let diagnostic =
                Diagnostic::note("no row can satisfy the conditions on this table, so nothing is read");
            self.notes.push(diagnostic.at(self.source, reference.span, "reads nothing"));
        }
        Fate::Pruned(Pruned {
            predicate,
            summary: ranges_of(&planned),
            cost: query.cost.to_string(),
            ranges: planned.plan().branches.len(),
            shape: query.shape,
            is_empty,
            settings: query.settings,
        })
    }

    /// The ranges of a reference as a query.
    fn query(&self, planned: &Planned<'_>, entry: &Entry, whole: &Whole) -> Result<Query, WhyLeft> {
        let mut options = QueryOptions::default();
        options.engine = entry.engine;
        options.shape = self.options.shape;
        options.select_only = true;
        options.logical = true;
        options.ranges_only = true;
        options.beside_tables = whole.beside_tables;
        options.beside_case = whole.chooses_text && !whole.makes_view;
        options.max_bytes = self.options.max_bytes;
        options.budget = self.options.budget;
        let query = match planned.query(&options, &Templates::new(None)) {
            Ok(query) => query,
            Err(RenderError::Refused(refusal)) => return Err(WhyLeft::Refused(Box::new(refusal))),
            Err(error) => return Err(WhyLeft::construct(error.to_string(), "report this")),
        };
        if whole.needs_optimizer && query.shape == QueryShape::Isolated {
            return Err(WhyLeft::construct(
                "ranges in jobs of their own switch off Hive's cost-based optimizer, without which Hive refuses a subquery or an INTERSECT of the statement",
                "make a table of the rows first, or join with the subquery",
            ));
        }
        if whole.makes_view && !query.settings.is_empty() {
            return Err(WhyLeft::construct(
                format!("the ranges need `SET {}`, which a view does not keep", query.settings.join("; ")),
                "create a table instead of the view, or rewrite the queries that use the view",
            ));
        }
        Ok(query)
    }

    fn is_unique(&self, block: &Block, alias: &str) -> bool {
        let of_relations = block.relations.iter().filter(|relation| {
            let token = relation.alias.or(relation.name.last().copied());
            token.is_some_and(|token| self.tokens.name(token) == alias)
        });
        of_relations.count() == 1 && !block.lateral_views.iter().any(|view| view == alias)
    }

    /// The plan for the conditions that may narrow a reference. Conditions that the planner does not
    /// understand are not used.
    fn plan<'t>(
        &self,
        table: &'t Table,
        block: &Block,
        conditions: &mut [Condition],
    ) -> Result<(String, Planned<'t>), WhyLeft> {
        let accept = Accept::default().empty(true);
        let options = self.options.plan.clone().accepting(accept);
        // Each round removes conditions. Conditions that the planner does not understand individually are
        // removed once.
        let mut are_read = false;
        for _ in 0..4 {
            let Some(predicate) = self.predicate(block, conditions) else {
                return Err(match conditions.iter().any(|condition| condition.fate.is_ok()) {
                    true => WhyLeft::construct(
                        "an INSERT of the query has no condition that narrows the table, so it needs every row",
                        "add a condition on the first fields of the key to each INSERT, or split the query",
                    ),
                    false => WhyLeft::NoCondition,
                });
            };
            match table.try_plan(&predicate, &self.runtime.parameters(&predicate), &options) {
                Ok(planned) if are_read || !is_unfilled(&planned) => return Ok((predicate, planned)),
                Err(PlanFault::Refused(Refusal::NeedsValue { reason, .. })) => {
                    self.drop_later(conditions, &reason);
                }
                Err(PlanFault::Refused(refusal)) => return Err(WhyLeft::Refused(Box::new(refusal))),
                _ if !are_read => {
                    self.drop_unread(table, conditions);
                    are_read = true;
                }
                _ => self.drop_later(conditions, "the conditions are not understood together"),
            }
        }
        Err(WhyLeft::construct(
            "the planner does not understand the combination of its conditions",
            "write them in a simpler form",
        ))
    }

    /// Marks the conditions with a value that is filled in too late for a plan.
    fn drop_later(&self, conditions: &mut [Condition], why: &str) {
        for condition in conditions.iter_mut().filter(|condition| condition.fate.is_ok()) {
            if self.runtime.is_in(self.tokens, &condition.tokens) {
                condition.fate = Err(Unused { rule: Rule::Plain, reason: too_late(why) });
            }
        }
    }

    /// Marks the conditions in which Hive compares dates and times otherwise than the planner.
    fn drop_other_meanings(&self, table: &LogicalTable<'_>, conditions: &mut [Condition]) {
        let hive_type = |name: &str| {
            let mut columns = table.columns.iter().filter(|column| column.time == TimeReading::Time);
            columns.find(|column| column.name.eq_ignore_ascii_case(name)).map(|column| column.hive_type)
        };
        for condition in conditions.iter_mut().filter(|condition| condition.fate.is_ok()) {
            let text = self.text_of(&condition.tokens);
            let parsed = parse(&Source::new("condition", text.as_str()), &self.runtime.parameters(&text));
            // What is not understood is not used anyway.
            let fault = parsed.ok().and_then(|parsed| meaning::fault(&parsed.tree, &hive_type));
            if let Some(reason) = fault {
                condition.fate = Err(Unused { rule: Rule::Plain, reason });
            }
        }
    }

    /// Marks the conditions that the planner does not understand individually.
    fn drop_unread(&self, table: &Table, conditions: &mut [Condition]) {
        let options = PlanOptions::default().accepting(Accept::ALL).with_max_widening(MaxWidening::Any);
        for condition in conditions.iter_mut().filter(|condition| condition.fate.is_ok()) {
            let text = self.text_of(&condition.tokens);
            let reason = match table.try_plan(&text, &self.runtime.parameters(&text), &options) {
                Ok(planned) if is_unfilled(&planned) => {
                    "it contains a placeholder whose value is not known".to_string()
                }
                Ok(_) | Err(PlanFault::Refused(_)) => continue,
                Err(PlanFault::Invalid(diagnostics)) => {
                    let message = diagnostics.0.first().map_or("", |first| &first.message);
                    match self.runtime.is_in(self.tokens, &condition.tokens) {
                        true => too_late(message.rsplit(": ").next().unwrap_or_default()),
                        false => format!("the planner does not understand it: {message}"),
                    }
                }
                Err(error) => format!("the planner does not understand it: {error}"),
            };
            condition.fate = Err(Unused { rule: Rule::Plain, reason });
        }
    }

    /// The conditions that may narrow a reference, as one predicate. With several arms, a row is needed if
    /// any arm needs it.
    fn predicate(&self, block: &Block, conditions: &[Condition]) -> Option<String> {
        let all_of = |place: &dyn Fn(Place) -> bool| {
            let texts = conditions
                .iter()
                .filter(|condition| condition.fate.is_ok() && place(condition.place))
                .map(|condition| format!("({})", self.text_of(&condition.tokens)));
            let texts: Vec<String> = texts.collect();
            (!texts.is_empty()).then(|| texts.join(" AND "))
        };
        let of_joins = all_of(&|place| matches!(place, Place::On(_)));
        let arms: Option<Vec<String>> =
            (0..block.arms.len()).map(|arm| all_of(&|place| place == Place::Where(arm))).collect();
        let of_arms = match arms {
            Some(arms) if arms.len() == 1 => arms.into_iter().next(),
            Some(arms) if !arms.is_empty() => {
                let arms: Vec<String> = arms.into_iter().map(|arm| format!("({arm})")).collect();
                Some(format!("({})", arms.join(" OR ")))
            }
            // An arm without a condition needs every row.
            _ => None,
        };
        let parts: Vec<String> = of_joins.into_iter().chain(of_arms).collect();
        (!parts.is_empty()).then(|| parts.join(" AND "))
    }

    /// A condition for the planner: without aliases, comments and line breaks. Adjacent literals stay
    /// separated, because Hive joins two literals with a doubled quote in between.
    fn text_of(&self, range: &Range<usize>) -> String {
        let t = self.tokens;
        let mut text = String::new();
        let mut at = range.start;
        while at < range.end {
            let is_qualified =
                t.is_name(at) && t.is_sign(at + 1, ".") && t.is_name(at + 2) && at + 2 < range.end;
            if is_qualified {
                at += 2;
            }
            let is_close =
                t.kind(at) == Some(Kind::Sign) && [")", ","].contains(&t.raw(at)) || text.ends_with('(');
            if !text.is_empty() && !is_close && !(t.is_sign(at, "(") && t.touch(at.saturating_sub(1))) {
                text.push(' ');
            }
            if let Some(name) = self.runtime.parameter(t, at) {
                text.push_str(&format!(":{name}"));
                at += 1;
                continue;
            }
            // A name such as `date` is not a type without its table.
            match is_qualified && t.kind(at) == Some(Kind::Word) && conditions::is_keyword(t, at) {
                true => text.push_str(&format!("`{}`", t.raw(at))),
                false => text.push_str(t.raw(at)),
            }
            at += 1;
        }
        text
    }
}

/// Why a condition with a value that is filled in later is not used.
fn too_late(why: &str) -> String {
    format!("its value must be known when the query is rewritten: {why}")
}

/// Whether a literal is a placeholder that was not filled in.
fn is_unfilled(planned: &Planned<'_>) -> bool {
    planned.warnings().iter().any(|diagnostic| diagnostic.kind == DiagnosticKind::Unfilled)
}

/// The summary of what is read, without residuals, which the query checks itself.
fn ranges_of(planned: &Planned<'_>) -> String {
    if planned.plan().kind == PlanKind::Empty {
        return "nothing".into();
    }
    let summary = planned.summary();
    summary.rsplit_once(", ").map_or(summary.clone(), |(ranges, last)| match last.contains("residual") {
        true => ranges.to_string(),
        false => summary.clone(),
    })
}

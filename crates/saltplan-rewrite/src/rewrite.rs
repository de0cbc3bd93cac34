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
use saltplan_core::table::{LogicalColumn, LogicalTable, PlanFault, TimeReading};
use saltplan_core::{Accept, PlanOptions, Planned, Table};
use saltplan_document::diag::DiagnosticKind;
use saltplan_sql::{Runtime, parse};

use crate::catalog::{Catalog, Entry, Found};
use crate::conditions;
use crate::facts::BlockFacts;
use crate::meaning;
use crate::never;
use crate::report::{Fate, Pruned, Reference, Refused, Rewritten, UnusedCondition, UsedCondition, WhyLeft};
use crate::rows::Facts;
use crate::rules::{self, Condition, Place, Rule, Unused};
use crate::runtime::{RuntimeTexts, with_double_quotes};
use crate::skeleton::{self, Block, Relation, Skeleton, StatementKind, begins_query};
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
        line_end: splice::line_end_of(&source.text),
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
    line_end: &'static str,
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
    /// The first place of each `database.table.…`, by the two names.
    long_names: BTreeMap<(String, String), usize>,
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
            let is_query =
                |block: &&&Block| block.unclear.is_none_or(|(_, why)| why != skeleton::CHANGES_ROWS);
            let queries: Vec<&Block> = blocks.iter().filter(is_query).copied().collect();
            let beside_tables = statement.makes_view || self.reads_several(&queries);
            let mut whole = Whole {
                makes_view: statement.makes_view,
                beside_tables,
                needs_optimizer: self.needs_optimizer(&statement.tokens, &queries),
                chooses_text: conditions::chooses_text(self.tokens, &statement.tokens),
                long_names: self.long_names(&statement.tokens),
                engine: None,
                above: Above::default(),
            };
            self.other_file(statement.tokens.start);
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

    /// The first place of each `database.table.column`.
    fn long_names(&self, statement: &Range<usize>) -> BTreeMap<(String, String), usize> {
        let t = self.tokens;
        let is_long = |at: &usize| {
            t.is_sign(at + 1, ".")
                && t.is_sign(at + 3, ".")
                && t.is_name(*at)
                && t.is_name(at + 2)
                && t.is_name(at + 4)
        };
        let mut names = BTreeMap::new();
        for at in statement.clone().filter(is_long) {
            names.entry((t.name(at), t.name(at + 2))).or_insert(at);
        }
        names
    }

    /// Notes that a command runs another file.
    fn other_file(&mut self, token: usize) {
        if self.tokens.kind(token) != Some(Kind::Command) {
            return;
        }
        let mut words = self.tokens.raw(token).split_whitespace();
        let is_run = words
            .next()
            .is_some_and(|word| ["!run", "source"].iter().any(|run| word.eq_ignore_ascii_case(run)));
        if let Some(file) = words.next().filter(|_| is_run) {
            let diagnostic = Diagnostic::note(format!("the queries of `{file}` are not rewritten here"));
            let diagnostic = diagnostic.at(self.source, self.tokens.span(token), "runs another file");
            self.notes.push(diagnostic.with_help("rewrite that file, too, and run the new one"));
        }
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
        if block.unclear.is_some() {
            self.unread(block, session);
        }
        let mut facts = None;
        let mut tables: BTreeMap<String, &'a Table> = BTreeMap::new();
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
            let facts = facts.get_or_insert_with(|| BlockFacts::new(self.tokens, block));
            if is_certain && facts.is_unique(&reference.alias) {
                tables.insert(reference.alias.clone(), &entry.table);
            }
            let obstacle = self.obstacle(facts, relation, &parts, &logical, is_certain, whole);
            reference.fate = match obstacle {
                Some(why) => Fate::Left(why),
                None => self.prune(facts, index, entry, &logical, &mut reference, whole),
            };
            self.references.push(reference);
        }
        self.warn_of_foreign(block, &tables);
    }

    /// Warns of constants that Hive does not read as a value of their column, while a predicate of saltplan takes them.
    fn warn_of_foreign(&mut self, block: &Block, tables: &BTreeMap<String, &Table>) {
        let t = self.tokens;
        let logical: BTreeMap<&str, LogicalTable<'_>> =
            tables.iter().filter_map(|(alias, table)| Some((alias.as_str(), table.logical()?))).collect();
        let by_name: BTreeMap<(&str, String), &LogicalColumn<'_>> = logical
            .iter()
            .flat_map(|(alias, table)| {
                table.columns.iter().map(move |column| ((*alias, column.name.to_lowercase()), column))
            })
            .collect();
        let is_only = block.relations.len() == 1 && block.lateral_views.is_empty();
        let only = logical.keys().next().copied().filter(|_| is_only);
        let column = |parts: &[usize]| {
            let (alias, name) = match parts {
                [name] => (only?.to_string(), t.name(*name)),
                [table, name, ..] => (t.name(*table), t.name(*name)),
                [] => return None,
            };
            let (alias, _) = logical.get_key_value(alias.as_str())?;
            Some((*alias, *by_name.get(&(*alias, name))?))
        };
        if by_name.is_empty() {
            return;
        }
        for ((alias, column), foreign) in never::foreign(t, &block.tokens, &column) {
            let spelled = tables.get(alias).and_then(|table| table.in_type_of(column, &foreign.constant));
            let help = match spelled {
                Some(value) => {
                    format!("write `{value}`; only `saltplan plan` reads {} as this value", foreign.constant)
                }
                None => "write a value of the type of the column".into(),
            };
            let warning =
                Diagnostic::warning(foreign.message).at(self.source, foreign.span, "of another type");
            self.notes.push(warning.with_help(help));
        }
    }

    /// The names of tables in a part of a text whose structure is not understood.
    fn unread(&mut self, block: &Block, session: &Session) {
        let t = self.tokens;
        let Some((unclear, why)) = block.unclear else { return };
        let changes_rows = why == skeleton::CHANGES_ROWS;
        let is_whole = block.relations.is_empty();
        // Subqueries of a MERGE, and behind relations that are understood, are blocks of their own.
        let has_blocks = changes_rows || !is_whole;
        let known: BTreeSet<usize> =
            block.relations.iter().filter_map(|relation| relation.name.first().copied()).collect();
        let is_clause = |at: usize| t.is_any(at, &["where", "group", "having", "order", "select", "insert"]);
        let range = match is_whole {
            true => block.tokens.clone(),
            false => unclear..t.until(unclear..block.tokens.end, is_clause),
        };
        let help = match changes_rows {
            true => "read it in a subquery with conditions, such as `USING (SELECT … WHERE …)`",
            false => "split the query, with WITH or an intermediate table",
        };
        let mut at = range.start;
        let mut is_source = false;
        while at < range.end {
            let here = at;
            let is_query = has_blocks && begins_query(t, at);
            at = if is_query { t.after(at) } else { at + 1 };
            let is_name = is_source && t.is_name(here);
            // A name may be in brackets. The table of a DELETE is written.
            let is_target = here > 0 && t.is_word(here - 1, "delete");
            is_source = t.is_any(here, &["from", "join", "using"]) && !is_target
                || t.is_sign(here, ",")
                || is_source && t.is_sign(here, "(");
            if !is_name || is_query || known.contains(&here) {
                continue;
            }
            let at = here;
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
                fate: Fate::Left(WhyLeft::construct(why, help)),
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
        facts: &BlockFacts<'_>,
        relation: &Relation,
        parts: &[String],
        logical: &LogicalTable<'_>,
        is_certain: bool,
        whole: &Whole,
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
        if let Some((token, reason)) = facts.block.unclear {
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
        if let Some(at) = facts.virtual_column {
            return Some(WhyLeft::construct(
                format!("a subquery has no `{}`", t.raw(at)),
                "remove it, or read the mapping table",
            ));
        }
        if let [database, name] = parts
            && let Some(at) = whole.long_names.get(&(database.clone(), name.clone()))
        {
            return Some(WhyLeft::construct(
                format!("`{}.{}.…` cannot name a column of a subquery", t.raw(*at), t.raw(at + 2)),
                format!("use the alias, such as `{name}.column`"),
            ));
        }
        None
    }

    fn prune(
        &mut self,
        facts: &BlockFacts<'_>,
        relation: usize,
        entry: &'a Entry,
        logical: &LogicalTable<'_>,
        reference: &mut Reference,
        whole: &mut Whole,
    ) -> Fate {
        let alias = reference.alias.clone();
        let block = facts.block;
        let rules = rules::Reference {
            tokens: self.tokens,
            block,
            facts,
            relation,
            alias: &alias,
            table: logical,
            is_unique: facts.is_unique(&alias) && !block.lateral_views.contains(&alias),
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
        let planned = planned.for_statement(self.options.shape);
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
        let mut text =
            splice::bracketed(query.subquery(), &self.source.text, reference.span.start, self.line_end);
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
        let mut last = String::new();
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
                planned => {
                    if let Err(PlanFault::Invalid(Diagnostics(found))) = planned {
                        last = found.first().map_or(String::new(), |first| format!(": {}", first.message));
                    }
                    match are_read {
                        false => self.drop_unread(table, conditions),
                        true => self.drop_later(conditions, "the conditions are not understood together"),
                    }
                    are_read = true;
                }
            }
        }
        Err(WhyLeft::construct(
            format!("the planner does not understand the combination of its conditions{last}"),
            "write them in a simpler form, or split the query",
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
            columns
                .find(|column| column.name.eq_ignore_ascii_case(name))
                .and_then(|column| column.hive_type.primitive())
        };
        let fault = |text: &str| {
            let parsed = parse(&Source::new("condition", text), &self.runtime.parameters(text));
            // What is not understood is not used anyway.
            parsed.ok().and_then(|parsed| meaning::fault(&parsed.tree, &hive_type))
        };
        let mut known = BTreeMap::new();
        for condition in conditions.iter_mut().filter(|condition| condition.fate.is_ok()) {
            let text = self.text_of(&condition.tokens);
            let fault = known.entry(text).or_insert_with_key(|text| fault(text));
            if let Some(reason) = fault.clone() {
                condition.fate = Err(Unused { rule: Rule::Plain, reason });
            }
        }
    }

    /// Marks the conditions that the planner does not understand individually.
    fn drop_unread(&self, table: &Table, conditions: &mut [Condition]) {
        let options = PlanOptions::default().accepting(Accept::ALL).with_max_widening(MaxWidening::Any);
        let fault =
            |text: &str, is_later: bool| match table.try_plan(text, &self.runtime.parameters(text), &options)
            {
                Ok(planned) if is_unfilled(&planned) => {
                    Some("it contains a placeholder whose value is not known".to_string())
                }
                Ok(_) | Err(PlanFault::Refused(_)) => None,
                Err(PlanFault::Invalid(diagnostics)) => {
                    let message = diagnostics.0.first().map_or("", |first| &first.message);
                    Some(match is_later {
                        true => too_late(message.rsplit(": ").next().unwrap_or_default()),
                        false => format!("the planner does not understand it: {message}"),
                    })
                }
                Err(error) => Some(format!("the planner does not understand it: {error}")),
            };
        // Equal inserts have equal conditions.
        let mut known: BTreeMap<(String, bool), Option<String>> = BTreeMap::new();
        for condition in conditions.iter_mut().filter(|condition| condition.fate.is_ok()) {
            let is_later = self.runtime.is_in(self.tokens, &condition.tokens);
            let text = (self.text_of(&condition.tokens), is_later);
            let reason = known.entry(text).or_insert_with_key(|(text, is_later)| fault(text, *is_later));
            if let Some(reason) = reason.clone() {
                condition.fate = Err(Unused { rule: Rule::Plain, reason });
            }
        }
    }

    /// The conditions that may narrow a reference, as one predicate. With several arms, a row is needed if
    /// any arm needs it.
    fn predicate(&self, block: &Block, conditions: &[Condition]) -> Option<String> {
        let mut of_joins = Vec::new();
        let mut of_arms: Vec<Vec<String>> = vec![Vec::new(); block.arms.len()];
        for condition in conditions.iter().filter(|condition| condition.fate.is_ok()) {
            let text = format!("({})", self.text_of(&condition.tokens));
            match condition.place {
                Place::On(_) => of_joins.push(text),
                Place::Where(arm) => of_arms[arm].push(text),
            }
        }
        let of_joins = Some(of_joins).filter(|texts| !texts.is_empty()).map(|texts| texts.join(" AND "));
        let is_known = of_arms.iter().all(|arm| !arm.is_empty());
        let mut seen = BTreeSet::new();
        // Inserts often have the same condition, which is enough once.
        let mut of_arms: Vec<String> = of_arms.into_iter().map(|arm| arm.join(" AND ")).collect();
        of_arms.retain(|arm| seen.insert(arm.clone()));
        let of_arms = match of_arms.as_slice() {
            // An arm without a condition needs every row.
            _ if !is_known => None,
            [] => None,
            [only] => Some(only.clone()),
            arms => {
                let arms: Vec<String> = arms.iter().map(|arm| format!("({arm})")).collect();
                Some(format!("({})", arms.join(" OR ")))
            }
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

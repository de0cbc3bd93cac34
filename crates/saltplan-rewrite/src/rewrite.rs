//! Rewrites a text: finds the references, applies the rules and the planner, and makes the splices.

mod equalities;
mod guard;
mod inward;
mod optimizer;
mod places;
mod predicate;
mod prune;
mod uses;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use saltplan_core::hive::overlap::Overwrite;
use saltplan_core::messages::{Diagnostic, Source, Span};
use saltplan_core::queries::{Budget, Engine, QueryOptions, QueryShape};
use saltplan_core::table::LogicalColumn;
use saltplan_core::{Error, PlanOptions};
use saltplan_sql::Runtime;
use saltplan_sql::ast::{Column, Name};
use saltplan_sql::script::{Block, Script, Statement, StatementKind, Tokens, WhyUnclear};
use saltplan_sql::statement::{self as printed, Setting};

use crate::catalog::{Catalog, Named};
use crate::changed::ChangedTables;
use crate::conditions::chooses_text;
use crate::facts::BlockFacts;
use crate::inserts::fills_target;
use crate::names::Owner;
use crate::never;
use crate::report::{Fate, Reference, Refused, Rewritten, WhyLeft};
use crate::rows::{Fact, Facts};
use crate::rules;
use crate::runtime::{RuntimeTexts, with_double_quotes};
use crate::scope::{Certainty, KnownTable, ResolvedSource, Scope};
use crate::shell_script;
use crate::splice::{self, Splice};
use crate::variables::{Now, Variables};
use optimizer::needs_optimizer;

/// The maximum size of a text in bytes.
pub const MAX_BYTES: usize = 16 << 20;

/// How a text is rewritten.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    pub variables: Variables,
    /// Values that are filled in when the query runs, in the form of the key: the script fails if they have another form. Of other
    /// values that are known when the query runs, such a form makes the query read all keys.
    pub runtime: Vec<Runtime>,
    /// The time at which the script is taken to run; `None` leaves it to Hive's clock.
    pub now: Option<Now>,
    /// The current database at the start of the script.
    pub database: Option<String>,
    /// `None` depends on the engine.
    pub shape: Option<QueryShape>,
    /// The limits of each plan. Full scans are left as they are written, and empty plans are planned, whatever it accepts.
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
    /// The maximum size in bytes of the texts that replace all references: a script of 16 MiB can have 400,000 of them.
    pub max_bytes_in_all: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            variables: Variables::default(),
            runtime: Vec::new(),
            now: None,
            database: None,
            shape: None,
            plan: PlanOptions::default(),
            allow_empty: false,
            allow_partial: false,
            allow_overlap: false,
            budget: Budget::default(),
            max_bytes: QueryOptions::default().max_bytes,
            max_bytes_in_all: 64 << 20,
        }
    }
}

/// Rewrites a script. `name` is its name in messages.
///
/// # Errors
/// The text is too long or is not HiveQL, with the place.
pub fn rewrite(name: &str, text: &str, catalog: &Catalog, options: &Options) -> Result<Rewritten, Error> {
    if text.len() > MAX_BYTES {
        let diagnostic =
            Diagnostic::error(format!("`{name}` has {} bytes, but the limit is {MAX_BYTES}", text.len()));
        return Err(diagnostic.with_help("split it into several files").into());
    }
    if let Some(at) = text.find('\0') {
        return Err(with_zero(name, text, at).into());
    }
    shell_script::refuse(name, text)?;
    let mut variables = options.variables.clone();
    let own = variables.remove_those_set_in(text);
    let filled = variables.fill(text);
    let filled = match &options.now {
        Some(now) => now.fill(filled),
        None => filled,
    };
    let source = Source::new(name, with_double_quotes(filled, &options.runtime));
    let runtime = RuntimeTexts::new(&options.runtime);
    let script = Script::read(&source, runtime.names()).map_err(|fault| fault.diagnostic(&source))?;
    let rewriter = Rewriter {
        source: &source,
        tokens: &script.tokens,
        script: &script,
        catalog,
        options,
        runtime,
        references: Vec::new(),
        splices: Vec::new(),
        facts: Facts::default(),
        places: Vec::new(),
        fills_target: false,
        overwrites: Vec::new(),
        refused: Vec::new(),
        notes: own.iter().map(|name| set_by_script(name)).collect(),
        noted: BTreeSet::new(),
        noted_keys: BTreeSet::new(),
        noted_names: BTreeSet::new(),
        redefined: BTreeSet::new(),
        line_end: splice::line_end_of(&source.text),
        room: options.max_bytes_in_all,
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
    script: &'a Script<'a>,
    catalog: &'a Catalog,
    options: &'a Options,
    runtime: RuntimeTexts,
    references: Vec<Reference>,
    splices: Vec<Splice>,
    /// What is known of the references of the present statement.
    facts: Facts,
    /// Where the present statement reads tables with a schema, and their positions in the catalog.
    places: Vec<(usize, usize)>,
    /// Whether the present statement overwrites the target table of a schema.
    fills_target: bool,
    /// INSERT OVERWRITEs of target tables.
    overwrites: Vec<(Overwrite, Span)>,
    refused: Vec<Refused>,
    notes: Vec<Diagnostic>,
    /// Mapping tables that the script reads as they are, by their positions in the catalog.
    noted: BTreeSet<usize>,
    /// Mapping tables that were narrowed.
    noted_keys: BTreeSet<usize>,
    /// Names of tables that are not recognised, in lower case.
    noted_names: BTreeSet<Vec<String>>,
    /// Functions and tables that the script defines itself, in lower case.
    redefined: BTreeSet<String>,
    line_end: &'static str,
    /// How many bytes the ranges of further references may have.
    room: usize,
}

/// What the ranges need above a statement, each once.
#[derive(Default)]
struct Above {
    settings: Vec<Setting>,
    /// Settings that are put back below it.
    restored: Vec<Setting>,
    /// Statements that fail if a value that is filled in does not have the form of the key.
    checks: Vec<printed::Statement>,
}

/// The position of a statement among the others.
struct Session {
    database: Option<String>,
    /// The tables that the script has changed so far.
    changed: Rc<ChangedTables>,
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

impl Rewriter<'_> {
    fn run(mut self) -> Result<Rewritten, Error> {
        let mut session = Session {
            database: self.options.database.as_ref().map(|name| name.to_lowercase()),
            changed: Rc::default(),
            settings: BTreeMap::new(),
        };
        let script = self.script;
        let names = self.catalog.names();
        // Both parts of a name may be between one pair of backquotes.
        let is_known = |name: &str| name.rsplit('.').next().is_some_and(|name| names.contains(name));
        for tokens in script.statement_tokens() {
            let mut own = tokens.clone();
            // Most statements have nothing to do with the schemas.
            let statement = match own.any(|at| self.tokens.is_name(at) && is_known(&self.tokens.name(at))) {
                true => script.statement(tokens),
                false => script.outline(tokens),
            };
            self.statement(&statement, &mut session)?;
            let is_own = |name: &str, statement: &str| self.catalog.creates(name, statement);
            let database = session.database.as_deref();
            Rc::make_mut(&mut session.changed).add(self.tokens, tokens, database, &is_own);
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

    fn statement(&mut self, statement: &Statement, session: &mut Session) -> Result<(), Error> {
        match &statement.kind {
            StatementKind::Unknown => return Err(self.unknown(statement.tokens.start).into()),
            StatementKind::Use(name) => session.database.clone_from(name),
            StatementKind::Temporary(name) => self.redefined.extend(name.last().cloned()),
            StatementKind::Command(token) => {
                session.note_set(self.tokens, *token);
                self.other_file(*token);
            }
            StatementKind::Query | StatementKind::Other => {}
        }
        let changed = Rc::clone(&session.changed);
        let scope = Scope::new(self.catalog, &changed, session.database.as_deref(), statement);
        let mut whole = Whole {
            makes_view: statement.makes_view,
            beside_tables: statement.makes_view || reads_several(statement),
            needs_optimizer: needs_optimizer(&scope),
            chooses_text: chooses_text(self.tokens, statement),
            long_names: self.long_names(&statement.tokens),
            engine: None,
            above: Above::default(),
        };
        self.fills_target = fills_target(statement, self.catalog, session.database.as_deref());
        let first = self.references.len();
        let facts = self.facts_of_blocks(&scope);
        for (index, facts) in facts.iter().enumerate() {
            self.block(&scope, index, facts.as_ref(), session, &mut whole);
        }
        self.inserts(&scope, &facts, session, &mut whole, first);
        self.put_around(&statement.tokens, whole.above);
        Ok(())
    }

    fn unknown(&self, token: usize) -> Diagnostic {
        let span = self.tokens.span(token);
        let raw = self.tokens.raw(token);
        let diagnostic = Diagnostic::error("Hive has no statement that starts like this").at(
            self.source,
            span,
            "not understood",
        );
        let is_template = raw.starts_with(['{', '#', '@', '<', '$']);
        diagnostic.with_help(match is_template {
            true => "fill in the values of the template before rewriting it",
            false => "check for a missing or an extra semicolon",
        })
    }

    /// The first place of each `database.table.column`, among the tokens: not every part of a statement is read as a tree.
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

    fn block(
        &mut self,
        scope: &Scope<'_>,
        index: usize,
        facts: Option<&BlockFacts<'_>>,
        session: &Session,
        whole: &mut Whole,
    ) {
        let block = &scope.statement.blocks[index];
        if let Some(unclear) = block.unclear {
            self.unread(block, unclear, session);
        }
        let mut has_table = false;
        for (relation, source) in scope.sources(index).iter().enumerate() {
            let of_block = &block.relations[relation];
            let Some((name, tokens)) = of_block.table() else { continue };
            let (position, certainty) = match source {
                ResolvedSource::Table { position, certainty } => (*position, *certainty),
                ResolvedSource::Other => {
                    self.note_unrecognised(name, tokens, session);
                    continue;
                }
                _ => continue,
            };
            let catalog = self.catalog;
            let entry = catalog.entry(position);
            let is_mapping = entry.named == Named::Mapping;
            if is_mapping && certainty == Certainty::OtherDatabase {
                self.perhaps_mapping(position, tokens);
                self.places.push((self.tokens.place(tokens).start, position));
                continue;
            }
            if is_mapping && (facts.is_none() || block.unclear.is_some()) {
                self.ranges_already(position, tokens);
            }
            let (Some(table), Some(facts)) = (scope.table(position), facts) else { continue };
            has_table |= !is_mapping;
            let span = self.tokens.place(tokens);
            let mut reference = Reference {
                span,
                alias: of_block.alias().unwrap_or_default(),
                schema: entry.table.file_name(),
                used: Vec::new(),
                unused: Vec::new(),
                pieces: Vec::new(),
                fate: Fate::Left(WhyLeft::NoCondition),
            };
            let parts: Vec<String> = name.iter().map(Name::lower).collect();
            let obstacle = self.obstacle(facts, of_block, &parts, &table.logical, certainty);
            reference.fate = match (obstacle, self.no_subquery(facts, of_block, &parts, whole)) {
                (Some(why), _) => Fate::Left(why),
                (None, Some(why)) => {
                    if self.is_never(facts, relation, position) {
                        for arm in 0..block.arms.len() {
                            let fact = Fact { is_empty: true, ..Fact::default() };
                            self.facts.add(span.start, arm, fact);
                        }
                    }
                    Fate::Left(why)
                }
                (None, None) => self.prune(facts, relation, entry, table, &mut reference, whole),
            };
            self.places.push((span.start, position));
            if is_mapping && reference.pieces.is_empty() && certainty != Certainty::Changed {
                self.ranges_already(position, tokens);
                continue;
            }
            if is_mapping && reference.is_pruned() {
                self.only_fitting_keys(position, tokens);
            }
            self.references.push(reference);
        }
        if has_table {
            self.warn_of_foreign(scope, index);
        }
    }

    /// The rules for a relation of a block; `table` is `None` if it is a query.
    fn rules_of<'r, 'f, 'b>(
        &'r self,
        facts: &'f BlockFacts<'b>,
        relation: usize,
        table: Option<&'r KnownTable<'b>>,
    ) -> rules::Reference<'r, 'f, 'b> {
        let (redefined, runtime) = (&self.redefined, &self.runtime);
        rules::Reference { script: self.script, facts, relation, table, redefined, runtime }
    }

    /// A column of a table with a schema, with the position of that schema.
    fn typed_column<'s>(
        &self,
        scope: &'s Scope<'_>,
        index: usize,
        column: &Column,
    ) -> Option<(usize, &'s LogicalColumn<'s>)> {
        let Owner::Relation(relation) = scope.owner(index, column) else { return None };
        let ResolvedSource::Table { position, certainty: Certainty::Certain } =
            scope.sources(index)[relation]
        else {
            return None;
        };
        Some((position, scope.table(position)?.column(&column.name.to_lowercase())?))
    }

    /// Warns of constants that Hive does not read as a value of their column, while a predicate of saltplan takes them.
    fn warn_of_foreign(&mut self, scope: &Scope<'_>, index: usize) {
        let column = |column: &Column| self.typed_column(scope, index, column);
        let text = &self.source.text;
        for ((position, column), foreign) in never::foreign(text, &scope.statement.blocks[index], &column) {
            let span = foreign.constant.span;
            let spelled = self.catalog.entry(position).table.in_type_of(column, foreign.constant);
            let help = match spelled {
                Some(value) => {
                    let constant = &text[span.start..span.end];
                    format!("write `{value}`; only `saltplan plan` reads {constant} as this value")
                }
                None => "write a value of the type of the column".into(),
            };
            let warning = Diagnostic::warning(foreign.message).at(self.source, span, "of another type");
            self.notes.push(warning.with_help(help));
        }
    }
}

/// Whether a statement reads more than one table, or one more than once. A WITH query is read where its name is used.
fn reads_several(statement: &Statement) -> bool {
    let mut queries = BTreeSet::new();
    let mut tables = 0;
    let changes_rows =
        |block: &&Block| block.unclear.is_some_and(|unclear| unclear.why == WhyUnclear::ChangesRows);
    for block in statement.blocks.iter().filter(|block| !changes_rows(block)) {
        if block.unclear.is_some() || block.relations.len() > 1 {
            return true;
        }
        let Some(relation) = block.relations.first().filter(|relation| !relation.is_query()) else {
            continue;
        };
        let name = match relation.table() {
            Some(([only], _)) => Some(only.lower()),
            _ => None,
        };
        match name.filter(|name| statement.is_cte(block, name)) {
            Some(name) if queries.contains(&name) => return true,
            Some(name) => drop(queries.insert(name)),
            None => tables += 1,
        }
    }
    tables > 1
}

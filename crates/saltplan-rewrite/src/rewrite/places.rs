//! References that cannot be replaced: parts of a text that are not understood, and constructs that a subquery does not have.

use std::collections::BTreeSet;
use std::ops::Range;

use saltplan_core::messages::Diagnostic;
use saltplan_core::table::LogicalTable;
use saltplan_sql::ast::Name;
use saltplan_sql::script::{Block, Fixed, Relation, Unclear, WhyUnclear, begins_query};

use super::{Rewriter, Session, Whole};
use crate::catalog::Found;
use crate::facts::BlockFacts;
use crate::names::has_columns_of_source;
use crate::report::{Fate, Reference, WhyLeft};
use crate::scope::Certainty;

impl Rewriter<'_> {
    /// The names of tables in a part of a text whose structure is not understood, and of which there are only tokens.
    pub(super) fn unread(&mut self, block: &Block, unclear: Unclear, session: &Session) {
        let t = self.tokens;
        let Unclear { token: unclear, why } = unclear;
        let changes_rows = why == WhyUnclear::ChangesRows;
        let is_whole = block.relations.is_empty();
        // Subqueries of a MERGE, and behind relations that are understood, are blocks of their own.
        let has_blocks = changes_rows || !is_whole;
        let known: BTreeSet<usize> =
            block.relations.iter().filter_map(|relation| Some(relation.table()?.1.start)).collect();
        let is_clause = |at: usize| t.is_any(at, &["where", "group", "having", "order", "select", "insert"]);
        let range = match is_whole {
            true => block.tokens.clone(),
            false => unclear..t.until(unclear..block.tokens.end, is_clause),
        };
        let help = match changes_rows {
            true => "read it in a subquery with conditions, such as `USING (SELECT … WHERE …)`",
            false => "split the query, with WITH or an intermediate table",
        };
        let names = |range: Range<usize>| -> Vec<String> {
            range.filter(|at| t.is_name(*at)).map(|at| t.name(at)).collect()
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
            let (Found::Table(position) | Found::Perhaps(position)) =
                self.catalog.find(&names(at..end), session.database.as_deref())
            else {
                continue;
            };
            self.references.push(Reference {
                span: t.place(&(at..end)),
                alias: String::new(),
                schema: self.catalog.entry(position).table.file_name(),
                used: Vec::new(),
                unused: Vec::new(),
                pieces: Vec::new(),
                fate: Fate::Left(WhyLeft::construct(reason(why), help)),
            });
        }
    }

    /// Notes that a mapping table is read without a condition on a piece of its key.
    pub(super) fn ranges_already(&mut self, position: usize, name: &Range<usize>) {
        let Some(mapping) = self.catalog.entry(position).relation() else { return };
        if !self.noted.insert(position) {
            return;
        }
        let message = format!(
            "the query reads the mapping table `{}`, and has no condition on a piece of its row key",
            mapping.mapping
        );
        let help = "a file that was rewritten before needs no change; others need a condition such as `substr(rowkey, 4, 8) = '20200406'`";
        self.note_here(message, name, help);
    }

    /// Notes that a table may be a mapping table.
    pub(super) fn perhaps_mapping(&mut self, position: usize, name: &Range<usize>) {
        let Some(mapping) = self.catalog.entry(position).relation() else { return };
        if !self.noted.insert(position) {
            return;
        }
        let message = format!(
            "the current database of the query is not known, so that this may be the mapping table `{}` or another one: it is left as it is",
            mapping.mapping
        );
        let help = format!("write `{}`, or set the current database", mapping.mapping);
        self.note_here(message, name, help);
    }

    /// Notes that a name may be meant for a table with a schema.
    pub(super) fn note_unrecognised(&mut self, name: &[Name], tokens: &Range<usize>, session: &Session) {
        let parts: Vec<String> = name.iter().map(Name::lower).collect();
        let Some((message, help)) = self.catalog.unrecognised(&parts, session.database.as_deref()) else {
            return;
        };
        if self.noted_names.insert(parts) {
            self.note_here(message, tokens, help);
        }
    }

    /// Notes that a mapping table that is narrowed shows no other keys any more.
    pub(super) fn only_fitting_keys(&mut self, position: usize, name: &Range<usize>) {
        let Some(mapping) = self.catalog.entry(position).relation() else { return };
        if !self.noted_keys.insert(position) {
            return;
        }
        let message = format!(
            "of `{}` only row keys that fit the layout of the schema are read: a piece of any other key is not found",
            mapping.mapping
        );
        self.note_here(message, name, "look for wrong keys with `saltplan verify`");
    }

    /// Adds a note at the first place that it is about.
    fn note_here(&mut self, message: String, name: &Range<usize>, help: impl Into<String>) {
        let note = Diagnostic::note(message).at(self.source, self.tokens.place(name), "here first");
        self.notes.push(note.with_help(help));
    }

    /// Why it is not known what a reference reads.
    pub(super) fn obstacle(
        &self,
        facts: &BlockFacts<'_>,
        relation: &Relation,
        parts: &[String],
        logical: &LogicalTable<'_>,
        certainty: Certainty,
    ) -> Option<WhyLeft> {
        if certainty == Certainty::OtherDatabase {
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
        if certainty == Certainty::Changed {
            return Some(WhyLeft::construct(
                "the script creates, drops, alters or renames a table of that name before, or drops its database",
                "give the other table another name, or make the change in a script of its own",
            ));
        }
        if let Some(Unclear { token, why }) = facts.block.unclear {
            let (line, _) = self.source.line_column(self.tokens.span(token).start);
            return Some(WhyLeft::construct(
                format!("{}, at line {line}", reason(why)),
                "split the query, with WITH or an intermediate table",
            ));
        }
        relation.fixed.filter(|_| !has_columns_of_source(relation)).map(left_fixed)
    }

    /// Why a subquery cannot take the place of a reference, whose conditions are nevertheless those of the table.
    pub(super) fn no_subquery(
        &self,
        facts: &BlockFacts<'_>,
        relation: &Relation,
        parts: &[String],
        whole: &Whole,
    ) -> Option<WhyLeft> {
        if let Some(fixed) = relation.fixed {
            return Some(left_fixed(fixed));
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
}

fn left_fixed(fixed: Fixed) -> WhyLeft {
    WhyLeft::construct(why_fixed(fixed), "read the table in a subquery, and do the rest outside it")
}

fn reason(why: WhyUnclear) -> &'static str {
    match why {
        WhyUnclear::NotUnderstood => "the query is not understood here",
        WhyUnclear::TooDeep => "subqueries are nested too deeply",
        WhyUnclear::ChangesRows => "a MERGE, UPDATE or DELETE is not rewritten",
    }
}

pub(super) fn why_fixed(fixed: Fixed) -> &'static str {
    match fixed {
        Fixed::Parentheses => "the parentheses after the name are not understood",
        Fixed::TableFunction => "a table function reads it before any condition applies",
        Fixed::Sample => "TABLESAMPLE takes its sample before any condition applies",
        Fixed::Partition => "a subquery cannot have PARTITION (…)",
        Fixed::Version => "the query reads a version of the table",
        Fixed::ColumnNames => "the alias gives its columns other names",
    }
}

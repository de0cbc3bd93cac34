//! What all references of a query block share. It is found once, so that the time is linear in their number.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use saltplan_core::messages::Span;
use saltplan_sql::ast::{Column, Name, Node, QueryId};
use saltplan_sql::script::{Block, Join, JoinKind, Relation, Statement, Tokens};

use crate::conditions::{columns, conjuncts, subqueries};
use crate::rules::{Place, VIRTUAL_COLUMNS};

/// A condition of a block, about any of its relations.
#[derive(Debug)]
pub struct Candidate<'b> {
    pub node: &'b Node,
    pub place: Place,
    pub columns: Vec<(&'b Column, Span)>,
    /// Columns in its subqueries that none of their own relations has by alias.
    pub of_subqueries: Vec<&'b Column>,
}

#[derive(Debug)]
pub struct BlockFacts<'b> {
    pub block: &'b Block,
    /// The conjuncts of every ON, then those of every WHERE.
    candidates: Vec<Candidate<'b>>,
    /// The indices of the conditions with columns behind each alias, in lower case.
    by_alias: BTreeMap<String, Vec<usize>>,
    /// How many relations have a name, in lower case.
    named: BTreeMap<String, usize>,
    /// The aliases of lateral views, in lower case.
    views: BTreeSet<String>,
    /// For each relation the innermost join that can replace its columns with NULLs.
    nulled_by: Vec<Option<usize>>,
    /// Whether each relation is on the right side of a semi or an anti join.
    right_of_semi_join: Vec<bool>,
    /// The first virtual column of Hive.
    pub virtual_column: Option<usize>,
}

impl<'b> BlockFacts<'b> {
    pub fn new(tokens: &Tokens<'_>, statement: &'b Statement, block: &'b Block) -> Self {
        let ons =
            block.joins.iter().enumerate().filter_map(|(at, join)| Some((join.on.as_ref()?, Place::On(at))));
        let filters = block
            .arms
            .iter()
            .enumerate()
            .filter_map(|(at, arm)| Some((arm.filter.as_ref()?, Place::Where(at))));
        let parts = ons
            .chain(filters)
            .flat_map(|(condition, place)| conjuncts(condition).into_iter().map(move |node| (node, place)));
        let candidates: Vec<Candidate<'b>> = parts
            .map(|(node, place)| {
                let queries = subqueries(node);
                let of_subqueries =
                    queries.into_iter().flat_map(|query| outer_columns(statement, query)).collect();
                Candidate { columns: columns(node), node, place, of_subqueries }
            })
            .collect();
        let mut by_alias: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, candidate) in candidates.iter().enumerate() {
            let own = candidate.columns.iter().map(|(column, _)| *column);
            for table in own.chain(candidate.of_subqueries.iter().copied()).filter_map(alias_of) {
                let of_alias = by_alias.entry(table).or_default();
                if of_alias.last() != Some(&index) {
                    of_alias.push(index);
                }
            }
        }
        let mut named = BTreeMap::new();
        for name in block.relations.iter().filter_map(Relation::alias) {
            *named.entry(name).or_default() += 1;
        }
        let is_semi = |join: &Join| match join.kind {
            JoinKind::Semi | JoinKind::Anti => join.middle..join.end,
            _ => 0..0,
        };
        let nulled = |join: &Join| match join.kind {
            JoinKind::Left => join.middle..join.end,
            JoinKind::Right => join.first..join.middle,
            JoinKind::Full => join.first..join.end,
            JoinKind::Inner | JoinKind::Semi | JoinKind::Anti => 0..0,
        };
        let is_virtual =
            |at: &usize| tokens.is_name(*at) && VIRTUAL_COLUMNS.contains(&tokens.name(*at).as_str());
        BlockFacts {
            block,
            nulled_by: innermost(block, nulled),
            right_of_semi_join: innermost(block, is_semi).iter().map(Option::is_some).collect(),
            virtual_column: block.tokens.clone().find(is_virtual),
            views: block.lateral_views.iter().filter_map(|view| view.alias.clone()).collect(),
            candidates,
            by_alias,
            named,
        }
    }

    /// The conditions with a column behind an alias, or all of them.
    pub fn candidates(&self, alias: &str, all: bool) -> impl Iterator<Item = &Candidate<'b>> {
        let of_alias = self.by_alias.get(alias).filter(|_| !all).into_iter().flatten();
        let all = if all { self.candidates.as_slice() } else { &[] };
        all.iter().chain(of_alias.map(|index| &self.candidates[*index]))
    }

    /// Whether only one relation, and no lateral view, has a name.
    pub fn is_unique(&self, name: &str) -> bool {
        self.named.get(name) == Some(&1) && !self.views.contains(name)
    }

    pub fn nulled_by(&self, relation: usize) -> Option<usize> {
        self.nulled_by.get(relation).copied().flatten()
    }

    pub fn is_right_of_semi_join(&self, relation: usize) -> bool {
        self.right_of_semi_join.get(relation) == Some(&true)
    }
}

/// The first name before a column, in lower case.
pub fn alias_of(column: &Column) -> Option<String> {
    column.qualifier.first().map(Name::lower)
}

/// The columns in a query that no relation in it has by alias: they may be those of the query around it.
fn outer_columns(statement: &Statement, query: QueryId) -> Vec<&Column> {
    let blocks = &statement.blocks[statement.query(query).blocks.clone()];
    let own: BTreeSet<String> =
        blocks.iter().flat_map(|block| &block.relations).filter_map(Relation::alias).collect();
    let all = blocks.iter().flat_map(Block::expressions).flat_map(columns).map(|(column, _)| column);
    all.filter(|column| alias_of(column).is_none_or(|alias| !own.contains(&alias))).collect()
}

/// For each relation the first of the joins, from the inside out, that concerns it.
fn innermost(block: &Block, concerns: impl Fn(&Join) -> Range<usize>) -> Vec<Option<usize>> {
    let count = block.relations.len();
    let mut found = vec![None; count];
    // The next relation without a join, at or after each one: joins are nested, so every relation is visited once.
    let mut next: Vec<usize> = (0..=count).collect();
    for (index, join) in block.joins.iter().enumerate() {
        let range = concerns(join);
        let mut at = first_free(&mut next, range.start.min(count));
        while at < range.end.min(count) {
            found[at] = Some(index);
            next[at] = at + 1;
            at = first_free(&mut next, at);
        }
    }
    found
}

/// Follows the links to the next free place, and shortens them.
fn first_free(next: &mut [usize], start: usize) -> usize {
    let mut free = start;
    while next[free] != free {
        free = next[free];
    }
    let mut at = start;
    while next[at] != at {
        at = std::mem::replace(&mut next[at], free);
    }
    free
}

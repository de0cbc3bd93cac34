//! What all references of a query block share. It is found once, so that the time is linear in their number.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use saltplan_core::messages::Span;
use saltplan_sql::ast::{Column, Expr, Name, Node, QueryId};
use saltplan_sql::script::{Arm, Block, Join, JoinKind, Relation, SelectValue, Statement, Tokens};

use crate::around::{Origin, Pushed};
use crate::barriers::{canonical, group_keys};
use crate::conditions::{columns, conjuncts, subqueries};
use crate::names::Owner;
use crate::outputs::ColumnType;
use crate::rows::has_aggregate;
use crate::rules::{ConditionPlace, Unused, VIRTUAL_COLUMNS};
use crate::scope::Scope;

/// A column that several relations have is listed for no more relations than this.
const MAX_SHARED: usize = 8;

/// A condition of a block, about any of its relations.
#[derive(Debug)]
pub struct Candidate<'b> {
    pub node: Cow<'b, Node>,
    pub place: ConditionPlace,
    /// Where it is written: several places if it follows from conditions on several uses of a query.
    pub origins: Rc<[Origin]>,
    /// Whether it is only a part of what is written there.
    pub is_part: bool,
    pub columns: Vec<(Owner, Span)>,
    /// Why it cannot be used.
    pub blocked: Option<Unused>,
    /// Whether it holds for one of several uses of the block's rows, so that another one may need more rows.
    pub of_several: bool,
}

/// A condition on one column.
#[derive(Debug, Clone)]
pub struct OnColumn {
    pub node: Node,
    pub place: ConditionPlace,
    pub origins: Rc<[Origin]>,
    pub of_several: bool,
    /// Whether it may narrow the relation of the column.
    pub narrows: bool,
    /// Why it cannot be used.
    pub blocked: Option<Unused>,
}

#[derive(Debug)]
pub struct BlockFacts<'b> {
    pub scope: &'b Scope<'b>,
    /// The index of the block in its statement.
    pub index: usize,
    pub block: &'b Block,
    /// The conjuncts of every ON, of every WHERE, of every HAVING, and those from the queries around the block.
    candidates: Vec<Candidate<'b>>,
    /// For each relation the indices of the conditions about it.
    by_relation: Vec<Vec<usize>>,
    /// For each relation the innermost join that can replace its columns with NULLs.
    nulled_by: Vec<Option<usize>>,
    /// Whether each relation is on the right side of a semi or an anti join.
    right_of_semi_join: Vec<bool>,
    /// The first virtual column of Hive.
    pub virtual_column: Option<usize>,
}

impl<'b> BlockFacts<'b> {
    /// `around` are the conditions from the queries around the block.
    pub fn new(tokens: &Tokens<'_>, scope: &'b Scope<'b>, index: usize, around: Vec<Pushed>) -> Self {
        let block = &scope.statement.blocks[index];
        let ons = block
            .joins
            .iter()
            .enumerate()
            .filter_map(|(at, join)| Some((join.on.as_ref()?, ConditionPlace::On(at))));
        let filters = block
            .arms
            .iter()
            .enumerate()
            .filter_map(|(at, arm)| Some((arm.filter.as_ref()?, ConditionPlace::Where(at))));
        let parts = ons
            .chain(filters)
            .flat_map(|(condition, place)| conjuncts(condition).into_iter().map(move |node| (node, place)));
        let own = parts.chain(conditions_on_groups(scope, index)).map(|(node, place)| Candidate {
            columns: Vec::new(),
            node: Cow::Borrowed(node),
            place,
            origins: Rc::new([Origin { span: node.span, place: place.word() }]),
            is_part: false,
            blocked: None,
            of_several: false,
        });
        let around = around.into_iter().map(|pushed| Candidate {
            columns: Vec::new(),
            node: Cow::Owned(pushed.node),
            place: ConditionPlace::Around,
            origins: pushed.origins,
            is_part: pushed.is_part,
            blocked: pushed.blocked,
            of_several: pushed.of_several,
        });
        let mut candidates: Vec<Candidate<'b>> = Vec::new();
        let mut by_relation = vec![Vec::new(); block.relations.len()];
        for candidate in own.chain(around) {
            let own = columns(&candidate.node);
            let queries = subqueries(&candidate.node).into_iter();
            let of_subqueries = queries.flat_map(|query| outer_columns(scope.statement, query));
            // A plain name in a subquery is mostly a column of the subquery's own tables.
            let is_only = block.relations.len() == 1;
            let of_subqueries = of_subqueries.filter(|column| is_only || !column.qualifier.is_empty());
            for column in own.iter().map(|(column, _)| *column).chain(of_subqueries) {
                for relation in relations_of(scope, index, column) {
                    let of_relation: &mut Vec<usize> = &mut by_relation[*relation];
                    if of_relation.last() != Some(&candidates.len()) {
                        of_relation.push(candidates.len());
                    }
                }
            }
            // Nothing shows which table a condition is about that stopped at the select list: it is listed with each.
            if candidate.blocked.is_some() && own.iter().all(|(column, _)| column.name.is_empty()) {
                by_relation.iter_mut().take(MAX_SHARED).for_each(|indices| indices.push(candidates.len()));
            }
            let owners = own.iter().map(|(column, span)| (scope.owner(index, column), *span)).collect();
            candidates.push(Candidate { columns: owners, ..candidate });
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
        // Among the tokens, since not every part of a block is read as a tree.
        let is_virtual =
            |at: &usize| tokens.is_name(*at) && VIRTUAL_COLUMNS.contains(&tokens.name(*at).as_str());
        BlockFacts {
            scope,
            index,
            block,
            nulled_by: innermost(block, nulled),
            right_of_semi_join: innermost(block, is_semi).iter().map(Option::is_some).collect(),
            virtual_column: block.tokens.clone().find(is_virtual),
            candidates,
            by_relation,
        }
    }

    /// The conditions about a relation.
    pub fn about(&self, relation: usize) -> impl Iterator<Item = &Candidate<'b>> {
        self.by_relation[relation].iter().map(|index| &self.candidates[*index])
    }

    pub fn candidates(&self) -> &[Candidate<'b>] {
        &self.candidates
    }

    /// Adds a condition about one relation that follows from others.
    pub fn add(&mut self, relation: usize, condition: OnColumn) {
        let OnColumn { node, place, origins, of_several, blocked, .. } = condition;
        let owners = columns(&node).iter().map(|(_, span)| (Owner::Relation(relation), *span)).collect();
        self.by_relation[relation].push(self.candidates.len());
        self.candidates.push(Candidate {
            node: Cow::Owned(node),
            place,
            origins,
            is_part: false,
            columns: owners,
            blocked,
            of_several,
        });
    }

    /// The type of a column of a relation, by its name in lower case.
    pub fn type_of(&self, relation: usize, name: &str) -> ColumnType {
        self.scope.known_type(self.scope.sources(self.index)[relation], name)
    }

    pub fn owner(&self, column: &Column) -> Owner {
        self.scope.owner(self.index, column)
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

/// The conjuncts of HAVING that test columns of the GROUP BY only, so that they could stand in the WHERE.
fn conditions_on_groups<'b>(scope: &Scope<'b>, index: usize) -> Vec<(&'b Node, ConditionPlace)> {
    let mut found = Vec::new();
    for (at, arm) in scope.statement.blocks[index].arms.iter().enumerate() {
        let has_sets = arm.group_by.as_ref().is_some_and(|group| group.has_sets);
        let (Some(having), Some(keys), false) = (&arm.having, group_keys(scope, index, arm), has_sets) else {
            continue;
        };
        let aliases = Aliases::new(scope, index, arm);
        let tests_keys = |condition: &&Node| {
            let tests_key = |column: &Column| {
                keys.contains(&canonical(scope, index, &Expr::Column(column.clone()).into()))
                    && !aliases.hide(scope, index, column)
            };
            !has_aggregate(condition)
                && subqueries(condition).is_empty()
                && columns(condition).iter().all(|(column, _)| tests_key(column))
        };
        found.extend(
            conjuncts(having).into_iter().filter(tests_keys).map(|node| (node, ConditionPlace::Having(at))),
        );
    }
    found
}

/// The names that a select list gives its items.
struct Aliases(HashMap<String, Node>);

impl Aliases {
    fn new(scope: &Scope<'_>, index: usize, arm: &Arm) -> Self {
        let mut names = HashMap::new();
        for item in arm.select.iter().flat_map(|select| &select.items) {
            if let (SelectValue::Expr(node), [alias]) = (&item.value, item.aliases.as_slice()) {
                names.insert(alias.lower(), canonical(scope, index, node));
            }
        }
        Aliases(names)
    }

    /// Whether an item of the SELECT list has the name of this unqualified column, but is another expression.
    fn hide(&self, scope: &Scope<'_>, index: usize, column: &Column) -> bool {
        let item = self.0.get(&column.name.to_lowercase()).filter(|_| column.qualifier.is_empty());
        item.is_some_and(|item| *item != canonical(scope, index, &Expr::Column(column.clone()).into()))
    }
}

/// The relations of a block that a column may be about.
fn relations_of<'b>(scope: &'b Scope<'_>, block: usize, column: &Column) -> &'b [usize] {
    let names = scope.names(block);
    let relations = match column.qualifier.first() {
        Some(alias) => names.with_alias(&alias.lower()),
        None => names.with_column(&column.name.to_lowercase()),
    };
    if relations.len() > MAX_SHARED { &[] } else { relations }
}

/// The columns in a query that no relation in it has by alias: they may be those of the query around it.
fn outer_columns(statement: &Statement, query: QueryId) -> Vec<&Column> {
    let blocks = &statement.blocks[statement.query(query).blocks.clone()];
    let own: HashSet<String> =
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

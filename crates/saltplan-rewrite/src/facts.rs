//! What all references of a query block share. It is found once, so that the time is linear in their number.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use saltplan_core::messages::Span;
use saltplan_sql::ast::{Column, Expr, Name, Node, QueryId};
use saltplan_sql::rewrite::replace;
use saltplan_sql::script::{Arm, Block, Join, JoinKind, Relation, SelectValue, Statement, Tokens};

use crate::around::{Origin, Pushed};
use crate::barriers::{Keys, canonical, group_keys};
use crate::conditions::{columns, conjuncts, implied, subqueries};
use crate::names::Owner;
use crate::outputs::ColumnType;
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
        let candidate = |node: Cow<'b, Node>, span, place: ConditionPlace, is_part| Candidate {
            columns: Vec::new(),
            node,
            place,
            origins: Rc::new([Origin { span, place: place.word() }]),
            is_part,
            blocked: None,
            of_several: false,
        };
        let own = parts.map(|(node, place)| candidate(Cow::Borrowed(node), node.span, place, false));
        let of_groups = conditions_on_groups(scope, index).into_iter();
        let own =
            own.chain(of_groups.map(|on| candidate(Cow::Owned(on.node), on.span, on.place, on.is_part)));
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

/// A condition of HAVING that could stand in the WHERE.
struct OnGroups {
    node: Node,
    /// The conjunct that says it.
    span: Span,
    place: ConditionPlace,
    is_part: bool,
}

/// What the conjuncts of HAVING say of the keys of the GROUP BY alone.
fn conditions_on_groups(scope: &Scope<'_>, index: usize) -> Vec<OnGroups> {
    let mut found = Vec::new();
    for (at, arm) in scope.statement.blocks[index].arms.iter().enumerate() {
        let has_sets = arm.group_by.as_ref().is_some_and(|group| group.has_sets);
        let (Some(having), Some(keys), false) = (&arm.having, group_keys(scope, index, arm), has_sets) else {
            continue;
        };
        let names = GroupNames { scope, index, keys, aliases: aliases(arm) };
        for condition in conjuncts(having) {
            let mut is_part = false;
            let of_keys = implied(condition, &mut |part| {
                let of_keys = names.on_keys(part);
                is_part |= of_keys.is_none();
                of_keys
            });
            let (span, place) = (condition.span, ConditionPlace::Having(at));
            found.extend(of_keys.map(|node| OnGroups { node, span, place, is_part }));
        }
    }
    found
}

/// The items of a select list by the names that it gives them; `None` if a name is given to several.
fn aliases(arm: &Arm) -> HashMap<String, Option<&Node>> {
    let mut names = HashMap::new();
    for item in arm.select.iter().flat_map(|select| &select.items) {
        if let (SelectValue::Expr(node), [alias]) = (&item.value, item.aliases.as_slice()) {
            names.entry(alias.lower()).and_modify(|item| *item = None).or_insert(Some(node));
        }
    }
    names
}

/// What names mean in a HAVING.
struct GroupNames<'b> {
    scope: &'b Scope<'b>,
    index: usize,
    keys: Keys,
    aliases: HashMap<String, Option<&'b Node>>,
}

impl GroupNames<'_> {
    /// A condition of HAVING as one on the columns of the FROM, if it tests keys of the GROUP BY alone.
    fn on_keys(&self, condition: &Node) -> Option<Node> {
        let mut node = condition.clone();
        let mut is_known = true;
        replace(&mut node, &mut |part| match &part.expr {
            // Hive looks for a name among the keys first, then in the select list.
            Expr::Column(_) => {
                let item = self.item(part)?;
                let is_key = self.keys.has(&self.canonical(part));
                let item = item.bare().clone();
                (!is_key).then(|| match item.expr {
                    Expr::Column(_) => item.expr,
                    _ => Expr::Nested(Box::new(item)),
                })
            }
            _ if self.keys.has_expressions() => {
                let key = self.canonical(part);
                self.keys.has(&key).then(|| {
                    is_known &= self.is_written_as(&key, part);
                    part.expr.clone()
                })
            }
            _ => None,
        });
        (is_known && self.keys.make(&self.canonical(&node))).then_some(node)
    }

    /// The only item of the select list with the name that a part is.
    fn item(&self, part: &Node) -> Option<&Node> {
        let Expr::Column(column) = &part.expr else { return None };
        let item = self.aliases.get(&column.name.to_lowercase()).filter(|_| column.qualifier.is_empty())?;
        *item
    }

    /// Whether no name in a key that is an expression may mean an item of the select list: in Hive 4.1.0 it is that key in any case, but
    /// maybe not in 2.3.9 and 3.1.3.
    fn is_written_as(&self, key: &Node, part: &Node) -> bool {
        let means_column = |item: &Node, column: &Node| {
            let item = self.canonical(item);
            item == *key || item == self.canonical(column)
        };
        let mut is_fine = self.item(part).is_none_or(|item| means_column(item, part));
        part.for_each_part(&mut |inner| is_fine = is_fine && self.is_written_as(key, inner));
        is_fine
    }

    fn canonical(&self, node: &Node) -> Node {
        canonical(self.scope, self.index, node)
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

//! The rows of an INSERT: whether it can have one, and, in `partial` and `other_partition`, whether they are those that it replaces.

mod other_partition;
mod partial;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use saltplan_core::hive::query::PartitionText;
use saltplan_core::refusal::Part;
use saltplan_sql::ast::{Expr, Node, QueryId, ScriptExpr};
use saltplan_sql::functions::Rows;
use saltplan_sql::script::{Block, BlockId, JoinKind, SetKind, Statement, TermBody, Tokens};

use crate::conditions::{conjuncts, simple_subquery};
use crate::scope::{self, Certainty, Scope};
pub use partial::{Selection, Target};

/// Deeper queries are not examined.
const MAX_DEPTH: usize = 200;

/// Aggregate functions of other engines, which people add to Hive under these names.
const ADDED_AGGREGATES: [&str; 4] = ["approx_count_distinct", "bool_and", "bool_or", "any_value"];

/// What is known of a statement.
#[derive(Debug, Default)]
pub struct Facts {
    /// Facts about the references, by the start of their place and by the arm of their block.
    of_places: BTreeMap<(usize, usize), Fact>,
    /// The arms of blocks in whose WHERE or HAVING a condition is true for no row, by the indices of block and arm.
    never: BTreeSet<(usize, usize)>,
    /// The joins whose ON is true for no row, by the indices of block and join.
    never_joined: BTreeSet<(usize, usize)>,
}

#[derive(Debug, Clone, Default)]
pub struct Fact {
    /// Whether no row satisfies the conditions.
    pub is_empty: bool,
    /// Which part of the schema's target the conditions select.
    pub part: Option<Part>,
    /// The partitions of the schema's target that the conditions select, with the value of each column; empty if they are not known.
    pub partitions: Vec<Vec<PartitionText>>,
}

impl Facts {
    pub fn add(&mut self, place: usize, arm: usize, fact: Fact) {
        self.of_places.insert((place, arm), fact);
    }

    /// Remembers that no row of a table satisfies the conditions.
    pub fn add_empty(&mut self, place: usize, arm: usize) {
        self.of_places.entry((place, arm)).or_default().is_empty = true;
    }

    /// Remembers that a condition of an arm of a block is true for no row.
    pub fn add_never(&mut self, block: usize, arm: usize) {
        self.never.insert((block, arm));
    }

    /// Remembers that the ON of a join of a block is true for no row.
    pub fn add_never_joined(&mut self, block: usize, join: usize) {
        self.never_joined.insert((block, join));
    }

    fn get(&self, place: usize, arm: usize) -> Option<&Fact> {
        self.of_places.get(&(place, arm))
    }
}

/// A place where a query is read: a relation of a block, for one of its arms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Use {
    pub block: BlockId,
    pub relation: usize,
    pub arm: usize,
}

/// The queries of a statement.
pub struct Queries<'a> {
    t: &'a Tokens<'a>,
    scope: &'a Scope<'a>,
    statement: &'a Statement,
    facts: &'a Facts,
    /// Uses of queries that have no row, though other uses of the same queries may have some.
    without_rows: &'a HashSet<Use>,
    /// Queries that were examined.
    known: RefCell<HashMap<QueryId, bool>>,
}

impl<'a> Queries<'a> {
    pub fn new(
        t: &'a Tokens<'a>,
        scope: &'a Scope<'a>,
        facts: &'a Facts,
        without_rows: &'a HashSet<Use>,
    ) -> Self {
        Queries { t, scope, statement: scope.statement, facts, without_rows, known: RefCell::default() }
    }

    /// Whether a query of the statement returns no row.
    pub fn is_empty_query(&self, query: QueryId) -> bool {
        self.query(query, 0)
    }

    /// Whether an INSERT can have no row, because a table that it needs is read with conditions that are never true. `arm` is its
    /// arm behind a leading FROM.
    pub fn is_empty(&self, arm: Option<(BlockId, usize)>) -> bool {
        match (arm, self.statement.body) {
            (Some((block, arm)), _) => self.block(block, arm, 0),
            (None, Some(body)) => self.query(body, 0),
            (None, None) => false,
        }
    }

    /// Whether a query returns no row.
    fn query(&self, id: QueryId, depth: usize) -> bool {
        if depth == MAX_DEPTH {
            return false;
        }
        if let Some(known) = self.known.borrow().get(&id) {
            return *known;
        }
        let mut is_empty = None;
        for term in &self.statement.query(id).terms {
            let own = term.tail.takes_none || self.term(term.body, depth);
            is_empty = Some(match (term.operator.map(|operator| operator.kind), is_empty) {
                (Some(SetKind::Union), Some(left)) => left && own,
                (Some(SetKind::Intersect), Some(left)) => left || own,
                (Some(SetKind::Except), Some(left)) => left,
                _ => own,
            });
        }
        let is_empty = is_empty.unwrap_or(false);
        self.known.borrow_mut().insert(id, is_empty);
        is_empty
    }

    fn term(&self, body: TermBody, depth: usize) -> bool {
        match body {
            TermBody::Block(block) => self.block(block, 0, depth),
            TermBody::Query(query) => self.query(query, depth + 1),
            TermBody::Other => false,
        }
    }

    /// Whether a block returns no row for one of its arms.
    fn block(&self, id: BlockId, arm: usize, depth: usize) -> bool {
        let block = self.statement.block(id);
        let is_never = self.facts.never.contains(&(id.0, arm));
        let needs = || is_never || self.sources(id, arm, depth) || self.filter(block, arm, depth);
        let takes_none = block.arms.get(arm).is_some_and(|arm| arm.tail.takes_none);
        block.unclear.is_none() && (takes_none || !gives_a_row(block, arm) && needs())
    }

    /// Whether the relations, joined, have no row.
    fn sources(&self, id: BlockId, arm: usize, depth: usize) -> bool {
        let block = self.statement.block(id);
        let mut groups: BTreeMap<(usize, usize), bool> = BTreeMap::new();
        for index in 0..block.relations.len() {
            groups.insert((index, index + 1), self.relation(id, index, arm, depth));
        }
        for (index, join) in block.joins.iter().enumerate() {
            let side = |first: usize, end: usize| groups.get(&(first, end)).copied().unwrap_or(false);
            let (left, right) = (side(join.first, join.middle), side(join.middle, join.end));
            let joined = match join.kind {
                JoinKind::Inner | JoinKind::Semi => {
                    left || right || self.facts.never_joined.contains(&(id.0, index))
                }
                JoinKind::Left | JoinKind::Anti => left,
                JoinKind::Right => right,
                JoinKind::Full => left && right,
            };
            groups.insert((join.first, join.end), joined);
        }
        groups.get(&(0, block.relations.len())).copied().unwrap_or(false)
    }

    fn relation(&self, id: BlockId, index: usize, arm: usize, depth: usize) -> bool {
        match self.read(id, index) {
            Read::Query(query) => {
                let of_use = Use { block: id, relation: index, arm };
                self.without_rows.contains(&of_use) || self.query(query, depth + 1)
            }
            Read::Table(place) => self.facts.get(place, arm).is_some_and(|fact| fact.is_empty),
            Read::Unknown => false,
        }
    }

    /// What a relation of a block reads.
    fn read(&self, id: BlockId, index: usize) -> Read {
        match self.scope.sources(id.0)[index] {
            scope::ResolvedSource::Query(query) => Read::Query(query),
            scope::ResolvedSource::Table {
                certainty: Certainty::Certain | Certainty::OtherDatabase, ..
            } => {
                let name = self.statement.block(id).relations[index].table();
                name.map_or(Read::Unknown, |(_, tokens)| Read::Table(self.t.place(tokens).start))
            }
            _ => Read::Unknown,
        }
    }

    /// Whether the WHERE has `x IN (…)` or `EXISTS (…)` with a query that returns no row.
    fn filter(&self, block: &Block, arm: usize, depth: usize) -> bool {
        let Some(filter) = block.arms.get(arm).and_then(|arm| arm.filter.as_ref()) else { return false };
        conjuncts(filter).into_iter().any(|condition| {
            let query = simple_subquery(condition).filter(|(_, is_negated)| !is_negated);
            query.is_some_and(|(query, _)| self.query(query, depth + 1))
        })
    }
}

/// Whether a select list may give a row where there is none to select from: it has an aggregate without GROUP BY, groups
/// everything, or a script makes its rows.
fn gives_a_row(block: &Block, arm: usize) -> bool {
    let Some(arm) = block.arms.get(arm) else { return false };
    if let Some(group) = &arm.group_by {
        return group.has_sets;
    }
    arm.having.is_some()
        || arm.select.as_ref().is_some_and(|select| select.is_script)
        || arm.expressions().any(has_aggregate)
}

/// Whether an expression has a function of all rows that is no window function.
pub fn has_aggregate(node: &Node) -> bool {
    let mut found = match &node.expr {
        Expr::Call(call) | Expr::Opaque(call) => match call.function {
            Some(function) => function.rows == Rows::Aggregate,
            None => ADDED_AGGREGATES.contains(&call.name.as_str()),
        },
        _ => false,
    };
    let mut visit = |part: &Node| found = found || has_aggregate(part);
    match &node.expr {
        Expr::Script(ScriptExpr::Window(window)) => {
            window.function.for_each_part(&mut visit);
            window.over.partition_by.iter().chain(&window.over.order_by).for_each(visit);
        }
        expr => expr.for_each_part(&mut visit),
    }
    found
}

/// What a relation reads.
enum Read {
    Query(QueryId),
    /// A table with a schema, by the start of its name.
    Table(usize),
    Unknown,
}

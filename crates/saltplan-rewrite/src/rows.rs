//! The rows of an INSERT: whether it can have one, and whether a condition leaves out rows of what it replaces.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use saltplan_core::refusal::Part;
use saltplan_sql::ast::{Expr, Node, QueryId, ScriptExpr};
use saltplan_sql::functions::Rows;
use saltplan_sql::script::{
    Block, BlockId, JoinKind, QueryPlace, SetKind, Source as RelationSource, Statement, TermBody, Tokens,
};

use crate::conditions::{columns, conjuncts, simple_subquery};
use crate::facts::alias_of;

/// Deeper queries are not examined.
const MAX_DEPTH: usize = 200;

/// Aggregate functions of other engines, which people add to Hive under these names.
const ADDED_AGGREGATES: [&str; 4] = ["approx_count_distinct", "bool_and", "bool_or", "any_value"];

/// What is known of a statement.
#[derive(Debug, Default)]
pub struct Facts {
    /// Of its references, by the start of their place and by the arm of their block.
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
}

impl Facts {
    pub fn add(&mut self, place: usize, arm: usize, fact: Fact) {
        self.of_places.insert((place, arm), fact);
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
    statement: &'a Statement,
    facts: &'a Facts,
    /// Uses of queries that have no row, though other uses of the same queries may have some.
    without_rows: &'a HashSet<Use>,
    /// Queries that were examined.
    known: RefCell<HashMap<QueryId, bool>>,
    /// What they are parts of, also by the target.
    parts: RefCell<HashMap<(usize, QueryId), Known>>,
}

/// For a query that reads the logical table of a target: which part of the target its rows are. `None` for another query.
type Known = Option<Option<Part>>;

impl<'a> Queries<'a> {
    pub fn new(
        t: &'a Tokens<'a>,
        statement: &'a Statement,
        facts: &'a Facts,
        without_rows: &'a HashSet<Use>,
    ) -> Self {
        Queries { t, statement, facts, without_rows, known: RefCell::default(), parts: RefCell::default() }
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
        match self.source(self.statement.block(id), index) {
            Source::Query(query) => {
                let of_use = Use { block: id, relation: index, arm };
                self.without_rows.contains(&of_use) || self.query(query, depth + 1)
            }
            Source::Table(place) => self.facts.get(place, arm).is_some_and(|fact| fact.is_empty),
            Source::Unknown => false,
        }
    }

    fn source(&self, block: &Block, index: usize) -> Source {
        match &block.relations[index].source {
            RelationSource::Query(query) => Source::Query(*query),
            RelationSource::Unknown => Source::Unknown,
            RelationSource::Table { name, tokens } => {
                let cte = match (name.as_slice(), block.query) {
                    ([only], Some(query)) => self.cte(query, &only.lower()),
                    _ => None,
                };
                cte.map_or_else(|| Source::Table(self.t.place(tokens).start), Source::Query)
            }
        }
    }

    /// The query of a WITH that a name means in a query. A query of a WITH can only name those before it.
    fn cte(&self, from: QueryId, name: &str) -> Option<QueryId> {
        let mut around = Some(from);
        let mut visible = usize::MAX;
        while let Some(id) = around {
            let query = self.statement.query(id);
            let mut ctes = query.with.iter().take(visible).rev();
            if let Some(cte) = ctes.find(|cte| cte.name == name) {
                return Some(cte.query);
            }
            visible = match query.place {
                QueryPlace::With(index) => index,
                _ => usize::MAX,
            };
            around = query.outer;
        }
        None
    }

    /// Whether the WHERE has `x IN (…)` or `EXISTS (…)` with a query that returns no row.
    fn filter(&self, block: &Block, arm: usize, depth: usize) -> bool {
        let Some(filter) = block.arms.get(arm).and_then(|arm| arm.filter.as_ref()) else { return false };
        conjuncts(filter).into_iter().any(|condition| {
            let query = simple_subquery(condition).filter(|(_, is_negated)| !is_negated);
            query.is_some_and(|(query, _)| self.query(query, depth + 1))
        })
    }

    /// Which part of a target the rows of an INSERT are, if a condition leaves out others.
    pub fn part(&self, arm: Option<(BlockId, usize)>, target: &Filled) -> Option<Part> {
        match arm {
            Some((block, arm)) => self.part_of_block(self.statement.block(block), arm, target, 0)?,
            None => self.part_of_query(self.statement.body?, target, 0)?,
        }
    }

    fn part_of_query(&self, id: QueryId, target: &Filled, depth: usize) -> Known {
        if depth == MAX_DEPTH {
            return None;
        }
        let place = (target.position, id);
        if let Some(known) = self.parts.borrow().get(&place) {
            return known.clone();
        }
        let mut found = None;
        for term in &self.statement.query(id).terms {
            // Of INTERSECT and EXCEPT, the rows are those of the left side.
            if term.operator.is_none_or(|operator| operator.kind == SetKind::Union) {
                found = either(found, self.part_of_term(term.body, target, depth));
            }
        }
        self.parts.borrow_mut().insert(place, found.clone());
        found
    }

    fn part_of_term(&self, body: TermBody, target: &Filled, depth: usize) -> Known {
        match body {
            TermBody::Block(block) => self.part_of_block(self.statement.block(block), 0, target, depth),
            TermBody::Query(query) => self.part_of_query(query, target, depth + 1),
            TermBody::Other => None,
        }
    }

    fn part_of_block(&self, block: &Block, arm: usize, target: &Filled, depth: usize) -> Known {
        if block.unclear.is_some() {
            return None;
        }
        let mut found = None;
        for index in (0..block.relations.len()).filter(|index| is_kept(block, *index)) {
            found = either(found, self.part_of_relation(block, index, arm, target, depth));
        }
        found.map(|part| part.or_else(|| part_of_filter(block, arm, target)))
    }

    fn part_of_relation(
        &self,
        block: &Block,
        index: usize,
        arm: usize,
        target: &Filled,
        depth: usize,
    ) -> Known {
        match self.source(block, index) {
            Source::Query(query) => self.part_of_query(query, target, depth + 1),
            Source::Table(place) if target.places.contains(&place) => {
                Some(self.facts.get(place, arm).and_then(|fact| fact.part.clone()))
            }
            _ => None,
        }
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

/// Conditions that name a column which is not a partition; not those that join two tables.
fn part_of_filter(block: &Block, arm: usize, target: &Filled) -> Option<Part> {
    let filter = block.arms.get(arm)?.filter.as_ref()?;
    conjuncts(filter).into_iter().find_map(|condition| {
        let columns = columns(condition);
        let tables: BTreeSet<String> = columns.iter().filter_map(|(column, _)| alias_of(column)).collect();
        let mut names = columns.iter().map(|(column, _)| column.name.to_lowercase());
        let name = names.find(|name| tables.len() < 2 && target.other_columns.contains(name))?;
        Some(match target.is_partitioned {
            true => Part::OfPartition { on: Some(name), several: false },
            false => Part::OfTable,
        })
    })
}

/// A target that is filled from a logical table.
pub struct Filled {
    /// The position of its schema in the catalog.
    pub position: usize,
    /// Where the statement reads that table.
    pub places: BTreeSet<usize>,
    /// Its columns, in lower case, from which no partition column is computed.
    pub other_columns: BTreeSet<String>,
    pub is_partitioned: bool,
}

/// Where rows of a relation come from.
enum Source {
    Query(QueryId),
    /// A table, by the start of its name.
    Table(usize),
    Unknown,
}

/// The first part that is known of two sources, if one of them is known at all.
fn either(one: Known, other: Known) -> Known {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.or(other)),
        (one, other) => one.or(other),
    }
}

/// Whether rows of a relation are rows of the block. The other side of an outer join only adds columns to them.
fn is_kept(block: &Block, index: usize) -> bool {
    block.joins.iter().all(|join| {
        let (left, right) =
            ((join.first..join.middle).contains(&index), (join.middle..join.end).contains(&index));
        match join.kind {
            JoinKind::Left | JoinKind::Semi | JoinKind::Anti => !right,
            JoinKind::Right => !left,
            JoinKind::Inner | JoinKind::Full => true,
        }
    })
}

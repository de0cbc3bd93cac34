//! What an INSERT OVERWRITE of a schema's target leaves out of the rows that it replaces.
//!
//! Its rows come from the tables of that schema, through joins, queries in brackets, WITH and UNION. Something leaves out rows of them if
//! it is no condition on what a partition is computed from: a condition on another column, also of one that a query between has renamed
//! or computed, a subquery or a SEMI JOIN that compares such a column, a LIMIT, a sample, an EXCEPT. A join with another table, and a
//! condition on that table, are how a query gets more columns, and are taken to leave out nothing; `b.id IS NULL` behind a LEFT JOIN is
//! not.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;

use saltplan_core::hive::query::PartitionText;
use saltplan_core::refusal::Part;
use saltplan_sql::ast::{Column, Expr, Name, Node, QueryId, ScriptExpr};
use saltplan_sql::functions::Volatility;
use saltplan_sql::rewrite::{find, has, replace};
use saltplan_sql::script::{
    Arm, Block, BlockId, Fixed, Join, JoinKind, SelectValue, SetKind, Statement, Term, TermBody,
};

use super::other_partition::Elsewhere;
use super::{MAX_DEPTH, Queries, Read, has_aggregate};
use crate::conditions::{columns, conjuncts, subqueries};
use crate::facts::alias_of;
use crate::names::Owner;
use crate::outputs::OutputValue;
use crate::report::WhyRefused;

/// Finds a name in an expression.
type FindName<'a> = dyn Fn(&Node) -> Option<String> + 'a;

/// A target that is filled from the tables of its schema.
pub struct Target<'a> {
    /// Where the statement reads such a table.
    pub places: BTreeSet<usize>,
    /// Names in an expression of that table, from which no partition column is computed.
    pub other_column: Box<FindName<'a>>,
    pub is_partitioned: bool,
    /// The names of its partition columns.
    pub columns: Vec<String>,
}

/// What the queries of a statement leave out of the rows of a target.
pub struct Selection<'a> {
    pub(super) queries: &'a Queries<'a>,
    pub(super) target: Target<'a>,
    of_queries: RefCell<HashMap<QueryId, Known>>,
    of_columns: RefCell<HashMap<(QueryId, usize), Origin>>,
    of_blocks: RefCell<HashMap<BlockId, Rc<[Side]>>>,
    pub(super) other_partitions: RefCell<HashMap<(QueryId, Vec<PartitionText>), Elsewhere>>,
}

/// For a query that reads a table of the target: what leaves out rows of it. `None` for another query.
type Known = Option<Option<WhyRefused>>;

/// What a relation is to the rows of its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// It is, or reads, a table of the target, and its rows are rows of the block.
    OfTarget,
    /// An outer join puts NULLs in the place of its columns.
    Nullable,
    Other,
}

/// What a column of a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Origin {
    /// A column of a table of the target, by its name in lower case.
    Target(String),
    /// It depends on other columns of such a table than those of the partition, or on the number of rows.
    Other,
    /// It says nothing about a row of such a table.
    Neutral,
}

impl<'a> Selection<'a> {
    pub fn new(queries: &'a Queries<'a>, target: Target<'a>) -> Self {
        Selection {
            queries,
            target,
            of_queries: RefCell::default(),
            of_columns: RefCell::default(),
            of_blocks: RefCell::default(),
            other_partitions: RefCell::default(),
        }
    }

    /// Why the rows of an INSERT are only a part of what it replaces. `arm` is its arm behind a leading FROM.
    pub fn part(&self, arm: Option<(BlockId, usize)>) -> Option<WhyRefused> {
        match arm {
            Some((block, arm)) => self.of_block(block, arm, 0)?,
            None => self.of_query(self.statement().body?, 0)?,
        }
    }

    pub(super) fn statement(&self) -> &'a Statement {
        self.queries.statement
    }

    fn of_query(&self, id: QueryId, depth: usize) -> Known {
        if depth == MAX_DEPTH {
            return None;
        }
        if let Some(known) = self.of_queries.borrow().get(&id) {
            return known.clone();
        }
        let terms = &self.statement().query(id).terms;
        let operator = terms.iter().find_map(|term| match term.operator?.kind {
            SetKind::Intersect => Some("an INTERSECT"),
            SetKind::Except => Some("an EXCEPT"),
            SetKind::Union => None,
        });
        let limit = terms.iter().any(|term| self.has_limit(term)).then_some("a LIMIT");
        let mut found = None;
        for term in terms {
            // Of EXCEPT, the rows are those of the left side.
            if term.operator.is_none_or(|operator| operator.kind != SetKind::Except) {
                found = either(found, self.of_term(term.body, depth));
            }
        }
        let found = found.map(|part| part.or_else(|| Some(self.cut(operator.or(limit)?))));
        self.of_queries.borrow_mut().insert(id, found.clone());
        found
    }

    fn of_term(&self, body: TermBody, depth: usize) -> Known {
        match body {
            TermBody::Block(block) => self.of_block(block, 0, depth),
            TermBody::Query(query) => self.of_query(query, depth + 1),
            TermBody::Other => None,
        }
    }

    /// Whether a LIMIT follows a term, also that of a whole UNION.
    fn has_limit(&self, term: &Term) -> bool {
        let of_block = match term.body {
            TermBody::Block(block) => self.statement().block(block).arms.iter().any(|arm| arm.tail.has_limit),
            TermBody::Query(_) | TermBody::Other => false,
        };
        term.tail.has_limit || of_block
    }

    fn of_block(&self, id: BlockId, arm: usize, depth: usize) -> Known {
        let block = self.statement().block(id);
        if block.unclear.is_some() {
            return None;
        }
        let mut found = None;
        let is_kept = kept(block);
        for index in (0..block.relations.len()).filter(|index| is_kept[*index]) {
            found = either(found, self.of_relation(id, index, arm, depth));
        }
        found.map(|part| part.or_else(|| self.left_out(id, arm, depth)))
    }

    fn of_relation(&self, id: BlockId, index: usize, arm: usize, depth: usize) -> Known {
        match self.queries.read(id, index) {
            Read::Query(query) => self.of_query(query, depth + 1),
            Read::Table(place) if self.target.places.contains(&place) => {
                let fact = self.queries.facts.get(place, arm);
                Some(fact.and_then(|fact| fact.part.clone()).map(WhyRefused::Partial))
            }
            Read::Table(_) | Read::Unknown => None,
        }
    }

    /// What a block leaves out of the rows that it reads of a table of the target.
    fn left_out(&self, id: BlockId, arm: usize, depth: usize) -> Option<WhyRefused> {
        let block = self.statement().block(id);
        let is_sample = |(index, side): (usize, &Side)| {
            *side == Side::OfTarget && block.relations[index].fixed == Some(Fixed::Sample)
        };
        if self.sides(id, depth).iter().enumerate().any(is_sample) {
            return Some(self.cut("a TABLESAMPLE"));
        }
        let arm = block.arms.get(arm)?;
        if arm.tail.has_limit {
            return Some(self.cut("a LIMIT"));
        }
        let on_joins = self.of_joins(id, depth);
        let filters = arm.filter.iter().flat_map(conjuncts);
        let in_filter = || filters.into_iter().find_map(|condition| self.of_condition(id, condition, depth));
        let in_groups = || {
            let conditions = arm.having.iter().chain(&arm.qualify).flat_map(conjuncts);
            conditions.into_iter().find_map(|condition| self.of_result(id, arm, condition, depth))
        };
        on_joins.or_else(in_filter).or_else(in_groups)
    }

    /// What the joins of a block leave out: the ON of an inner join with conditions on one table, and SEMI and ANTI JOINs.
    fn of_joins(&self, id: BlockId, depth: usize) -> Option<WhyRefused> {
        let block = self.statement().block(id);
        block.joins.iter().find_map(|join| {
            let mut conditions = join.on.iter().flat_map(conjuncts);
            match join.kind {
                JoinKind::Inner => conditions.find_map(|condition| self.of_condition(id, condition, depth)),
                JoinKind::Semi | JoinKind::Anti => {
                    let of_on = conditions.find_map(|condition| self.other_in(id, condition, depth));
                    let mut using = join.using.iter().map(|name| Node::from(Expr::column(&name.text)));
                    let on = of_on.or_else(|| using.find_map(|node| (self.target.other_column)(&node)))?;
                    Some(self.condition_on(on))
                }
                JoinKind::Left | JoinKind::Right | JoinKind::Full => None,
            }
        })
    }

    /// What a condition of a WHERE or ON leaves out. Conditions that join two tables, and those on other tables, leave out nothing.
    fn of_condition(&self, id: BlockId, condition: &Node, depth: usize) -> Option<WhyRefused> {
        if let Some(name) = volatile_function(condition) {
            return Some(self.cut(&format!("a condition with `{name}`")));
        }
        if self.joins_tables(id, condition) {
            return None;
        }
        if let Some(column) = self.missing_match(id, condition, depth) {
            return Some(self.condition_on(column));
        }
        let on = self.other_in(id, condition, depth);
        on.or_else(|| self.other_in_subqueries(id, condition, depth)).map(|on| self.condition_on(on))
    }

    /// The rows that a condition on groups or on windows leaves out.
    fn of_result(&self, id: BlockId, arm: &Arm, condition: &Node, depth: usize) -> Option<WhyRefused> {
        if has_aggregate(condition) || has_window(condition) {
            return Some(self.cut("a condition on what is computed of several rows"));
        }
        let of_item = columns(condition).into_iter().find_map(|(column, _)| {
            let items = arm.select.iter().flat_map(|select| &select.items);
            let mut named = items.filter(|item| {
                let is_name = |alias: &Name| alias.lower() == column.name.to_lowercase();
                column.qualifier.is_empty() && matches!(item.aliases.as_slice(), [alias] if is_name(alias))
            });
            let SelectValue::Expr(node) = &named.next()?.value else { return None };
            (self.of_value(id, node, depth) == Origin::Other).then(|| column.name.to_lowercase())
        });
        of_item.map(|on| self.condition_on(on)).or_else(|| self.of_condition(id, condition, depth))
    }

    /// Whether a condition is about several relations of a block.
    fn joins_tables(&self, id: BlockId, condition: &Node) -> bool {
        let has_several = self.statement().block(id).relations.len() > 1;
        let of_column = |column: &Column| match self.queries.scope.owner(id.0, column) {
            Owner::Relation(relation) | Owner::Missing(relation) => Some(Err(relation)),
            Owner::Elsewhere if has_several => Some(Ok(alias_of(column))),
            _ => None,
        };
        let relations: BTreeSet<_> =
            columns(condition).iter().filter_map(|(column, _)| of_column(column)).collect();
        relations.len() > 1
    }

    /// The column of a condition that keeps the rows without a match in an outer join: `b.id IS NULL` behind a LEFT JOIN.
    fn missing_match(&self, id: BlockId, condition: &Node, depth: usize) -> Option<String> {
        let Expr::Is { expr, value: None, negated: false } = &condition.bare().expr else { return None };
        let found = columns(expr);
        let (column, _) = found.first()?;
        let Owner::Relation(relation) = self.queries.scope.owner(id.0, column) else { return None };
        (self.sides(id, depth)[relation] == Side::Nullable).then(|| column.name.to_lowercase())
    }

    /// A name in an expression of a block from which no partition is computed.
    fn other_in(&self, id: BlockId, node: &Node, depth: usize) -> Option<String> {
        let of_columns: Vec<(String, Origin)> = columns(node)
            .into_iter()
            .map(|(column, _)| (column.name.to_lowercase(), self.origin(id, column, depth)))
            .collect();
        if let Some((name, _)) = of_columns.iter().find(|(_, origin)| *origin == Origin::Other) {
            return Some(name.clone());
        }
        let of_target = of_columns.iter().filter(|(_, origin)| matches!(origin, Origin::Target(_)));
        match of_target.count() {
            0 => None,
            // An expression of one table, in its own names.
            count if count == of_columns.len() => {
                let mut origins = of_columns.into_iter();
                let mut own = node.clone();
                replace(&mut own, &mut |part| {
                    let Expr::Column(column) = &part.expr else { return None };
                    let name = match origins.next() {
                        Some((_, Origin::Target(name))) => name,
                        _ => column.name.clone(),
                    };
                    Some(Expr::Column(Column { qualifier: Vec::new(), name, quoted: true }))
                });
                (self.target.other_column)(&own)
            }
            _ => of_columns.into_iter().find_map(|(_, origin)| match origin {
                Origin::Target(name) => (self.target.other_column)(&Expr::column(&name).into()),
                Origin::Other | Origin::Neutral => None,
            }),
        }
    }

    /// A column of a block, compared in a subquery of a condition, from which no partition is computed.
    fn other_in_subqueries(&self, id: BlockId, condition: &Node, depth: usize) -> Option<String> {
        let scope = self.queries.scope;
        subqueries(condition).into_iter().find_map(|query| {
            let mut outer: Vec<&Column> = Vec::new();
            let mut plain: Vec<&Column> = Vec::new();
            for index in self.statement().query(query).blocks.clone() {
                for expression in self.statement().blocks[index].expressions() {
                    for (column, _) in columns(expression) {
                        match (scope.owner(index, column), column.qualifier.is_empty()) {
                            (Owner::Elsewhere, false) => outer.push(column),
                            (Owner::Elsewhere, true) => plain.push(column),
                            _ => {}
                        }
                    }
                }
            }
            let is_here = |column: &&Column| matches!(scope.owner(id.0, column), Owner::Relation(_));
            outer.retain(is_here);
            // A plain name is mostly one of the subquery itself, but EXISTS compares something with the query around it.
            if outer.is_empty() && is_exists_of(condition, query) {
                outer = plain.into_iter().filter(is_here).collect();
            }
            let node = |column: &Column| Node::from(Expr::Column(column.clone()));
            outer.into_iter().find_map(|column| self.other_in(id, &node(column), depth))
        })
    }

    /// What a column of a block is.
    fn origin(&self, id: BlockId, column: &Column, depth: usize) -> Origin {
        let name = column.name.to_lowercase();
        let of_name = || {
            let is_other = (self.target.other_column)(&Expr::column(&name).into()).is_some();
            if is_other { Origin::Target(name.clone()) } else { Origin::Neutral }
        };
        match self.queries.scope.owner(id.0, column) {
            Owner::Relation(relation) => self.of_column(id, relation, &name, depth),
            Owner::LateralView => Origin::Other,
            Owner::Elsewhere if !column.qualifier.is_empty() => Origin::Neutral,
            Owner::Missing(_) | Owner::SharedAlias => Origin::Neutral,
            Owner::Elsewhere | Owner::Several | Owner::Using => of_name(),
        }
    }

    /// What a column of a relation is.
    fn of_column(&self, id: BlockId, relation: usize, name: &str, depth: usize) -> Origin {
        if self.sides(id, depth)[relation] != Side::OfTarget {
            return Origin::Neutral;
        }
        match self.queries.read(id, relation) {
            Read::Table(_) => Origin::Target(name.to_string()),
            Read::Query(query) => {
                let outputs = self.queries.scope.known_outputs(query);
                match outputs.and_then(|outputs| outputs.index(name)) {
                    Some(index) => self.of_output(query, index, depth + 1),
                    // A column whose name alone is known.
                    None => Origin::Target(name.to_string()),
                }
            }
            Read::Unknown => Origin::Neutral,
        }
    }

    /// What a column of a query is, by its index.
    fn of_output(&self, query: QueryId, index: usize, depth: usize) -> Origin {
        if depth >= MAX_DEPTH {
            return Origin::Neutral;
        }
        if let Some(known) = self.of_columns.borrow().get(&(query, index)) {
            return known.clone();
        }
        let mut found: Option<Origin> = None;
        for term in &self.statement().query(query).terms {
            let own = match term.body {
                TermBody::Block(block) => self.of_item(block, index, depth),
                TermBody::Query(inner) => self.of_output(inner, index, depth + 1),
                TermBody::Other => continue,
            };
            found = Some(match (found, own) {
                (None, own) => own,
                (Some(Origin::Neutral), own) => own,
                (Some(known), Origin::Neutral) => known,
                (Some(known), own) if known == own => known,
                (Some(one), other) => {
                    let is_other = |origin: &Origin| match origin {
                        Origin::Target(name) => {
                            (self.target.other_column)(&Expr::column(name).into()).is_some()
                        }
                        Origin::Other => true,
                        Origin::Neutral => false,
                    };
                    if is_other(&one) || is_other(&other) { Origin::Other } else { Origin::Neutral }
                }
            });
        }
        let found = found.unwrap_or(Origin::Neutral);
        self.of_columns.borrow_mut().insert((query, index), found.clone());
        found
    }

    /// What an item of a select list is, by its index among the columns.
    fn of_item(&self, id: BlockId, index: usize, depth: usize) -> Origin {
        let outputs = self.queries.scope.outputs_of_block(id);
        let Some(output) = outputs.columns.get(index).filter(|output| output.has_place) else {
            return Origin::Neutral;
        };
        match &output.value {
            OutputValue::Column { relation, name } => self.of_column(id, *relation, name, depth),
            OutputValue::Item(item) => {
                let arm = self.statement().block(id).arms.first();
                let item = arm.and_then(|arm| arm.select.as_ref()?.items.get(*item));
                match item.map(|item| &item.value) {
                    Some(SelectValue::Expr(node)) => self.of_value(id, node, depth),
                    _ => Origin::Neutral,
                }
            }
            OutputValue::Unknown => Origin::Neutral,
        }
    }

    /// What an expression of a block is.
    fn of_value(&self, id: BlockId, node: &Node, depth: usize) -> Origin {
        if let Expr::Column(column) = &node.bare().expr {
            return self.origin(id, column, depth);
        }
        let depends_on_rows = has_aggregate(node) || has_window(node) || volatile_function(node).is_some();
        match depends_on_rows || self.other_in(id, node, depth).is_some() {
            true => Origin::Other,
            false => Origin::Neutral,
        }
    }

    /// What each relation of a block is to its rows.
    fn sides(&self, id: BlockId, depth: usize) -> Rc<[Side]> {
        if let Some(known) = self.of_blocks.borrow().get(&id) {
            return Rc::clone(known);
        }
        let block = self.statement().block(id);
        let is_nullable = in_joins(block, |join| match join.kind {
            JoinKind::Left => join.middle..join.end,
            JoinKind::Right => join.first..join.middle,
            JoinKind::Inner | JoinKind::Full | JoinKind::Semi | JoinKind::Anti => 0..0,
        });
        let is_kept = kept(block);
        let reads_target = |index: usize| match self.queries.read(id, index) {
            Read::Query(query) => self.of_query(query, depth + 1).is_some(),
            Read::Table(place) => self.target.places.contains(&place),
            Read::Unknown => false,
        };
        let side = |index: usize| match is_kept[index] && reads_target(index) {
            true => Side::OfTarget,
            false if is_nullable[index] => Side::Nullable,
            false => Side::Other,
        };
        let found: Rc<[Side]> = (0..block.relations.len()).map(side).collect();
        self.of_blocks.borrow_mut().insert(id, Rc::clone(&found));
        found
    }

    fn condition_on(&self, on: String) -> WhyRefused {
        WhyRefused::Partial(match self.target.is_partitioned {
            true => Part::OfPartition { on: Some(on), several: false },
            false => Part::OfTable,
        })
    }

    fn cut(&self, by: &str) -> WhyRefused {
        match self.target.is_partitioned {
            true => WhyRefused::Cut { by: by.to_string() },
            false => WhyRefused::Partial(Part::OfTable),
        }
    }
}

/// What is known of two sources, if one of them is known at all.
pub(super) fn either<T>(one: Option<Option<T>>, other: Option<Option<T>>) -> Option<Option<T>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.or(other)),
        (one, other) => one.or(other),
    }
}

/// The first function in an expression that gives another value each time.
fn volatile_function(node: &Node) -> Option<&str> {
    let found = find(node, |part| match part {
        Expr::Call(call) | Expr::Opaque(call) => {
            call.function.is_some_and(|function| function.volatility == Volatility::Volatile)
        }
        _ => false,
    });
    match found? {
        Expr::Call(call) | Expr::Opaque(call) => Some(&call.name),
        _ => None,
    }
}

fn has_window(node: &Node) -> bool {
    has(node, |part| matches!(part, Expr::Script(ScriptExpr::Window(_))))
}

/// Whether a condition has `EXISTS` of a query.
fn is_exists_of(condition: &Node, query: QueryId) -> bool {
    has(condition, |part| matches!(part, Expr::Script(ScriptExpr::Exists(of)) if *of == query))
}

/// For each relation whether its rows are rows of the block. The other side of an outer join only adds columns to them.
pub(super) fn kept(block: &Block) -> Vec<bool> {
    let hidden = in_joins(block, |join| match join.kind {
        JoinKind::Left | JoinKind::Semi | JoinKind::Anti => join.middle..join.end,
        JoinKind::Right => join.first..join.middle,
        JoinKind::Inner | JoinKind::Full => 0..0,
    });
    hidden.into_iter().map(|is_hidden| !is_hidden).collect()
}

/// For each relation of a block whether it is in one of these ranges of its joins.
fn in_joins(block: &Block, range: impl Fn(&Join) -> Range<usize>) -> Vec<bool> {
    let count = block.relations.len();
    let mut changes = vec![0_isize; count + 1];
    for range in block.joins.iter().map(range) {
        changes[range.start.min(count)] += 1;
        changes[range.end.min(count)] -= 1;
    }
    let mut depth = 0;
    let is_in = |change: &isize| {
        depth += change;
        depth > 0
    };
    changes[..count].iter().map(is_in).collect()
}

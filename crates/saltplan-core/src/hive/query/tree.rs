//! The statements of a query, as trees.

use std::sync::Arc;

use super::QueryContext;
use super::branch::BranchContext;
use super::select::{ClockContext, ColumnContext};
use super::shape::QueryShape;
use saltplan_sql::ast::Expr;
use saltplan_sql::statement::{Identifier, Insert, Item, Query, Relation, Select, Statement};

pub(super) fn statements(parts: &QueryContext, shape: QueryShape) -> Vec<Statement> {
    let mut statements: Vec<Statement> = parts.settings.iter().cloned().map(Statement::Set).collect();
    statements.extend(parts.check.clone().map(Statement::Check));
    let query = query(parts, shape);
    statements.push(match &parts.insert {
        Some(destination) => Statement::Insert(Insert { destination: destination.clone(), query }),
        None => Statement::Query(query),
    });
    statements
}

fn query(parts: &QueryContext, shape: QueryShape) -> Query {
    let branches = parts.branches.iter().map(|branch| match shape {
        QueryShape::Isolated => isolated(parts, branch),
        QueryShape::UnionAll | QueryShape::OneScan => scan(parts, branch),
    });
    let rows = with_clocks(Query::of_all(branches.collect()), parts);
    let items: Vec<Item> = parts.columns.iter().map(ColumnContext::item).collect();
    let select = Select::new(items, Relation::query(rows, "branches")).in_lines();
    parts.filter.iter().cloned().fold(select, Select::filtered).into()
}

fn plain(names: &[Identifier]) -> impl Iterator<Item = Item> {
    names.iter().map(|name| Item::plain(name.column()))
}

/// One branch: a scan of the mapping table.
fn scan(parts: &QueryContext, branch: &BranchContext) -> Select {
    let conditions = branch.conditions.iter().map(|condition| Arc::clone(&condition.expr)).collect();
    let scan = Select::new(Arc::clone(&branch.columns), Relation::Table(parts.mapping.clone()));
    Select { conditions, limit: branch.is_cut.then_some(0), ..scan }
}

/// One branch in a job of its own. On MapReduce, Hive applies the ranges only when a job reads the table once.
fn isolated(parts: &QueryContext, branch: &BranchContext) -> Select {
    let scan = Select { distribute_by: Some(parts.key.column()), ..scan(parts, branch) };
    Select::new(Arc::clone(&branch.columns), Relation::query(scan, &branch.name.0))
}

/// Adds the instants, and what the clocks of a zone show then, so that the select list does not repeat them.
fn with_clocks(rows: Query, parts: &QueryContext) -> Query {
    let clocks = &parts.clocks;
    if clocks.is_empty() {
        return rows;
    }
    let named =
        |value: &Expr, name: &Identifier| Item::Value { value: value.clone(), name: Some(name.clone()) };
    let instant = |clock: &ClockContext| named(&clock.instant, &clock.instant_name);
    let elapsed = |clock: &ClockContext| named(&clock.elapsed, &clock.elapsed_name);
    let instants: Vec<Item> = plain(&parts.inner).chain(clocks.iter().map(instant)).collect();
    let rows = Select::new(instants, Relation::query(rows, "scanned"));
    let of_instants = clocks.iter().map(|clock| Item::plain(clock.instant_name.column()));
    let clocks: Vec<Item> =
        plain(&parts.inner).chain(of_instants).chain(clocks.iter().map(elapsed)).collect();
    Select::new(clocks, Relation::query(rows, "instants")).into()
}

//! Which statements Hive refuses without its cost-based optimizer.

use saltplan_sql::ast::{Expr, Node, QueryId, ScriptExpr};
use saltplan_sql::script::{Block, SetKind, TermBody};

use crate::conditions::{columns, conjuncts, simple_subquery};
use crate::names::{Names, Owner};
use crate::scope::Scope;

/// Whether Hive 2.3.9 and 3.1.3 run a statement with their cost-based optimizer alone: INTERSECT and EXCEPT, and subqueries
/// other than one IN or EXISTS as a part of the AND of a WHERE. Hive 2.3.9 also needs it for an EXISTS of which two conditions
/// name columns of the query around it: without it such a subquery fails with `Invalid table alias or column reference 'sq_1'`,
/// which depends on the order of the conditions.
pub fn needs_optimizer(scope: &Scope<'_>) -> bool {
    let statement = scope.statement;
    let mut operators =
        statement.queries.iter().flat_map(|query| &query.terms).filter_map(|term| term.operator);
    operators.any(|operator| operator.kind != SetKind::Union)
        || statement.blocks.iter().any(|block| has_hard_subquery(scope, block))
}

fn has_hard_subquery(scope: &Scope<'_>, block: &Block) -> bool {
    match block.subqueries.as_slice() {
        [] => false,
        [only] => {
            let mut conditions = conditions_of(block);
            match conditions.find(|node| simple_subquery(node).is_some_and(|(query, _)| query == *only)) {
                Some(condition) => is_exists(condition) && compares_twice(scope, *only),
                None => true,
            }
        }
        _ => true,
    }
}

/// The parts of the AND of each WHERE.
fn conditions_of(block: &Block) -> impl Iterator<Item = &Node> {
    block.arms.iter().filter_map(|arm| arm.filter.as_ref()).flat_map(conjuncts)
}

/// Whether a condition is an EXISTS; a NOT EXISTS is none.
fn is_exists(condition: &Node) -> bool {
    matches!(condition.bare().expr, Expr::Script(ScriptExpr::Exists(_)))
}

/// Whether two conditions of a query name columns of the query around it.
fn compares_twice(scope: &Scope<'_>, query: QueryId) -> bool {
    scope.statement.query(query).terms.iter().any(|term| {
        let TermBody::Block(id) = term.body else { return false };
        let names = scope.names(id.0);
        let conditions = conditions_of(&scope.statement.blocks[id.0]);
        conditions.filter(|node| names_outer_column(names, node)).nth(1).is_some()
    })
}

/// Whether a name is that of a column of the query around the block. A plain name may be one of a table that is not known, if there
/// is one.
fn names_outer_column(names: &Names, condition: &Node) -> bool {
    columns(condition).iter().any(|(column, _)| {
        names.owner(column) == Owner::Elsewhere && (!column.qualifier.is_empty() || names.are_complete())
    })
}

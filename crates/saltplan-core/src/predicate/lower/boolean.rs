//! Conditions that are no comparison: boolean columns, and what Hive makes a boolean column of.

use std::collections::BTreeMap;

use super::names::column_type;
use super::truth::constant_truth;
use crate::hiveql::Tree;
use crate::hiveql::ast::{BinaryOperator, Expr, Type, UnaryOperator};
use crate::schema::model::Schema;

/// What makes a comparison of a boolean condition that Hive does not simplify, as it does `= TRUE`; NULL stays NULL.
const IS_TRUE: &str = " <> FALSE";

/// What stands before and behind boolean conditions, by their first and last tokens.
#[derive(Default)]
pub(super) struct Enclosed {
    pub opened: BTreeMap<usize, &'static str>,
    pub closed: BTreeMap<usize, String>,
}

/// Beside conditions on the key, Hive's HBase handler takes no condition that comes down to a column: such ones become
/// comparisons.
pub(super) fn enclosed(schema: &Schema, tree: &Tree) -> Enclosed {
    let mut enclosed = Enclosed::default();
    let mut rest = vec![tree];
    while let Some(tree) = rest.pop() {
        match tree {
            Tree::And(arms) | Tree::Or(arms) => rest.extend(arms),
            Tree::Not(inner) => rest.push(inner),
            Tree::Leaf(leaf) if may_become_a_column(schema, &leaf.expr) => {
                let is_bare = matches!(&*leaf.expr, Expr::Column(_));
                let (open, close) = if is_bare { ("", "") } else { ("(", ")") };
                enclosed.opened.insert(leaf.tokens.start, open);
                enclosed.closed.insert(leaf.tokens.end - 1, format!("{close}{IS_TRUE}"));
            }
            Tree::Leaf(_) => {}
        }
    }
    enclosed
}

/// Whether Hive can simplify an expression to a boolean column.
fn may_become_a_column(schema: &Schema, expr: &Expr) -> bool {
    let of = |expr: &Expr| may_become_a_column(schema, expr);
    match expr {
        Expr::Column(_) => {
            column_type(schema, expr).is_some_and(|(_, of)| of.eq_ignore_ascii_case("boolean"))
        }
        Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => of(inner),
        Expr::Cast { expr, data_type: Type::Boolean } => of(expr),
        Expr::BinaryOp { left, op: BinaryOperator::And | BinaryOperator::Or, right } => of(left) || of(right),
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
            is_truth(left) && of(right) || is_truth(right) && of(left)
        }
        Expr::InList { expr, .. } => of(expr),
        Expr::Case { conditions, else_result, .. } => {
            conditions.iter().any(|when| of(&when.result)) || else_result.as_deref().is_some_and(of)
        }
        Expr::Call(call) => {
            let values = match call.name.as_str() {
                "if" => call.arguments.get(1..).unwrap_or_default(),
                "coalesce" | "nvl" => &call.arguments,
                _ => &[],
            };
            values.iter().any(of)
        }
        _ => false,
    }
}

fn is_truth(expr: &Expr) -> bool {
    constant_truth(expr) == Some(Some(true))
}

//! Conditions without a comparison: boolean columns, and expressions that Hive simplifies to them.

use super::names::column_type;
use super::truth::constant_truth;
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Expr, Literal, Node, Type, UnaryOperator};
use saltplan_sql::functions::Operation;

/// Beside conditions on the key, Hive's HBase handler takes no condition that comes down to a column: each becomes a comparison
/// that Hive does not simplify, as it does `= TRUE`. NULL stays NULL.
pub(super) fn compare_booleans(schema: &Schema, node: &mut Node) {
    match &mut node.expr {
        Expr::And(arms) | Expr::Or(arms) => arms.iter_mut().for_each(|arm| compare_booleans(schema, arm)),
        Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => {
            compare_booleans(schema, inner);
        }
        expr if may_become_a_column(schema, expr) => {
            let condition = node.clone();
            let left = match condition.expr {
                Expr::Column(_) => condition,
                _ => Node::new(Expr::Nested(Box::new(condition)), node.span),
            };
            let right = Expr::Literal(Literal::Bool(false)).into();
            node.expr = Expr::BinaryOp { left: Box::new(left), op: BinaryOperator::NotEq, right };
        }
        _ => {}
    }
}

/// Whether Hive can simplify an expression to a boolean column.
fn may_become_a_column(schema: &Schema, expr: &Expr) -> bool {
    let of = |expr: &Expr| may_become_a_column(schema, expr);
    match expr {
        Expr::Column(_) => column_type(schema, expr).is_some_and(|(_, of)| *of == Type::Boolean),
        Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => of(inner),
        Expr::Cast { expr, data_type: Type::Boolean, .. } => of(expr),
        Expr::And(arms) | Expr::Or(arms) => arms.iter().any(|arm| of(arm)),
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
            is_truth(left) && of(right) || is_truth(right) && of(left)
        }
        Expr::InList { expr, .. } => of(expr),
        Expr::Case { conditions, else_result, .. } => {
            conditions.iter().any(|when| of(&when.result))
                || else_result.as_ref().is_some_and(|result| of(result))
        }
        Expr::Call(call) => {
            let values = match call.operation() {
                Operation::If => call.arguments.get(1..).unwrap_or_default(),
                Operation::FirstNotNull => &call.arguments,
                _ => &[],
            };
            values.iter().any(|value| of(value))
        }
        _ => false,
    }
}

fn is_truth(expr: &Expr) -> bool {
    constant_truth(expr) == Some(Some(true))
}

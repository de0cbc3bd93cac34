//! `<=>`, `IS [NOT] DISTINCT FROM`, `IS [NOT] TRUE` and `FALSE`, and conditions compared with TRUE and FALSE.

use crate::analyze::constant::{Constant, fold};
use saltplan_sql::ast::{BinaryOperator, Expr, Literal};

/// A condition on the truth of another one or on the sameness of two values, NULL among them.
pub(super) enum TruthTest<'e> {
    /// NULL where the condition is NULL: `(a > 1) = FALSE` is `NOT a > 1`.
    Same { condition: &'e Expr, negated: bool },
    /// Whether the condition has this value; never NULL.
    Is { condition: &'e Expr, value: bool, negated: bool },
    /// `left <=> right`; NULL only for values that are not NULL and cannot be compared, such as a date and `'x'`.
    SameValue { left: &'e Expr, right: &'e Expr, negated: bool },
}

/// What a condition tests, if it is of this kind.
pub(super) fn truth_test(expr: &Expr) -> Option<TruthTest<'_>> {
    match expr {
        Expr::Is { expr: condition, value: Some(value), negated } => {
            Some(TruthTest::Is { condition, value: *value, negated: *negated })
        }
        Expr::BinaryOp { left, op, right } if op.is_null_safe() => {
            Some(same_value(left, right, *op == BinaryOperator::DistinctFrom))
        }
        Expr::BinaryOp { left, op: op @ (BinaryOperator::Eq | BinaryOperator::NotEq), right } => {
            let (condition, value) = beside_truth(left, right)?;
            Some(TruthTest::Same { condition, negated: value == (*op == BinaryOperator::NotEq) })
        }
        _ => None,
    }
}

fn same_value<'e>(left: &'e Expr, right: &'e Expr, negated: bool) -> TruthTest<'e> {
    match beside_truth(left, right) {
        Some((condition, value)) => TruthTest::Is { condition, value, negated },
        None => TruthTest::SameValue { left, right, negated },
    }
}

/// The condition that is compared with TRUE or FALSE, and with which of them.
fn beside_truth<'e>(left: &'e Expr, right: &'e Expr) -> Option<(&'e Expr, bool)> {
    match (truth_of(left), truth_of(right)) {
        (None, Some(value)) if fold(left).is_none() => Some((left, value)),
        (Some(value), None) if fold(right).is_none() => Some((right, value)),
        _ => None,
    }
}

/// TRUE or FALSE, if an expression without columns is that.
fn truth_of(expr: &Expr) -> Option<bool> {
    match expr.unnested() {
        // Most operands are one of these, and need not be computed.
        Expr::Column(_) | Expr::Literal(Literal::Text(_) | Literal::Number(_)) => None,
        expr => match fold(expr) {
            Some(Constant::Bool(value)) => Some(value),
            _ => None,
        },
    }
}

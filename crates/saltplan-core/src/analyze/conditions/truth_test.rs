//! `<=>`, `IS [NOT] DISTINCT FROM`, `IS [NOT] TRUE` and `FALSE`, and conditions compared with TRUE and FALSE.

use crate::analyze::bind::{BoundNode, Operator};
use crate::analyze::constant::{Constant, fold};
use saltplan_sql::ast::BinaryOperator;

/// A condition on the truth of another one or on the sameness of two values, NULL among them.
pub(super) enum TruthTest<'n> {
    /// NULL where the condition is NULL: `(a > 1) = FALSE` is `NOT a > 1`.
    Same { condition: &'n BoundNode, negated: bool },
    /// Whether the condition has this value; never NULL.
    Is { condition: &'n BoundNode, value: bool, negated: bool },
    /// `left <=> right`; NULL only for values that are not NULL and cannot be compared, such as a date and `'x'`.
    SameValue { left: &'n BoundNode, right: &'n BoundNode, negated: bool },
}

/// What a condition tests, if it is of this kind.
pub(super) fn truth_test(node: &BoundNode) -> Option<TruthTest<'_>> {
    match node.operation()? {
        (Operator::Is { value: Some(value), negated }, [condition]) => {
            Some(TruthTest::Is { condition, value, negated })
        }
        (Operator::Binary(op), [left, right]) if op.is_null_safe() => {
            Some(same_value(left, right, op == BinaryOperator::DistinctFrom))
        }
        (Operator::Binary(op @ (BinaryOperator::Eq | BinaryOperator::NotEq)), [left, right]) => {
            let (condition, value) = beside_truth(left, right)?;
            Some(TruthTest::Same { condition, negated: value == (op == BinaryOperator::NotEq) })
        }
        _ => None,
    }
}

fn same_value<'n>(left: &'n BoundNode, right: &'n BoundNode, negated: bool) -> TruthTest<'n> {
    match beside_truth(left, right) {
        Some((condition, value)) => TruthTest::Is { condition, value, negated },
        None => TruthTest::SameValue { left, right, negated },
    }
}

/// The condition that is compared with TRUE or FALSE, and with which of them.
fn beside_truth<'n>(left: &'n BoundNode, right: &'n BoundNode) -> Option<(&'n BoundNode, bool)> {
    match (truth_of(left), truth_of(right)) {
        (None, Some(value)) if fold(left).is_none() => Some((left, value)),
        (Some(value), None) if fold(right).is_none() => Some((right, value)),
        _ => None,
    }
}

/// TRUE or FALSE, if an expression without columns is that.
fn truth_of(node: &BoundNode) -> Option<bool> {
    match fold(node) {
        Some(Constant::Bool(value)) => Some(value),
        _ => None,
    }
}

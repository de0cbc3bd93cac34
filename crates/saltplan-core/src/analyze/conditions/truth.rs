//! The truth of conditions that is the same for all rows.

use std::cmp::Ordering;

use super::truth_test::{TruthTest, truth_test};
use super::walk::Analyzer;
use super::wanted::Wanted;
use crate::analyze::bind::{Bound, BoundNode, Operator};
use crate::analyze::compare::Comparison;
use crate::analyze::constant::{Constant, fold};
use saltplan_sql::ast::{Expr, Type};
use saltplan_sql::functions::Operation;

/// Whether an expression is not NULL for any row: it uses only key fields that are never NULL and constants, in forms
/// that keep NULL out.
pub(super) fn is_never_null(analyzer: &mut Analyzer<'_>, node: &BoundNode) -> bool {
    let Some((operator, operands)) = node.operation() else {
        return match &node.uncast().what {
            Bound::Constant(constant) => match &constant.given {
                Some(given) => given.constant != Constant::Null,
                // A number without a value of its own, or a text that is filled in.
                None => matches!(constant.spelled(), Expr::Literal(_)),
            },
            _ => node.field().is_some_and(|field| !analyzer.schema.key.fields[field].kind.is_nullable()),
        };
    };
    match (operator, operands) {
        (Operator::Not, [operand]) => is_never_null(analyzer, operand),
        // Of a text that is no number they are NULL.
        (Operator::Plus | Operator::Minus | Operator::BitwiseNot, [operand]) => {
            operand.primitive().is_some_and(Type::is_number) && is_never_null(analyzer, operand)
        }
        // For Hive it is NULL where a text becomes no date or number.
        (Operator::Binary(op), [left, right]) if op.is_null_safe() => {
            is_null(left) || is_null(right) || analyzer.is_two_valued(node)
        }
        (Operator::Binary(op), _) => Comparison::of(op).is_some() && analyzer.is_two_valued(node),
        (Operator::And | Operator::Or, arms) => arms.iter().all(|arm| is_never_null(analyzer, arm)),
        (Operator::In { .. }, [_]) => true,
        (Operator::Between { .. } | Operator::In { .. } | Operator::Like { .. }, _) => {
            analyzer.is_two_valued(node)
        }
        (Operator::Is { .. }, _) => true,
        _ => false,
    }
}

/// Whether an expression is NULL for every row.
pub(super) fn is_null(node: &BoundNode) -> bool {
    fold(node) == Some(Constant::Null)
}

/// `x IS NULL` and `x IS NOT NULL`: the operand `x`, and whether the test is true for NULL.
pub(super) fn null_test(node: &BoundNode) -> Option<(&BoundNode, bool)> {
    if let Some((Operator::Is { value: None, negated }, [operand])) = node.operation() {
        return Some((operand, !negated));
    }
    let call = node.call()?;
    match (call.operation(), call.arguments.as_slice()) {
        (Operation::IsNull, [operand]) => Some((operand, true)),
        (Operation::IsNotNull, [operand]) => Some((operand, false)),
        _ => None,
    }
}

/// The truth of a condition without columns, or of one with an empty list: `Some(None)` is NULL.
pub(super) fn constant_truth(node: &BoundNode) -> Option<Option<bool>> {
    match truth_test(node) {
        Some(TruthTest::Same { condition, negated }) => {
            return Some(constant_truth(condition)?.map(|truth| truth != negated));
        }
        Some(TruthTest::Is { condition, value, negated }) => {
            return Some(Some((constant_truth(condition)? == Some(value)) != negated));
        }
        Some(TruthTest::SameValue { left, right, negated }) => {
            let same = match (fold(left)?, fold(right)?) {
                (Constant::Null, Constant::Null) => true,
                (Constant::Null, _) | (_, Constant::Null) => false,
                (a, b) => order_of(&a, &b)?.is_eq(),
            };
            return Some(Some(same != negated));
        }
        None => {}
    }
    match node.operation() {
        // `x IN ()` is FALSE for a NULL, too.
        Some((Operator::In { negated }, [_])) => Some(Some(negated)),
        Some((Operator::Binary(op), [left, right])) => {
            let (comparison, negated) = Comparison::of(op)?;
            match (fold(left)?, fold(right)?) {
                (Constant::Null, _) | (_, Constant::Null) => Some(None),
                (a, b) => Some(Some(comparison.holds(order_of(&a, &b)?) != negated)),
            }
        }
        _ => match fold(node)? {
            Constant::Bool(value) => Some(Some(value)),
            Constant::Null => Some(None),
            // As Hive casts them.
            Constant::Number(number) => Some(Some(number.digits != 0)),
            Constant::Text(text) if text.is_empty() => Some(Some(false)),
            _ => None,
        },
    }
}

/// Whether a condition never has the wanted truth because it compares with NULL.
pub(super) fn is_never(node: &BoundNode, wanted: Wanted) -> bool {
    match node.operation() {
        Some((Operator::Binary(op), [left, right])) => {
            Comparison::of(op).is_some() && (is_null(left) || is_null(right))
        }
        Some((Operator::In { negated }, [operand, list @ ..])) => {
            let nulls = list.iter().filter(|item| is_null(item)).count();
            is_null(operand) || nulls > 0 && (nulls == list.len() || negated == wanted.is_of_all())
        }
        Some((Operator::Between { negated }, [operand, low, high])) => {
            // For values beyond the bound that is not NULL, some versions of Hive say FALSE.
            let nulls = [low, high].into_iter().filter(|bound| is_null(bound)).count();
            is_null(operand) || nulls == 2 || nulls == 1 && negated != wanted.is_of_all()
        }
        Some((Operator::Like { .. } | Operator::RLike { .. }, [operand, pattern, ..])) => {
            is_null(operand) || is_null(pattern)
        }
        _ => false,
    }
}

fn order_of(a: &Constant, b: &Constant) -> Option<Ordering> {
    match (a, b) {
        (Constant::Text(a), Constant::Text(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (Constant::Number(a), Constant::Number(b)) => {
            let scale = a.scale.max(b.scale);
            let align = |digits: i128, own: u32| digits.checked_mul(10i128.checked_pow(scale - own)?);
            Some(align(a.digits, a.scale)?.cmp(&align(b.digits, b.scale)?))
        }
        (Constant::Bool(a), Constant::Bool(b)) => Some(a.cmp(b)),
        (Constant::Date(a), Constant::Date(b)) => Some(a.cmp(b)),
        (Constant::Timestamp(a), Constant::Timestamp(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

//! The truth of conditions that is the same for all rows.

use std::cmp::Ordering;

use super::truth_test::{TruthTest, truth_test};
use super::walk::Analyzer;
use super::wanted::Wanted;
use crate::analyze::chain::bare_field;
use crate::analyze::compare::Comparison;
use crate::analyze::constant::{Constant, fold};
use saltplan_sql::ast::{Expr, Literal};
use saltplan_sql::functions::Operation;

/// Whether an expression is not NULL for any row: it uses only key fields that are never NULL and constants, in forms
/// that keep NULL out.
pub(super) fn is_never_null(analyzer: &mut Analyzer<'_>, expr: &Expr) -> bool {
    match expr.unnested() {
        Expr::Column(_) => bare_field(analyzer.schema, expr)
            .is_some_and(|field| !analyzer.schema.key.fields[field].kind.is_nullable()),
        Expr::Literal(value) => *value != Literal::Null,
        Expr::UnaryOp { expr, .. } => is_never_null(analyzer, expr),
        // For Hive it is NULL where a text becomes no date or number.
        Expr::BinaryOp { left, op, right } if op.is_null_safe() => {
            let is_null = |side: &Expr| fold(side) == Some(Constant::Null);
            is_null(left) || is_null(right) || analyzer.is_two_valued(expr)
        }
        Expr::BinaryOp { op, .. } => Comparison::of(*op).is_some() && analyzer.is_two_valued(expr),
        Expr::And(arms) | Expr::Or(arms) => arms.iter().all(|arm| is_never_null(analyzer, arm)),
        Expr::InList { list, .. } if list.is_empty() => true,
        Expr::Between { .. } | Expr::InList { .. } | Expr::Like { .. } => analyzer.is_two_valued(expr),
        Expr::Is { .. } => true,
        _ => false,
    }
}

/// `x IS NULL` and `x IS NOT NULL`: the operand `x`, and whether the test is true for NULL.
pub(super) fn null_test(expr: &Expr) -> Option<(&Expr, bool)> {
    match expr.unnested() {
        Expr::Is { expr, value: None, negated } => Some((expr, !negated)),
        Expr::Call(call) => match (call.operation(), call.arguments.as_slice()) {
            (Operation::IsNull, [operand]) => Some((operand, true)),
            (Operation::IsNotNull, [operand]) => Some((operand, false)),
            _ => None,
        },
        _ => None,
    }
}

/// The truth of a condition without columns, or of one with an empty list: `Some(None)` is NULL.
pub(super) fn constant_truth(expr: &Expr) -> Option<Option<bool>> {
    let expr = expr.unnested();
    match truth_test(expr) {
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
    match expr {
        // `x IN ()` is FALSE for a NULL, too.
        Expr::InList { list, negated, .. } if list.is_empty() => Some(Some(*negated)),
        Expr::BinaryOp { left, op, right } => {
            let (comparison, negated) = Comparison::of(*op)?;
            match (fold(left)?, fold(right)?) {
                (Constant::Null, _) | (_, Constant::Null) => Some(None),
                (a, b) => Some(Some(comparison.holds(order_of(&a, &b)?) != negated)),
            }
        }
        _ => match fold(expr)? {
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
pub(super) fn is_never(expr: &Expr, wanted: Wanted) -> bool {
    let is_null = |expr: &Expr| fold(expr) == Some(Constant::Null);
    match expr.unnested() {
        Expr::BinaryOp { left, op, right } => {
            Comparison::of(*op).is_some() && (is_null(left) || is_null(right))
        }
        Expr::InList { expr, list, negated } => {
            let nulls = list.iter().filter(|item| is_null(item)).count();
            is_null(expr) || nulls > 0 && (nulls == list.len() || *negated == wanted.is_of_all())
        }
        Expr::Between { expr, negated, low, high } => {
            // For values beyond the bound that is not NULL, some versions of Hive say FALSE.
            let nulls = [low, high].into_iter().filter(|bound| is_null(bound)).count();
            is_null(expr) || nulls == 2 || nulls == 1 && *negated != wanted.is_of_all()
        }
        Expr::Like { expr, pattern, .. } | Expr::RLike { expr, pattern, .. } => {
            is_null(expr) || is_null(pattern)
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

//! The parts of an expression.

use crate::hiveql::ast::Expr;

/// Visits an expression and all that it is made of.
pub(super) fn walk<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(expr);
    let mut each = |parts: &[&'e Expr]| parts.iter().for_each(|part| walk(part, visit));
    match expr {
        Expr::Nested(inner)
        | Expr::UnaryOp { expr: inner, .. }
        | Expr::Cast { expr: inner, .. }
        | Expr::IsNull(inner)
        | Expr::IsNotNull(inner)
        | Expr::IsTrue(inner)
        | Expr::IsNotTrue(inner)
        | Expr::IsFalse(inner)
        | Expr::IsNotFalse(inner) => each(&[inner]),
        Expr::BinaryOp { left, right, .. }
        | Expr::IsDistinctFrom(left, right)
        | Expr::IsNotDistinctFrom(left, right) => each(&[left, right]),
        Expr::Between { .. } | Expr::InList { .. } | Expr::Like { .. } | Expr::RLike { .. } => {
            each(&operands(expr));
        }
        Expr::Case { operand, conditions, else_result, .. } => {
            each(&operand.iter().chain(else_result).map(Box::as_ref).collect::<Vec<_>>());
            for when in conditions {
                each(&[&when.condition, &when.result]);
            }
        }
        Expr::Tuple(items) => each(&items.iter().collect::<Vec<_>>()),
        Expr::Call(call) => each(&call.arguments.iter().collect::<Vec<_>>()),
        Expr::Column(_)
        | Expr::Literal(_)
        | Expr::TypedText { .. }
        | Expr::Interval { .. }
        | Expr::Runtime(_)
        | Expr::Opaque => {}
    }
}

/// What a condition compares.
pub(super) fn operands(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Nested(inner) => operands(inner),
        Expr::BinaryOp { left, right, .. } => vec![left, right],
        Expr::Between { expr, low, high, .. } => vec![expr, low, high],
        Expr::InList { expr, list, .. } => std::iter::once(expr.as_ref()).chain(list).collect(),
        Expr::Like { expr, pattern, .. } | Expr::RLike { expr, pattern, .. } => vec![expr, pattern],
        _ => Vec::new(),
    }
}

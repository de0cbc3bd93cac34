//! The parts of an expression.

use crate::hiveql::ast::{Call, Column, Expr, When};

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
        | Expr::Runtime(_) => {}
        Expr::Opaque(parts) => each(&parts.iter().collect::<Vec<_>>()),
    }
}

/// The expression with other ones in place of columns; a column for which there is none stays.
pub(super) fn mapped(expr: &Expr, with: &mut dyn FnMut(&Column) -> Option<Expr>) -> Expr {
    let mut one = |expr: &Expr| Box::new(mapped(expr, with));
    match expr {
        Expr::Column(column) => with(column).unwrap_or_else(|| expr.clone()),
        Expr::Nested(inner) => Expr::Nested(one(inner)),
        Expr::UnaryOp { op, expr } => Expr::UnaryOp { op: *op, expr: one(expr) },
        Expr::Cast { expr, data_type } => Expr::Cast { expr: one(expr), data_type: *data_type },
        Expr::IsNull(inner) => Expr::IsNull(one(inner)),
        Expr::IsNotNull(inner) => Expr::IsNotNull(one(inner)),
        Expr::IsTrue(inner) => Expr::IsTrue(one(inner)),
        Expr::IsNotTrue(inner) => Expr::IsNotTrue(one(inner)),
        Expr::IsFalse(inner) => Expr::IsFalse(one(inner)),
        Expr::IsNotFalse(inner) => Expr::IsNotFalse(one(inner)),
        Expr::IsDistinctFrom(left, right) => Expr::IsDistinctFrom(one(left), one(right)),
        Expr::IsNotDistinctFrom(left, right) => Expr::IsNotDistinctFrom(one(left), one(right)),
        Expr::BinaryOp { left, op, right } => Expr::BinaryOp { left: one(left), op: *op, right: one(right) },
        Expr::Between { expr, negated, low, high } => {
            Expr::Between { expr: one(expr), negated: *negated, low: one(low), high: one(high) }
        }
        Expr::InList { expr, list, negated } => {
            let list = list.iter().map(|item| *one(item)).collect();
            Expr::InList { expr: one(expr), list, negated: *negated }
        }
        Expr::Like { negated, expr, pattern, escape_char } => Expr::Like {
            negated: *negated,
            expr: one(expr),
            pattern: one(pattern),
            escape_char: escape_char.as_deref().map(one),
        },
        Expr::RLike { negated, expr, pattern } => {
            Expr::RLike { negated: *negated, expr: one(expr), pattern: one(pattern) }
        }
        Expr::Case { operand, conditions, else_result } => Expr::Case {
            operand: operand.as_deref().map(&mut one),
            conditions: conditions
                .iter()
                .map(|when| When { condition: *one(&when.condition), result: *one(&when.result) })
                .collect(),
            else_result: else_result.as_deref().map(&mut one),
        },
        Expr::Tuple(items) => Expr::Tuple(items.iter().map(|item| *one(item)).collect()),
        Expr::Call(call) => Expr::Call(Call {
            name: call.name.clone(),
            arguments: call.arguments.iter().map(|argument| *one(argument)).collect(),
        }),
        Expr::Opaque(parts) => Expr::Opaque(parts.iter().map(|part| *one(part)).collect()),
        Expr::Literal(_) | Expr::TypedText { .. } | Expr::Interval { .. } | Expr::Runtime(_) => expr.clone(),
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

//! Numbers and instants of the key beside texts, anywhere in a condition that is left to Hive: as Hive would have it, its own
//! columns become what the text says, and the same values cut out of a row key do not.

use super::exact::comparison_of;
use super::instant::local_time_of_instant;
use super::never::operands;
use crate::hiveql::ast::{BinaryOperator, Expr};
use crate::key::time_format::parse_timestamp;
use crate::predicate::constant::{Constant, Decimal, fold};
use crate::predicate::reading::Unclear;
use crate::predicate::term::{View, recognise};
use crate::schema::model::{FieldKind, IntegerSize, Schema};

/// Why some comparison in a condition has an instant and a local time, which Hive cannot compare row by row.
pub(super) fn mixed_times(schema: &Schema, expr: &Expr) -> Option<Unclear> {
    let mut found = None;
    walk(expr, &mut |part| {
        if found.is_none() {
            found = local_time_of_instant(schema, &compared(part));
        }
    });
    found
}

/// What is wrong with texts beside numbers of the key: Hive refuses a bigint beside a text, unless it is a column, and no text
/// that is no number has one meaning.
pub(super) fn rejected_texts(schema: &Schema, expr: &Expr) -> Vec<String> {
    let mut rejected = Vec::new();
    walk(expr, &mut |part| {
        let Some((a, b)) = pair(part) else { return };
        for (operand, constant) in [(a, b), (b, a)] {
            let (Some(term), Some(Constant::Text(text))) = (recognise(schema, operand), fold(constant))
            else {
                continue;
            };
            let field = &schema.key.fields[term.field];
            let is_long = match &field.kind {
                FieldKind::Integer(integer) => integer.size != IntegerSize::Int,
                FieldKind::Epoch(_) if parse_timestamp(&text).is_none() => true,
                _ => continue,
            };
            let number = Decimal::parse(text.trim());
            if term.view != View::Whole || (number.is_some() && !is_long) {
                continue;
            }
            let remedy = number.map_or_else(String::new, |number| format!(": write {number}"));
            rejected.push(format!("`{}` is a number, and '{text}' a text{remedy}", field.name));
        }
    });
    rejected
}

/// Both sides of a comparison that Hive makes of two values.
fn pair(expr: &Expr) -> Option<(&Expr, &Expr)> {
    match expr {
        Expr::BinaryOp { left, op, right } => {
            let compares = comparison_of(*op).is_some() || *op == BinaryOperator::NullSafeEq;
            compares.then_some((left, right))
        }
        Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => Some((left, right)),
        _ => None,
    }
}

/// What is compared right here.
fn compared(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Nested(_) => Vec::new(),
        Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => vec![left, right],
        other => operands(other),
    }
}

/// Visits an expression and all that it is made of.
fn walk<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
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

//! Numbers and instants of the key beside texts, anywhere in a condition that is left to Hive: as Hive would have it, its own
//! columns become what the text says, and the same values cut out of a row key do not.

use super::instant::local_time_of_instant;
use crate::hiveql::ast::{BinaryOperator, Expr, Node, Type};
use crate::hiveql::rewrite::{operands, walk};
use crate::key::field::FieldKind;
use crate::key::number::IntegerSize;
use crate::key::time_format::parse_timestamp;
use crate::predicate::compare::Comparison;
use crate::predicate::constant::{Constant, Decimal, fold, leaves_calendar};
use crate::predicate::reading::Unclear;
use crate::predicate::term::{View, recognise};
use crate::schema::model::Schema;

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
                FieldKind::Integer(integer) => integer.size == IntegerSize::Bigint,
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

/// What is wrong with constants that the versions of Hive, or one of them from place to place in a statement, take for different
/// values.
pub(super) fn odd_constants(schema: &Schema, expr: &Expr) -> Vec<String> {
    let is_time = |operand: &Expr| {
        let term = recognise(schema, operand);
        let kind = term.map(|term| &schema.key.fields[term.field].kind);
        matches!(kind, Some(FieldKind::Calendar(_) | FieldKind::Epoch(_)))
    };
    let mut odd = Vec::new();
    walk(expr, &mut |part| match part {
        Expr::Cast { expr, data_type: Type::TinyInt | Type::SmallInt | Type::Int | Type::BigInt, .. } => {
            if let Some(Constant::Number(number)) = fold(expr)
                && number.scale > 0
            {
                odd.push(format!(
                    "Hive 3 takes `{part}` for {number} here and there: write the number that is meant"
                ));
            }
        }
        _ => {
            let held = held_together(part);
            if held.iter().any(|operand| is_time(operand)) {
                let far = held.iter().find(|one| leaves_calendar(one));
                odd.extend(far.map(|far| {
                    format!("`{far}` lies outside the years 1583 to 9999, and Hive 2 counts such days differently: write a day within them")
                }));
            }
        }
    });
    odd
}

/// The sides of a comparison, of a list, of a pattern or of a CASE, which are held against each other.
fn held_together(expr: &Expr) -> Vec<&Node> {
    match (pair(expr), expr) {
        (Some((left, right)), _) => vec![left, right],
        (None, Expr::Nested(_) | Expr::BinaryOp { .. }) => Vec::new(),
        (None, Expr::Case { operand: Some(operand), conditions, .. }) => {
            let values = conditions.iter().map(|when| &when.condition);
            std::iter::once(operand.as_ref()).chain(values).collect()
        }
        (None, other) => operands(other),
    }
}

/// Both sides of a comparison that Hive makes of two values.
fn pair(expr: &Expr) -> Option<(&Node, &Node)> {
    match expr {
        Expr::BinaryOp { left, op, right } => {
            let compares = Comparison::of(*op).is_some() || *op == BinaryOperator::NullSafeEq;
            compares.then_some((left, right))
        }
        Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => Some((left, right)),
        _ => None,
    }
}

/// What is compared right here.
fn compared(expr: &Expr) -> Vec<&Node> {
    match expr {
        Expr::Nested(_) => Vec::new(),
        Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => vec![left, right],
        other => operands(other),
    }
}

//! Local times that Hive 2.3.9 moves: a TIMESTAMP is a time of the Java machine there, so that of a stored 02:30, which the machine's zone
//! skips, it shows 03:30 (measured; 3.1.3 and 4.1.0 show what is stored). The zone is not known here. A time is moved to a later one of
//! its day, so that a condition on such a column may use whole days from below, and any time from above:
//! `at = '2024-03-10 03:30:00'` may be true for every time of the day until then.

use std::borrow::Cow;

use saltplan_sql::ast::{BinaryOperator, Call, Column, Expr, Literal, Node, Type};
use saltplan_sql::functions::{Function, Operation};
use saltplan_sql::rewrite::has;

use crate::meaning::{is_day, is_time};
use crate::scope::KnownTable;

/// What a condition on one table says of the stored times; an error if it says nothing.
pub fn of_stored<'n>(node: &Cow<'n, Node>, table: &KnownTable<'_>) -> Result<Cow<'n, Node>, String> {
    match table.has_moved_times() {
        true => Ok(Cow::Owned(stored(node, &|column| table.is_moved(&column.name.to_lowercase()))?)),
        false => Ok(node.clone()),
    }
}

/// `is_moved` says which columns Hive may show another time of.
fn stored(node: &Node, is_moved: &dyn Fn(&Column) -> bool) -> Result<Node, String> {
    let names_one = |part: &Expr| matches!(part, Expr::Column(column) if is_moved(column));
    let all = |parts: &[Node]| parts.iter().map(|part| stored(part, is_moved)).collect::<Result<_, _>>();
    if !has(node, names_one) {
        return Ok(node.clone());
    }
    let is_column = |node: &Node| names_one(&node.bare().expr);
    let is_value = |node: &Node| !has(node, |part| matches!(part, Expr::Column(_)));
    let made = |expr| Ok(Node::new(expr, node.span));
    match &node.expr {
        Expr::Nested(inner) => made(Expr::Nested(Box::new(stored(inner, is_moved)?))),
        Expr::And(parts) => made(Expr::And(all(parts)?)),
        Expr::Or(parts) => made(Expr::Or(all(parts)?)),
        Expr::BinaryOp { left, op, right } if is_column(left) && is_value(right) => {
            compared(left, *op, right, node)
        }
        Expr::BinaryOp { left, op, right } if is_column(right) && is_value(left) => {
            compared(right, op.flipped(), left, node)
        }
        Expr::Between { expr, negated: false, low, high } if is_column(expr) && is_value(high) => {
            made(between(expr, day_of(low)?, high))
        }
        Expr::InList { expr, list, negated: false } if is_column(expr) => {
            let arm = |value: &Node| Ok(Node::new(between(expr, day_of(value)?, value), value.span));
            let mut arms = list.iter().map(arm).collect::<Result<Vec<_>, String>>()?;
            made(match arms.len() {
                1 => arms.remove(0).expr,
                _ => Expr::Or(arms),
            })
        }
        Expr::Is { expr, value: None, .. } if is_column(expr) => Ok(node.clone()),
        _ if shows_days(node, &is_column) => Ok(node.clone()),
        _ => Err(fault()),
    }
}

fn fault() -> String {
    "Hive 2.3.9 shows a later time of a TIMESTAMP that the zone of the server skips: compare the column itself, or its day".into()
}

fn compared(column: &Node, op: BinaryOperator, value: &Node, node: &Node) -> Result<Node, String> {
    let expr = match op {
        BinaryOperator::Lt | BinaryOperator::LtEq => return Ok(node.clone()),
        BinaryOperator::Eq => between(column, day_of(value)?, value),
        BinaryOperator::Gt | BinaryOperator::GtEq => Expr::BinaryOp {
            left: Box::new(column.clone()),
            op: BinaryOperator::GtEq,
            right: Box::new(day_of(value)?),
        },
        _ => return Err(fault()),
    };
    Ok(Node::new(expr, node.span))
}

fn between(column: &Node, low: Node, high: &Node) -> Expr {
    let (expr, high) = (Box::new(column.clone()), Box::new(high.clone()));
    Expr::Between { expr, negated: false, low: Box::new(low), high }
}

/// The beginning of the day of a value.
fn day_of(value: &Node) -> Result<Node, String> {
    let with_text = |text: &str| format!("{} 00:00:00", &text[..10]);
    let expr = match &value.bare().expr {
        Expr::Literal(Literal::Text(text)) if is_time(text) => Expr::Literal(Literal::Text(with_text(text))),
        Expr::TypedText { data_type: Type::Timestamp, text } if is_time(text) => {
            Expr::TypedText { data_type: Type::Timestamp, text: with_text(text) }
        }
        Expr::Cast { expr, data_type: Type::Timestamp, written } => {
            Expr::Cast { expr: Box::new(day_of(expr)?), data_type: Type::Timestamp, written: written.clone() }
        }
        expr if is_whole_day(expr) => expr.clone(),
        _ => return Err(fault()),
    };
    Ok(Node::new(expr, value.span))
}

/// Whether a value is a day, or NULL.
fn is_whole_day(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(Literal::Text(text)) => is_day(text),
        Expr::TypedText { data_type, text } => *data_type == Type::Date || is_day(text),
        Expr::Cast { data_type, .. } => *data_type == Type::Date,
        Expr::Call(call) => call.function.is_some_and(Function::is_of_dates),
        expr => *expr == Expr::Literal(Literal::Null),
    }
}

/// Whether an expression uses such columns only by their days.
fn shows_days(node: &Node, is_column: &dyn Fn(&Node) -> bool) -> bool {
    if is_column(node) {
        return false;
    }
    let is_left_out = |index: usize, part: &Node| {
        is_column(part)
            && match &node.expr {
                Expr::Cast { data_type, .. } => *data_type == Type::Date,
                Expr::Call(call) => uses_day(call, index),
                _ => false,
            }
    };
    let mut parts = Vec::new();
    node.for_each_part(&mut |part| parts.push(part));
    parts.iter().enumerate().all(|(index, part)| is_left_out(index, part) || shows_days(part, is_column))
}

/// Whether a call uses only the day of an argument.
fn uses_day(call: &Call, index: usize) -> bool {
    let Some(function) = call.function else { return false };
    let text = |index: usize| match call.arguments.get(index).map(|of| &of.bare().expr) {
        Some(Expr::Literal(Literal::Text(text) | Literal::Number(text))) => Some(text.as_str()),
        _ => None,
    };
    match call.operation() {
        Operation::Print => {
            index == 0
                && text(1).is_some_and(|pattern| {
                    pattern.chars().all(|c| !c.is_alphabetic() || matches!(c, 'y' | 'M' | 'd'))
                })
        }
        // `2020-04-06` has ten characters.
        Operation::Substring => {
            index == 0
                && text(1) == Some("1")
                && text(2).and_then(|length| length.parse::<u8>().ok()).is_some_and(|length| length <= 10)
        }
        _ => function.takes_date(index),
    }
}

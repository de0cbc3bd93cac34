//! Conditions on whole numbers that are compared with, or become, values of another type.
//!
//! Hive compares an int with a double, a decimal or a text as numbers that hold every whole number of 15 digits. With a FLOAT it compares
//! floats, which hold whole numbers only up to 2^24: to Hive the FLOAT 20200408 is equal to the int 20200407 (measured on 2.3.9, 3.1.3
//! and 4.1.0). A text in a list is compared as a text by Hive 2 and 3: `'05' NOT IN (5)` is true, and `'05' = 5` too.

use saltplan_sql::ast::{BinaryOperator, Expr, Literal, Node, Type, UnaryOperator};

use crate::conditions::{all, orders};
use crate::outputs::ColumnType;

/// A float holds every whole number up to this one.
const EXACT_IN_FLOAT: i64 = 1 << 24;

/// Whether a condition only compares columns with whole numbers of at most 15 digits. Negations count only if `also_negated`.
pub fn compares_whole_numbers(node: &Node, also_negated: bool) -> bool {
    let is_column = |node: &Node| matches!(node.bare().expr, Expr::Column(_));
    let is_whole = |node: &Node| whole_number(node).is_some();
    match &node.expr {
        Expr::Nested(inner) => compares_whole_numbers(inner, also_negated),
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => also_negated && compares_whole_numbers(expr, true),
        Expr::And(parts) | Expr::Or(parts) => {
            parts.iter().all(|part| compares_whole_numbers(part, also_negated))
        }
        Expr::BinaryOp { left, op, right } if orders(*op) || also_negated && op.compares() => {
            is_column(left) && is_whole(right) || is_whole(left) && is_column(right)
        }
        Expr::Between { expr, negated, low, high } => {
            is_column(expr) && is_whole(low) && is_whole(high) && (also_negated || !negated)
        }
        Expr::InList { expr, list, negated } => {
            is_column(expr) && list.iter().all(is_whole) && (also_negated || !negated)
        }
        Expr::Is { expr, value: None, .. } => also_negated && is_column(expr),
        _ => false,
    }
}

/// What is true for a whole number if a condition is true for an equal value of a type that may be FLOAT: around greater numbers it
/// takes those that are the same float, too.
pub fn of_equal_values(node: &Node) -> Option<Node> {
    let expr = match &node.expr {
        Expr::Nested(inner) => Expr::Nested(of_equal_values(inner)?.into()),
        Expr::And(parts) => all(parts.iter().filter_map(of_equal_values).collect())?.expr,
        Expr::Or(arms) => Expr::Or(arms.iter().map(of_equal_values).collect::<Option<_>>()?),
        Expr::BinaryOp { left, op, right } => match (&left.bare().expr, &right.bare().expr) {
            (Expr::Column(_), _) => compared(left, *op, whole_number(right)?)?,
            (_, Expr::Column(_)) => compared(right, turned(*op)?, whole_number(left)?)?,
            _ => return None,
        },
        Expr::Between { expr, negated: false, low, high } if matches!(expr.bare().expr, Expr::Column(_)) => {
            between(expr, below(whole_number(low)?), above(whole_number(high)?))
        }
        Expr::InList { expr, list, negated: false } if matches!(expr.bare().expr, Expr::Column(_)) => {
            let arms =
                list.iter().map(|item| Some(compared(expr, BinaryOperator::Eq, whole_number(item)?)?.into()));
            let mut arms: Vec<Node> = arms.collect::<Option<_>>()?;
            if arms.len() == 1 { arms.pop()?.expr } else { Expr::Or(arms) }
        }
        _ => return None,
    };
    // So that an OR stays one operand of an AND.
    let expr = if matches!(expr, Expr::Or(_)) { Expr::Nested(expr.into()) } else { expr };
    Some(Node::new(expr, node.span))
}

/// What a condition on a value of one type says about the equal value of another type.
pub fn for_equal_value(condition: &Node, from: ColumnType, to: ColumnType) -> Option<Node> {
    let is_exact = |of_type: Type| {
        !matches!(of_type, Type::Float | Type::Double | Type::Char(_) | Type::Void | Type::Binary)
    };
    match (from, to) {
        (ColumnType::Is(from), ColumnType::Is(to)) if from == to && is_exact(from) => Some(condition.clone()),
        (ColumnType::Is(from), ColumnType::Is(to))
            if to.is_integer() && (from.is_number() && from != Type::Float || from.is_text()) =>
        {
            compares_whole_numbers(condition, false).then(|| condition.clone())
        }
        (_, ColumnType::Is(to)) if to.is_integer() => of_equal_values(condition),
        _ => None,
    }
}

fn compared(column: &Node, op: BinaryOperator, number: i64) -> Option<Expr> {
    let than =
        |number: i64| Expr::BinaryOp { left: Box::new(column.clone()), op, right: literal(number).into() };
    Some(match op {
        BinaryOperator::Eq if below(number) == number => than(number),
        BinaryOperator::Eq => between(column, below(number), above(number)),
        BinaryOperator::Lt | BinaryOperator::Gt => than(number),
        BinaryOperator::LtEq => than(above(number)),
        BinaryOperator::GtEq => than(below(number)),
        _ => return None,
    })
}

fn between(column: &Node, low: i64, high: i64) -> Expr {
    Expr::Between {
        expr: Box::new(column.clone()),
        negated: false,
        low: literal(low).into(),
        high: literal(high).into(),
    }
}

fn turned(op: BinaryOperator) -> Option<BinaryOperator> {
    Some(match op {
        BinaryOperator::Eq => BinaryOperator::Eq,
        BinaryOperator::Lt => BinaryOperator::Gt,
        BinaryOperator::LtEq => BinaryOperator::GtEq,
        BinaryOperator::Gt => BinaryOperator::Lt,
        BinaryOperator::GtEq => BinaryOperator::LtEq,
        _ => return None,
    })
}

/// The distance of two floats around a number; 0 if they are closer than whole numbers. It doubles at each power of two, and a number
/// just below one may be the same float as numbers above it.
fn spacing(number: i64) -> i64 {
    let size = number.abs();
    if size < EXACT_IN_FLOAT {
        return 0;
    }
    let below = 1 << (size.ilog2() - 23);
    1 << ((size + below).ilog2() - 23)
}

fn below(number: i64) -> i64 {
    number - spacing(number)
}

fn above(number: i64) -> i64 {
    number + spacing(number)
}

fn literal(number: i64) -> Expr {
    let digits = Expr::Literal(Literal::Number(number.unsigned_abs().to_string()));
    match number < 0 {
        true => Expr::UnaryOp { op: UnaryOperator::Minus, expr: digits.into() },
        false => digits,
    }
}

/// A whole number of at most 15 digits.
fn whole_number(node: &Node) -> Option<i64> {
    match &node.bare().expr {
        Expr::Literal(Literal::Number(digits)) => {
            let is_whole = digits.len() <= 15 && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_whole.then(|| digits.parse().ok()).flatten()
        }
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => Some(-whole_number(expr)?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::spacing;

    /// Whole numbers that become the same float differ at most by the spacing.
    #[test]
    #[expect(clippy::cast_precision_loss, reason = "that is what is tested")]
    fn equal_floats_are_near() {
        for power in 20..49 {
            let start = 1_i64 << power;
            for number in [start - 3, start - 1, start, start + 1, start + 2, start + start / 3, 20_200_407] {
                for sign in [1, -1] {
                    let number = sign * number;
                    let distance = spacing(number);
                    let beyond = [number - distance - 1, number + distance + 1];
                    assert!(beyond.iter().all(|other| *other as f32 != number as f32), "{number}");
                }
            }
        }
    }
}

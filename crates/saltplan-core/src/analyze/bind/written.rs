//! A bound tree as the expression that was written: without the casts that binding adds, and constants as they were spelled.

use super::tree::{Bound, BoundCall, BoundNode, CastOrigin, Operator};
use saltplan_sql::ast::{Call, Expr, Literal, Node, UnaryOperator, When};
use saltplan_sql::hive_type::Type;

/// The expression of a bound tree. The brackets of the text are gone.
pub fn written(node: &BoundNode) -> Expr {
    match &node.what {
        Bound::Column(column) => Expr::Column(column.written.clone()),
        Bound::Constant(constant) => match &constant.written {
            Some(written) => (**written).clone(),
            None => Expr::Literal(Literal::Null),
        },
        Bound::Runtime(name) => Expr::Runtime(name.clone()),
        Bound::Cast { operand, origin } => match origin {
            CastOrigin::Added => written(operand),
            CastOrigin::Written(spelled) => {
                let data_type = node.primitive().unwrap_or(Type::String);
                Expr::Cast { expr: part(operand).into(), data_type, written: spelled.clone() }
            }
        },
        Bound::Operation { operator, operands } => operation(*operator, operands),
        Bound::Call(BoundCall { function, name, arguments, form }) => Expr::Call(Call {
            name: name.clone(),
            function: *function,
            arguments: parts(arguments),
            form: *form,
        }),
        Bound::Case { operand, arms, otherwise } => {
            let when = |(condition, result): &(BoundNode, BoundNode)| When {
                condition: part(condition),
                result: part(result),
            };
            Expr::Case {
                operand: operand.as_deref().map(|operand| part(operand).into()),
                conditions: arms.iter().map(when).collect(),
                else_result: otherwise.as_deref().map(|result| part(result).into()),
            }
        }
        Bound::Member { operand, name } => Expr::Member { expr: part(operand).into(), name: name.clone() },
        Bound::Row(items) => Expr::Tuple(parts(items)),
        Bound::Interval { amount, unit, last } => {
            Expr::Interval { amount: part(amount).into(), unit: *unit, last: *last }
        }
        Bound::Open { written, .. } => (**written).clone(),
    }
}

fn part(node: &BoundNode) -> Node {
    Node::new(written(node), node.span)
}

fn parts(nodes: &[BoundNode]) -> Vec<Node> {
    nodes.iter().map(part).collect()
}

fn operation(operator: Operator, operands: &[BoundNode]) -> Expr {
    let mut rest = parts(operands).into_iter();
    let mut next = || Box::new(rest.next().unwrap_or_else(|| Expr::Literal(Literal::Null).into()));
    match operator {
        Operator::And => Expr::And(rest.collect()),
        Operator::Or => Expr::Or(rest.collect()),
        Operator::Not => Expr::UnaryOp { op: UnaryOperator::Not, expr: next() },
        Operator::Plus => Expr::UnaryOp { op: UnaryOperator::Plus, expr: next() },
        Operator::Minus => Expr::UnaryOp { op: UnaryOperator::Minus, expr: next() },
        Operator::BitwiseNot => Expr::UnaryOp { op: UnaryOperator::BitwiseNot, expr: next() },
        Operator::Binary(op) => Expr::BinaryOp { left: next(), op, right: next() },
        Operator::Is { value, negated } => Expr::Is { expr: next(), value, negated },
        Operator::In { negated } => Expr::InList { expr: next(), list: rest.collect(), negated },
        Operator::Between { negated } => Expr::Between { expr: next(), negated, low: next(), high: next() },
        Operator::Like { negated } => {
            let (expr, pattern) = (next(), next());
            Expr::Like { negated, expr, pattern, escape_char: rest.next().map(Box::new) }
        }
        Operator::RLike { negated } => Expr::RLike { negated, expr: next(), pattern: next() },
        Operator::Element => Expr::Element { expr: next(), index: next() },
    }
}

//! What the versions of Hive agree on.

use super::tree::{Bound, BoundCall, BoundConstant, BoundNode, CastOrigin, ConstantValue, Open};
use super::written::written;
use crate::analyze::constant::Constant;
use saltplan_document::diag::Span;
use saltplan_sql::ast::Expr;
use saltplan_sql::hive_type::{HiveType, Type};

/// One tree for two versions. A part on which they differ is unsettled. What one of them refuses has the meaning of the other: where
/// it is refused, nothing runs.
pub(super) fn agreed(one: BoundNode, other: BoundNode) -> BoundNode {
    let is_refused = |node: &BoundNode| matches!(node.what, Bound::Open { why: Open::Refused(_), .. });
    let is_unsettled = |node: &BoundNode| matches!(node.what, Bound::Open { why: Open::Unsettled, .. });
    if is_refused(&other) || is_unsettled(&one) {
        return one;
    }
    if is_refused(&one) || is_unsettled(&other) {
        return other;
    }
    if one == other {
        return one;
    }
    let span = one.span;
    match (one.what, other.what) {
        // The others convert a value where they use it.
        (Bound::Cast { operand, origin: CastOrigin::Added }, what)
        | (what, Bound::Cast { operand, origin: CastOrigin::Added }) => {
            let (cast_to, own) = match operand.of == one.of {
                true => (other.of, one.of),
                false => (one.of, other.of),
            };
            let operand = agreed(*operand, BoundNode::new(what, own, span));
            let cast = Bound::Cast { operand: Box::new(operand), origin: CastOrigin::Added };
            BoundNode::new(cast, cast_to, span)
        }
        (Bound::Constant(a), Bound::Constant(b)) => match agreed_type(&a, one.of, other.of) {
            Some(of) if a.value == b.value => BoundNode::new(Bound::Constant(a), of, span),
            _ => unsettled(a.written.map(|expr| *expr), Vec::new(), span),
        },
        (a, b) if one.of == other.of => match agreed_parts(a, b) {
            Ok(what) => BoundNode::new(what, one.of, span),
            Err(what) => open(what, span),
        },
        (a, _) => open(a, span),
    }
}

/// The type of a constant that has one value in two types, if comparisons and sums with either are the same.
fn agreed_type(constant: &BoundConstant, one: Option<HiveType>, other: Option<HiveType>) -> Option<HiveType> {
    let (one, other) = (one?, other?);
    let is_null = matches!(constant.value, Some(ConstantValue::Plain(Constant::Null)));
    // Single precision takes other digits of a number.
    let is_exact = |of: &HiveType| of.is_number() && *of != Type::Float;
    let is_varying = |of: &HiveType| matches!(of.primitive(), Some(Type::String | Type::Varchar(_)));
    let are_alike = one == other
        || is_null
        || is_exact(&one) && is_exact(&other)
        || is_varying(&one) && is_varying(&other);
    let is_wider = one.whole_numbers() > other.whole_numbers();
    are_alike.then_some(if is_wider { one } else { other })
}

/// Two expressions of one kind, part by part; the first of them if they are of two kinds.
fn agreed_parts(one: Bound, other: Bound) -> Result<Bound, Bound> {
    let each = |ones: Vec<BoundNode>, others: Vec<BoundNode>| -> Vec<BoundNode> {
        ones.into_iter().zip(others).map(|(one, other)| agreed(one, other)).collect()
    };
    let both = |one: Box<BoundNode>, other: Box<BoundNode>| Box::new(agreed(*one, *other));
    Ok(match (one, other) {
        (
            Bound::Operation { operator: a, operands: ones },
            Bound::Operation { operator: b, operands: others },
        ) if a == b && ones.len() == others.len() => {
            Bound::Operation { operator: a, operands: each(ones, others) }
        }
        (Bound::Call(a), Bound::Call(b)) if a.name == b.name && a.arguments.len() == b.arguments.len() => {
            Bound::Call(BoundCall { arguments: each(a.arguments, b.arguments), ..a })
        }
        (Bound::Cast { operand: a, origin }, Bound::Cast { operand: b, origin: same }) if origin == same => {
            Bound::Cast { operand: both(a, b), origin }
        }
        (Bound::Row(a), Bound::Row(b)) if a.len() == b.len() => Bound::Row(each(a, b)),
        (Bound::Member { operand: a, name }, Bound::Member { operand: b, .. }) => {
            Bound::Member { operand: both(a, b), name }
        }
        (Bound::Interval { amount: a, unit, last }, Bound::Interval { amount: b, .. }) => {
            Bound::Interval { amount: both(a, b), unit, last }
        }
        (
            Bound::Case { operand: a, arms: ones, otherwise: c },
            Bound::Case { operand: b, arms: others, otherwise: d },
        ) if ones.len() == others.len() => {
            let arms = ones.into_iter().zip(others);
            Bound::Case {
                operand: a.zip(b).map(|(a, b)| both(a, b)),
                arms: arms.map(|(one, other)| (agreed(one.0, other.0), agreed(one.1, other.1))).collect(),
                otherwise: c.zip(d).map(|(c, d)| both(c, d)),
            }
        }
        (one, _) => return Err(one),
    })
}

fn open(what: Bound, span: Span) -> BoundNode {
    let node = BoundNode::new(what, None, span);
    let expr = written(&node);
    let mut parts = Vec::new();
    node.for_each_part(&mut |part| parts.push(part.clone()));
    unsettled(Some(expr), parts, span)
}

fn unsettled(expr: Option<Expr>, parts: Vec<BoundNode>, span: Span) -> BoundNode {
    let written = Box::new(expr.unwrap_or_else(Expr::null));
    BoundNode::new(Bound::Open { why: Open::Unsettled, written, parts }, None, span)
}

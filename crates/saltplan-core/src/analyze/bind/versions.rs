//! What the versions of Hive agree on.

use super::tree::{Bound, BoundCall, BoundConstant, BoundNode, CastOrigin, ConstantValue, Open};
use crate::analyze::constant::Constant;
use saltplan_sql::hive_type::{HiveType, Type};

/// One tree for two versions. A part on which they differ is unsettled. What one of them refuses has the meaning of the other: where
/// it is refused, nothing runs.
pub(super) fn agreed(one: BoundNode, other: BoundNode) -> BoundNode {
    let is_refused = |node: &BoundNode| matches!(node.open, Some(Open::Refused(_)));
    let is_unsettled = |node: &BoundNode| node.open == Some(Open::Unsettled);
    if is_refused(&other) || is_unsettled(&one) {
        return one;
    }
    if is_refused(&one) || is_unsettled(&other) {
        return other;
    }
    if one == other {
        return one;
    }
    let is_added = |node: &BoundNode| matches!(node.what, Bound::Cast { origin: CastOrigin::Added, .. });
    match (is_added(&one), is_added(&other)) {
        // The others convert a value where they use it.
        (true, false) => return below_cast(one, |operand| agreed(operand, other)),
        (false, true) => return below_cast(other, |operand| agreed(one, operand)),
        _ => {}
    }
    let (of_one, of_other) = (one.of.clone(), other.of.clone());
    let have_one_type = of_one == of_other && one.open == other.open;
    match (&one.what, &other.what) {
        (Bound::Constant(a), Bound::Constant(b)) => match agreed_type(a, of_one, of_other) {
            Some(of) if a.value == b.value => BoundNode { of: Some(of), ..one },
            _ => {
                let constant = BoundConstant { value: None, ..a.clone() };
                BoundNode { what: Bound::Constant(constant), ..one }.opened(Open::Unsettled)
            }
        },
        // What some version decides when it compiles still has its parts in the others.
        (Bound::Constant(_), _) => other.opened(Open::Unsettled),
        _ => {
            let (what, are_of_one_kind) = agreed_parts(one.what, other.what);
            let node = BoundNode { what, ..one };
            if are_of_one_kind && have_one_type { node } else { node.opened(Open::Unsettled) }
        }
    }
}

fn below_cast(node: BoundNode, change: impl FnOnce(BoundNode) -> BoundNode) -> BoundNode {
    match node.what {
        Bound::Cast { operand, origin } => {
            let operand = Box::new(change(*operand));
            BoundNode { what: Bound::Cast { operand, origin }, ..node }
        }
        _ => node,
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

/// Two expressions, part by part; the first of them and `false` if they are of two kinds.
fn agreed_parts(one: Bound, other: Bound) -> (Bound, bool) {
    let each = |ones: Vec<BoundNode>, others: Vec<BoundNode>| -> Vec<BoundNode> {
        ones.into_iter().zip(others).map(|(one, other)| agreed(one, other)).collect()
    };
    let boxed = |one: Box<BoundNode>, other: Box<BoundNode>| Box::new(agreed(*one, *other));
    let both = match (one, other) {
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
            Bound::Cast { operand: boxed(a, b), origin }
        }
        (Bound::Row(a), Bound::Row(b)) if a.len() == b.len() => Bound::Row(each(a, b)),
        (Bound::Member { operand: a, name }, Bound::Member { operand: b, .. }) => {
            Bound::Member { operand: boxed(a, b), name }
        }
        (Bound::Interval { amount: a, unit, last }, Bound::Interval { amount: b, .. }) => {
            Bound::Interval { amount: boxed(a, b), unit, last }
        }
        (
            Bound::Case { operand: a, arms: ones, otherwise: c },
            Bound::Case { operand: b, arms: others, otherwise: d },
        ) if ones.len() == others.len() => {
            let arms = ones.into_iter().zip(others);
            Bound::Case {
                operand: a.zip(b).map(|(a, b)| boxed(a, b)),
                arms: arms.map(|(one, other)| (agreed(one.0, other.0), agreed(one.1, other.1))).collect(),
                otherwise: c.zip(d).map(|(c, d)| boxed(c, d)),
            }
        }
        (one, _) => return (one, false),
    };
    (both, true)
}

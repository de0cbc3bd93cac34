//! The values that a CASE or a function such as `if` chooses among.

use std::borrow::Cow;

use super::truth::is_null;
use super::walk::comparison;
use crate::analyze::bind::{Bound, BoundNode};
use saltplan_sql::ast::{BinaryOperator, Literal};
use saltplan_sql::functions::Operation;

/// A value of a CASE: it is the result if `when` is true and no earlier condition is.
pub(super) struct Choice<'n> {
    pub when: Option<BoundNode>,
    pub value: Cow<'n, BoundNode>,
}

/// The maximum number of values of one CASE.
const MAX_CHOICES: usize = 16;

/// The values of CASE and `if`. The last one is the result if no condition is true. `None` where Hive converts one of them before it is
/// the result, or before it is compared: a number beside a text becomes a text.
pub(super) fn choices(node: &BoundNode) -> Option<Vec<Choice<'_>>> {
    let choices = written_choices(node)?;
    let mut values = choices.iter().map(|choice| choice.value.as_ref()).filter(|value| !is_null(value));
    let first = values.next();
    first.is_none_or(|first| values.all(|value| has_type_of(value, first))).then_some(choices)
}

/// Whether Hive has two values in one type, or in two of whole numbers.
fn has_type_of(one: &BoundNode, other: &BoundNode) -> bool {
    match (one.uncast().primitive(), other.uncast().primitive()) {
        (Some(one), Some(other)) => one == other || one.is_integer() && other.is_integer(),
        _ => false,
    }
}

fn written_choices(node: &BoundNode) -> Option<Vec<Choice<'_>>> {
    let null = || Cow::Owned(BoundNode::literal(Literal::Null));
    let otherwise = |value| Choice { when: None, value };
    if let Bound::Case { operand, arms, otherwise: last } = &node.uncast().what {
        let when = |condition: &BoundNode| match operand {
            Some(operand) => comparison(operand, BinaryOperator::Eq, condition),
            None => condition.clone(),
        };
        let compared =
            |operand: &BoundNode| arms.iter().all(|(when, _)| is_null(when) || has_type_of(operand, when));
        if arms.len() >= MAX_CHOICES || !operand.as_deref().is_none_or(compared) {
            return None;
        }
        let mut choices: Vec<Choice<'_>> = arms
            .iter()
            .map(|(condition, result)| Choice { when: Some(when(condition)), value: Cow::Borrowed(result) })
            .collect();
        choices.push(otherwise(last.as_deref().map_or_else(null, Cow::Borrowed)));
        return Some(choices);
    }
    let call = node.call()?;
    match (call.operation(), call.arguments.as_slice()) {
        (Operation::NullIf, [value, other]) => {
            let when = comparison(value, BinaryOperator::Eq, other);
            Some(vec![Choice { when: Some(when), value: null() }, otherwise(Cow::Borrowed(value))])
        }
        (Operation::If, [when, yes, no]) => {
            let yes = Choice { when: Some(when.clone()), value: Cow::Borrowed(yes) };
            Some(vec![yes, otherwise(Cow::Borrowed(no))])
        }
        _ => None,
    }
}

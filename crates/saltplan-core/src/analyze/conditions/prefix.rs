//! Conditions on the prefix of a text, other than LIKE: RLIKE with a literal prefix, `instr(f, 'x') = 1`.

use crate::analyze::bind::{BoundNode, Operator};
use crate::analyze::chain::Chain;
use crate::analyze::compare::{Comparer, NotUsed};
use crate::analyze::constant::{integer, text};
use crate::analyze::regex::Starts;
use crate::analyze::values::ValueSet;
use crate::key::field::{FieldId, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::ast::BinaryOperator;
use saltplan_sql::functions::Operation;

/// A condition that is true for texts with one of several prefixes.
pub(super) struct PrefixTest {
    pub field: FieldId,
    /// The values with one of the prefixes.
    pub values: ValueSet,
    /// Whether all of them satisfy the condition.
    pub is_exact: bool,
    pub negated: bool,
}

/// The prefixes that a condition asks for; `Ok(None)` for other conditions.
///
/// # Errors
/// The pattern has no literal prefix, or the field is not stored in the order of its texts.
pub(super) fn prefix_test(schema: &Schema, node: &BoundNode) -> Result<Option<PrefixTest>, NotUsed> {
    let (operand, texts, is_exact, negated) = match node.operation() {
        Some((Operator::RLike { negated }, [operand, pattern])) => {
            let Some(operand) = text_operand(schema, operand) else { return Ok(None) };
            let Some(pattern) = text(pattern) else { return Ok(None) };
            let Some(Starts { texts, is_exact, .. }) = Starts::of(&pattern) else {
                return Err(NotUsed("the pattern has no literal prefix after `^`".into()));
            };
            (operand, texts, is_exact, negated)
        }
        Some((Operator::Binary(op @ (BinaryOperator::Eq | BinaryOperator::NotEq)), [left, right])) => {
            let Some((operand, text)) = prefix_of_call(left, right).or_else(|| prefix_of_call(right, left))
            else {
                return Ok(None);
            };
            let Some(operand) = text_operand(schema, operand) else { return Ok(None) };
            (operand, vec![text], true, op == BinaryOperator::NotEq)
        }
        _ => return Ok(None),
    };
    let comparer = Comparer::new(schema, operand.field);
    let mut values = ValueSet::none(comparer.kind());
    for text in &texts {
        values = values.union(&comparer.like_prefix(&operand.steps, text)?);
    }
    Ok(Some(PrefixTest { field: operand.field, values, is_exact, negated }))
}

fn text_operand(schema: &Schema, node: &BoundNode) -> Option<Chain> {
    Chain::of(schema, node).filter(|chain| match &schema.key.fields[chain.field].kind {
        FieldKind::Text(_) => true,
        kind @ FieldKind::Calendar(_) => kind.shows_stored_text(),
        _ => false,
    })
}

/// `instr(f, 'x') = 1` and `locate('x', f) = 1`: the operand, and the text that it starts with.
fn prefix_of_call<'n>(call: &'n BoundNode, place: &BoundNode) -> Option<(&'n BoundNode, String)> {
    (integer(place)? == 1).then_some(())?;
    let call = call.call()?;
    let (Operation::Find { text: operand, part }, [_, _]) = (call.operation(), call.arguments.as_slice())
    else {
        return None;
    };
    let (operand, prefix) = (&call.arguments[operand], text(&call.arguments[part])?);
    (!prefix.is_empty()).then_some((operand, prefix))
}

//! Conditions without a comparison: boolean columns, and expressions that Hive simplifies to them.

use super::truth::constant_truth;
use crate::analyze::bind::{Bound, BoundColumn, BoundNode, CastOrigin, ColumnPlace, Operator};
use saltplan_sql::ast::{BinaryOperator, Literal, Type};
use saltplan_sql::functions::Operation;

/// Writes a bare boolean column as a comparison that Hive does not simplify to the column again (it would simplify `= TRUE`): Hive's
/// HBase handler fails on conditions that are only a column beside conditions on the key. NULL stays NULL.
pub(super) fn compare_booleans(node: &mut BoundNode) {
    match &mut node.what {
        Bound::Operation { operator: Operator::And | Operator::Or | Operator::Not, operands } => {
            return operands.iter_mut().for_each(compare_booleans);
        }
        Bound::Cast { operand, origin: CastOrigin::Added } => return compare_booleans(operand),
        _ => {}
    }
    if may_become_a_column(node) {
        let condition = BoundNode { brackets: 0, ..node.clone() };
        let left = if condition.column().is_some() { condition } else { condition.bracketed() };
        let operands = vec![left, BoundNode::literal(Literal::Bool(false))];
        let compared = BoundNode::condition(Operator::Binary(BinaryOperator::NotEq), operands);
        *node = BoundNode { brackets: node.brackets, ..compared };
    }
}

/// Whether Hive can simplify an expression to a boolean column.
fn may_become_a_column(node: &BoundNode) -> bool {
    match &node.what {
        Bound::Column(BoundColumn { place, .. }) => {
            matches!(place, ColumnPlace::Column(_)) && node.primitive() == Some(Type::Boolean)
        }
        Bound::Cast { operand, origin } => {
            let is_boolean = node.primitive() == Some(Type::Boolean);
            (*origin == CastOrigin::Added || is_boolean) && may_become_a_column(operand)
        }
        Bound::Operation { operator, operands } => match (operator, operands.as_slice()) {
            (Operator::And | Operator::Or | Operator::Not, arms) => arms.iter().any(may_become_a_column),
            (Operator::Binary(BinaryOperator::Eq), [left, right]) => {
                may_become_a_column(right) && is_truth(left) || may_become_a_column(left) && is_truth(right)
            }
            (Operator::In { .. }, [operand, ..]) => may_become_a_column(operand),
            _ => false,
        },
        Bound::Case { arms, otherwise, .. } => {
            let results = arms.iter().map(|(_, result)| result);
            results.chain(otherwise.as_deref()).any(may_become_a_column)
        }
        Bound::Call(call) if !call.is_opaque() => {
            let values = match call.operation() {
                Operation::If => call.arguments.get(1..).unwrap_or_default(),
                Operation::FirstNotNull => &call.arguments,
                _ => &[],
            };
            values.iter().any(may_become_a_column)
        }
        _ => false,
    }
}

fn is_truth(node: &BoundNode) -> bool {
    constant_truth(node) == Some(Some(true))
}

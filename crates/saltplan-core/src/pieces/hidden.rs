//! Conditions on the key column that make no range.

use crate::analyze::bind::{Bound, BoundCall, BoundNode, ColumnPlace};
use saltplan_sql::ast::{CallForm, Literal};
use saltplan_sql::functions::CONCAT;

/// Whether the key column is in an expression.
pub(super) fn has_key(node: &BoundNode) -> bool {
    node.has(&|part| part.column().is_some_and(|column| column.place == ColumnPlace::RowKey))
}

/// A condition on the key column in a form that the analysis does not read as ranges of keys.
pub(super) fn hidden(mut node: BoundNode) -> BoundNode {
    hide(&mut node);
    node
}

fn hide(node: &mut BoundNode) {
    if node.column().is_some_and(|column| column.place == ColumnPlace::RowKey) {
        let key = BoundNode { brackets: 0, ..node.clone() };
        let arguments = vec![key, BoundNode::literal(Literal::Text(String::new()))];
        let call = BoundCall {
            function: Some(&CONCAT),
            name: CONCAT.name().into(),
            arguments,
            form: CallForm::Plain,
        };
        node.what = Bound::Call(call);
        return;
    }
    node.for_each_part_mut(&mut hide);
}

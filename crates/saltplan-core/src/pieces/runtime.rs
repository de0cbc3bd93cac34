//! Comparisons with values that are known when the statement runs.

use super::compare::{and, operator};
use super::layout::{KeyText, Layout};
use crate::analyze::bind::{Bound, BoundNode, written};
use crate::analyze::compare::Comparison;
use crate::key::field::FieldKind;
use saltplan_sql::ast::{Expr, Literal};

impl Layout<'_> {
    /// A field compared with values that are known when the statement runs, each of which must hold. Ranges are made of values in the
    /// form of the field.
    pub fn compared_at_run_time(&self, text: &KeyText, values: &[(Comparison, &BoundNode)]) -> Option<Expr> {
        let [slice] = text.slices.as_slice() else { return None };
        let (id, 0, None) = self.field_of(slice)? else { return None };
        let field = self.field(id);
        let is_equality = values.iter().all(|(comparison, _)| *comparison == Comparison::Equal);
        let is_own = match &field.kind {
            FieldKind::Text(text) => text.form.is_plain() && !text.reverse && !text.nullable,
            FieldKind::Calendar(calendar) => calendar.format.sorts(),
            // As a text, 000010 is less than 5.
            kind => is_equality && kind.number()?.fixed_width().is_some() && !kind.number()?.descending,
        };
        is_own.then_some(())?;
        let each = values.iter().map(|(comparison, node)| {
            let value = written(node.uncast());
            is_filled_in(node).then(|| Expr::column(&field.name).binary(operator(*comparison), &value))
        });
        each.collect::<Option<Vec<_>>>().map(and)
    }
}

fn is_filled_in(node: &BoundNode) -> bool {
    match &node.uncast().what {
        Bound::Runtime(_) => true,
        Bound::Constant(constant) => {
            matches!(constant.written.as_deref(), Some(Expr::Literal(Literal::FilledIn { .. })))
        }
        _ => false,
    }
}

//! What a condition without an exact set of values still tells about the key.

use std::collections::BTreeSet;

use super::exact::{Comparisons, comparer};
use super::likes::like_pattern;
use crate::diag::Span;
use crate::hiveql::ast::{BinaryOperator, Expr};
use crate::predicate::Meaning;
use crate::predicate::compare::{Comparison, Truth};
use crate::predicate::constant::{Constant, fold};
use crate::predicate::like::PatternRest;
use crate::predicate::term::{Term, View, recognise};
use crate::schema::model::{Cut, FieldKind, SaltInput, Schema, TextField};

/// What must hold for a condition that has no exact set of values: the fixed start of a `LIKE` pattern, or the
/// value of an input of the salt.
pub(super) fn hint(schema: &Schema, salt_inputs: &[SaltInput], expr: &Expr) -> Option<Meaning> {
    match expr {
        Expr::Like { negated: false, expr, pattern, escape_char } => {
            let term = recognise(schema, expr)?;
            let pattern = like_pattern(pattern, escape_char.as_deref())?;
            if pattern.prefix.is_empty() || pattern.rest == PatternRest::Nothing {
                return None;
            }
            let values = comparer(schema, &term).like_prefix(&pattern.prefix)?;
            Some(Meaning::Field { field: term.field, values })
        }
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
            let (term, constant) = match recognise(schema, left) {
                Some(term) => (term, right),
                None => (recognise(schema, right)?, left),
            };
            salt_input_hint(schema, salt_inputs, &term, &[constant.as_ref()])
        }
        Expr::InList { expr, list, negated: false } => {
            let term = recognise(schema, expr)?;
            salt_input_hint(schema, salt_inputs, &term, &list.iter().collect::<Vec<_>>())
        }
        _ => None,
    }
}

/// The one bound of a `BETWEEN` that has an exact set of values.
pub(super) fn bound_hint(
    comparisons: &mut Comparisons<'_>,
    operand: &Expr,
    low: &Expr,
    high: &Expr,
    span: Span,
) -> Option<Meaning> {
    let bounds = [(Comparison::GreaterOrEqual, low), (Comparison::LessOrEqual, high)];
    bounds.into_iter().find_map(|(comparison, bound)| {
        let compared =
            comparisons.compare_all(operand, &[(comparison, fold(bound)?)], false, span, Truth::and);
        let exact = compared.ok()??;
        Some(Meaning::Field { field: exact.field, values: exact.truth.when_true })
    })
}

fn salt_input_hint(
    schema: &Schema,
    salt_inputs: &[SaltInput],
    term: &Term,
    constants: &[&Expr],
) -> Option<Meaning> {
    // The salt sees the stored form.
    let is_reversed =
        matches!(schema.key.fields[term.field].kind, FieldKind::Text(TextField { reverse: true, .. }));
    let (cut, lower) = match term.view {
        View::Suffix(count) if !is_reversed => (Cut::Last(count), false),
        View::Lower => (Cut::Whole, true),
        _ => return None,
    };
    let wanted = SaltInput { field: term.field, cut: cut.clone(), lower };
    let input = salt_inputs.iter().position(|input| *input == wanted)?;
    let mut values = BTreeSet::new();
    for constant in constants {
        match fold(constant)? {
            Constant::Text(text) => {
                // Of a shorter text Hive takes the empty suffix where the salt takes all of it.
                // It counts UTF-16 units, and puts `?` for half a character.
                let is_plain = text.chars().all(|c| c.len_utf16() == 1) && !text.starts_with('?');
                if matches!(cut, Cut::Last(count) if text.chars().count() != count || !is_plain) {
                    return None;
                }
                // Beyond ASCII, lower case may depend on the order of the characters.
                if is_reversed && !text.is_ascii() {
                    return None;
                }
                values.insert(if is_reversed { text.chars().rev().collect() } else { text }.into_bytes());
            }
            Constant::Null => {}
            _ => return None,
        }
    }
    Some(Meaning::SaltInput { input, values })
}

//! Propagates values through equalities: `a = b AND b = 100` binds `a`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::key_box::{Clause, ClauseId, KeyBox};
use crate::analyze::{Constraint, Fact, FieldOrColumn, ValueSet};
use crate::key::field::FieldId;
use crate::key::layout::RowKey;

/// The maximum number of intervals that are propagated in all boxes.
const MAX_CARRIED: usize = 1_000_000;

/// Two operands that a clause makes equal.
pub(super) fn equality(clause: &Clause) -> Option<(FieldOrColumn, FieldOrColumn)> {
    let Constraint::Condition(condition) = &clause.constraint else { return None };
    match condition.fact() {
        Some(Fact::Equal(left, right)) => Some((*left, *right)),
        _ => None,
    }
}

/// Restricts equal fields and columns of a box to their common values. A box without common values is
/// dropped.
pub(super) fn carry_over(boxes: &mut Vec<KeyBox>, clauses: &[Clause], key: &RowKey) {
    let equalities: Vec<Option<(FieldOrColumn, FieldOrColumn)>> = clauses.iter().map(equality).collect();
    if equalities.iter().all(Option::is_none) {
        return;
    }
    let mut left = MAX_CARRIED;
    for key_box in boxes.iter_mut() {
        let of_box: Vec<(FieldOrColumn, FieldOrColumn)> =
            key_box.clauses.iter().filter_map(|ClauseId(id)| equalities[*id]).collect();
        carry_in(key_box, &of_box, key, &mut left);
    }
    boxes.retain(|key_box| !key_box.is_empty());
}

fn carry_in(
    key_box: &mut KeyBox,
    equalities: &[(FieldOrColumn, FieldOrColumn)],
    key: &RowKey,
    left: &mut usize,
) {
    let mut open: BTreeSet<usize> = (0..equalities.len()).collect();
    while let Some(index) = open.pop_first() {
        let (a, b) = equalities[index];
        for (from, to) in [(a, b), (b, a)] {
            let Some(values) = set(key_box, from).cloned() else { continue };
            let Some(rest) = left.checked_sub(values.interval_count()) else { return };
            *left = rest;
            if give(key_box, to, &values, key) {
                // Everything that equals this operand must be visited again.
                let meets = |(a, b): &(FieldOrColumn, FieldOrColumn)| *a == to || *b == to;
                open.extend(
                    (0..equalities.len()).filter(|other| *other != index && meets(&equalities[*other])),
                );
            }
        }
    }
}

fn set(key_box: &KeyBox, place: FieldOrColumn) -> Option<&Arc<ValueSet>> {
    match place {
        FieldOrColumn::Field(field) => key_box.fields.get(&field),
        FieldOrColumn::Column(column) => key_box.columns.get(&column),
    }
}

/// Restricts an operand to values. Returns whether it had other values before.
fn give(key_box: &mut KeyBox, place: FieldOrColumn, values: &ValueSet, key: &RowKey) -> bool {
    let narrowed = match (set(key_box, place), place) {
        (Some(before), _) => before.intersect(values),
        (None, FieldOrColumn::Field(field)) => ValueSet::all(&key.fields[field].kind).intersect(values),
        (None, FieldOrColumn::Column(_)) => values.clone(),
    };
    if set(key_box, place).is_some_and(|before| **before == narrowed) {
        return false;
    }
    let narrowed = Arc::new(narrowed);
    match place {
        FieldOrColumn::Field(field) => key_box.fields.insert(field, narrowed),
        FieldOrColumn::Column(column) => key_box.columns.insert(column, narrowed),
    };
    true
}

/// Whether an equality of two fields is implied because each has only one possible value in the box, which is not NULL.
pub(super) fn is_implied(clause: &Clause, key_box: &KeyBox, exact: &[FieldId], key: &RowKey) -> bool {
    let Some((FieldOrColumn::Field(left), FieldOrColumn::Field(right))) = equality(clause) else {
        return false;
    };
    let only = |field: FieldId| key_box.fields.get(&field)?.points(&key.fields[field].kind, 1);
    exact.contains(&left)
        && exact.contains(&right)
        && only(left).is_some_and(|value| value.len() == 1 && only(right) == Some(value))
        && ![left, right].iter().any(|field| {
            let null = ValueSet::null(&key.fields[*field].kind);
            null.is_some() && null.as_ref() == key_box.fields.get(field).map(Arc::as_ref)
        })
}

//! Boxes: conjunctions of constraints on single fields.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::analyze::{Constraint, ValueSet};
use crate::key::field::FieldId;
use crate::key::salt::InputId;
use crate::schema::model::ColumnId;

/// Position of a clause in [`Boxes::clauses`](super::boxes::Boxes::clauses).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ClauseId(pub(super) usize);

/// A conjunction of constraints, at most one for each field, with the conditions that its rows must satisfy.
#[derive(Debug, Clone)]
pub(crate) struct KeyBox {
    /// A field without an entry is not restricted.
    ///
    /// Shared, because a box is copied for every operand of an OR, and a set can be large.
    pub fields: BTreeMap<FieldId, Arc<ValueSet>>,
    /// By index of the salt input: the values that the input can have, if a condition restricts it without
    /// binding the field.
    pub inputs: BTreeMap<InputId, Arc<BTreeSet<Vec<u8>>>>,
    /// Possible values of the non-key columns. A box is dropped when a column has no possible value.
    pub columns: BTreeMap<ColumnId, Arc<ValueSet>>,
    /// The conditions that its rows must satisfy, ascending; boxes of one predicate share them.
    pub(crate) clauses: Arc<[ClauseId]>,
}

/// A part of a predicate that a branch may have to check on each row.
#[derive(Debug, Clone)]
pub(crate) struct Clause {
    /// The field whose set of values is equivalent to the clause.
    pub field: Option<FieldId>,
    pub constraint: Constraint,
}

impl KeyBox {
    pub(super) fn everything() -> Self {
        KeyBox {
            fields: BTreeMap::new(),
            inputs: BTreeMap::new(),
            columns: BTreeMap::new(),
            clauses: Arc::from([]),
        }
    }

    /// The box of one field's values.
    pub(super) fn of(field: FieldId, values: &ValueSet) -> Self {
        KeyBox { fields: [(field, Arc::new(values.clone()))].into(), ..KeyBox::everything() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fields.values().chain(self.columns.values()).any(|values| values.is_empty())
            || self.inputs.values().any(|values| values.is_empty())
    }

    /// Restricts a field to a set of values.
    pub fn restrict(&mut self, field: FieldId, values: &Arc<ValueSet>) {
        restrict(&mut self.fields, field, values);
    }

    pub(super) fn restrict_column(&mut self, column: ColumnId, values: &Arc<ValueSet>) {
        restrict(&mut self.columns, column, values);
    }

    pub(super) fn restrict_input(&mut self, input: InputId, values: &Arc<BTreeSet<Vec<u8>>>) {
        let restricted = match self.inputs.get(&input) {
            Some(before) => Arc::new(before.intersection(values).cloned().collect()),
            None => Arc::clone(values),
        };
        self.inputs.insert(input, restricted);
    }

    /// The number of intervals of its sets: the cost of storing and combining the box.
    pub(super) fn interval_count(&self) -> usize {
        let sets = self.fields.values().chain(self.columns.values());
        1 + sets.map(|values| values.interval_count()).sum::<usize>()
    }

    pub(super) fn and(&self, other: &KeyBox) -> KeyBox {
        let mut both = self.clone();
        for (field, values) in &other.fields {
            both.restrict(*field, values);
        }
        for (input, values) in &other.inputs {
            both.restrict_input(*input, values);
        }
        for (column, values) in &other.columns {
            both.restrict_column(*column, values);
        }
        both.clauses = merged(&self.clauses, &other.clauses).into();
        both
    }
}

fn restrict<I: Ord>(sets: &mut BTreeMap<I, Arc<ValueSet>>, id: I, values: &Arc<ValueSet>) {
    let restricted = match sets.get(&id) {
        Some(before) => Arc::new(before.intersect(values)),
        None => Arc::clone(values),
    };
    sets.insert(id, restricted);
}

/// The union of two ascending lists.
fn merged(a: &[ClauseId], b: &[ClauseId]) -> Vec<ClauseId> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => *x.min(y),
            (Some(x), None) | (None, Some(x)) => *x,
            (None, None) => return all,
        };
        a.next_if_eq(&next);
        b.next_if_eq(&next);
        all.push(next);
    }
}

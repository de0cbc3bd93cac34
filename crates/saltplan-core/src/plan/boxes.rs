//! A predicate as a list of boxes: in each, one set of values per field, and the conditions that must hold.
//!
//! A row satisfies the predicate exactly when it satisfies all conditions of at least one box. The sets of a box
//! follow from its conditions; they may hold more than the conditions allow, never less.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::diag::Span;
use crate::predicate::{Condition, Fragment, Meaning, Predicate, ValueSet};
use crate::schema::model::{FieldKind, RowKey};

/// Boxes made of one predicate, at most; past that an OR becomes one box around its arms.
const MAX_BOXES: usize = 4_096;

/// Intervals in the sets of all boxes of one predicate, at most: a day of the month alone has 120,000.
const MAX_WEIGHT: usize = 1_000_000;

#[derive(Debug, Clone)]
pub struct KeyBox {
    /// By field index; a field without an entry is not restricted.
    ///
    /// Shared, since a box is copied for every salt and every arm of an OR, and a set can be long.
    pub fields: BTreeMap<usize, Arc<ValueSet>>,
    /// By salt input index: the values that the input can have, where a condition says so without binding the field.
    pub inputs: BTreeMap<usize, BTreeSet<Vec<u8>>>,
    pub clauses: Vec<Clause>,
}

/// A part of a predicate that a branch may have to check on each row.
#[derive(Debug, Clone)]
pub struct Clause {
    /// Position among the clauses of the whole predicate; equal clauses of several boxes share it.
    pub id: usize,
    /// The field whose set of values says the same as the clause.
    pub field: Option<usize>,
    pub predicate: Predicate,
}

impl KeyBox {
    fn everything() -> Self {
        KeyBox { fields: BTreeMap::new(), inputs: BTreeMap::new(), clauses: Vec::new() }
    }

    fn is_empty(&self) -> bool {
        self.fields.values().any(|values| values.is_empty()) || self.inputs.values().any(BTreeSet::is_empty)
    }

    /// Restricts a field to a set of values.
    pub fn restrict(&mut self, field: usize, values: &Arc<ValueSet>) {
        let restricted = match self.fields.get(&field) {
            Some(before) => Arc::new(before.intersect(values)),
            None => Arc::clone(values),
        };
        self.fields.insert(field, restricted);
    }

    fn restrict_input(&mut self, input: usize, values: &BTreeSet<Vec<u8>>) {
        let restricted = match self.inputs.get(&input) {
            Some(before) => before.intersection(values).cloned().collect(),
            None => values.clone(),
        };
        self.inputs.insert(input, restricted);
    }

    /// Intervals of its sets: what the box costs to keep and to combine.
    fn weight(&self) -> usize {
        1 + self.fields.values().map(|values| values.interval_count()).sum::<usize>()
    }

    fn and(&self, other: &KeyBox) -> KeyBox {
        let mut both = self.clone();
        for (field, values) in &other.fields {
            both.restrict(*field, values);
        }
        for (input, values) in &other.inputs {
            both.restrict_input(*input, values);
        }
        for clause in &other.clauses {
            if !both.clauses.iter().any(|known| known.id == clause.id) {
                both.clauses.push(clause.clone());
            }
        }
        both
    }
}

/// Turns a predicate into boxes. No box is empty.
pub fn boxes(predicate: &Predicate, key: &RowKey) -> Vec<KeyBox> {
    Builder { key, clauses: 0 }.build(&merge_same_field(predicate, key))
}

struct Builder<'a> {
    key: &'a RowKey,
    clauses: usize,
}

impl Builder<'_> {
    fn build(&mut self, predicate: &Predicate) -> Vec<KeyBox> {
        match predicate {
            Predicate::Condition(condition) => self.condition(condition),
            Predicate::Any(arms) => {
                let boxes: Vec<KeyBox> = arms.iter().flat_map(|arm| self.build(arm)).collect();
                let is_too_much = boxes.len() > MAX_BOXES || weight(&boxes) > MAX_WEIGHT;
                if is_too_much { vec![self.around(&boxes, predicate)] } else { boxes }
            }
            Predicate::All(arms) => {
                let mut factors: Vec<(Vec<KeyBox>, &Predicate)> =
                    arms.iter().map(|arm| (self.build(arm), arm)).collect();
                // Small factors first: single conditions narrow the sets before an OR multiplies the boxes.
                factors.sort_by_key(|(boxes, _)| boxes.len());
                let mut product = vec![KeyBox::everything()];
                for (mut boxes, arm) in factors {
                    if boxes.len() > 1 && product_is_too_much(&product, &boxes) {
                        boxes = vec![self.around(&boxes, arm)];
                    }
                    product =
                        product.iter().flat_map(|left| boxes.iter().map(|right| left.and(right))).collect();
                    product.retain(|key_box| !key_box.is_empty());
                }
                product
            }
        }
    }

    fn condition(&mut self, condition: &Arc<Condition>) -> Vec<KeyBox> {
        let mut key_box = KeyBox::everything();
        let mut field = None;
        match &condition.meaning {
            // As the arms of an OR can say together.
            Meaning::Field { field: index, values } if values.is_all(&self.key.fields[*index].kind) => {
                return vec![key_box];
            }
            Meaning::Field { field: index, values } => {
                key_box.restrict(*index, &Arc::new(values.clone()));
                field = Some(*index);
            }
            Meaning::SaltInput { input, values } => key_box.restrict_input(*input, values),
            Meaning::Opaque { .. } => {}
        }
        if key_box.is_empty() {
            return Vec::new();
        }
        if !condition.implied {
            key_box.clauses.push(self.clause(field, Predicate::Condition(Arc::clone(condition))));
        }
        vec![key_box]
    }

    fn clause(&mut self, field: Option<usize>, predicate: Predicate) -> Clause {
        self.clauses += 1;
        Clause { id: self.clauses - 1, field, predicate }
    }

    /// The smallest single box around several, with the predicate they come from to be checked on each row.
    fn around(&mut self, boxes: &[KeyBox], predicate: &Predicate) -> KeyBox {
        let mut hull = KeyBox::everything();
        for field in 0..self.key.fields.len() {
            let sets: Option<Vec<&ValueSet>> =
                boxes.iter().map(|key_box| key_box.fields.get(&field).map(Arc::as_ref)).collect();
            if let Some(union) = sets.and_then(|sets| union_of(&sets)) {
                hull.restrict(field, &Arc::new(union));
            }
        }
        hull.clauses.push(self.clause(None, predicate.clone()));
        hull
    }
}

fn product_is_too_much(left: &[KeyBox], right: &[KeyBox]) -> bool {
    left.len() * right.len() > MAX_BOXES
        || weight(left) * right.len() + weight(right) * left.len() > MAX_WEIGHT
}

fn weight(boxes: &[KeyBox]) -> usize {
    boxes.iter().map(KeyBox::weight).sum()
}

/// The union of several sets, pairwise, so that a long list costs no square of its length.
pub fn union_of(sets: &[&ValueSet]) -> Option<ValueSet> {
    match sets {
        [] => None,
        [only] => Some((*only).clone()),
        _ => {
            let (left, right) = sets.split_at(sets.len() / 2);
            Some(union_of(left)?.union(&union_of(right)?))
        }
    }
}

/// Flattens nested ANDs and ORs, and makes one condition of the arms of an OR that are all exact on one field.
fn merge_same_field(predicate: &Predicate, key: &RowKey) -> Predicate {
    match predicate {
        Predicate::Condition(_) => predicate.clone(),
        Predicate::All(arms) => {
            let mut flat = Vec::with_capacity(arms.len());
            for arm in arms.iter().map(|arm| merge_same_field(arm, key)) {
                match arm {
                    Predicate::All(inner) => flat.extend(inner),
                    other => flat.push(other),
                }
            }
            single_or(flat, Predicate::All)
        }
        Predicate::Any(arms) => {
            let mut by_field: BTreeMap<usize, Vec<Arc<Condition>>> = BTreeMap::new();
            let mut others = Vec::new();
            for arm in arms.iter().map(|arm| merge_same_field(arm, key)) {
                let inner = match arm {
                    Predicate::Any(inner) => inner,
                    other => vec![other],
                };
                for arm in inner {
                    match exact_field(&arm) {
                        Some((field, condition)) => by_field.entry(field).or_default().push(condition),
                        None => others.push(arm),
                    }
                }
            }
            let kind = |field: usize| &key.fields[field].kind;
            let merged = by_field
                .into_iter()
                .map(|(field, conditions)| one_condition(field, kind(field), &conditions));
            single_or(merged.chain(others).collect(), Predicate::Any)
        }
    }
}

fn single_or(mut arms: Vec<Predicate>, join: fn(Vec<Predicate>) -> Predicate) -> Predicate {
    if arms.len() == 1 { arms.swap_remove(0) } else { join(arms) }
}

fn exact_field(predicate: &Predicate) -> Option<(usize, Arc<Condition>)> {
    match predicate {
        Predicate::Condition(condition) if !condition.implied => match condition.meaning {
            Meaning::Field { field, .. } => Some((field, Arc::clone(condition))),
            _ => None,
        },
        _ => None,
    }
}

fn one_condition(field: usize, kind: &FieldKind, conditions: &[Arc<Condition>]) -> Predicate {
    if let [only] = conditions {
        return Predicate::Condition(Arc::clone(only));
    }
    let sets: Vec<&ValueSet> = conditions
        .iter()
        .filter_map(|condition| match &condition.meaning {
            Meaning::Field { values, .. } => Some(values),
            _ => None,
        })
        .collect();
    let Some(values) = union_of(&sets) else { return Predicate::never() };
    if values.is_all(kind) {
        return Predicate::always();
    }
    let text = Fragment::joined(conditions.iter().map(|condition| &condition.text), "OR");
    let span = conditions.iter().map(|condition| condition.span).reduce(Span::to).unwrap_or_default();
    Predicate::condition(Meaning::Field { field, values }, text, span)
}

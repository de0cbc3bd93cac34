//! A predicate as a union of boxes: each box has one set of values per field, and the conditions that must be
//! true.
//!
//! A row satisfies the predicate exactly if it satisfies all conditions of at least one box. The sets of a
//! box follow from its conditions. They may contain more values than the conditions allow, never fewer.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::equalities;
use super::key_box::{Clause, ClauseId, KeyBox};
use crate::diag::Span;
use crate::hiveql::ast::Expr;
use crate::key::field::{FieldId, FieldKind};
use crate::key::layout::RowKey;
use crate::predicate::{Condition, Fact, Meaning, Predicate, ValueSet};

/// The maximum number of boxes of one predicate. Beyond that, an OR becomes a single box around its operands.
pub(crate) const MAX_BOXES: usize = 4_096;

/// The maximum number of intervals in the sets of all boxes of one predicate. A condition on the day of the
/// month alone has 120,000.
const MAX_INTERVALS: usize = 1_000_000;

/// The maximum number of clauses of all boxes of one conjunction: each box of a product has the clauses of
/// all its factors.
const MAX_CLAUSES: usize = 262_144;

/// The boxes of a predicate, and the clauses that they refer to.
#[derive(Debug, Clone)]
pub(crate) struct Boxes {
    /// No box is empty.
    pub boxes: Vec<KeyBox>,
    pub(crate) clauses: Vec<Clause>,
}

/// Splits a predicate into at most `limit` boxes (at least one).
pub fn boxes(predicate: &Predicate, key: &RowKey, limit: usize) -> Boxes {
    let mut builder = BoxBuilder { key, clauses: Vec::new() };
    let mut boxes = builder.build(&merge_same_field(predicate, key), limit);
    equalities::carry_over(&mut boxes, &builder.clauses, key);
    leave_out_impossible(&mut boxes, key);
    Boxes { boxes, clauses: builder.clauses }
}

/// Removes texts that the field cannot have: after two conditions, only texts between two neighbouring values
/// may be left.
fn leave_out_impossible(boxes: &mut Vec<KeyBox>, key: &RowKey) {
    // Boxes share long sets.
    let mut known: HashMap<*const ValueSet, (Arc<ValueSet>, Arc<ValueSet>)> = HashMap::new();
    for (field, values) in boxes.iter_mut().flat_map(|key_box| &mut key_box.fields) {
        if matches!(values.as_ref(), ValueSet::Numbers(_)) {
            continue;
        }
        let (_, possible) = known.entry(Arc::as_ptr(values)).or_insert_with(|| {
            let possible = values.as_ref().clone().possible(&key.fields[*field].kind);
            (Arc::clone(values), Arc::new(possible))
        });
        *values = Arc::clone(possible);
    }
    boxes.retain(|key_box| !key_box.is_empty());
}

struct BoxBuilder<'a> {
    key: &'a RowKey,
    clauses: Vec<Clause>,
}

impl BoxBuilder<'_> {
    /// The boxes of a predicate: at most `limit` (at least one).
    fn build(&mut self, predicate: &Predicate, limit: usize) -> Vec<KeyBox> {
        match predicate {
            Predicate::Condition(condition) => self.condition(condition),
            Predicate::Any(arms) => self.any(predicate, arms, limit),
            Predicate::All(arms) => self.all(arms, limit),
        }
    }

    fn any(&mut self, predicate: &Predicate, arms: &[Predicate], limit: usize) -> Vec<KeyBox> {
        let mut boxes: Vec<KeyBox> = Vec::with_capacity(arms.len());
        for (index, arm) in arms.iter().enumerate() {
            let to_come = arms.len() - index - 1;
            let left = limit.saturating_sub(boxes.len() + to_come).max(1);
            boxes.extend(self.build(arm, left));
        }
        let is_too_much = boxes.len() > limit || interval_count(&boxes) > MAX_INTERVALS;
        if is_too_much { vec![self.around(&boxes, predicate)] } else { boxes }
    }

    fn all(&mut self, arms: &[Predicate], limit: usize) -> Vec<KeyBox> {
        // In the end every box has the clauses of every conjunct.
        let limit = limit.min(MAX_CLAUSES / arms.len().max(1)).max(1);
        let (mut single, mut several) = (Vec::new(), Vec::new());
        for arm in arms {
            match self.build(arm, limit) {
                none if none.is_empty() => return none,
                one if one.len() == 1 => single.extend(one),
                more => several.push((more, arm)),
            }
        }
        // Single conditions narrow the sets before ORs multiply the boxes, and small ORs come before large
        // ones.
        several.sort_by_key(|(boxes, _)| boxes.len());
        let mut product = vec![all_of(&single)];
        // Conjuncts that are a single box for all others: they are combined once at the end, not with every
        // intermediate box.
        let mut late = Vec::new();
        for (boxes, arm) in several {
            if product_is_too_much(&product, &boxes, limit) {
                late.push(self.around(&boxes, arm));
            } else {
                product = times(&product, &boxes);
            }
        }
        let mut late = all_of(&late);
        if product.len() * late.interval_count() > MAX_INTERVALS {
            // The clauses are the complete condition; the sets only help to find ranges.
            late.fields.clear();
            late.columns.clear();
        }
        times(&product, &[late])
    }

    fn condition(&mut self, condition: &Arc<Condition>) -> Vec<KeyBox> {
        let mut key_box = KeyBox::everything();
        let mut field = None;
        match &condition.meaning {
            // All operands of an OR can be combined into one condition.
            Meaning::Field { field: on, values } if values.is_all(&self.key.fields[*on].kind) => {
                return vec![key_box];
            }
            Meaning::Field { field: on, values } => {
                key_box.restrict(*on, &Arc::new(values.clone()));
                field = Some(*on);
            }
            Meaning::SaltInput { input, values } => {
                key_box.restrict_input(*input, &Arc::new(values.clone()));
            }
            Meaning::Opaque { .. } => {}
        }
        if let Some(Fact::Column { column, values }) = &condition.fact {
            key_box.restrict_column(*column, &Arc::new(values.clone()));
        }
        if key_box.is_empty() {
            return Vec::new();
        }
        if !condition.implied {
            key_box.clauses = self.clause(field, Predicate::Condition(Arc::clone(condition)));
        }
        vec![key_box]
    }

    /// Adds a clause, and returns a list with only this clause.
    fn clause(&mut self, field: Option<FieldId>, predicate: Predicate) -> Arc<[ClauseId]> {
        self.clauses.push(Clause { field, predicate });
        Arc::from([ClauseId(self.clauses.len() - 1)])
    }

    /// The smallest single box around several boxes. Its rows are checked against the original predicate.
    fn around(&mut self, boxes: &[KeyBox], predicate: &Predicate) -> KeyBox {
        let mut hull = KeyBox::everything();
        for field in self.key.fields.ids() {
            let sets: Option<Vec<&ValueSet>> =
                boxes.iter().map(|key_box| key_box.fields.get(&field).map(Arc::as_ref)).collect();
            if let Some(union) = sets.and_then(|sets| ValueSet::union_of(&sets)) {
                hull.restrict(field, &Arc::new(union));
            }
        }
        if !predicate.is_implied() {
            hull.clauses = self.clause(None, predicate.clone());
        }
        hull
    }
}

/// Combines several boxes into one, in pairs, so that many boxes do not take quadratic time.
fn all_of(boxes: &[KeyBox]) -> KeyBox {
    match boxes {
        [] => KeyBox::everything(),
        [only] => only.clone(),
        _ => {
            let (left, right) = boxes.split_at(boxes.len() / 2);
            all_of(left).and(&all_of(right))
        }
    }
}

fn times(left: &[KeyBox], right: &[KeyBox]) -> Vec<KeyBox> {
    let product = left.iter().flat_map(|left| right.iter().map(|right| left.and(right)));
    product.filter(|key_box| !key_box.is_empty()).collect()
}

fn product_is_too_much(left: &[KeyBox], right: &[KeyBox], limit: usize) -> bool {
    left.len().saturating_mul(right.len()) > limit
        || interval_count(left) * right.len() + interval_count(right) * left.len() > MAX_INTERVALS
}

fn interval_count(boxes: &[KeyBox]) -> usize {
    boxes.iter().map(KeyBox::interval_count).sum()
}

/// Flattens nested ANDs and ORs, and combines operands of an OR that are all exact on the same field into one
/// condition.
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
            let mut by_field: BTreeMap<(FieldId, bool), Vec<Arc<Condition>>> = BTreeMap::new();
            let mut others = Vec::new();
            for arm in arms.iter().map(|arm| merge_same_field(arm, key)) {
                let inner = match arm {
                    Predicate::Any(inner) => inner,
                    other => vec![other],
                };
                for arm in inner {
                    match exact_field(&arm) {
                        Some((field, condition)) => {
                            let apart = is_cycle(&condition.meaning, key);
                            by_field.entry((field, apart)).or_default().push(condition);
                        }
                        None => others.push(arm),
                    }
                }
            }
            let kind = |field: FieldId| &key.fields[field].kind;
            let merged = by_field
                .into_iter()
                .map(|((field, _), conditions)| one_condition(field, kind(field), &conditions));
            single_or(merged.chain(others).collect(), Predicate::Any)
        }
    }
}

/// Whether a condition is true on the same days of every year. These conditions are not combined with others,
/// because the union could only be written as a list of thousands of ranges.
fn is_cycle(meaning: &Meaning, key: &RowKey) -> bool {
    let Meaning::Field { field, values } = meaning else { return false };
    values.cycle(&key.fields[*field].kind).is_some()
}

fn single_or(mut arms: Vec<Predicate>, join: fn(Vec<Predicate>) -> Predicate) -> Predicate {
    if arms.len() == 1 { arms.swap_remove(0) } else { join(arms) }
}

fn exact_field(predicate: &Predicate) -> Option<(FieldId, Arc<Condition>)> {
    match predicate {
        Predicate::Condition(condition) if !condition.implied => match condition.meaning {
            Meaning::Field { field, .. } => Some((field, Arc::clone(condition))),
            _ => None,
        },
        _ => None,
    }
}

fn one_condition(field: FieldId, kind: &FieldKind, conditions: &[Arc<Condition>]) -> Predicate {
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
    let Some(values) = ValueSet::union_of(&sets) else { return Predicate::never() };
    if values.is_all(kind) {
        return Predicate::always();
    }
    let expr = Expr::disjunction(conditions.iter().map(|condition| condition.expr.clone()).collect());
    let span = conditions.iter().map(|condition| condition.span).reduce(Span::to).unwrap_or_default();
    Predicate::condition(Meaning::Field { field, values }, expr, span)
}

//! A predicate as a union of boxes: each box has one set of values per field, and the conditions that must be
//! true.
//!
//! A row satisfies the predicate exactly if it satisfies all conditions of at least one box. The sets of a
//! box follow from its conditions. They may contain more values than the conditions allow, never fewer.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::equalities;
use super::key_box::{Clause, ClauseId, KeyBox};
use crate::analyze::{Condition, Constraint, Fact, Implied, Meaning, ValueSet};
use crate::key::field::{FieldId, FieldKind};
use crate::key::layout::RowKey;
use saltplan_document::diag::Span;
use saltplan_sql::ast::Expr;

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
pub fn boxes(constraint: &Constraint, key: &RowKey, limit: usize) -> Boxes {
    let mut builder = BoxBuilder { key, clauses: Vec::new() };
    let mut boxes = builder.build(&merge_same_field(constraint, key), limit);
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
    /// The boxes of a constraint: at most `limit` (at least one).
    fn build(&mut self, constraint: &Constraint, limit: usize) -> Vec<KeyBox> {
        match constraint {
            Constraint::Condition(condition) => self.condition(condition, limit),
            Constraint::All(arms) => self.product(arms, limit, Self::build, Self::around),
            Constraint::Any(arms) => {
                let boxes = self.union(arms, limit, Self::build);
                if is_too_much(&boxes, limit) { vec![self.around(&boxes, constraint)] } else { boxes }
            }
        }
    }

    /// The boxes of a condition. All of them have the condition as their clause.
    fn condition(&mut self, condition: &Arc<Condition>, limit: usize) -> Vec<KeyBox> {
        let (mut boxes, field) = match &condition.meaning {
            // All operands of an OR can be combined into one condition.
            Meaning::Tight { field, values } if values.is_all(&self.key.fields[*field].kind) => {
                return vec![KeyBox::everything()];
            }
            Meaning::Tight { field, values } => (vec![KeyBox::of(*field, values)], Some(*field)),
            Meaning::Checked(checked) => {
                let everything = || vec![KeyBox::everything()];
                let implied = checked.implied.as_ref();
                (implied.map_or_else(everything, |implied| self.implied(implied, limit)), None)
            }
        };
        if let Some(Fact::Column { column, values }) = condition.fact() {
            let values = Arc::new(values.clone());
            boxes.iter_mut().for_each(|key_box| key_box.restrict_column(*column, &values));
        }
        boxes.retain(|key_box| !key_box.is_empty());
        if !boxes.is_empty() {
            let clauses = self.clause(field, Constraint::Condition(Arc::clone(condition)));
            boxes.iter_mut().for_each(|key_box| key_box.clauses = Arc::clone(&clauses));
        }
        boxes
    }

    /// The boxes of what a condition implies, without a clause.
    fn implied(&mut self, implied: &Implied, limit: usize) -> Vec<KeyBox> {
        match implied {
            Implied::Field(field, values) => vec![KeyBox::of(*field, values)],
            Implied::SaltInput { input, values } => {
                let mut key_box = KeyBox::everything();
                key_box.restrict_input(*input, &Arc::new(values.clone()));
                vec![key_box]
            }
            Implied::All(parts) => {
                self.product(parts, limit, Self::implied, |builder, boxes, _| builder.hull(boxes))
            }
            Implied::Any(parts) => {
                let boxes = self.union(parts, limit, Self::implied);
                if is_too_much(&boxes, limit) { vec![self.hull(&boxes)] } else { boxes }
            }
        }
    }

    /// The boxes of a disjunction; `build` makes those of one arm.
    fn union<T>(
        &mut self,
        arms: &[T],
        limit: usize,
        build: fn(&mut Self, &T, usize) -> Vec<KeyBox>,
    ) -> Vec<KeyBox> {
        let mut boxes: Vec<KeyBox> = Vec::with_capacity(arms.len());
        for (index, arm) in arms.iter().enumerate() {
            let to_come = arms.len() - index - 1;
            let left = limit.saturating_sub(boxes.len() + to_come).max(1);
            boxes.extend(build(self, arm, left));
        }
        boxes
    }

    /// The boxes of a conjunction; `around` makes a single box of the boxes of one arm.
    fn product<T>(
        &mut self,
        arms: &[T],
        limit: usize,
        build: fn(&mut Self, &T, usize) -> Vec<KeyBox>,
        around: fn(&mut Self, &[KeyBox], &T) -> KeyBox,
    ) -> Vec<KeyBox> {
        // In the end every box has the clauses of every conjunct.
        let limit = limit.min(MAX_CLAUSES / arms.len().max(1)).max(1);
        let (mut single, mut several) = (Vec::new(), Vec::new());
        for arm in arms {
            match build(self, arm, limit) {
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
                late.push(around(self, &boxes, arm));
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

    /// Adds a clause, and returns a list with only this clause.
    fn clause(&mut self, field: Option<FieldId>, constraint: Constraint) -> Arc<[ClauseId]> {
        self.clauses.push(Clause { field, constraint });
        Arc::from([ClauseId(self.clauses.len() - 1)])
    }

    /// The smallest single box around the boxes of a constraint. Its rows are checked against the constraint.
    fn around(&mut self, boxes: &[KeyBox], constraint: &Constraint) -> KeyBox {
        let mut hull = self.hull(boxes);
        hull.clauses = match (constraint, boxes.first()) {
            (Constraint::Condition(_), Some(first)) => Arc::clone(&first.clauses),
            _ => self.clause(None, constraint.clone()),
        };
        hull
    }

    /// The smallest single box around several boxes, without clauses.
    fn hull(&self, boxes: &[KeyBox]) -> KeyBox {
        let mut hull = KeyBox::everything();
        for field in self.key.fields.ids() {
            let sets: Option<Vec<&ValueSet>> =
                boxes.iter().map(|key_box| key_box.fields.get(&field).map(Arc::as_ref)).collect();
            if let Some(union) = sets.and_then(|sets| ValueSet::union_of(&sets)) {
                hull.restrict(field, &Arc::new(union));
            }
        }
        hull
    }
}

fn is_too_much(boxes: &[KeyBox], limit: usize) -> bool {
    boxes.len() > limit || interval_count(boxes) > MAX_INTERVALS
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

/// Flattens nested ANDs and ORs, and combines tight operands of an OR on the same field into one condition.
fn merge_same_field(constraint: &Constraint, key: &RowKey) -> Constraint {
    match constraint {
        Constraint::Condition(_) => constraint.clone(),
        Constraint::All(arms) => {
            let mut flat = Vec::with_capacity(arms.len());
            for arm in arms.iter().map(|arm| merge_same_field(arm, key)) {
                match arm {
                    Constraint::All(inner) => flat.extend(inner),
                    other => flat.push(other),
                }
            }
            single_or(flat, Constraint::All)
        }
        Constraint::Any(arms) => {
            let mut by_field: BTreeMap<(FieldId, bool), Vec<Arc<Condition>>> = BTreeMap::new();
            let mut others = Vec::new();
            for arm in arms.iter().map(|arm| merge_same_field(arm, key)) {
                let inner = match arm {
                    Constraint::Any(inner) => inner,
                    other => vec![other],
                };
                for arm in inner {
                    match tight(&arm, key) {
                        Some((group, condition)) => by_field.entry(group).or_default().push(condition),
                        None => others.push(arm),
                    }
                }
            }
            let merged = by_field
                .into_iter()
                .map(|((field, _), conditions)| one_condition(field, &key.fields[field].kind, &conditions));
            single_or(merged.chain(others).collect(), Constraint::Any)
        }
    }
}

fn single_or(mut arms: Vec<Constraint>, join: fn(Vec<Constraint>) -> Constraint) -> Constraint {
    if arms.len() == 1 { arms.swap_remove(0) } else { join(arms) }
}

/// A tight condition with its field, and whether it is true on the same days of every year. Such conditions are
/// not combined with others, because the union could only be written as a list of thousands of ranges.
fn tight(constraint: &Constraint, key: &RowKey) -> Option<((FieldId, bool), Arc<Condition>)> {
    let Constraint::Condition(condition) = constraint else { return None };
    let (field, values) = condition.tight()?;
    let is_cycle = values.cycle(&key.fields[field].kind).is_some();
    Some(((field, is_cycle), Arc::clone(condition)))
}

fn one_condition(field: FieldId, kind: &FieldKind, conditions: &[Arc<Condition>]) -> Constraint {
    if let [only] = conditions {
        return Constraint::Condition(Arc::clone(only));
    }
    let sets: Vec<&ValueSet> =
        conditions.iter().filter_map(|condition| condition.tight()).map(|(_, values)| values).collect();
    let Some(values) = ValueSet::union_of(&sets) else { return Constraint::never() };
    if values.is_all(kind) {
        return Constraint::always();
    }
    let expr = Expr::disjunction(conditions.iter().map(|condition| condition.expr.clone()).collect());
    let span = conditions.iter().map(|condition| condition.span).reduce(Span::to).unwrap_or_default();
    Constraint::condition(Meaning::Tight { field, values }, expr, span)
}

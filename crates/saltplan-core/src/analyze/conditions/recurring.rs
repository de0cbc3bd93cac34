//! Conditions on a time of day or a month, beside conditions that leave some days: `to_date(t) = '2024-06-01' AND hour(t) = 8` is one
//! range.
//!
//! Such a condition becomes a set of values that is exact only on the known days. That loses no row and adds none: the set stands in a
//! conjunction with what leaves these days, and a row outside of them is no row of that conjunction with either.

use std::collections::BTreeMap;

use crate::analyze::{Condition, Constraint, Meaning, Recurring, ValueSet};
use crate::key::field::FieldId;
use crate::schema::model::Schema;

/// The most conditions of one predicate that are resolved: each is looked up in up to [`MAX_DAYS`](super::super::recurring) days.
const MAX_RESOLVED: usize = 256;

/// Makes ranges of the conditions whose values recur, where the others leave only some days.
pub(super) fn resolved(schema: &Schema, constraint: Constraint) -> Constraint {
    let recurs = |condition: &Condition| recurring(condition).is_some();
    if !constraint.has(&recurs) {
        return constraint;
    }
    let known = Known::of(schema, &constraint);
    Resolver { schema, left: MAX_RESOLVED }.constraint(constraint, &known, &Sets::new())
}

fn recurring(condition: &Condition) -> Option<&Recurring> {
    condition.checked()?.recurring.as_ref()
}

type Sets = BTreeMap<FieldId, ValueSet>;

/// What a constraint and its arms leave of the fields.
struct Known {
    sets: Sets,
    arms: Vec<Known>,
}

impl Known {
    fn of(schema: &Schema, constraint: &Constraint) -> Self {
        let of_arms = |arms: &[Constraint]| arms.iter().map(|arm| Known::of(schema, arm)).collect::<Vec<_>>();
        match constraint {
            Constraint::Condition(condition) => {
                let mut sets = Sets::new();
                for (field, values) in condition.field_sets() {
                    if schema.key.fields[field].kind.time().is_some() {
                        restrict(&mut sets, field, values);
                    }
                }
                Known { sets, arms: Vec::new() }
            }
            Constraint::All(arms) => {
                let arms = of_arms(arms);
                let sets = combined(&arms, false, ValueSet::intersection_of);
                Known { sets, arms }
            }
            Constraint::Any(arms) => {
                let arms = of_arms(arms);
                let sets = combined(&arms, true, ValueSet::union_of);
                Known { sets, arms }
            }
        }
    }
}

fn restrict(sets: &mut Sets, field: FieldId, values: &ValueSet) {
    let both = sets.get(&field).map_or_else(|| values.clone(), |set| set.intersect(values));
    sets.insert(field, both);
}

/// The sets of several arms as one for each field; of fields that `every` arm has, if that is asked.
fn combined(arms: &[Known], every: bool, of: fn(&[&ValueSet]) -> Option<ValueSet>) -> Sets {
    let mut by_field: BTreeMap<FieldId, Vec<&ValueSet>> = BTreeMap::new();
    for arm in arms {
        for (field, values) in &arm.sets {
            by_field.entry(*field).or_default().push(values);
        }
    }
    let sets = by_field.into_iter().filter(|(_, sets)| !every || sets.len() == arms.len());
    sets.filter_map(|(field, sets)| Some((field, of(&sets)?))).collect()
}

struct Resolver<'a> {
    schema: &'a Schema,
    /// How many more conditions are resolved.
    left: usize,
}

impl Resolver<'_> {
    /// `around` is what the conditions around a constraint leave.
    fn constraint(&mut self, constraint: Constraint, known: &Known, around: &Sets) -> Constraint {
        match constraint {
            Constraint::Condition(condition) => {
                let one = self.condition(&condition, around);
                Constraint::Condition(one.map_or(condition, Into::into))
            }
            Constraint::Any(arms) => {
                let arms = arms.into_iter().zip(&known.arms);
                Constraint::Any(arms.map(|(arm, known)| self.constraint(arm, known, around)).collect())
            }
            Constraint::All(mut arms) => {
                let mut around = around.clone();
                known.sets.iter().for_each(|(field, values)| restrict(&mut around, *field, values));
                // A month leaves fewer days for an hour, and for a day of the month before it.
                for of_days in [true, true, false] {
                    for arm in &mut arms {
                        let Constraint::Condition(condition) = arm else { continue };
                        let is_next =
                            recurring(condition).is_some_and(|recurring| recurring.is_of_days() == of_days);
                        let Some(one) = self.condition(condition, &around).filter(|_| is_next) else {
                            continue;
                        };
                        if let Some((field, values)) = one.tight() {
                            restrict(&mut around, field, values);
                        }
                        *arm = Constraint::Condition(one.into());
                    }
                }
                let arms = arms.into_iter().zip(&known.arms);
                Constraint::All(arms.map(|(arm, known)| self.constraint(arm, known, &around)).collect())
            }
        }
    }

    fn condition(&mut self, condition: &Condition, around: &Sets) -> Option<Condition> {
        let recurring = recurring(condition)?;
        let days = around.get(&recurring.field)?;
        self.left = self.left.checked_sub(1)?;
        let values = recurring.within(self.schema, days)?;
        let meaning = Meaning::Tight { field: recurring.field, values };
        Some(Condition { meaning, ..condition.clone() })
    }
}

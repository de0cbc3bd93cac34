//! Counts the simulated rows that the plan of a predicate reads.

use super::counts::RowCounts;
use saltplan_core::analyze::{Constraint, Implied, Meaning, ValueSet};
use saltplan_core::key::Value;
use saltplan_core::key::field::{FieldId, FieldVec};
use saltplan_core::key::salt::{InputVec, SaltInput};
use saltplan_core::plan::{Branch, Plan};
use saltplan_core::schema::model::Schema;

/// Finds the rows in the ranges of a plan.
#[derive(Debug)]
pub struct RangeReader<'a> {
    schema: &'a Schema,
    plan: &'a Plan,
    inputs: InputVec<SaltInput>,
}

impl<'a> RangeReader<'a> {
    pub fn new(schema: &'a Schema, plan: &'a Plan) -> Self {
        let inputs = schema.key.salt.as_ref().map(|salt| salt.inputs(&schema.key.fields)).unwrap_or_default();
        RangeReader { schema, plan, inputs }
    }

    /// Counts a row that the plan reads.
    pub fn count(
        &self,
        key: &[u8],
        values: impl FnOnce() -> FieldVec<Value>,
        region: usize,
        counts: &mut RowCounts,
    ) {
        let Some(branch) = self.branch_of(key) else { return };
        if counts.read.is_empty() {
            counts.read = vec![0; counts.puts.len()];
        }
        if let Some(read) = counts.read.get_mut(region) {
            *read += 1;
        }
        match self
            .plan
            .residual_of(branch)
            .map_or(Some(true), |residual| self.holds(&residual.constraint, &values()))
        {
            Some(true) => counts.wanted += 1,
            Some(false) => {}
            None => counts.unknown += 1,
        }
    }

    /// The branch whose range contains a key. Branches are in key order and disjoint.
    fn branch_of(&self, key: &[u8]) -> Option<&Branch> {
        let branches = &self.plan.branches;
        let index = branches.partition_point(|branch| branch.range.start.as_slice() <= key).checked_sub(1)?;
        let branch = branches.get(index)?;
        branch.range.stop.as_deref().is_none_or(|stop| key < stop).then_some(branch)
    }

    /// Whether a constraint holds for a row; `None` if that depends on columns that are not simulated.
    fn holds(&self, constraint: &Constraint, row: &FieldVec<Value>) -> Option<bool> {
        match constraint {
            Constraint::All(parts) => all(parts, |part| self.holds(part, row)),
            Constraint::Any(parts) => any(parts, |part| self.holds(part, row)),
            Constraint::Condition(condition) => match &condition.meaning {
                Meaning::Tight { field, values } => self.has_value(*field, values, row),
                // What is implied can only say that a row is not wanted.
                Meaning::Checked(checked) => {
                    self.may_hold(checked.implied.as_ref()?, row).filter(|may_hold| !may_hold)
                }
            },
        }
    }

    fn may_hold(&self, implied: &Implied, row: &FieldVec<Value>) -> Option<bool> {
        match implied {
            Implied::All(parts) => all(parts, |part| self.may_hold(part, row)),
            Implied::Any(parts) => any(parts, |part| self.may_hold(part, row)),
            Implied::Field(field, values) => self.has_value(*field, values, row),
            Implied::SaltInput { input, values } => {
                let input = self.inputs.get(*input)?;
                let field = self.schema.key.fields.get(input.field)?;
                let bytes = input.bytes(field, row.get(input.field)?, self.schema.time_zone).ok()?;
                Some(values.contains(&bytes))
            }
        }
    }

    fn has_value(&self, field: FieldId, values: &ValueSet, row: &FieldVec<Value>) -> Option<bool> {
        Some(values.contains(&self.schema.key.fields.get(field)?.kind, row.get(field)?))
    }
}

/// Whether all parts hold; `None` if that is not known.
fn all<T>(parts: &[T], mut holds: impl FnMut(&T) -> Option<bool>) -> Option<bool> {
    let mut known = Some(true);
    for part in parts {
        match holds(part) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => known = None,
        }
    }
    known
}

/// Whether any part holds; `None` if that is not known.
fn any<T>(parts: &[T], mut holds: impl FnMut(&T) -> Option<bool>) -> Option<bool> {
    all(parts, |part| holds(part).map(|truth| !truth)).map(|truth| !truth)
}

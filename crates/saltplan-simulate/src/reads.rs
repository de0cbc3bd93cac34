//! Counts the simulated rows that the plan of a predicate reads.

use super::counts::RowCounts;
use saltplan_core::key::Value;
use saltplan_core::key::field::FieldVec;
use saltplan_core::key::salt::{InputVec, SaltInput};
use saltplan_core::plan::{Branch, Plan};
use saltplan_core::predicate::{Meaning, Predicate};
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
            .map_or(Some(true), |residual| self.holds(&residual.predicate, &values()))
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

    /// Whether a predicate is true for a row; `None` if that depends on columns that are not simulated.
    fn holds(&self, predicate: &Predicate, values: &FieldVec<Value>) -> Option<bool> {
        let all = |parts: &[Predicate], stop: bool| {
            let mut known = true;
            for part in parts {
                match self.holds(part, values) {
                    Some(truth) if truth == stop => return Some(stop),
                    Some(_) => {}
                    None => known = false,
                }
            }
            known.then_some(!stop)
        };
        match predicate {
            Predicate::All(parts) => all(parts, false),
            Predicate::Any(parts) => all(parts, true),
            Predicate::Condition(condition) => self.means(&condition.meaning, values),
        }
    }

    fn means(&self, meaning: &Meaning, row: &FieldVec<Value>) -> Option<bool> {
        match meaning {
            Meaning::Field { field, values } => {
                let kind = &self.schema.key.fields.get(*field)?.kind;
                Some(values.contains(kind, row.get(*field)?))
            }
            Meaning::SaltInput { input, values } => {
                let input = self.inputs.get(*input)?;
                let field = self.schema.key.fields.get(input.field)?;
                let bytes = input.bytes(field, row.get(input.field)?, self.schema.time_zone).ok()?;
                Some(values.contains(&bytes))
            }
            Meaning::Opaque { .. } => None,
        }
    }
}

//! What is left to check on the rows of a range.

use std::sync::Arc;

use super::Residual;
use super::branches::Check;
use super::planner::Planner;
use crate::predicate::{Fragment, Predicate};

impl Planner<'_> {
    /// What a check says, and that its clauses are checked.
    pub(super) fn residual(&mut self, check: &Check) -> Option<Arc<Residual>> {
        let is_always_true =
            |predicate: &Predicate| matches!(predicate, Predicate::All(arms) if arms.is_empty());
        match check {
            Check::Nothing => None,
            Check::Everything if is_always_true(&self.lowered.predicate) => None,
            Check::Everything => {
                self.checked.extend(self.clauses.of_predicate().map(|(id, _)| id));
                let (predicate, text) = (self.lowered.predicate.clone(), self.lowered.text.clone());
                Some(Arc::new(Residual { predicate, text }))
            }
            Check::AnyOf(conjunctions) => {
                let clauses = |conjunction: &usize| self.clauses.of(*conjunction).iter().copied();
                self.checked
                    .extend(conjunctions.iter().flat_map(clauses).flat_map(|id| self.clauses.whole(id)));
                let arm = |conjunction: &usize| {
                    Predicate::All(
                        clauses(conjunction).map(|id| self.clauses.get(id).predicate.clone()).collect(),
                    )
                };
                let predicate = Predicate::Any(conjunctions.iter().map(arm).collect());
                let text = text_of(&predicate);
                Some(Arc::new(Residual { predicate, text }))
            }
        }
    }
}

/// The words of a predicate made of clauses.
fn text_of(predicate: &Predicate) -> Fragment {
    let parts = |arms: &[Predicate]| arms.iter().map(text_of).collect::<Vec<_>>();
    match predicate {
        Predicate::Condition(condition) => condition.text.clone(),
        Predicate::All(arms) if arms.is_empty() => Fragment::text("TRUE"),
        Predicate::Any(arms) if arms.is_empty() => Fragment::text("FALSE"),
        Predicate::All(arms) => Fragment::joined(&parts(arms), "AND"),
        Predicate::Any(arms) => Fragment::joined(&parts(arms), "OR"),
    }
}

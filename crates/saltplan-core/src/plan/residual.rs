//! What is left to check on the rows of a range.

use std::collections::BTreeSet;

use super::Residual;
use super::branches::{Check, Conjunction};
use super::planner::Planner;
use crate::predicate::{Fragment, Predicate};

impl Planner<'_> {
    pub(super) fn residual(&self, check: &Check) -> Option<Residual> {
        let predicate = match check {
            Check::Nothing => return None,
            Check::Everything if matches!(&self.lowered.predicate, Predicate::All(arms) if arms.is_empty()) =>
            {
                return None;
            }
            Check::AnyOf(conjunctions) if self.is_longer_than_the_predicate(conjunctions) => {
                return self.residual(&Check::Everything);
            }
            Check::Everything => {
                return Some(Residual {
                    predicate: self.lowered.predicate.clone(),
                    text: self.lowered.text.clone(),
                });
            }
            Check::AnyOf(conjunctions) => {
                let arms = conjunctions.iter().map(|ids| {
                    let clauses = ids.iter().filter_map(|id| self.clauses.get(id));
                    Predicate::All(clauses.map(|clause| clause.predicate.clone()).collect())
                });
                Predicate::Any(arms.collect())
            }
        };
        let text = text_of(&predicate);
        Some(Residual { predicate, text })
    }

    /// A product of ORs written out can be longer than the predicate by orders of magnitude.
    fn is_longer_than_the_predicate(&self, conjunctions: &BTreeSet<Conjunction>) -> bool {
        let limit = 2 * self.lowered.text.0.len() + 16;
        let mut size = 0;
        conjunctions.iter().flatten().filter_map(|id| self.clauses.get(id)).any(|clause| {
            size += size_of(&clause.predicate);
            size > limit
        })
    }
}

/// Pieces of the words of a predicate, brackets and connectives left out.
fn size_of(predicate: &Predicate) -> usize {
    match predicate {
        Predicate::Condition(condition) => condition.text.0.len(),
        Predicate::All(arms) | Predicate::Any(arms) => arms.iter().map(size_of).sum(),
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

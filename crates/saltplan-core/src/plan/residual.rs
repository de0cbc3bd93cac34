//! What is left to check on the rows of a range.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Residual;
use super::boxes::ClauseId;
use super::branches::BranchCheck;
use super::clauses::Clauses;
use crate::predicate::{Lowered, Predicate, SqlText};

/// What a check says.
pub(super) fn residual(lowered: &Lowered, clauses: &Clauses, check: &BranchCheck) -> Option<Arc<Residual>> {
    match check {
        BranchCheck::Nothing => None,
        BranchCheck::Everything if is_always_true(&lowered.predicate) => None,
        BranchCheck::Everything => {
            let (predicate, text) = (lowered.predicate.clone(), lowered.text.clone());
            Some(Arc::new(Residual { predicate, text }))
        }
        BranchCheck::AnyOf(conjunctions) => {
            let arm = |conjunction: &usize| {
                let all = clauses.of(*conjunction).iter();
                Predicate::All(all.map(|id| clauses.get(*id).predicate.clone()).collect())
            };
            let predicate = Predicate::Any(conjunctions.iter().map(arm).collect());
            let text = text_of(&predicate);
            Some(Arc::new(Residual { predicate, text }))
        }
    }
}

/// The clauses of the predicate that rows are checked by.
pub(super) fn checked<'a>(
    lowered: &Lowered,
    clauses: &Clauses,
    checks: impl Iterator<Item = &'a BranchCheck>,
) -> BTreeSet<ClauseId> {
    let distinct: BTreeSet<&BranchCheck> = checks.collect();
    let mut checked = BTreeSet::new();
    for check in distinct {
        match check {
            BranchCheck::Nothing => {}
            BranchCheck::Everything if is_always_true(&lowered.predicate) => {}
            BranchCheck::Everything => checked.extend(clauses.of_predicate().map(|(id, _)| id)),
            BranchCheck::AnyOf(conjunctions) => {
                let parts = conjunctions.iter().flat_map(|conjunction| clauses.of(*conjunction));
                checked.extend(parts.flat_map(|id| clauses.whole(*id)));
            }
        }
    }
    checked
}

fn is_always_true(predicate: &Predicate) -> bool {
    matches!(predicate, Predicate::All(arms) if arms.is_empty())
}

/// The words of a predicate made of clauses.
fn text_of(predicate: &Predicate) -> SqlText {
    let parts = |arms: &[Predicate]| arms.iter().map(text_of).collect::<Vec<_>>();
    match predicate {
        Predicate::Condition(condition) => condition.text.clone(),
        Predicate::All(arms) if arms.is_empty() => SqlText::text("TRUE"),
        Predicate::Any(arms) if arms.is_empty() => SqlText::text("FALSE"),
        Predicate::All(arms) => SqlText::joined(&parts(arms), "AND"),
        Predicate::Any(arms) => SqlText::joined(&parts(arms), "OR"),
    }
}

//! The conditions that must be checked on the rows of a range.

use std::collections::{BTreeMap, BTreeSet};

use super::branches::BranchCheck;
use super::clauses::{Clauses, ConjunctionId};
use super::key_box::ClauseId;
use super::{Residual, ResidualId};
use crate::hiveql::ast::Expr;
use crate::predicate::{Lowered, Predicate};

/// The residuals of a plan, each written once.
pub(super) struct Residuals<'a> {
    lowered: &'a Lowered,
    clauses: &'a Clauses,
    written: Vec<Residual>,
    of_checks: BTreeMap<BranchCheck, Option<ResidualId>>,
}

impl<'a> Residuals<'a> {
    pub fn new(lowered: &'a Lowered, clauses: &'a Clauses) -> Self {
        Residuals { lowered, clauses, written: Vec::new(), of_checks: BTreeMap::new() }
    }

    /// The condition of a check; `None` if nothing is checked.
    pub fn of(&mut self, check: &BranchCheck) -> Option<ResidualId> {
        if let Some(known) = self.of_checks.get(check) {
            return *known;
        }
        let id = self.write(check).map(|residual| {
            self.written.push(residual);
            ResidualId(self.written.len() - 1)
        });
        self.of_checks.insert(check.clone(), id);
        id
    }

    fn write(&self, check: &BranchCheck) -> Option<Residual> {
        match check {
            BranchCheck::Nothing => None,
            BranchCheck::Everything if is_always_true(&self.lowered.predicate) => None,
            BranchCheck::Everything => {
                let Lowered { predicate, expr, .. } = self.lowered;
                Some(Residual { predicate: predicate.clone(), expr: expr.clone() })
            }
            BranchCheck::AnyOf(conjunctions) => {
                let arm = |conjunction: &ConjunctionId| {
                    let all = self.clauses.of(*conjunction).iter();
                    Predicate::All(all.map(|id| self.clauses.get(*id).predicate.clone()).collect())
                };
                let predicate = Predicate::Any(conjunctions.iter().map(arm).collect());
                Some(Residual { expr: expr_of(&predicate), predicate })
            }
        }
    }

    pub fn written(self) -> Vec<Residual> {
        self.written
    }
}

/// The clauses of the predicate that are checked on rows.
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

/// The expression of a predicate made of clauses, with the names of the user.
fn expr_of(predicate: &Predicate) -> Expr {
    let parts = |arms: &[Predicate]| Predicate::said(arms).map(expr_of).collect();
    match predicate {
        Predicate::Condition(condition) => condition.expr.clone(),
        Predicate::All(arms) => Expr::conjunction(parts(arms)),
        Predicate::Any(arms) => Expr::disjunction(parts(arms)),
    }
}

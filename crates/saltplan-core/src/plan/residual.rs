//! The conditions that must be checked on the rows of a range.

use std::collections::{BTreeMap, BTreeSet};

use super::branches::BranchCheck;
use super::clauses::{Clauses, ConjunctionId};
use super::key_box::ClauseId;
use super::{Residual, ResidualId};
use crate::analyze::{Analysis, Constraint};
use saltplan_sql::ast::Expr;

/// The residuals of a plan, each written once.
pub(super) struct Residuals<'a> {
    analysis: &'a Analysis,
    clauses: &'a Clauses,
    written: Vec<Residual>,
    of_checks: BTreeMap<BranchCheck, Option<ResidualId>>,
}

impl<'a> Residuals<'a> {
    pub fn new(analysis: &'a Analysis, clauses: &'a Clauses) -> Self {
        Residuals { analysis, clauses, written: Vec::new(), of_checks: BTreeMap::new() }
    }

    /// The condition of a check; `None` if nothing is checked.
    pub fn of_check(&mut self, check: &BranchCheck) -> Option<ResidualId> {
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
            BranchCheck::Everything if self.analysis.constraint.is_always() => None,
            BranchCheck::Everything => {
                let Analysis { constraint, expr, .. } = self.analysis;
                Some(Residual { constraint: constraint.clone(), expr: expr.clone() })
            }
            BranchCheck::AnyOf(conjunctions) => {
                let arm = |conjunction: &ConjunctionId| {
                    let all = self.clauses.of_conjunction(*conjunction).iter();
                    Constraint::All(all.map(|id| self.clauses.get(*id).constraint.clone()).collect())
                };
                let constraint = Constraint::Any(conjunctions.iter().map(arm).collect());
                Some(Residual { expr: expr_of(&constraint), constraint })
            }
        }
    }

    pub fn written(self) -> Vec<Residual> {
        self.written
    }
}

/// The clauses of the predicate that are checked on rows.
pub(super) fn checked<'a>(
    analysis: &Analysis,
    clauses: &Clauses,
    checks: impl Iterator<Item = &'a BranchCheck>,
) -> BTreeSet<ClauseId> {
    let distinct: BTreeSet<&BranchCheck> = checks.collect();
    let mut checked = BTreeSet::new();
    for check in distinct {
        match check {
            BranchCheck::Nothing => {}
            BranchCheck::Everything if analysis.constraint.is_always() => {}
            BranchCheck::Everything => checked.extend(clauses.of_predicate().map(|(id, _)| id)),
            BranchCheck::AnyOf(conjunctions) => {
                let parts = conjunctions.iter().flat_map(|conjunction| clauses.of_conjunction(*conjunction));
                checked.extend(parts.flat_map(|id| clauses.whole(*id)));
            }
        }
    }
    checked
}

/// The expression of clauses, with the names of the user.
fn expr_of(constraint: &Constraint) -> Expr {
    let parts = |arms: &[Constraint]| arms.iter().map(expr_of).collect();
    match constraint {
        Constraint::Condition(condition) => condition.expr.clone(),
        Constraint::All(arms) => Expr::conjunction(parts(arms)),
        Constraint::Any(arms) => Expr::disjunction(parts(arms)),
    }
}

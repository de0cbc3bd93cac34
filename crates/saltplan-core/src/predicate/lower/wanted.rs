//! Which rows are wanted of a condition.

use crate::hiveql::ast::{Expr, UnaryOperator};
use crate::predicate::Predicate;

/// Which rows are wanted of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Those for which it is true.
    True,
    /// Those for which it is false; a row for which it is NULL is neither.
    False,
}

impl Wanted {
    /// What is wanted of a condition that stands negated.
    pub fn negated(self) -> Self {
        match self {
            Wanted::True => Wanted::False,
            Wanted::False => Wanted::True,
        }
    }

    /// What is wanted of a condition that stands `negated` or as it is.
    pub fn of(self, negated: bool) -> Self {
        if negated { self.negated() } else { self }
    }

    pub(crate) fn is_true(self) -> bool {
        self == Wanted::True
    }

    /// The rows of a conjunction, by those of its parts.
    pub fn all(self, parts: Vec<Predicate>) -> Predicate {
        match self {
            Wanted::True => Predicate::All(parts),
            Wanted::False => Predicate::Any(parts),
        }
    }

    /// The rows of a disjunction, by those of its parts.
    pub fn any(self, parts: Vec<Predicate>) -> Predicate {
        self.negated().all(parts)
    }

    /// The condition that is true for these rows.
    pub fn condition(self, expr: Expr) -> Expr {
        match self {
            Wanted::True => expr,
            Wanted::False => Expr::UnaryOp { op: UnaryOperator::Not, expr: Expr::Nested(expr.into()).into() },
        }
    }
}

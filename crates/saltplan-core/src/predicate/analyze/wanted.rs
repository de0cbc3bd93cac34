//! Which rows of a condition are wanted.

use crate::hiveql::ast::{Expr, UnaryOperator};
use crate::predicate::Constraint;

/// Which rows of a condition are wanted, by its truth in them. NULL is neither true nor false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    True,
    False,
    /// False or NULL.
    NotTrue,
    /// True or NULL.
    NotFalse,
}

impl Wanted {
    /// The wanted truth of a condition that stands behind NOT.
    pub fn negated(self) -> Self {
        match self {
            Wanted::True => Wanted::False,
            Wanted::False => Wanted::True,
            Wanted::NotTrue => Wanted::NotFalse,
            Wanted::NotFalse => Wanted::NotTrue,
        }
    }

    /// The wanted truth of a condition that stands `negated` or as it is.
    pub fn of(self, negated: bool) -> Self {
        if negated { self.negated() } else { self }
    }

    /// The wanted truth of a condition that is tested for a value: `c IS FALSE`, `c IS NOT TRUE`. A test is never NULL.
    pub fn of_test(self, value: bool, negated: bool) -> Self {
        match (self.is_of_all() != negated, value) {
            (true, true) => Wanted::True,
            (true, false) => Wanted::False,
            (false, true) => Wanted::NotTrue,
            (false, false) => Wanted::NotFalse,
        }
    }

    /// The truth without NULL: of NOT TRUE it is TRUE.
    pub fn strict(self) -> Self {
        match self {
            Wanted::True | Wanted::NotTrue => Wanted::True,
            Wanted::False | Wanted::NotFalse => Wanted::False,
        }
    }

    /// Whether all parts of a conjunction must have this truth, and one part of a disjunction. Otherwise it is the reverse.
    pub fn is_of_all(self) -> bool {
        matches!(self, Wanted::True | Wanted::NotFalse)
    }

    /// Whether a truth is wanted; `None` is NULL.
    pub fn is_met_by(self, truth: Option<bool>) -> bool {
        match self {
            Wanted::True => truth == Some(true),
            Wanted::False => truth == Some(false),
            Wanted::NotTrue => truth != Some(true),
            Wanted::NotFalse => truth != Some(false),
        }
    }

    /// The rows of a conjunction, by those of its parts.
    pub fn all(self, parts: Vec<Constraint>) -> Constraint {
        if self.is_of_all() { Constraint::All(parts) } else { Constraint::Any(parts) }
    }

    /// The rows of a disjunction, by those of its parts.
    pub fn any(self, parts: Vec<Constraint>) -> Constraint {
        if self.is_of_all() { Constraint::Any(parts) } else { Constraint::All(parts) }
    }

    /// The condition that is true for these rows.
    pub fn condition(self, expr: Expr) -> Expr {
        match self {
            Wanted::True => expr,
            Wanted::False => Expr::UnaryOp { op: UnaryOperator::Not, expr: expr.bracketed().into() },
            Wanted::NotTrue => Expr::IsNotTrue(expr.bracketed().into()),
            Wanted::NotFalse => Expr::IsNotFalse(expr.bracketed().into()),
        }
    }
}

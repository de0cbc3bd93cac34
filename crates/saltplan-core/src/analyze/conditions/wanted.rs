//! Which rows of a condition are wanted.

use crate::analyze::Constraint;
use saltplan_sql::ast::{Expr, UnaryOperator};

/// Which rows of a condition are wanted: those where it is true, false, not true or not false.
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
    /// The wanted truth after a negation.
    pub fn negated(self) -> Self {
        match self {
            Wanted::True => Wanted::False,
            Wanted::False => Wanted::True,
            Wanted::NotTrue => Wanted::NotFalse,
            Wanted::NotFalse => Wanted::NotTrue,
        }
    }

    /// The wanted truth after a negation, if there is one.
    pub fn of(self, negated: bool) -> Self {
        if negated { self.negated() } else { self }
    }

    /// The wanted truth of `c` after a test that is never NULL: `c IS FALSE`, `c IS NOT TRUE`.
    pub fn of_test(self, value: bool, negated: bool) -> Self {
        match (self.is_of_all() != negated, value) {
            (true, true) => Wanted::True,
            (true, false) => Wanted::False,
            (false, true) => Wanted::NotTrue,
            (false, false) => Wanted::NotFalse,
        }
    }

    /// The truth value that is wanted or excluded: `True` for `NotTrue`, too.
    pub fn strict(self) -> Self {
        match self {
            Wanted::True | Wanted::NotTrue => Wanted::True,
            Wanted::False | Wanted::NotFalse => Wanted::False,
        }
    }

    /// True if every conjunct, and at least one disjunct, must have this truth. Otherwise it is the reverse.
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

    /// The constraint of a conjunction, from those of its parts.
    pub fn all(self, parts: Vec<Constraint>) -> Constraint {
        if self.is_of_all() { Constraint::All(parts) } else { Constraint::Any(parts) }
    }

    /// The constraint of a disjunction, from those of its parts.
    pub fn any(self, parts: Vec<Constraint>) -> Constraint {
        if self.is_of_all() { Constraint::Any(parts) } else { Constraint::All(parts) }
    }

    /// The condition that is true for these rows.
    pub fn condition(self, expr: Expr) -> Expr {
        match self {
            Wanted::True => expr,
            Wanted::False => Expr::UnaryOp { op: UnaryOperator::Not, expr: expr.bracketed().into() },
            Wanted::NotTrue | Wanted::NotFalse => {
                let value = Some(self == Wanted::NotTrue);
                Expr::Is { expr: expr.bracketed().into(), value, negated: true }
            }
        }
    }
}

//! Which rows of a condition are wanted.

use crate::analyze::Constraint;
use crate::analyze::bind::{BoundNode, Operator};
use crate::analyze::compare::Truth;
use crate::analyze::values::ValueSet;
use crate::key::field::FieldKind;

/// Which rows of a condition are wanted: those where it is true, false, not true or not false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    /// The truth value that is wanted or excluded.
    value: bool,
    /// Rows with any other truth are wanted, NULL among them.
    negated: bool,
}

impl Wanted {
    pub const TRUE: Self = Wanted { value: true, negated: false };
    pub const FALSE: Self = Wanted { value: false, negated: false };
    /// False or NULL.
    pub const NOT_TRUE: Self = Wanted { value: true, negated: true };
    /// True or NULL.
    pub const NOT_FALSE: Self = Wanted { value: false, negated: true };

    /// The wanted truth after a negation.
    pub fn negated(self) -> Self {
        self.negated_if(true)
    }

    /// The wanted truth after a negation, if there is one.
    pub fn negated_if(self, negated: bool) -> Self {
        Wanted { value: self.value != negated, ..self }
    }

    /// The wanted truth of `c` after a test that is never NULL: `c IS FALSE`, `c IS NOT TRUE`.
    pub fn of_test(self, value: bool, negated: bool) -> Self {
        Wanted { value, negated: self.is_of_all() == negated }
    }

    /// The truth value that is wanted or excluded: `TRUE` for `NOT_TRUE`, too.
    pub fn strict(self) -> Self {
        Wanted { negated: false, ..self }
    }

    /// True if every conjunct, and at least one disjunct, must have this truth. Otherwise it is the reverse.
    pub fn is_of_all(self) -> bool {
        self.value != self.negated
    }

    /// Whether a truth is wanted; `None` is NULL.
    pub fn is_met_by(self, truth: Option<bool>) -> bool {
        (truth == Some(self.value)) != self.negated
    }

    /// The values for which a comparison with this truth for its known values has or may have the wanted truth.
    pub fn values(self, truth: &Truth, unknown: &ValueSet, kind: &FieldKind) -> ValueSet {
        let known = if self.value { &truth.when_true } else { &truth.when_false };
        if self.negated { known.complement(kind) } else { known.union(unknown) }
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
    pub fn condition(self, condition: BoundNode) -> BoundNode {
        let operator = match self {
            Wanted::TRUE => return condition,
            Wanted::FALSE => Operator::Not,
            Wanted { value, negated } => Operator::Is { value: Some(value), negated },
        };
        BoundNode::condition(operator, vec![condition.bracketed()])
    }
}

//! Which values make a comparison true, and which false.

use crate::analyze::values::ValueSet;
use crate::key::field::FieldKind;
use saltplan_sql::ast::BinaryOperator;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// The comparison of an operator, and whether it is negated (`<>`).
    pub fn of(op: BinaryOperator) -> Option<(Self, bool)> {
        Some(match op {
            BinaryOperator::Eq => (Comparison::Equal, false),
            BinaryOperator::NotEq => (Comparison::Equal, true),
            BinaryOperator::Lt => (Comparison::Less, false),
            BinaryOperator::LtEq => (Comparison::LessOrEqual, false),
            BinaryOperator::Gt => (Comparison::Greater, false),
            BinaryOperator::GtEq => (Comparison::GreaterOrEqual, false),
            _ => return None,
        })
    }

    /// The comparison with its sides exchanged.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Comparison::Equal => Comparison::Equal,
            Comparison::Less => Comparison::Greater,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        }
    }

    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Comparison::Equal => order.is_eq(),
            Comparison::Less => order.is_lt(),
            Comparison::LessOrEqual => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::GreaterOrEqual => order.is_ge(),
        }
    }
}

/// The values for which a condition is true, and for which it is false; the others give NULL.
#[derive(Debug, Clone, PartialEq)]
pub struct Truth {
    pub(crate) when_true: ValueSet,
    pub(crate) when_false: ValueSet,
}

impl Truth {
    pub(crate) fn two_valued(yes: ValueSet, kind: &FieldKind) -> Self {
        let no = yes.complement(kind);
        Truth { when_true: yes, when_false: no }
    }

    pub(crate) fn unknown(kind: &FieldKind) -> Self {
        Truth { when_true: ValueSet::none(kind), when_false: ValueSet::none(kind) }
    }

    /// The truth of the negated condition.
    #[must_use]
    pub fn negated_if(self, negated: bool) -> Self {
        if negated { Truth { when_true: self.when_false, when_false: self.when_true } } else { self }
    }

    /// The truth for values outside of a set.
    #[must_use]
    pub fn without(self, values: &ValueSet, kind: &FieldKind) -> Self {
        if values.is_empty() {
            return self;
        }
        let others = values.complement(kind);
        Truth { when_true: self.when_true.intersect(&others), when_false: self.when_false.intersect(&others) }
    }

    /// Both bounds of a BETWEEN: Hive looks at the upper one only where the lower one is not NULL.
    #[must_use]
    pub fn and_then(&self, upper: &Self) -> Self {
        Truth {
            when_true: self.when_true.intersect(&upper.when_true),
            when_false: self.when_false.union(&self.when_true.intersect(&upper.when_false)),
        }
    }
}

/// How the truths of several comparisons of one expression are joined.
#[derive(Debug, Clone, Copy)]
pub enum Join {
    /// One is true, as of a list.
    Any,
    /// Both bounds of a BETWEEN hold.
    Bounds,
    One,
}

impl Join {
    /// The joined truth; `None` for an empty list, whose truth no value decides.
    pub fn joined(self, truths: Vec<Truth>) -> Option<Truth> {
        if !matches!(self, Join::Any) {
            return truths.into_iter().reduce(|low, high| low.and_then(&high));
        }
        let each = |set: fn(&Truth) -> &ValueSet| truths.iter().map(set).collect::<Vec<_>>();
        Some(Truth {
            when_true: ValueSet::union_of(&each(|truth| &truth.when_true))?,
            when_false: ValueSet::intersection_of(&each(|truth| &truth.when_false))?,
        })
    }
}

/// Why a comparison has no exact set of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUsed(pub String);

pub(super) fn not_used<T>(reason: impl Into<String>) -> Result<T, NotUsed> {
    Err(NotUsed(reason.into()))
}

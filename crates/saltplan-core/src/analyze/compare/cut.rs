//! A constant as a cut: the values not below it, and those above.

use chrono::NaiveDateTime;

use super::truth::{Comparison, Truth};
use crate::analyze::constant::Decimal;
use crate::analyze::values::ValueSet;
use crate::key::field::FieldKind;
use crate::key::interval::IntervalSet;
use saltplan_sql::time::pattern::Granularity;

/// The position of a constant among whole numbers: `position` is the first number that is not below it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Position {
    pub position: i128,
    /// Whether the constant is that number.
    pub exact: bool,
}

impl Position {
    pub fn of(number: Decimal) -> Self {
        let (position, exact) = number.ceiling();
        Position { position, exact }
    }

    pub fn at(granularity: Granularity, at: NaiveDateTime) -> Self {
        let ordinal = granularity.ordinal_of(at);
        let exact = granularity.start_of(ordinal) == Some(at);
        Position { position: i128::from(ordinal) + i128::from(!exact), exact }
    }
}

/// The truth of a comparison with a cut of a field's own numbers.
pub(super) fn of_numbers(kind: &FieldKind, comparison: Comparison, cut: Position) -> Truth {
    ordered(kind, comparison, cut, |position| ValueSet::numbers(kind, &IntervalSet::range(position, None)))
}

/// The truth of an ordered comparison with a cut; `not_below` gives the values from a number on.
pub(super) fn ordered(
    kind: &FieldKind,
    comparison: Comparison,
    cut: Position,
    not_below: impl Fn(i128) -> ValueSet,
) -> Truth {
    let above = if cut.exact { cut.position.saturating_add(1) } else { cut.position };
    from_cut_sets(kind, comparison, not_below(cut.position), not_below(above))
}

/// The truth of a comparison by the values not below the constant, and those above it.
pub(crate) fn from_cut_sets(
    kind: &FieldKind,
    comparison: Comparison,
    not_below: ValueSet,
    above: ValueSet,
) -> Truth {
    let yes = match comparison {
        Comparison::Equal => not_below.intersect(&above.complement(kind)),
        Comparison::Less => not_below.complement(kind),
        Comparison::LessOrEqual => above.complement(kind),
        Comparison::Greater => above,
        Comparison::GreaterOrEqual => not_below,
    };
    Truth::two_valued(yes, kind)
}

//! What is found of a condition on one field, and what it is found with.

use super::wanted::Wanted;
use crate::diag::Span;
use crate::hiveql::ast::{BinaryOperator, Expr};
use crate::key::field::FieldId;
use crate::predicate::compare::{Comparer, Comparison, Remarks, Truth};
use crate::predicate::term::Term;
use crate::predicate::values::ValueSet;
use crate::predicate::{Meaning, Predicate};
use crate::schema::model::Schema;

/// A condition that is true and false for known values of one field.
pub(super) struct Exact {
    pub field: FieldId,
    pub truth: Truth,
}

/// What is known of a condition on one field.
pub(super) struct Found {
    pub field: FieldId,
    pub truth: Truth,
    /// The values of which it is not known what Hive makes of them; none of them is in `truth`.
    pub(crate) left_to_hive: ValueSet,
}

impl Found {
    /// For all values.
    pub fn exact(schema: &Schema, field: FieldId, truth: Truth) -> Self {
        Found { field, truth, left_to_hive: ValueSet::none(&schema.key.fields[field].kind) }
    }

    pub(crate) fn negated_if(self, negated: bool) -> Self {
        Found { truth: negate(self.truth, negated), ..self }
    }
}

impl Exact {
    /// The rows that are wanted, as a condition on the field.
    pub fn condition(self, schema: &Schema, expr: Expr, span: Span, wanted: Wanted) -> Predicate {
        let kind = &schema.key.fields[self.field].kind;
        let values = match wanted {
            Wanted::True => self.truth.when_true,
            Wanted::False => self.truth.when_false,
        };
        let values = values.possible(kind);
        if values.is_empty() {
            return Predicate::never();
        }
        if values.is_all(kind) {
            return Predicate::always();
        }
        Predicate::condition(Meaning::Field { field: self.field, values }, wanted.condition(expr), span)
    }
}

pub(super) fn negate(truth: Truth, negated: bool) -> Truth {
    if negated { Truth { when_true: truth.when_false, when_false: truth.when_true } } else { truth }
}

/// What compares values as a term shows them.
pub(super) fn comparer<'b>(schema: &'b Schema, term: &'b Term) -> Comparer<'b> {
    Comparer {
        field: &schema.key.fields[term.field],
        view: &term.view,
        time_zone: schema.time_zone,
        remarks: Remarks::default(),
    }
}

/// The comparison of an operator, and whether it is negated (`<>`).
pub(super) fn comparison_of(op: BinaryOperator) -> Option<(Comparison, bool)> {
    match op {
        BinaryOperator::Eq => Some((Comparison::Equal, false)),
        BinaryOperator::NotEq => Some((Comparison::Equal, true)),
        BinaryOperator::Lt => Some((Comparison::Less, false)),
        BinaryOperator::LtEq => Some((Comparison::LessOrEqual, false)),
        BinaryOperator::Gt => Some((Comparison::Greater, false)),
        BinaryOperator::GtEq => Some((Comparison::GreaterOrEqual, false)),
        _ => None,
    }
}

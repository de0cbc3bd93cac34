//! Comparisons of rows of values: `(a, b) >= (1, 2)`, `(a, b) IN (…)`. Hive cannot compare rows, so they become comparisons of values.

use super::Conditions;
use super::portable::portable;
use super::wanted::Wanted;
use crate::analyze::Constraint;
use crate::analyze::bind::{Bound, BoundNode, Operator, bind_predicate, written_node};
use crate::analyze::compare::Comparison;
use crate::analyze::constant::{Constant, fold};
use crate::schema::model::Schema;
use saltplan_document::diag::Span;
use saltplan_sql::ast::{BinaryOperator, Expr, Literal, Node};
use saltplan_sql::value::Typed;

/// A value of a row, and the one that it is compared with.
type Pair<'n> = (&'n BoundNode, &'n BoundNode);

/// Splits a comparison of rows into comparisons of values.
pub(super) struct RowSplitter<'c, 'a> {
    pub conditions: &'c mut Conditions<'a>,
    /// The place of the comparison.
    pub span: Span,
}

impl RowSplitter<'_, '_> {
    /// `(a, b) op (1, 2)`, `(a, b) IN ((1, 2), …)` and `BETWEEN`, as comparisons of their values.
    pub(super) fn constraint(&mut self, condition: &BoundNode, wanted: Wanted) -> Option<Constraint> {
        match condition.operation()? {
            (Operator::Binary(op), [left, right]) => {
                let pairs = row_pairs(left, right)?;
                if op.is_null_safe() {
                    let wanted = wanted.negated_if(op == BinaryOperator::DistinctFrom);
                    return Some(wanted.all(self.each(&pairs, BinaryOperator::NullSafeEq, wanted)));
                }
                let (_, negated) = Comparison::of(op)?;
                let op = if negated { BinaryOperator::Eq } else { op };
                Some(self.row_comparison(&pairs, op, wanted.negated_if(negated)))
            }
            (Operator::In { negated }, [operand, list @ ..]) => {
                let wanted = wanted.negated_if(negated);
                let arms = list.iter().map(|row| {
                    Some(self.row_comparison(&row_pairs(operand, row)?, BinaryOperator::Eq, wanted))
                });
                Some(wanted.any(arms.collect::<Option<Vec<_>>>()?))
            }
            (Operator::Between { negated }, [operand, low, high]) => {
                let wanted = wanted.negated_if(negated);
                let (low, high) = (row_pairs(operand, low)?, row_pairs(operand, high)?);
                let low = self.row_comparison(&low, BinaryOperator::GtEq, wanted);
                let high = self.row_comparison(&high, BinaryOperator::LtEq, wanted);
                Some(wanted.all(vec![low, high]))
            }
            _ => None,
        }
    }

    /// Rows compare like words: by the first pair that differs.
    fn row_comparison(&mut self, pairs: &[Pair<'_>], op: BinaryOperator, wanted: Wanted) -> Constraint {
        if op == BinaryOperator::Eq {
            let each = self.each(pairs, BinaryOperator::Eq, wanted);
            return match wanted {
                Wanted::FALSE => {
                    let equal = self.each(pairs, BinaryOperator::Eq, Wanted::TRUE);
                    first_difference(self.conditions.schema, equal, each)
                }
                _ => wanted.all(each),
            };
        }
        let strict = match op {
            BinaryOperator::Lt | BinaryOperator::LtEq => BinaryOperator::Lt,
            _ => BinaryOperator::Gt,
        };
        let last = pairs.len() - 1;
        let mut arms = Vec::with_capacity(pairs.len());
        for (index, pair) in pairs.iter().enumerate() {
            let mut arm = self.each(&pairs[..index], BinaryOperator::Eq, wanted);
            let op = if index == last { op } else { strict };
            arm.push(self.pair(*pair, op, wanted));
            arms.push(wanted.all(arm));
        }
        wanted.any(arms)
    }

    fn each(&mut self, pairs: &[Pair<'_>], op: BinaryOperator, wanted: Wanted) -> Vec<Constraint> {
        pairs.iter().map(|pair| self.pair(*pair, op, wanted)).collect()
    }

    fn pair(&mut self, (left, right): Pair<'_>, op: BinaryOperator, wanted: Wanted) -> Constraint {
        let schema = self.conditions.schema;
        // Hive converts and reads a value as the other value of the pair asks for, not as the rows do.
        let pair = Expr::BinaryOp { left: written_node(left).into(), op, right: written_node(right).into() };
        let bound = bind_predicate(schema, &Node::new(pair, left.span.to(right.span)));
        let of = |at: usize| bound.operands().get(at).cloned().map(|side| portable(schema, side));
        let constant = |constant: Constant| Some(without_type(constant));
        let (left, op, right) = match (fold(left), fold(right)) {
            (_, Some(right)) => (of(0), op, constant(right)),
            (Some(left), None) => (of(1), op.flipped(), constant(left)),
            (None, None) => (of(0), op, of(1)),
        };
        let operands = left.into_iter().chain(right).collect();
        let portable = BoundNode::condition(Operator::Binary(op), operands);
        self.conditions.condition(&bound, portable, self.span, wanted)
    }
}

/// The pairs of values of two rows; `None` for other expressions, and for rows of different forms.
fn row_pairs<'n>(left: &'n BoundNode, right: &'n BoundNode) -> Option<Vec<Pair<'n>>> {
    let are_rows = matches!((&left.what, &right.what), (Bound::Row(_), Bound::Row(_)));
    if are_rows { pairs(left, right) } else { None }
}

/// The pairs of values of two rows, with those of nested rows; `None` if a value has no counterpart.
fn pairs<'n>(left: &'n BoundNode, right: &'n BoundNode) -> Option<Vec<Pair<'n>>> {
    match (&left.what, &right.what) {
        (Bound::Row(lefts), Bound::Row(rights)) if lefts.len() == rights.len() => {
            let mut found = Vec::with_capacity(lefts.len());
            for (left, right) in lefts.iter().zip(rights) {
                found.extend(pairs(left, right)?);
            }
            Some(found)
        }
        (Bound::Row(_), _) | (_, Bound::Row(_)) => None,
        _ => Some(vec![(left, right)]),
    }
}

/// Two rows differ at their first different pair. These arms share no row, so each makes ranges of its own. That does not work if
/// a pair can be neither equal nor different (NULL).
fn first_difference(schema: &Schema, equal: Vec<Constraint>, different: Vec<Constraint>) -> Constraint {
    let is_unknown =
        |(equal, different): (&Constraint, &Constraint)| equal.is_never() && different.is_never();
    // Where one of both is true for no row, the other one decides.
    if equal.iter().chain(&different).any(|pair| may_be_null(schema, pair))
        || equal.iter().zip(&different).any(is_unknown)
    {
        return Constraint::Any(different);
    }
    let arms = different.into_iter().enumerate().map(|(index, different)| {
        let before = equal[..index].iter().cloned();
        Constraint::All(before.chain([different]).collect())
    });
    Constraint::Any(arms.collect())
}

fn may_be_null(schema: &Schema, constraint: &Constraint) -> bool {
    constraint.has(&|condition| {
        condition.tight().is_none_or(|(field, _)| schema.key.fields[field].kind.is_nullable())
    })
}

/// A constant whose number has the type that its digits have.
fn without_type(constant: Constant) -> BoundNode {
    match constant {
        Constant::Number(number) => BoundNode::literal(Literal::Number(number.to_string())),
        other => BoundNode::value(Typed::plain(other)),
    }
}

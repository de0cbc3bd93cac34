//! Comparisons of rows: `(a, b) >= (1, 2)`, `(a, b) IN (…)`. Hive has none, so they are taken apart.

use std::ops::Range;

use super::found::comparison_of;
use super::wanted::Wanted;
use super::writer::ConditionWriter;
use crate::hiveql::ast::{BinaryOperator, Expr};
use crate::hiveql::{Leaf, Parsed};
use crate::predicate::compare::Comparison;
use crate::predicate::constant::{Constant, fold};
use crate::predicate::{Meaning, Predicate, SqlPiece, SqlText};
use crate::schema::model::Schema;

/// A value of a row with its tokens, and the one that it is compared with.
struct Pair<'e> {
    left: (&'e Expr, Range<usize>),
    right: (&'e Expr, Range<usize>),
}

/// A comparison of two values of rows.
pub(super) struct ValuePair {
    pub expr: Expr,
    pub text: SqlText,
    /// Whether one of them has a field of the row key.
    pub(crate) is_of_key: bool,
}

/// Takes a comparison of rows apart.
pub(super) struct RowSplitter<'s, P> {
    pub schema: &'s Schema,
    pub parsed: &'s Parsed,
    pub writer: &'s ConditionWriter<'s>,
    /// What a comparison of two values means.
    pub(crate) meaning_of: P,
}

impl<P: FnMut(ValuePair, Wanted) -> Predicate> RowSplitter<'_, P> {
    /// `(a, b) op (1, 2)`, `(a, b) IN ((1, 2), …)` and `BETWEEN`, as comparisons of their values.
    pub(super) fn predicate(mut self, leaf: &Leaf, wanted: Wanted) -> Option<Predicate> {
        let rows = self.parsed.rows(&leaf.tokens);
        match &*leaf.expr {
            Expr::BinaryOp { left, op, right } => {
                let [first, second] = rows.as_slice() else { return None };
                let pairs = self.row_pairs((left, first), (right, second))?;
                if *op == BinaryOperator::NullSafeEq {
                    return Some(wanted.all(self.each(&pairs, *op, wanted)));
                }
                let (comparison, negated) = comparison_of(*op)?;
                Some(self.row_comparison(&pairs, comparison, wanted.of(negated)))
            }
            Expr::InList { expr, list, negated } => {
                let (first, rows) = rows.split_first().filter(|(_, rows)| rows.len() == list.len())?;
                let wanted = wanted.of(*negated);
                let arms = list.iter().zip(rows).map(|(row, tokens)| {
                    let pairs = self.row_pairs((expr, first), (row, tokens))?;
                    Some(self.row_comparison(&pairs, Comparison::Equal, wanted))
                });
                Some(wanted.any(arms.collect::<Option<Vec<_>>>()?))
            }
            Expr::Between { expr, negated, low, high } => {
                let [first, from, to] = rows.as_slice() else { return None };
                let wanted = wanted.of(*negated);
                let low = self.row_pairs((expr, first), (low, from))?;
                let high = self.row_pairs((expr, first), (high, to))?;
                let low = self.row_comparison(&low, Comparison::GreaterOrEqual, wanted);
                let high = self.row_comparison(&high, Comparison::LessOrEqual, wanted);
                Some(wanted.all(vec![low, high]))
            }
            _ => None,
        }
    }

    /// [`Self::pairs`] of two rows; `None` for what is none, with rows somewhere inside.
    fn row_pairs<'e>(
        &self,
        left: (&'e Expr, &Range<usize>),
        right: (&'e Expr, &Range<usize>),
    ) -> Option<Vec<Pair<'e>>> {
        let are_rows = matches!((left.0, right.0), (Expr::Tuple(_), Expr::Tuple(_)));
        if are_rows { self.pairs(left, right) } else { None }
    }

    /// The values of two rows side by side, those of rows inside of them too; `None` where one has no counterpart.
    fn pairs<'e>(
        &self,
        (left, left_tokens): (&'e Expr, &Range<usize>),
        (right, right_tokens): (&'e Expr, &Range<usize>),
    ) -> Option<Vec<Pair<'e>>> {
        match (left, right) {
            (Expr::Tuple(left), Expr::Tuple(right)) if left.len() == right.len() => {
                let (left_tokens, right_tokens) =
                    (self.parsed.row(left_tokens)?, self.parsed.row(right_tokens)?);
                let mut pairs = Vec::with_capacity(left.len());
                for (left, right) in left.iter().zip(left_tokens).zip(right.iter().zip(right_tokens)) {
                    pairs.extend(self.pairs(left, right)?);
                }
                Some(pairs)
            }
            (Expr::Tuple(_), _) | (_, Expr::Tuple(_)) => None,
            _ => Some(vec![Pair { left: (left, left_tokens.clone()), right: (right, right_tokens.clone()) }]),
        }
    }

    /// Rows compare like words: by the first pair that differs.
    fn row_comparison(&mut self, pairs: &[Pair<'_>], comparison: Comparison, wanted: Wanted) -> Predicate {
        if comparison == Comparison::Equal {
            let equal = self.each(pairs, BinaryOperator::Eq, Wanted::True);
            return match wanted {
                Wanted::True => Predicate::All(equal),
                Wanted::False => first_difference(equal, self.each(pairs, BinaryOperator::Eq, Wanted::False)),
            };
        }
        let strict = match comparison {
            Comparison::Less | Comparison::LessOrEqual => BinaryOperator::Lt,
            _ => BinaryOperator::Gt,
        };
        let last = pairs.len() - 1;
        let mut arms = Vec::with_capacity(pairs.len());
        for (index, pair) in pairs.iter().enumerate() {
            let mut arm = self.each(&pairs[..index], BinaryOperator::Eq, wanted);
            let op = if index == last { operator_of(comparison) } else { strict };
            arm.push(self.pair(pair, op, wanted));
            arms.push(wanted.all(arm));
        }
        wanted.any(arms)
    }

    fn each(&mut self, pairs: &[Pair<'_>], op: BinaryOperator, wanted: Wanted) -> Vec<Predicate> {
        pairs.iter().map(|pair| self.pair(pair, op, wanted)).collect()
    }

    fn pair(&mut self, pair: &Pair<'_>, op: BinaryOperator, wanted: Wanted) -> Predicate {
        let ((left, left_tokens), (right, right_tokens)) = (&pair.left, &pair.right);
        let text = match (fold(left), fold(right)) {
            (_, Some(constant)) => pair_text(&self.writer.text(left_tokens), op, &constant),
            (Some(constant), None) => pair_text(&self.writer.text(right_tokens), flipped(op), &constant),
            (None, None) => joined(&self.writer.text(left_tokens), op, &self.writer.text(right_tokens).0),
        };
        let expr = Expr::BinaryOp { left: Box::new((*left).clone()), op, right: Box::new((*right).clone()) };
        let mut names = self.parsed.names(left_tokens).chain(self.parsed.names(right_tokens));
        let is_of_key = names.any(|(name, _)| self.schema.field(name).is_some());
        (self.meaning_of)(ValuePair { expr, text, is_of_key }, wanted)
    }
}

/// Where two rows differ: at the first pair that does, which makes arms that share no row and so ranges. A pair that
/// is neither equal nor different (NULL) takes that away.
fn first_difference(equal: Vec<Predicate>, different: Vec<Predicate>) -> Predicate {
    let is_never = |predicate: &Predicate| matches!(predicate, Predicate::Any(arms) if arms.is_empty());
    let is_unknown = |(equal, different): (&Predicate, &Predicate)| is_never(equal) && is_never(different);
    if equal.iter().any(may_be_null) || equal.iter().zip(&different).any(is_unknown) {
        return Predicate::Any(different);
    }
    let arms = different.into_iter().enumerate().map(|(index, different)| {
        let before = equal[..index].iter().cloned();
        Predicate::All(before.chain([different]).collect())
    });
    Predicate::Any(arms.collect())
}

fn may_be_null(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::All(arms) | Predicate::Any(arms) => arms.iter().any(may_be_null),
        Predicate::Condition(condition) => matches!(condition.meaning, Meaning::Opaque { .. }),
    }
}

fn operator_of(comparison: Comparison) -> BinaryOperator {
    match comparison {
        Comparison::Equal => BinaryOperator::Eq,
        Comparison::Less => BinaryOperator::Lt,
        Comparison::LessOrEqual => BinaryOperator::LtEq,
        Comparison::Greater => BinaryOperator::Gt,
        Comparison::GreaterOrEqual => BinaryOperator::GtEq,
    }
}

/// The operator with its sides exchanged.
fn flipped(op: BinaryOperator) -> BinaryOperator {
    comparison_of(op).map_or(op, |(comparison, _)| operator_of(comparison.flipped()))
}

fn joined(left: &SqlText, op: BinaryOperator, right: &[SqlPiece]) -> SqlText {
    let mut pieces = left.0.clone();
    pieces.push(SqlPiece::Text(format!(" {op} ")));
    pieces.extend(right.iter().cloned());
    SqlText(pieces)
}

fn pair_text(operand: &SqlText, op: BinaryOperator, constant: &Constant) -> SqlText {
    let right = match constant {
        Constant::Null => vec![SqlPiece::Text("NULL".into())],
        Constant::Bool(value) => vec![SqlPiece::Text(value.to_string())],
        Constant::Number(number) => vec![SqlPiece::Text(number.to_string())],
        Constant::Text(text) => vec![SqlPiece::Literal(text.clone())],
        Constant::Date(date) => vec![SqlPiece::Text("DATE ".into()), SqlPiece::Literal(date.to_string())],
        Constant::Timestamp(at) => {
            vec![SqlPiece::Text("TIMESTAMP ".into()), SqlPiece::Literal(at.to_string())]
        }
    };
    joined(operand, op, &right)
}

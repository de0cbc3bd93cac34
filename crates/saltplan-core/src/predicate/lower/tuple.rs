//! Comparisons of rows: `(a, b) >= (1, 2)`, `(a, b) IN (…)`.

use std::ops::Range;

use super::Wanted;
use super::exact::{Comparisons, Exact, comparison_of};
use super::instant::{local_time_of, unclear};
use super::writer::Writer;
use crate::diag::{Diagnostic, PredicateFault, Span};
use crate::hiveql::ast::Expr;
use crate::predicate::compare::{Comparison, NotUsed, Truth};
use crate::predicate::constant::{Constant, fold};
use crate::predicate::parse::{Leaf, Parsed};
use crate::predicate::{Meaning, Predicate, SqlPiece, SqlText};

/// Takes comparisons of rows apart.
pub(super) struct Rows<'l, 'a> {
    pub parsed: &'a Parsed,
    pub writer: &'l Writer<'a>,
    pub comparisons: &'l mut Comparisons<'a>,
}

impl Rows<'_, '_> {
    /// `(a, b) op (1, 2)`, `(a, b) IN ((1, 2), …)` and `BETWEEN` of constants, as comparisons of their values.
    pub(super) fn predicate(&mut self, leaf: &Leaf, wanted: Wanted) -> Option<Predicate> {
        match &*leaf.expr {
            Expr::BinaryOp { left, op, right } => {
                let (comparison, negated) = comparison_of(*op)?;
                let (Expr::Tuple(left), Expr::Tuple(right)) = (&**left, &**right) else { return None };
                let (operands, constants, comparison) = if right.iter().all(|e| fold(e).is_some()) {
                    (RowOperands::new(left, self.parsed.list_at_start(&leaf.tokens)?), right, comparison)
                } else {
                    (
                        RowOperands::new(right, self.parsed.list_at_end(&leaf.tokens)?),
                        left,
                        comparison.flipped(),
                    )
                };
                self.row_comparison(operands?, constants, comparison, leaf.span, wanted.of(negated))
            }
            Expr::InList { expr, list, negated } => {
                let Expr::Tuple(operands) = &**expr else { return None };
                let operands = RowOperands::new(operands, self.parsed.list_at_start(&leaf.tokens)?)?;
                let mut rows = Vec::with_capacity(list.len());
                for row in list {
                    let Expr::Tuple(constants) = row else { return None };
                    let wanted = wanted.of(*negated);
                    rows.push(self.row_comparison(
                        operands,
                        constants,
                        Comparison::Equal,
                        leaf.span,
                        wanted,
                    )?);
                }
                Some(wanted.of(*negated).any(rows))
            }
            Expr::Between { expr, negated, low, high } => {
                let (Expr::Tuple(operands), Expr::Tuple(low), Expr::Tuple(high)) = (&**expr, &**low, &**high)
                else {
                    return None;
                };
                let operands = RowOperands::new(operands, self.parsed.list_at_start(&leaf.tokens)?)?;
                let wanted = wanted.of(*negated);
                let low =
                    self.row_comparison(operands, low, Comparison::GreaterOrEqual, leaf.span, wanted)?;
                let high = self.row_comparison(operands, high, Comparison::LessOrEqual, leaf.span, wanted)?;
                Some(wanted.all(vec![low, high]))
            }
            _ => None,
        }
    }

    /// Rows compare like words: by the first pair that differs.
    fn row_comparison(
        &mut self,
        operands: RowOperands<'_>,
        constants: &[Expr],
        comparison: Comparison,
        span: Span,
        wanted: Wanted,
    ) -> Option<Predicate> {
        if operands.exprs.len() != constants.len() {
            return None;
        }
        let constants = constants.iter().map(fold).collect::<Option<Vec<_>>>()?;
        let pairs: Vec<((&Expr, &Range<usize>), &Constant)> = operands.items().zip(&constants).collect();
        let mut one = |((operand, tokens), constant): ((&Expr, &Range<usize>), &Constant),
                       comparison: Comparison,
                       wanted: Wanted| {
            let compared = self.comparisons.compare_all(
                operand,
                &[(comparison, constant.clone())],
                false,
                span,
                Truth::and,
            );
            let text = pair_text(&self.writer.text(tokens), comparison, constant);
            match compared {
                Ok(Some(found)) if found.left_to_hive.is_empty() => {
                    Exact::from(found).condition(self.comparisons.schema, &text, span, wanted)
                }
                // Neither true nor false.
                _ if *constant == Constant::Null => Predicate::never(),
                other => {
                    let schema = self.comparisons.schema;
                    let local = local_time_of(schema, operand, std::iter::once(constant));
                    let text = local.map_or_else(|| text.clone(), |why| unclear(&text, why));
                    self.opaque_pair(other.err(), tokens, text, span, wanted)
                }
            }
        };
        if comparison == Comparison::Equal {
            let mut each =
                |wanted| pairs.iter().map(|pair| one(*pair, comparison, wanted)).collect::<Vec<_>>();
            let equal = each(Wanted::True);
            return Some(match wanted {
                Wanted::True => Predicate::All(equal),
                Wanted::False => first_difference(equal, each(Wanted::False)),
            });
        }
        let strict = match comparison {
            Comparison::Less | Comparison::LessOrEqual => Comparison::Less,
            _ => Comparison::Greater,
        };
        let last = pairs.len() - 1;
        let mut arms = Vec::with_capacity(pairs.len());
        for (index, pair) in pairs.iter().enumerate() {
            let mut arm =
                pairs[..index].iter().map(|pair| one(*pair, Comparison::Equal, wanted)).collect::<Vec<_>>();
            arm.push(one(*pair, if index == last { comparison } else { strict }, wanted));
            arms.push(wanted.all(arm));
        }
        Some(wanted.any(arms))
    }

    /// A pair that the engine compares.
    fn opaque_pair(
        &self,
        reason: Option<NotUsed>,
        tokens: &Range<usize>,
        text: SqlText,
        span: Span,
        wanted: Wanted,
    ) -> Predicate {
        let is_field =
            self.parsed.names(tokens).any(|(name, _)| self.comparisons.schema.field(name).is_some());
        let unknown = || is_field.then(|| "the planner does not know this form".to_string());
        let reason = reason.map_or_else(unknown, |NotUsed(reason)| Some(reason));
        Predicate::condition(Meaning::Opaque { reason }, wanted.text(text), span)
    }
}

/// Hive compares no rows: what [`Rows::predicate`] did not take apart has no meaning there.
pub(super) fn refused_row(parsed: &Parsed, leaf: &Leaf) -> Option<Diagnostic> {
    let is_row = |expr: &Expr| matches!(expr, Expr::Tuple(_));
    let has_row = match &*leaf.expr {
        Expr::BinaryOp { left, right, .. } => is_row(left) || is_row(right),
        Expr::Between { expr, low, high, .. } => is_row(expr) || is_row(low) || is_row(high),
        _ => false,
    };
    let error = || {
        Diagnostic::error("a row is compared with something else than a row of as many constants")
            .at(&parsed.source, leaf.span, "in this condition")
            .with_help("compare the values one by one, such as `a = b AND c = 1`")
            .with_fault(PredicateFault::RowsCompared)
    };
    has_row.then(error)
}

/// The operands of a row, with their tokens.
#[derive(Clone, Copy)]
struct RowOperands<'a> {
    exprs: &'a [Expr],
    tokens: &'a [Range<usize>],
}

impl<'a> RowOperands<'a> {
    fn new(exprs: &'a [Expr], tokens: &'a [Range<usize>]) -> Option<Self> {
        (exprs.len() == tokens.len()).then_some(RowOperands { exprs, tokens })
    }

    fn items(self) -> impl Iterator<Item = (&'a Expr, &'a Range<usize>)> {
        self.exprs.iter().zip(self.tokens)
    }
}

/// Where two rows differ: at the first pair that does, which makes arms that share no row and so ranges. A pair that
/// is neither equal nor different (NULL) takes that away.
fn first_difference(equal: Vec<Predicate>, different: Vec<Predicate>) -> Predicate {
    let is_never = |predicate: &Predicate| matches!(predicate, Predicate::Any(arms) if arms.is_empty());
    let may_be_null = |predicate: &Predicate| matches!(predicate, Predicate::Condition(condition) if matches!(condition.meaning, Meaning::Opaque { .. }));
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

fn pair_text(operand: &SqlText, comparison: Comparison, constant: &Constant) -> SqlText {
    let sign = match comparison {
        Comparison::Equal => "=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
    };
    let mut pieces = operand.0.clone();
    pieces.push(SqlPiece::Text(format!(" {sign} ")));
    match constant {
        Constant::Null => pieces.push(SqlPiece::Text("NULL".into())),
        Constant::Bool(value) => pieces.push(SqlPiece::Text(value.to_string())),
        Constant::Number(number) => pieces.push(SqlPiece::Text(number.to_string())),
        Constant::Text(text) => pieces.push(SqlPiece::Literal(text.clone())),
        Constant::Date(date) => {
            pieces.extend([SqlPiece::Text("DATE ".into()), SqlPiece::Literal(date.to_string())]);
        }
        Constant::Timestamp(at) => {
            pieces.extend([SqlPiece::Text("TIMESTAMP ".into()), SqlPiece::Literal(at.to_string())]);
        }
    }
    SqlText(pieces)
}

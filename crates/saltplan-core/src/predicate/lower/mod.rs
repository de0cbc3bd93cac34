//! From the syntax tree to [`Predicate`]: names resolved, negations pushed down to the conditions, every condition
//! turned into a set of field values where that is exact.

mod boolean;
mod hint;
mod instant;
mod names;
mod never;
mod plausible;
mod truth;
mod tuple;

use std::collections::BTreeMap;

use crate::hiveql::ast::{BinaryOperator, Expr};

use super::compare::{Comparer, Comparison, NotUsed, Truth};
use super::constant::{Constant, fold};
use super::like::LikePattern;
use super::parse::{Leaf, Parsed, Replacement, Rewrite, Tree};
use super::term::{Term, recognise};
use super::values::ValueSet;
use super::{Condition, Meaning, Predicate, SqlPiece, SqlText};
use crate::diag::{Diagnostic, Diagnostics, Span};
use crate::schema::model::{SaltInput, Schema};
use instant::unclear;
use never::operands;
use truth::{constant_truth, is_never, null_test};

/// Intervals of months or days of every year in the conditions of one predicate, at most: one condition has up to 240,000,
/// and a predicate has room for thousands of them.
const MAX_INTERVALS: usize = 1_000_000;

/// A predicate on a schema, and remarks on it.
#[derive(Debug, Clone)]
pub struct Lowered {
    pub predicate: Predicate,
    /// The predicate as written, parameters filled in.
    pub text: SqlText,
    pub warnings: Vec<Diagnostic>,
    /// Why conditions are true for no row.
    pub never: Vec<String>,
    /// What is wrong with values that are read as dates and can hardly be meant: a plan of them is no plan to run.
    pub rejected: Vec<String>,
}

/// Resolves a predicate against a schema.
///
/// # Errors
/// A name that is neither a key field nor a column. Everything else is taken: what the planner cannot use stays as
/// text for the engine.
pub fn lower(schema: &Schema, parsed: &Parsed) -> Result<Lowered, Diagnostics> {
    let salt_inputs = schema.key.salt.as_ref().map(|salt| salt.inputs(&schema.key)).unwrap_or_default();
    let mut lowering = Lowering {
        schema,
        parsed,
        salt_inputs,
        likes: BTreeMap::new(),
        readings: instant::readings(schema, parsed),
        intervals_left: MAX_INTERVALS,
        opened: BTreeMap::new(),
        closed: BTreeMap::new(),
        errors: Vec::new(),
        warnings: parsed.warnings.clone(),
        never: Vec::new(),
        rejected: Vec::new(),
    };
    lowering.write_likes();
    lowering.enclose_booleans(&parsed.tree);
    let predicate = lowering.tree(&parsed.tree, true);
    let text = lowering.fragment(parsed.all());
    if lowering.errors.is_empty() {
        lowering.warnings.dedup();
        lowering.rejected.dedup();
        let Lowering { warnings, never, rejected, .. } = lowering;
        Ok(Lowered { predicate, text, warnings, never, rejected })
    } else {
        lowering.errors.dedup();
        Err(Diagnostics(lowering.errors))
    }
}

struct Lowering<'a> {
    schema: &'a Schema,
    parsed: &'a Parsed,
    salt_inputs: Vec<SaltInput>,
    /// What stands for `[NOT] LIKE … [ESCAPE …]` of a constant pattern, by its first token.
    likes: BTreeMap<usize, Vec<SqlPiece>>,
    readings: instant::Readings,
    /// Intervals of months or days that conditions may still have.
    intervals_left: usize,
    /// What stands before and behind boolean conditions, by their first and last tokens.
    opened: BTreeMap<usize, &'static str>,
    closed: BTreeMap<usize, String>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    never: Vec<String>,
    rejected: Vec<String>,
}

/// A condition that is true and false for known values of one field.
struct Exact {
    field: usize,
    truth: Truth,
}

impl Lowering<'_> {
    /// The rows for which the tree is true (`wanted`) or false.
    fn tree(&mut self, tree: &Tree, wanted: bool) -> Predicate {
        match tree {
            Tree::And(arms) | Tree::Or(arms) => {
                let arms = arms.iter().map(|arm| self.tree(arm, wanted)).collect();
                if matches!(tree, Tree::And(_)) == wanted {
                    Predicate::All(arms)
                } else {
                    Predicate::Any(arms)
                }
            }
            Tree::Not(inner) => self.tree(inner, !wanted),
            Tree::Leaf(leaf) => self.leaf(leaf, wanted),
        }
    }

    fn leaf(&mut self, leaf: &Leaf, wanted: bool) -> Predicate {
        let warned = self.warnings.len();
        let predicate = self.meaning(leaf, wanted);
        if matches!(&predicate, Predicate::Any(arms) if arms.is_empty()) {
            self.tell_never(leaf, wanted, warned);
        }
        predicate
    }

    fn meaning(&mut self, leaf: &Leaf, wanted: bool) -> Predicate {
        if !self.check_names(&leaf.tokens) {
            return Predicate::never();
        }
        if let Some(truth) = constant_truth(&leaf.expr) {
            return if truth == Some(wanted) { Predicate::always() } else { Predicate::never() };
        }
        if self.refuse_value(leaf) || is_never(&leaf.expr, wanted) {
            return Predicate::never();
        }
        if let Some(predicate) = self.tuple(leaf, wanted) {
            return predicate;
        }
        if self.refuse_row(leaf) {
            return Predicate::never();
        }
        if let Some((operand, wanted_null)) = null_test(&leaf.expr)
            && self.is_never_null(operand)
        {
            return if wanted_null == wanted { Predicate::never() } else { Predicate::always() };
        }
        let text = self.fragment(leaf.tokens.clone());
        match self.exact(&leaf.expr, leaf.span) {
            Ok(Some(exact)) => self.field_condition(exact, &text, leaf.span, wanted),
            Ok(None) => {
                let reason = self.uses_field(leaf).then(|| self.why_unknown(leaf).to_string());
                self.opaque(leaf, text, reason, wanted)
            }
            Err(NotUsed(reason)) => self.opaque(leaf, text, Some(reason), wanted),
        }
    }

    fn field_condition(&self, exact: Exact, text: &SqlText, span: Span, wanted: bool) -> Predicate {
        let kind = &self.schema.key.fields[exact.field].kind;
        let (values, text) = if wanted {
            (exact.truth.when_true, text.clone())
        } else {
            (exact.truth.when_false, text.negated())
        };
        if values.is_empty() {
            return Predicate::never();
        }
        if values.is_all(kind) {
            return Predicate::always();
        }
        Predicate::condition(Meaning::Field { field: exact.field, values }, text, span)
    }

    /// A condition for the engine, with what it tells about the key beside it.
    fn opaque(&mut self, leaf: &Leaf, text: SqlText, reason: Option<String>, wanted: bool) -> Predicate {
        let text = match self.local_time_of_instant(&operands(&leaf.expr)) {
            Some(reason) => unclear(&text, &reason),
            None if self.parsed.holds_row(&leaf.tokens) => {
                SqlText(vec![SqlPiece::Rows { spelled: text.to_string() }])
            }
            None => text,
        };
        let text = if wanted { text } else { text.negated() };
        let condition = Predicate::condition(Meaning::Opaque { reason }, text.clone(), leaf.span);
        let hint = match &*leaf.expr {
            Expr::Between { expr, negated, low, high } if *negated != wanted => {
                self.bound_hint(expr, low, high, leaf.span)
            }
            expr if wanted => self.hint(expr),
            _ => None,
        };
        match hint {
            Some(meaning) => {
                let hint = Condition { meaning, text, span: leaf.span, implied: true };
                Predicate::All(vec![Predicate::Condition(hint.into()), condition])
            }
            None => condition,
        }
    }

    fn comparer<'b>(&'b self, term: &'b Term) -> Comparer<'b> {
        Comparer {
            field: &self.schema.key.fields[term.field],
            view: &term.view,
            time_zone: self.schema.time_zone,
            warnings: Vec::new(),
            rejected: Vec::new(),
        }
    }

    /// The exact truth of a condition on one field; `Ok(None)` for a form that is not known.
    fn exact(&mut self, expr: &Expr, span: Span) -> Result<Option<Exact>, NotUsed> {
        match expr {
            Expr::Nested(inner) => self.exact(inner, span),
            Expr::BinaryOp { left, op, right } => {
                let Some((comparison, negated)) = comparison_of(*op) else { return Ok(None) };
                let (operand, constant, comparison) = match fold(right) {
                    Some(constant) => (left, constant, comparison),
                    None => match fold(left) {
                        Some(constant) => (right, constant, comparison.flipped()),
                        None => return Ok(None),
                    },
                };
                if comparison == Comparison::LessOrEqual {
                    self.tell_last_day(operand, &constant, span);
                }
                self.compare_all(operand, &[(comparison, constant)], negated, span, Truth::and)
            }
            Expr::Between { expr, negated, low, high } => match (fold(low), fold(high)) {
                (Some(low), Some(high)) => {
                    self.tell_last_day(expr, &high, span);
                    let bounds = [(Comparison::GreaterOrEqual, low), (Comparison::LessOrEqual, high)];
                    self.compare_all(expr, &bounds, *negated, span, Truth::and)
                }
                _ => Ok(None),
            },
            Expr::InList { expr, list, negated } => {
                let Some(constants) = list.iter().map(fold).collect::<Option<Vec<_>>>() else {
                    return Ok(None);
                };
                let equals: Vec<_> =
                    constants.into_iter().map(|constant| (Comparison::Equal, constant)).collect();
                self.compare_all(expr, &equals, *negated, span, Truth::or)
            }
            Expr::Like { negated, expr, pattern, escape_char } => {
                let Some(term) = recognise(self.schema, expr) else { return Ok(None) };
                let Some(pattern) = like_pattern(pattern, escape_char.as_deref()) else { return Ok(None) };
                let mut comparer = self.comparer(&term);
                let truth = comparer.like(&pattern)?;
                let warnings = comparer.warnings;
                self.warn(warnings, span);
                let exact = Exact { field: term.field, truth: negate(truth, *negated) };
                self.tell_implausible(&exact, span);
                Ok(Some(exact))
            }
            _ => Ok(None),
        }
    }

    /// Compares one term with several constants and joins the truths.
    fn compare_all(
        &mut self,
        operand: &Expr,
        comparisons: &[(Comparison, Constant)],
        negated: bool,
        span: Span,
        join: fn(&Truth, &Truth) -> Truth,
    ) -> Result<Option<Exact>, NotUsed> {
        let Some(term) = recognise(self.schema, operand) else { return Ok(None) };
        let mut comparer = self.comparer(&term);
        let mut truths = Vec::with_capacity(comparisons.len());
        for (comparison, constant) in comparisons {
            truths.push(match comparer.compare_in_cycle(*comparison, constant) {
                Some(truth) => truth?,
                None => comparer.compare(*comparison, constant)?,
            });
        }
        let kind = &self.schema.key.fields[term.field].kind;
        // `IN ()` is true for nothing.
        let nothing = Truth { when_true: ValueSet::none(kind), when_false: ValueSet::all(kind) };
        let mut intervals_left = self.intervals_left;
        let is_cyclic = comparer.is_cyclic();
        let truth = match join_balanced(&truths, join) {
            None => nothing,
            Some(numbers) if is_cyclic => comparer.in_every_year(&numbers, &mut intervals_left)?,
            Some(truth) => truth,
        };
        let warnings = comparer.warnings;
        let rejected = comparer.rejected;
        self.intervals_left = intervals_left;
        self.rejected.extend(rejected);
        self.warn(warnings, span);
        let exact = Exact { field: term.field, truth: negate(truth, negated) };
        // A month of every year is no value that can be meant or not.
        if !is_cyclic {
            self.tell_implausible(&exact, span);
        }
        Ok(Some(exact))
    }

    fn warn(&mut self, warnings: Vec<String>, span: Span) {
        for message in warnings {
            self.warnings.push(Diagnostic::warning(message).at(
                &self.parsed.source,
                span,
                "in this condition",
            ));
        }
    }

    fn uses_field(&self, leaf: &Leaf) -> bool {
        self.parsed.names(&leaf.tokens).any(|(name, _)| self.schema.field(name).is_some())
    }

    /// Why a condition on a field has no meaning here.
    fn why_unknown(&self, leaf: &Leaf) -> &'static str {
        if self.parsed.reads_clock(&leaf.tokens) {
            "the engine reads its clock when the query runs; give the time as a parameter, such as `:day`"
        } else {
            "the planner does not know this form"
        }
    }

    /// Hive has no `ESCAPE`, and reads some patterns in two ways: the same in a form that has one meaning.
    fn write_likes(&mut self) {
        for Rewrite { tokens, by } in self.parsed.rewrites() {
            let Replacement::Like { negated, pattern, escape } = by else { continue };
            let Some(pattern) = like_pattern(pattern, escape.as_deref()) else {
                if escape.is_some() {
                    let span = self.parsed.span(tokens);
                    self.errors.push(
                        Diagnostic::error("Hive has no ESCAPE, and only a constant pattern can be written without it")
                            .at(&self.parsed.source, span, "in this condition")
                            .with_help("write the pattern as one literal, and one character other than `%` and `_` behind ESCAPE"),
                    );
                }
                continue;
            };
            let (operator, text) = pattern.hive.operator();
            let keyword = format!("{}{operator} ", if *negated { "NOT " } else { "" });
            let pieces = vec![SqlPiece::Text(keyword), SqlPiece::Literal(text.to_string())];
            self.likes.insert(tokens.start, pieces);
        }
    }
}

/// Joins truths pairwise, so that a long list costs no square of its length.
fn join_balanced(truths: &[Truth], join: fn(&Truth, &Truth) -> Truth) -> Option<Truth> {
    match truths {
        [] => None,
        [only] => Some(only.clone()),
        _ => {
            let (left, right) = truths.split_at(truths.len() / 2);
            Some(join(&join_balanced(left, join)?, &join_balanced(right, join)?))
        }
    }
}

fn negate(truth: Truth, negated: bool) -> Truth {
    if negated { Truth { when_true: truth.when_false, when_false: truth.when_true } } else { truth }
}

/// The comparison of an operator, and whether it is negated (`<>`).
fn comparison_of(op: BinaryOperator) -> Option<(Comparison, bool)> {
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

fn like_pattern(pattern: &Expr, escape: Option<&Expr>) -> Option<LikePattern> {
    let Constant::Text(pattern) = fold(pattern)? else { return None };
    let escape = match escape {
        None => None,
        Some(escape) => {
            let Constant::Text(escape) = fold(escape)? else { return None };
            let mut chars = escape.chars();
            let first = chars.next().filter(|c| !['%', '_'].contains(c))?;
            Some(chars.next().is_none().then_some(first)?)
        }
    };
    Some(LikePattern::parse(&pattern, escape))
}

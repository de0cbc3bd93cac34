//! What a condition without an exact set of values still tells about the key.

use std::collections::BTreeSet;

use super::exact::Comparisons;
use super::found::{comparer, comparison_of};
use super::likes::{like_pattern, likes_of};
use super::start::start;
use super::tested::{Tested, tested};
use super::truth::constant_truth;
use super::wanted::Wanted;
use crate::diag::Span;
use crate::hiveql::ast::{BinaryOperator, Call, Expr, Literal, Node, UnaryOperator};
use crate::key::field::{FieldId, FieldKind, TextField};
use crate::key::salt::{Cut, InputVec, SaltInput};
use crate::predicate::constant::{Constant, fold};
use crate::predicate::like::PatternRest;
use crate::predicate::term::{Term, View, recognise};
use crate::predicate::values::ValueSet;
use crate::predicate::{Condition, Meaning, Predicate};
use crate::schema::model::Schema;

/// Conditions that are looked at inside of one, at most.
const MAX_LOOKED_AT: usize = 1_000;

/// The rows of a condition by its truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sought {
    True,
    False,
    /// False or NULL.
    NotTrue,
    /// True or NULL.
    NotFalse,
}

impl Sought {
    /// What is sought of a condition whose negation it is sought of.
    fn negated_if(self, negated: bool) -> Self {
        match (self, negated) {
            (_, false) => self,
            (Sought::True, _) => Sought::False,
            (Sought::False, _) => Sought::True,
            (Sought::NotTrue, _) => Sought::NotFalse,
            (Sought::NotFalse, _) => Sought::NotTrue,
        }
    }

    /// Whether it is sought of all parts of a conjunction, and of some part of a disjunction.
    fn is_of_all(self) -> bool {
        matches!(self, Sought::True | Sought::NotFalse)
    }

    fn is_met_by(self, truth: Option<bool>) -> bool {
        match self {
            Sought::True => truth == Some(true),
            Sought::False => truth == Some(false),
            Sought::NotTrue => truth != Some(true),
            Sought::NotFalse => truth != Some(false),
        }
    }
}

/// Finds what must hold of the key for the rows of one condition.
pub(super) struct Hints<'c, 'a> {
    pub comparisons: &'c mut Comparisons<'a>,
    pub salt_inputs: &'c InputVec<SaltInput>,
    /// The condition as Hive reads it.
    pub written: &'c Expr,
    pub span: Span,
    left: usize,
}

impl<'c, 'a> Hints<'c, 'a> {
    pub(super) fn new(
        comparisons: &'c mut Comparisons<'a>,
        salt_inputs: &'c InputVec<SaltInput>,
        written: &'c Expr,
        span: Span,
    ) -> Self {
        Hints { comparisons, salt_inputs, written, span, left: MAX_LOOKED_AT }
    }

    /// What holds for all rows for which the condition is true, or is false; `None` where nothing is known.
    pub(super) fn hint(mut self, expr: &Expr, wanted: Wanted) -> Option<Predicate> {
        let sought = if wanted.is_true() { Sought::True } else { Sought::False };
        self.of(expr, sought)
    }

    fn schema(&self) -> &'a Schema {
        self.comparisons.schema
    }

    fn of(&mut self, expr: &Expr, sought: Sought) -> Option<Predicate> {
        self.left = self.left.checked_sub(1)?;
        if let Some(truth) = constant_truth(expr) {
            return if sought.is_met_by(truth) { None } else { Some(Predicate::never()) };
        }
        if let Some(values) = self.values(expr, sought) {
            return self.field(values);
        }
        match tested(expr) {
            Some(Tested::Same { condition, negated }) => {
                return self.of(condition, sought.negated_if(negated));
            }
            Some(Tested::Is { condition, value, negated }) => {
                let sought = match (sought.is_of_all() != negated, value) {
                    (true, true) => Sought::True,
                    (true, false) => Sought::False,
                    (false, true) => Sought::NotTrue,
                    (false, false) => Sought::NotFalse,
                };
                return self.of(condition, sought);
            }
            _ => {}
        }
        match expr {
            Expr::Nested(inner) => self.of(inner, sought),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => self.of(expr, sought.negated_if(true)),
            Expr::And(arms) => self.joined(arms.iter().map(|arm| &arm.expr), sought.is_of_all(), sought),
            Expr::Or(arms) => self.joined(arms.iter().map(|arm| &arm.expr), !sought.is_of_all(), sought),
            Expr::Between { expr, negated, low, high } => {
                self.between(expr, low, high, sought.negated_if(*negated))
            }
            Expr::InList { expr, list, negated } => self.in_list(expr, list, sought.negated_if(*negated)),
            Expr::Like { negated, expr, pattern, escape_char } => {
                let negated = *negated;
                (sought.negated_if(negated) == Sought::True)
                    .then(|| self.like(expr, pattern, escape_char.as_ref().map(|escape| &escape.expr)))?
            }
            Expr::RLike { .. } => {
                let start = start(self.schema(), expr).ok()??;
                let is_sought = sought.negated_if(start.negated) == Sought::True;
                is_sought.then(|| self.field((start.field, start.values)))?
            }
            Expr::Case { .. } | Expr::Call(_) => match likes_of(expr) {
                Some((likes, of_all)) => self.joined(&likes, sought.is_of_all() == of_all, sought),
                None => self.chosen(&choices(expr)?, sought, &|result| result.clone()),
            },
            Expr::BinaryOp { left, op, right } => {
                comparison_of(*op)?;
                let of = |left: &Expr, right: &Expr| left.binary(*op, right);
                if let Some(choices) = choices(left) {
                    return self.chosen(&choices, sought, &|result| of(result, right));
                }
                if let Some(choices) = choices(right) {
                    return self.chosen(&choices, sought, &|result| of(left, result));
                }
                let (term, constant) = match recognise(self.schema(), left) {
                    Some(term) => (term, right),
                    None => (recognise(self.schema(), right)?, left),
                };
                (sought == Sought::True && *op == BinaryOperator::Eq)
                    .then(|| self.salt_input(&term, &[constant]))?
            }
            _ => None,
        }
    }

    /// The values of a field for which a condition on it has the truth.
    fn values(&mut self, expr: &Expr, sought: Sought) -> Option<(FieldId, ValueSet)> {
        let span = self.span;
        let (found, is_rejected) = self.comparisons.silently(|comparisons| {
            let found = comparisons.find(expr, span);
            (found, !comparisons.rejected.is_empty())
        });
        // What Hive makes of a text that is hardly meant, it decides: a condition is not refused for a part of it.
        let found = found.ok()?.filter(|_| !is_rejected)?;
        let kind = &self.schema().key.fields[found.field].kind;
        let values = match sought {
            Sought::True => found.truth.when_true.union(&found.left_to_hive),
            Sought::False => found.truth.when_false.union(&found.left_to_hive),
            Sought::NotTrue => found.truth.when_true.complement(kind),
            Sought::NotFalse => found.truth.when_false.complement(kind),
        };
        Some((found.field, values))
    }

    fn field(&self, (field, values): (FieldId, ValueSet)) -> Option<Predicate> {
        let values = values.possible(&self.schema().key.fields[field].kind);
        if values.is_empty() {
            return Some(Predicate::never());
        }
        let is_all = values.is_all(&self.schema().key.fields[field].kind);
        (!is_all).then(|| self.implied(Meaning::Field { field, values }))
    }

    fn implied(&self, meaning: Meaning) -> Predicate {
        let expr = self.written.clone();
        let condition =
            Condition { meaning, fact: None, expr, unclear: None, span: self.span, implied: true };
        Predicate::Condition(condition.into())
    }

    /// What is sought of all conditions, or of some.
    fn joined<'e>(
        &mut self,
        exprs: impl IntoIterator<Item = &'e Expr>,
        of_all: bool,
        sought: Sought,
    ) -> Option<Predicate> {
        let mut parts = Vec::new();
        for expr in exprs {
            match self.of(expr, sought) {
                Some(part) => parts.push(part),
                None if of_all => {}
                None => return None,
            }
        }
        joined(parts, of_all)
    }

    /// Hive looks at the upper bound only where the lower comparison is not NULL.
    fn between(&mut self, operand: &Expr, low: &Expr, high: &Expr, sought: Sought) -> Option<Predicate> {
        let compared = |op, bound: &Expr| operand.binary(op, bound);
        // A comparison that stands for it has to be one of the same values.
        let is_alike = |field: &Expr, bound: &Expr| match (recognise(self.schema(), field), fold(bound)) {
            (Some(term), Some(bound)) => comparer(self.schema(), &term).check_bounds(&[&bound]).is_ok(),
            _ => true,
        };
        if ![low, high].into_iter().all(|bound| is_alike(operand, bound) && is_alike(bound, operand)) {
            return None;
        }
        let bounds = [compared(BinaryOperator::GtEq, low), compared(BinaryOperator::LtEq, high)];
        match sought {
            Sought::NotFalse => self.of(&bounds[0], sought),
            _ => self.joined(&bounds, sought.is_of_all(), sought),
        }
    }

    fn in_list(&mut self, operand: &Expr, list: &[Node], sought: Sought) -> Option<Predicate> {
        if sought != Sought::True {
            return None;
        }
        if let Some(term) = recognise(self.schema(), operand) {
            return self.salt_input(&term, &list.iter().map(|item| &item.expr).collect::<Vec<_>>());
        }
        // Lists of numbers and texts are compared as texts by one Hive, as numbers by the other.
        let constant = fold(operand)?;
        let is_alike = |item: &Expr| {
            let kind = recognise(self.schema(), item)
                .filter(|term| term.view == View::Whole)
                .map(|term| &self.schema().key.fields[term.field].kind);
            matches!(
                (&constant, kind),
                (Constant::Number(_), Some(FieldKind::Integer(_) | FieldKind::Epoch(_)))
                    | (Constant::Text(_), Some(FieldKind::Text(_)))
            )
        };
        if !list.iter().all(|item| is_alike(item)) {
            return None;
        }
        let equals: Vec<Expr> = list.iter().map(|item| item.binary(BinaryOperator::Eq, operand)).collect();
        self.joined(&equals, false, sought)
    }

    /// The fixed start of a pattern.
    fn like(&mut self, operand: &Expr, pattern: &Expr, escape: Option<&Expr>) -> Option<Predicate> {
        let term = recognise(self.schema(), operand)?;
        let pattern = like_pattern(pattern, escape)?;
        if let (View::Whole, "", Some(suffix)) = (&term.view, pattern.prefix.as_str(), &pattern.suffix) {
            return self.salt_of_end(&term, suffix);
        }
        if pattern.prefix.is_empty() || pattern.rest == PatternRest::Nothing {
            return None;
        }
        let mut values = comparer(self.schema(), &term).like_prefix(&pattern.prefix)?;
        let is_value = || self.schema().key.fields[term.field].kind.decode(pattern.prefix.as_bytes()).is_ok();
        if pattern.rest == PatternRest::More && is_value() {
            // Something stands behind the start.
            values = values.without_point(pattern.prefix.as_bytes());
        }
        self.field((term.field, values))
    }

    /// A value that is chosen among several; `condition` is what is said of it.
    fn chosen(
        &mut self,
        choices: &[CaseArm<'_>],
        sought: Sought,
        condition: &dyn Fn(&Expr) -> Expr,
    ) -> Option<Predicate> {
        let mut arms = Vec::new();
        let mut before: Vec<Predicate> = Vec::new();
        for choice in choices {
            let result = self.of(&condition(choice.value), sought);
            let mut arm = before.clone();
            if let Some(when) = &choice.when {
                arm.extend(self.of(when, Sought::True));
                before.extend(self.of(when, Sought::NotTrue));
            }
            if !result.as_ref().is_some_and(is_never) {
                arm.extend(result);
                arms.push(joined(arm, true)?);
            }
        }
        joined(arms, false)
    }

    /// The salt of texts that end with a text, where it is computed from their last characters.
    fn salt_of_end(&self, term: &Term, end: &str) -> Option<Predicate> {
        let counts = self.salt_inputs.iter().filter_map(|input| match input.cut {
            Cut::Last(count) if input.field == term.field => Some(count),
            _ => None,
        });
        let chars: Vec<char> = end.chars().collect();
        let longest = counts.filter(|count| *count <= chars.len()).max()?;
        let last: String = chars[chars.len() - longest..].iter().collect();
        let term = Term { view: View::Suffix(longest), ..term.clone() };
        self.salt_input(&term, &[&Expr::Literal(Literal::Text(last))])
    }

    fn salt_input(&self, term: &Term, constants: &[&Expr]) -> Option<Predicate> {
        salt_input_hint(self.schema(), self.salt_inputs, term, constants).map(|meaning| self.implied(meaning))
    }
}

fn is_never(predicate: &Predicate) -> bool {
    matches!(predicate, Predicate::Any(arms) if arms.is_empty())
}

/// All parts, or any of them; `None` where that says nothing.
fn joined(mut parts: Vec<Predicate>, of_all: bool) -> Option<Predicate> {
    if of_all {
        if parts.iter().any(is_never) {
            return Some(Predicate::never());
        }
    } else {
        parts.retain(|part| !is_never(part));
    }
    match (parts.len(), of_all) {
        (0, true) => None,
        (0, false) => Some(Predicate::never()),
        (1, _) => parts.pop(),
        (_, true) => Some(Predicate::All(parts)),
        (_, false) => Some(Predicate::Any(parts)),
    }
}

/// A value, and when it is taken: if no earlier condition is true.
struct CaseArm<'e> {
    when: Option<Expr>,
    value: &'e Expr,
}

/// Values that are chosen among, at most.
const MAX_CHOICES: usize = 16;

const NULL: Expr = Expr::Literal(Literal::Null);

/// The values of CASE and `if`, the last of which is taken where no condition is true.
fn choices(expr: &Expr) -> Option<Vec<CaseArm<'_>>> {
    let otherwise = |value| CaseArm { when: None, value };
    match expr {
        Expr::Nested(inner) => choices(inner),
        Expr::Case { operand, conditions, else_result } if conditions.len() < MAX_CHOICES => {
            let when = |condition: &Expr| match operand {
                Some(operand) => operand.binary(BinaryOperator::Eq, condition),
                None => condition.clone(),
            };
            let mut choices: Vec<CaseArm<'_>> = conditions
                .iter()
                .map(|arm| CaseArm { when: Some(when(&arm.condition)), value: &arm.result })
                .collect();
            choices.push(otherwise(else_result.as_ref().map_or(const { &NULL }, |result| &result.expr)));
            Some(choices)
        }
        Expr::Call(Call { name, arguments, .. }) if name == "nullif" => {
            let [value, other] = arguments.as_slice() else { return None };
            let when = value.binary(BinaryOperator::Eq, other);
            Some(vec![CaseArm { when: Some(when), value: const { &NULL } }, otherwise(value)])
        }
        Expr::Call(Call { name, arguments, .. }) if name == "if" => {
            let [when, yes, no] = arguments.as_slice() else { return None };
            Some(vec![CaseArm { when: Some(when.expr.clone()), value: yes }, otherwise(no)])
        }
        _ => None,
    }
}

fn salt_input_hint(
    schema: &Schema,
    salt_inputs: &InputVec<SaltInput>,
    term: &Term,
    constants: &[&Expr],
) -> Option<Meaning> {
    // The salt sees the stored form.
    let is_reversed =
        matches!(schema.key.fields[term.field].kind, FieldKind::Text(TextField { reverse: true, .. }));
    let (cut, lower) = match term.view {
        View::Suffix(count) if !is_reversed => (Cut::Last(count), false),
        View::Lower => (Cut::Whole, true),
        _ => return None,
    };
    let wanted = SaltInput { field: term.field, cut: cut.clone(), lower };
    let input = salt_inputs.find(|input| *input == wanted)?;
    let mut values = BTreeSet::new();
    for constant in constants {
        match fold(constant)? {
            Constant::Text(text) => {
                // Of a shorter text Hive takes the empty suffix where the salt takes all of it.
                // It counts UTF-16 units, and puts `?` for half a character.
                let is_plain = text.chars().all(|c| c.len_utf16() == 1) && !text.starts_with('?');
                if matches!(cut, Cut::Last(count) if text.chars().count() != count || !is_plain) {
                    return None;
                }
                // Beyond ASCII, lower case may depend on the order of the characters.
                if is_reversed && !text.is_ascii() {
                    return None;
                }
                values.insert(if is_reversed { text.chars().rev().collect() } else { text }.into_bytes());
            }
            Constant::Null => {}
            _ => return None,
        }
    }
    Some(Meaning::SaltInput { input, values })
}

//! Conditions that are true and false for known values of one field.

use std::sync::Arc;

use super::found::{Exact, Found, comparer, comparison_of, negate};
use super::likes::{like_pattern, likes_of};
use super::plausible::{implausible, last_day};
use super::start::{Start, start};
use super::tested::{Tested, tested};
use crate::diag::{Diagnostic, Source, Span};
use crate::hiveql::ast::{Expr, Node, UnaryOperator};
use crate::key::field::{FieldId, FieldKind};
use crate::predicate::arithmetic::Formula;
use crate::predicate::compare::{Comparison, Join, NotUsed, Remarks, Truth, in_every_year};
use crate::predicate::constant::{Constant, fold};
use crate::predicate::dates::{DateForm, DayField, day_number};
use crate::predicate::term::{View, recognise};
use crate::predicate::values::ValueSet;
use crate::schema::model::Schema;

/// Intervals of months or days of every year in the conditions of one predicate, at most: one condition has up to 240,000,
/// and a predicate has room for thousands of them.
const MAX_INTERVALS: usize = 1_000_000;

/// Finds the values for which conditions are true and false, and remarks on them.
pub(super) struct Comparisons<'a> {
    pub schema: &'a Schema,
    source: &'a Arc<Source>,
    pub warnings: Vec<Diagnostic>,
    /// What is wrong with values that are read as dates and can hardly be meant.
    pub rejected: Vec<String>,
    /// Intervals of months or days that conditions may still have.
    intervals_left: usize,
}

impl<'a> Comparisons<'a> {
    pub(super) fn new(schema: &'a Schema, source: &'a Arc<Source>, warnings: Vec<Diagnostic>) -> Self {
        Comparisons { schema, source, warnings, rejected: Vec::new(), intervals_left: MAX_INTERVALS }
    }

    /// The exact truth of a condition on one field; `Ok(None)` for a form that is not known.
    pub(super) fn exact(&mut self, expr: &Expr, span: Span) -> Result<Option<Exact>, NotUsed> {
        let Some(Found { field, truth, left_to_hive }) = self.find(expr, span)? else { return Ok(None) };
        if left_to_hive.is_empty() {
            return Ok(Some(Exact { field, truth }));
        }
        Err(NotUsed(format!(
            "Hive's result for some values of `{}` cannot be predicted",
            self.schema.key.fields[field].name
        )))
    }

    /// What is known of a condition on one field; `Ok(None)` for a form that is not known.
    pub(super) fn find(&mut self, expr: &Expr, span: Span) -> Result<Option<Found>, NotUsed> {
        if let Some(tested) = tested(expr) {
            return self.test(&tested, span);
        }
        if let Some(Start { field, values, is_exact, negated }) = start(self.schema, expr)? {
            if !is_exact {
                return Err(NotUsed("only the start of the pattern makes a range".into()));
            }
            let when_false = values.complement(self.kind(field));
            let truth = negate(Truth { when_true: values, when_false }, negated);
            return Ok(Some(Found::exact(self.schema, field, truth)));
        }
        match expr {
            Expr::Nested(inner) => self.find(inner, span),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                Ok(self.find(expr, span)?.map(|found| found.negated_if(true)))
            }
            Expr::And(arms) => self.joined(arms, span, Truth::and),
            Expr::Or(arms) => self.joined(arms, span, Truth::or),
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
                    self.tell(last_day(self.schema, operand, &constant), span);
                }
                self.compare_all(operand, &[(comparison, constant)], negated, span, Join::Bounds)
            }
            Expr::Between { expr, negated, low, high } => match (fold(low), fold(high)) {
                (Some(Constant::Null), Some(_)) => self.compare_all(
                    expr,
                    &[(Comparison::Equal, Constant::Null)],
                    *negated,
                    span,
                    Join::Bounds,
                ),
                (Some(_), Some(Constant::Null)) => Err(NotUsed(
                    "below a lower bound, Hive 2 says FALSE and Hive 3 NULL where the upper bound is NULL"
                        .into(),
                )),
                (Some(low), Some(high)) => {
                    if let Some(term) = recognise(self.schema, expr) {
                        comparer(self.schema, &term).check_bounds(&[&low, &high])?;
                    }
                    self.tell(last_day(self.schema, expr, &high), span);
                    let bounds = [(Comparison::GreaterOrEqual, low), (Comparison::LessOrEqual, high)];
                    self.compare_all(expr, &bounds, *negated, span, Join::Bounds)
                }
                _ => Ok(None),
            },
            Expr::InList { expr, list, negated } => {
                let Some(constants) = list.iter().map(|item| fold(item)).collect::<Option<Vec<_>>>() else {
                    return Ok(None);
                };
                if let Some(term) = recognise(self.schema, expr) {
                    let mut comparer = comparer(self.schema, &term);
                    let checked = comparer.check_listed(&constants);
                    self.rejected.append(&mut comparer.remarks.rejected);
                    checked?;
                }
                let equals: Vec<_> =
                    constants.into_iter().map(|constant| (Comparison::Equal, constant)).collect();
                self.compare_all(expr, &equals, *negated, span, Join::Any)
            }
            Expr::Like { negated, expr, pattern, escape_char } => {
                let Some(term) = recognise(self.schema, expr) else { return Ok(None) };
                let Some(pattern) = like_pattern(pattern, escape_char.as_ref().map(|escape| &escape.expr))
                else {
                    return Ok(None);
                };
                let mut comparer = comparer(self.schema, &term);
                let truth = comparer.like(&pattern)?;
                let warnings = comparer.remarks.warnings;
                self.warn(warnings, span);
                let found = Found::exact(self.schema, term.field, negate(truth, *negated));
                self.tell_implausible(&found, span);
                Ok(Some(found))
            }
            Expr::Call(_) => {
                let Some((likes, of_all)) = likes_of(expr) else { return Ok(None) };
                let mut found = None;
                let mut truths = Vec::with_capacity(likes.len());
                for like in &likes {
                    let Some(of_one) = self.find(like, span)? else { return Ok(None) };
                    truths.push(of_one.truth.clone());
                    found = Some(of_one);
                }
                let truth = if of_all { Join::All } else { Join::Any }.of(&truths);
                Ok(found.zip(truth).map(|(found, truth)| Found { truth, ..found }))
            }
            _ => Ok(None),
        }
    }

    /// Compares one term with several constants and joins the truths.
    pub(super) fn compare_all(
        &mut self,
        operand: &Expr,
        comparisons: &[(Comparison, Constant)],
        negated: bool,
        span: Span,
        join: Join,
    ) -> Result<Option<Found>, NotUsed> {
        let Some(term) = recognise(self.schema, operand) else {
            let found = match Formula::of(self.schema, operand) {
                Some(formula) => self.computed(&formula, comparisons, join)?,
                None => match DateForm::of(self.schema, operand) {
                    Some(form) => self.of_dates(&form, comparisons, span, join)?,
                    None => return Ok(None),
                },
            };
            return Ok(Some(found.negated_if(negated)));
        };
        let mut comparer = comparer(self.schema, &term);
        let mut truths = Vec::with_capacity(comparisons.len());
        for (comparison, constant) in comparisons {
            let truth = comparer.compare(*comparison, constant);
            self.rejected.append(&mut comparer.remarks.rejected);
            truths.push(truth?);
        }
        let kind = &self.schema.key.fields[term.field].kind;
        // `IN ()` is true for nothing.
        let nothing = Truth { when_true: ValueSet::none(kind), when_false: ValueSet::all(kind) };
        let mut intervals_left = self.intervals_left;
        let cyclic = comparer.cyclic();
        let truth = match (join.of(&truths), &cyclic) {
            (None, _) => nothing,
            (Some(numbers), Some(cyclic)) => cyclic.in_every_year(&numbers, &mut intervals_left)?,
            (Some(truth), None) => truth,
        };
        let warnings = comparer.remarks.warnings;
        self.intervals_left = intervals_left;
        self.warn(warnings, span);
        let found = Found::exact(self.schema, term.field, negate(truth, negated));
        // A month of every year is no value that can be meant or not.
        if cyclic.is_none() {
            self.tell_implausible(&found, span);
        }
        Ok(Some(found))
    }

    /// Compares what is computed of a field with several constants and joins the truths.
    fn computed(
        &self,
        formula: &Formula,
        comparisons: &[(Comparison, Constant)],
        join: Join,
    ) -> Result<Found, NotUsed> {
        let kind = self.kind(formula.field);
        let nothing = Truth { when_true: ValueSet::none(kind), when_false: ValueSet::none(kind) };
        let mut known = None;
        let mut truths = Vec::with_capacity(comparisons.len());
        for (comparison, constant) in comparisons {
            if *constant == Constant::Null {
                truths.push(nothing.clone());
                continue;
            }
            let domain = kind.domain();
            let Some(ordered) = domain.and_then(|domain| formula.compare(&domain, constant)) else {
                return Err(NotUsed("compare the result with a number".into()));
            };
            truths.push(ordered.truth(*comparison));
            known = Some(ordered.all());
        }
        let none = Truth { when_true: ValueSet::none(kind), when_false: ValueSet::all(kind) };
        let known = known.map_or_else(|| ValueSet::all(kind), ValueSet::Numbers);
        let left_to_hive = known.complement(kind);
        let truth = join.of(&truths).unwrap_or(none).without(&left_to_hive, kind);
        Ok(Found { field: formula.field, truth, left_to_hive })
    }

    /// Compares a function of a day with several constants and joins the truths.
    fn of_dates(
        &mut self,
        form: &DateForm,
        comparisons: &[(Comparison, Constant)],
        span: Span,
        join: Join,
    ) -> Result<Found, NotUsed> {
        let day = DayField::new(self.schema, form.field())?;
        let kind = &day.field.kind;
        let mut left_to_hive = ValueSet::none(kind);
        let mut remarks = Remarks::default();
        let constants: Vec<&Constant> = comparisons.iter().map(|(_, constant)| constant).collect();
        let mut truths = Vec::with_capacity(comparisons.len());
        if matches!(join, Join::Any) && !constants.iter().all(|constant| form.is_listed_alike(constant)) {
            return Err(NotUsed(
                "in a list Hive 2 and Hive 3 compare it with this constant differently".into(),
            ));
        }
        for (comparison, constant) in comparisons {
            let compared = (*comparison, constant);
            let truth = match form {
                DateForm::Moved(moved) if moved.is_compared_alike(&constants) => {
                    moved.compare(day, compared, &mut remarks).map(|(truth, unknown)| {
                        left_to_hive = left_to_hive.union(&unknown);
                        truth
                    })
                }
                DateForm::Moved(_) => Err(NotUsed("texts and dates are compared with it at once".into())),
                DateForm::Parts(parts) if parts.recurs() => {
                    parts.compare_in_every_year(day, compared, &mut remarks)
                }
                DateForm::Parts(parts) => parts.compare(day, compared, &mut remarks),
            };
            self.rejected.append(&mut remarks.rejected);
            truths.push(truth?);
        }
        let none = Truth { when_true: ValueSet::none(kind), when_false: ValueSet::all(kind) };
        let truth = match join.of(&truths) {
            None => none,
            Some(numbers) if matches!(form, DateForm::Parts(parts) if parts.recurs()) => {
                in_every_year(kind, &numbers, day_number, &mut self.intervals_left)?
            }
            Some(truth) => truth.without(&left_to_hive, kind),
        };
        self.warn(remarks.warnings, span);
        Ok(Found { field: form.field(), truth, left_to_hive })
    }

    /// Two conditions on one field.
    fn joined(
        &mut self,
        arms: &[Node],
        span: Span,
        join: fn(&Truth, &Truth) -> Truth,
    ) -> Result<Option<Found>, NotUsed> {
        let mut joined: Option<Found> = None;
        for arm in arms {
            let Some(found) = self.find(arm, span)? else { return Ok(None) };
            joined = Some(match joined {
                None => found,
                Some(before) if before.field != found.field => return Ok(None),
                Some(before) => {
                    let left_to_hive = before.left_to_hive.union(&found.left_to_hive);
                    let truth = join(&before.truth, &found.truth);
                    let truth = truth.without(&left_to_hive, self.kind(before.field));
                    Found { truth, left_to_hive, ..before }
                }
            });
        }
        Ok(joined)
    }

    fn kind(&self, field: FieldId) -> &'a FieldKind {
        &self.schema.key.fields[field].kind
    }

    /// A condition that takes NULL for a value, or the truth of another one.
    fn test(&mut self, tested: &Tested<'_>, span: Span) -> Result<Option<Found>, NotUsed> {
        let (found, negated) = match tested {
            Tested::Same { condition, negated } => {
                return Ok(self.find(condition, span)?.map(|found| found.negated_if(*negated)));
            }
            Tested::Is { condition, value, negated } => {
                let Some(found) = self.find(condition, span)? else { return Ok(None) };
                (found.negated_if(!value), *negated)
            }
            Tested::SameValue { left, right, negated } => {
                return Ok(self.same_value(left, right, span)?.map(|found| found.negated_if(*negated)));
            }
        };
        let kind = self.kind(found.field);
        let when_false = found.truth.when_true.complement(kind);
        let truth = Truth { when_true: found.truth.when_true, when_false }.without(&found.left_to_hive, kind);
        Ok(Some(Found { truth: negate(truth, negated), ..found }))
    }

    /// `f <=> constant`, which is `f = constant` where neither is NULL: of values that Hive cannot compare it is NULL.
    fn same_value(&mut self, left: &Expr, right: &Expr, span: Span) -> Result<Option<Found>, NotUsed> {
        let (operand, constant) = match (fold(left), fold(right)) {
            (_, Some(constant)) => (left, constant),
            (Some(constant), None) => (right, constant),
            (None, None) => return Ok(None),
        };
        if constant == Constant::Null {
            // Of functions of a field it is not known here where they are NULL; the field itself is so nowhere.
            let term = recognise(self.schema, operand).filter(|term| term.view == View::Whole);
            return Ok(term.map(|term| {
                let kind = self.kind(term.field);
                let truth = Truth { when_true: ValueSet::none(kind), when_false: ValueSet::all(kind) };
                Found::exact(self.schema, term.field, truth)
            }));
        }
        self.compare_all(operand, &[(Comparison::Equal, constant)], false, span, Join::Bounds)
    }

    fn warn(&mut self, warnings: Vec<Diagnostic>, span: Span) {
        warnings.into_iter().for_each(|warning| self.tell(Some(warning), span));
    }

    fn tell(&mut self, told: Option<Diagnostic>, span: Span) {
        self.warnings.extend(told.map(|told| told.at(self.source, span, "in this condition")));
    }

    fn tell_implausible(&mut self, found: &Found, span: Span) {
        let told =
            implausible(self.schema, found).map(|told| told.at(self.source, span, "in this condition"));
        // Rows of constants are compared value by value, and each more than once.
        let is_of_this_condition =
            |before: &&Diagnostic| before.labels.first().is_some_and(|label| label.span == span);
        let mut before = self.warnings.iter().rev().take_while(is_of_this_condition);
        if told.is_some() && !before.any(|before| Some(before) == told.as_ref()) {
            self.warnings.extend(told);
        }
    }

    /// Whether every row makes a condition true or false; nothing is told of it.
    pub(super) fn is_two_valued(&mut self, expr: &Expr) -> bool {
        match self.silently(|probe| probe.exact(expr, Span::default())) {
            Ok(Some(Exact { field, truth })) => {
                truth.when_true.union(&truth.when_false).is_all(self.kind(field))
            }
            _ => false,
        }
    }

    /// Finds something without telling of it.
    pub(super) fn silently<T>(&mut self, find: impl FnOnce(&mut Self) -> T) -> T {
        let (warnings, rejected) = (Vec::new(), Vec::new());
        let mut probe = Comparisons { warnings, rejected, ..*self };
        let found = find(&mut probe);
        self.intervals_left = probe.intervals_left;
        found
    }
}

//! Comparisons of one field with constants: the values for which they are true, and those for which they are false.

use super::likes::like_pattern;
use super::plausible::{implausible, last_day};
use super::prefix::{PrefixTest, prefix_test};
use super::truth::null_test;
use super::truth_test::{TruthTest, truth_test};
use super::wanted::Wanted;
use crate::analyze::arithmetic::Formula;
use crate::analyze::compare::{Comparer, Comparison, Join, NotUsed, Remarks, Truth, in_every_year};
use crate::analyze::constant::{Constant, fold};
use crate::analyze::dates::{DateForm, DayField, day_number};
use crate::analyze::sargable::Sargable;
use crate::analyze::values::ValueSet;
use crate::key::field::{FieldId, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::ast::Expr;

/// The maximum number of intervals of months or days of every year in the conditions of one predicate. One condition has up to
/// 240,000, and a predicate may have thousands of conditions.
const MAX_INTERVALS: usize = 1_000_000;

/// What a comparison with constants makes of the values of a field.
pub(super) struct FieldTruth {
    pub field: FieldId,
    pub truth: Truth,
    /// The values for which Hive's result cannot be predicted. They are not in `truth`.
    pub unknown: ValueSet,
}

impl FieldTruth {
    /// With a known result for all values.
    fn exact(schema: &Schema, field: FieldId, truth: Truth) -> Self {
        FieldTruth { field, truth, unknown: ValueSet::none(&schema.key.fields[field].kind) }
    }

    /// Excludes NULL if the field may be NULL: the comparison is then NULL, neither true nor false.
    fn null_at_null(self, schema: &Schema) -> Self {
        let kind = &schema.key.fields[self.field].kind;
        match ValueSet::null(kind) {
            Some(null) => FieldTruth { truth: self.truth.without(&null, kind), ..self },
            None => self,
        }
    }

    fn negated_if(self, negated: bool) -> Self {
        FieldTruth { truth: self.truth.negated_if(negated), ..self }
    }

    /// The values for which the comparison has or may have the wanted truth.
    pub fn values(&self, wanted: Wanted, kind: &FieldKind) -> ValueSet {
        match wanted {
            Wanted::True => self.truth.when_true.union(&self.unknown),
            Wanted::False => self.truth.when_false.union(&self.unknown),
            Wanted::NotTrue => self.truth.when_true.complement(kind),
            Wanted::NotFalse => self.truth.when_false.complement(kind),
        }
    }
}

/// Compares fields with constants.
#[derive(Debug)]
pub(super) struct Comparisons<'a> {
    schema: &'a Schema,
    /// How many more intervals of months or days conditions may have.
    intervals_left: usize,
}

impl<'a> Comparisons<'a> {
    pub fn new(schema: &'a Schema) -> Self {
        Comparisons { schema, intervals_left: MAX_INTERVALS }
    }

    /// The truth of one comparison; `Ok(None)` if its form is not known.
    pub fn compare(&mut self, expr: &Expr, remarks: &mut Remarks) -> Result<Option<FieldTruth>, NotUsed> {
        if let Some(TruthTest::SameValue { left, right, negated }) = truth_test(expr) {
            return Ok(self.same_value(left, right, remarks)?.map(|truth| truth.negated_if(negated)));
        }
        if let Some((operand, is_null)) = null_test(expr) {
            return Ok(self.null_test(operand).map(|truth| truth.negated_if(!is_null)));
        }
        let truth = self.compare_values(expr, remarks)?;
        Ok(truth.map(|truth| truth.null_at_null(self.schema)))
    }

    /// As if the field were never NULL; the caller excludes NULL from the truth.
    fn compare_values(&mut self, expr: &Expr, remarks: &mut Remarks) -> Result<Option<FieldTruth>, NotUsed> {
        if let Some(PrefixTest { field, values, is_exact, negated }) = prefix_test(self.schema, expr)? {
            if !is_exact {
                return Err(NotUsed("only the start of the pattern makes a range".into()));
            }
            let when_false = values.complement(self.kind(field));
            let truth = Truth { when_true: values, when_false }.negated_if(negated);
            return Ok(Some(FieldTruth::exact(self.schema, field, truth)));
        }
        match expr {
            Expr::BinaryOp { left, op, right } => {
                let Some((comparison, negated)) = Comparison::of(*op) else { return Ok(None) };
                let (operand, constant, comparison) = match fold(right) {
                    Some(constant) => (left, constant, comparison),
                    None => match fold(left) {
                        Some(constant) => (right, constant, comparison.flipped()),
                        None => return Ok(None),
                    },
                };
                if comparison == Comparison::LessOrEqual {
                    remarks.warnings.extend(last_day(self.schema, operand, &constant));
                }
                self.compare_all(operand, &[(comparison, constant)], (negated, Join::Bounds), remarks)
            }
            Expr::Between { expr, negated, low, high } => match (fold(low), fold(high)) {
                (Some(Constant::Null), Some(Constant::Null)) => self.compare_all(
                    expr,
                    &[(Comparison::Equal, Constant::Null)],
                    (*negated, Join::Bounds),
                    remarks,
                ),
                (Some(Constant::Null), Some(_)) | (Some(_), Some(Constant::Null)) => Err(NotUsed(
                    "where one bound is NULL, some versions of Hive say FALSE outside of the other one, some NULL"
                        .into(),
                )),
                (Some(low), Some(high)) => {
                    if let Some(sargable) = Sargable::of(self.schema, expr) {
                        Comparer::new(self.schema, &sargable).check_bounds(&[&low, &high])?;
                    }
                    remarks.warnings.extend(last_day(self.schema, expr, &high));
                    let bounds = [(Comparison::GreaterOrEqual, low), (Comparison::LessOrEqual, high)];
                    self.compare_all(expr, &bounds, (*negated, Join::Bounds), remarks)
                }
                _ => Ok(None),
            },
            Expr::InList { expr, list, negated } => {
                let Some(constants) = list.iter().map(|item| fold(item)).collect::<Option<Vec<_>>>() else {
                    return Ok(None);
                };
                if let Some(sargable) = Sargable::of(self.schema, expr) {
                    let mut comparer = Comparer::new(self.schema, &sargable);
                    let checked = comparer.check_listed(&constants);
                    remarks.rejected.append(&mut comparer.remarks.rejected);
                    checked?;
                }
                let equals: Vec<_> =
                    constants.into_iter().map(|constant| (Comparison::Equal, constant)).collect();
                self.compare_all(expr, &equals, (*negated, Join::Any), remarks)
            }
            Expr::Like { negated, expr, pattern, escape_char } => {
                let Some(sargable) = Sargable::of(self.schema, expr) else { return Ok(None) };
                let Some(pattern) = like_pattern(pattern, escape_char.as_ref().map(|escape| &escape.expr))
                else {
                    return Ok(None);
                };
                let mut comparer = Comparer::new(self.schema, &sargable);
                let truth = comparer.like(&pattern)?;
                remarks.warnings.append(&mut comparer.remarks.warnings);
                let truth = FieldTruth::exact(self.schema, sargable.field, truth.negated_if(*negated));
                remarks.warnings.extend(implausible(self.schema, &truth));
                Ok(Some(truth))
            }
            _ => Ok(None),
        }
    }

    /// Compares one expression with several constants and joins the truths.
    fn compare_all(
        &mut self,
        operand: &Expr,
        comparisons: &[(Comparison, Constant)],
        (negated, join): (bool, Join),
        remarks: &mut Remarks,
    ) -> Result<Option<FieldTruth>, NotUsed> {
        let Some(sargable) = Sargable::of(self.schema, operand) else {
            let truth = match Formula::of(self.schema, operand) {
                Some(formula) => self.computed(&formula, comparisons, join)?,
                None => match DateForm::of(self.schema, operand) {
                    Some(form) => self.of_dates(&form, comparisons, join, remarks)?,
                    None => None,
                },
            };
            return Ok(truth.map(|truth| truth.negated_if(negated)));
        };
        let mut comparer = Comparer::new(self.schema, &sargable);
        let mut truths = Vec::with_capacity(comparisons.len());
        for (comparison, constant) in comparisons {
            let truth = comparer.compare(*comparison, constant);
            remarks.rejected.append(&mut comparer.remarks.rejected);
            truths.push(truth?);
        }
        let field = &self.schema.key.fields[sargable.field];
        let kind = &field.kind;
        let is_empty_text = |(comparison, constant): &(Comparison, Constant)| {
            *comparison == Comparison::Equal && *constant == Constant::Text(String::new())
        };
        if kind.is_nullable() && sargable.is_bare() && !negated && comparisons.iter().any(is_empty_text) {
            let name = &field.name;
            comparer.remarks.no_row(format!(
                "no row has this value: the empty text of `{name}` stands for NULL; write `{name} IS NULL`"
            ));
        }
        let mut intervals_left = self.intervals_left;
        let cyclic = comparer.cyclic();
        let Some(truth) = join.of(&truths) else { return Ok(None) };
        let truth = match &cyclic {
            Some(cyclic) => cyclic.in_every_year(&truth, &mut intervals_left)?,
            None => truth,
        };
        remarks.warnings.append(&mut comparer.remarks.warnings);
        self.intervals_left = intervals_left;
        let truth = FieldTruth::exact(self.schema, sargable.field, truth.negated_if(negated));
        // A month of every year is never implausible.
        if cyclic.is_none() {
            remarks.warnings.extend(implausible(self.schema, &truth));
        }
        Ok(Some(truth))
    }

    /// Compares a formula of a number field with several constants and joins the truths.
    fn computed(
        &self,
        formula: &Formula,
        comparisons: &[(Comparison, Constant)],
        join: Join,
    ) -> Result<Option<FieldTruth>, NotUsed> {
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
        let known = known.map_or_else(|| ValueSet::all(kind), ValueSet::Numbers);
        let unknown = known.complement(kind);
        let truth = join.of(&truths).map(|truth| truth.without(&unknown, kind));
        Ok(truth.map(|truth| FieldTruth { field: formula.field, truth, unknown }))
    }

    /// Compares a function of a day with several constants and joins the truths.
    fn of_dates(
        &mut self,
        form: &DateForm,
        comparisons: &[(Comparison, Constant)],
        join: Join,
        remarks: &mut Remarks,
    ) -> Result<Option<FieldTruth>, NotUsed> {
        let day = DayField::new(self.schema, form.field())?;
        let kind = &day.field.kind;
        let mut unknown = ValueSet::none(kind);
        let mut found = Remarks::default();
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
                    moved.compare(day, compared, &mut found).map(|(truth, of_one)| {
                        unknown = unknown.union(&of_one);
                        truth
                    })
                }
                DateForm::Moved(_) => Err(NotUsed("texts and dates are compared with it at once".into())),
                DateForm::Parts(parts) if parts.recurs() => {
                    parts.compare_in_every_year(day, compared, &mut found)
                }
                DateForm::Parts(parts) => parts.compare(day, compared, &mut found),
            };
            remarks.rejected.append(&mut found.rejected);
            truths.push(truth?);
        }
        let Some(truth) = join.of(&truths) else { return Ok(None) };
        let truth = match form {
            DateForm::Parts(parts) if parts.recurs() => {
                in_every_year(kind, &truth, day_number, &mut self.intervals_left)?
            }
            _ => truth.without(&unknown, kind),
        };
        remarks.warnings.append(&mut found.warnings);
        Ok(Some(FieldTruth { field: form.field(), truth, unknown }))
    }

    fn kind(&self, field: FieldId) -> &'a FieldKind {
        &self.schema.key.fields[field].kind
    }

    /// `f <=> constant`, which is `f = constant` where neither is NULL: of values that Hive cannot compare it is NULL.
    fn same_value(
        &mut self,
        left: &Expr,
        right: &Expr,
        remarks: &mut Remarks,
    ) -> Result<Option<FieldTruth>, NotUsed> {
        let (operand, constant) = match (fold(left), fold(right)) {
            (_, Some(constant)) => (left, constant),
            (Some(constant), None) => (right, constant),
            (None, None) => return Ok(None),
        };
        if constant == Constant::Null {
            return Ok(self.null_test(operand));
        }
        let same =
            self.compare_all(operand, &[(Comparison::Equal, constant)], (false, Join::Bounds), remarks)?;
        Ok(same.map(|same| {
            let mut same = same.null_at_null(self.schema);
            if let Some(null) = ValueSet::null(self.kind(same.field)) {
                same.truth.when_false = same.truth.when_false.union(&null);
            }
            same
        }))
    }

    /// Whether a field is NULL. All functions of a text that are known here are NULL exactly where the text is; of functions of
    /// other fields it is not known where they are.
    fn null_test(&self, operand: &Expr) -> Option<FieldTruth> {
        let sargable = Sargable::of(self.schema, operand)?;
        let kind = self.kind(sargable.field);
        let nulls = match ValueSet::null(kind) {
            Some(null) => null,
            None if sargable.is_bare() => ValueSet::none(kind),
            None => return None,
        };
        Some(FieldTruth::exact(self.schema, sargable.field, Truth::two_valued(nulls, kind)))
    }
}

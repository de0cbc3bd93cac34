//! Comparisons of one field with constants: the values for which they are true, and those for which they are false.

use super::likes::like_pattern;
use super::plausible::{implausible, in_other_unit, last_day};
use super::prefix::{PrefixTest, prefix_test};
use super::truth::null_test;
use super::truth_test::{TruthTest, truth_test};
use super::wanted::Wanted;
use crate::analyze::bind::{BoundConstant, BoundNode, Operator};
use crate::analyze::chain::Chain;
use crate::analyze::compare::{Comparer, Comparison, Join, NotUsed, Remarks, Truth, in_every_year, is_mixed};
use crate::analyze::constant::{Constant, fold, typed};
use crate::analyze::recurring::{Recurring, Recurs};
use crate::analyze::values::ValueSet;
use crate::key::field::{FieldId, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::ast::{Expr, Literal, Type};
use saltplan_sql::value::NumberType;

/// The maximum number of intervals of months or days of every year in the conditions of one predicate. One condition has up to
/// 240,000, and a predicate may have thousands of conditions.
const MAX_INTERVALS: usize = 1_000_000;

/// Why a condition whose values recur makes no range of its own.
const RECURS: &str = "rows with this value are spread over the whole key range, since the value recurs; add a condition on the days";

/// What a comparison with constants makes of the values of a field.
pub(super) struct FieldTruth {
    pub field: FieldId,
    pub truth: Truth,
    /// The values for which Hive's result cannot be predicted. They are not in `truth`.
    pub unknown: ValueSet,
}

impl FieldTruth {
    /// The truth of a comparison whose result is known for all values.
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
}

/// Hive 2 compares numbers and texts of one list as texts, Hive 3 as numbers. Only of whole numbers are both the same: the text of a
/// double is `9.0`. Hive 3.1.3 cuts the fraction off a number that follows a whole one. Measured on 2.3.9 and 3.1.3.
///
/// # Errors
/// The versions compare these constants differently.
fn check_list(list: &[BoundNode], constants: &[&Constant], remarks: &mut Remarks) -> Result<(), NotUsed> {
    fn is_whole(item: &Expr) -> bool {
        match item.unnested() {
            Expr::Literal(Literal::Number(digits)) => digits.bytes().all(|byte| byte.is_ascii_digit()),
            Expr::UnaryOp { expr, .. } => is_whole(expr),
            _ => false,
        }
    }
    let spelled = |item: &BoundNode| item.uncast().constant().map(BoundConstant::spelled);
    let numbers = || {
        list.iter().zip(constants).filter_map(|(item, constant)| match constant {
            Constant::Number(number) => Some((item, number)),
            _ => None,
        })
    };
    let is_double = |item: &BoundNode| typed(item).is_some_and(|number| number.of == NumberType::Double);
    if numbers().any(|(item, _)| is_double(item)) && numbers().any(|(_, number)| !number.is_exact_as_double())
    {
        return Err(NotUsed("in a list with a double Hive compares all numbers as doubles, to which other numbers are equal, too".into()));
    }
    let is_string = |item: &BoundNode| item.uncast().primitive() == Some(Type::String);
    let texts = list.iter().zip(constants).filter(|(_, constant)| matches!(constant, Constant::Text(_)));
    if is_mixed(constants) && !texts.map(|(item, _)| item).all(is_string) {
        let reason = "in a list of numbers Hive 2 refuses a `char` or `varchar`, and Hive 3.1.3 compares it wrongly: write the number";
        remarks.rejected.push(reason.into());
        return Err(NotUsed(reason.into()));
    }
    if is_mixed(constants) && !numbers().all(|(item, _)| spelled(item).is_some_and(|item| is_whole(&item))) {
        return Err(NotUsed(
            "in a list Hive 2 compares such numbers and texts as texts and Hive 3 as numbers".into(),
        ));
    }
    let has_point = |item: &BoundNode| matches!(spelled(item), Some(Expr::Literal(Literal::Number(digits))) if digits.contains('.'));
    if numbers().any(|(_, number)| !number.ceiling().1) && !numbers().all(|(item, _)| has_point(item)) {
        return Err(NotUsed("in a list of whole numbers Hive 3.1.3 cuts the fraction off the others".into()));
    }
    Ok(())
}

/// Compares fields with constants.
#[derive(Debug)]
pub(super) struct Comparisons<'a> {
    schema: &'a Schema,
    /// How many more intervals of months or days conditions may have.
    intervals_left: usize,
    /// What the last comparison said of numbers that recur, for the caller to take.
    pub recurring: Option<RecurringTruth>,
}

/// The truth of a comparison with numbers that recur.
#[derive(Debug)]
pub(super) struct RecurringTruth {
    field: FieldId,
    recurs: Recurs,
    truth: Truth,
}

impl RecurringTruth {
    /// The condition that the comparison has the wanted truth.
    pub fn wanted(self, wanted: Wanted) -> Option<Recurring> {
        let numbers = match wanted {
            Wanted::TRUE => self.truth.when_true,
            Wanted::FALSE => self.truth.when_false,
            _ => return None,
        };
        let ValueSet::Numbers(numbers) = numbers else { return None };
        Some(Recurring { field: self.field, recurs: self.recurs, numbers })
    }
}

impl<'a> Comparisons<'a> {
    pub fn new(schema: &'a Schema) -> Self {
        Comparisons { schema, intervals_left: MAX_INTERVALS, recurring: None }
    }

    /// The truth of one comparison; `Ok(None)` if its form is not known.
    pub fn compare(
        &mut self,
        node: &BoundNode,
        remarks: &mut Remarks,
    ) -> Result<Option<FieldTruth>, NotUsed> {
        self.recurring = None;
        if let Some(TruthTest::SameValue { left, right, negated }) = truth_test(node) {
            return Ok(self.same_value(left, right, remarks)?.map(|truth| truth.negated_if(negated)));
        }
        if let Some((operand, is_null)) = null_test(node) {
            return Ok(self.null_test(operand).map(|truth| truth.negated_if(!is_null)));
        }
        let truth = self.compare_values(node, remarks)?;
        Ok(truth.map(|truth| truth.null_at_null(self.schema)))
    }

    /// As if the field were never NULL; the caller excludes NULL from the truth.
    fn compare_values(
        &mut self,
        node: &BoundNode,
        remarks: &mut Remarks,
    ) -> Result<Option<FieldTruth>, NotUsed> {
        if let Some(PrefixTest { field, values, is_exact, negated }) = prefix_test(self.schema, node)? {
            if !is_exact {
                return Err(NotUsed("only the start of the pattern makes a range".into()));
            }
            let truth = Truth::two_valued(values, self.kind(field)).negated_if(negated);
            return Ok(Some(FieldTruth::exact(self.schema, field, truth)));
        }
        match node.operation() {
            Some((Operator::Binary(op), [left, right])) => {
                let Some((comparison, negated)) = Comparison::of(op) else { return Ok(None) };
                let (operand, constant, comparison) = match fold(right) {
                    Some(constant) => (left, constant, comparison),
                    None => match fold(left) {
                        Some(constant) => (right, constant, comparison.flipped()),
                        None => return Ok(None),
                    },
                };
                self.compare_all(operand, &[(comparison, constant)], (negated, Join::One), remarks)
            }
            Some((Operator::Between { negated }, [operand, low, high])) => match (fold(low), fold(high)) {
                (Some(null @ Constant::Null), Some(Constant::Null)) => {
                    self.compare_all(operand, &[(Comparison::Equal, null)], (negated, Join::One), remarks)
                }
                (Some(Constant::Null), Some(_)) | (Some(_), Some(Constant::Null)) => Err(NotUsed(
                    "where one bound is NULL, some versions of Hive say FALSE outside of the other one, some NULL"
                        .into(),
                )),
                (Some(low), Some(high)) => {
                    let bounds = [(Comparison::GreaterOrEqual, low), (Comparison::LessOrEqual, high)];
                    self.compare_all(operand, &bounds, (negated, Join::Bounds), remarks)
                }
                _ => Ok(None),
            },
            Some((Operator::In { negated }, [operand, list @ ..])) => {
                let equal = |item: &BoundNode| Some((Comparison::Equal, fold(item)?));
                let Some(equals) = list.iter().map(equal).collect::<Option<Vec<_>>>() else {
                    return Ok(None);
                };
                let constants: Vec<&Constant> = equals.iter().map(|(_, constant)| constant).collect();
                let truth = self.compare_all(operand, &equals, (negated, Join::Any), remarks)?;
                truth.map(|truth| check_list(list, &constants, remarks).map(|()| truth)).transpose()
            }
            Some((Operator::Like { negated }, [operand, pattern, escape @ ..])) => {
                let Some(chain) = Chain::of(self.schema, operand) else { return Ok(None) };
                let Some(pattern) = like_pattern(pattern, escape.first()) else { return Ok(None) };
                let mut comparer = Comparer::new(self.schema, chain.field);
                let truth = comparer.like(&chain, &pattern)?;
                remarks.warnings.append(&mut comparer.remarks.warnings);
                let truth = FieldTruth::exact(self.schema, chain.field, truth.negated_if(negated));
                remarks.warnings.extend(implausible(self.schema, &truth));
                Ok(Some(truth))
            }
            _ => Ok(None),
        }
    }

    /// Compares one expression with several constants and joins the truths.
    fn compare_all(
        &mut self,
        operand: &BoundNode,
        comparisons: &[(Comparison, Constant)],
        (negated, join): (bool, Join),
        remarks: &mut Remarks,
    ) -> Result<Option<FieldTruth>, NotUsed> {
        let schema = self.schema;
        let Some(compared) = Chain::compared(schema, operand) else { return Ok(None) };
        let field = compared.field;
        let mut comparer = Comparer::new(schema, field);
        let constants: Vec<&Constant> = comparisons.iter().map(|(_, constant)| constant).collect();
        let checked = comparer.check(&compared, join, &constants);
        remarks.rejected.append(&mut comparer.remarks.rejected);
        checked?;
        for (comparison, constant) in comparisons {
            if *comparison == Comparison::LessOrEqual {
                remarks.warnings.extend(last_day(schema, operand, constant));
            }
        }
        let kind = comparer.kind();
        let mut unknown = ValueSet::none(kind);
        let mut truths = Vec::with_capacity(comparisons.len());
        for (comparison, constant) in comparisons {
            let truth = comparer.compare(&compared, (*comparison, constant));
            remarks.rejected.append(&mut comparer.remarks.rejected);
            let (truth, of_one) = truth?;
            if !of_one.is_empty() {
                unknown = unknown.union(&of_one);
            }
            truths.push(truth);
        }
        let is_empty_text = |(comparison, constant): &(Comparison, Constant)| {
            *comparison == Comparison::Equal && *constant == Constant::Text(String::new())
        };
        if kind.is_nullable() && compared.is_bare() && !negated && comparisons.iter().any(is_empty_text) {
            let name = &comparer.field.name;
            comparer.remarks.no_row(format!(
                "no row has this value: the empty text of `{name}` stands for NULL; write `{name} IS NULL`"
            ));
        }
        let Some(truth) = join.joined(truths) else { return Ok(None) };
        let recurs = compared.recurs();
        let truth = match recurs {
            Some(recurs) if recurs == Recurs::TimeOfDay || matches!(kind, FieldKind::Epoch(_)) => {
                self.recurring = Some(RecurringTruth { field, recurs, truth: truth.negated_if(negated) });
                return Err(NotUsed(RECURS.into()));
            }
            Some(recurs) => {
                let number = |month, day| recurs.number(month, day);
                in_every_year(kind, &truth, number, &mut self.intervals_left)?
            }
            None => truth.without(&unknown, kind),
        };
        remarks.warnings.append(&mut comparer.remarks.warnings);
        let truth = FieldTruth { field, truth, unknown }.negated_if(negated);
        // A month of every year is never implausible.
        if Comparer::is_of_values(&compared) && recurs.is_none() {
            let of_unit = |(_, constant): &(Comparison, Constant)| in_other_unit(comparer.field, constant);
            let other_unit = comparisons.iter().find_map(of_unit).filter(|_| compared.is_bare());
            remarks.warnings.extend(other_unit.or_else(|| implausible(schema, &truth)));
        }
        Ok(Some(truth))
    }

    fn kind(&self, field: FieldId) -> &'a FieldKind {
        &self.schema.key.fields[field].kind
    }

    /// `f <=> constant`, which is `f = constant` where neither is NULL: of values that Hive cannot compare it is NULL.
    fn same_value(
        &mut self,
        left: &BoundNode,
        right: &BoundNode,
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
            self.compare_all(operand, &[(Comparison::Equal, constant)], (false, Join::One), remarks)?;
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
    fn null_test(&self, operand: &BoundNode) -> Option<FieldTruth> {
        let chain = Chain::of(self.schema, operand)?;
        let kind = self.kind(chain.field);
        let nulls = match ValueSet::null(kind) {
            Some(null) => null,
            None if chain.is_bare() => ValueSet::none(kind),
            None => return None,
        };
        Some(FieldTruth::exact(self.schema, chain.field, Truth::two_valued(nulls, kind)))
    }
}

//! What a condition implies of the key: one walk over its tree.

use std::cell::OnceCell;

use super::choices::{Choice, choices};
use super::comparison::Comparisons;
use super::fact::Columns;
use super::inference::{ConditionKind, Inference, joined, joined_known, normalized};
use super::likes::{like_pattern, likes_of};
use super::never::{why_always_false, why_no_value};
use super::no_range::unknown_form;
use super::prefix::prefix_test;
use super::row_by_row::RowByRow;
use super::truth::{constant_truth, is_never, is_never_null, null_test};
use super::truth_test::{TruthTest, truth_test};
use super::wanted::Wanted;
use crate::analyze::bind::{BoundNode, Operator};
use crate::analyze::chain::{Chain, bare_field};
use crate::analyze::compare::{Comparer, Comparison, NotUsed, Remarks, is_mixed};
use crate::analyze::constant::{Constant, fold};
use crate::analyze::like::PatternRest;
use crate::analyze::values::ValueSet;
use crate::analyze::{Checked, Implied, Meaning, Recurring};
use crate::key::field::{FieldId, FieldKind};
use crate::key::salt::{InputVec, SaltInput};
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Type};

/// The maximum number of parts of CASE and similar expressions that are analyzed in one condition: each is analyzed twice, and they nest.
const MAX_PARTS: usize = 1_000;

/// Why a condition that makes ranges is also checked row by row.
const INEXACT_FORM: &str = "the ranges also hold rows for which it is not true";

/// What one condition means.
#[derive(Debug)]
pub(super) enum Answer {
    /// It has the wanted truth in every row.
    Always,
    /// It has the wanted truth in no row, for this reason.
    Never(String),
    Meaning(Meaning),
}

/// Finds what conditions imply of the key of one schema.
#[derive(Debug)]
pub(super) struct Analyzer<'a> {
    pub schema: &'a Schema,
    pub salt_inputs: InputVec<SaltInput>,
    comparisons: Comparisons<'a>,
    /// Made when the first condition asks for them.
    columns: OnceCell<Columns>,
    parts_left: usize,
}

impl<'a> Analyzer<'a> {
    pub fn new(schema: &'a Schema) -> Self {
        let salt_inputs = schema.key.salt.as_ref().map(|salt| salt.inputs(&schema.key.fields));
        Analyzer {
            schema,
            salt_inputs: salt_inputs.unwrap_or_default(),
            comparisons: Comparisons::new(schema),
            columns: OnceCell::new(),
            parts_left: MAX_PARTS,
        }
    }

    /// What a condition implies of the rows in which it has the wanted truth, with all remarks on it. `for_hive` is what Hive checks:
    /// that it has the wanted truth.
    pub fn analyze(
        &mut self,
        condition: &BoundNode,
        for_hive: BoundNode,
        wanted: Wanted,
    ) -> (Answer, Remarks) {
        self.parts_left = MAX_PARTS;
        let schema = self.schema;
        let inference = self.infer(condition, wanted);
        let implied = if inference.tight {
            inference.implied.and_then(|implied| normalized(implied, schema))
        } else {
            inference.known(schema)
        };
        let mut remarks = inference.remarks;
        let RowByRow { rejected, unclear } = match inference.tight {
            true => RowByRow::default(),
            false => RowByRow::of(schema, condition),
        };
        remarks.rejected.extend(rejected);
        let answer = match implied {
            Some(never) if never.is_never() => {
                let why_no_value = || why_no_value(schema, condition, &remarks.warnings);
                Answer::Never(inference.never.unwrap_or_else(why_no_value))
            }
            None if inference.tight => Answer::Always,
            Some(Implied::Field(field, values)) if inference.tight => {
                Answer::Meaning(Meaning::Tight { field, values })
            }
            implied => {
                let reason = match inference.kind {
                    ConditionKind::OneField(field) => Some(format!(
                        "Hive's result for some values of `{}` cannot be predicted",
                        schema.key.fields[field].name
                    )),
                    ConditionKind::NotOfKey => None,
                    ConditionKind::NoRange(_) if implied.is_some() => Some(INEXACT_FORM.into()),
                    ConditionKind::NoRange(reason) => Some(reason.into_owned()),
                    ConditionKind::NotUsed(NotUsed(reason)) => Some(reason),
                };
                let columns = self.columns.get_or_init(|| Columns::new(schema));
                let fact = columns.fact(schema, condition, wanted);
                let recurring = inference.recurring;
                let bound = Box::new(for_hive);
                Answer::Meaning(Meaning::Checked(Checked {
                    bound,
                    implied,
                    fact,
                    reason,
                    unclear,
                    recurring,
                }))
            }
        };
        (answer, remarks)
    }

    /// The values of a field for which a condition has the wanted truth; `None` where that is not certain or needs a remark.
    pub fn exact_values(&mut self, condition: &BoundNode, wanted: Wanted) -> Option<(FieldId, ValueSet)> {
        let inference = self.infer(condition, wanted);
        match inference.implied {
            Some(Implied::Field(field, values)) if inference.tight && inference.remarks.is_empty() => {
                Some((field, values))
            }
            _ => None,
        }
    }

    /// Whether a condition on one field is true or false for each of its values.
    pub fn is_two_valued(&mut self, condition: &BoundNode) -> bool {
        self.values_for_null(condition).is_some_and(|(_, values, _)| values.is_empty())
    }

    /// The values of a field for which a condition on it is NULL, with the remarks on the condition.
    fn values_for_null(&mut self, condition: &BoundNode) -> Option<(FieldId, ValueSet, Remarks)> {
        let (yes, no) = (self.infer(condition, Wanted::TRUE), self.infer(condition, Wanted::FALSE));
        match (yes.implied, no.implied) {
            (Some(Implied::Field(field, yes_values)), Some(Implied::Field(_, no_values))) if yes.tight => {
                let known = yes_values.union(&no_values);
                Some((field, known.complement(&self.schema.key.fields[field].kind), yes.remarks))
            }
            _ => None,
        }
    }

    fn infer(&mut self, condition: &BoundNode, wanted: Wanted) -> Inference {
        let whole = condition.uncast();
        match truth_test(whole) {
            Some(TruthTest::Same { condition, negated }) => {
                return self.infer(condition, wanted.negated_if(negated));
            }
            Some(TruthTest::Is { condition, value, negated }) => {
                return self.infer(condition, wanted.of_test(value, negated));
            }
            _ => {}
        }
        match whole.operation() {
            Some((Operator::Not, [negated])) => self.infer(negated, wanted.negated()),
            Some((Operator::And, arms)) => self.joined(whole, arms, wanted.is_of_all(), wanted),
            Some((Operator::Or, arms)) => self.joined(whole, arms, !wanted.is_of_all(), wanted),
            _ => match likes_of(whole) {
                Some((likes, of_all)) => self.joined(whole, &likes, wanted.is_of_all() == of_all, wanted),
                None => self.leaf(whole, wanted),
            },
        }
    }

    /// What the arms of a condition imply together, if all or one of them must have the wanted truth.
    fn joined(&mut self, whole: &BoundNode, arms: &[BoundNode], of_all: bool, wanted: Wanted) -> Inference {
        let mut parts: Vec<Inference> = Vec::new();
        for arm in arms {
            let part = self.infer(arm, wanted);
            let says_nothing = part.implied.is_none();
            parts.push(part);
            if says_nothing && !of_all {
                break;
            }
        }
        let field = parts.first().and_then(Inference::field);
        // The first arm that is not about this field.
        let other = parts.iter().position(|part| field.is_none() || part.field() != field);
        let (kind, implied) = match (field, other.map(|at| &parts[at].kind)) {
            (Some(field), None) => {
                let sets: Vec<_> = parts.iter().filter_map(Inference::values).collect();
                let both = if of_all { ValueSet::intersection_of(&sets) } else { ValueSet::union_of(&sets) };
                (ConditionKind::OneField(field), both.map(|values| Implied::Field(field, values)))
            }
            (_, kind) => {
                let known = parts.iter().map(|part| part.known(self.schema)).collect();
                let kind = match kind {
                    Some(kind @ ConditionKind::NotUsed(_)) => kind.clone(),
                    _ => unknown_form(self.schema, whole),
                };
                (kind, joined_known(known, of_all))
            }
        };
        // Only comparisons that saltplan makes get remarks.
        let tight = other.is_none() && parts.iter().all(|part| part.tight);
        parts.truncate(other.map_or(parts.len(), |at| at + 1));
        let never = parts.iter().find_map(|part| part.never.clone());
        let mut remarks = Remarks::default();
        parts.into_iter().for_each(|part| remarks.extend(part.remarks));
        Inference { implied, tight, kind, never, remarks, recurring: None }
    }

    /// A condition without AND, OR and NOT around it.
    fn leaf(&mut self, leaf: &BoundNode, wanted: Wanted) -> Inference {
        match self.is_always_met(leaf, wanted) {
            Some(true) => return Inference::always(),
            Some(false) => return Inference::never(why_always_false(self.schema, leaf)),
            None => {}
        }
        if let Some((operand, is_null)) = null_test(leaf)
            && let Some((field, values, remarks)) = self.values_for_null(operand)
            && self.schema.key.fields[field].kind.is_nullable()
        {
            let kind = &self.schema.key.fields[field].kind;
            let values = if wanted.is_met_by(Some(is_null)) { values } else { values.complement(kind) };
            return Inference::of_field(field, values, true, remarks);
        }
        let mut remarks = Remarks::default();
        let kind = match self.comparisons.compare(leaf, &mut remarks) {
            Ok(Some(truth)) => {
                let kind = &self.schema.key.fields[truth.field].kind;
                let values = wanted.values(&truth.truth, &truth.unknown, kind);
                return Inference::of_field(truth.field, values, truth.unknown.is_empty(), remarks);
            }
            Ok(None) => unknown_form(self.schema, leaf),
            Err(reason) => ConditionKind::NotUsed(reason),
        };
        let recurring = self.comparisons.recurring.take().and_then(|recurring| recurring.wanted(wanted));
        if let Some(Recurring { field, numbers, .. }) = &recurring
            && numbers.is_empty()
        {
            let none = ValueSet::none(&self.schema.key.fields[*field].kind);
            return Inference::of_field(*field, none, true, remarks);
        }
        Inference { implied: self.weaker(leaf, wanted), tight: false, kind, never: None, remarks, recurring }
    }

    /// Whether a condition has the wanted truth, if that is the same for all rows.
    fn is_always_met(&mut self, leaf: &BoundNode, wanted: Wanted) -> Option<bool> {
        if let Some(truth) = constant_truth(leaf) {
            return Some(wanted.is_met_by(truth));
        }
        if is_never(leaf, wanted.strict()) {
            return Some(wanted != wanted.strict());
        }
        let (operand, is_null) = null_test(leaf)?;
        is_never_null(self, operand).then(|| wanted.is_met_by(Some(!is_null)))
    }

    /// What a part of a condition implies.
    fn part(&mut self, part: &BoundNode, wanted: Wanted) -> Option<Implied> {
        self.parts_left = self.parts_left.checked_sub(1)?;
        self.infer(part, wanted).known(self.schema)
    }

    fn parts(&mut self, parts: &[BoundNode], of_all: bool, wanted: Wanted) -> Option<Implied> {
        let parts: Vec<_> = parts.iter().map(|part| self.part(part, wanted)).collect();
        joined_known(parts, of_all)
    }

    /// What a condition implies that makes no exact set of values.
    fn weaker(&mut self, leaf: &BoundNode, wanted: Wanted) -> Option<Implied> {
        let Some(operation) = leaf.operation() else {
            // `x = TRUE` was taken apart to the condition `x`. A number is none: Hive compares it with 1.
            if leaf.primitive().is_some_and(|of| of != Type::Boolean) {
                return None;
            }
            return self.chosen(&choices(leaf)?, wanted, &BoundNode::clone);
        };
        match operation {
            (Operator::Between { negated }, [operand, low, high]) => {
                self.between(operand, low, high, wanted.negated_if(negated))
            }
            (Operator::In { negated }, [operand, list @ ..]) => {
                self.in_list(operand, list, wanted.negated_if(negated))
            }
            (Operator::Like { negated }, [operand, pattern, escape @ ..])
                if wanted.negated_if(negated) == Wanted::TRUE =>
            {
                self.like(operand, pattern, escape.first())
            }
            (Operator::RLike { .. }, _) => {
                let test = prefix_test(self.schema, leaf).ok()??;
                let is_wanted = wanted.negated_if(test.negated) == Wanted::TRUE;
                is_wanted.then_some(Implied::Field(test.field, test.values))
            }
            (Operator::Binary(op), [left, right]) => {
                Comparison::of(op)?;
                let of = |left: &BoundNode, right: &BoundNode| comparison(left, op, right);
                if let Some(choices) = choices(left) {
                    return self.chosen(&choices, wanted, &|result| of(result, right));
                }
                if let Some(choices) = choices(right) {
                    return self.chosen(&choices, wanted, &|result| of(left, result));
                }
                let (chain, constant) = match Chain::of(self.schema, left) {
                    Some(chain) => (chain, right),
                    None => (Chain::of(self.schema, right)?, left),
                };
                let is_wanted = wanted == Wanted::TRUE && op == BinaryOperator::Eq;
                is_wanted.then(|| self.salt_input(&chain, &[constant]))?
            }
            _ => None,
        }
    }

    /// Hive looks at the upper bound only where the lower comparison is not NULL.
    fn between(
        &mut self,
        operand: &BoundNode,
        low: &BoundNode,
        high: &BoundNode,
        wanted: Wanted,
    ) -> Option<Implied> {
        let compared = |op, bound: &BoundNode| comparison(operand, op, bound);
        // BETWEEN compares some texts as doubles, which the comparisons in its place do not.
        let is_alike =
            |field: &BoundNode, bound: &BoundNode| match (Chain::of(self.schema, field), fold(bound)) {
                (Some(chain), Some(bound)) => {
                    Comparer::new(self.schema, chain.field).check_bounds(&chain, &[&bound]).is_ok()
                }
                _ => true,
            };
        let constants: Vec<Constant> = [operand, low, high].into_iter().filter_map(fold).collect();
        if is_mixed(&constants.iter().collect::<Vec<_>>())
            || ![low, high].into_iter().all(|bound| is_alike(operand, bound) && is_alike(bound, operand))
        {
            return None;
        }
        let bounds = [compared(BinaryOperator::GtEq, low), compared(BinaryOperator::LtEq, high)];
        match wanted {
            Wanted::NOT_FALSE => self.part(&bounds[0], wanted),
            _ => self.parts(&bounds, wanted.is_of_all(), wanted),
        }
    }

    fn in_list(&mut self, operand: &BoundNode, list: &[BoundNode], wanted: Wanted) -> Option<Implied> {
        if wanted != Wanted::TRUE {
            return None;
        }
        if let Some(chain) = Chain::of(self.schema, operand) {
            return self.salt_input(&chain, &list.iter().collect::<Vec<_>>());
        }
        // Lists of numbers and texts are compared as texts by one Hive, as numbers by the other.
        let constant = fold(operand)?;
        let is_alike = |item: &BoundNode| {
            let kind = bare_field(self.schema, item).map(|field| &self.schema.key.fields[field].kind);
            matches!(
                (&constant, kind),
                (Constant::Number(_), Some(FieldKind::Integer(_) | FieldKind::Epoch(_)))
                    | (Constant::Text(_), Some(FieldKind::Text(_)))
            )
        };
        if !list.iter().all(is_alike) {
            return None;
        }
        let equals: Vec<BoundNode> =
            list.iter().map(|item| comparison(item, BinaryOperator::Eq, operand)).collect();
        self.parts(&equals, false, wanted)
    }

    /// The literal prefix of a pattern.
    fn like(&self, operand: &BoundNode, pattern: &BoundNode, escape: Option<&BoundNode>) -> Option<Implied> {
        let chain = Chain::of(self.schema, operand)?;
        let pattern = like_pattern(pattern, escape)?;
        if let (true, "", Some(suffix)) = (chain.is_bare(), pattern.prefix.as_str(), &pattern.suffix) {
            return self.salt_of_end(&chain, suffix);
        }
        if pattern.prefix.is_empty() || pattern.rest == PatternRest::Nothing {
            return None;
        }
        let comparer = Comparer::new(self.schema, chain.field);
        let mut values = comparer.like_prefix(&chain.steps, &pattern.prefix).ok()?;
        let is_value =
            || self.schema.key.fields[chain.field].kind.value_compared(pattern.prefix.as_bytes()).is_ok();
        if pattern.rest == PatternRest::More && is_value() {
            // Something follows the prefix.
            values = values.without_point(pattern.prefix.as_bytes());
        }
        Some(Implied::Field(chain.field, values))
    }

    /// A value that is chosen among several; `condition` makes the condition that compares one of them.
    fn chosen(
        &mut self,
        choices: &[Choice<'_>],
        wanted: Wanted,
        condition: &dyn Fn(&BoundNode) -> BoundNode,
    ) -> Option<Implied> {
        let mut arms = Vec::new();
        let mut before: Vec<Implied> = Vec::new();
        for choice in choices {
            let result = self.part(&condition(&choice.value), wanted);
            let mut arm = before.clone();
            if let Some(when) = &choice.when {
                arm.extend(self.part(when, Wanted::TRUE));
                before.extend(self.part(when, Wanted::NOT_TRUE));
            }
            if !result.as_ref().is_some_and(Implied::is_never) {
                arm.extend(result);
                arms.push(joined(arm, true)?);
            }
        }
        joined(arms, false)
    }
}

pub(super) fn comparison(left: &BoundNode, op: BinaryOperator, right: &BoundNode) -> BoundNode {
    BoundNode::condition(Operator::Binary(op), vec![left.clone(), right.clone()])
}

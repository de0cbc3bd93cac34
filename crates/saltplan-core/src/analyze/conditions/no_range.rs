//! Why a condition on the key makes no range, and which condition would.

use std::borrow::Cow;

use super::inference::ConditionKind;
use crate::analyze::bind::{Bound, BoundCall, BoundNode, Operator, written};
use crate::analyze::chain::{Chain, bare_field};
use crate::analyze::compare::NotUsed;
use crate::analyze::constant::{Term, Tree as _, fold, remedy, size_of};
use crate::key::field::FieldKind;
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Type};
use saltplan_sql::functions::Operation;

/// Why a condition on the clock is checked row by row.
const CLOCK: &str = "the engine reads its clock when the query runs; say what time it is with `--now`, or give the day as a parameter, such as `:day`";
/// Why a condition on a field and other columns is checked row by row.
const TWO_COLUMNS: &str = "it compares several columns; a field compared with constants makes ranges";
/// Why a form that is not known is checked row by row.
const UNKNOWN_FORM: &str = "the planner does not know this form; compare a field with constants";
const REMAINDER: &str = "rows with the same remainder are spread over the whole key range; compare the field itself with constants";
const NUMBER_OF_TEXT: &str =
    "several texts are the same number (`5`, `05`, `5.0`), and they are no range; compare the text itself";
const TRUTH_AND_VALUE: &str =
    "it compares a value with TRUE or FALSE, which only Hive evaluates; compare it with a value, such as 1";
const CONSTANT: &str =
    "saltplan does not compute this constant, since versions of Hive may differ; write the value itself";
const LENGTH: &str =
    "texts of one length are spread over the whole key range; compare the field itself with constants";
const CYCLE: &str = "rows with this value are spread over the whole key range, since the value recurs; compare the field itself with constants";
const END_OF_TEXT: &str = "only the start of a text makes a range; compare the field itself, or its start";

/// The form of a condition that makes no range, with the reason.
pub(super) fn unknown_form(schema: &Schema, node: &BoundNode) -> ConditionKind {
    let (mut names, mut is_of_key) = (Vec::new(), false);
    node.walk(&mut |part| {
        if let Some(column) = part.column() {
            is_of_key |= part.field().is_some();
            names.push(column.written.name.as_str());
        }
    });
    let Some(first) = names.first().filter(|_| is_of_key) else { return ConditionKind::NotOfKey };
    if node.has(&|part| part.call().is_some_and(BoundCall::is_clock)) {
        return ConditionKind::NotUsed(NotUsed(CLOCK.into()));
    }
    if names.iter().any(|name| !name.eq_ignore_ascii_case(first)) {
        return ConditionKind::NotUsed(NotUsed(TWO_COLUMNS.into()));
    }
    let constant = || node.compared().iter().any(is_left_constant).then_some(CONSTANT);
    let known = of_condition(schema, node).or_else(constant).map(Cow::Borrowed);
    ConditionKind::NoRange(known.or_else(|| of_function(schema, node)).unwrap_or(Cow::Borrowed(UNKNOWN_FORM)))
}

/// The reason in the function that is applied to a field.
fn of_function(schema: &Schema, node: &BoundNode) -> Option<Cow<'static, str>> {
    let mut why = None;
    node.walk(&mut |part| {
        why = why.take().or_else(|| match part.term() {
            Term::Binary(left, BinaryOperator::Plus | BinaryOperator::Minus, right) => {
                let field = [left, right].into_iter().find_map(|side| day(schema, side))?;
                Some(Cow::from(format!(
                    "`+` and `-` with a number do not add days in Hive; compare `{field}` with a day, such as date_sub('2020-04-07', 1)"
                )))
            }
            Term::Call(call)
                if call.operation() == Operation::DaysBetween
                    && let Some(date) = call.arguments.iter().filter_map(fold).find_map(|of| remedy(&of)) =>
            {
                Some(Cow::from(format!("Hive does not read text of this form as a date, and gives NULL; write {date}")))
            }
            Term::Call(call) => {
                let fields = || call.arguments.iter().filter_map(|argument| Chain::of(schema, argument));
                let field = &schema.key.fields[fields().next()?.field].name;
                let written = written(part);
                let part = written.unnested();
                Some(Cow::from(format!("`{part}` makes no range; compare `{field}` itself with constants")))
            }
            _ => None,
        });
    });
    why
}

/// The name of a field that is a day or a local time.
fn day<'a>(schema: &'a Schema, node: &BoundNode) -> Option<&'a str> {
    let field = &schema.key.fields[bare_field(schema, node)?];
    matches!(field.kind, FieldKind::Calendar(_)).then_some(field.name.as_str())
}

/// Whether an expression without columns is not computed here.
fn is_left_constant(node: &BoundNode) -> bool {
    let is_other = |part: &BoundNode| match &part.what {
        Bound::Column(_) | Bound::Member { .. } | Bound::Runtime(_) | Bound::Row(_) => true,
        Bound::Operation { operator, .. } => *operator == Operator::Element,
        Bound::Call(call) => call.is_opaque(),
        _ => false,
    };
    fold(node).is_none() && !node.has(&is_other)
}

fn of_condition(schema: &Schema, node: &BoundNode) -> Option<&'static str> {
    match node.operation() {
        Some((Operator::Binary(op), [left, right])) if op.compares() => {
            of_value(schema, left).or_else(|| of_value(schema, right))
        }
        Some((Operator::Between { .. } | Operator::In { .. }, [operand, ..])) => of_value(schema, operand),
        // A value is used as a condition only where it is compared with TRUE or FALSE.
        _ => bare_field(schema, node).map(|_| TRUTH_AND_VALUE),
    }
}

fn of_value(schema: &Schema, node: &BoundNode) -> Option<&'static str> {
    match node.term() {
        Term::Sign(_, operand) => of_value(schema, operand),
        Term::Binary(_, BinaryOperator::Modulo, _) => Some(REMAINDER),
        Term::Binary(_, BinaryOperator::Concat, _) => Some(END_OF_TEXT),
        // A sum of parts of a date need not recur every year.
        Term::Binary(left, _, right) => {
            of_value(schema, left).or_else(|| of_value(schema, right)).filter(|reason| *reason != CYCLE)
        }
        Term::Call(call) => match call.operation() {
            Operation::PositiveRemainder => Some(REMAINDER),
            Operation::Length => Some(LENGTH),
            Operation::Concatenate => Some(END_OF_TEXT),
            _ if call.function.is_some_and(|function| function.cycle.is_some()) => Some(CYCLE),
            _ => call.arguments.first().and_then(|first| of_value(schema, first)),
        },
        Term::Cast(operand, to) => {
            let is_number =
                size_of(to).is_some() || matches!(to, Type::Float | Type::Double | Type::Decimal { .. });
            let is_text = Chain::of(schema, operand)
                .is_some_and(|chain| matches!(schema.key.fields[chain.field].kind, FieldKind::Text(_)));
            if is_number && is_text { Some(NUMBER_OF_TEXT) } else { of_value(schema, operand) }
        }
        _ => match node.operation() {
            Some((Operator::Not | Operator::BitwiseNot, [operand])) => of_value(schema, operand),
            _ => None,
        },
    }
}

//! Why a condition is true for no row.

use chrono::NaiveTime;

use super::truth::{is_never, is_null, null_test};
use super::truth_test::{TruthTest, truth_test};
use super::wanted::Wanted;
use crate::analyze::bind::{BoundConstant, BoundNode, Operator};
use crate::analyze::constant::{Constant, Term, Tree as _, fold, remedy};
use crate::key::field::{Field, FieldKind};
use crate::schema::model::Schema;
use saltplan_document::diag::Diagnostic;
use saltplan_sql::ast::Expr;
use saltplan_sql::time::format::parse_timestamp;
use saltplan_sql::time::pattern::Granularity;

const NULL_OPERAND: &str = "nothing compares with NULL";
const ALWAYS_FALSE: &str = "it is always false";

/// Why a condition is true for no row, whatever the key holds: a NULL in it, or a test for one.
pub(super) fn why_always_false(schema: &Schema, node: &BoundNode) -> String {
    if let Some(reason) = never_null(schema, node) {
        return reason;
    }
    let is_literal = |null: &BoundNode| null.brackets == 0 && matches!(spelled(null), Some(Expr::Literal(_)));
    match node.compared().iter().find(|operand| is_null(operand)) {
        Some(null) => match text_of_day(null) {
            Some(day) => format!("`{null}` is NULL in Hive: write {day}"),
            None if is_literal(null) => NULL_OPERAND.into(),
            None => format!("`{null}` is NULL in Hive"),
        },
        None if is_never(node, Wanted::TRUE) || is_never(node, Wanted::FALSE) => NULL_OPERAND.into(),
        None => ALWAYS_FALSE.into(),
    }
}

/// Why no value of a field satisfies a condition on it.
pub(super) fn why_no_value(schema: &Schema, node: &BoundNode, warnings: &[Diagnostic]) -> String {
    if let Some(reason) = never_null(schema, node) {
        return reason;
    }
    if let Some(warning) = warnings.first() {
        return warning.message.clone();
    }
    let operands = node.compared();
    let Some(field) = operands.iter().find_map(|operand| field_in(schema, operand)) else {
        return ALWAYS_FALSE.into();
    };
    let name = &field.name;
    let is_day = matches!(&field.kind, FieldKind::Calendar(calendar)
            if calendar.format.granularity() == Granularity::Day);
    match operands.iter().find_map(time_of_day) {
        Some(time) if is_day => {
            format!("`{name}` is a day, and {time} has a time of day: write the day alone")
        }
        _ if matches!(node.operation(), Some((Operator::Between { .. }, _))) => {
            format!("no value of `{name}` lies between its bounds")
        }
        _ => format!("no value of `{name}` satisfies it"),
    }
}

/// The reason for a test whether a field is NULL that never is.
fn never_null(schema: &Schema, node: &BoundNode) -> Option<String> {
    let may_be_null = || field_in(schema, node).is_some_and(|field| field.kind.is_nullable());
    (is_about_null(node) && !may_be_null()).then(|| "this key field is never NULL".into())
}

/// The field that an expression is computed from.
fn field_in<'s>(schema: &'s Schema, node: &BoundNode) -> Option<&'s Field> {
    let mut field = None;
    node.walk(&mut |part| field = field.or_else(|| part.field()));
    field.map(|id| &schema.key.fields[id])
}

/// Whether a condition asks whether something is NULL.
fn is_about_null(node: &BoundNode) -> bool {
    match truth_test(node) {
        Some(TruthTest::SameValue { left, right, .. }) => is_null(left) || is_null(right),
        _ => null_test(node).is_some(),
    }
}

/// If an expression is NULL because its day has no hyphens (`'20200406'`): the day with hyphens, as Hive reads dates.
fn text_of_day(node: &BoundNode) -> Option<String> {
    match node.term() {
        Term::Cast(operand, _) => text_of_day(operand),
        Term::Binary(left, _, right) => text_of_day(left).or_else(|| text_of_day(right)),
        Term::Call(call) => call.arguments.iter().find_map(text_of_day),
        _ => {
            if let Some(Expr::TypedText { text, .. }) = spelled(node) {
                return remedy(&Constant::Text(text));
            }
            remedy(&fold(node)?)
        }
    }
}

fn spelled(node: &BoundNode) -> Option<Expr> {
    node.uncast().constant().map(BoundConstant::spelled)
}

fn time_of_day(node: &BoundNode) -> Option<String> {
    let at = match fold(node)? {
        Constant::Timestamp(at) => at,
        Constant::Text(text) => parse_timestamp(&text)?,
        _ => return None,
    };
    (at.time() != NaiveTime::MIN).then(|| format!("`{at}`"))
}

//! Why a condition is true for no row.

use chrono::NaiveTime;

use super::truth::{is_never, null_test};
use super::truth_test::{TruthTest, truth_test};
use super::wanted::Wanted;
use crate::analyze::constant::remedy;
use crate::analyze::constant::{Constant, fold};
use crate::key::field::{Field, FieldKind};
use crate::schema::model::Schema;
use saltplan_document::diag::Diagnostic;
use saltplan_sql::ast::{Expr, Node};
use saltplan_sql::rewrite::{operands, walk};
use saltplan_sql::time::format::parse_timestamp;
use saltplan_sql::time::pattern::Granularity;

const NULL_OPERAND: &str = "nothing compares with NULL";
const ALWAYS_FALSE: &str = "it is always false";

/// Why a condition is true for no row, whatever the key holds: a NULL in it, or a test for one.
pub(super) fn why_always_false(schema: &Schema, expr: &Expr) -> String {
    if let Some(reason) = never_null(schema, expr) {
        return reason;
    }
    let is_null = |expr: &&Node| fold(expr) == Some(Constant::Null);
    match operands(expr).into_iter().find(is_null) {
        Some(null) => match text_of_day(null) {
            Some(day) => format!("`{null}` is NULL in Hive: write {day}"),
            None if matches!(null.expr, Expr::Literal(_)) => NULL_OPERAND.into(),
            None => format!("`{null}` is NULL in Hive"),
        },
        None if is_never(expr, Wanted::TRUE) || is_never(expr, Wanted::FALSE) => NULL_OPERAND.into(),
        None => ALWAYS_FALSE.into(),
    }
}

/// Why no value of a field satisfies a condition on it.
pub(super) fn why_no_value(schema: &Schema, expr: &Expr, warnings: &[Diagnostic]) -> String {
    if let Some(reason) = never_null(schema, expr) {
        return reason;
    }
    if let Some(warning) = warnings.first() {
        return warning.message.clone();
    }
    let operands = operands(expr);
    let Some(field) = operands.iter().find_map(|operand| field_in(schema, operand)) else {
        return ALWAYS_FALSE.into();
    };
    let name = &field.name;
    let is_day = matches!(&field.kind, FieldKind::Calendar(calendar)
            if calendar.format.granularity() == Granularity::Day);
    match operands.iter().find_map(|operand| time_of_day(operand)) {
        Some(time) if is_day => {
            format!("`{name}` is a day, and {time} has a time of day: write the day alone")
        }
        _ if matches!(expr, Expr::Between { .. }) => {
            format!("no value of `{name}` lies between its bounds")
        }
        _ => format!("no value of `{name}` satisfies it"),
    }
}

/// The reason for a test whether a field is NULL that never is.
fn never_null(schema: &Schema, expr: &Expr) -> Option<String> {
    let may_be_null = || field_in(schema, expr).is_some_and(|field| field.kind.is_nullable());
    (is_about_null(expr) && !may_be_null()).then(|| "this key field is never NULL".into())
}

/// The field that an expression is computed from.
fn field_in<'s>(schema: &'s Schema, expr: &Expr) -> Option<&'s Field> {
    let mut field = None;
    walk(expr, &mut |part| {
        if let Expr::Column(column) = part {
            field = field.or_else(|| schema.field(&column.name));
        }
    });
    field.map(|id| &schema.key.fields[id])
}

/// Whether a condition asks whether something is NULL.
fn is_about_null(expr: &Expr) -> bool {
    let is_null = |expr: &Expr| fold(expr) == Some(Constant::Null);
    match truth_test(expr) {
        Some(TruthTest::SameValue { left, right, .. }) => is_null(left) || is_null(right),
        _ => null_test(expr).is_some(),
    }
}

/// A date as Hive reads it, for a day without hyphens in an expression that is NULL.
fn text_of_day(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => text_of_day(inner),
        Expr::BinaryOp { left, right, .. } => text_of_day(left).or_else(|| text_of_day(right)),
        Expr::Call(call) => call.arguments.iter().find_map(|argument| text_of_day(argument)),
        Expr::TypedText { text, .. } => remedy(&Constant::Text(text.clone())),
        _ => remedy(&fold(expr)?),
    }
}

fn time_of_day(expr: &Expr) -> Option<String> {
    let at = match fold(expr)? {
        Constant::Timestamp(at) => at,
        Constant::Text(text) => parse_timestamp(&text)?,
        _ => return None,
    };
    (at.time() != NaiveTime::MIN).then(|| format!("`{at}`"))
}

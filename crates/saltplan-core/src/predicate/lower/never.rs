//! Why a condition is true for no row.

use crate::hiveql::ast::Expr;
use chrono::NaiveTime;

use super::Lowering;
use super::truth::is_never;
use crate::diag::{Diagnostic, DiagnosticKind, Span};
use crate::key::time_format::{Granularity, parse_timestamp};
use crate::predicate::constant::{Constant, fold};
use crate::predicate::constant_call::remedy;
use crate::predicate::parse::Leaf;
use crate::predicate::term::{View, recognise};
use crate::schema::model::FieldKind;

/// Conditions that are spoken of, at most.
const MAX_TOLD: usize = 4;

impl Lowering<'_> {
    /// `warned` is how many warnings there were before the condition.
    pub(super) fn tell_never(&mut self, leaf: &Leaf, wanted: bool, warned: usize) {
        if self.never.len() >= MAX_TOLD || !self.errors.is_empty() {
            return;
        }
        let text = self.fragment(leaf.tokens.clone());
        let text = if wanted { text } else { text.negated() };
        let told = format!("`{text}` is true for no row: {}", self.why_never(&leaf.expr, warned));
        if !self.never.contains(&told) {
            self.never.push(told);
        }
    }

    /// A day as the upper bound of a time is its first moment.
    pub(super) fn tell_last_day(&mut self, operand: &Expr, high: &Constant, span: Span) {
        let day = match high {
            Constant::Date(day) => *day,
            Constant::Text(text) if text.trim().len() == 10 => match parse_timestamp(text) {
                Some(at) => at.date(),
                None => return,
            },
            _ => return,
        };
        let Some(term) = recognise(self.schema, operand).filter(|term| term.view == View::Whole) else {
            return;
        };
        let field = &self.schema.key.fields[term.field];
        let has_time = match &field.kind {
            FieldKind::Epoch(_) => true,
            FieldKind::Calendar(calendar) => calendar.format.granularity() > Granularity::Day,
            _ => false,
        };
        let Some(next) = day.succ_opt().filter(|_| has_time) else { return };
        let name = &field.name;
        self.warnings.push(
            Diagnostic::note(format!("`{name}` up to '{day}' leaves out that day after 00:00:00"))
                .at(&self.parsed.source, span, "in this condition")
                .with_help(format!("for the whole day write `{name} < '{next}'` as the upper bound"))
                .with_kind(DiagnosticKind::DayAsBound),
        );
    }

    fn why_never(&self, expr: &Expr, warned: usize) -> String {
        let operands = operands(expr);
        let is_null = |expr: &&&Expr| fold(expr) == Some(Constant::Null);
        if let Some(null) = operands.iter().find(is_null) {
            return match text_of_day(null) {
                Some(day) => format!("`{null}` is NULL in Hive: write {day}"),
                None if matches!(null, Expr::Literal(_)) => "nothing compares with NULL".into(),
                None => format!("`{null}` is NULL in Hive"),
            };
        }
        if is_never(expr, true) || is_never(expr, false) {
            return "nothing compares with NULL".into();
        }
        if let Some(warning) = self.warnings.get(warned) {
            return warning.message.clone();
        }
        let field = operands.iter().find_map(|operand| recognise(self.schema, operand));
        let Some(field) = field.map(|term| &self.schema.key.fields[term.field]) else {
            return match expr {
                Expr::IsNull(_) => "a key field is never NULL".into(),
                _ => "nothing can make it true".into(),
            };
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
}

/// What a condition compares.
pub(super) fn operands(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Nested(inner) => operands(inner),
        Expr::BinaryOp { left, right, .. } => vec![left, right],
        Expr::Between { expr, low, high, .. } => vec![expr, low, high],
        Expr::InList { expr, list, .. } => std::iter::once(expr.as_ref()).chain(list).collect(),
        Expr::Like { expr, pattern, .. } | Expr::RLike { expr, pattern, .. } => vec![expr, pattern],
        _ => Vec::new(),
    }
}

/// A day written without hyphens somewhere in an expression that is NULL, as Hive takes it.
fn text_of_day(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => text_of_day(inner),
        Expr::BinaryOp { left, right, .. } => text_of_day(left).or_else(|| text_of_day(right)),
        Expr::Call(call) => call.arguments.iter().find_map(text_of_day),
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

//! What a condition compares: a key field, or a function of one that the planner knows.

use sqlparser::ast::{BinaryOperator, DataType, Expr};

use super::constant::{Constant, fold};
use super::function::Call;
use crate::key::time_format::TimeFormat;
use crate::schema::model::{Schema, EpochUnit, FieldKind, TextField};

/// A key field seen through a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    pub field: usize,
    pub view: View,
}

#[derive(Debug, Clone, PartialEq)]
pub enum View {
    Whole,
    /// The first characters.
    Prefix(usize),
    /// The last characters.
    Suffix(usize),
    /// The characters in reverse order.
    Reversed,
    /// The first characters of the reversed text.
    ReversedPrefix(usize),
    Lower,
    /// A date or an instant, printed.
    Formatted(TimeFormat),
    /// Month of the year, 1 to 12.
    Month,
    /// Day of the month, 1 to 31.
    Day,
}

/// Recognises a term; `None` for every other expression.
pub fn recognise(schema: &Schema, expr: &Expr) -> Option<Term> {
    match expr {
        Expr::Identifier(ident) => whole(schema, &ident.value),
        Expr::CompoundIdentifier(parts) => whole(schema, &parts.last()?.value),
        Expr::Nested(inner) => recognise(schema, inner),
        Expr::Cast { expr, data_type, .. } => {
            let term = recognise(schema, expr)?;
            let kind = &schema.key.fields[term.field].kind;
            let keeps_meaning = match term.view {
                View::Whole => cast_keeps_order(kind, data_type),
                View::Formatted(ref format) => format.is_digits() && is_string_or_integer(data_type),
                View::Month | View::Day => is_integer(data_type),
                _ => is_string(data_type),
            };
            if keeps_meaning {
                return Some(term);
            }
            match data_type {
                DataType::Date if has_date(kind) => formatted(term, "yyyy-MM-dd"),
                _ => None,
            }
        }
        _ => call(schema, &Call::of(expr)?),
    }
}

fn whole(schema: &Schema, name: &str) -> Option<Term> {
    schema.field(name).map(|field| Term { field, view: View::Whole })
}

fn is_string(data_type: &DataType) -> bool {
    matches!(data_type, DataType::String(_))
}

fn is_integer(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Int(_) | DataType::Integer(_) | DataType::BigInt(_))
}

fn is_string_or_integer(data_type: &DataType) -> bool {
    is_string(data_type) || is_integer(data_type)
}

fn has_date(kind: &FieldKind) -> bool {
    matches!(kind, FieldKind::Calendar(_) | FieldKind::Epoch(_))
}

/// Whether a cast of the field compares as the field itself does.
fn cast_keeps_order(kind: &FieldKind, data_type: &DataType) -> bool {
    match kind {
        FieldKind::Calendar(calendar) => calendar.format.is_digits() && is_string_or_integer(data_type),
        FieldKind::Text(TextField { width: Some(_), chars, .. }) if chars.is_digits() => {
            is_string(data_type) || matches!(data_type, DataType::BigInt(_))
        }
        FieldKind::Text(_) => is_string(data_type),
        FieldKind::Integer(_) => matches!(data_type, DataType::BigInt(_)),
        FieldKind::Epoch(_) => matches!(data_type, DataType::BigInt(_) | DataType::Timestamp(..)),
    }
}

fn formatted(term: Term, pattern: &str) -> Option<Term> {
    let format = TimeFormat::parse(pattern).ok()?;
    (term.view == View::Whole).then_some(Term { view: View::Formatted(format), ..term })
}

fn call(schema: &Schema, call: &Call<'_>) -> Option<Term> {
    let (first, rest) = call.arguments.split_first()?;
    let name = call.name.as_str();
    if name == "from_unixtime" {
        let term = epoch_seconds(schema, first)?;
        return match rest {
            [] => formatted(term, "yyyy-MM-dd HH:mm:ss"),
            [pattern] => formatted(term, &text(pattern)?),
            _ => None,
        };
    }
    let term = recognise(schema, first)?;
    let kind = &schema.key.fields[term.field].kind;
    match (name, rest) {
        ("substr" | "substring" | "left" | "right" | "reverse" | "lower", _) => text_call(term, kind, name, rest),
        ("date_format", [pattern]) if has_date(kind) => formatted(term, &text(pattern)?),
        ("to_date" | "date", []) if has_date(kind) => formatted(term, "yyyy-MM-dd"),
        ("year", []) if has_date(kind) => formatted(term, "yyyy"),
        ("month", []) if has_date(kind) => (term.view == View::Whole).then_some(Term { view: View::Month, ..term }),
        ("day" | "dayofmonth", []) if has_date(kind) => {
            (term.view == View::Whole).then_some(Term { view: View::Day, ..term })
        }
        _ => None,
    }
}

/// Functions of text. A calendar field counts as the text that it is stored as.
fn text_call(term: Term, kind: &FieldKind, name: &str, rest: &[&Expr]) -> Option<Term> {
    if !matches!(kind, FieldKind::Text(_) | FieldKind::Calendar(_)) {
        return None;
    }
    let numbers = rest.iter().map(|argument| integer(argument)).collect::<Option<Vec<i64>>>()?;
    let view = match (name, &term.view, numbers.as_slice()) {
        // Hive counts from 1 and takes 0 for 1.
        ("substr" | "substring", View::Whole, [0 | 1, count]) | ("left", View::Whole, [count]) => {
            View::Prefix(positive(*count)?)
        }
        ("substr" | "substring", View::Reversed, [0 | 1, count]) | ("left", View::Reversed, [count]) => {
            View::ReversedPrefix(positive(*count)?)
        }
        ("substr" | "substring", View::Whole, [from]) if *from < 0 => View::Suffix(positive(from.checked_neg()?)?),
        ("substr" | "substring", View::Whole, [from, count]) if *from < 0 && from.checked_neg()? <= *count => {
            View::Suffix(positive(from.checked_neg()?)?)
        }
        ("right", View::Whole, [count]) => View::Suffix(positive(*count)?),
        ("reverse", View::Whole, []) => View::Reversed,
        ("reverse", View::Reversed, []) => View::Whole,
        ("lower", View::Whole, []) => View::Lower,
        _ => return None,
    };
    Some(Term { view, ..term })
}

fn positive(count: i64) -> Option<usize> {
    usize::try_from(count).ok().filter(|count| *count > 0)
}

fn integer(expr: &Expr) -> Option<i64> {
    match fold(expr)? {
        Constant::Number(number) => match number.ceiling() {
            (whole, true) => i64::try_from(whole).ok(),
            _ => None,
        },
        _ => None,
    }
}

fn text(expr: &Expr) -> Option<String> {
    match fold(expr)? {
        Constant::Text(text) => Some(text),
        _ => None,
    }
}

/// An epoch field as seconds: itself, or milliseconds divided by 1000 and cut to a whole number.
fn epoch_seconds(schema: &Schema, expr: &Expr) -> Option<Term> {
    let unit_of = |term: &Term| match &schema.key.fields[term.field].kind {
        FieldKind::Epoch(epoch) if term.view == View::Whole => Some(epoch.unit),
        _ => None,
    };
    match expr {
        Expr::Nested(inner) => epoch_seconds(schema, inner),
        Expr::Cast { expr, data_type: DataType::BigInt(_) | DataType::Int(_), .. } => epoch_seconds(schema, expr),
        Expr::Floor { expr, .. } => epoch_seconds(schema, expr),
        Expr::BinaryOp { left, op: BinaryOperator::Divide | BinaryOperator::MyIntegerDivide, right } => {
            let term = recognise(schema, left)?;
            (unit_of(&term)? == EpochUnit::Milliseconds && integer(right)? == 1_000).then_some(term)
        }
        _ => {
            let term = recognise(schema, expr)?;
            (unit_of(&term)? == EpochUnit::Seconds).then_some(term)
        }
    }
}

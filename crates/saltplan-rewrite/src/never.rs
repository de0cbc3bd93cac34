//! Comparisons that stay in the query and that Hive finds true for no row, or for others than meant, because a constant has another form than the type of the
//! column: `day = '2024-06-01'`, where `day` is an int. Predicates of saltplan take such constants, so the ranges may look right.

use std::ops::Range;

use saltplan_core::messages::Span;
use saltplan_core::table::{LogicalColumn, TimeReading};
use saltplan_sql::functions::{Function, ResultType, Rows};

use crate::meaning::{is_day, is_time};
use crate::rules::{TEMPLATES, is_iso, literal, shape};
use crate::skeleton::begins_query;
use crate::tokens::{Kind, Tokens};
use saltplan_sql::hive_type::Type;

/// A constant that Hive does not read as a value of the column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreign {
    pub span: Span,
    pub message: String,
    /// The constant as written, to say how it is written for Hive.
    pub constant: String,
}

/// A column with its table, if there is one.
type OfTable<'c, T> = Option<(T, &'c LogicalColumn<'c>)>;

/// How a constant is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    /// `=`, `IN`, `<=>`: for equal values.
    Equal,
    /// `NOT IN`, `IS DISTINCT FROM`.
    Excludes,
    /// Everything else is NULL, whatever it asks.
    Other,
}

/// A constant in a text.
#[derive(Debug, Clone, Copy)]
enum Constant<'t> {
    Text(&'t str),
    Number,
    /// `DATE '…'` or `TIMESTAMP '…'`.
    Typed,
}

/// Signs behind a constant that make it a part of something else.
const OPERATORS: [&str; 9] = ["+", "-", "*", "/", "%", "||", "|", "&", "^"];

/// The comparisons of a block with a constant that Hive does not read as a value of the column, outside its subqueries, each with the
/// table and the column; the first constant of a list stands for all. `column` finds the column of a name, given the tokens of its parts.
pub fn foreign<'c, T>(
    t: &Tokens<'_>,
    block: &Range<usize>,
    column: &dyn Fn(&[usize]) -> OfTable<'c, T>,
) -> Vec<((T, &'c str), Foreign)> {
    let mut found = Vec::new();
    let mut at = block.start;
    while at < block.end {
        if begins_query(t, at) {
            at = t.after(at);
            continue;
        }
        if !t.is_name(at) || at > 0 && t.is_sign(at - 1, ".") {
            at += 1;
            continue;
        }
        let parts: &[usize] = match t.is_sign(at + 1, ".") && t.is_name(at + 2) {
            true => &[at, at + 2],
            false => &[at],
        };
        let behind = parts[parts.len() - 1] + 1;
        let is_longer = t.is_sign(behind, ".") || t.is_sign(behind, "(");
        if let Some((table, column)) = column(parts).filter(|_| !is_longer) {
            found.extend(compared(t, at..behind, column).map(|foreign| ((table, column.name), foreign)));
        }
        at = behind;
    }
    found
}

/// The first constant with which a column is compared and that Hive does not read as its value.
fn compared(t: &Tokens<'_>, name: Range<usize>, column: &LogicalColumn<'_>) -> Option<Foreign> {
    let operand = with_brackets(t, name)?;
    let check = |(constant, place): (Constant<'_>, Range<usize>), comparison: Comparison, in_list: bool| {
        let reason = reason(column, constant, comparison, in_list)?;
        let span = t.place(&place);
        let constant = t.text[span.start..span.end].to_string();
        Some(Foreign { span, message: format!("to Hive {constant} {reason}"), constant })
    };
    let mut at = operand.end;
    let of_sign = |at: usize| match t.raw(at) {
        _ if t.kind(at) != Some(Kind::Sign) => None,
        "=" | "==" | "<=>" => Some(Comparison::Equal),
        "<>" | "!=" | "<" | "<=" | ">" | ">=" => Some(Comparison::Other),
        _ => None,
    };
    if let Some(comparison) = of_sign(at) {
        return check(constant(t, at + 1)?, comparison, false);
    }
    if let Some(comparison) = operand.start.checked_sub(1).and_then(of_sign) {
        return check(constant_before(t, operand.start - 1)?, comparison, false);
    }
    if t.is_word(at, "is") {
        let is_not = t.is_word(at + 1, "not");
        let from = at + 2 + usize::from(is_not);
        let is_distinct = t.is_word(from - 1, "distinct") && t.is_word(from, "from");
        let comparison = if is_not { Comparison::Equal } else { Comparison::Excludes };
        return check(constant(t, from + 1).filter(|_| is_distinct)?, comparison, false);
    }
    let is_not = t.is_word(at, "not");
    at += usize::from(is_not);
    if t.is_word(at, "between") {
        let first = constant(t, at + 1)?;
        let and = first.1.end;
        let second = constant(t, and + 1).filter(|_| t.is_word(and, "and"));
        return check(first, Comparison::Other, false).or_else(|| check(second?, Comparison::Other, false));
    }
    let items = t.inside(at + 1).filter(|_| t.is_word(at, "in"))?;
    let comparison = if is_not { Comparison::Excludes } else { Comparison::Equal };
    let mut at = items.start;
    while at < items.end {
        let end = t.until(at..items.end, |at| t.is_sign(at, ","));
        let foreign = constant(t, at).filter(|(_, place)| place.end == end);
        if let Some(foreign) = foreign.and_then(|foreign| check(foreign, comparison, true)) {
            return Some(foreign);
        }
        at = end + 1;
    }
    None
}

/// A name with brackets around it, and with `max` or `min`, which keep its values; `None` in any other function.
fn with_brackets(t: &Tokens<'_>, name: Range<usize>) -> Option<Range<usize>> {
    let mut range = name;
    while range.start > 0 && t.inside(range.start - 1) == Some(range.clone()) {
        range = range.start - 1..range.end + 1;
        let before = range.start.checked_sub(1);
        if let Some(before) = before.filter(|before| chooses_a_row(t, *before)) {
            range.start = before;
        } else if before.is_some_and(|before| t.is_name(before) && !t.is_any(before, &BEFORE_BRACKET)) {
            return None;
        }
    }
    Some(range)
}

/// Whether a token is an aggregate function that gives the argument of one of its rows.
fn chooses_a_row(t: &Tokens<'_>, at: usize) -> bool {
    t.kind(at) == Some(Kind::Word)
        && Function::everywhere(&t.name(at)).is_some_and(|function| {
            function.rows == Rows::Aggregate && function.result == ResultType::OfArgument(0)
        })
}

/// Words before a bracket that are not the name of a function.
const BEFORE_BRACKET: [&str; 12] =
    ["where", "and", "or", "not", "on", "having", "when", "then", "else", "case", "between", "select"];

/// The constant that starts at a token, and its tokens.
fn constant<'t>(t: &Tokens<'t>, at: usize) -> Option<(Constant<'t>, Range<usize>)> {
    let (constant, end) = match t.kind(at)? {
        Kind::Text => (Constant::Text(text(t, at)?), at + 1),
        Kind::Number => (Constant::Number, at + 1),
        Kind::Sign if t.is_sign(at, "-") && t.kind(at + 1) == Some(Kind::Number) => {
            (Constant::Number, at + 2)
        }
        Kind::Word if t.is_any(at, &["date", "timestamp"]) && t.kind(at + 1) == Some(Kind::Text) => {
            (Constant::Typed, at + 2)
        }
        _ => return None,
    };
    let goes_on =
        t.kind(end) == Some(Kind::Text) || t.kind(end) == Some(Kind::Sign) && OPERATORS.contains(&t.raw(end));
    (!goes_on).then_some((constant, at..end))
}

/// The constant that ends before a token.
fn constant_before<'t>(t: &Tokens<'t>, end: usize) -> Option<(Constant<'t>, Range<usize>)> {
    let last = end.checked_sub(1)?;
    let start = match last.checked_sub(1) {
        Some(before) if t.is_any(before, &["date", "timestamp"]) || t.is_sign(before, "-") => before,
        _ => last,
    };
    let goes_on = start.checked_sub(1).is_some_and(|before| {
        t.kind(before) == Some(Kind::Text)
            || t.kind(before) == Some(Kind::Number)
            || t.kind(before) == Some(Kind::Sign) && OPERATORS.contains(&t.raw(before))
    });
    constant(t, start).filter(|(_, place)| place.end == end && !goes_on)
}

/// The content of a text without escapes and placeholders.
fn text<'t>(t: &Tokens<'t>, at: usize) -> Option<&'t str> {
    let raw = t.raw(at);
    let is_plain = !raw.contains('\\') && !TEMPLATES.iter().any(|sign| raw.contains(sign));
    is_plain.then(|| literal(raw))
}

/// Why Hive does not read a constant as a value of a column, and what follows from it.
fn reason(
    column: &LogicalColumn<'_>,
    constant: Constant<'_>,
    comparison: Comparison,
    in_list: bool,
) -> Option<String> {
    let (name, hive_type) = (column.name, &column.hive_type);
    let effect = match comparison {
        Comparison::Equal | Comparison::Other => "so the condition is true for no row",
        Comparison::Excludes => "so it excludes no row",
    };
    let of_type = format!("`{name}` is a column of the type {hive_type}, {effect}");
    match (column.time, constant) {
        (TimeReading::Text(format), Constant::Text(text))
            if is_iso(text) && shape(text.trim()) != shape(format) =>
        {
            let effect = match comparison {
                Comparison::Other => "so the condition compares characters and finds other rows",
                _ => effect,
            };
            Some(format!("is a text in another form than `{name}`, which is `{format}`, {effect}"))
        }
        // Measured: Hive counts days or seconds since 1970.
        (TimeReading::Time, Constant::Number) => Some(format!(
            "is a number of days or seconds since 1970: `{name}` is a column of the type {hive_type}, so the condition finds other rows"
        )),
        (TimeReading::Number, Constant::Typed) => Some(format!(
            "is the number of its days or seconds since 1970: `{name}` is a column of the type {hive_type}, so the condition finds other rows"
        )),
        (TimeReading::Time, Constant::Text(text)) => {
            let is_date = *hive_type == Type::Date;
            let is_read = is_day(text) && (is_date || !in_list) || is_time(text) && !is_date;
            (!is_read).then(|| format!("is not a {hive_type}: {of_type}"))
        }
        (_, Constant::Text(text)) if hive_type.is_number() && !is_number(text) => {
            Some(format!("is not a number: {of_type}"))
        }
        _ => None,
    }
}

/// Whether Hive reads a text as a number; Java also knows the suffixes `d` and `f`.
fn is_number(text: &str) -> bool {
    let text = text.trim();
    let without = text.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(text);
    text.parse::<f64>().is_ok() || without.parse::<f64>().is_ok()
}

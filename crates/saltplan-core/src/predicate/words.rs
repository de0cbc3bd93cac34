//! Sets of values in the words of a predicate: what the planner says of its own accord.

use super::{FieldReading, SqlPiece, SqlText, ValueSet};
use crate::key::field::{CalendarField, FieldId, FieldKind, TextField};
use crate::key::interval::{Interval, IntervalSet};
use crate::key::range::KeyRange;

/// A condition that holds just for the values of a set; `None` where it cannot be written as comparisons of the field.
///
/// `name` is the field as the predicate spells it.
pub fn words_of(field: FieldId, kind: &FieldKind, name: &str, values: &ValueSet) -> Option<SqlText> {
    let name = SqlPiece::Field { id: field, reading: FieldReading::Value, spelled: name.to_string() };
    match (values, kind) {
        (ValueSet::Numbers(numbers), FieldKind::Integer(_) | FieldKind::Epoch(_)) => {
            words_of_numbers(&name, numbers, |number| Some(SqlPiece::Text(number.to_string())))
        }
        (ValueSet::Numbers(numbers), FieldKind::Calendar(calendar)) if calendar.format.sorts() => {
            words_of_numbers(&name, numbers, |number| date(calendar, number))
        }
        (ValueSet::Text(texts), FieldKind::Text(field)) => words_of_texts(&name, field, texts),
        _ => None,
    }
}

fn date(calendar: &CalendarField, ordinal: i128) -> Option<SqlPiece> {
    calendar.format.format(i64::try_from(ordinal).ok()?).map(SqlPiece::Literal)
}

fn words_of_numbers(
    name: &SqlPiece,
    numbers: &IntervalSet<i128>,
    literal: impl Fn(i128) -> Option<SqlPiece>,
) -> Option<SqlText> {
    let mut listed = Vec::new();
    let mut arms = Vec::new();
    for Interval { start, stop } in numbers.intervals() {
        let last = stop.map(|stop| stop - 1);
        match last {
            Some(last) if last == *start => listed.push(literal(*start)?),
            Some(last) => {
                let (start, last) = (literal(*start)?, literal(last)?);
                arms.push(SqlText(vec![name.clone(), text(" BETWEEN "), start, text(" AND "), last]));
            }
            None => arms.push(SqlText(vec![name.clone(), text(" >= "), literal(*start)?])),
        }
    }
    Some(any_of(name, listed, arms))
}

fn words_of_texts(name: &SqlPiece, field: &TextField, texts: &IntervalSet<Vec<u8>>) -> Option<SqlText> {
    let mut listed = Vec::new();
    let mut arms = Vec::new();
    for range in texts.intervals() {
        if range.is_point() {
            let stored = std::str::from_utf8(&range.start).ok()?;
            let value = if field.reverse { stored.chars().rev().collect() } else { stored.to_string() };
            listed.push(SqlPiece::Literal(value));
        } else {
            arms.push(text_range(name, field.reverse, range)?);
        }
    }
    Some(any_of(name, listed, arms))
}

/// `f >= 'a' AND f < 'b'`, over the text in the order in which it is stored.
fn text_range(name: &SqlPiece, reverse: bool, range: &KeyRange) -> Option<SqlText> {
    let operand = || {
        let name = SqlText(vec![name.clone()]);
        if reverse { name.wrapped("reverse(", ")") } else { name }
    };
    // A bound with a zero byte behind a text is next to the text itself.
    let bound = |bytes: &[u8], at_text: &str, behind_text: &str| {
        let (operator, bytes) = match bytes.strip_suffix(&[0]) {
            Some(bytes) => (behind_text, bytes),
            None => (at_text, bytes),
        };
        let value = std::str::from_utf8(bytes).ok()?.to_string();
        let mut words = operand();
        words.0.extend([text(format!(" {operator} ")), SqlPiece::Literal(value)]);
        Some(words)
    };
    let start = (!range.start.is_empty()).then(|| bound(&range.start, ">=", ">"));
    let stop = range.stop.as_ref().map(|stop| bound(stop, "<", "<="));
    match (start, stop) {
        (Some(start), Some(stop)) => Some(SqlText::joined(&[start?, stop?], "AND")),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => Some(SqlText::text("TRUE")),
    }
}

fn any_of(name: &SqlPiece, listed: Vec<SqlPiece>, mut arms: Vec<SqlText>) -> SqlText {
    if let Some((first, more)) = listed.split_first() {
        let mut list = vec![name.clone()];
        if more.is_empty() {
            list.extend([text(" = "), first.clone()]);
        } else {
            list.extend([text(" IN ("), first.clone()]);
            list.extend(more.iter().flat_map(|value| [text(", "), value.clone()]));
            list.push(text(")"));
        }
        arms.push(SqlText(list));
    }
    if arms.is_empty() { SqlText::text("FALSE") } else { SqlText::joined(&arms, "OR") }
}

fn text(text: impl Into<String>) -> SqlPiece {
    SqlPiece::Text(text.into())
}

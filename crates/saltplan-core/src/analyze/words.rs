//! Sets of values as conditions, in the words of a predicate.

use super::ValueSet;
use crate::key::field::{CalendarField, FieldKind, TextField};
use crate::key::interval::{Interval, IntervalSet};
use crate::key::range::KeyRange;
use saltplan_sql::ast::{BinaryOperator, Column, Expr};
use saltplan_sql::functions::REVERSE;

/// A condition that is true exactly for the values of a set; `None` if it cannot be written as comparisons of the field.
///
/// `name` is the field as the predicate spells it.
pub fn words_of(kind: &FieldKind, name: &Column, values: &ValueSet) -> Option<Expr> {
    let name = Expr::Column(name.clone());
    match (values, kind) {
        (ValueSet::Numbers(numbers), FieldKind::Integer(_) | FieldKind::Epoch(_)) => {
            words_of_numbers(&name, numbers, |number| Some(Expr::number(number)))
        }
        (ValueSet::Numbers(numbers), FieldKind::Calendar(calendar)) if calendar.format.sorts() => {
            words_of_numbers(&name, numbers, |number| date(calendar, number))
        }
        (ValueSet::Text(texts), FieldKind::Text(field)) => words_of_texts(&name, field, texts),
        _ => None,
    }
}

fn date(calendar: &CalendarField, ordinal: i128) -> Option<Expr> {
    calendar.format.format(i64::try_from(ordinal).ok()?).map(Expr::text)
}

fn words_of_numbers(
    name: &Expr,
    numbers: &IntervalSet<i128>,
    literal: impl Fn(i128) -> Option<Expr>,
) -> Option<Expr> {
    let mut listed = Vec::new();
    let mut arms = Vec::new();
    for Interval { start, stop } in numbers.intervals() {
        let last = stop.map(|stop| stop - 1);
        match last {
            Some(last) if last == *start => listed.push(literal(*start)?),
            Some(last) => arms.push(name.between(literal(*start)?, literal(last)?)),
            None => arms.push(name.binary(BinaryOperator::GtEq, &literal(*start)?)),
        }
    }
    Some(any_of(name, listed, arms))
}

fn words_of_texts(name: &Expr, field: &TextField, texts: &IntervalSet<Vec<u8>>) -> Option<Expr> {
    let mut listed = Vec::new();
    let mut arms = Vec::new();
    let mut texts = texts.clone();
    // No comparison is true for NULL.
    if field.nullable && texts.contains(&Vec::new()) {
        texts = texts.subtract(&vec![KeyRange::point(Vec::new())].into());
        arms.push(name.is_null());
    }
    for range in texts.intervals() {
        if range.is_point() {
            let stored = std::str::from_utf8(&range.start).ok()?;
            listed.push(Expr::text(if field.reverse {
                stored.chars().rev().collect()
            } else {
                stored.to_string()
            }));
        } else {
            arms.push(text_range(name, field.reverse, range)?);
        }
    }
    Some(any_of(name, listed, arms))
}

/// `f >= 'a' AND f < 'b'`, over the text in the order in which it is stored.
fn text_range(name: &Expr, reverse: bool, range: &KeyRange) -> Option<Expr> {
    let operand = if reverse { Expr::call(&REVERSE, [name.clone()]) } else { name.clone() };
    // A bound that is a text and a zero byte comes directly after the text.
    let bound = |bytes: &[u8], at_text: BinaryOperator, behind_text: BinaryOperator| {
        let (op, bytes) = match bytes.strip_suffix(&[0]) {
            Some(bytes) => (behind_text, bytes),
            None => (at_text, bytes),
        };
        Some(operand.binary(op, &Expr::text(std::str::from_utf8(bytes).ok()?)))
    };
    let start =
        (!range.start.is_empty()).then(|| bound(&range.start, BinaryOperator::GtEq, BinaryOperator::Gt));
    let stop = range.stop.as_ref().map(|stop| bound(stop, BinaryOperator::Lt, BinaryOperator::LtEq));
    Some(Expr::conjunction(start.into_iter().chain(stop).collect::<Option<Vec<_>>>()?))
}

fn any_of(name: &Expr, listed: Vec<Expr>, mut arms: Vec<Expr>) -> Expr {
    if !listed.is_empty() {
        arms.push(name.is_one_of(listed));
    }
    Expr::disjunction(arms)
}

//! Operators, filters and functions of templates that count what they make before they make it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use minijinja::value::{Kwargs, Rest, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, Value, filters};

use super::counted;
use super::room::{ITEM_BYTES, Text, take};

/// How many bytes a filter of the engine makes at most of one byte of its operands: `&` becomes `&amp;`.
const GROWTH: usize = 6;

/// The engine's own operators.
static PLAIN: LazyLock<Environment<'static>> = LazyLock::new(Environment::new);

/// Replaces everything that can make a value larger than its operands.
pub fn add_to(environment: &mut Environment<'_>) {
    environment.add_function(counted::CONCAT, concat);
    environment.add_function(counted::ADD, |values: Rest<Value>| fold(&values, add));
    environment.add_function(counted::MULTIPLY, |values: Rest<Value>| fold(&values, multiply));
    environment.add_function(counted::SLICE, slice);
    macro_rules! of_texts {
        ($($name:ident),*) => { $(count(environment, stringify!($name), Value::from_function(filters::$name), GROWTH);)* };
    }
    macro_rules! of_lists {
        ($($name:ident),*) => { $(count(environment, stringify!($name), Value::from_function(filters::$name), ITEM_BYTES);)* };
    }
    of_texts!(safe, escape, lower, upper, title, capitalize, trim);
    count(environment, "e", Value::from_function(filters::escape), GROWTH);
    of_lists!(
        dictsort, items, reverse, split, lines, last, min, max, sort, list, sum, select, reject, selectattr,
        rejectattr, map, groupby, unique, chain, zip
    );
    environment.add_filter("string", |value: &Value| text_of(&[value]));
    environment.add_filter("replace", replace);
    environment.add_filter("indent", indent);
    environment.add_filter("format", format);
    environment.add_filter("slice", parts(Value::from_function(filters::slice)));
    environment.add_filter("batch", parts(Value::from_function(filters::batch)));
    // They print lists in lists, which may be much longer than they are in memory.
    for name in ["pprint", "tojson"] {
        environment.remove_filter(name);
    }
    environment.remove_global("debug");
}

/// A filter of the engine, whose result has at most `growth` bytes for each byte or item of its operands.
fn count(environment: &mut Environment<'_>, name: &'static str, filter: Value, growth: usize) {
    environment.add_filter(name, move |state: &mut State, operands: Rest<ValueOrKwargs>| {
        let operands = operands.into_values();
        for operand in &operands {
            take(size_of(operand)?.saturating_mul(growth))?;
        }
        filter.call(state, &operands)
    });
}

/// The bytes of a text, or the number of items. A list whose length is not known is counted.
fn size_of(value: &Value) -> Result<usize, Error> {
    if let Some(text) = value.as_str() {
        return Ok(text.len());
    }
    match (value.kind(), value.len()) {
        (ValueKind::Seq | ValueKind::Iterable | ValueKind::Map, Some(items)) => Ok(items),
        (ValueKind::Iterable, None) => {
            let mut items = 0;
            for _ in value.try_iter()? {
                take(1)?;
                items += 1;
            }
            Ok(items)
        }
        _ => Ok(1),
    }
}

fn undefined(value: &Value) -> Result<(), Error> {
    if value.is_undefined() { Err(Error::from(ErrorKind::UndefinedError)) } else { Ok(()) }
}

/// Values as one text.
fn text_of(values: &[&Value]) -> Result<Value, Error> {
    let mut text = Text::default();
    for value in values {
        undefined(value)?;
        match value.as_str() {
            Some(part) => text.push(&part)?,
            None => text.push(value)?,
        }
    }
    Ok(Value::from(text.into_string()))
}

fn concat(values: Rest<Value>) -> Result<Value, Error> {
    text_of(&values.iter().collect::<Vec<_>>())
}

fn fold(values: &[Value], operator: fn(&Value, &Value) -> Result<Value, Error>) -> Result<Value, Error> {
    let mut values = values.iter();
    let mut result = values.next().cloned().unwrap_or_default();
    for value in values {
        result = operator(&result, value)?;
    }
    Ok(result)
}

fn plain(expression: &str, operands: &[&Value]) -> Result<Value, Error> {
    let names = ["a", "b", "c", "d"];
    let context: BTreeMap<&str, Value> =
        names.into_iter().zip(operands).map(|(name, value)| (name, (*value).clone())).collect();
    let result =
        PLAIN.compile_expression(expression).and_then(|expression| expression.eval(Value::from(context)));
    // The line is that of the template.
    result.map_err(|error| match error.detail() {
        Some(detail) => Error::new(error.kind(), detail.to_string()),
        None => Error::from(error.kind()),
    })
}

fn add(left: &Value, right: &Value) -> Result<Value, Error> {
    undefined(left).and_then(|()| undefined(right))?;
    if left.kind() == ValueKind::Number && right.kind() == ValueKind::Number {
        return plain("a + b", &[left, right]);
    }
    let unit = if left.as_str().is_some() { 1 } else { ITEM_BYTES };
    take(size_of(left)?.saturating_add(size_of(right)?).saturating_mul(unit))?;
    plain("a + b", &[left, right])
}

fn multiply(left: &Value, right: &Value) -> Result<Value, Error> {
    undefined(left).and_then(|()| undefined(right))?;
    let many = match (left.as_usize(), right.as_usize()) {
        (Some(_), Some(_)) | (None, None) => None,
        (Some(times), None) => Some((right, times)),
        (None, Some(times)) => Some((left, times)),
    };
    if let Some((value, times)) = many {
        let unit = if value.as_str().is_some() { 1 } else { ITEM_BYTES };
        take(size_of(value)?.saturating_mul(times).saturating_mul(unit))?;
    }
    plain("a * b", &[left, right])
}

fn slice(value: &Value, start: &Value, stop: &Value, step: Option<&Value>) -> Result<Value, Error> {
    undefined(value)?;
    take(size_of(value)?.saturating_mul(ITEM_BYTES))?;
    let none = Value::from(());
    plain("a[b:c:d]", &[value, start, stop, step.unwrap_or(&none)])
}

fn replace(state: &mut State, value: &str, from: &str, to: &str) -> Result<Value, Error> {
    let added = value.matches(from).count().saturating_mul(to.len());
    take(value.len().saturating_add(added))?;
    Value::from_function(filters::replace).call(state, &[value.into(), from.into(), to.into()])
}

fn indent(state: &mut State, value: &str, operands: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    let operands = operands.into_values();
    let kwargs = operands.last().and_then(|last| Kwargs::try_from(last.clone()).ok());
    let named = kwargs.and_then(|kwargs| kwargs.get::<Option<usize>>("width").ok().flatten());
    let width = operands.first().and_then(Value::as_usize).or(named).unwrap_or(4);
    let lines = value.matches('\n').count() + 2;
    take(value.len().saturating_add(lines.saturating_mul(width)))?;
    let operands: Vec<Value> = [Value::from(value)].into_iter().chain(operands.iter().cloned()).collect();
    Value::from_function(filters::indent).call(state, &operands)
}

/// `"%5d" | format(1)`: every number of the format may be a width, and so may every operand behind a `*`.
fn format(state: &mut State, pattern: &str, operands: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    let operands = operands.into_values();
    let mut longest = 0;
    let mut widths = 0_usize;
    for operand in &operands {
        let is_map = operand.kind() == ValueKind::Map;
        let values: Vec<Value> = if is_map {
            operand.try_iter()?.filter_map(|key| operand.get_item(&key).ok()).collect()
        } else {
            vec![operand.clone()]
        };
        for value in values {
            if !matches!(
                value.kind(),
                ValueKind::String | ValueKind::Number | ValueKind::Bool | ValueKind::None
            ) {
                return Err(Error::new(ErrorKind::InvalidOperation, "`format` takes texts and numbers"));
            }
            longest = longest.max(size_of(&value)?.saturating_add(64));
            widths = widths.saturating_add(value.as_usize().filter(|_| pattern.contains('*')).unwrap_or(0));
        }
    }
    let numbers = pattern.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    for digits in numbers {
        widths = widths.saturating_add(digits.parse().unwrap_or(usize::MAX));
    }
    let signs = pattern.matches('%').count();
    take(pattern.len().saturating_add(widths).saturating_add(signs.saturating_mul(longest)))?;
    let operands: Vec<Value> = [Value::from(pattern)].into_iter().chain(operands.iter().cloned()).collect();
    Value::from_function(filters::format).call(state, &operands)
}

/// `slice` and `batch`, which make as many lists or items as they are told.
fn parts(
    filter: Value,
) -> impl Fn(&mut State, Value, usize, Rest<ValueOrKwargs>) -> Result<Value, Error> + Send + Sync + 'static {
    move |state: &mut State, value: Value, count: usize, operands: Rest<ValueOrKwargs>| {
        let operands = operands.into_values();
        take(size_of(&value)?.saturating_add(count).saturating_mul(2 * ITEM_BYTES))?;
        let first = [value, Value::from(count)];
        let operands: Vec<Value> = first.into_iter().chain(operands.iter().cloned()).collect();
        filter.call(state, &operands)
    }
}

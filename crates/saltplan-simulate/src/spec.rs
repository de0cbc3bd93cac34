//! Parses the values of a field: `zipf(1.1, 1000)`.

use super::text::TextShape;
use super::workload::Values;
use crate::WorkloadError;
use saltplan_core::key::Value;
use saltplan_core::key::chars::Chars;
use saltplan_core::key::field::{Field, FieldKind};
use saltplan_core::row::value_of_json;
use saltplan_core::schema::model::Schema;

/// Parses `form(argument, …)` for a field. Dates and instants are written as in `key encode`. For a time,
/// `to` is the first moment after it, and `high` its last value.
///
/// # Errors
/// What is wrong.
pub fn parse(schema: &Schema, field: &Field, text: &str) -> Result<Values, WorkloadError> {
    let unreadable = || WorkloadError::UnknownForm { text: text.to_string() };
    let (form, rest) = text.trim().split_once('(').ok_or_else(unreadable)?;
    let inside = rest.trim_end().strip_suffix(')').ok_or_else(unreadable)?;
    let arguments: Vec<&str> = inside.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    let number = |text: &str| number_of(schema, field, text);
    match (form.trim(), arguments.as_slice()) {
        ("sequential", []) => Ok(Values::Sequential { start: 0, step: 1 }),
        ("sequential", [start]) => Ok(Values::Sequential { start: number(start)?, step: 1 }),
        ("sequential", [start, step]) => {
            Ok(Values::Sequential { start: number(start)?, step: parsed(step, "a whole number")? })
        }
        ("uniform", [low, high]) => Ok(Values::Uniform { low: number(low)?, high: number(high)? }),
        ("period", [from, to]) => Ok(Values::Period { start: number(from)?, stop: number(to)? }),
        ("zipf", [exponent, count]) => zipf(exponent, count, 0),
        ("zipf", [exponent, count, low]) => zipf(exponent, count, number(low)?),
        ("list", [_, ..]) => list(schema, field, &arguments),
        ("text", [width]) => random_text(field, width, None),
        ("text", [width, chars]) => random_text(field, width, Some(chars)),
        _ => Err(unreadable()),
    }
}

/// Parses an argument.
fn parsed<T: std::str::FromStr>(text: &str, expected: &'static str) -> Result<T, WorkloadError> {
    text.replace('_', "").parse().map_err(|_| WorkloadError::Unreadable { text: text.to_string(), expected })
}

/// A number of the field; for text, its index.
fn number_of(schema: &Schema, field: &Field, text: &str) -> Result<i64, WorkloadError> {
    if !field.kind.is_number() {
        return parsed(text, "the number of a text");
    }
    match value_of_json(field, &text.into(), schema.time_zone)? {
        Value::Number(number) => Ok(number),
        Value::Text(_) => Err(WorkloadError::Unreadable { text: text.to_string(), expected: "a number" }),
    }
}

fn zipf(exponent: &str, count: &str, low: i64) -> Result<Values, WorkloadError> {
    let exponent = parsed(exponent, "a number")?;
    Ok(Values::Zipf { low, count: parsed(count, "a number of values")?, exponent })
}

fn list(schema: &Schema, field: &Field, items: &[&str]) -> Result<Values, WorkloadError> {
    let weighted = items.iter().map(|item| {
        // A time of day contains colons, so only a number after the last colon is a weight.
        let (text, weight) = match item.rsplit_once(':').map(|(text, weight)| (text, weight.trim().parse())) {
            Some((text, Ok(weight))) if field.kind.declared_type() != "timestamp" || item.contains(": ") => {
                (text.trim(), weight)
            }
            _ => (*item, 1.0),
        };
        Ok((value_of_json(field, &text.into(), schema.time_zone)?, weight))
    });
    let weighted = weighted.collect::<Result<Vec<_>, WorkloadError>>()?;
    Values::list(weighted).ok_or(WorkloadError::Weights)
}

fn random_text(field: &Field, width: &str, chars: Option<&str>) -> Result<Values, WorkloadError> {
    let FieldKind::Text(text) = &field.kind else { return Err(WorkloadError::NotText) };
    let width = parsed(width, "a number of characters")?;
    let limit = crate::text::MAX_WIDTH;
    if width > limit {
        return Err(WorkloadError::TooWide { width, limit });
    }
    let chars = match chars {
        Some(chars) => Chars::parse(chars)?.iter().take(super::text::MAX_ALPHABET).collect(),
        None => match TextShape::of(field, text)? {
            TextShape::Alphabet { digits, .. } => digits.chars().to_vec(),
            TextShape::Listed(_) => return Err(WorkloadError::ListedValues),
        },
    };
    Ok(Values::Text { chars, width })
}

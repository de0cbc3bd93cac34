//! Numeric values of attributes.

use crate::schema::model::AttributeValue;

/// The number of a value; the shell also accepts digits as text.
pub fn number(value: &AttributeValue) -> Option<i64> {
    match value {
        AttributeValue::Number(number) => Some(*number),
        AttributeValue::Text(text) => java_number(text),
        AttributeValue::Bool(_) => None,
    }
}

/// A number in the form that Java's `valueOf` accepts.
pub(crate) fn java_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

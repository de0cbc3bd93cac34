//! Steps of texts. None of them is bisected, since texts have no middle: of a result it is known of which texts it comes.

use super::value::{Number, OutOfRange, Value};

/// A step of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextStep {
    /// The first characters.
    Start(usize),
    /// The last characters; of a shorter text the empty one.
    End(usize),
    /// The characters in reverse order.
    Reverse,
    LowerCase,
    /// A text of digits, read as a number.
    Digits,
}

impl TextStep {
    pub fn apply(self, text: &str) -> Result<Value, OutOfRange> {
        // Hive counts UTF-16 units.
        let units = || text.encode_utf16().collect::<Vec<u16>>();
        Ok(Value::Text(match self {
            TextStep::Start(count) => {
                let units = units();
                text_of(&units[..count.min(units.len())])
            }
            TextStep::End(count) => {
                let units = units();
                text_of(units.len().checked_sub(count).map_or(&[], |start| &units[start..]))
            }
            TextStep::Reverse => text.chars().rev().collect(),
            TextStep::LowerCase => text.to_lowercase(),
            TextStep::Digits => {
                let number = text.parse().map_err(|_| OutOfRange::Above)?;
                return Ok(Value::Number(Number::Whole(number)));
            }
        }))
    }
}

/// The text of UTF-16 units; Hive puts `?` for half of a surrogate pair.
fn text_of(units: &[u16]) -> String {
    char::decode_utf16(units.iter().copied()).map(|c| c.unwrap_or('?')).collect()
}

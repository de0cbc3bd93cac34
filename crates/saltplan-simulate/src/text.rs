//! Texts that a field takes for numbers.

use crate::WorkloadError;
use saltplan_core::internals::key::field::{Field, TextField};

/// Characters of a simulated text where the field does not say how many it has.
const DEFAULT_WIDTH: usize = 12;

/// Most characters of a simulated text.
pub const MAX_WIDTH: usize = 4_096;

/// Most characters of an alphabet that simulated texts are made of.
pub const MAX_ALPHABET: usize = 128;

/// The texts of a field in an order of their own.
#[derive(Debug, Clone, PartialEq)]
pub enum TextShape {
    /// The values that the schema lists.
    Listed(Vec<String>),
    /// All texts of `width` characters of an alphabet; number 0 is the first character `width` times.
    Alphabet { chars: Vec<char>, width: usize },
}

impl TextShape {
    /// The shape of a text field: its listed values; or its letters and digits where it has any, at its own width.
    ///
    /// # Errors
    /// No text of the declared characters has the declared width.
    pub fn of(field: &Field, text: &TextField) -> Result<Self, WorkloadError> {
        if let Some(values) = &text.values {
            return Ok(TextShape::Listed(values.to_vec()));
        }
        let chars = alphabet(field, text);
        let Some(first) = chars.first() else {
            return Err(WorkloadError::NoCharactersOfField { field: field.name.clone() });
        };
        // One length for all, so that the width in bytes is that of the field.
        let bytes = first.len_utf8();
        let chars = chars.iter().copied().filter(|c| c.len_utf8() == bytes).collect();
        match text.width {
            None => Ok(TextShape::Alphabet { chars, width: DEFAULT_WIDTH }),
            Some(width) if width % bytes == 0 => Ok(TextShape::Alphabet { chars, width: width / bytes }),
            Some(width) => Err(WorkloadError::WidthNotFilled { field: field.name.clone(), width, bytes }),
        }
    }

    /// How many texts there are; past 2^63 - 1 this many.
    pub fn count(&self) -> u64 {
        const MOST: u64 = i64::MAX as u64;
        match self {
            TextShape::Listed(values) => values.len() as u64,
            TextShape::Alphabet { chars, width } => {
                let exponent = u32::try_from(*width).unwrap_or(u32::MAX);
                (chars.len() as u64).checked_pow(exponent).map_or(MOST, |count| count.min(MOST))
            }
        }
    }

    /// Appends the text of a number; numbers past the last text start again.
    pub fn write(&self, number: u64, out: &mut String) {
        match self {
            TextShape::Listed(values) => {
                let index = number.checked_rem(values.len() as u64).unwrap_or(0);
                out.push_str(values.get(index as usize).map_or("", String::as_str));
            }
            TextShape::Alphabet { chars, width } => write_digits(chars, *width, number, out),
        }
    }
}

/// Appends a number in the digits of an alphabet: the last `width` of them.
pub fn write_digits(chars: &[char], width: usize, number: u64, out: &mut String) {
    let base = chars.len().max(1) as u64;
    // A division by a number that the compiler knows is a multiplication.
    match base {
        10 => write_in_base(chars, width, number, |rest| (rest / 10, rest % 10), out),
        36 => write_in_base(chars, width, number, |rest| (rest / 36, rest % 36), out),
        62 => write_in_base(chars, width, number, |rest| (rest / 62, rest % 62), out),
        _ => write_in_base(chars, width, number, |rest| (rest / base, rest % base), out),
    }
}

/// `divide` gives the quotient by the number of characters, and the remainder.
fn write_in_base(
    chars: &[char],
    width: usize,
    number: u64,
    divide: impl Fn(u64) -> (u64, u64),
    out: &mut String,
) {
    const MOST: usize = 64;
    let zero = chars.first().copied().unwrap_or('0');
    // No number of 64 bits has more digits, but in the base 1, where all are zeros.
    let mut digits = [zero; MOST];
    let mut rest = if chars.len() <= 1 { 0 } else { number };
    for place in digits.iter_mut().rev().take(width) {
        if rest == 0 {
            break;
        }
        let (quotient, digit) = divide(rest);
        *place = chars.get(digit as usize).copied().unwrap_or(zero);
        rest = quotient;
    }
    out.extend(std::iter::repeat_n(zero, width.saturating_sub(MOST)));
    out.extend(&digits[MOST - width.min(MOST)..]);
}

/// The characters that texts are made of: those of the field without the separators of the key, letters and digits
/// rather than others.
fn alphabet(field: &Field, text: &TextField) -> Vec<char> {
    let is_free = |c: &char| !field.separator.iter().any(|byte| c.is_ascii() && char::from(*byte) == *c);
    let words: Vec<char> = ('0'..='9')
        .chain('A'..='Z')
        .chain('a'..='z')
        .filter(|c| text.chars.contains(*c))
        .filter(is_free)
        .collect();
    if !words.is_empty() {
        return words;
    }
    let all: Vec<char> = text.chars.iter().take(MAX_ALPHABET).collect();
    let free: Vec<char> = all.iter().copied().filter(is_free).collect();
    if free.is_empty() { all } else { free }
}

#[cfg(test)]
pub fn digits(chars: &[char], width: usize, number: u64) -> String {
    let mut text = String::new();
    write_digits(chars, width, number, &mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_an_alphabet() {
        let decimal: Vec<char> = ('0'..='9').collect();
        assert_eq!(digits(&decimal, 4, 27), "0027");
        assert_eq!(digits(&decimal, 2, 1234), "34");
        assert_eq!(digits(&['ü', 'é'], 3, 5), "éüé");
        assert_eq!(digits(&['x'], 3, 7), "xxx");
        assert_eq!(digits(&['0', '1'], 70, u64::MAX), format!("{}{}", "0".repeat(6), "1".repeat(64)));
    }
}

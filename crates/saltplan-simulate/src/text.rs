//! The texts that represent numbers in a text field.

use crate::WorkloadError;
use saltplan_core::key::field::{Field, TextField};
use saltplan_core::key::number::write_digits;

/// The length of a simulated text if the field has no width.
const DEFAULT_WIDTH: usize = 12;

/// The maximum length of a simulated text.
pub const MAX_WIDTH: usize = 4_096;

/// The maximum size of an alphabet for simulated texts.
pub const MAX_ALPHABET: usize = 128;

/// The texts of a field in a fixed order.
#[derive(Debug, Clone, PartialEq)]
pub enum TextShape {
    /// The values that the schema lists.
    Listed(Vec<String>),
    /// All texts of `width` characters of an alphabet; number 0 is the first character `width` times.
    Alphabet { digits: Digits, width: usize },
}

impl TextShape {
    /// The texts of a text field: its listed values, or texts of its letters and digits if it has any, with
    /// its own width.
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
        // All characters have the same length, so that the width in bytes is that of the field.
        let bytes = first.len_utf8();
        let digits = Digits::new(chars.iter().copied().filter(|c| c.len_utf8() == bytes).collect());
        match text.width {
            None => {
                let most = field.kind.fixed_width().unwrap_or(DEFAULT_WIDTH);
                Ok(TextShape::Alphabet { digits, width: DEFAULT_WIDTH.min(most / bytes) })
            }
            Some(width) if width % bytes == 0 => Ok(TextShape::Alphabet { digits, width: width / bytes }),
            Some(width) => Err(WorkloadError::WidthNotFilled { field: field.name.clone(), width, bytes }),
        }
    }

    /// The number of texts, at most 2^63 - 1.
    pub fn count(&self) -> u64 {
        const MOST: u64 = i64::MAX as u64;
        match self {
            TextShape::Listed(values) => values.len() as u64,
            TextShape::Alphabet { digits, width } => {
                let exponent = u32::try_from(*width).unwrap_or(u32::MAX);
                digits.base().checked_pow(exponent).map_or(MOST, |count| count.min(MOST))
            }
        }
    }

    /// Appends the text of a number; numbers beyond the last text wrap around.
    pub fn write(&self, number: u64, out: &mut Vec<u8>) {
        match self {
            TextShape::Listed(values) => {
                let index = number.checked_rem(values.len() as u64).unwrap_or(0);
                out.extend_from_slice(values.get(index as usize).map_or(&[], String::as_bytes));
            }
            TextShape::Alphabet { digits, width } => digits.write(*width, number, out),
        }
    }
}

/// The characters of an alphabet as digits.
#[derive(Debug, Clone, PartialEq)]
pub struct Digits {
    chars: Vec<char>,
    /// All pairs of characters, the first in the low byte, if each takes one byte: a number is then written
    /// in half the steps.
    pairs: Vec<u16>,
    /// The characters are the digits 0 to 9.
    is_decimal: bool,
}

/// The maximum number of digits without leading zeros: two is the smallest base.
const MOST_DIGITS: usize = 64;

/// The number of one-byte characters in 128 bits.
const MOST_OF_A_WORD: usize = 16;

impl Digits {
    pub fn new(chars: Vec<char>) -> Self {
        let byte = |c: &char| u8::try_from(*c).ok().filter(u8::is_ascii);
        let bytes: Vec<u8> = chars.iter().map(byte).collect::<Option<_>>().unwrap_or_default();
        let pair = |first: u8, second: u8| u16::from_le_bytes([first, second]);
        let pairs = bytes.iter().flat_map(|first| bytes.iter().map(|second| pair(*first, *second))).collect();
        Digits { is_decimal: chars.iter().copied().eq('0'..='9'), chars, pairs }
    }

    pub fn chars(&self) -> &[char] {
        &self.chars
    }

    /// The number of characters.
    pub fn base(&self) -> u64 {
        self.chars.len() as u64
    }

    /// Appends the last `width` digits of a number.
    pub fn write(&self, width: usize, number: u64, out: &mut Vec<u8>) {
        let base = self.base();
        // The compiler turns a division by a constant into a multiplication.
        match base {
            _ if self.pairs.is_empty() => self.write_chars(width, number, out),
            _ if width > MOST_OF_A_WORD => {
                let texts = base.checked_pow(MOST_OF_A_WORD as u32);
                let (high, low) = texts.map_or((0, number), |texts| (number / texts, number % texts));
                self.write(width - MOST_OF_A_WORD, high, out);
                self.write(MOST_OF_A_WORD, low, out);
            }
            10 if self.is_decimal => write_digits(number, width, out),
            36 => self.write_pairs(width, number, |rest| (rest / 1_296, rest % 1_296), out),
            62 => self.write_pairs(width, number, |rest| (rest / 3_844, rest % 3_844), out),
            _ => self.write_pairs(width, number, |rest| (rest / (base * base), rest % (base * base)), out),
        }
    }

    /// `divide` gives the quotient by the number of pairs, and the remainder. The text is assembled in a
    /// register: storing single bytes and then reading words would stall.
    #[inline(always)]
    fn write_pairs(&self, width: usize, number: u64, divide: impl Fn(u64) -> (u64, u64), out: &mut Vec<u8>) {
        let mut rest = number;
        let mut word = 0u128;
        for _ in 0..width.div_ceil(2) {
            let (quotient, pair) = divide(rest);
            word = (word << 16) | u128::from(self.pairs[pair as usize]);
            rest = quotient;
        }
        // With an odd width the first character is not part of a pair.
        let text = word >> (8 * (width % 2));
        let end = out.len() + width;
        out.extend_from_slice(&text.to_le_bytes());
        out.truncate(end);
    }

    fn write_chars(&self, width: usize, number: u64, out: &mut Vec<u8>) {
        let Some(zero) = self.chars.first() else { return };
        let mut digits = [*zero; MOST_DIGITS];
        let mut rest = number;
        let last = width.min(MOST_DIGITS);
        for place in digits.iter_mut().rev().take(last) {
            *place = self.chars[(rest % self.base()) as usize];
            rest /= self.base();
        }
        let zeros = std::iter::repeat_n(zero, width - last);
        let text: String = zeros.chain(&digits[MOST_DIGITS - last..]).collect();
        out.extend_from_slice(text.as_bytes());
    }
}

/// The characters of generated texts: those of the field without the key's separators, preferably letters and
/// digits.
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
    let ends_text = |c: &char| text.form.padding().is_some_and(|byte| *c == char::from(byte));
    let all: Vec<char> = text.chars.iter().filter(|c| !ends_text(c)).take(MAX_ALPHABET).collect();
    let free: Vec<char> = all.iter().copied().filter(is_free).collect();
    if free.is_empty() { all } else { free }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(chars: &[char], width: usize, number: u64) -> String {
        let mut text = Vec::new();
        Digits::new(chars.to_vec()).write(width, number, &mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_in_an_alphabet() {
        let decimal: Vec<char> = ('0'..='9').collect();
        assert_eq!(digits(&decimal, 4, 27), "0027");
        assert_eq!(digits(&decimal, 2, 1234), "34");
        assert_eq!(digits(&decimal, 3, 1234), "234");
        assert_eq!(digits(&decimal, 0, 7), "");
        assert_eq!(digits(&['ü', 'é'], 3, 5), "éüé");
        assert_eq!(digits(&['x'], 3, 7), "xxx");
        assert_eq!(digits(&['0', '1'], 70, u64::MAX), format!("{}{}", "0".repeat(6), "1".repeat(64)));
    }
}

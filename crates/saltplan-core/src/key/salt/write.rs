//! How the salt's number is stored.

use std::ops::RangeInclusive;

use super::numbers::{Digits, Number};
use crate::key::number::{big_endian, write_decimal};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaltWrite {
    Decimal {
        width: Option<usize>,
    },
    /// Lower-case hex: the digits of a digest unchanged, other numbers without padding.
    Hex,
    /// As `Hex`, in upper case.
    UpperHex,
    /// Hex digits of a digest as bytes, two digits each.
    Bytes,
    /// Text as it is: a part of a field, or salts that were seen.
    Text,
    /// The low bytes (1 to 8), as Java's casts to byte, short and int keep them.
    BigEndian {
        bytes: usize,
    },
    /// Digits of a base, each a character of an alphabet, filled up with the first one to a width.
    Alphabet {
        alphabet: Alphabet,
        width: Option<usize>,
    },
}

/// The digits of a base in their order: 2 to 94 printable characters of ASCII.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Alphabet {
    chars: [u8; Alphabet::MOST],
    count: usize,
}

impl std::fmt::Debug for Alphabet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text())
    }
}

impl Alphabet {
    /// The printable characters of ASCII without the blank.
    pub const MOST: usize = 94;

    /// `0-9a-zA-Z`: characters, and ranges of them. A `-` at either end is itself.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let given: Vec<char> = text.chars().collect();
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(first) = given.get(at) {
            let last = match (given.get(at + 1), given.get(at + 2)) {
                (Some('-'), Some(last)) => {
                    at += 2;
                    *last
                }
                _ => *first,
            };
            at += 1;
            if last < *first {
                return Err(format!("`{first}-{last}` is no range"));
            }
            for c in *first..=last {
                if !c.is_ascii_graphic() {
                    return Err(format!("{c:?} is no printable character of ASCII"));
                }
                if found.contains(&(c as u8)) {
                    return Err(format!("`{c}` is there twice"));
                }
                found.push(c as u8);
            }
        }
        if found.len() < 2 {
            return Err("an alphabet has at least two characters".into());
        }
        let mut chars = [0; Alphabet::MOST];
        chars[..found.len()].copy_from_slice(&found);
        Ok(Alphabet { chars, count: found.len() })
    }

    /// The base.
    pub fn count(&self) -> usize {
        self.count
    }

    /// All characters.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.chars[..self.count]).unwrap_or_default()
    }

    /// The characters with ranges, as [`Alphabet::parse`] reads them.
    pub fn ranges(&self) -> String {
        let mut text = String::new();
        let chars = &self.chars[..self.count];
        for run in chars.chunk_by(|one, next| *next == one + 1 && *next != b'-' && *one != b'-') {
            match run {
                [first, _, .., last] => {
                    text.extend([char::from(*first), '-', char::from(*last)]);
                }
                few => text.extend(few.iter().map(|byte| char::from(*byte))),
            }
        }
        // A `-` between others would be read as a range.
        if Alphabet::parse(&text).as_ref() == Ok(self) { text } else { self.text().to_string() }
    }

    /// How many digits a number has.
    pub(super) fn digits_of(&self, number: i128) -> usize {
        let mut rest = number.unsigned_abs();
        let mut digits = 1;
        while rest >= self.count as u128 {
            rest /= self.count as u128;
            digits += 1;
        }
        digits
    }

    fn append(&self, number: i128, width: usize, out: &mut Vec<u8>) {
        if number < 0 {
            out.push(b'-');
        }
        let start = out.len();
        let mut rest = number.unsigned_abs();
        loop {
            out.push(self.chars[(rest % self.count as u128) as usize]);
            rest /= self.count as u128;
            if rest == 0 {
                break;
            }
        }
        while out.len() - start < width {
            out.push(self.chars[0]);
        }
        out[start..].reverse();
    }
}

impl SaltWrite {
    /// The form as text: `be16`, `decimal(3)`.
    pub fn describe(self) -> String {
        match self {
            SaltWrite::Decimal { width: Some(width) } => format!("decimal({width})"),
            SaltWrite::Decimal { width: None } => "decimal".into(),
            SaltWrite::Hex => "hex".into(),
            SaltWrite::UpperHex => "HEX".into(),
            SaltWrite::Bytes => "bytes".into(),
            SaltWrite::Text => "text".into(),
            SaltWrite::BigEndian { bytes } => format!("be{}", 8 * bytes),
            SaltWrite::Alphabet { alphabet, width: None } => format!("alphabet({})", alphabet.ranges()),
            SaltWrite::Alphabet { alphabet, width: Some(width) } => {
                format!("alphabet({}, {width})", alphabet.ranges())
            }
        }
    }

    /// Whether the bytes are binary and not text.
    pub fn is_binary(self) -> bool {
        matches!(self, SaltWrite::BigEndian { .. } | SaltWrite::Bytes)
    }

    /// Whether the salt is text of hex digits.
    pub fn is_hex(self) -> bool {
        matches!(self, SaltWrite::Hex | SaltWrite::UpperHex)
    }

    /// Whether the text of a number may hold the byte.
    pub(crate) fn may_hold(self, byte: u8) -> bool {
        match self {
            SaltWrite::Alphabet { alphabet, .. } => alphabet.text().as_bytes().contains(&byte),
            SaltWrite::Decimal { .. } | SaltWrite::Hex | SaltWrite::UpperHex => {
                byte.is_ascii_alphanumeric() || byte == b'-'
            }
            SaltWrite::Bytes | SaltWrite::Text | SaltWrite::BigEndian { .. } => true,
        }
    }

    /// The width in bytes if it does not depend on the number.
    pub(crate) fn byte_width(self) -> Option<usize> {
        let SaltWrite::BigEndian { bytes } = self else { return None };
        Some(bytes)
    }

    /// The width of all numbers of a range, if they are padded with zeros to that width.
    pub(super) fn width_of_numbers(self, numbers: RangeInclusive<i128>) -> Option<usize> {
        let (width, longest) = match self {
            SaltWrite::Decimal { width } => (width, numbers.end().to_string().len()),
            SaltWrite::Alphabet { alphabet, width } => (width, alphabet.digits_of(*numbers.end())),
            _ => return None,
        };
        width.filter(|width| *numbers.start() >= 0 && longest <= *width)
    }

    /// Whether these bytes represent a negative number, provided that the numbers are signed.
    pub(super) fn shows_sign(self, bytes: &[u8]) -> bool {
        match self {
            SaltWrite::Decimal { .. } => bytes.starts_with(b"-"),
            // It has no negative numbers.
            SaltWrite::Alphabet { .. } => false,
            // A negative int has eight digits, the first of them 8 to f.
            SaltWrite::Hex | SaltWrite::UpperHex => {
                bytes.len() == 8 && bytes.first().is_some_and(|digit| *digit >= b'8')
            }
            SaltWrite::Bytes | SaltWrite::Text => false,
            SaltWrite::BigEndian { .. } => bytes.first().is_some_and(|byte| *byte >= 0x80),
        }
    }

    /// The bytes of a number, without the separator.
    pub fn number(self, number: i128) -> Vec<u8> {
        self.bytes(Number::Plain(number))
    }

    /// Appends the result of [`SaltWrite::number`].
    pub fn write_number(self, number: i128, out: &mut Vec<u8>) {
        self.append(Number::Plain(number), out);
    }

    pub(super) fn bytes(self, number: Number) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.append(number, &mut bytes);
        bytes
    }

    /// Appends the bytes of a number.
    pub(crate) fn append(self, number: Number, out: &mut Vec<u8>) {
        if let Number::Digits(digits) = number {
            match self {
                SaltWrite::Hex => return append_digits(&digits, LOWER_DIGITS, out),
                SaltWrite::UpperHex => return append_digits(&digits, UPPER_DIGITS, out),
                SaltWrite::Bytes | SaltWrite::Text => return out.extend_from_slice(digits.bytes()),
                SaltWrite::Decimal { .. } | SaltWrite::BigEndian { .. } | SaltWrite::Alphabet { .. } => {}
            }
        }
        let number = number.plain();
        // Java's `toHexString` of a negative int.
        let digits = if number < 0 { i128::from(number as u32) } else { number };
        match self {
            SaltWrite::Decimal { width } => match i64::try_from(number) {
                Ok(number) => write_decimal(number, width.unwrap_or(0), out),
                Err(_) => {
                    out.extend_from_slice(format!("{number:0width$}", width = width.unwrap_or(0)).as_bytes());
                }
            },
            SaltWrite::Hex => out.extend_from_slice(format!("{digits:x}").as_bytes()),
            SaltWrite::UpperHex => out.extend_from_slice(format!("{digits:X}").as_bytes()),
            // `check_write` allows these two forms only for digits and texts.
            SaltWrite::Bytes | SaltWrite::Text => {}
            SaltWrite::BigEndian { bytes } => big_endian::write(number as u64, bytes, out),
            SaltWrite::Alphabet { alphabet, width } => alphabet.append(number, width.unwrap_or(0), out),
        }
    }
}

const LOWER_DIGITS: &[u8; 16] = b"0123456789abcdef";
const UPPER_DIGITS: &[u8; 16] = b"0123456789ABCDEF";

fn append_digits(digits: &Digits, of: &[u8; 16], out: &mut Vec<u8>) {
    let mut hex = [0; 64];
    for (pair, byte) in hex.chunks_exact_mut(2).zip(digits.bytes()) {
        pair.copy_from_slice(&[of[usize::from(byte >> 4)], of[usize::from(byte & 15)]]);
    }
    out.extend_from_slice(&hex[..digits.count().min(hex.len())]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alphabets() {
        let base62 = Alphabet::parse("0-9a-zA-Z").unwrap();
        assert_eq!((base62.count(), base62.ranges().as_str()), (62, "0-9a-zA-Z"));
        let written = |number, width| SaltWrite::Alphabet { alphabet: base62, width }.number(number);
        assert_eq!(written(0, None), b"0");
        assert_eq!(written(61, None), b"Z");
        assert_eq!(written(62, Some(3)), b"010");
        // Java's Integer.toString(1679615, 36).
        let base36 = Alphabet::parse("0-9a-z").unwrap();
        assert_eq!(SaltWrite::Alphabet { alphabet: base36, width: Some(4) }.number(1_679_615), b"zzzz");
        assert_eq!(base36.digits_of(1_679_616), 5);
        for text in ["-ab", "ab-", "a-c-", "+-/", "abc", "ba", "0-9A-F"] {
            let alphabet = Alphabet::parse(text).unwrap();
            assert_eq!(Alphabet::parse(&alphabet.ranges()), Ok(alphabet), "{text}");
        }
        for text in ["", "a", "aa", "z-a", "é-z", "a b"] {
            assert!(Alphabet::parse(text).is_err(), "{text}");
        }
    }
}

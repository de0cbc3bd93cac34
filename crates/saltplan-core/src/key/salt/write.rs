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

    /// The width in bytes if it does not depend on the number.
    pub(crate) fn byte_width(self) -> Option<usize> {
        let SaltWrite::BigEndian { bytes } = self else { return None };
        Some(bytes)
    }

    /// The width of all numbers of a range, if they are padded with zeros to that width.
    pub(super) fn width_of_numbers(self, numbers: RangeInclusive<i128>) -> Option<usize> {
        let SaltWrite::Decimal { width } = self else { return None };
        let fits = |width: &usize| *numbers.start() >= 0 && numbers.end().to_string().len() <= *width;
        width.filter(fits)
    }

    /// Whether these bytes represent a negative number, provided that the numbers are signed.
    pub(super) fn shows_sign(self, bytes: &[u8]) -> bool {
        match self {
            SaltWrite::Decimal { .. } => bytes.starts_with(b"-"),
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
                SaltWrite::Decimal { .. } | SaltWrite::BigEndian { .. } => {}
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

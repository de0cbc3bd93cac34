//! Numbers as keys store them: the encodings of `int`, `bigint` and instants.
//!
//! A new encoding is a new case here, and a word in `schema/read/key.rs`.

use super::interval::Interval;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntegerSize {
    Int,
    Bigint,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntegerEncoding {
    /// Two's complement, big endian: negative values sort after positive ones.
    BigEndian,
    /// Two's complement with the sign bit flipped, big endian: sorts as numbers.
    BigEndianSortable,
    /// Decimal text, zero padded to `width` digits (then never negative) or unpadded.
    Decimal { width: Option<usize> },
}

/// A run of numbers whose order is the order of their bytes, or the reverse of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MonotonePiece {
    /// First number, and one past the last.
    pub numbers: Interval<i128>,
    pub ascending: bool,
}

/// The settings that decide which numbers are stored, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberForm {
    pub size: IntegerSize,
    pub encoding: IntegerEncoding,
    pub descending: bool,
    pub min: Option<i64>,
    pub max: Option<i64>,
}

impl NumberForm {
    /// Whether the stored bytes are text.
    pub fn is_text(&self) -> bool {
        matches!(self.encoding, IntegerEncoding::Decimal { .. })
    }

    /// Digits of text that is padded with zeros.
    pub fn padded_width(&self) -> Option<usize> {
        match self.encoding {
            IntegerEncoding::Decimal { width } => width,
            IntegerEncoding::BigEndian | IntegerEncoding::BigEndianSortable => None,
        }
    }

    /// Width in bytes when every number has the same.
    pub fn fixed_width(&self) -> Option<usize> {
        if self.is_text() { self.padded_width() } else { Some(self.bytes()) }
    }

    /// How numbers become bytes, in words.
    pub fn describe(&self) -> String {
        let (bytes, max) = match self.size {
            IntegerSize::Int => (4, "Integer.MAX_VALUE"),
            IntegerSize::Bigint => (8, "Long.MAX_VALUE"),
        };
        let form = match self.encoding {
            IntegerEncoding::BigEndian => format!("{bytes} bytes two's complement"),
            IntegerEncoding::BigEndianSortable => format!("{bytes} bytes sortable"),
            IntegerEncoding::Decimal { width: Some(width) } => format!("{width} decimal digits"),
            IntegerEncoding::Decimal { width: None } => "decimal digits without padding".into(),
        };
        if self.descending { format!("{max} minus the value, {form}") } else { form }
    }

    fn bytes(&self) -> usize {
        match self.size {
            IntegerSize::Int => 4,
            IntegerSize::Bigint => 8,
        }
    }

    pub(super) fn bounds(&self) -> (i64, i64) {
        match self.size {
            IntegerSize::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
            IntegerSize::Bigint => (i64::MIN, i64::MAX),
        }
    }

    pub(super) fn domain(&self) -> Interval<i128> {
        let Interval { start, stop } = self.stored_numbers();
        let (min, max) = (self.min.map(i128::from), self.max.map(|max| i128::from(max) + 1));
        let stop = stop.into_iter().chain(max).min();
        Interval::new(min.map_or(start, |min| min.max(start)), stop)
    }

    /// The numbers that the encoding can hold.
    fn stored_numbers(&self) -> Interval<i128> {
        let (min, max) = self.bounds();
        let (min, max) = (i128::from(min), i128::from(max));
        match self.encoding {
            IntegerEncoding::Decimal { width: Some(width) } => {
                let limit = u32::try_from(width)
                    .ok()
                    .and_then(|width| 10i128.checked_pow(width))
                    .unwrap_or(i128::MAX);
                Interval::new(0, Some(limit.min(max + 1)))
            }
            IntegerEncoding::Decimal { width: None } if self.descending => Interval::new(0, Some(max + 1)),
            _ => Interval::new(min, Some(max + 1)),
        }
    }

    pub(super) fn monotone_pieces(&self) -> Vec<MonotonePiece> {
        let domain = self.domain();
        match (self.encoding, self.descending) {
            (IntegerEncoding::Decimal { width: None }, _) => Vec::new(),
            (IntegerEncoding::BigEndian, false) => {
                let stop = domain.stop.unwrap_or(i128::MAX);
                [(domain.start.max(0), stop), (domain.start, stop.min(0))]
                    .into_iter()
                    .filter(|(start, stop)| start < stop)
                    .map(|(start, stop)| MonotonePiece {
                        numbers: Interval::new(start, Some(stop)),
                        ascending: true,
                    })
                    .collect()
            }
            (_, descending) => vec![MonotonePiece { numbers: domain, ascending: !descending }],
        }
    }

    pub(super) fn write(&self, number: i64, out: &mut Vec<u8>) -> Result<(), String> {
        if !self.domain().contains(&i128::from(number)) {
            return Err(self.outside(number));
        }
        let (_, max) = self.bounds();
        let stored = if self.descending { max.wrapping_sub(number) } else { number };
        let start = out.len();
        match self.encoding {
            IntegerEncoding::BigEndian => out.extend_from_slice(self.big_endian(&stored.to_be_bytes())),
            IntegerEncoding::BigEndianSortable => {
                out.extend_from_slice(self.big_endian(&stored.to_be_bytes()));
                flip_sign(&mut out[start..]);
            }
            IntegerEncoding::Decimal { width } => write_decimal(stored, width.unwrap_or(0), out),
        }
        Ok(())
    }

    /// The low bytes of the number: four for `int`, also where `MAX - value` has left its range.
    fn big_endian<'b>(&self, number: &'b [u8; 8]) -> &'b [u8] {
        &number[8 - self.bytes()..]
    }

    pub(super) fn decode(&self, bytes: &[u8]) -> Result<i64, String> {
        let stored = match self.encoding {
            IntegerEncoding::BigEndian => self.read_big_endian(bytes)?,
            IntegerEncoding::BigEndianSortable => {
                let mut bytes = bytes.to_vec();
                flip_sign(&mut bytes);
                self.read_big_endian(&bytes)?
            }
            IntegerEncoding::Decimal { width } => decode_decimal(bytes, width)?,
        };
        let (min, max) = self.bounds();
        let wrapped = if self.descending { max.wrapping_sub(stored) } else { stored };
        let number = match self.size {
            // The low four bytes, as Java's int arithmetic leaves them.
            IntegerSize::Int => i64::from(wrapped as i32),
            IntegerSize::Bigint => wrapped,
        };
        debug_assert!((min..=max).contains(&number));
        if self.domain().contains(&i128::from(number)) { Ok(number) } else { Err(self.outside(number)) }
    }

    fn outside(&self, number: i64) -> String {
        match (self.min, self.max) {
            (Some(min), _) if number < min => format!("{number} is below the declared `min`, {min}"),
            (_, Some(max)) if number > max => format!("{number} is above the declared `max`, {max}"),
            _ => format!("{number} is outside the range of the field"),
        }
    }

    fn read_big_endian(&self, bytes: &[u8]) -> Result<i64, String> {
        let wrong = || format!("{} bytes where {} are stored", bytes.len(), self.bytes());
        match self.size {
            IntegerSize::Int => {
                bytes.try_into().map(|b| i64::from(i32::from_be_bytes(b))).map_err(|_| wrong())
            }
            IntegerSize::Bigint => bytes.try_into().map(i64::from_be_bytes).map_err(|_| wrong()),
        }
    }
}

fn flip_sign(bytes: &mut [u8]) {
    if let Some(first) = bytes.first_mut() {
        *first ^= 0x80;
    }
}

/// Decimal text, zero padded: the sign counts as one of the digits, as in Java's `%03d`.
pub(super) fn write_decimal(number: i64, width: usize, out: &mut Vec<u8>) {
    // 2^64 has twenty digits.
    let mut digits = [b'0'; 20];
    let mut rest = number.unsigned_abs();
    let mut first = digits.len();
    while rest > 0 || first == digits.len() {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    let sign = usize::from(number < 0);
    if number < 0 {
        out.push(b'-');
    }
    let digits = &digits[first..];
    out.resize(out.len() + width.saturating_sub(sign + digits.len()), b'0');
    out.extend_from_slice(digits);
}

/// Takes the one spelling that `encode` writes: no plus sign, no extra zeros.
fn decode_decimal(bytes: &[u8], width: Option<usize>) -> Result<i64, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "not UTF-8 text".to_string())?;
    let number: i64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    let mut canonical = Vec::with_capacity(bytes.len());
    write_decimal(number, width.unwrap_or(0), &mut canonical);
    if canonical == bytes {
        Ok(number)
    } else {
        let canonical = String::from_utf8_lossy(&canonical);
        Err(format!("`{text}` is not how {number} is stored (`{canonical}`)"))
    }
}

//! Values of key fields and their bytes in the row key.
//!
//! A value is text or a number. The number of an integer field is the integer, of an epoch field the count of its
//! unit since 1970, of a calendar field the ordinal of its [`TimeFormat`](super::time_format::TimeFormat).

use std::borrow::Cow;

use super::interval::Interval;
use super::layout::{
    CalendarField, EpochField, FieldKind, IntegerEncoding, IntegerField, IntegerSize, TextField,
};
use super::listed::ListedValues;
use super::range::prefix_successor;
use super::value_error::ValueError;

/// A value of a key field.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Number(i64),
    Text(String),
}

/// A run of numbers whose order is the order of their bytes, or the reverse of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MonotonePiece {
    /// First number, and one past the last.
    pub numbers: Interval<i128>,
    pub ascending: bool,
}

impl FieldKind {
    /// Whether values are [`Value::Number`].
    pub fn is_number(&self) -> bool {
        !matches!(self, FieldKind::Text(_))
    }

    /// Width in bytes when every value has the same.
    pub fn fixed_width(&self) -> Option<usize> {
        match self {
            FieldKind::Text(text) => text.width.or_else(|| text.values.as_ref()?.fixed_width()),
            FieldKind::Calendar(calendar) => Some(calendar.format.width()),
            FieldKind::Integer(_) | FieldKind::Epoch(_) => {
                let number = self.number_encoding()?;
                match number.encoding {
                    IntegerEncoding::Decimal { width } => width,
                    _ => Some(number.bytes()),
                }
            }
        }
    }

    /// Whether the stored bytes are text; binary numbers are not.
    pub fn is_text_in_key(&self) -> bool {
        match self {
            FieldKind::Text(_) | FieldKind::Calendar(_) => true,
            FieldKind::Integer(IntegerField { encoding, .. })
            | FieldKind::Epoch(EpochField { encoding, .. }) => {
                matches!(encoding, IntegerEncoding::Decimal { .. })
            }
        }
    }

    /// Whether every stored byte is ASCII text.
    pub fn is_ascii_in_key(&self) -> bool {
        match self {
            FieldKind::Text(text) => {
                text.chars.is_ascii() || text.values.as_ref().is_some_and(ListedValues::is_ascii)
            }
            FieldKind::Calendar(calendar) => calendar.format.pattern().is_ascii(),
            _ => self.is_text_in_key(),
        }
    }

    /// The numbers the field can hold; `None` for text.
    pub fn domain(&self) -> Option<Interval<i128>> {
        match self {
            FieldKind::Text(_) => None,
            FieldKind::Calendar(calendar) => {
                let (first, last) = calendar.format.domain();
                Some(Interval::new(i128::from(first), Some(i128::from(last) + 1)))
            }
            FieldKind::Integer(_) | FieldKind::Epoch(_) => {
                self.number_encoding().map(|number| number.domain())
            }
        }
    }

    /// The number from which a descending field subtracts its values: the greatest of its type.
    pub fn minuend(&self) -> Option<i64> {
        self.number_encoding().filter(|number| number.descending).map(|number| number.bounds().1)
    }

    /// The runs of the domain in which bytes sort as the numbers do, or in reverse, in byte order; none where the
    /// stored order has nothing to do with the numbers' (unpadded decimals, `ddMMyyyy`).
    pub fn monotone_pieces(&self) -> Vec<MonotonePiece> {
        match self {
            FieldKind::Text(_) => Vec::new(),
            FieldKind::Calendar(calendar) if !calendar.format.sorts() => Vec::new(),
            FieldKind::Calendar(_) => {
                self.domain().into_iter().map(|numbers| MonotonePiece { numbers, ascending: true }).collect()
            }
            FieldKind::Integer(_) | FieldKind::Epoch(_) => {
                self.number_encoding().map(|number| number.monotone_pieces()).unwrap_or_default()
            }
        }
    }

    /// Whether a stored value may hold a byte of `separator`, so that a key cannot be cut there with certainty.
    pub fn may_hold_part_of(&self, separator: &[u8]) -> bool {
        if self.fixed_width().is_some() {
            return false;
        }
        match self {
            FieldKind::Text(TextField { values: Some(values), .. }) => {
                values.iter().any(|value| value.bytes().any(|byte| separator.contains(&byte)))
            }
            FieldKind::Text(text) => match std::str::from_utf8(separator) {
                Ok(separator) if text.chars.is_ascii() || separator.is_ascii() => {
                    separator.chars().any(|c| text.chars.contains(c))
                }
                // A byte of the separator may be a part of another character.
                _ => separator.iter().any(|byte| !byte.is_ascii() || text.chars.contains(char::from(*byte))),
            },
            _ => {
                let has_sign = self.domain().is_none_or(|numbers| numbers.start < 0);
                separator.iter().any(|byte| byte.is_ascii_digit() || (*byte == b'-' && has_sign))
            }
        }
    }

    /// The bytes of a value.
    ///
    /// # Errors
    /// The value breaks the field's declaration: too wide, a character outside `chars`, out of range.
    pub fn encode(&self, value: &Value) -> Result<Vec<u8>, ValueError> {
        let mut bytes = Vec::new();
        self.write(value, &mut bytes)?;
        Ok(bytes)
    }

    /// Appends the bytes of a value: [`FieldKind::encode`] for many rows and one buffer.
    ///
    /// # Errors
    /// As for [`FieldKind::encode`]; then nothing is appended.
    pub fn write(&self, value: &Value, out: &mut Vec<u8>) -> Result<(), ValueError> {
        match (self, value) {
            (FieldKind::Text(field), Value::Text(text)) => field.write(text, out),
            (FieldKind::Calendar(field), Value::Number(ordinal)) => {
                field.format.write(*ordinal, out).ok_or(ValueError::Years)
            }
            (FieldKind::Integer(_) | FieldKind::Epoch(_), Value::Number(number)) => self
                .number_encoding()
                .ok_or(ValueError::NoNumber)
                .and_then(|encoding| encoding.write(*number, out)),
            (FieldKind::Text(_), Value::Number(number)) => Err(ValueError::NumberForText(*number)),
            (_, Value::Text(text)) => Err(ValueError::TextForNumber(text.clone())),
        }
    }

    /// The value of stored bytes.
    ///
    /// # Errors
    /// The bytes are none that [`FieldKind::encode`] writes.
    pub fn decode(&self, bytes: &[u8]) -> Result<Value, ValueError> {
        match self {
            FieldKind::Text(field) => field.decode(bytes).map(Value::Text),
            FieldKind::Calendar(CalendarField { format, .. }) => {
                let text = std::str::from_utf8(bytes).map_err(|_| ValueError::NotUtf8)?;
                let no_date =
                    || ValueError::NoDate { text: text.to_string(), format: format.pattern().to_string() };
                Ok(Value::Number(format.parse_text(text).ok_or_else(no_date)?))
            }
            FieldKind::Integer(_) | FieldKind::Epoch(_) => self
                .number_encoding()
                .ok_or(ValueError::NoNumber)
                .and_then(|encoding| encoding.decode(bytes))
                .map(Value::Number),
        }
    }

    /// The range of bytes of the numbers `[first, stop)` inside one monotone piece. No stop in the answer is an
    /// open end: whatever follows the last value.
    pub fn encode_interval(&self, piece: &MonotonePiece, numbers: &Interval<i128>) -> Interval<Vec<u8>> {
        let end_of_piece = piece.numbers.stop.unwrap_or(i128::MAX);
        let stop = numbers.stop.unwrap_or(end_of_piece).min(end_of_piece);
        let start = numbers.start.max(piece.numbers.start);
        let (least, greatest, next) =
            if piece.ascending { (start, stop - 1, stop) } else { (stop - 1, start, start - 1) };
        let beyond = if piece.numbers.contains(&next) {
            self.encode_number(next)
        } else {
            self.encode_number(greatest).and_then(|bytes| prefix_successor(&bytes))
        };
        Interval::new(self.encode_number(least).unwrap_or_default(), beyond)
    }

    fn encode_number(&self, number: i128) -> Option<Vec<u8>> {
        let number = i64::try_from(number).ok()?;
        self.encode(&Value::Number(number)).ok()
    }

    fn number_encoding(&self) -> Option<NumberEncoding> {
        match *self {
            FieldKind::Integer(IntegerField { size, encoding, descending, min, max }) => {
                Some(NumberEncoding { size, encoding, descending, min, max })
            }
            FieldKind::Epoch(EpochField { encoding, descending, .. }) => {
                let size = IntegerSize::Bigint;
                Some(NumberEncoding { size, encoding, descending, min: None, max: None })
            }
            _ => None,
        }
    }
}

impl TextField {
    fn write(&self, text: &str, out: &mut Vec<u8>) -> Result<(), ValueError> {
        self.check(text)?;
        out.extend_from_slice(self.stored(text).as_bytes());
        Ok(())
    }

    fn decode(&self, bytes: &[u8]) -> Result<String, ValueError> {
        let stored = std::str::from_utf8(bytes).map_err(|_| ValueError::NotUtf8)?;
        let text = if self.reverse { stored.chars().rev().collect() } else { stored.to_string() };
        self.check(&text)?;
        Ok(text)
    }

    /// The text as the key stores it.
    fn stored<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.reverse { text.chars().rev().collect() } else { text.into() }
    }

    /// Whether the text fits the declaration.
    ///
    /// # Errors
    /// Why not: a character, the length or a value that is not declared.
    pub fn check(&self, text: &str) -> Result<(), ValueError> {
        if let Some(character) = text.chars().find(|c| !self.chars.contains(*c)) {
            return Err(ValueError::ForeignCharacter { character, declared: self.chars.name().to_string() });
        }
        if let Some(width) = self.width
            && text.len() != width
        {
            return Err(ValueError::Width { text: text.to_string(), width });
        }
        if let Some(values) = &self.values
            && !values.stores(self.stored(text).as_bytes())
        {
            return Err(ValueError::Undeclared(text.to_string()));
        }
        Ok(())
    }
}

/// The settings that decide which numbers are stored, and how.
struct NumberEncoding {
    size: IntegerSize,
    encoding: IntegerEncoding,
    descending: bool,
    min: Option<i64>,
    max: Option<i64>,
}

impl NumberEncoding {
    fn bytes(&self) -> usize {
        match self.size {
            IntegerSize::Int => 4,
            IntegerSize::Bigint => 8,
        }
    }

    fn bounds(&self) -> (i64, i64) {
        match self.size {
            IntegerSize::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
            IntegerSize::Bigint => (i64::MIN, i64::MAX),
        }
    }

    fn domain(&self) -> Interval<i128> {
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

    fn monotone_pieces(&self) -> Vec<MonotonePiece> {
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

    fn write(&self, number: i64, out: &mut Vec<u8>) -> Result<(), ValueError> {
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

    fn decode(&self, bytes: &[u8]) -> Result<i64, ValueError> {
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

    fn outside(&self, number: i64) -> ValueError {
        match (self.min, self.max) {
            (Some(min), _) if number < min => ValueError::BelowMin { number, min },
            (_, Some(max)) if number > max => ValueError::AboveMax { number, max },
            _ => ValueError::OutOfRange(number),
        }
    }

    fn read_big_endian(&self, bytes: &[u8]) -> Result<i64, ValueError> {
        let wrong = || ValueError::ByteCount { found: bytes.len(), stored: self.bytes() };
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
fn decode_decimal(bytes: &[u8], width: Option<usize>) -> Result<i64, ValueError> {
    let text = std::str::from_utf8(bytes).map_err(|_| ValueError::NotUtf8)?;
    let number: i64 = text.parse().map_err(|_| ValueError::NoDigits(text.to_string()))?;
    let mut canonical = Vec::with_capacity(bytes.len());
    write_decimal(number, width.unwrap_or(0), &mut canonical);
    if canonical == bytes {
        Ok(number)
    } else {
        let stored = String::from_utf8_lossy(&canonical).into_owned();
        Err(ValueError::Spelling { text: text.to_string(), number, stored })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::chars::Chars;
    use crate::key::time_format::TimeFormat;
    use proptest::prelude::*;

    fn integer(size: IntegerSize, encoding: IntegerEncoding, descending: bool) -> FieldKind {
        FieldKind::Integer(IntegerField { size, encoding, descending, min: None, max: None })
    }

    fn number_kinds() -> Vec<FieldKind> {
        use IntegerEncoding::{BigEndian, BigEndianSortable, Decimal};
        use IntegerSize::{Bigint, Int};
        vec![
            integer(Int, BigEndian, false),
            integer(Int, BigEndian, true),
            integer(Bigint, BigEndian, false),
            integer(Bigint, BigEndian, true),
            integer(Bigint, BigEndianSortable, false),
            integer(Int, BigEndianSortable, false),
            integer(Bigint, Decimal { width: Some(5) }, false),
            integer(Bigint, Decimal { width: Some(19) }, true),
            integer(Int, Decimal { width: None }, false),
            FieldKind::Calendar(CalendarField {
                format: TimeFormat::parse("yyyyMMdd").unwrap(),
                time_of_day: false,
            }),
            FieldKind::Calendar(CalendarField {
                format: TimeFormat::parse("yyyyMMddHHmmss").unwrap(),
                time_of_day: true,
            }),
        ]
    }

    fn numbers() -> impl Strategy<Value = i64> {
        prop_oneof![
            any::<i64>(),
            -3i64..100_000,
            Just(i64::MIN),
            Just(i64::MAX),
            any::<i32>().prop_map(i64::from)
        ]
    }

    proptest! {
        #[test]
        fn numbers_round_trip(number in numbers(), kind in prop::sample::select(number_kinds())) {
            match kind.encode(&Value::Number(number)) {
                Ok(bytes) => {
                    prop_assert_eq!(kind.decode(&bytes), Ok(Value::Number(number)));
                    if let Some(width) = kind.fixed_width() {
                        prop_assert_eq!(bytes.len(), width);
                    }
                }
                Err(_) => prop_assert!(!kind.domain().unwrap().contains(&i128::from(number))),
            }
        }

        #[test]
        fn pieces_keep_or_reverse_the_order(
            a in numbers(), b in numbers(), n in numbers(), kind in prop::sample::select(number_kinds()),
        ) {
            let interval = Interval::new(i128::from(a.min(b)), Some(i128::from(a.max(b))));
            let Ok(bytes) = kind.encode(&Value::Number(n)) else { return Ok(()) };
            for piece in kind.monotone_pieces() {
                let clipped = Interval::new(
                    interval.start.max(piece.numbers.start),
                    interval.stop.min(piece.numbers.stop),
                );
                if clipped.is_empty() {
                    continue;
                }
                let range = kind.encode_interval(&piece, &clipped);
                prop_assert_eq!(range.contains(&bytes), clipped.contains(&i128::from(n)), "{:?}", range);
            }
        }
    }

    #[test]
    fn text() {
        let field =
            TextField { width: Some(3), chars: Chars::parse("digits").unwrap(), values: None, reverse: true };
        let kind = FieldKind::Text(field);
        assert_eq!(kind.encode(&Value::Text("123".into())).unwrap(), b"321");
        assert_eq!(kind.decode(b"321").unwrap(), Value::Text("123".into()));
        assert!(kind.encode(&Value::Text("1234".into())).is_err());
        assert!(kind.encode(&Value::Text("12a".into())).is_err());
        assert!(kind.decode(b"\xff\xff\xff").is_err());
    }

    #[test]
    fn published_descending_timestamp() {
        let kind = integer(IntegerSize::Bigint, IntegerEncoding::BigEndian, true);
        let bytes = kind.encode(&Value::Number(1)).unwrap();
        assert_eq!(bytes, (i64::MAX - 1).to_be_bytes());
    }
}

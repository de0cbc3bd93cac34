//! Values of key fields and their bytes in the row key.
//!
//! A value is text or a number. The number of an integer field is the integer itself. An epoch field counts
//! its unit since 1970. For a calendar field it is the ordinal of its
//! [`TimeFormat`](saltplan_sql::time::format::TimeFormat).

use std::borrow::Cow;

use super::field::{CalendarField, EpochField, FieldKind, TextField};
use super::interval::Interval;
use super::listed::ListedValues;
use super::number::{MonotonePiece, NumberForm, NumberWriter};
use super::range::prefix_successor;
use super::text_form::TextLayout;
use super::value_error::ValueError;
use saltplan_sql::time::format::TimeFormat;

/// A value of a key field.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Number(i64),
    Text(String),
}

/// A borrowed [`Value`].
#[derive(Debug, Clone, Copy)]
pub enum ValueRef<'v> {
    Number(i64),
    /// In UTF-8.
    Text(&'v [u8]),
}

impl<'v> From<&'v Value> for ValueRef<'v> {
    fn from(value: &'v Value) -> Self {
        match value {
            Value::Number(number) => ValueRef::Number(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
        }
    }
}

impl FieldKind {
    /// Whether values are [`Value::Number`].
    pub fn is_number(&self) -> bool {
        !matches!(self, FieldKind::Text(_))
    }

    /// How the numbers of an integer or an instant are stored; `None` for other kinds.
    pub fn number(&self) -> Option<&NumberForm> {
        match self {
            FieldKind::Integer(number) => Some(number),
            FieldKind::Epoch(epoch) => Some(&epoch.number),
            FieldKind::Text(_) | FieldKind::Calendar(_) => None,
        }
    }

    /// The width in bytes if all values have the same width.
    pub fn fixed_width(&self) -> Option<usize> {
        match self {
            FieldKind::Text(text) => {
                text.form.fixed_width(text.width).or_else(|| text.values.as_ref()?.fixed_width())
            }
            FieldKind::Calendar(calendar) => Some(calendar.format.width()),
            FieldKind::Integer(number) | FieldKind::Epoch(EpochField { number, .. }) => number.fixed_width(),
        }
    }

    /// Whether the stored bytes are text, and not binary or inverted. The digits of a descending number are those of a
    /// difference, so they are not the digits that Hive shows.
    pub fn is_text_in_key(&self) -> bool {
        match self {
            FieldKind::Text(text) => text.form.is_plain(),
            kind => kind.number().is_none_or(NumberForm::is_text),
        }
    }

    /// Whether the stored bytes contain their own end.
    pub fn is_terminated(&self) -> bool {
        matches!(self, FieldKind::Text(text) if text.form.is_terminated())
    }

    /// The bytes by which sets of values compare a value: the stored bytes, or for a text field the
    /// characters of the text.
    ///
    /// # Errors
    /// As for [`FieldKind::encode`].
    pub(crate) fn compared(&self, value: &Value) -> Result<Vec<u8>, ValueError> {
        match (self, value) {
            (FieldKind::Text(field), Value::Text(text)) => {
                field.check(text)?;
                Ok(field.stored(text).as_bytes().to_vec())
            }
            _ => self.encode(value),
        }
    }

    /// The value that sets of values compare by these bytes.
    ///
    /// # Errors
    /// As for [`FieldKind::decode`].
    pub(crate) fn value_compared(&self, bytes: &[u8]) -> Result<Value, ValueError> {
        match self {
            FieldKind::Text(field) => field.text_of(bytes).map(Value::Text),
            _ => self.decode(bytes),
        }
    }

    /// Whether every stored byte is ASCII text.
    pub fn is_ascii_in_key(&self) -> bool {
        match self {
            FieldKind::Text(text) if !text.form.is_plain() => false,
            FieldKind::Text(text) => {
                text.chars.is_ascii() || text.values.as_ref().is_some_and(ListedValues::is_ascii)
            }
            FieldKind::Calendar(calendar) => calendar.format.pattern().is_ascii(),
            _ => self.is_text_in_key(),
        }
    }

    /// The numbers that the field can hold; `None` for text.
    pub fn domain(&self) -> Option<Interval<i128>> {
        match self {
            FieldKind::Text(_) => None,
            FieldKind::Calendar(calendar) => {
                let (first, last) = calendar.format.domain();
                Some(Interval::new(i128::from(first), Some(i128::from(last) + 1)))
            }
            FieldKind::Integer(number) | FieldKind::Epoch(EpochField { number, .. }) => Some(number.domain()),
        }
    }

    /// The parts of the domain in which the stored bytes sort like the numbers, or in reverse, in byte order.
    /// Empty if the stored order is unrelated to the numbers (unpadded decimals, `ddMMyyyy`).
    pub(crate) fn monotone_pieces(&self) -> Vec<MonotonePiece> {
        match self {
            FieldKind::Text(_) => Vec::new(),
            FieldKind::Calendar(calendar) if !calendar.format.sorts() => Vec::new(),
            FieldKind::Calendar(_) => {
                self.domain().into_iter().map(|numbers| MonotonePiece { numbers, ascending: true }).collect()
            }
            FieldKind::Integer(number) | FieldKind::Epoch(EpochField { number, .. }) => {
                number.monotone_pieces()
            }
        }
    }

    /// Whether a stored value may contain a byte of `separator`, so that the end of the value is ambiguous.
    pub fn may_hold_part_of(&self, separator: &[u8]) -> bool {
        if self.fixed_width().is_some() || self.is_terminated() {
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
                _ => separator.iter().any(|byte| match byte.is_ascii() {
                    true => text.chars.contains(char::from(*byte)),
                    // These bytes never occur in UTF-8.
                    false => !matches!(byte, 0xC0 | 0xC1 | 0xF5..=0xFF),
                }),
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
    /// The value violates the field's declaration: too wide, a character outside `chars`, out of range.
    pub fn encode(&self, value: &Value) -> Result<Vec<u8>, ValueError> {
        let mut bytes = Vec::new();
        self.write(value, &mut bytes)?;
        Ok(bytes)
    }

    /// Appends the bytes of a value. Like [`FieldKind::encode`], but many rows can share one buffer.
    ///
    /// # Errors
    /// As for [`FieldKind::encode`]; then nothing is appended.
    pub fn write(&self, value: &Value, out: &mut Vec<u8>) -> Result<(), ValueError> {
        FieldWriter::new(self).write(value.into(), out)
    }

    /// The value of stored bytes.
    ///
    /// # Errors
    /// The bytes are not the encoding of any value.
    pub fn decode(&self, bytes: &[u8]) -> Result<Value, ValueError> {
        match self {
            FieldKind::Text(field) => field.decode(bytes).map(Value::Text),
            FieldKind::Calendar(CalendarField { format, .. }) => {
                let text = std::str::from_utf8(bytes).map_err(|_| ValueError::NotUtf8)?;
                let no_date =
                    || ValueError::NoDate { text: text.to_string(), format: format.pattern().to_string() };
                Ok(Value::Number(format.parse_text(text).ok_or_else(no_date)?))
            }
            FieldKind::Integer(number) | FieldKind::Epoch(EpochField { number, .. }) => {
                number.decode(bytes).map(Value::Number)
            }
        }
    }

    /// The byte range of the numbers `[first, stop)` inside one monotone part. Without a stop, it includes
    /// everything after the last value.
    pub(crate) fn encode_interval(
        &self,
        piece: &MonotonePiece,
        numbers: &Interval<i128>,
    ) -> Interval<Vec<u8>> {
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
}

/// Precomputed form of [`FieldKind::write`] for many rows.
#[derive(Debug)]
pub(crate) enum FieldWriter<'a> {
    Text(&'a TextField),
    Calendar(&'a TimeFormat),
    Number(NumberWriter),
}

impl<'a> FieldWriter<'a> {
    pub(crate) fn new(kind: &'a FieldKind) -> Self {
        match kind {
            FieldKind::Text(field) => FieldWriter::Text(field),
            FieldKind::Calendar(field) => FieldWriter::Calendar(&field.format),
            FieldKind::Integer(form) | FieldKind::Epoch(EpochField { number: form, .. }) => {
                FieldWriter::Number(NumberWriter::new(*form))
            }
        }
    }

    /// Appends the bytes of a value.
    ///
    /// # Errors
    /// As for [`FieldKind::write`].
    #[inline]
    pub(crate) fn write(&self, value: ValueRef<'_>, out: &mut Vec<u8>) -> Result<(), ValueError> {
        match (self, value) {
            (FieldWriter::Text(field), ValueRef::Text(text)) => field.write(text, out),
            (FieldWriter::Calendar(format), ValueRef::Number(ordinal)) => {
                format.write(ordinal, out).ok_or(ValueError::Years)
            }
            (FieldWriter::Number(writer), ValueRef::Number(number)) => writer.write(number, out),
            (FieldWriter::Text(_), ValueRef::Number(number)) => Err(ValueError::NumberForText(number)),
            (_, ValueRef::Text(text)) => Err(ValueError::TextForNumber(utf8(text)?.to_string())),
        }
    }
}

fn utf8(text: &[u8]) -> Result<&str, ValueError> {
    std::str::from_utf8(text).map_err(|_| ValueError::NotUtf8)
}

impl TextField {
    /// The greatest number of bytes of a text, if the field limits it.
    pub fn longest(&self) -> Option<usize> {
        match self.form.layout {
            TextLayout::Padded { width, .. } => Some(width),
            _ => self.width,
        }
    }

    #[inline]
    fn write(&self, text: &[u8], out: &mut Vec<u8>) -> Result<(), ValueError> {
        let is_simple = self.form.is_plain()
            && self.values.is_none()
            && self.width.is_none_or(|width| width == text.len());
        if !is_simple || !self.chars.contains_bytes(text) {
            return self.write_checked(utf8(text)?, out);
        }
        // All characters take one byte.
        match self.reverse {
            false => out.extend_from_slice(text),
            true => out.extend(text.iter().rev()),
        }
        Ok(())
    }

    fn write_checked(&self, text: &str, out: &mut Vec<u8>) -> Result<(), ValueError> {
        self.check(text)?;
        self.form.write(self.stored(text).as_bytes(), out);
        Ok(())
    }

    fn decode(&self, bytes: &[u8]) -> Result<String, ValueError> {
        let text = self.original(bytes)?;
        self.check(&text)?;
        Ok(text)
    }

    /// The text that is stored with these bytes, without the checks of the declaration.
    pub(crate) fn original(&self, bytes: &[u8]) -> Result<String, ValueError> {
        if self.form.is_plain() { self.turned(bytes) } else { self.turned(&self.form.read(bytes)?) }
    }

    /// The text of its characters as they are compared, in reverse order for a reversed field.
    fn text_of(&self, bytes: &[u8]) -> Result<String, ValueError> {
        let text = self.turned(bytes)?;
        self.check(&text)?;
        Ok(text)
    }

    fn turned(&self, bytes: &[u8]) -> Result<String, ValueError> {
        let stored = utf8(bytes)?;
        Ok(if self.reverse { stored.chars().rev().collect() } else { stored.to_string() })
    }

    /// The characters in the order in which the key has them.
    fn stored<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.reverse { text.chars().rev().collect() } else { text.into() }
    }

    /// Checks a text against the declaration.
    ///
    /// # Errors
    /// The first violation: a character, the length or a value that is not declared.
    pub fn check(&self, text: &str) -> Result<(), ValueError> {
        if let Some(character) = self.chars.first_foreign(text) {
            let declared = self.chars.name().to_string();
            return Err(ValueError::ForeignCharacter { character, declared });
        }
        if let Some(width) = self.width
            && text.len() != width
        {
            return Err(match self.form.layout {
                TextLayout::Hex => ValueError::HexDigits { text: text.to_string(), digits: width },
                _ => ValueError::Width { text: text.to_string(), width },
            });
        }
        if let Some(values) = &self.values
            && !values.stores(self.stored(text).as_bytes())
        {
            return Err(ValueError::Undeclared(text.to_string()));
        }
        self.form.check(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::chars::Chars;
    use crate::key::number::{IntegerSize, NumberEncoding};
    use crate::key::text_form::TextForm;
    use proptest::prelude::*;
    use saltplan_sql::time::format::TimeFormat;

    fn integer(size: IntegerSize, encoding: NumberEncoding) -> FieldKind {
        FieldKind::Integer(NumberForm::new(size, encoding))
    }

    fn descending(size: IntegerSize, encoding: NumberEncoding) -> FieldKind {
        FieldKind::Integer(NumberForm { descending: true, ..NumberForm::new(size, encoding) })
    }

    fn digits(width: usize, descending: bool) -> FieldKind {
        let form = NumberForm::new(IntegerSize::Bigint, NumberEncoding::Decimal);
        FieldKind::Integer(NumberForm { width: Some(width), descending, ..form })
    }

    fn number_kinds() -> Vec<FieldKind> {
        use IntegerSize::{Bigint, Int};
        use NumberEncoding::{BigEndian, BigEndianSortable, BigEndianUnsigned, Decimal};
        vec![
            integer(Int, BigEndian),
            descending(Int, BigEndian),
            integer(Bigint, BigEndian),
            descending(Bigint, BigEndian),
            integer(Bigint, BigEndianSortable),
            integer(Int, BigEndianSortable),
            digits(5, false),
            digits(19, true),
            integer(Int, Decimal),
            descending(Int, BigEndianSortable),
            integer(Int, BigEndianUnsigned),
            descending(Bigint, BigEndianUnsigned),
            FieldKind::Integer(NumberForm { width: Some(3), ..NumberForm::new(Int, BigEndianUnsigned) }),
            FieldKind::Integer(NumberForm {
                width: Some(5),
                descending: true,
                ..NumberForm::new(Int, BigEndianUnsigned)
            }),
            FieldKind::Calendar(CalendarField {
                format: TimeFormat::parse("yyyyMMdd").unwrap(),
                time_of_day: false,
                hive_type: crate::key::field::CalendarType::Int,
            }),
            FieldKind::Calendar(CalendarField {
                format: TimeFormat::parse("yyyyMMddHHmmss").unwrap(),
                time_of_day: true,
                hive_type: crate::key::field::CalendarType::String,
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
                    let places = kind.number().and_then(NumberForm::bytes_by_place).unwrap_or_default();
                    for (byte, place) in bytes.iter().zip(places) {
                        prop_assert!(place.contains(byte), "{:?} at a place for {:?}", byte, place);
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
        let field = TextField {
            width: Some(3),
            chars: Chars::parse("digits").unwrap(),
            values: None,
            reverse: true,
            nullable: false,
            form: TextForm::default(),
        };
        let kind = FieldKind::Text(field);
        assert_eq!(kind.encode(&Value::Text("123".into())).unwrap(), b"321");
        assert_eq!(kind.decode(b"321").unwrap(), Value::Text("123".into()));
        assert!(kind.encode(&Value::Text("1234".into())).is_err());
        assert!(kind.encode(&Value::Text("12a".into())).is_err());
        assert!(kind.decode(b"\xff\xff\xff").is_err());
    }

    #[test]
    fn published_descending_timestamp() {
        let kind = descending(IntegerSize::Bigint, NumberEncoding::BigEndian);
        let bytes = kind.encode(&Value::Number(1)).unwrap();
        assert_eq!(bytes, (i64::MAX - 1).to_be_bytes());
    }
}

//! A hash of some inputs as the salt: what is hashed, by which function, and what of the hash is the salt.
//!
//! A schema file declares it in one of several spellings, each with its own file of keys.

use std::ops::RangeInclusive;

use super::charset::Charset;
use super::function::Hash;
use super::input::{Cut, SaltInput, SaltInputs, Window};
use super::numbers::{Number, Numbers};
use super::objects::Object;
use super::reducer::{InputSeparator, Reducer};
use super::reduction::{HashCode, Reduction, Take};
use super::{Hashed, Scheme, bytes_hash, digest, distinguishes_inputs, hash_keys, java_hash, md5};
use crate::key::field::{Field, FieldKind, FieldVec};
use saltplan_document::format::Key;

#[derive(Debug, Clone, PartialEq)]
pub struct HashSalt {
    /// How the schema file declares it.
    pub spelling: Spelling,
    pub of: SaltInputs,
    /// Bytes between the inputs before they are hashed together.
    pub joined_by: Vec<u8>,
    pub combine: Combine,
    /// The charset of the hashed text, if it is not UTF-8.
    pub charset: Option<Charset>,
    pub hash: Hash,
    /// Only some functions use it.
    pub seed: i64,
    pub take: Take,
}

/// The key of the schema file that declares a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    Md5,
    JavaHash,
    BytesHash,
    Digest,
    /// `hash`, which has each part by itself.
    Hash,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// The hash of the inputs' concatenation.
    Concat,
    /// The XOR of the inputs' hashes.
    Xor,
}

impl Spelling {
    fn key(self) -> &'static Key {
        match self {
            Spelling::Md5 => &md5::KEY,
            Spelling::JavaHash => &java_hash::KEY,
            Spelling::BytesHash => &bytes_hash::KEY,
            Spelling::Digest => &digest::KEY,
            Spelling::Hash => &hash_keys::KEY,
        }
    }
}

impl HashSalt {
    /// A hash of joined inputs without anything between them, with the usual seed.
    pub fn new(spelling: Spelling, hash: Hash, of: SaltInputs, take: Take) -> Self {
        HashSalt {
            spelling,
            of,
            joined_by: Vec::new(),
            combine: Combine::Concat,
            charset: None,
            hash,
            seed: hash.usual_seed().unwrap_or(0),
            take,
        }
    }

    /// Whether the inputs are hashed as one text.
    fn is_one_text(&self) -> bool {
        self.combine == Combine::Concat || self.of.is_one()
    }

    /// Whether there are no bytes between the inputs.
    fn is_of_inputs_alone(&self) -> bool {
        self.joined_by.is_empty() && matches!(self.of, SaltInputs::List(_))
    }

    /// The hashes that rows can have, of a hash code of Java.
    fn code_range(&self, fields: &FieldVec<Field>) -> Option<RangeInclusive<i32>> {
        match self.hash {
            // Only a text that consists of nothing but inputs can be short enough.
            Hash::StringCode => {
                let stays_positive = self.is_of_inputs_alone()
                    && hashes_stay_positive(self.combine, &self.of.list(fields), fields);
                Some(if stays_positive { 0 } else { i32::MIN }..=i32::MAX)
            }
            Hash::BytesCode => Some(self.bytes_code_range(fields).unwrap_or(i32::MIN..=i32::MAX)),
            Hash::LongCode | Hash::ObjectsCode => {
                Some(self.objects_code_range(fields).unwrap_or(i32::MIN..=i32::MAX))
            }
            _ => None,
        }
    }

    /// The smallest and the greatest hash of numbers in short ranges.
    fn objects_code_range(&self, fields: &FieldVec<Field>) -> Option<RangeInclusive<i32>> {
        let (mut least, mut greatest) = (i128::from(self.seed), i128::from(self.seed));
        for input in self.of.list(fields) {
            let kind = &fields.get(input.field)?.kind;
            let codes = Object::of(self.hash, &input, kind).codes(kind)?;
            least = least.checked_mul(31)? + codes.start();
            greatest = greatest.checked_mul(31)? + codes.end();
        }
        Some(i32::try_from(least).ok()?..=i32::try_from(greatest).ok()?)
    }

    /// The hash codes of the inputs as Java's objects, one after the other.
    fn object_codes<'i>(
        &self,
        fields: &FieldVec<Field>,
        inputs: impl Iterator<Item = &'i [u8]>,
    ) -> Option<Vec<u8>> {
        let mut codes = Vec::new();
        for (input, bytes) in self.of.list(fields).iter().zip(inputs) {
            let kind = &fields.get(input.field)?.kind;
            codes.extend(Object::of(self.hash, input, kind).code(kind, bytes)?.to_be_bytes());
        }
        Some(codes)
    }

    /// The smallest and the greatest hash of inputs of fixed width, saturated to 32 bits.
    fn bytes_code_range(&self, fields: &FieldVec<Field>) -> Option<RangeInclusive<i32>> {
        let mut ends = Some((i128::from(self.seed), i128::from(self.seed)));
        let mut add = |low: i8, high: i8| {
            let next = |hash: i128, byte: i8| hash.checked_mul(31)?.checked_add(byte.into());
            ends = ends.and_then(|(least, greatest)| Some((next(least, low)?, next(greatest, high)?)));
        };
        let text = self.of.text(fields, &self.joined_by);
        if text.window != Window::ALL || self.charset.is_some() {
            return None;
        }
        text.before.iter().for_each(|byte| add(byte.cast_signed(), byte.cast_signed()));
        for (input, behind) in &text.inputs {
            let field = fields.get(input.field)?;
            let is_ascii = field.kind.is_ascii_in_key();
            let width = match &input.cut {
                Cut::Format(format) => format.width(),
                Cut::Bytes { from, to } => to - from,
                Cut::Original => return None,
                // Non-ASCII characters change their length when they are cut or change case.
                Cut::First(_) | Cut::Last(_) if field.kind.is_text_in_key() && !is_ascii => return None,
                _ if input.lower && !is_ascii => return None,
                Cut::First(count) | Cut::Last(count) => field.kind.fixed_width()?.min(*count),
                Cut::Whole => field.kind.fixed_width()?,
            };
            let low = if is_ascii || matches!(input.cut, Cut::Format(_)) { 0 } else { i8::MIN };
            (0..width).for_each(|_| add(low, i8::MAX));
            behind.iter().for_each(|byte| add(byte.cast_signed(), byte.cast_signed()));
        }
        let (least, greatest) = ends?;
        Some(i32::try_from(least).ok()?..=i32::try_from(greatest).ok()?)
    }
}

impl Scheme for HashSalt {
    fn key(&self) -> &'static Key {
        self.spelling.key()
    }

    fn hashed(&self) -> Option<Hashed<'_>> {
        Some(Hashed { of: &self.of, joined_by: &self.joined_by })
    }

    fn number(&self, fields: &FieldVec<Field>, inputs: &mut dyn Iterator<Item = &[u8]>) -> Option<Number> {
        if self.hash.takes_objects() {
            let codes = self.object_codes(fields, inputs)?;
            return Some(self.take.of_message(self.hash, self.seed, &codes));
        }
        if self.is_one_text() {
            return self.number_of_joined(&self.of.join(fields, &self.joined_by, inputs));
        }
        let hashes = inputs.map(|input| self.hash.number(self.seed, input));
        let hash = hashes.reduce(|all, one| Some(all? ^ one?))??;
        let reduction = self.take.reduction()?;
        Some(Number::Plain(reduction.of_number(hash, self.hash.bits()?)))
    }

    fn number_of_joined(&self, joined: &[u8]) -> Option<Number> {
        (self.is_one_text() && !self.hash.takes_objects()).then(|| match self.charset {
            None => self.take.of_message(self.hash, self.seed, joined),
            Some(charset) => self.take.of_message(self.hash, self.seed, &charset.encode(joined)),
        })
    }

    fn numbers(&self, fields: &FieldVec<Field>) -> Numbers {
        // Of a few digits, every number occurs.
        let is_whole = self.take.reduction().is_some_and(|reduction| reduction.digits.is_none());
        self.take.numbers(self.hash, if is_whole { self.code_range(fields) } else { None })
    }

    fn reducer(&self) -> Reducer {
        let (hash, seed, take) = (self.hash, self.seed, self.take);
        match (self.spelling, take) {
            (Spelling::Md5, Take::HexDigits(digits)) => Reducer::HexDigits(digits.count),
            (Spelling::JavaHash, Take::Number(reduction)) => Reducer::Hash(reduction),
            (Spelling::BytesHash, Take::Number(reduction)) if Some(seed) == hash.usual_seed() => {
                Reducer::Hash(reduction)
            }
            (Spelling::BytesHash, Take::Number(reduction)) => Reducer::SeededHash { seed, reduction },
            _ => Reducer::Digest { hash, seed, take },
        }
    }

    fn separator(&self, fields: &FieldVec<Field>) -> Option<InputSeparator> {
        match self.combine {
            _ if self.hash.takes_objects() => Some(InputSeparator::OfObjects),
            Combine::Concat => self.of.separator(fields, &self.joined_by),
            Combine::Xor => Some(InputSeparator::HashedApart),
        }
    }

    fn hash_code(&self, fields: &FieldVec<Field>) -> Option<HashCode> {
        let is_code = |reduction: &&Reduction| reduction.digits.is_none() && reduction.signed;
        let reduction = *self.take.reduction().filter(is_code)?;
        Some(HashCode { reduction, hashes: self.code_range(fields)? })
    }

    fn determines_inputs(&self, fields: &FieldVec<Field>) -> bool {
        let Some(digits) = self.take.hex_digits() else { return false };
        // Characters that the charset lacks are the same byte.
        self.charset.is_none_or(|charset| !charset.is_narrow())
            && self.hash.is_cryptographic()
            && distinguishes_inputs(fields, &self.of, &self.joined_by, digits.count)
    }
}

/// Whether no input is long enough for its hash to reach 2^31.
fn hashes_stay_positive(combine: Combine, inputs: &[SaltInput], fields: &FieldVec<Field>) -> bool {
    let widest = |input: &SaltInput| -> Option<(u32, usize)> {
        let kind = &fields.get(input.field)?.kind;
        let width = match &input.cut {
            Cut::Original => return longest_original(kind).filter(|_| !input.lower),
            Cut::Format(format) => return Some((format.greatest_char() as u32, format.width())),
            // Lower-case letters are greater than upper-case ones, and their text can be longer.
            _ if input.lower || !kind.is_ascii_in_key() => return None,
            Cut::Whole => kind.fixed_width()?,
            Cut::Bytes { from, to } => to - from,
            Cut::First(count) | Cut::Last(count) => (*count).min(kind.fixed_width().unwrap_or(usize::MAX)),
        };
        Some((highest_unit(kind), width))
    };
    let Some(widths) = inputs.iter().map(widest).collect::<Option<Vec<_>>>() else { return false };
    match combine {
        Combine::Xor => {
            widths.iter().all(|&(unit, width)| greatest_hash(unit, width) <= i128::from(i32::MAX))
        }
        Combine::Concat => {
            let unit = widths.iter().map(|&(unit, _)| unit).max().unwrap_or(0);
            let width = widths.iter().map(|&(_, width)| width).sum();
            greatest_hash(unit, width) <= i128::from(i32::MAX)
        }
    }
}

/// The greatest unit and the greatest length of the values as text, if all are ASCII.
fn longest_original(kind: &FieldKind) -> Option<(u32, usize)> {
    if let FieldKind::Text(text) = kind {
        let longest = text.longest().filter(|_| text.chars.is_ascii())?;
        return Some((highest_unit(kind), longest));
    }
    let domain = kind.domain()?;
    let longest = domain.start.to_string().len().max((domain.stop? - 1).to_string().len());
    Some((u32::from('9'), longest))
}

fn highest_unit(kind: &FieldKind) -> u32 {
    match kind {
        FieldKind::Text(text) => (text.chars.greatest() as u32).min(0x7F),
        _ => u32::from('~'),
    }
}

/// The hash of `width` times the greatest unit, without wrapping at 32 bits.
fn greatest_hash(unit: u32, width: usize) -> i128 {
    (0..width.min(16)).fold(0i128, |hash, _| hash * 31 + i128::from(unit))
}

#[cfg(test)]
mod tests {
    use super::super::reduction::{Abs, HexDigits};
    use super::super::write::SaltWrite::{self, BigEndian, Bytes, Decimal, Hex, UpperHex};
    use super::*;

    fn salt(hash: Hash, take: Take) -> HashSalt {
        HashSalt::new(Spelling::Digest, hash, SaltInputs::Key, take)
    }

    fn plain(hash: Hash, reduction: Reduction, message: &str) -> i128 {
        salt(hash, Take::Number(reduction)).number_of_joined(message.as_bytes()).unwrap().plain()
    }

    #[test]
    fn remainders_are_of_the_whole_digest() {
        // 0x900150983cd24fb0d6963f7d28e17f72 and the SHA-1 of abc, by Python.
        assert_eq!(plain(Hash::Md5, Reduction::unsigned(1000), "abc"), 570);
        assert_eq!(plain(Hash::Sha1, Reduction::unsigned(97), "abc"), 13);
        assert_eq!(
            plain(Hash::Crc32, Reduction::unsigned(100), "123456789"),
            i128::from(0xCBF4_3926_u32 % 100)
        );
        let number = 0xCBF4_3926_u32 as i32;
        for (abs, expected) in [
            (Abs::None, number % 100),
            (Abs::After, (number % 100).abs()),
            (Abs::Before, number.abs() % 100),
            (Abs::Mask, (number & i32::MAX) % 100),
        ] {
            let found = plain(Hash::Crc32, Reduction::modulo(100, abs), "123456789");
            assert_eq!(found, i128::from(expected), "{abs:?}");
        }
        // Guava's `murmur3_128().hashString("hello").asLong()`.
        let first_word = 0xcbd8_a7b3_41bd_9b02_u64.cast_signed();
        let signed = plain(Hash::Murmur3x128, Reduction::modulo(64, Abs::After), "hello");
        assert_eq!(signed, i128::from((first_word % 64).abs()));
        let unsigned = plain(Hash::Murmur3x128, Reduction::unsigned(64), "hello");
        assert_eq!(unsigned, i128::from(first_word.cast_unsigned() % 64));
    }

    #[test]
    fn windows_of_digits() {
        let digits = |first, count, write: SaltWrite| {
            let mut bytes = Vec::new();
            let salt = salt(Hash::Md5, Take::HexDigits(HexDigits::new(first, count)));
            write.append(salt.number_of_joined(b"abc").unwrap(), &mut bytes);
            bytes
        };
        assert_eq!(digits(1, 4, Hex), b"9001");
        assert_eq!(digits(2, 3, Hex), b"001");
        assert_eq!(digits(9, 8, UpperHex), b"3CD24FB0");
        assert_eq!(digits(1, 32, Hex), b"900150983cd24fb0d6963f7d28e17f72");
        assert_eq!(digits(3, 4, Bytes), [0x01, 0x50]);
        assert_eq!(digits(2, 4, Bytes), [0x00, 0x15]);
        assert_eq!(digits(1, 4, BigEndian { bytes: 2 }), [0x90, 0x01]);
        assert_eq!(digits(2, 3, Decimal { width: Some(4) }), b"0001");
    }
}

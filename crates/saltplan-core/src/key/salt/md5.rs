//! The first hex digits of an MD5.

use md5::{Digest, Md5};

use super::Scheme;
use super::file::joined::{self, JOINED_BY, OF, key_or_inputs};
use super::file::write::{THEN, WRITE};
use super::file::{KeyFields, scheme_key};
use super::input::{SaltInput, SaltInputs};
use super::numbers::{Number, Numbers};
use super::reduction::{Joint, Reduction};
use super::write::SaltWrite;
use crate::document::format::{Choice, Key, KeyRule, KeyTest, Map, ValueType, number, required, word};
use crate::document::reader::{Fields, Reader, optional};
use crate::key::field::{Field, FieldVec};
use crate::key::read::bytes;

/// The first hex digits (1 to 32, lower case) of the MD5 of the inputs joined by `joined_by`.
#[derive(Debug, Clone, PartialEq)]
pub struct Md5Salt {
    pub of: SaltInputs,
    pub joined_by: Vec<u8>,
    pub first_hex_digits: usize,
}

/// Hex digits that are taken to tell the rows of any table apart: 64 bits.
const TELLING_DIGITS: usize = 16;

/// A message that is one block of MD5 with its padding: all of a row key's inputs, as a rule. The general way costs as much
/// around the compression as it takes itself.
struct Block {
    bytes: [u8; 64],
    /// Of the message, with what did not fit.
    length: usize,
}

impl Block {
    /// The longest message: a byte of padding and eight of length follow it.
    const MOST: usize = 55;

    fn push(&mut self, bytes: &[u8]) {
        let start = self.length;
        self.length += bytes.len();
        if self.length <= Self::MOST {
            self.bytes[start..self.length].copy_from_slice(bytes);
        }
    }

    /// The digest of the message; `None` if it is too long. RFC 1321, 3.1 to 3.5.
    fn digest(mut self) -> Option<[u8; 16]> {
        if self.length > Self::MOST {
            return None;
        }
        self.bytes[self.length] = 0x80;
        self.bytes[56..].copy_from_slice(&(8 * self.length as u64).to_le_bytes());
        let mut state = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476];
        md5::block_api::compress(&mut state, &[self.bytes]);
        let mut digest = [0; 16];
        for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Some(digest)
    }
}

impl Default for Block {
    fn default() -> Self {
        Block { bytes: [0; 64], length: 0 }
    }
}

impl Scheme for Md5Salt {
    fn key(&self) -> &'static Key {
        &KEY
    }

    fn inputs(&self, fields: &FieldVec<Field>) -> Vec<SaltInput> {
        self.of.list(fields)
    }

    fn number<'i>(
        &self,
        fields: &FieldVec<Field>,
        inputs: impl Iterator<Item = &'i [u8]> + Clone,
    ) -> Option<Number> {
        let mut block = Block::default();
        self.of.join(fields, &self.joined_by, inputs.clone(), |bytes| block.push(bytes));
        let digest = block.digest().unwrap_or_else(|| {
            let mut md5 = Md5::new();
            self.of.join(fields, &self.joined_by, inputs, |bytes| md5.update(bytes));
            md5.finalize().into()
        });
        let digest = u128::from_be_bytes(digest);
        let digits = self.first_hex_digits.min(32);
        Some(Number::Digits { value: digest.checked_shr(128 - 4 * digits as u32).unwrap_or(0), digits })
    }

    fn numbers(&self, _fields: &FieldVec<Field>) -> Numbers {
        Numbers::of_hex_digits(self.first_hex_digits)
    }

    fn reduction(&self) -> Reduction {
        Reduction::HexDigits(self.first_hex_digits)
    }

    fn joint(&self, fields: &FieldVec<Field>) -> Option<Joint> {
        self.of.joint(fields, &self.joined_by)
    }

    fn takes_whole_key(&self) -> bool {
        self.of == SaltInputs::Key
    }

    fn determines_inputs(&self, fields: &FieldVec<Field>) -> bool {
        let SaltInputs::List(inputs) = &self.of else { return false };
        let Some((_, before_last)) = inputs.split_last() else { return false };
        let ends_are_certain = |input: &SaltInput| {
            let Some(field) = fields.get(input.field) else { return false };
            let joined_by = &self.joined_by;
            field.kind.fixed_width().is_some()
                || (!joined_by.is_empty() && !field.kind.may_hold_part_of(joined_by))
        };
        self.first_hex_digits >= TELLING_DIGITS
            && inputs.iter().all(SaltInput::is_whole)
            && before_last.iter().all(ends_are_certain)
    }
}

/// The key that declares it.
pub static KEY: Key = scheme_key("md5", &MAP, "{ of: key, first_hex_digits: 8, write: hex }");

pub static FIRST_HEX_DIGITS: Key =
    required("first_hex_digits", number(1, 32), "8", "How many of the 32 digits are taken.");

/// The digits as they are.
static DIGITS: Choice<SaltWrite> = Choice(&[word("hex", SaltWrite::Hex, "")]);

pub static MAP: Map = Map {
    about: "The first hex digits of an MD5: spreads evenly, computable from the row.",
    keys: &[&OF, &JOINED_BY, &FIRST_HEX_DIGITS, &WRITE, &THEN],
    cases: &[
        joined::WHOLE,
        KeyRule {
            when: &[KeyTest::Over(&FIRST_HEX_DIGITS, Numbers::MAX_NUMBER_DIGITS as i128)],
            beside: "more digits than a number of 8 bytes has",
            narrows: &[(&WRITE, ValueType::Words(&DIGITS))],
            ..KeyRule::NOTHING
        },
    ],
    misplaced: &[],
};

pub(super) fn read(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &KeyFields<'_>) -> Option<Md5Salt> {
    let of = fields.get(&OF);
    let joined_by = fields.get(&JOINED_BY);
    let digits = fields.get(&FIRST_HEX_DIGITS);
    let of = of.and_then(|value| key_or_inputs(reader, &value, key));
    let digits = digits.and_then(|value| value.number(reader));
    let joined = optional(joined_by, |value| bytes(reader, value))?;
    let joined_bytes = joined.map(|joined| joined.value).unwrap_or_default();
    fields.refuse(reader)?;
    Some(Md5Salt { of: of?, joined_by: joined_bytes, first_hex_digits: digits? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_one_block_has_its_digest() {
        let message: Vec<u8> = (1..=64).collect();
        for length in 0..=message.len() {
            let mut block = Block::default();
            message[..length].chunks(7).for_each(|part| block.push(part));
            let digest = block.digest();
            assert_eq!(digest.is_some(), length <= 55, "{length}");
            if let Some(digest) = digest {
                assert_eq!(digest, <[u8; 16]>::from(Md5::digest(&message[..length])), "{length}");
            }
        }
    }
}

//! Java's `Arrays.hashCode(byte[])`: the salt of Apache Phoenix, OpenTSDB and `HBaseWD`.

use std::ops::RangeInclusive;

use super::file::KeyFields;
use super::file::hash_code::{self, ABS, MASK, MODULO};
use super::file::joined::{self, JOINED_BY, OF, key_or_inputs};
use super::file::write::{THEN, WRITE};
use super::hash_code::{HashCode, Reduce};
use super::input::{Cut, SaltInputs, Window};
use super::numbers::{Number, Numbers};
use super::reducer::Reducer;
use super::spread::PLUS;
use super::{Hashed, Scheme};
use crate::key::field::{Field, FieldVec};
use crate::key::java;
use saltplan_document::format::{Key, Map, form, number, optional};
use saltplan_document::reader::{Fields, FromFile, Reader};

/// Java's hash of the bytes of the inputs joined by `joined_by`, then reduced.
#[derive(Debug, Clone, PartialEq)]
pub struct BytesHashSalt {
    pub of: SaltInputs,
    pub joined_by: Vec<u8>,
    /// The hash of no bytes: 1 in Java.
    pub seed: i32,
    pub reduce: Reduce,
}

impl BytesHashSalt {
    /// The smallest and the greatest hash of inputs of fixed width, saturated to 32 bits.
    fn narrow_range(&self, fields: &FieldVec<Field>) -> Option<RangeInclusive<i32>> {
        let mut ends = Some((i128::from(self.seed), i128::from(self.seed)));
        let mut add = |low: i8, high: i8| {
            let next = |hash: i128, byte: i8| hash.checked_mul(31)?.checked_add(byte.into());
            ends = ends.and_then(|(least, greatest)| Some((next(least, low)?, next(greatest, high)?)));
        };
        let text = self.of.text(fields, &self.joined_by);
        if text.window != Window::ALL {
            return None;
        }
        text.before.iter().for_each(|byte| add(byte.cast_signed(), byte.cast_signed()));
        for (input, behind) in &text.inputs {
            let field = fields.get(input.field)?;
            let is_ascii = field.kind.is_ascii_in_key();
            let width = match &input.cut {
                Cut::Format(format) => format.width(),
                Cut::Bytes { from, to } => to - from,
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

impl Scheme for BytesHashSalt {
    fn key(&self) -> &'static Key {
        &KEY
    }

    fn hashed(&self) -> Option<Hashed<'_>> {
        Some(Hashed { of: &self.of, joined_by: &self.joined_by })
    }

    fn number_of_joined(&self, joined: &[u8]) -> Option<Number> {
        Some(Number::Plain(self.reduce.apply(java::bytes_hash_code(self.seed, joined)).into()))
    }

    fn numbers(&self, fields: &FieldVec<Field>) -> Numbers {
        self.hash_code(fields).map_or_else(|| Numbers::run(0..=0), HashCode::numbers)
    }

    fn reducer(&self) -> Reducer {
        match self.seed {
            JAVA_SEED => Reducer::Hash(self.reduce),
            seed => Reducer::SeededHash { seed, reduce: self.reduce },
        }
    }

    fn hash_code(&self, fields: &FieldVec<Field>) -> Option<HashCode> {
        let hashes = self.narrow_range(fields).unwrap_or(i32::MIN..=i32::MAX);
        Some(HashCode { reduce: self.reduce, hashes })
    }
}

/// The hash of no bytes in Java.
const JAVA_SEED: i32 = 1;

/// The key that declares it.
pub static KEY: Key = form("bytes_hash", &MAP, "{ of: key, abs: after, modulo: 16, write: be8 }");

pub static SEED: Key = optional(
    "seed",
    number(i32::MIN as i64, i32::MAX as i64),
    "0",
    "The hash of no bytes: 1, as in Java's Arrays.hashCode, if left out.",
);

pub static MAP: Map = Map {
    about: "Java's `Arrays.hashCode` of the bytes, then a mask or a remainder: the salt of Apache Phoenix.",
    keys: &[&OF, &JOINED_BY, &SEED, &MASK, &MODULO, &ABS, &PLUS, &WRITE, &THEN],
    cases: &[
        joined::WHOLE,
        joined::OF_BYTES,
        hash_code::ONE_OF_TWO,
        hash_code::MASKED,
        hash_code::DIVIDED,
        hash_code::NOT_MASKED,
        hash_code::NOT_SPREAD,
    ],
    misplaced: &[],
};

pub(super) fn read(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<BytesHashSalt> {
    let of = fields.required(reader, &OF, |reader, value| key_or_inputs(reader, value, key));
    let joined_by = joined::joined_by(reader, fields)?;
    let seed = fields.optional(reader, &SEED, i32::from_file);
    let reduce = hash_code::reduce(reader, fields, "a hash of bytes");
    Some(BytesHashSalt { of: of?, joined_by, seed: seed?.unwrap_or(JAVA_SEED), reduce: reduce? })
}

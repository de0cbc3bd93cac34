//! Java's `Arrays.hashCode(byte[])`: the salt of Apache Phoenix, OpenTSDB and `HBaseWD`.

use super::file::KeyFields;
use super::file::hash_code::{self, ABS, MASK, MODULO};
use super::file::joined::{self, JOINED_BY, OF, key_or_inputs};
use super::file::write::{THEN, WRITE};
use super::function::Hash;
use super::hash::{HashSalt, Spelling};
use super::reduction::Take;
use super::spread::PLUS;
use saltplan_document::format::{Key, Map, form, number, optional};
use saltplan_document::reader::{Fields, FromFile, Reader};

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
) -> Option<HashSalt> {
    let of = fields.required(reader, &OF, |reader, value| key_or_inputs(reader, value, key));
    let joined_by = joined::joined_by(reader, fields)?;
    let seed = fields.optional(reader, &SEED, i32::from_file);
    let take = Take::Number(hash_code::reduction(reader, fields, "a hash of bytes")?);
    let salt = HashSalt::new(Spelling::BytesHash, Hash::BytesCode, of?, take);
    Some(HashSalt { joined_by, seed: seed?.map_or(salt.seed, i64::from), ..salt })
}

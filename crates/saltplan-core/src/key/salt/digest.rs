//! Digests: some of their hex digits, or a remainder.

use super::file::KeyFields;
use super::file::hash_code::ABS;
use super::file::joined::{self, JOINED_BY, OF, key_or_inputs};
use super::file::write::{THEN, WRITE};
use super::function::{HASHES, Hash, Property, count, names};
use super::hash::{HashSalt, Spelling};
use super::reduction::{HexDigits, Reduction, Take};
use super::spread::PLUS;
use saltplan_document::format::{
    Key, KeyRule, KeyTest, List, Map, ValueType, form, number, optional, required,
};
use saltplan_document::reader::{Fields, FileValue, Reader};

/// The key that declares it.
pub static KEY: Key = form("digest", &MAP, "{ hash: sha1, of: key, hex_digits: [1, 4], write: hex }");

static WITHOUT_SEED: [&str; count(Property::HasNoSeed, HASHES.0)] = names(Property::HasNoSeed, HASHES.0);
static LONG: [&str; count(Property::IsLong, HASHES.0)] = names(Property::IsLong, HASHES.0);

pub static HASH: Key = required("hash", ValueType::Words(&HASHES), "sha1", "The hash function.");
pub static SEED: Key =
    optional("seed", number(0, u32::MAX as i64), "0", "Start value of murmur3 and xxhash64; 0 if left out.");
pub static HEX_DIGITS: Key = optional(
    "hex_digits",
    ValueType::List(&List { item: number(1, 64), least: 2, most: 2, unique: false }),
    "[1, 4]",
    "The first and the last hex digit to take, counted from 1.",
);
pub static MODULO: Key = optional(
    "modulo",
    number(1, i32::MAX as i64),
    "16",
    "Divisor of the remainder, of the digest as an unsigned number unless `abs` is given.",
);

pub static MAP: Map = Map {
    about: "A digest (SHA-1, SHA-256, CRC-32, MurmurHash3, xxHash64, FNV-1a, MD5): some of its hex digits, or a remainder.",
    keys: &[&HASH, &OF, &JOINED_BY, &SEED, &HEX_DIGITS, &MODULO, &ABS, &PLUS, &WRITE, &THEN],
    cases: &[
        joined::WHOLE,
        joined::OF_BYTES,
        KeyRule::when(&[KeyTest::Has(&HEX_DIGITS)]).excludes(&[&MODULO, &ABS, &PLUS]),
        KeyRule::when(&[KeyTest::Lacks(&HEX_DIGITS)]).needs(&[&MODULO]),
        KeyRule::when(&[KeyTest::Is(&HASH, &LONG)])
            .described("a hash of more than 64 bits")
            .refuses(&[&ABS])
            .help("remove it: the digest is taken as an unsigned number"),
        KeyRule::when(&[KeyTest::Is(&HASH, &WITHOUT_SEED)])
            .described("a hash without a seed")
            .refuses(&[&SEED])
            .help("remove it: only murmur3 and xxhash64 have a seed"),
    ],
    misplaced: &[],
};

pub(super) fn read(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<HashSalt> {
    let hash = fields.required(reader, &HASH, |reader, value| value.word(reader));
    let seed = fields.optional(reader, &SEED, |reader, value| value.number(reader));
    let of = fields.required(reader, &OF, |reader, value| key_or_inputs(reader, value, key));
    let joined_by = joined::joined_by(reader, fields)?;
    fields.refuse(reader)?;
    let (hash, seed) = (hash?, seed?.unwrap_or(0_i64));
    let take = match (fields.get(&HEX_DIGITS), fields.get(&MODULO)) {
        (Some(digits), _) => Take::HexDigits(window(reader, &digits, hash, HASHES.word(hash))?),
        (None, Some(modulo)) => {
            let by = modulo.number(reader)?;
            match fields.optional(reader, &ABS, |reader, value| value.word(reader))? {
                Some(abs) => Take::Number(Reduction::modulo(by, abs)),
                None => Take::Number(Reduction::unsigned(by)),
            }
        }
        (None, None) => {
            let help = "add `hex_digits: [1, 4]` for the first four digits, or `modulo: n`";
            return fields.incomplete(reader, "a digest needs `hex_digits` or `modulo`", help);
        }
    };
    Some(HashSalt { joined_by, seed, ..HashSalt::new(Spelling::Digest, hash, of?, take) })
}

/// The first and the last digit, within the digest.
pub(super) fn window(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    hash: Hash,
    name: &str,
) -> Option<HexDigits> {
    let ends: Vec<usize> =
        value.items(reader)?.iter().map(|item| item.number(reader)).collect::<Option<_>>()?;
    let &[first, last] = ends.as_slice() else { return None };
    let digits = hash.hex_digits();
    if first > last {
        return reader.reject(
            value.span(),
            format!("the first hex digit, {first}, is after the last, {last}"),
            "no digits",
            format!("write `[{last}, {first}]`"),
        );
    }
    if last > digits {
        return reader.reject(
            value.span(),
            format!("{name} has only {digits} hex digits"),
            "beyond its end",
            format!("take digits up to {digits}"),
        );
    }
    Some(HexDigits::new(first, last - first + 1))
}

//! Digests other than the first hex digits of an MD5: SHA-1, SHA-256, CRC-32, `MurmurHash3`, xxHash64 and FNV-1a.

use md5::Md5;
use sha1::{Digest, Sha1};
use sha2::Sha256;

use super::file::KeyFields;
use super::file::hash_code::ABS;
use super::file::joined::{self, JOINED_BY, OF, key_or_inputs};
use super::file::write::{THEN, WRITE};
use super::hash_code::Abs;
use super::input::SaltInputs;
use super::numbers::{Digits, Number, Numbers};
use super::reducer::Reducer;
use super::spread::PLUS;
use super::{Hashed, Scheme, distinguishes_inputs};
use crate::key::field::{Field, FieldVec};
use saltplan_document::format::{
    Choice, Key, KeyRule, KeyTest, List, Map, ValueType, form, number, optional, required, word,
};
use saltplan_document::reader::{Fields, FileValue, Reader};

/// A digest of the inputs joined by `joined_by`, and the part of it that is the salt.
#[derive(Debug, Clone, PartialEq)]
pub struct DigestSalt {
    pub hash: Hash,
    /// The start value of `MurmurHash3` and xxHash64; 0 for all others.
    pub seed: u64,
    pub of: SaltInputs,
    pub joined_by: Vec<u8>,
    pub take: Take,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    Md5,
    Sha1,
    Sha256,
    /// IEEE 802.3, as `java.util.zip.CRC32`.
    Crc32,
    /// The 32 bits as a number, most significant byte first.
    Murmur3x32,
    /// For 64-bit machines: two words of 64 bits, each with its least significant byte first, as Guava's `asBytes`.
    Murmur3x128,
    XxHash64,
    Fnv1a32,
    Fnv1a64,
}

/// The part of a digest that is the salt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    /// Hex digits: `first` counts from 1, at most 64 digits.
    HexDigits { first: usize, count: usize },
    /// The remainder of the digest as an unsigned number.
    Modulo(i32),
    /// The remainder of the digest as Java's `int` or `long`; `abs` removes its sign.
    Signed { by: i32, abs: Abs },
}

impl Hash {
    /// Hex digits of the whole digest.
    pub fn hex_digits(self) -> usize {
        2 * self.bytes()
    }

    pub fn bytes(self) -> usize {
        match self {
            Hash::Md5 | Hash::Murmur3x128 => 16,
            Hash::Sha1 => 20,
            Hash::Sha256 => 32,
            Hash::Crc32 | Hash::Murmur3x32 | Hash::Fnv1a32 => 4,
            Hash::XxHash64 | Hash::Fnv1a64 => 8,
        }
    }

    /// The digest, followed by zeros up to 32 bytes.
    pub fn digest(self, seed: u64, message: &[u8]) -> [u8; 32] {
        let mut digest = [0; 32];
        let mut put = |bytes: &[u8]| digest[..bytes.len()].copy_from_slice(bytes);
        match self {
            Hash::Md5 => put(&Md5::digest(message)),
            Hash::Sha1 => put(&Sha1::digest(message)),
            Hash::Sha256 => put(&Sha256::digest(message)),
            Hash::Crc32 => put(&crc32fast::hash(message).to_be_bytes()),
            Hash::Murmur3x32 => put(&murmur3_32(seed as u32, message).to_be_bytes()),
            Hash::Murmur3x128 => put(&murmur3_128(seed as u32, message).to_le_bytes()),
            Hash::XxHash64 => put(&twox_hash::XxHash64::oneshot(seed, message).to_be_bytes()),
            Hash::Fnv1a32 => put(&fnv1a_32(message).to_be_bytes()),
            Hash::Fnv1a64 => put(&fnv1a_64(message).to_be_bytes()),
        }
        digest
    }

    /// The digest as Java's `int` or `long`; `None` for digests of more than 64 bits. For `murmur3_128` it is Guava's
    /// `asLong`, the first word.
    pub fn signed(self, digest: &[u8; 32]) -> Option<i64> {
        let mut word = [0; 8];
        word.copy_from_slice(&digest[..8]);
        match self {
            Hash::Crc32 | Hash::Murmur3x32 | Hash::Fnv1a32 => {
                Some(i64::from((u64::from_be_bytes(word) >> 32) as i32))
            }
            Hash::XxHash64 | Hash::Fnv1a64 => Some(i64::from_be_bytes(word)),
            Hash::Murmur3x128 => Some(i64::from_le_bytes(word)),
            Hash::Md5 | Hash::Sha1 | Hash::Sha256 => None,
        }
    }

    /// The smallest number of Java's type for the digest.
    pub fn least(self) -> i64 {
        if self.is_of_32_bits() { i32::MIN.into() } else { i64::MIN }
    }

    fn is_of_32_bits(self) -> bool {
        self.bytes() == 4
    }
}

impl DigestSalt {
    /// The remainder of the digest as an unsigned number; for `murmur3_128`, of its first word.
    fn remainder(&self, digest: &[u8; 32], by: i32) -> i128 {
        let by = u64::from(by.unsigned_abs()).max(1);
        let rest = match self.hash.signed(digest) {
            Some(number) if self.hash.is_of_32_bits() => u64::from(number as u32) % by,
            Some(number) => number.cast_unsigned() % by,
            None => {
                digest[..self.hash.bytes()].iter().fold(0, |rest, byte| (rest << 8 | u64::from(*byte)) % by)
            }
        };
        rest.into()
    }
}

impl Scheme for DigestSalt {
    fn key(&self) -> &'static Key {
        &KEY
    }

    fn hashed(&self) -> Option<Hashed<'_>> {
        Some(Hashed { of: &self.of, joined_by: &self.joined_by })
    }

    fn number_of_joined(&self, joined: &[u8]) -> Option<Number> {
        let digest = self.hash.digest(self.seed, joined);
        Some(match self.take {
            Take::HexDigits { first, count } => Number::Digits(Digits::of_bytes(&digest, first - 1, count)),
            Take::Modulo(by) => Number::Plain(self.remainder(&digest, by)),
            Take::Signed { by, abs } => {
                Number::Plain(abs.remainder(self.hash.signed(&digest)?, by, self.hash.least()).into())
            }
        })
    }

    fn numbers(&self, _fields: &FieldVec<Field>) -> Numbers {
        match self.take {
            Take::HexDigits { count, .. } => Numbers::of_hex_digits(count),
            Take::Modulo(by) => Numbers::run(0..=i128::from(by.unsigned_abs()) - 1),
            Take::Signed { by, abs } => {
                let least = self.hash.least();
                abs.remainders(least..=i64::MAX, by, least)
            }
        }
    }

    fn reducer(&self) -> Reducer {
        Reducer::Digest { hash: self.hash, seed: self.seed, take: self.take }
    }

    fn determines_inputs(&self, fields: &FieldVec<Field>) -> bool {
        let is_cryptographic = matches!(self.hash, Hash::Md5 | Hash::Sha1 | Hash::Sha256);
        let Take::HexDigits { count, .. } = self.take else { return false };
        is_cryptographic && distinguishes_inputs(fields, &self.of, &self.joined_by, count)
    }
}

/// FNV-1a of 64 bits (Fowler, Noll and Vo; RFC 9923).
fn fnv1a_64(message: &[u8]) -> u64 {
    message.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// FNV-1a of 32 bits.
fn fnv1a_32(message: &[u8]) -> u32 {
    message.iter().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// `MurmurHash3_x86_32`. Reading from memory cannot fail.
fn murmur3_32(seed: u32, mut message: &[u8]) -> u32 {
    murmur3::murmur3_32(&mut message, seed).unwrap_or_default()
}

/// `MurmurHash3_x64_128`: the first word in the low half.
fn murmur3_128(seed: u32, mut message: &[u8]) -> u128 {
    murmur3::murmur3_x64_128(&mut message, seed).unwrap_or_default()
}

/// The key that declares it.
pub static KEY: Key = form("digest", &MAP, "{ hash: sha1, of: key, hex_digits: [1, 4], write: hex }");

pub static HASHES: Choice<Hash> = Choice(&[
    word("md5", Hash::Md5, "128 bits"),
    word("sha1", Hash::Sha1, "160 bits"),
    word("sha256", Hash::Sha256, "256 bits"),
    word("crc32", Hash::Crc32, "32 bits, as java.util.zip.CRC32"),
    word("murmur3_32", Hash::Murmur3x32, "32 bits, MurmurHash3_x86_32"),
    word("murmur3_128", Hash::Murmur3x128, "128 bits, MurmurHash3_x64_128; as a number Guava's asLong"),
    word("xxhash64", Hash::XxHash64, "64 bits"),
    word("fnv1a_32", Hash::Fnv1a32, "32 bits"),
    word("fnv1a_64", Hash::Fnv1a64, "64 bits"),
]);

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
        KeyRule::when(&[KeyTest::Is(&HASH, &["md5", "sha1", "sha256"])])
            .described("a hash of more than 64 bits")
            .refuses(&[&ABS])
            .help("remove it: the digest is taken as an unsigned number"),
        KeyRule::when(&[KeyTest::Is(&HASH, &["md5", "sha1", "sha256", "crc32", "fnv1a_32", "fnv1a_64"])])
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
) -> Option<DigestSalt> {
    let hash = fields.required(reader, &HASH, |reader, value| value.word(reader));
    let seed = fields.optional(reader, &SEED, |reader, value| value.number(reader));
    let of = fields.required(reader, &OF, |reader, value| key_or_inputs(reader, value, key));
    let joined_by = joined::joined_by(reader, fields)?;
    fields.refuse(reader)?;
    let (hash, seed) = (hash?, seed?.unwrap_or(0));
    let take = match (fields.get(&HEX_DIGITS), fields.get(&MODULO)) {
        (Some(digits), _) => window(reader, &digits, hash)?,
        (None, Some(modulo)) => {
            let by = modulo.number(reader)?;
            match fields.optional(reader, &ABS, |reader, value| value.word(reader))? {
                Some(abs) => Take::Signed { by, abs },
                None => Take::Modulo(by),
            }
        }
        (None, None) => {
            let help = "add `hex_digits: [1, 4]` for the first four digits, or `modulo: n`";
            return fields.incomplete(reader, "a digest needs `hex_digits` or `modulo`", help);
        }
    };
    Some(DigestSalt { hash, seed, of: of?, joined_by, take })
}

/// The first and the last digit, within the digest.
fn window(reader: &mut Reader<'_>, value: &FileValue<'_>, hash: Hash) -> Option<Take> {
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
        let name = HASHES.word(hash);
        return reader.reject(
            value.span(),
            format!("{name} has only {digits} hex digits"),
            "beyond its end",
            format!("take digits up to {digits}"),
        );
    }
    Some(Take::HexDigits { first, count: last - first + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(hash: Hash, message: &str) -> String {
        let digest = hash.digest(0, message.as_bytes());
        digest[..hash.bytes()].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Published values: RFC 1321, FIPS 180, the check value of CRC-32, `SMHasher`, xxHash's `XSUM_SANITY`, RFC 9923; the SHA-1 of
    /// 1001 is the row key of a course on HBase.
    #[test]
    fn published_digests() {
        for (hash, message, digest) in [
            (Hash::Md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
            (Hash::Sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (Hash::Sha1, "1001", "dd01903921ea24941c26a48f2cec24e0bb0e8cc7"),
            (Hash::Sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (Hash::Crc32, "123456789", "cbf43926"),
            (Hash::Murmur3x32, "hello", "248bfa47"),
            (Hash::Murmur3x128, "hello", "029bbd41b3a7d8cb191dae486a901e5b"),
            (Hash::XxHash64, "", "ef46db3751d8e999"),
            (Hash::XxHash64, "a", "d24ec4f1a98c6e5b"),
            (Hash::Fnv1a32, "foobar", "bf9cf968"),
            (Hash::Fnv1a64, "foobar", "85944171f73967e8"),
        ] {
            assert_eq!(hex(hash, message), digest, "{hash:?} of {message}");
        }
    }

    fn salt(hash: Hash, take: Take) -> DigestSalt {
        DigestSalt { hash, seed: 0, of: SaltInputs::Key, joined_by: Vec::new(), take }
    }

    fn plain(salt: &DigestSalt, message: &str) -> i128 {
        salt.number_of_joined(message.as_bytes()).unwrap().plain()
    }

    #[test]
    fn remainders_are_of_the_whole_digest() {
        // 0x900150983cd24fb0d6963f7d28e17f72 and the SHA-1 of abc, by Python.
        assert_eq!(plain(&salt(Hash::Md5, Take::Modulo(1000)), "abc"), 570);
        assert_eq!(plain(&salt(Hash::Sha1, Take::Modulo(97)), "abc"), 13);
        assert_eq!(
            plain(&salt(Hash::Crc32, Take::Modulo(100)), "123456789"),
            i128::from(0xCBF4_3926_u32 % 100)
        );
        let number = 0xCBF4_3926_u32 as i32;
        for (abs, expected) in [
            (Abs::None, number % 100),
            (Abs::After, (number % 100).abs()),
            (Abs::Before, number.abs() % 100),
            (Abs::Mask, (number & i32::MAX) % 100),
        ] {
            let salt = salt(Hash::Crc32, Take::Signed { by: 100, abs });
            assert_eq!(plain(&salt, "123456789"), i128::from(expected), "{abs:?}");
        }
        // Guava's `murmur3_128().hashString("hello").asLong()`.
        let first_word = 0xcbd8_a7b3_41bd_9b02_u64.cast_signed();
        let signed = salt(Hash::Murmur3x128, Take::Signed { by: 64, abs: Abs::After });
        assert_eq!(plain(&signed, "hello"), i128::from((first_word % 64).abs()));
        let unsigned = salt(Hash::Murmur3x128, Take::Modulo(64));
        assert_eq!(plain(&unsigned, "hello"), i128::from(first_word.cast_unsigned() % 64));
    }

    #[test]
    fn windows_of_digits() {
        let digits = |first, count, write: super::super::SaltWrite| {
            let mut bytes = Vec::new();
            let salt = salt(Hash::Md5, Take::HexDigits { first, count });
            write.append(salt.number_of_joined(b"abc").unwrap(), &mut bytes);
            bytes
        };
        use super::super::SaltWrite::{BigEndian, Bytes, Decimal, Hex, UpperHex};
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

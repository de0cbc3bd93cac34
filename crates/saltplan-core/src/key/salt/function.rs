//! Hash functions, each with its record: MD5, SHA-1, SHA-256, CRC-32, `MurmurHash3`, xxHash64, FNV-1a and Java's hash codes.

use sha1::{Digest, Sha1};
use sha2::Sha256;

use super::md5;
use crate::key::java;
use saltplan_document::format::{Choice, Word, word};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    Md5,
    Sha1,
    Sha256,
    /// IEEE 802.3, as `java.util.zip.CRC32`.
    Crc32,
    /// The 32 bits as a number, most significant byte first.
    Murmur3x32,
    /// The same number, whose digits are those of Guava's `toString`: least significant byte first.
    GuavaMurmur3x32,
    /// For 64-bit machines: two words of 64 bits, each with its least significant byte first, as Guava's `asBytes`.
    Murmur3x128,
    XxHash64,
    Fnv1a32,
    Fnv1a64,
    /// `String.hashCode`
    StringCode,
    /// `Arrays.hashCode(byte[])`
    BytesCode,
    /// `Long.hashCode`
    LongCode,
    /// `Arrays.hashCode(Object[])` and `Objects.hash`
    ObjectsCode,
}

/// What is known of a hash function.
#[derive(Debug)]
struct Record {
    /// The length of the whole hash.
    bytes: usize,
    /// Computes the hash of a seed and a message.
    compute: Compute,
    /// What is used if the schema file sets no seed; `None` for functions without a seed.
    seed: Option<i64>,
    /// The seed is an `int` of Java, not a number without sign.
    seed_has_sign: bool,
    /// Nobody finds two messages with the same hash.
    is_cryptographic: bool,
    takes: Takes,
}

/// What the message consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    Bytes,
    Text,
    /// The hash codes of Java's objects, four bytes each.
    Objects,
}

#[derive(Debug)]
enum Compute {
    /// A number of Java's type `int`, whose digits are those of its bytes, most significant first.
    Int(fn(i64, &[u8]) -> i32),
    /// The same number, whose digits are those of its bytes, least significant first.
    TurnedInt(fn(i64, &[u8]) -> i32),
    /// As `Int`, for a `long`.
    Long(fn(i64, &[u8]) -> i64),
    /// Bytes, followed by zeros. The number is the first word of eight bytes, least significant first.
    Words(fn(i64, &[u8]) -> [u8; 32]),
    /// Bytes, followed by zeros. As a number they have no type in Java.
    Bytes(fn(i64, &[u8]) -> [u8; 32]),
}

impl Record {
    const fn new(bytes: usize, compute: Compute) -> Self {
        Record {
            bytes,
            compute,
            seed: None,
            seed_has_sign: false,
            is_cryptographic: false,
            takes: Takes::Bytes,
        }
    }

    const fn with_seed(self, seed: i64) -> Self {
        Record { seed: Some(seed), ..self }
    }

    const fn with_signed_seed(self, seed: i64) -> Self {
        Record { seed: Some(seed), seed_has_sign: true, ..self }
    }

    const fn cryptographic(self) -> Self {
        Record { is_cryptographic: true, ..self }
    }

    const fn of(self, takes: Takes) -> Self {
        Record { takes, ..self }
    }
}

static MD5: Record = Record::new(16, Compute::Bytes(|_, text| padded(&md5::digest(text)))).cryptographic();
static SHA1: Record = Record::new(20, Compute::Bytes(|_, text| padded(&Sha1::digest(text)))).cryptographic();
static SHA256: Record =
    Record::new(32, Compute::Bytes(|_, text| padded(&Sha256::digest(text)))).cryptographic();
static CRC32: Record = Record::new(4, Compute::Int(|_, text| crc32fast::hash(text).cast_signed()));
static MURMUR3_32: Record =
    Record::new(4, Compute::Int(|seed, text| murmur3_32(seed as u32, text).cast_signed())).with_seed(0);
static GUAVA_MURMUR3_32: Record =
    Record::new(4, Compute::TurnedInt(|seed, text| murmur3_32(seed as u32, text).cast_signed())).with_seed(0);
static MURMUR3_128: Record =
    Record::new(16, Compute::Words(|seed, text| padded(&murmur3_128(seed as u32, text).to_le_bytes())))
        .with_seed(0);
static XXHASH64: Record = Record::new(
    8,
    Compute::Long(|seed, text| twox_hash::XxHash64::oneshot(seed.cast_unsigned(), text).cast_signed()),
)
.with_seed(0);
static FNV1A_32: Record = Record::new(4, Compute::Int(|_, text| fnv1a_32(text).cast_signed()));
static FNV1A_64: Record = Record::new(8, Compute::Long(|_, text| fnv1a_64(text).cast_signed()));
static STRING_CODE: Record =
    Record::new(4, Compute::Int(|_, text| java::utf8_hash_code(text))).of(Takes::Text);
/// The hash of no bytes is the seed, 1 in Java.
static BYTES_CODE: Record =
    Record::new(4, Compute::Int(|seed, text| java::bytes_hash_code(seed as i32, text))).with_signed_seed(1);
/// Its only code is that of the number.
static LONG_CODE: Record =
    Record::new(4, Compute::Int(|_, codes| java::objects_hash_code(0, codes))).of(Takes::Objects);
/// The hash of no objects is the seed, 1 in Java.
static OBJECTS_CODE: Record =
    Record::new(4, Compute::Int(|seed, codes| java::objects_hash_code(seed as i32, codes)))
        .with_signed_seed(1)
        .of(Takes::Objects);

/// All functions.
pub static FUNCTIONS: Choice<Hash> = Choice(&WORDS);

/// The digests that `digest` knows: the first of all functions.
pub static HASHES: Choice<Hash> = Choice(WORDS.split_at(9).0);

static WORDS: [Word<Hash>; 14] = [
    word("md5", Hash::Md5, "128 bits"),
    word("sha1", Hash::Sha1, "160 bits"),
    word("sha256", Hash::Sha256, "256 bits"),
    word("crc32", Hash::Crc32, "32 bits, as java.util.zip.CRC32"),
    word("murmur3_32", Hash::Murmur3x32, "32 bits, MurmurHash3_x86_32"),
    word("murmur3_128", Hash::Murmur3x128, "128 bits, MurmurHash3_x64_128; as a number Guava's asLong"),
    word("xxhash64", Hash::XxHash64, "64 bits"),
    word("fnv1a_32", Hash::Fnv1a32, "32 bits"),
    word("fnv1a_64", Hash::Fnv1a64, "64 bits"),
    word(
        "guava_murmur3_32",
        Hash::GuavaMurmur3x32,
        "murmur3_32 with its bytes turned round, as Guava's toString",
    ),
    word("string_hash_code", Hash::StringCode, "32 bits, Java's String.hashCode"),
    word("bytes_hash_code", Hash::BytesCode, "32 bits, Java's Arrays.hashCode of bytes"),
    word("long_hash_code", Hash::LongCode, "32 bits, Java's Long.hashCode of a number"),
    word(
        "objects_hash_code",
        Hash::ObjectsCode,
        "32 bits, Java's Objects.hash of the values: Long.hashCode of a bigint or an instant, Integer.hashCode of a smaller number, String.hashCode of all else",
    ),
];

/// A property of hash functions that decides which keys a schema file may have.
#[derive(Debug, Clone, Copy)]
pub(super) enum Property {
    /// It hashes bytes.
    TakesBytes,
    /// It hashes the values of Java's objects one by one.
    TakesObjects,
    /// It hashes characters.
    TakesText,
    HasNoSeed,
    HasUnsignedSeed,
    HasSignedSeed,
    /// The hash has more than 64 bits.
    IsLong,
}

/// How many of the words have the property.
pub(super) const fn count(property: Property, words: &[Word<Hash>]) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < words.len() {
        if words[at].meaning.has(property) {
            count += 1;
        }
        at += 1;
    }
    count
}

/// The words that have the property; `N` is their [`count`].
pub(super) const fn names<const N: usize>(
    property: Property,
    words: &'static [Word<Hash>],
) -> [&'static str; N] {
    let mut names = [""; N];
    let (mut at, mut count) = (0, 0);
    while at < words.len() {
        if words[at].meaning.has(property) {
            names[count] = words[at].text;
            count += 1;
        }
        at += 1;
    }
    names
}

impl Hash {
    const fn has(self, property: Property) -> bool {
        let record = self.record();
        match property {
            Property::TakesBytes => matches!(record.takes, Takes::Bytes),
            Property::TakesObjects => matches!(record.takes, Takes::Objects),
            Property::TakesText => matches!(record.takes, Takes::Text),
            Property::HasNoSeed => record.seed.is_none(),
            Property::HasUnsignedSeed => record.seed.is_some() && !record.seed_has_sign,
            Property::HasSignedSeed => record.seed_has_sign,
            Property::IsLong => matches!(record.compute, Compute::Bytes(_)),
        }
    }

    const fn record(self) -> &'static Record {
        match self {
            Hash::Md5 => &MD5,
            Hash::Sha1 => &SHA1,
            Hash::Sha256 => &SHA256,
            Hash::Crc32 => &CRC32,
            Hash::Murmur3x32 => &MURMUR3_32,
            Hash::GuavaMurmur3x32 => &GUAVA_MURMUR3_32,
            Hash::Murmur3x128 => &MURMUR3_128,
            Hash::XxHash64 => &XXHASH64,
            Hash::Fnv1a32 => &FNV1A_32,
            Hash::Fnv1a64 => &FNV1A_64,
            Hash::StringCode => &STRING_CODE,
            Hash::BytesCode => &BYTES_CODE,
            Hash::LongCode => &LONG_CODE,
            Hash::ObjectsCode => &OBJECTS_CODE,
        }
    }

    /// Hex digits of the whole hash.
    pub fn hex_digits(self) -> usize {
        2 * self.bytes()
    }

    pub fn bytes(self) -> usize {
        self.record().bytes
    }

    /// The seed, if the schema file sets none. `None` for functions without a seed.
    pub fn usual_seed(self) -> Option<i64> {
        self.record().seed
    }

    pub fn is_cryptographic(self) -> bool {
        self.record().is_cryptographic
    }

    /// Whether the hash is of text, and not of bytes.
    pub fn takes_text(self) -> bool {
        self.record().takes == Takes::Text
    }

    /// Whether the hash is of Java's objects, each by its own hash code.
    pub fn takes_objects(self) -> bool {
        self.record().takes == Takes::Objects
    }

    /// The bytes of the hash, followed by zeros up to 32 bytes.
    pub fn digest(self, seed: i64, message: &[u8]) -> [u8; 32] {
        match self.record().compute {
            Compute::Int(compute) => padded(&compute(seed, message).to_be_bytes()),
            Compute::TurnedInt(compute) => padded(&compute(seed, message).to_le_bytes()),
            Compute::Long(compute) => padded(&compute(seed, message).to_be_bytes()),
            Compute::Words(compute) | Compute::Bytes(compute) => compute(seed, message),
        }
    }

    /// The hash as Java's `int` or `long`; `None` for hashes of more than 64 bits. For `murmur3_128` it is Guava's
    /// `asLong`, the first word.
    pub fn number(self, seed: i64, message: &[u8]) -> Option<i64> {
        match self.record().compute {
            Compute::Int(compute) | Compute::TurnedInt(compute) => Some(compute(seed, message).into()),
            Compute::Long(compute) => Some(compute(seed, message)),
            Compute::Words(compute) => Some(first_word(&compute(seed, message))),
            Compute::Bytes(_) => None,
        }
    }

    /// The result of [`Hash::number`], of a hash whose bytes are known.
    pub fn number_of(self, digest: &[u8; 32]) -> Option<i64> {
        let mut word = [0; 8];
        word.copy_from_slice(&digest[..8]);
        match self.record().compute {
            Compute::Int(_) => Some(((u64::from_be_bytes(word) >> 32) as i32).into()),
            Compute::TurnedInt(_) => Some((u64::from_le_bytes(word) as i32).into()),
            Compute::Long(_) => Some(i64::from_be_bytes(word)),
            Compute::Words(_) => Some(first_word(digest)),
            Compute::Bytes(_) => None,
        }
    }

    /// The bits of the number; `None` for hashes that are no number of Java.
    pub fn bits(self) -> Option<u32> {
        match self.record().compute {
            Compute::Int(_) | Compute::TurnedInt(_) => Some(32),
            Compute::Long(_) | Compute::Words(_) => Some(64),
            Compute::Bytes(_) => None,
        }
    }
}

fn padded(bytes: &[u8]) -> [u8; 32] {
    let mut digest = [0; 32];
    digest[..bytes.len()].copy_from_slice(bytes);
    digest
}

fn first_word(digest: &[u8; 32]) -> i64 {
    let mut word = [0; 8];
    word.copy_from_slice(&digest[..8]);
    i64::from_le_bytes(word)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(hash: Hash, message: &str) -> String {
        let digest = hash.digest(hash.usual_seed().unwrap_or(0), message.as_bytes());
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
            (Hash::GuavaMurmur3x32, "hello", "47fa8b24"),
            (Hash::Murmur3x128, "hello", "029bbd41b3a7d8cb191dae486a901e5b"),
            (Hash::XxHash64, "", "ef46db3751d8e999"),
            (Hash::XxHash64, "a", "d24ec4f1a98c6e5b"),
            (Hash::Fnv1a32, "foobar", "bf9cf968"),
            (Hash::Fnv1a64, "foobar", "85944171f73967e8"),
        ] {
            assert_eq!(hex(hash, message), digest, "{hash:?} of {message}");
        }
    }

    #[test]
    fn a_number_is_that_of_the_bytes() {
        for hash in
            [Hash::Crc32, Hash::Murmur3x32, Hash::Murmur3x128, Hash::XxHash64, Hash::Fnv1a64, Hash::BytesCode]
        {
            for message in [&b""[..], b"a", b"hello, world"] {
                assert_eq!(hash.number(7, message), hash.number_of(&hash.digest(7, message)), "{hash:?}");
            }
        }
    }
}

//! `key: salt:`: one scheme, and in it what is hashed and how the number is written.

pub mod bytes_hash;
pub mod hash_code;
pub mod input;
pub mod java_hash;
pub mod joined;
pub mod md5;
pub mod modulo;
pub mod random;

use super::{Choice, Key, List, Misplaced, OneOf, Text, ValueType, number, optional, required, word};
use crate::key::salt::SaltWrite;

/// The schemes, for the reader to choose by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemeName {
    Md5,
    JavaHash,
    Modulo,
    Random,
    BytesHash,
}

pub static SALT: OneOf<SchemeName> = OneOf {
    about: "Leading bytes that spread writes over the regions.",
    forms: &[
        (&MD5, SchemeName::Md5),
        (&JAVA_HASH, SchemeName::JavaHash),
        (&MODULO, SchemeName::Modulo),
        (&RANDOM, SchemeName::Random),
        (&BYTES_HASH, SchemeName::BytesHash),
    ],
    misplaced: &[Misplaced {
        name: "then",
        message: "`then` stands beside the scheme of the salt",
        label: "not known here",
        help: "write it inside, after `write`: `md5: { …, then: '_' }`",
    }],
};

pub static MD5: Key =
    optional("md5", ValueType::Map(&md5::MAP), "{ of: key, first_hex_digits: 8, write: hex }", "");
pub static JAVA_HASH: Key = optional(
    "java_hash",
    ValueType::Map(&java_hash::MAP),
    "{ of: [tel], abs: after, modulo: 16, write: { decimal: 2 } }",
    "",
);
pub static MODULO: Key =
    optional("modulo", ValueType::Map(&modulo::MAP), "{ of: id, by: 20, write: be64 }", "");
pub static RANDOM: Key =
    optional("random", ValueType::Map(&random::MAP), "{ below: 100, write: { decimal: 2 } }", "");
pub static BYTES_HASH: Key = optional(
    "bytes_hash",
    ValueType::Map(&bytes_hash::MAP),
    "{ of: key, abs: after, modulo: 16, write: be8 }",
    "",
);

/// How the salt's number is written; the width of `decimal` may be given, too.
pub static WORDS: Choice<SaltWrite> = Choice(&[
    word("decimal", SaltWrite::Decimal { width: None }, "text without padding"),
    word("hex", SaltWrite::Hex, "lower-case hex digits"),
    word("be8", SaltWrite::BigEndian { bytes: 1 }, "one byte"),
    word("be16", SaltWrite::BigEndian { bytes: 2 }, "two bytes, big endian"),
    word("be32", SaltWrite::BigEndian { bytes: 4 }, "four bytes, big endian"),
    word("be64", SaltWrite::BigEndian { bytes: 8 }, "eight bytes, big endian"),
]);

pub static WIDTH: Key = required("decimal", number(1, 64), "2", "Digits, padded with zeros.");

/// `{ decimal: width }`
pub static PADDED: OneOf<()> = OneOf { about: "Text of one width.", forms: &[(&WIDTH, ())], misplaced: &[] };

pub static WRITE: Key = required(
    "write",
    ValueType::Either(&[ValueType::Words(&WORDS), ValueType::Forms(&PADDED)]),
    "hex",
    "How the number becomes bytes.",
);
pub static THEN: Key = optional(
    "then",
    ValueType::Text(Text::Bytes),
    "'_'",
    "Separator behind the salt, where it is not the `separator` of the key.",
);

/// What a hash is computed from.
pub static INPUTS: List = List {
    item: ValueType::Either(&[ValueType::Text(Text::FieldName), ValueType::Map(&input::MAP)]),
    least: 1,
    most: 64,
    unique: false,
};

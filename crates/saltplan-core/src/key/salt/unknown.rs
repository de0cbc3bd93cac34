//! A salt whose rule is unknown: its width and its characters, or a list of its values.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Scheme;
use super::file::KeyFields;
use super::file::write::THEN;
use super::numbers::{Digits, Numbers};
use super::reducer::Reducer;
use super::write::SaltWrite;
use crate::key::field::{Field, FieldVec};
use crate::key::read::bytes;
use saltplan_document::format::{
    Choice, Key, KeyRule, KeyTest, List, Map, Misplaced, Text, ValueType, form, number, optional, word,
};
use saltplan_document::reader::{Fields, FileValue, FromFile, Reader};

/// Planned like a random salt: nothing is computed, and every query reads all salts.
#[derive(Debug, Clone, PartialEq)]
pub enum UnknownSalt {
    /// Every text of `width` characters.
    Every { width: usize, chars: SaltChars },
    /// The values that were seen, ascending.
    Values(Arc<[Vec<u8>]>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaltChars {
    Digits,
    Hex,
    UpperHex,
    Bytes,
}

impl Scheme for UnknownSalt {
    fn key(&self) -> &'static Key {
        &KEY
    }

    fn numbers(&self, _fields: &FieldVec<Field>) -> Numbers {
        match self {
            UnknownSalt::Every { width, chars: SaltChars::Digits } => {
                Numbers::run(0..=10i128.pow(*width as u32) - 1)
            }
            UnknownSalt::Every { width, chars: SaltChars::Hex | SaltChars::UpperHex } => {
                Numbers::of_hex_digits(*width)
            }
            UnknownSalt::Every { width, chars: SaltChars::Bytes } => Numbers::of_hex_digits(2 * width),
            UnknownSalt::Values(values) => {
                Numbers::listed(values.iter().filter_map(|value| Digits::of_text(value)).collect())
            }
        }
    }

    fn reducer(&self) -> Reducer {
        Reducer::Unknown(match self {
            UnknownSalt::Every { .. } => None,
            UnknownSalt::Values(values) => Some(Arc::clone(values)),
        })
    }

    fn own_write(&self) -> Option<SaltWrite> {
        Some(match self {
            UnknownSalt::Every { width, chars: SaltChars::Digits } => {
                SaltWrite::Decimal { width: Some(*width) }
            }
            UnknownSalt::Every { chars: SaltChars::Hex, .. } => SaltWrite::Hex,
            UnknownSalt::Every { chars: SaltChars::UpperHex, .. } => SaltWrite::UpperHex,
            UnknownSalt::Values(values) if values.iter().all(|value| std::str::from_utf8(value).is_ok()) => {
                SaltWrite::Text
            }
            UnknownSalt::Every { chars: SaltChars::Bytes, .. } | UnknownSalt::Values(_) => SaltWrite::Bytes,
        })
    }

    fn is_computable(&self) -> bool {
        false
    }
}

/// The key that declares it.
pub static KEY: Key = form("unknown", &MAP, "{ width: 2, chars: hex }");

pub static CHARS_OF_SALT: Choice<SaltChars> = Choice(&[
    word("digits", SaltChars::Digits, "0 to 9"),
    word("hex", SaltChars::Hex, "lower-case hex digits"),
    word("HEX", SaltChars::UpperHex, "hex digits in capitals"),
    word("bytes", SaltChars::Bytes, "any byte"),
]);

/// Four digits, or two bytes: with more salts a plan would have too many ranges.
const MAX_WIDTH: i64 = 4;
const MAX_BYTES: usize = 2;

pub static WIDTH: Key = optional("width", number(1, MAX_WIDTH), "2", "Characters or bytes of every salt.");
pub static CHARS: Key =
    optional("chars", ValueType::Words(&CHARS_OF_SALT), "hex", "The characters of the salt.");
pub static VALUES: Key = optional(
    "values",
    ValueType::List(&List { item: ValueType::Text(Text::Bytes), least: 1, most: 65_536, unique: true }),
    "['a', 'b']",
    "The salts that occur, as seen in the keys; `\\xNN` is a byte.",
);

pub static MAP: Map = Map {
    about: "A salt whose rule is not known: every query reads all salts, and `load` and `verify` cannot compute it.",
    keys: &[&WIDTH, &CHARS, &VALUES, &THEN],
    cases: &[
        KeyRule::when(&[KeyTest::Has(&VALUES)]).excludes(&[&WIDTH, &CHARS]),
        KeyRule::when(&[KeyTest::Lacks(&VALUES)]).needs(&[&WIDTH, &CHARS]),
    ],
    misplaced: &[Misplaced {
        name: "write",
        message: "the salt is known only as it is stored",
        label: "has no meaning here",
        help: "remove `write`",
    }],
};

pub(super) fn read(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    _key: &KeyFields<'_>,
) -> Option<UnknownSalt> {
    fields.refuse(reader)?;
    if let Some(listed) = fields.get(&VALUES) {
        return values(reader, &listed).map(|values| UnknownSalt::Values(values.into()));
    }
    let width = fields.optional(reader, &WIDTH, usize::from_file);
    let chars = fields.optional(reader, &CHARS, |reader, value| value.word(reader));
    let (Some(width), Some(chars)) = (width?, chars?) else {
        let help = "add `width: 2` and `chars: hex`, or list the salts that occur: `values: ['a', 'b']`";
        return fields.incomplete(reader, "`unknown` needs `width` and `chars`, or `values`", help);
    };
    if chars == SaltChars::Bytes && width > MAX_BYTES {
        return reader.reject(
            fields.get(&WIDTH)?.span(),
            format!("{width} bytes make more salts than a query can read"),
            format!("at most {MAX_BYTES} bytes"),
            "list the salts that occur: `values: [\"\\x00\\x01\", …]`",
        );
    }
    Some(UnknownSalt::Every { width, chars })
}

/// The listed salts, ascending.
fn values(reader: &mut Reader<'_>, listed: &FileValue<'_>) -> Option<Vec<Vec<u8>>> {
    let mut values = BTreeSet::new();
    for item in listed.some_items(reader, "list the salts that occur, or give `width` and `chars`")? {
        let value = bytes(reader, &item)?;
        if value.value.is_empty() || Digits::of_text(&value.value).is_none() {
            return reader.reject(
                value.span,
                "a salt has 1 to 32 bytes",
                format!("{} bytes", value.value.len()),
                "write the salt alone, without the key that follows it",
            );
        }
        if !values.insert(value.value) {
            return reader.reject(value.span, "the salt is listed twice", "the second one", "remove it");
        }
    }
    Some(values.into_iter().collect())
}

//! The input of a digest: the whole key, or joined inputs.

use super::KeyFields;
use super::input::{FIELD, INPUTS, inputs};
use crate::key::range::MAX_KEY_BYTES;
use crate::key::read::bytes;
use crate::key::salt::SaltInputs;
use saltplan_document::format::{
    Choice, Key, KeyRule, KeyTest, List, Map, Text, ValueType, default, number, required, word,
};
use saltplan_document::reader::{Fields, FileValue, Reader};
use saltplan_document::wording::excerpt;

/// The word for all fields together.
pub static WHOLE_KEY: Choice<()> = Choice(&[word("key", (), "the stored bytes of all fields")]);

static INPUT_FORMS: [ValueType; 3] =
    [ValueType::Words(&WHOLE_KEY), INPUT_LIST, ValueType::Map(&BYTES_OF_KEY)];
pub(crate) const INPUT_LIST: ValueType = ValueType::List(&INPUTS);

pub const OF: Key = required(
    "of",
    ValueType::Either(&INPUT_FORMS),
    "key",
    "What is hashed: the stored `key`, a list of fields, or bytes of the key.",
);

pub static BYTES: Key = required(
    "bytes",
    ValueType::List(&List { item: number(0, MAX_KEY_BYTES as i64), least: 2, most: 2, unique: false }),
    "[32, 40]",
    "The first byte and the byte after the last one, counted from 0 after the salt and its separator.",
);

pub static BYTES_OF_KEY: Map = Map {
    about: "A range of bytes of the stored key; a shorter key ends earlier.",
    keys: &[&BYTES],
    cases: &[],
    misplaced: &[],
};
pub const JOINED_BY: Key = default(
    "joined_by",
    ValueType::Text(Text::Bytes),
    "''",
    "Text between the inputs before they are hashed.",
);

pub(crate) const WHOLE: KeyRule = KeyRule::when(&[KeyTest::Is(&OF, &["key"])])
    .refuses(&[&JOINED_BY])
    .help("remove it: the stored key has its own separators");

pub(crate) const OF_BYTES: KeyRule =
    KeyRule { when: &[KeyTest::IsMapping(&OF)], with: "`of: { bytes: … }`", ..WHOLE };

/// `key`, a list of inputs, or bytes of the key.
pub(crate) fn key_or_inputs(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    key: &KeyFields<'_>,
) -> Option<SaltInputs> {
    if value.is_list() {
        return inputs(reader, value, key).map(SaltInputs::List);
    }
    if value.has(&FIELD) {
        let help = "put the input in a list: `of: [{ … }]`";
        return value.mismatch(reader, "`key`, a list of inputs, or `{ bytes: [32, 40] }`", help);
    }
    if value.is_mapping() {
        return value.mapping(reader, |reader, fields| fields.required(reader, &BYTES, byte_range));
    }
    let text = value.text(reader).map(|text| text.value);
    match text.as_deref() {
        Some("key") if key.fields.is_empty() || key.fields.iter().any(|field| field.stored) => {
            Some(SaltInputs::Key)
        }
        Some("key") => reader.reject(
            value.span(),
            "no field is stored, so the key would be empty",
            "the same for every row",
            "list the fields: `of: [a, b]`",
        ),
        Some(name) => {
            value.mismatch(reader, "`key` or a list of inputs", &format!("write `of: [{}]`", excerpt(name)))
        }
        None => None,
    }
}

/// `[32, 40]`: bytes of the key, the last one not included.
fn byte_range(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<SaltInputs> {
    let ends: Vec<usize> =
        value.items(reader)?.iter().map(|item| item.number(reader)).collect::<Option<_>>()?;
    let &[start, stop] = ends.as_slice() else { return None };
    if start >= stop {
        let help = match start > stop {
            true => format!("write `[{stop}, {start}]`"),
            false => format!("write `[{start}, {}]` for one byte", start + 1),
        };
        return reader.reject(
            value.span(),
            format!("no byte is in [{start}, {stop}]"),
            "an empty range",
            help,
        );
    }
    Some(SaltInputs::KeyBytes { start, stop })
}

/// The text between the inputs; empty if the key is missing.
pub(crate) fn joined_by(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Vec<u8>> {
    let joined = fields.optional(reader, &JOINED_BY, bytes)?;
    Some(joined.map(|joined| joined.value).unwrap_or_default())
}

//! The input of a digest: the whole key, or joined inputs.

use super::KeyFields;
use super::input::{INPUTS, inputs};
use crate::document::format::{Choice, Key, KeyRule, KeyTest, Text, ValueType, default, required, word};
use crate::document::reader::{FileValue, Reader, optional};
use crate::document::wording::excerpt;
use crate::key::read::bytes;
use crate::key::salt::SaltInputs;

/// The word for all fields together.
pub static WHOLE_KEY: Choice<()> = Choice(&[word("key", (), "the stored bytes of all fields")]);

pub static OF: Key = required(
    "of",
    ValueType::Either(&[ValueType::Words(&WHOLE_KEY), ValueType::List(&INPUTS)]),
    "key",
    "What is hashed: the stored `key`, or a list of fields.",
);
pub static JOINED_BY: Key = default(
    "joined_by",
    ValueType::Text(Text::Bytes),
    "''",
    "Text between the inputs before they are hashed.",
);

pub(crate) const WHOLE: KeyRule = KeyRule {
    when: &[KeyTest::Is(&OF, &["key"])],
    beside: "`of: key`",
    refuses: &[&JOINED_BY],
    help: "remove it: the stored key has its own separators",
    ..KeyRule::NOTHING
};

/// `key`, or a list of inputs.
pub(crate) fn key_or_inputs(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    key: &KeyFields<'_>,
) -> Option<SaltInputs> {
    if value.is_list() {
        return inputs(reader, value, key).map(SaltInputs::List);
    }
    let text = if value.is_mapping() { None } else { value.text(reader).map(|text| text.value) };
    match text.as_deref() {
        Some("key") if key.fields.is_empty() || key.fields.iter().any(|field| field.stored) => {
            Some(SaltInputs::Key)
        }
        Some("key") => {
            reader.error(
                value.span(),
                "no field is stored, so the key would be empty",
                "the same for every row",
                "list the fields: `of: [a, b]`",
            );
            None
        }
        Some(name) => {
            value.mismatch(reader, "`key` or a list of inputs", &format!("write `of: [{}]`", excerpt(name)))
        }
        None if value.is_mapping() => {
            value.mismatch(reader, "`key` or a list of inputs", "put the input in a list: `of: [{ … }]`")
        }
        None => None,
    }
}

/// The text between the inputs; empty if the key is missing.
pub fn joined_by(reader: &mut Reader<'_>, value: Option<FileValue<'_>>) -> Option<Vec<u8>> {
    let joined = optional(value, |value| bytes(reader, value))?;
    Some(joined.map(|joined| joined.value).unwrap_or_default())
}

//! The constant text in front of a salt.

use crate::key::read::bytes;
use saltplan_document::format::{Key, Text, ValueType, optional};
use saltplan_document::reader::{FileValue, Reader};

pub static BEHIND: Key = optional(
    "behind",
    ValueType::Text(Text::Bytes),
    "'d:'",
    "Constant text in front of the salt, with which every row key begins: printable ASCII.",
);

pub(super) fn read(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Vec<u8>> {
    let text = bytes(reader, value)?;
    if !text.value.is_empty() && text.value.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        return Some(text.value);
    }
    reader.reject(
        text.span,
        "the text in front of the salt must be printable ASCII",
        if text.value.is_empty() { "empty" } else { "another character" },
        "write a text such as `behind: 'd:'`, or remove `behind`",
    )
}

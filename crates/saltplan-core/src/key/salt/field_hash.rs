//! `hash` of a field: the field holds a hash of other fields.

use super::charset::CHARSET;
use super::file::KeyFields;
use super::file::hash_code::MODULO;
use super::file::joined::{INPUT_LIST, JOINED_BY, OF};
use super::file::write::{self, WRITE};
use super::hash_keys::{
    FUNCTION, HEX_DIGITS, LONG, MASK, OF_BYTES, OF_OBJECTS, OF_TEXT, SEED, SIGNED, WITH_SIGNED_SEED,
    WITH_UNSIGNED_SEED, WITHOUT_SEED, keys_of_hashes, rules_of_hashes,
};
use super::input::SaltInputs;
use super::java_hash::{COMBINE, XOR_IS_APART};
use super::{Salt, SaltScheme, SaltWrite, hash_keys};
use crate::key::field::{FieldId, FieldKind};
use saltplan_document::format::{Key, KeyRule, KeyTest, Map, Need, number};
use saltplan_document::reader::{FileValue, Reader};

/// How the hash is written in a text; a number has its own encoding.
pub static WRITE_OF_TEXT: Key =
    Key { need: Need::Optional, about: "How the hash is written in a text field.", ..WRITE };

pub static MAP: Map = Map {
    about: "A hash of other fields, as `hash` of a salt has it. The value follows from them: rows need not have it.",
    keys: keys_of_hashes![&WRITE_OF_TEXT],
    cases: rules_of_hashes![
        KeyRule::when(&[KeyTest::Has(&FUNCTION)])
            .described("a hash in a field")
            .narrows(&[(&OF, INPUT_LIST)])
    ],
    misplaced: &[],
};

/// Reads the hash of a field. `hashed` are all fields that hold a hash.
pub(crate) fn read(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    id: FieldId,
    hashed: &[FieldId],
    key: &KeyFields<'_>,
) -> Option<Salt> {
    let (scheme, write) = value.mapping(reader, |reader, fields| {
        let written = fields.get(&WRITE_OF_TEXT);
        let scheme = hash_keys::read(reader, fields, key);
        let write = match written {
            Some(value) => Some(write::write(reader, &value)?),
            None => None,
        };
        Some((scheme?, write.zip(written.map(|value| value.span()))))
    })?;
    let (field, declared) = key.declared(id);
    let is_number = matches!(field.kind, FieldKind::Integer(_));
    let SaltInputs::List(inputs) = &scheme.of else {
        let message = "a field holds a hash of other fields, not of the key";
        return reader.reject(value.span(), message, "contains itself", "list the fields: `of: [a, b]`");
    };
    if let Some(other) = inputs.iter().find(|input| hashed.contains(&input.field)) {
        let message = format!("`{}` is a hash, too", key.fields[other.field].name);
        return reader.reject(value.span(), message, "a hash of a hash", "list the fields of that hash");
    }
    let written = match (write, is_number) {
        (None, true) => SaltWrite::Decimal { width: None },
        (None, false) => {
            let message = format!("`{}` is a text, and nothing says how the hash is written", field.name);
            return reader.reject(value.span(), message, "needs `write`", "add `write: hex`");
        }
        (Some((_, span)), true) => {
            let message = format!("`{}` is a number, which has its own encoding", field.name);
            return reader.reject(span, message, "has no meaning here", "remove `write`");
        }
        (Some((write, span)), false) => {
            if write.is_binary() {
                let fault =
                    reader.fault(span, "the hash is written as bytes, but the field is a text", "binary");
                let help = "write `hex`, or make the field a number";
                return reader.rejected(fault.with_label(declared, "declared here").with_help(help));
            }
            write
        }
    };
    let hash = Salt {
        scheme: SaltScheme::Hash(scheme),
        spread: None,
        behind: Vec::new(),
        write: written,
        separator: Vec::new(),
    };
    check_room(reader, value, id, &hash, key)?;
    Some(hash)
}

/// The field can hold every hash.
fn check_room(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    id: FieldId,
    hash: &Salt,
    key: &KeyFields<'_>,
) -> Option<()> {
    let (field, declared) = key.declared(id);
    let numbers = hash.numbers(key.fields);
    let reason = match &field.kind {
        FieldKind::Text(text) => {
            let has_chars = (b' '..=b'~')
                .filter(|byte| hash.write.may_hold(*byte) && (*byte != b'-' || numbers.is_signed()))
                .all(|byte| text.chars.contains(char::from(byte)) || !is_written(hash.write, byte));
            let width = hash.fixed_width(key.fields);
            if !has_chars {
                Some("has other characters".to_string())
            } else if text.width.is_some() && text.width != width {
                Some(width.map_or("has no fixed width".to_string(), |width| format!("has {width} bytes")))
            } else {
                None
            }
        }
        kind => {
            let range = numbers.range();
            let domain = kind.domain();
            let is_inside = range.clone().zip(domain).is_some_and(|(range, domain)| {
                domain.start <= *range.start() && domain.stop.is_none_or(|stop| *range.end() < stop)
            });
            (!is_inside).then(|| match range {
                Some(range) => format!("is a number from {} to {}", range.start(), range.end()),
                None => "has too many bits".to_string(),
            })
        }
    };
    let Some(reason) = reason else { return Some(()) };
    let message = format!("`{}` cannot hold every hash, which {reason}", field.name);
    let fault = reader.fault(value.span(), message, "does not fit").with_label(declared, "declared here");
    reader.rejected(
        fault.with_help("change the type, the `width` or the `chars` of the field, or take less of the hash"),
    )
}

/// Whether a form of numbers writes a character.
fn is_written(write: SaltWrite, byte: u8) -> bool {
    match write {
        SaltWrite::Decimal { .. } => byte.is_ascii_digit() || byte == b'-',
        SaltWrite::Hex => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
        SaltWrite::UpperHex => byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte),
        _ => true,
    }
}

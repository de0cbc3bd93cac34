//! `key:`, the salt, the separator and the fields of the row key.

use std::collections::BTreeMap;

use super::field::{FieldKeys, ReadField, part};
use super::window::WrittenZone;
use crate::key::field::{Field, FieldId, FieldKind, FieldVec, TextField};
use crate::key::layout::RowKey;
use crate::key::range::MAX_KEY_BYTES;
use crate::key::read::bytes;
use crate::key::salt::Salt;
use crate::key::salt::file::write::check_write;
use crate::key::salt::file::{self as salt_file, KeyFields, ReadSalt, SALT};
use crate::key::salt::{field_hash, spread};
use crate::key::text_form::TextForm;
use saltplan_document::diag::{Span, Spanned};
use saltplan_document::format::{List, Text, ValueType};
use saltplan_document::mapping;
use saltplan_document::names::Names;
use saltplan_document::reader::{Fields, FileValue, Reader};

static FIELDS: List = List { item: ValueType::Map(&FieldKeys::MAP), least: 1, most: 64, unique: false };

mapping! {
    /// The row key: the salt, then the stored fields, with separators between them.
    pub keys RowKeyKeys {
        SALT = optional("salt", ValueType::Forms(&SALT), "{ md5: { … } }");
        /// Separator between all parts; `then` of a part overrides it. `\xNN` is a byte.
        SEPARATOR = default("separator", ValueType::Text(Text::Bytes), "''");
        /// The fields in key order.
        FIELDS = required("fields", ValueType::List(&FIELDS), "[{ name: …, type: … }]");
    }
}

/// The parts of the row key that could be read, and the names of all its fields.
pub(crate) struct ReadKey {
    pub row_key: Option<RowKey>,
    pub names: Names<FieldId>,
}

pub(super) fn key(reader: &mut Reader<'_>, value: Option<&FileValue<'_>>, zone: WrittenZone) -> ReadKey {
    let mut names = Names::new("key field");
    let row_key = value
        .and_then(|value| value.mapping(reader, |reader, fields| row_key(reader, fields, zone, &mut names)));
    if row_key.is_none() {
        names.add_nameless();
    }
    ReadKey { row_key, names }
}

fn row_key(
    reader: &mut Reader<'_>,
    entries: &mut Fields<'_>,
    zone: WrittenZone,
    names: &mut Names<FieldId>,
) -> Option<RowKey> {
    let separator = entries.optional(reader, &RowKeyKeys::SEPARATOR, bytes);
    let list = entries
        .required(reader, &RowKeyKeys::FIELDS, |reader, value| list_of_parts(reader, value, zone, names));
    if list.is_none() {
        names.add_nameless();
    }
    let (parts, complete) = list.unwrap_or_default();
    let fields: FieldVec<Field> = parts.iter().map(|part| part.field.clone()).collect();
    let zoned = zone.is_written;
    let key_fields = KeyFields { fields: &fields, names, zoned, of_objects: false };
    let salt = entries
        .optional(reader, &RowKeyKeys::SALT, |reader, value| salt_file::salt(reader, value, &key_fields));
    let (salt, separator) = (salt?, separator?);
    if !complete {
        return None;
    }
    let hashed = hashed_fields(reader, &entries.get(&RowKeyKeys::FIELDS)?, &key_fields)?;
    let separator = separator.map(|separator| separator.value).unwrap_or_default();
    let (plus, write) = salt.as_ref().map_or((None, None), |salt| (salt.plus, salt.write));
    let row_key = join(reader, salt, parts, &separator, &entries.owner())?;
    let row_key = RowKey { hashed, ..row_key };
    if let (Some(salt), Some(plus)) = (&row_key.salt, plus) {
        spread::check(reader, &salt.scheme.numbers(&row_key.fields), plus)?;
    }
    if let (Some(salt), Some(write)) = (&row_key.salt, write) {
        check_write(reader, &salt.numbers(&row_key.fields), salt.write, write)?;
    }
    check_length(reader, &row_key, entries.owner().key_span());
    Some(row_key)
}

/// The hashes that fields hold, once all fields are known.
fn hashed_fields(
    reader: &mut Reader<'_>,
    list: &FileValue<'_>,
    key: &KeyFields<'_>,
) -> Option<BTreeMap<FieldId, Salt>> {
    let items = list.items(reader)?;
    let of_items = || key.fields.ids().zip(&items);
    let hashes: Vec<(FieldId, FileValue<'_>)> =
        of_items().filter_map(|(id, item)| Some((id, item.child(&FieldKeys::HASH)?))).collect();
    let ids: Vec<FieldId> = hashes.iter().map(|(id, _)| *id).collect();
    let mut hashed = BTreeMap::new();
    for (id, value) in hashes {
        hashed.insert(id, field_hash::read(reader, &value, id, &ids, key)?);
    }
    Some(hashed)
}

/// The fields that could be read, and whether these are all items of the list.
fn list_of_parts(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    zone: WrittenZone,
    names: &mut Names<FieldId>,
) -> Option<(FieldVec<ReadField>, bool)> {
    let items = value.some_items(reader, "add a field, such as `{ name: id, type: string }`")?;
    let mut parts = FieldVec::new();
    for item in &items {
        let mut name = None;
        let part = part(reader, item, zone, &mut name);
        let id = part.map(|part| parts.push(part));
        names.add(reader, name, id, item.span());
    }
    let complete = parts.len() == items.len();
    Some((parts, complete))
}

const REMOVE_THE_SEPARATOR: &str = "remove `then`: separators go between the stored parts; only a text of any width may end with `then: '\\x00'`";

/// Sets the separator of every part of the key. The last stored part has none, unless it is a text that ends with a zero
/// byte.
fn join(
    reader: &mut Reader<'_>,
    salt: Option<ReadSalt>,
    parts: FieldVec<ReadField>,
    separator: &[u8],
    owner: &FileValue<'_>,
) -> Option<RowKey> {
    let last = parts.entries().rfind(|(_, part)| part.field.stored).map(|(id, _)| id);
    if last.is_none() && salt.is_none() {
        return reader.reject(
            owner.key_span(),
            "the row key is empty",
            "no salt, and no field is stored",
            "remove `stored: false` from a field, or add a salt",
        );
    }
    let separator_of = |reader: &mut Reader<'_>, own: Option<Spanned<Vec<u8>>>, written: bool| match own {
        Some(own) if !written => reader.reject(
            own.span,
            "a separator after the last stored part",
            "never written",
            REMOVE_THE_SEPARATOR,
        ),
        Some(own) => Some(own.value),
        None if written => Some(separator.to_vec()),
        None => Some(Vec::new()),
    };
    let salt = match salt {
        Some(salted) => {
            let separator = separator_of(reader, salted.separator, last.is_some())?;
            Some(Salt { separator, ..salted.salt })
        }
        None => None,
    };
    let mut fields = FieldVec::new();
    for (id, part) in parts.into_entries() {
        let written = part.field.stored && Some(id) != last;
        let separator = if part.field.kind.is_terminated() {
            check_end(reader, part.separator.as_ref())?;
            Vec::new()
        } else if Some(id) == last && ends_with_zero(&part) {
            vec![0]
        } else {
            separator_of(reader, part.separator, written)?
        };
        if part.field.kind.is_nullable() && written && separator.is_empty() {
            return reader.reject(
                part.nullable_at?,
                format!("`{}` may be NULL, and nothing shows where it ends", part.field.name),
                "an empty text in front of the next field",
                "give it a separator, such as `then: '_'`, or remove `nullable`",
            );
        }
        let kind = match part.field.kind {
            // A text that ends with a zero byte must not contain one.
            FieldKind::Text(text)
                if text.form.is_plain()
                    && separator.contains(&0)
                    && !part.may_hold
                    && text.chars.contains('\0') =>
            {
                FieldKind::Text(TextField { chars: text.chars.without('\0'), ..text })
            }
            kind => kind,
        };
        fields.push(Field { kind, separator, ..part.field });
    }
    Some(RowKey { salt, fields, hashed: BTreeMap::new() })
}

/// Whether the part is a text of any width with `then: '\x00'`, which no zero byte in the text precedes: in keys that end so, the
/// order is that of the texts.
fn ends_with_zero(part: &ReadField) -> bool {
    let is_text = matches!(&part.field.kind, FieldKind::Text(TextField { width: None, values: None, form, .. }) if form.is_plain());
    is_text && !part.may_hold && part.separator.as_ref().is_some_and(|written| written.value == [0])
}

/// A descending text without width has its own end, also where it is the last field.
fn check_end(reader: &mut Reader<'_>, written: Option<&Spanned<Vec<u8>>>) -> Option<()> {
    match written {
        Some(written) if written.value != [TextForm::DESCENDING_END] => reader.reject(
            written.span,
            "a descending text without a width ends with the byte 0xFF",
            "another separator",
            "write `then: '\\xFF'` or remove `then`, or give the text a `width`",
        ),
        _ => Some(()),
    }
}

fn check_length(reader: &mut Reader<'_>, key: &RowKey, place: Span) {
    let least: usize = key
        .stored()
        .map(|index| &key.fields[index])
        .map(|field| least_width(field) + field.separator.len())
        .sum();
    if least > MAX_KEY_BYTES {
        let message =
            format!("every row key has at least {least} bytes, but HBase accepts at most {MAX_KEY_BYTES}");
        reader.error(place, message, "too long", "shorten the fields: even 100 bytes are long for a row key");
    }
}

fn least_width(field: &Field) -> usize {
    match &field.kind {
        FieldKind::Text(_) => field.kind.fixed_width().unwrap_or(0),
        kind => kind.fixed_width().unwrap_or(1),
    }
}

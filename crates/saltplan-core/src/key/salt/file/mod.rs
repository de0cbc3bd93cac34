//! Salts in schema files: the scheme, its inputs, and how its number is stored.
//!
//! Each scheme describes and reads its own keys; this module has what several schemes share.

pub mod hash_code;
pub mod input;
pub mod joined;
pub mod write;

use super::{FORMS, Salt, SaltScheme};
use crate::diag::{Span, Spanned};
use crate::document::format::{Key, Map, Misplaced, Need, OneOf, ValueType};
use crate::document::names::Names;
use crate::document::reader::{Fields, FileValue, Reader, optional};
use crate::key::field::{Field, FieldId, FieldVec};
use crate::key::read::bytes;
use write::{THEN, WRITE, write};

/// Reads the keys of a single scheme.
pub(crate) type ReadScheme = fn(&mut Reader<'_>, &mut Fields<'_>, &KeyFields<'_>) -> Option<SaltScheme>;

pub static SALT: OneOf<ReadScheme> = OneOf {
    about: "The salt: leading bytes that spread writes over the regions.",
    forms: FORMS,
    misplaced: &[Misplaced {
        name: "then",
        message: "`then` is outside the scheme of the salt",
        label: "not known here",
        help: "move it inside, after `write`: `md5: { …, then: '_' }`",
    }],
};

/// The key of a scheme, and an example of its value.
pub(crate) const fn scheme_key(name: &'static str, map: &'static Map, example: &'static str) -> Key {
    Key { name, about: "", need: Need::Optional, value: ValueType::Map(map), example }
}

/// The fields that can be inputs of the salt.
#[derive(Debug)]
pub struct KeyFields<'k> {
    pub fields: &'k FieldVec<Field>,
    pub names: &'k Names<FieldId>,
    /// The schema has a time zone.
    pub zoned: bool,
}

impl<'k> KeyFields<'k> {
    /// A field and the place of its declaration.
    pub fn declared(&self, id: FieldId) -> (&'k Field, Span) {
        (&self.fields[id], self.names.item(id))
    }
}

/// A salt, and the separator that the file sets for it.
#[derive(Debug)]
pub struct ReadSalt {
    pub salt: Salt,
    pub separator: Option<Spanned<Vec<u8>>>,
    /// The place of `write`, where the file says it.
    pub write: Option<Span>,
}

pub fn salt(reader: &mut Reader<'_>, value: &FileValue<'_>, key: &KeyFields<'_>) -> Option<ReadSalt> {
    let (read, body) = value.variant(reader, &SALT)?;
    let (scheme, write, separator, span) = body.mapping(reader, |reader, fields| {
        // Some schemes say themselves how the salt is written.
        let write_value = fields.has_meaning(&WRITE).then(|| fields.get(&WRITE)).flatten();
        let separator = fields.get(&THEN);
        let scheme = read(reader, fields, key);
        let write = write_value.and_then(|value| write(reader, &value));
        let separator = optional(separator, |value| bytes(reader, value))?;
        let scheme = scheme?;
        if let Some(own) = scheme.own_write() {
            return Some((scheme, own, separator, None));
        }
        Some((scheme, write?, separator, Some(write_value?.span())))
    })?;
    // The separator is set when all parts of the key are known.
    Some(ReadSalt { salt: Salt { scheme, write, separator: Vec::new() }, separator, write: span })
}

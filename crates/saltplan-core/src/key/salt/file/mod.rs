//! Salts in schema files: the scheme, its inputs, and how its number is stored.
//!
//! Each scheme describes and reads its own keys; this module has what several schemes share.

pub mod hash_code;
pub mod input;
pub mod joined;
pub mod write;

use super::spread::{self, PLUS};
use super::{FORMS, Salt, SaltScheme};
use crate::key::field::{Field, FieldId, FieldVec};
use crate::key::read::bytes;
use saltplan_document::diag::{Span, Spanned};
use saltplan_document::format::{Key, Map, Misplaced, Need, OneOf, ValueType};
use saltplan_document::names::Names;
use saltplan_document::reader::{Fields, FileValue, Reader, optional};
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
    Key { name, about: "", need: Need::Optional, value: ValueType::Map(map), example, kinds: &[] }
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
    /// The places of `plus` and `write`, where the file has them.
    pub plus: Option<Span>,
    pub write: Option<Span>,
}

pub fn salt(reader: &mut Reader<'_>, value: &FileValue<'_>, key: &KeyFields<'_>) -> Option<ReadSalt> {
    let (read, body) = value.variant(reader, &SALT)?;
    let (salt, separator, places) = body.mapping(reader, |reader, fields| {
        // Some schemes determine how the salt is written.
        let write_value = fields.has_meaning(&WRITE).then(|| fields.get(&WRITE)).flatten();
        let plus = fields.has_meaning(&PLUS).then(|| fields.get(&PLUS)).flatten();
        let separator = fields.get(&THEN);
        let scheme = read(reader, fields, key);
        let write = write_value.and_then(|value| write(reader, &value));
        let separator = optional(separator, |value| bytes(reader, value))?;
        let places = (plus.map(|value| value.key_span()), None);
        let spread = optional(plus, |value| spread::read(reader, value));
        let scheme = scheme?;
        let own = scheme.own_write();
        let salt = |write, spread| Salt { scheme, spread, write, separator: Vec::new() };
        if let Some(own) = own {
            return Some((salt(own, spread?), separator, places));
        }
        Some((salt(write?, spread?), separator, (places.0, Some(write_value?.span()))))
    })?;
    // The separator is set when all parts of the key are known.
    let (plus, write) = places;
    Some(ReadSalt { salt, separator, plus, write })
}

//! Salts in schema files: the scheme, its inputs, and how its number is stored.
//!
//! Each scheme describes and reads its own keys; this module has what several schemes share.

pub mod hash_code;
pub mod input;
pub mod joined;
pub mod write;

use super::behind::BEHIND;
use super::spread::{self, PLUS};
use super::{FORMS, Salt, SaltScheme, behind};
use crate::key::field::{Field, FieldId, FieldVec};
use crate::key::read::bytes;
use saltplan_document::diag::{Span, Spanned};
use saltplan_document::format::{Misplaced, OneOf};
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

/// The fields that can be inputs of the salt.
#[derive(Debug)]
pub struct KeyFields<'k> {
    pub fields: &'k FieldVec<Field>,
    pub names: &'k Names<FieldId>,
    /// The schema has a time zone.
    pub zoned: bool,
    /// The inputs are Java's objects, of which a number and its digits are two.
    pub of_objects: bool,
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
    body.mapping(reader, |reader, fields| {
        // Some schemes determine how the salt is written.
        let written = fields.get_if_known(&WRITE);
        let plus = fields.get_if_known(&PLUS);
        let behind = optional(fields.get_if_known(&BEHIND), |value| behind::read(reader, value));
        let separator = fields.optional(reader, &THEN, bytes);
        let scheme = read(reader, fields, key);
        let form = written.and_then(|value| write(reader, &value));
        let separator = separator?;
        let spread = optional(plus, |value| spread::read(reader, value));
        let scheme = scheme?;
        let write = scheme.own_write().or(form)?;
        // The separator is set when all parts of the key are known.
        let behind = behind?.unwrap_or_default();
        let salt = Salt { scheme, spread: spread?, behind, write, separator: Vec::new() };
        let (plus, write) = (plus.map(|value| value.key_span()), written.map(|value| value.span()));
        Some(ReadSalt { salt, separator, plus, write })
    })
}

//! `key: salt:`: digest, reduce, write.

mod bytes_hash;
mod hash_code;
mod inputs;
mod java_hash;
mod md5;
mod modulo;
mod random;
mod write;

use super::reader::{Fields, optional};
use super::refer::Names;
use super::value::bytes;
use super::{FileValue, Reader};
use crate::diag::{Span, Spanned};
use crate::key::field::{Field, FieldId, FieldVec};
use crate::key::salt::{Salt, SaltScheme};
use crate::schema::format::salt::{self as format, SchemeName};
use write::{check_write, write};

/// The fields that a salt can be computed from.
pub struct KeyFields<'k> {
    pub fields: &'k FieldVec<Field>,
    pub names: &'k Names<FieldId>,
    /// The schema has a time zone.
    pub zoned: bool,
}

impl<'k> KeyFields<'k> {
    /// A field, and where the file declares it.
    fn declared(&self, id: FieldId) -> (&'k Field, Span) {
        (&self.fields[id], self.names.item(id))
    }
}

/// A salt, and the separator that the file gives it.
pub struct ReadSalt {
    pub salt: Salt,
    pub separator: Option<Spanned<Vec<u8>>>,
}

/// Each scheme is read by its own file.
fn scheme_of(
    scheme: SchemeName,
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<SaltScheme> {
    match scheme {
        SchemeName::Md5 => md5::scheme(reader, fields, key),
        SchemeName::JavaHash => java_hash::scheme(reader, fields, key),
        SchemeName::Modulo => modulo::scheme(reader, fields, key),
        SchemeName::Random => random::scheme(reader, fields, key),
        SchemeName::BytesHash => bytes_hash::scheme(reader, fields, key),
    }
}

pub fn salt(reader: &mut Reader<'_>, value: &FileValue<'_>, key: &KeyFields<'_>) -> Option<ReadSalt> {
    let (scheme, body) = value.variant(reader, &format::SALT)?;
    let (scheme, write, separator) = body.mapping(reader, |reader, fields| {
        let write_value = fields.get(&format::WRITE);
        let separator = fields.get(&format::THEN);
        let scheme = scheme_of(scheme, reader, fields, key);
        let write = write_value.and_then(|value| write(reader, &value));
        let separator = optional(separator, |value| bytes(reader, value))?;
        let (scheme, write) = (scheme?, write?);
        check_write(reader, &scheme.numbers(key.fields), write, write_value?.span())?;
        Some((scheme, write, separator))
    })?;
    // The separator is known once all parts of the key are.
    Some(ReadSalt { salt: Salt { scheme, write, separator: Vec::new() }, separator })
}

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
use super::{Reader, Value};
use crate::diag::Spanned;
use crate::schema::format::salt::{self as format, Scheme};
use crate::schema::model::{Field, Salt, SaltScheme};
use write::{check_write, write};

/// The fields that a salt can be computed from.
pub struct KeyFields<'k> {
    pub fields: &'k [Field],
    pub names: &'k Names,
    /// The schema has a time zone.
    pub zoned: bool,
}

/// A salt, and the separator that the file gives it.
pub struct Salted {
    pub salt: Salt,
    pub then: Option<Spanned<Vec<u8>>>,
}

/// Each scheme is read by its own file.
fn scheme_of(
    scheme: Scheme,
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<SaltScheme> {
    match scheme {
        Scheme::Md5 => md5::scheme(reader, fields, key),
        Scheme::JavaHash => java_hash::scheme(reader, fields, key),
        Scheme::Modulo => modulo::scheme(reader, fields, key),
        Scheme::Random => random::scheme(reader, fields, key),
        Scheme::BytesHash => bytes_hash::scheme(reader, fields, key),
    }
}

pub fn salt(reader: &mut Reader<'_>, value: &Value<'_>, key: &KeyFields<'_>) -> Option<Salted> {
    let (scheme, body) = value.variant(reader, &format::SALT)?;
    let (scheme, write, then) = body.mapping(reader, |reader, fields| {
        let write_value = fields.get(&format::WRITE);
        let then = fields.get(&format::THEN);
        let scheme = scheme_of(scheme, reader, fields, key);
        let write = write_value.and_then(|value| write(reader, &value));
        let then = optional(then, |value| bytes(reader, value))?;
        let (scheme, write) = (scheme?, write?);
        check_write(reader, &scheme.numbers(key.fields), write, write_value?.span())?;
        Some((scheme, write, then))
    })?;
    // The separator is known once all parts of the key are.
    Some(Salted { salt: Salt { scheme, write, then: Vec::new(), span: value.span() }, then })
}

//! `key: salt:`: digest, reduce, write.

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
use crate::schema::model::{Field, Salt, SaltScheme};
use write::{check_write, write};

const MAX_INPUTS: usize = 64;
const MAX_DECIMAL_WIDTH: usize = 64;

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

type ReadScheme = fn(&mut Reader<'_>, &mut Fields<'_>, &KeyFields<'_>) -> Option<SaltScheme>;

/// The schemes, each read by its own file.
const SCHEMES: [(&str, ReadScheme); 4] = [
    ("md5", md5::scheme),
    ("java_hash", java_hash::scheme),
    ("modulo", modulo::scheme),
    ("random", random::scheme),
];

pub fn salt(reader: &mut Reader<'_>, value: &Value<'_>, key: &KeyFields<'_>) -> Option<Salted> {
    if let Some(then) = value.child("then") {
        reader.error(
            then.key_span(),
            "`then` stands beside the scheme of the salt",
            "not known here",
            "write it inside, after `write`: `md5: { …, then: '_' }`",
        );
        return None;
    }
    let (read_scheme, body) = value.variant(reader, &SCHEMES)?;
    let (scheme, write, then) = body.mapping(reader, |reader, fields| {
        let write_value = fields.require("write", "write: hex");
        let then = fields.get("then");
        let scheme = read_scheme(reader, fields, key);
        let write = write_value.and_then(|value| write(reader, &value));
        let then = optional(then, |value| bytes(reader, value))?;
        let (scheme, write) = (scheme?, write?);
        check_write(reader, &scheme.numbers(key.fields), write, write_value?.span())?;
        Some((scheme, write, then))
    })?;
    // The separator is known once all parts of the key are.
    Some(Salted { salt: Salt { scheme, write, then: Vec::new(), span: value.span() }, then })
}

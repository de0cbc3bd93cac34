//! `bytes_hash: { of, joined_by, mask | modulo and abs }`

use super::KeyFields;
use super::hash_code::ReadReduction;
use super::inputs::key_or_inputs;
use crate::key::salt::{BytesHashSalt, SaltScheme};
use crate::schema::format::salt::joined;
use crate::schema::read::Reader;
use crate::schema::read::reader::{Fields, optional};
use crate::schema::read::value::bytes;

pub(super) fn scheme(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<SaltScheme> {
    let of = fields.get(&joined::OF);
    let joined_by = fields.get(&joined::JOINED_BY);
    let reduction = ReadReduction::of(fields);
    let of = of.and_then(|value| key_or_inputs(reader, &value, key));
    let joined = optional(joined_by, |value| bytes(reader, value))?;
    let joined_by = joined.map(|joined| joined.value).unwrap_or_default();
    let reduce = reduction.read(reader, fields, "a hash of bytes");
    Some(SaltScheme::BytesHash(BytesHashSalt { of: of?, joined_by, reduce: reduce? }))
}

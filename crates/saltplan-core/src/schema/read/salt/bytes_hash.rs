//! `bytes_hash: { of, joined_by, mask | modulo and abs }`

use super::KeyFields;
use super::hash_code::Reduction;
use super::inputs::joined_inputs;
use crate::schema::format::salt::joined;
use crate::schema::model::{BytesHashSalt, SaltScheme};
use crate::schema::read::Reader;
use crate::schema::read::reader::Fields;

pub(super) fn scheme(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<SaltScheme> {
    let of = fields.get(&joined::OF);
    let joined_by = fields.get(&joined::JOINED_BY);
    let reduction = Reduction::of(fields);
    let inputs = joined_inputs(reader, of, joined_by, key);
    let reduce = reduction.read(reader, fields, "a hash of bytes");
    let (of, joined_by) = inputs?;
    Some(SaltScheme::BytesHash(BytesHashSalt { of, joined_by, reduce: reduce? }))
}

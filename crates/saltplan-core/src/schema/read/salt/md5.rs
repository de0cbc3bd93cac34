//! `md5: { of, joined_by, first_hex_digits }`

use super::KeyFields;
use super::inputs::key_or_inputs;
use crate::key::salt::{Md5Salt, SaltScheme};
use crate::schema::format::salt::{joined, md5};
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
    let digits = fields.get(&md5::FIRST_HEX_DIGITS);
    let of = of.and_then(|value| key_or_inputs(reader, &value, key));
    let digits = digits.and_then(|value| value.number(reader));
    let joined = optional(joined_by, |value| bytes(reader, value))?;
    let joined_bytes = joined.map(|joined| joined.value).unwrap_or_default();
    fields.refuse(reader)?;
    Some(SaltScheme::Md5(Md5Salt { of: of?, joined_by: joined_bytes, first_hex_digits: digits? }))
}

//! `md5: { of, joined_by, first_hex_digits }`

use super::KeyFields;
use super::inputs::key_or_inputs;
use crate::schema::model::{Md5Salt, SaltInputs, SaltScheme};
use crate::schema::read::Reader;
use crate::schema::read::reader::{Fields, optional};
use crate::schema::read::value::bytes;

pub(super) fn scheme(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<SaltScheme> {
    let of = fields.require("of", "of: key");
    let joined_by = fields.get("joined_by");
    let digits = fields.require("first_hex_digits", "first_hex_digits: 8");
    let of = of.and_then(|value| key_or_inputs(reader, &value, key));
    let digits = digits.and_then(|value| value.number(reader, 1..=32));
    let joined = optional(joined_by, |value| bytes(reader, value))?;
    let joined_bytes = joined.map(|joined| joined.value).unwrap_or_default();
    if let (Some(SaltInputs::Key), Some(value)) = (&of, joined_by) {
        reader.error(
            value.key_span(),
            "`joined_by` does not go with `of: key`",
            "has no meaning here",
            "remove it: the stored key has its own separators",
        );
        return None;
    }
    Some(SaltScheme::Md5(Md5Salt { of: of?, joined_by: joined_bytes, first_hex_digits: digits? }))
}

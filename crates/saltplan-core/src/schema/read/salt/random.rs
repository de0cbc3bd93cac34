//! `random: { below }`

use super::KeyFields;
use crate::schema::model::{RandomSalt, SaltScheme};
use crate::schema::read::Reader;
use crate::schema::read::reader::Fields;

pub(super) fn scheme(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    _key: &KeyFields<'_>,
) -> Option<SaltScheme> {
    let below = fields.require("below", "below: 100");
    let of = fields.get("of");
    let below = below.and_then(|value| value.number(reader, 1..=u64::from(u32::MAX)));
    if let Some(of) = of {
        reader.error(
            of.key_span(),
            "a random salt is computed from nothing",
            "has no meaning here",
            "remove `of`, or use `md5`, `java_hash` or `modulo`",
        );
        return None;
    }
    Some(SaltScheme::Random(RandomSalt { below: below? }))
}

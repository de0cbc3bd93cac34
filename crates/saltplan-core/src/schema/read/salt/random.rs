//! `random: { below }`

use super::KeyFields;
use crate::key::salt::{RandomSalt, SaltScheme};
use crate::schema::format::salt::random;
use crate::schema::read::Reader;
use crate::schema::read::reader::Fields;

pub(super) fn scheme(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    _key: &KeyFields<'_>,
) -> Option<SaltScheme> {
    let below = fields.get(&random::BELOW);
    let below = below.and_then(|value| value.number(reader));
    Some(SaltScheme::Random(RandomSalt { below: below? }))
}

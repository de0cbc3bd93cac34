//! The salt of keys with a field that is known only when the statement runs. Hive computes it if the other inputs are known.

use std::collections::BTreeMap;

use super::Given;
use super::key_box::KeyBox;
use super::salts::{SaltedBox, SaltedBoxes};
use crate::analyze::runtime::has_time_of_day;
use crate::key::field::{Field, FieldId, FieldKind};
use crate::key::layout::RowKey;
use crate::key::salt::{
    Cut, Hash, HashSalt, Reduction, Salt, SaltInput, SaltInputs, SaltScheme, SaltWrite, Take,
};

/// The stored texts of the salt's other inputs.
pub type RuntimeSalt = BTreeMap<FieldId, String>;

/// The inputs beside the field that is known when the statement runs, where each has one value and Hive computes the salt as Java
/// does.
pub(super) fn runtime_salt(given: &Given<'_>, boxes: &[KeyBox]) -> Option<RuntimeSalt> {
    let runtime = given.analysis.runtime.as_ref()?;
    let key = &given.schema.key;
    let salt = key.salt.as_ref()?;
    let inputs = salt.inputs(&key.fields);
    let depends_on_value = inputs.iter().any(|input| input.field == runtime.field);
    let are_single = runtime.ranges.iter().all(|range| range.only().is_some())
        && !has_time_of_day(&key.fields[runtime.field]);
    let [only] = boxes else { return None };
    if !depends_on_value || !are_single || runtime.ranges.is_empty() || !is_computed_by_hive(salt, key) {
        return None;
    }
    let mut known = RuntimeSalt::new();
    for input in inputs {
        let field = &key.fields[input.field];
        if !is_exact_in_hive(salt, &input, field) {
            return None;
        }
        if input.field != runtime.field {
            let value = only.fields.get(&input.field)?.points(&field.kind, 1)?;
            let stored = field.kind.encode(value.first()?).ok()?;
            known.insert(input.field, String::from_utf8(stored).ok()?);
        }
    }
    Some(known)
}

fn is_computed_by_hive(salt: &Salt, key: &RowKey) -> bool {
    let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
    let has_function = match &salt.scheme {
        SaltScheme::Hash(hash) => match hash.hash {
            Hash::Md5 | Hash::Sha1 | Hash::Sha256 | Hash::Crc32 => {
                is_text(&hash.joined_by) && hash.charset.is_none()
            }
            // Hive hashes bytes, Java hashes characters.
            Hash::StringCode => {
                let is_key = hash.of == SaltInputs::Key;
                hash.joined_by.is_ascii()
                    && (!is_key || key.stored().all(|id| key.fields[id].separator.is_ascii()))
            }
            _ => false,
        },
        SaltScheme::Modulo(_) | SaltScheme::Text(_) => true,
        SaltScheme::Random(_) | SaltScheme::Unknown(_) => false,
    };
    let digits = match &salt.scheme {
        SaltScheme::Hash(HashSalt { take: Take::Number(Reduction { digits, .. }), .. }) => digits.as_ref(),
        SaltScheme::Hash(HashSalt { take: Take::HexDigits(digits), .. })
            if matches!(salt.write, SaltWrite::Alphabet { .. }) =>
        {
            Some(digits)
        }
        _ => None,
    };
    let is_open_alphabet = matches!(salt.write, SaltWrite::Alphabet { width: None, .. });
    has_function
        // Of more hex digits, Hive does not make every number.
        && digits.is_none_or(|digits| digits.count <= 8)
        && !is_open_alphabet
        && !salt.is_random()
        && !salt.write.is_binary()
        && is_text(&salt.separator)
}

/// Whether Hive cuts the same part from every value as Java does.
fn is_exact_in_hive(salt: &Salt, input: &SaltInput, field: &Field) -> bool {
    let is_cut_alike = match &input.cut {
        Cut::Whole => {
            let takes_bytes = matches!(&salt.scheme, SaltScheme::Hash(hash) if !hash.hash.takes_text());
            takes_bytes || field.kind.is_ascii_in_key()
        }
        Cut::First(_) | Cut::Last(_) | Cut::Bytes { .. } | Cut::Original => field.kind.is_ascii_in_key(),
        Cut::Format(format) => match &field.kind {
            FieldKind::Calendar(calendar) => {
                format.printed().units().all(|unit| calendar.format.place_of(unit).is_some())
            }
            _ => false,
        },
    };
    field.kind.is_text_in_key()
        && is_cut_alike
        && (!input.lower || field.kind.is_ascii_in_key())
        && std::str::from_utf8(&field.separator).is_ok()
}

/// Boxes that are read after a single salt, which is not known yet.
pub(super) fn behind_salts(boxes: &[KeyBox]) -> SaltedBoxes {
    let of_box = |key_box: &KeyBox| SaltedBox { salts: None, key_box: key_box.clone(), computed: true };
    SaltedBoxes { boxes: boxes.iter().map(of_box).collect(), ..SaltedBoxes::default() }
}

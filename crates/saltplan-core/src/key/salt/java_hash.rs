//! Java's `String.hashCode`, then a mask or a remainder.

use super::file::KeyFields;
use super::file::hash_code::{self, ABS, MASK, MODULO};
use super::file::joined::{self, JOINED_BY, OF, key_or_inputs};
use super::file::write::{THEN, WRITE};
use super::function::Hash;
use super::hash::{Combine, HashSalt, Spelling};
use super::input::{Cut, SaltInput, SaltInputs};
use super::reduction::Take;
use super::spread::PLUS;
use crate::key::field::FieldKind;
use saltplan_document::format::{Choice, Key, KeyRule, KeyTest, Map, ValueType, default, form, word};
use saltplan_document::reader::{Fields, FileValue, Reader};

/// The key in a schema file.
pub static KEY: Key = form("java_hash", &MAP, "{ of: [tel], abs: after, modulo: 16, write: { decimal: 2 } }");

pub static COMBINES: Choice<Combine> = Choice(&[
    word("concat", Combine::Concat, "the hash of the joined text"),
    word("xor", Combine::Xor, "the XOR of their hashes"),
]);

pub const COMBINE: Key =
    default("combine", ValueType::Words(&COMBINES), "concat", "How several inputs are combined.");

pub(super) const OF_KEY_IS_ONE: KeyRule =
    KeyRule::when(&[KeyTest::Is(&OF, &["key"])]).refuses(&[&COMBINE]).help("remove it: the key is one text");

pub(super) const OF_BYTES_IS_ONE: KeyRule = KeyRule::when(&[KeyTest::IsMapping(&OF)])
    .described("`of: { bytes: … }`")
    .refuses(&[&COMBINE])
    .help("remove it: the bytes are one text");

pub(super) const XOR_IS_APART: KeyRule = KeyRule::when(&[KeyTest::Is(&COMBINE, &["xor"])])
    .refuses(&[&JOINED_BY])
    .help("remove it: each input is hashed by itself");

pub static MAP: Map = Map {
    about: "Java's `String.hashCode`, then a mask or a remainder.",
    keys: &[&OF, &JOINED_BY, &COMBINE, &MASK, &MODULO, &ABS, &PLUS, &WRITE, &THEN],
    cases: &[
        joined::WHOLE,
        joined::OF_BYTES,
        OF_KEY_IS_ONE,
        OF_BYTES_IS_ONE,
        XOR_IS_APART,
        hash_code::ONE_OF_TWO,
        hash_code::MASKED,
        hash_code::DIVIDED,
        hash_code::NOT_MASKED,
        hash_code::NOT_SPREAD,
    ],
    misplaced: &[],
};

pub(super) fn read(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<HashSalt> {
    let of = fields.required(reader, &OF, |reader, value| inputs_of_text(reader, value, key));
    let joined_by = joined::joined_by(reader, fields)?;
    let combine = fields.default(reader, &COMBINE, |reader, value| value.word(reader));
    let take = Take::Number(hash_code::reduction(reader, fields, "a Java hash")?);
    let combine = combine?;
    Some(HashSalt { joined_by, combine, ..HashSalt::new(Spelling::JavaHash, Hash::StringCode, of?, take) })
}

/// The inputs of a hash of text.
pub(super) fn inputs_of_text(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    key: &KeyFields<'_>,
) -> Option<SaltInputs> {
    let of = key_or_inputs(reader, value, key)?;
    // Only the separators determine which fields a range of key bytes touches, so `schema::check` checks
    // these fields.
    let is_checked_later = matches!(of, SaltInputs::KeyBytes { .. });
    let inputs = if is_checked_later { Vec::new() } else { of.list(key.fields) };
    inputs.iter().all(|input| hashable(reader, value, input, key)).then_some(of)
}

/// `String.hashCode` needs text.
fn hashable(reader: &mut Reader<'_>, list: &FileValue<'_>, input: &SaltInput, key: &KeyFields<'_>) -> bool {
    let (field, declared) = key.declared(input.field);
    if field.kind.is_text_in_key() || matches!(input.cut, Cut::Format(_) | Cut::Original) {
        return true;
    }
    let message = format!("`{}` is stored as binary, but a Java hash takes text", field.name);
    let fault =
        reader.fault(list.span(), message, "has no `hashCode`").with_label(declared, "stored as binary here");
    let help = match field.kind {
        FieldKind::Text(_) => {
            "use `bytes_hash` or `md5`, which take bytes; to hash the text as it was, write `{ field: …, form: original }`"
        }
        _ => {
            "use `bytes_hash` if the code hashes the bytes (`Arrays.hashCode`); to hash the digits, write `{ field: …, form: original }`"
        }
    };
    reader.report(fault.with_help(help));
    false
}

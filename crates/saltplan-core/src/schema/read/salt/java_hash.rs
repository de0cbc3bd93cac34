//! `java_hash: { of, combine, mask | modulo and abs }`

use super::KeyFields;
use super::hash_code::ReadReduction;
use super::inputs::inputs;
use crate::key::salt::{Cut, JavaHashSalt, SaltInput, SaltScheme};
use crate::schema::format::salt::java_hash;
use crate::schema::read::reader::{Fields, optional};
use crate::schema::read::{FileValue, Reader};

pub(super) fn scheme(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<SaltScheme> {
    let of = fields.get(&java_hash::OF);
    let combine = fields.get(&java_hash::COMBINE);
    let reduction = ReadReduction::of(fields);

    let of = of.and_then(|value| {
        let inputs = inputs(reader, &value, key)?;
        inputs.iter().all(|input| hashable(reader, &value, input, key)).then_some(inputs)
    });
    let combine = optional(combine, |value| value.word(reader, &java_hash::COMBINES));
    let reduce = reduction.read(reader, fields, "a Java hash");
    let combine = combine?.or_else(|| java_hash::COMBINE.default_word(&java_hash::COMBINES))?;
    Some(SaltScheme::JavaHash(JavaHashSalt { of: of?, combine, reduce: reduce? }))
}

/// `String.hashCode` needs text.
fn hashable(reader: &mut Reader<'_>, list: &FileValue<'_>, input: &SaltInput, key: &KeyFields<'_>) -> bool {
    let (field, declared) = key.declared(input.field);
    if field.kind.is_text_in_key() || matches!(input.cut, Cut::Format(_)) {
        return true;
    }
    let message = format!("`{}` is stored as binary, a Java hash takes text", field.name);
    let fault =
        reader.fault(list.span(), message, "has no `hashCode`").with_label(declared, "stored as binary here");
    reader.report(fault.with_help("use `md5`, or store the field with `encoding: decimal`"));
    false
}

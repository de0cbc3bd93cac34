//! `key: salt:`: digest, reduce, write.

mod inputs;
mod write;

use super::reader::{Fields, optional};
use super::refer::Names;
use super::value::bytes;
use super::{Reader, Value};
use crate::diag::Spanned;
use crate::schema::model::{
    Abs, Combine, Cut, Field, FieldKind, IntegerEncoding, Reduce, Salt, SaltInput, SaltInputs, SaltScheme,
};
use crate::schema::wording::excerpt;
use inputs::inputs;
use write::{check_write, write};

const MAX_INPUTS: usize = 64;
const MAX_DECIMAL_WIDTH: usize = 64;

/// Hex digits that make 8 bytes: the most that a salt can be as a number.
const MAX_NUMBER_DIGITS: usize = 16;

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

#[derive(Clone, Copy)]
enum Scheme {
    Md5,
    JavaHash,
    Modulo,
    Random,
}

const SCHEMES: [(&str, Scheme); 4] = [
    ("md5", Scheme::Md5),
    ("java_hash", Scheme::JavaHash),
    ("modulo", Scheme::Modulo),
    ("random", Scheme::Random),
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
    let (scheme, body) = value.variant(reader, &SCHEMES)?;
    let (scheme, write, then) = body.mapping(reader, |reader, fields| {
        let write_value = fields.require("write", "write: hex");
        let then = fields.get("then");
        let scheme = match scheme {
            Scheme::Md5 => md5(reader, fields, key),
            Scheme::JavaHash => java_hash(reader, fields, key),
            Scheme::Modulo => modulo(reader, fields, key),
            Scheme::Random => random(reader, fields),
        };
        let write = write_value.and_then(|value| write(reader, &value));
        let then = optional(then, |value| bytes(reader, value))?;
        let (scheme, write) = (scheme?, write?);
        check_write(reader, &scheme, write, write_value?.span())?;
        Some((scheme, write, then))
    })?;
    // The separator is known once all parts of the key are.
    Some(Salted { salt: Salt { scheme, write, then: Vec::new(), span: value.span() }, then })
}

fn md5(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &KeyFields<'_>) -> Option<SaltScheme> {
    let of = fields.require("of", "of: key");
    let joined_by = fields.get("joined_by");
    let digits = fields.require("first_hex_digits", "first_hex_digits: 8");
    let of = of.and_then(|value| md5_inputs(reader, &value, key));
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
    Some(SaltScheme::Md5 { of: of?, joined_by: joined_bytes, first_hex_digits: digits? })
}

fn md5_inputs(reader: &mut Reader<'_>, value: &Value<'_>, key: &KeyFields<'_>) -> Option<SaltInputs> {
    if value.is_list() {
        return inputs(reader, value, key).map(SaltInputs::List);
    }
    let text = if value.is_mapping() { None } else { value.text(reader).map(|text| text.value) };
    match text.as_deref() {
        Some("key") if key.fields.is_empty() || key.fields.iter().any(|field| field.stored) => {
            Some(SaltInputs::Key)
        }
        Some("key") => {
            reader.error(
                value.span(),
                "no field is stored, so the key is empty",
                "the same for every row",
                "list the fields: `of: [a, b]`",
            );
            None
        }
        Some(name) => {
            value.mismatch(reader, "`key` or a list of inputs", &format!("write `of: [{}]`", excerpt(name)))
        }
        None if value.is_mapping() => {
            value.mismatch(reader, "`key` or a list of inputs", "put the input into a list: `of: [{ … }]`")
        }
        None => None,
    }
}

fn java_hash(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &KeyFields<'_>) -> Option<SaltScheme> {
    let of = fields.require("of", "of: [a, b]");
    let combine = fields.get("combine");
    let (mask, modulo, abs) = (fields.get("mask"), fields.get("modulo"), fields.get("abs"));
    let owner = fields.owner();

    let of = of.and_then(|value| {
        let inputs = inputs(reader, &value, key)?;
        inputs.iter().all(|input| hashable(reader, &value, input, key)).then_some(inputs)
    });
    let words = [("concat", Combine::Concat), ("xor", Combine::Xor)];
    let combine = optional(combine, |value| value.word(reader, &words));
    let reduce = reduce(reader, &owner, mask, modulo, abs);
    Some(SaltScheme::JavaHash { of: of?, combine: combine?.unwrap_or(Combine::Concat), reduce: reduce? })
}

/// `String.hashCode` needs text.
fn hashable(reader: &mut Reader<'_>, list: &Value<'_>, input: &SaltInput, key: &KeyFields<'_>) -> bool {
    let field = &key.fields[input.field];
    if !is_binary(field) || matches!(input.cut, Cut::Format(_)) {
        return true;
    }
    let message = format!("`{}` is stored as binary, a Java hash takes text", field.name);
    let fault = reader
        .fault(list.span(), message, "has no `hashCode`")
        .with_label(field.span, "stored as binary here");
    reader.report(fault.with_help("use `md5`, or store the field with `encoding: decimal`"));
    false
}

fn is_binary(field: &Field) -> bool {
    let encoding = match &field.kind {
        FieldKind::Integer(integer) => integer.encoding,
        FieldKind::Epoch(epoch) => epoch.encoding,
        FieldKind::Text(_) | FieldKind::Calendar(_) => return false,
    };
    !matches!(encoding, IntegerEncoding::Decimal { .. })
}

fn reduce(
    reader: &mut Reader<'_>,
    owner: &Value<'_>,
    mask: Option<Value<'_>>,
    modulo: Option<Value<'_>>,
    abs: Option<Value<'_>>,
) -> Option<Reduce> {
    match (mask, modulo) {
        (Some(mask), None) => {
            if let Some(abs) = abs {
                reader.error(
                    abs.key_span(),
                    "`abs` does not go with `mask`",
                    "has no meaning here",
                    "remove it: a mask without the sign bit is never negative",
                );
                return None;
            }
            let bits: u32 = mask.number(reader, 1..=u32::MAX)?;
            Some(Reduce::Mask(bits.cast_signed()))
        }
        (None, Some(modulo)) => {
            let by = modulo.number(reader, 1..=i32::MAX);
            let Some(abs) = abs else {
                reader.error(
                    modulo.key_span(),
                    "`modulo` needs `abs`",
                    "a Java hash can be negative",
                    "add `abs: before`, `abs: after` or `abs: none`, as in the code that writes",
                );
                return None;
            };
            let words = [("before", Abs::Before), ("after", Abs::After), ("none", Abs::None)];
            let abs = abs.word(reader, &words);
            Some(Reduce::Modulo { by: by?, abs: abs? })
        }
        (None, None) => {
            reader.error(
                owner.key_span(),
                "a Java hash needs `mask` or `modulo`",
                "incomplete",
                "add `mask: 0x7FFF`, or `modulo: n` with `abs: …`",
            );
            None
        }
        (Some(mask), Some(modulo)) => {
            let fault =
                reader.fault(modulo.key_span(), "`mask` and `modulo` exclude each other", "the second one");
            reader
                .report(fault.with_label(mask.key_span(), "the first one").with_help("keep one of the two"));
            None
        }
    }
}

fn modulo(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &KeyFields<'_>) -> Option<SaltScheme> {
    let of = fields.require("of", "of: id");
    let by = fields.require("by", "by: 20");
    let of = of.and_then(|value| {
        if value.is_list() || value.is_mapping() {
            return value.mismatch(reader, "the name of one field", "write `of: id`");
        }
        let name = value.text(reader)?;
        let index = key.names.resolve(reader, &name)?;
        let field = &key.fields[index];
        if !matches!(field.kind, FieldKind::Integer(_)) {
            let fault =
                reader.fault(name.span, format!("`{}` is not an integer", field.name), "has no remainder");
            let fault = fault.with_label(field.span, "declared here");
            reader.report(fault.with_help("use an `int` or `bigint` field, or a `java_hash` salt"));
            return None;
        }
        Some(index)
    });
    let by = by.and_then(|value| value.number(reader, 1..=i64::MAX));
    Some(SaltScheme::Modulo { field: of?, by: by? })
}

fn random(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<SaltScheme> {
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
    Some(SaltScheme::Random { below: below? })
}

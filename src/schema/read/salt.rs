//! `key: salt:`: digest, reduce, write.

use std::ops::RangeInclusive;

use super::reader::{Fields, optional};
use super::refer::Names;
use super::value::{bytes, time_format};
use super::{Reader, Value};
use crate::diag::{Span, Spanned};
use crate::schema::model::{
    Abs, Combine, Cut, Field, FieldKind, IntegerEncoding, IntegerSize, Reduce, Salt, SaltInput, SaltInputs,
    SaltScheme, SaltWrite,
};
use crate::schema::wording::excerpt;

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

fn inputs(reader: &mut Reader<'_>, value: &Value<'_>, key: &KeyFields<'_>) -> Option<Vec<SaltInput>> {
    if !value.is_list() {
        return value.mismatch(reader, "a list of inputs", "write `of: [a, b]`");
    }
    let items = value.some_items(reader, MAX_INPUTS)?;
    let inputs: Vec<SaltInput> = items.iter().filter_map(|item| input(reader, item, key)).collect();
    (inputs.len() == items.len()).then_some(inputs)
}

/// `tel`, or `{ field: tel, last: 4 }`.
fn input(reader: &mut Reader<'_>, value: &Value<'_>, key: &KeyFields<'_>) -> Option<SaltInput> {
    if !value.is_mapping() {
        let name = value.text(reader)?;
        let field = key.names.resolve(reader, &name)?;
        return Some(SaltInput { field, cut: Cut::Whole, lower: false });
    }
    value.mapping(reader, |reader, fields| {
        let name = fields.require("field", "field: …");
        let cuts = [fields.get("first"), fields.get("last"), fields.get("format")];
        let case = fields.get("case");
        let name = name.and_then(|value| value.text(reader));
        let field = name.and_then(|name| key.names.resolve(reader, &name));
        let case = case.map(|value| (value, value.word(reader, &[("lower", ())])));
        let field = field?;
        let cut = cut(reader, cuts, &key.fields[field], key.zoned)?;
        let lower = match case {
            None => false,
            Some((value, Some(()))) => lower_cased(reader, &value, &key.fields[field])?,
            Some((_, None)) => return None,
        };
        Some(SaltInput { field, cut, lower })
    })
}

fn lower_cased(reader: &mut Reader<'_>, value: &Value<'_>, field: &Field) -> Option<bool> {
    if matches!(field.kind, FieldKind::Text(_)) {
        return Some(true);
    }
    reader.error(value.key_span(), format!("`{}` is not text", field.name), "has no case", "remove `case`");
    None
}

/// The one cut that an input can have.
fn cut(reader: &mut Reader<'_>, given: [Option<Value<'_>>; 3], field: &Field, zoned: bool) -> Option<Cut> {
    let mut present = given.iter().flatten();
    if let (Some(one), Some(other)) = (present.next(), present.next()) {
        let message = format!("{} and {} exclude each other", one.name(), other.name());
        let fault = reader
            .fault(other.key_span(), message, "the second one")
            .with_label(one.key_span(), "the first one");
        reader.report(fault.with_help("keep one of the two"));
        return None;
    }
    let [first, last, format] = given;
    if let Some(value) = first {
        return length(reader, &value, field).map(Cut::First);
    }
    if let Some(value) = last {
        return length(reader, &value, field).map(Cut::Last);
    }
    match format {
        Some(value) => input_format(reader, &value, field, zoned),
        None => Some(Cut::Whole),
    }
}

/// Characters of text, bytes of binary; Java's `substring` throws when there are fewer.
fn length(reader: &mut Reader<'_>, value: &Value<'_>, field: &Field) -> Option<usize> {
    let length = value.number(reader, 1..=super::value::MAX_KEY_BYTES)?;
    match fixed_length(field) {
        Some(width) if length > width => {
            let message = format!("`{}` is only {width} long", field.name);
            let fault = reader
                .fault(value.span(), message, "more than there is")
                .with_label(field.span, "declared here");
            reader.report(fault.with_help(format!("write at most {width}")));
            None
        }
        _ => Some(length),
    }
}

fn fixed_length(field: &Field) -> Option<usize> {
    let (encoding, size) = match &field.kind {
        FieldKind::Text(text) => return text.width.filter(|_| text.chars.is_ascii()),
        FieldKind::Calendar(calendar) => return Some(calendar.format.width()),
        FieldKind::Integer(integer) => (integer.encoding, integer.size),
        FieldKind::Epoch(epoch) => (epoch.encoding, IntegerSize::Bigint),
    };
    match (encoding, size) {
        (IntegerEncoding::Decimal { width }, _) => width,
        (_, IntegerSize::Int) => Some(4),
        (_, IntegerSize::Bigint) => Some(8),
    }
}

fn input_format(reader: &mut Reader<'_>, value: &Value<'_>, field: &Field, zoned: bool) -> Option<Cut> {
    let format = time_format(reader, value)?;
    match &field.kind {
        FieldKind::Calendar(calendar) if format.granularity() > calendar.format.granularity() => {
            let message =
                format!("`{}` is finer than what `{}` stores", excerpt(format.pattern()), field.name);
            let fault = reader.fault(value.span(), message, "cannot be computed from the key");
            let fault =
                fault.with_label(field.span, format!("stored as `{}`", excerpt(calendar.format.pattern())));
            reader.report(fault.with_help("use units that the field stores"));
            None
        }
        FieldKind::Calendar(_) => Some(Cut::Format(format)),
        FieldKind::Epoch(_) if !zoned => {
            reader.error(
                value.span(),
                "formatting an instant needs a `time_zone`",
                "an instant as local time",
                "add a line such as `time_zone: Asia/Shanghai` to the schema",
            );
            None
        }
        FieldKind::Epoch(_) => Some(Cut::Format(format)),
        FieldKind::Text(_) | FieldKind::Integer(_) => {
            let fault = reader.fault(
                value.key_span(),
                format!("`{}` is not a date or timestamp", field.name),
                "has no format",
            );
            reader.report(
                fault
                    .with_label(field.span, "declared here")
                    .with_help("use `first` or `last`, or remove `format`"),
            );
            None
        }
    }
}

fn write(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<SaltWrite> {
    if value.is_mapping() {
        let (_, width) = value.variant(reader, &[("decimal", ())])?;
        let width = width.number(reader, 1..=MAX_DECIMAL_WIDTH)?;
        return Some(SaltWrite::Decimal { width: Some(width) });
    }
    let words = [
        ("decimal", SaltWrite::Decimal { width: None }),
        ("hex", SaltWrite::Hex),
        ("be16", SaltWrite::Be16),
        ("be32", SaltWrite::Be32),
        ("be64", SaltWrite::Be64),
    ];
    value.word(reader, &words)
}

/// Whether the salt's numbers fit the way they are written.
fn check_write(reader: &mut Reader<'_>, scheme: &SaltScheme, write: SaltWrite, span: Span) -> Option<()> {
    if let SaltScheme::Md5 { first_hex_digits, .. } = scheme
        && *first_hex_digits > MAX_NUMBER_DIGITS
        && write != SaltWrite::Hex
    {
        let message = format!("{first_hex_digits} hex digits do not fit a number of 8 bytes");
        reader.error(
            span,
            message,
            "written as a number",
            format!("write `hex`, or take at most {MAX_NUMBER_DIGITS} digits"),
        );
        return None;
    }
    let Some(numbers) = numbers(scheme) else { return Some(()) };
    match write {
        SaltWrite::Decimal { width: Some(width) } => check_width(reader, &numbers, width, span),
        SaltWrite::Be16 => warn_narrowing(reader, &numbers, 16, span),
        SaltWrite::Be32 => warn_narrowing(reader, &numbers, 32, span),
        SaltWrite::Decimal { width: None } | SaltWrite::Hex | SaltWrite::Be64 => Some(()),
    }
}

fn check_width(
    reader: &mut Reader<'_>,
    numbers: &RangeInclusive<i128>,
    width: usize,
    span: Span,
) -> Option<()> {
    let longest = numbers.start().to_string().len().max(numbers.end().to_string().len());
    if longest <= width {
        return Some(());
    }
    let widest = if numbers.start().to_string().len() == longest { numbers.start() } else { numbers.end() };
    let message = format!("the salt reaches {widest}, which needs a width of {longest}");
    reader.error(span, message, "too narrow", format!("write `{{ decimal: {longest} }}`"));
    None
}

/// Java's cast to `short` or `int` keeps the low bytes. That is well defined, and hardly ever meant.
fn warn_narrowing(
    reader: &mut Reader<'_>,
    numbers: &RangeInclusive<i128>,
    bits: u32,
    span: Span,
) -> Option<()> {
    // A bit pattern that fits unsigned loses nothing either.
    let fits = *numbers.start() >= -(1 << (bits - 1)) && *numbers.end() < 1 << bits;
    if !fits {
        let bytes = bits / 8;
        let widest = if *numbers.end() >= 1 << bits { numbers.end() } else { numbers.start() };
        let message = format!("the salt reaches {widest}, of which `be{bits}` keeps the low {bytes} bytes");
        let warning = reader.warning(span, message, "cut, as a Java cast does");
        reader.report(
            warning.with_help(format!("write `be{}` unless the code that writes the keys casts", bits * 2)),
        );
    }
    Some(())
}

/// The least and the greatest number of a salt in ordinary rows; the negative numbers that only the absolute value of
/// `Integer.MIN_VALUE` leads to are left out. `None` for MD5 digits that are no number.
fn numbers(scheme: &SaltScheme) -> Option<RangeInclusive<i128>> {
    match scheme {
        SaltScheme::Md5 { first_hex_digits, .. } if *first_hex_digits <= MAX_NUMBER_DIGITS => {
            Some(0..=(1 << (4 * first_hex_digits)) - 1)
        }
        SaltScheme::Md5 { .. } => None,
        SaltScheme::JavaHash { reduce: Reduce::Mask(mask), .. } if *mask < 0 => {
            Some(i128::from(i32::MIN)..=i128::from(*mask & i32::MAX))
        }
        SaltScheme::JavaHash { reduce: Reduce::Mask(mask), .. } => Some(0..=i128::from(*mask)),
        SaltScheme::JavaHash { reduce: Reduce::Modulo { by, abs: Abs::None }, .. } => {
            Some(1 - i128::from(*by)..=i128::from(*by) - 1)
        }
        SaltScheme::JavaHash { reduce: Reduce::Modulo { by, .. }, .. } => Some(0..=i128::from(*by) - 1),
        SaltScheme::Modulo { by, .. } => Some(0..=i128::from(*by) - 1),
        SaltScheme::Random { below } => Some(0..=i128::from(*below) - 1),
    }
}

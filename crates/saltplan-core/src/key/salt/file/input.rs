//! The inputs of a salt: fields, or parts of fields.

use super::KeyFields;
use crate::key::field::{EpochField, Field, FieldId, FieldKind};
use crate::key::number::StoredNumber;
use crate::key::range::MAX_KEY_BYTES;
use crate::key::read::{check_printed, time_format};
use crate::key::salt::{Cut, SaltInput};
use saltplan_document::diag::Span;
use saltplan_document::format::{
    Choice, Key, KeyRule, KeyTest, List, Map, Text, ValueType, number, optional, required, word,
};
use saltplan_document::reader::{Fields, FileValue, Reader};

/// The inputs of a hash.
pub(crate) static INPUTS: List = List {
    item: ValueType::Either(&[ValueType::Text(Text::FieldName), ValueType::Map(&MAP)]),
    least: 1,
    most: 64,
    unique: false,
};

pub static CASES: Choice<()> = Choice(&[word("lower", (), "lower case")]);

const LENGTH: ValueType = number(1, MAX_KEY_BYTES as i64);

pub static FIELD: Key = required("field", ValueType::Text(Text::FieldName), "…", "Name of the field.");
pub static FIRST: Key =
    optional("first", LENGTH, "4", "Leading characters of text, leading bytes of binary.");
pub static LAST: Key =
    optional("last", LENGTH, "4", "Trailing characters of text, trailing bytes of binary.");
pub static FORMAT: Key = optional(
    "format",
    ValueType::Text(Text::TimeFormat),
    "yyyyMM",
    "A date or an instant in another format, such as yyyyMM.",
);
pub static FORMS: Choice<()> = Choice(&[word(
    "original",
    (),
    "the value before it was reversed, padded, inverted or stored as a number in bytes",
)]);
pub static FORM: Key = optional(
    "form",
    ValueType::Words(&FORMS),
    "original",
    "The value as text instead of its stored bytes: the text, or the decimal digits of a number.",
);
pub static CASE: Key =
    optional("case", ValueType::Words(&CASES), "lower", "Case conversion before the input is used.");

pub static MAP: Map = Map {
    about: "A part of a field.",
    keys: &[&FIELD, &FIRST, &LAST, &FORMAT, &FORM, &CASE],
    cases: &[
        KeyRule::when(&[KeyTest::Has(&FIRST)]).excludes(&[&LAST, &FORMAT, &FORM]),
        KeyRule::when(&[KeyTest::Has(&LAST)]).excludes(&[&FORMAT, &FORM]),
        KeyRule::when(&[KeyTest::Has(&FORMAT)]).excludes(&[&FORM]),
    ],
    misplaced: &[],
};

pub fn inputs(reader: &mut Reader<'_>, value: &FileValue<'_>, key: &KeyFields<'_>) -> Option<Vec<SaltInput>> {
    if !value.is_list() {
        return value.mismatch(reader, "a list of inputs", "write `of: [a, b]`");
    }
    let items = value.some_items(reader, "name the fields, as in `of: [a, b]`")?;
    let inputs: Vec<SaltInput> = items.iter().filter_map(|item| input(reader, item, key)).collect();
    (inputs.len() == items.len()).then_some(inputs)
}

/// `tel`, or `{ field: tel, last: 4 }`.
pub fn input(reader: &mut Reader<'_>, value: &FileValue<'_>, key: &KeyFields<'_>) -> Option<SaltInput> {
    if !value.is_mapping() {
        let name = value.text(reader)?;
        let field = key.names.resolve(reader, &name)?;
        return Some(SaltInput::whole(field));
    }
    value.mapping(reader, |reader, fields| input_of(reader, fields, key))
}

/// The part of a field that a mapping with `field`, `first`, `last`, `format`, `form` and `case` describes.
pub(crate) fn input_of(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<SaltInput> {
    let field = fields.required(reader, &FIELD, |reader, value| {
        let name = value.text(reader)?;
        key.names.resolve(reader, &name)
    });
    let case = fields.optional(reader, &CASE, |reader, value| value.word::<()>(reader));
    let field = field?;
    fields.refuse(reader)?;
    let cut = cut(reader, fields, field, key)?;
    let lower = case?.is_some();
    if lower {
        check_case(reader, &fields.get(&CASE)?, &key.fields[field], &cut)?;
    }
    Some(SaltInput { field, cut, lower })
}

fn check_case(reader: &mut Reader<'_>, value: &FileValue<'_>, field: &Field, cut: &Cut) -> Option<()> {
    let what = match field.kind {
        FieldKind::Text(_) if *cut == Cut::Original => return Some(()),
        FieldKind::Text(_) if field.kind.is_text_in_key() => return Some(()),
        FieldKind::Text(_) => "is stored as binary",
        _ => "is not text",
    };
    reader.reject(value.key_span(), format!("`{}` {what}", field.name), "has no case", "remove `case`")
}

/// An input can have at most one cut.
fn cut(reader: &mut Reader<'_>, fields: &mut Fields<'_>, id: FieldId, key: &KeyFields<'_>) -> Option<Cut> {
    let field = key.declared(id);
    if let Some(value) = fields.get(&FIRST) {
        return length(reader, &value, field).map(Cut::First);
    }
    if let Some(value) = fields.get(&LAST) {
        return length(reader, &value, field).map(Cut::Last);
    }
    let Some(value) = fields.get_if_known(&FORMAT) else {
        let Some(form) = fields.get_if_known(&FORM) else { return Some(Cut::Whole) };
        form.word::<()>(reader)?;
        let is_stored = is_original(&field.0.kind, key.of_objects);
        return Some(if is_stored { Cut::Whole } else { Cut::Original });
    };
    let format = time_format(reader, &value)?;
    let help = "use `first` or `last`, or remove `format`";
    check_printed(reader, &value, format.printed(), field, key.zoned, help)?;
    Some(Cut::Format(format))
}

/// Whether the stored bytes are the value as text. As an object, a number is not its digits.
fn is_original(kind: &FieldKind, of_objects: bool) -> bool {
    match kind {
        FieldKind::Integer(_) | FieldKind::Epoch(_) if of_objects => false,
        FieldKind::Text(text) => text.form.is_plain() && !text.reverse,
        FieldKind::Calendar(_) => true,
        FieldKind::Integer(number) | FieldKind::Epoch(EpochField { number, .. }) => {
            number.stored() == StoredNumber::Digits { minuend: None, width: 0 }
        }
    }
}

/// Characters of text, bytes of binary. Java's `substring` throws if there are fewer.
fn length(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    (field, declared): (&Field, Span),
) -> Option<usize> {
    let length = value.number(reader)?;
    match fixed_length(field) {
        Some(width) if length > width => {
            let message = format!("`{}` has a width of only {width}", field.name);
            let fault = reader
                .fault(value.span(), message, "more than the field has")
                .with_label(declared, "declared here");
            reader.rejected(fault.with_help(format!("write at most {width}")))
        }
        _ => Some(length),
    }
}

pub(crate) fn fixed_length(field: &Field) -> Option<usize> {
    match &field.kind {
        // Listed values may all have one width that is not declared.
        FieldKind::Text(text) if text.form.is_plain() => text.width.filter(|_| text.chars.is_ascii()),
        kind => kind.fixed_width(),
    }
}

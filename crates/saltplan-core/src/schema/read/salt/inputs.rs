//! What the salt is computed from: fields, or a part of them.

use super::KeyFields;
use crate::diag::Span;
use crate::key::field::{Field, FieldKind};
use crate::key::salt::{Cut, SaltInput, SaltInputs};
use crate::schema::format::salt::input;
use crate::schema::read::value::{check_printed, time_format};
use crate::schema::read::{FileValue, Reader};
use crate::schema::wording::excerpt;

pub(super) fn inputs(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    key: &KeyFields<'_>,
) -> Option<Vec<SaltInput>> {
    if !value.is_list() {
        return value.mismatch(reader, "a list of inputs", "write `of: [a, b]`");
    }
    let items = value.some_items(reader, "name the fields, as in `of: [a, b]`")?;
    let inputs: Vec<SaltInput> = items.iter().filter_map(|item| input(reader, item, key)).collect();
    (inputs.len() == items.len()).then_some(inputs)
}

/// `key`, or a list of inputs.
pub(super) fn key_or_inputs(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    key: &KeyFields<'_>,
) -> Option<SaltInputs> {
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

/// `tel`, or `{ field: tel, last: 4 }`.
pub(super) fn input(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    key: &KeyFields<'_>,
) -> Option<SaltInput> {
    if !value.is_mapping() {
        let name = value.text(reader)?;
        let field = key.names.resolve(reader, &name)?;
        return Some(SaltInput::whole(field));
    }
    value.mapping(reader, |reader, fields| {
        let name = fields.get(&input::FIELD);
        let cuts = [fields.get(&input::FIRST), fields.get(&input::LAST), fields.get(&input::FORMAT)];
        let case = fields.get(&input::CASE);
        let name = name.and_then(|value| value.text(reader));
        let field = name.and_then(|name| key.names.resolve(reader, &name));
        let case = case.map(|value| (value, value.word(reader, &input::CASES)));
        let field = field?;
        fields.refuse(reader)?;
        let cut = cut(reader, &cuts, key.declared(field), key.zoned)?;
        let lower = match case {
            None => false,
            Some((value, Some(()))) => lower_cased(reader, &value, &key.fields[field])?,
            Some((_, None)) => return None,
        };
        Some(SaltInput { field, cut, lower })
    })
}

fn lower_cased(reader: &mut Reader<'_>, value: &FileValue<'_>, field: &Field) -> Option<bool> {
    if matches!(field.kind, FieldKind::Text(_)) {
        return Some(true);
    }
    reader.error(value.key_span(), format!("`{}` is not text", field.name), "has no case", "remove `case`");
    None
}

/// The one cut that an input can have.
fn cut(
    reader: &mut Reader<'_>,
    [first, last, format]: &[Option<FileValue<'_>>; 3],
    field: (&Field, Span),
    zoned: bool,
) -> Option<Cut> {
    if let Some(value) = first {
        return length(reader, value, field).map(Cut::First);
    }
    if let Some(value) = last {
        return length(reader, value, field).map(Cut::Last);
    }
    match format {
        Some(value) => input_format(reader, value, field, zoned),
        None => Some(Cut::Whole),
    }
}

/// Characters of text, bytes of binary; Java's `substring` throws when there are fewer.
fn length(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    (field, declared): (&Field, Span),
) -> Option<usize> {
    let length = value.number(reader)?;
    match fixed_length(field) {
        Some(width) if length > width => {
            let message = format!("`{}` is only {width} long", field.name);
            let fault = reader
                .fault(value.span(), message, "more than there is")
                .with_label(declared, "declared here");
            reader.report(fault.with_help(format!("write at most {width}")));
            None
        }
        _ => Some(length),
    }
}

pub(super) fn fixed_length(field: &Field) -> Option<usize> {
    match &field.kind {
        // Listed values may have one width that nobody declared.
        FieldKind::Text(text) => text.width.filter(|_| text.chars.is_ascii()),
        kind => kind.fixed_width(),
    }
}

fn input_format(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    (field, declared): (&Field, Span),
    zoned: bool,
) -> Option<Cut> {
    let format = time_format(reader, value)?;
    let help = "use `first` or `last`, or remove `format`";
    check_printed(reader, value, format.printed(), (field, declared), zoned, help)?;
    Some(Cut::Format(format))
}

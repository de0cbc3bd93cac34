//! Reads `regions:`, how the table is split when it is created.

use std::collections::BTreeMap;

use crate::diag::{DiagnosticKind, Edit, Fix, Spanned};
use crate::document::reader::Fields;
use crate::document::reader::{FileValue, Reader, optional};
use crate::document::wording::excerpt;
use crate::document::yaml;
use crate::key::read::bytes;
use crate::schema::format::regions::byte_range::BoundForm;
use crate::schema::format::regions::{
    self as format, MAX_REGIONS, SplitForm, byte_range, long_range, numbered, per_salt, sampled,
};
use crate::schema::model::Regions;

pub fn regions(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Regions> {
    let (form, body) = value.variant(reader, &format::REGIONS)?;
    match form {
        SplitForm::PerSalt => per_salt(reader, &body),
        SplitForm::Explicit => explicit(reader, &body),
        SplitForm::HexString => body.number(reader).map(|regions| Regions::HexString { regions }),
        SplitForm::DecimalString => body.number(reader).map(|regions| Regions::DecimalString { regions }),
        SplitForm::Uniform => body.number(reader).map(|regions| Regions::Uniform { regions }),
        SplitForm::ByteRange => byte_range(reader, &body),
        SplitForm::Numbered => numbered(reader, &body),
        SplitForm::LongRange => long_range(reader, &body),
        SplitForm::Sampled => sampled(reader, &body),
    }
}

fn per_salt(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Regions> {
    if value.is_null() {
        return Some(Regions::PerSalt { zero_bytes: 0 });
    }
    value.mapping(reader, |reader, fields| {
        let zero_bytes = optional(fields.get(&per_salt::ZERO_BYTES), |value| value.number(reader))?;
        Some(Regions::PerSalt { zero_bytes: zero_bytes.unwrap_or(0) })
    })
}

fn explicit(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Regions> {
    let remedy = "add the split keys, or remove `regions` to start with one region";
    let items = value.some_items(reader, remedy)?;
    let (plain, quoted): (Vec<_>, Vec<_>) = items.iter().partition(|item| item.is_plain() && !item.is_null());
    refuse_unquoted(reader, &plain);
    let keys: Vec<Spanned<Vec<u8>>> = quoted.iter().filter_map(|item| split_key(reader, item)).collect();
    refuse_duplicates(reader, &keys);
    let all = keys.len() == items.len();
    all.then(|| Regions::Explicit(keys.into_iter().map(|key| key.value).collect()))
}

fn refuse_duplicates(reader: &mut Reader<'_>, keys: &[Spanned<Vec<u8>>]) {
    let mut seen = BTreeMap::new();
    for key in keys {
        if let Some(first) = seen.insert(&key.value, key.span) {
            let fault = reader
                .fault(key.span, "the same split key twice", "HBase refuses it")
                .with_label(first, "first here");
            reader.report(fault.with_help("remove one of them").with_kind(DiagnosticKind::Duplicate));
        }
    }
}

/// Reports split keys without quotes. YAML readers disagree whether `001` is text, 1, or octal.
fn refuse_unquoted(reader: &mut Reader<'_>, keys: &[&FileValue<'_>]) {
    let texts: Vec<Spanned<String>> = keys.iter().filter_map(|key| key.text(reader)).collect();
    let Some(first) = texts.first() else { return };
    let (message, help) = match texts.len() {
        1 => (
            "a split key without quotes".to_string(),
            format!("write `{}`", yaml::quoted(&excerpt(&first.value))),
        ),
        count => (
            format!("{count} split keys without quotes"),
            format!("write all of them in quotes, such as `{}`", yaml::quoted(&excerpt(&first.value))),
        ),
    };
    let edits = texts.iter().map(|text| Edit::new(text.span, yaml::quoted(&text.value))).collect();
    let fault = reader.fault(first.span, message, "other YAML parsers may read it as a number");
    reader.report(
        fault
            .with_help(help)
            .with_kind(DiagnosticKind::Unquoted)
            .with_fix(Fix::safe("put the split keys in quotes", edits)),
    );
}

/// A split key in quotes.
fn split_key(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Spanned<Vec<u8>>> {
    if value.is_plain() && !value.is_null() {
        refuse_unquoted(reader, &[value]);
        return None;
    }
    let key = bytes(reader, value)?;
    if key.value.is_empty() {
        reader.error(
            key.span,
            "an empty split key",
            "HBase refuses it",
            "remove it: the first region always starts at the empty key",
        );
        return None;
    }
    Some(key)
}

fn byte_range(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Regions> {
    value.mapping(reader, |reader, fields| {
        let start = fields.get(&byte_range::START);
        let end = fields.get(&byte_range::END);
        let regions = fields.get(&byte_range::REGIONS);
        let bound = fields.get(&byte_range::TYPE);
        let regions = regions.and_then(|value| value.number(reader));
        let bound = bound.and_then(|value| value.word(reader, &byte_range::BOUNDS))?;
        let (start, end) = (end_of_range(reader, bound, &start?), end_of_range(reader, bound, &end?));
        let (start, end, regions) = (start?, end?, regions?);
        // HBase pads the shorter bound with zero bytes before it divides.
        if without_zeros(&start.value) >= without_zeros(&end.value) {
            let fault =
                reader.fault(end.span, "the end is not greater than the start", "not greater in byte order");
            let fault = fault.with_label(start.span, "the start");
            reader.report(fault.with_help("swap them; as bytes, negative numbers sort after positive ones"));
            return None;
        }
        Some(Regions::ByteRange { start: start.value, end: end.value, regions })
    })
}

fn without_zeros(key: &[u8]) -> &[u8] {
    let end = key.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &key[..end]
}

fn end_of_range(
    reader: &mut Reader<'_>,
    bound: BoundForm,
    value: &FileValue<'_>,
) -> Option<Spanned<Vec<u8>>> {
    let whole = |least: i64, greatest: i64| i128::from(least)..=i128::from(greatest);
    let bytes = match bound {
        BoundForm::Short => {
            let number: i16 = value.number_within(reader, whole(i16::MIN.into(), i16::MAX.into()))?;
            number.to_be_bytes().to_vec()
        }
        BoundForm::Int => {
            let number: i32 = value.number_within(reader, whole(i32::MIN.into(), i32::MAX.into()))?;
            number.to_be_bytes().to_vec()
        }
        BoundForm::Long => value.number::<i64>(reader)?.to_be_bytes().to_vec(),
        BoundForm::Text => return split_key(reader, value),
    };
    Some(Spanned::new(bytes, value.span()))
}

fn numbered(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Regions> {
    value.mapping(reader, |reader, fields| {
        let regions = fields.get(&numbered::REGIONS).and_then(|value| value.number(reader));
        let suffix = fields.get(&numbered::SUFFIX).and_then(|value| bytes(reader, &value));
        Some(Regions::Numbered { regions: regions?, suffix: suffix?.value })
    })
}

fn long_range(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Regions> {
    value.mapping(reader, |reader, fields| {
        let (from_value, to_value) = (fields.get(&long_range::FROM), fields.get(&long_range::TO));
        let from: Option<i64> = from_value.and_then(|value| value.number(reader));
        let to: Option<i64> = to_value.and_then(|value| value.number(reader));
        let (from, to) = (from?, to?);
        let (from_span, to_span) = (from_value?.span(), to_value?.span());
        if to < from {
            let fault = reader.fault(to_span, "the range is reversed", "less than the start");
            reader.report(fault.with_label(from_span, "the start").with_help("swap `from` and `to`"));
            return None;
        }
        if to - from >= i64::from(MAX_REGIONS) - 1 {
            let message = format!("more than {MAX_REGIONS} regions");
            let fault = reader.fault(to_span, message, "too far").with_label(from_span, "the start");
            reader.report(fault.with_help("write a shorter range"));
            return None;
        }
        Some(Regions::LongRange { from, to })
    })
}

fn sampled(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Regions> {
    value.mapping(reader, sampled_fields)
}

fn sampled_fields(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Regions> {
    let keys = fields.get(&sampled::KEYS);
    let regions = fields.get(&sampled::REGIONS).and_then(|value| value.number(reader));
    let keys = keys.and_then(|value| value.text(reader));
    Some(Regions::Sampled { keys: keys?.value, regions: regions? })
}

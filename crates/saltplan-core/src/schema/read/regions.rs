//! `regions:`: how the table is pre-split.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::reader::Fields;
use super::value::bytes;
use super::{Reader, Value};
use crate::diag::{Edit, Fix, Kind, Spanned};
use crate::schema::model::Regions;
use crate::schema::wording::excerpt;
use crate::schema::yaml;

/// A table with more regions than this is no table to create in one statement.
const MAX_REGIONS: u32 = 100_000;

/// HBase cuts a byte range only into three regions and more: start and end are split keys themselves.
const MIN_BYTE_RANGE_REGIONS: u32 = 3;

type Form = fn(&mut Reader<'_>, &Value<'_>) -> Option<Regions>;

const FORMS: [(&str, Form); 9] = [
    ("per_salt", per_salt),
    ("explicit", explicit),
    ("hex_string", |reader, value| count(reader, value).map(|regions| Regions::HexString { regions })),
    ("decimal_string", |reader, value| {
        count(reader, value).map(|regions| Regions::DecimalString { regions })
    }),
    ("uniform", |reader, value| count(reader, value).map(|regions| Regions::Uniform { regions })),
    ("byte_range", byte_range),
    ("numbered", numbered),
    ("long_range", long_range),
    ("sampled", sampled),
];

pub fn regions(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<Spanned<Regions>> {
    let (form, body) = value.variant(reader, &FORMS)?;
    let regions = form(reader, &body)?;
    Some(Spanned::new(regions, value.span()))
}

/// A split makes at least two regions.
fn count(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<u32> {
    value.number(reader, 2..=MAX_REGIONS)
}

fn per_salt(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<Regions> {
    if value.is_null() {
        return Some(Regions::PerSalt);
    }
    value.mapping(reader, |_, _| Some(Regions::PerSalt))
}

fn explicit(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<Regions> {
    let remedy = "add the split keys, or remove `regions`: then the table starts with one region";
    let items = value.some_items(reader, MAX_REGIONS as usize - 1, remedy)?;
    let (plain, quoted): (Vec<_>, Vec<_>) = items.iter().partition(|item| item.is_plain() && !item.is_null());
    refuse_unquoted(reader, &plain);
    let keys: Vec<Spanned<Vec<u8>>> = quoted.iter().filter_map(|item| split_key(reader, item)).collect();
    refuse_duplicates(reader, &keys);
    (keys.len() == items.len()).then_some(Regions::Explicit(keys))
}

fn refuse_duplicates(reader: &mut Reader<'_>, keys: &[Spanned<Vec<u8>>]) {
    let mut seen = BTreeMap::new();
    for key in keys {
        if let Some(first) = seen.insert(&key.value, key.span) {
            let fault = reader
                .fault(key.span, "the same split key twice", "HBase refuses it")
                .with_label(first, "first here");
            reader.report(fault.with_help("remove one of the two").with_kind(Kind::Duplicate));
        }
    }
}

/// Split keys without quotes. YAML readers disagree whether `001` is text, 1, or octal.
fn refuse_unquoted(reader: &mut Reader<'_>, keys: &[&Value<'_>]) {
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
    let fault = reader.fault(first.span, message, "other readers of YAML may take it for a number");
    reader.report(
        fault
            .with_help(help)
            .with_kind(Kind::Unquoted)
            .with_fix(Fix::safe("put the split keys into quotes", edits)),
    );
}

/// A split key in quotes.
fn split_key(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<Spanned<Vec<u8>>> {
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
            "remove it: the first region starts at the empty key anyway",
        );
        return None;
    }
    Some(key)
}

#[derive(Clone, Copy)]
enum Bound {
    Short,
    Int,
    Long,
    Text,
}

const BOUNDS: [(&str, Bound); 4] =
    [("short", Bound::Short), ("int", Bound::Int), ("long", Bound::Long), ("string", Bound::Text)];

fn byte_range(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<Regions> {
    value.mapping(reader, |reader, fields| {
        let start = fields.require("start", "start: …");
        let end = fields.require("end", "end: …");
        let regions = fields.require("regions", "regions: 16");
        let bound = fields.require("type", "type: short");
        let regions = regions.and_then(|value| value.number(reader, MIN_BYTE_RANGE_REGIONS..=MAX_REGIONS));
        let bound = bound.and_then(|value| value.word(reader, &BOUNDS))?;
        let (start, end) = (bound.bytes(reader, &start?), bound.bytes(reader, &end?));
        let (start, end, regions) = (start?, end?, regions?);
        // HBase pads the shorter end with zero bytes before it divides.
        if without_zeros(&start.value) >= without_zeros(&end.value) {
            let fault =
                reader.fault(end.span, "the end does not lie behind the start", "not greater in byte order");
            let fault = fault.with_label(start.span, "the start");
            reader.report(
                fault.with_help("exchange the two; as bytes, negative numbers lie behind positive ones"),
            );
            return None;
        }
        Some(Regions::ByteRange { start: start.value, end: end.value, regions })
    })
}

fn without_zeros(key: &[u8]) -> &[u8] {
    let end = key.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &key[..end]
}

impl Bound {
    fn bytes(self, reader: &mut Reader<'_>, value: &Value<'_>) -> Option<Spanned<Vec<u8>>> {
        let span = value.span();
        let bytes = match self {
            Bound::Short => value.number(reader, i16::MIN..=i16::MAX)?.to_be_bytes().to_vec(),
            Bound::Int => value.number(reader, i32::MIN..=i32::MAX)?.to_be_bytes().to_vec(),
            Bound::Long => value.number(reader, i64::MIN..=i64::MAX)?.to_be_bytes().to_vec(),
            Bound::Text => return split_key(reader, value),
        };
        Some(Spanned::new(bytes, span))
    }
}

fn numbered(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<Regions> {
    value.mapping(reader, |reader, fields| {
        let regions = fields.require("regions", "regions: 6").and_then(|value| count(reader, &value));
        let suffix = fields.require("suffix", "suffix: '|'").and_then(|value| bytes(reader, &value));
        Some(Regions::Numbered { regions: regions?, suffix: suffix?.value })
    })
}

/// Longs sort as bytes only while they have one sign.
const LONGS: RangeInclusive<i64> = 0..=i64::MAX;

fn long_range(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<Regions> {
    value.mapping(reader, |reader, fields| {
        let (from_value, to_value) = (fields.require("from", "from: 1"), fields.require("to", "to: 15"));
        let from = from_value.and_then(|value| value.number(reader, LONGS));
        let to = to_value.and_then(|value| value.number(reader, LONGS));
        let (from, to) = (from?, to?);
        let (from_span, to_span) = (from_value?.span(), to_value?.span());
        if to < from {
            let fault = reader.fault(to_span, "the range runs backwards", "less than the start");
            reader.report(fault.with_label(from_span, "the start").with_help("exchange `from` and `to`"));
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

fn sampled(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<Regions> {
    value.mapping(reader, sampled_fields)
}

fn sampled_fields(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Regions> {
    let keys = fields.require("keys", "keys: keys.txt");
    let regions = fields.require("regions", "regions: 20").and_then(|value| count(reader, &value));
    let keys = keys.and_then(|value| value.text(reader));
    Some(Regions::Sampled { keys: keys?.value, regions: regions? })
}

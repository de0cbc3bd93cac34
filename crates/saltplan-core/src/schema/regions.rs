//! `regions:`, how the table is split when it is created.

use std::collections::BTreeMap;

use crate::key::read::bytes;
use saltplan_document::diag::{DiagnosticKind, Edit, Fix, Spanned};
use saltplan_document::format::{
    Choice, Key, KeyRule, KeyTest, List, OneOf, Text, ValueType, form, number, optional, word,
};
use saltplan_document::reader::{FileValue, FromFile, Reader};
use saltplan_document::wording::excerpt;
use saltplan_document::yaml;
use saltplan_document::{from_file, mapping};

/// More regions than this cannot sensibly be created in one statement.
pub const MAX_REGIONS: u32 = 100_000;

/// A split makes at least two regions.
const COUNT: ValueType = number(2, MAX_REGIONS as i64);

/// How the table is split when it is created.
#[derive(Debug, Clone, PartialEq)]
pub enum Regions {
    PerSalt {
        /// Behind each salt.
        zero_bytes: usize,
    },
    /// The split keys in the order of the file.
    Explicit(Vec<Vec<u8>>),
    HexString {
        regions: u32,
    },
    DecimalString {
        regions: u32,
    },
    Uniform {
        regions: u32,
    },
    ByteRange {
        start: Vec<u8>,
        end: Vec<u8>,
        regions: u32,
    },
    Numbered(Numbered),
    LongRange {
        from: i64,
        to: i64,
    },
    Sampled(Sampled),
}

type ReadRegions = fn(&mut Reader<'_>, &FileValue<'_>) -> Option<Regions>;

pub static REGIONS: OneOf<ReadRegions> = OneOf {
    about: "How the table is split when it is created.",
    forms: &[
        (&PER_SALT, per_salt),
        (&EXPLICIT, explicit),
        (&HEX_STRING, |reader, value| Some(Regions::HexString { regions: value.number(reader)? })),
        (&DECIMAL_STRING, |reader, value| Some(Regions::DecimalString { regions: value.number(reader)? })),
        (&UNIFORM, |reader, value| Some(Regions::Uniform { regions: value.number(reader)? })),
        (&BYTE_RANGE, byte_range),
        (&NUMBERED, |reader, value| Numbered::read(reader, value).map(Regions::Numbered)),
        (&LONG_RANGE, long_range),
        (&SAMPLED, |reader, value| Sampled::read(reader, value).map(Regions::Sampled)),
    ],
    misplaced: &[],
};

pub static PER_SALT: Key = optional(
    "per_salt",
    ValueType::Either(&[ValueType::Map(&PerSalt::MAP), ValueType::Nothing]),
    "{}",
    PerSalt::MAP.about,
);
pub static EXPLICIT: Key = optional(
    "explicit",
    ValueType::List(&List {
        item: ValueType::Text(Text::SplitKey),
        least: 1,
        most: MAX_REGIONS as usize - 1,
        unique: true,
    }),
    "['001', '002']",
    "The split keys, in quotes; `\\xNN` is a byte. n split keys make n + 1 regions.",
);
pub static HEX_STRING: Key =
    optional("hex_string", COUNT, "16", "HBase's HexStringSplit, for keys that start with eight hex digits.");
pub static DECIMAL_STRING: Key = optional(
    "decimal_string",
    COUNT,
    "10",
    "HBase's DecimalStringSplit, for keys that start with eight digits.",
);
pub static UNIFORM: Key = optional("uniform", COUNT, "8", "HBase's UniformSplit, for keys of random bytes.");
pub static BYTE_RANGE: Key =
    form("byte_range", &ByteRange::MAP, "{ start: 2047, end: 30720, regions: 16, type: short }");
static NUMBERED: Key = form("numbered", &Numbered::MAP, "{ regions: 6, suffix: '|' }");
pub static LONG_RANGE: Key = form("long_range", &LongRange::MAP, "{ from: 1, to: 19 }");
static SAMPLED: Key = form("sampled", &Sampled::MAP, "{ keys: keys.txt, regions: 20 }");

pub(super) fn regions(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Regions> {
    let (read, body) = value.variant(reader, &REGIONS)?;
    read(reader, &body)
}

/// The longest row key of HBase, without a salt of one byte.
const MAX_ZERO_BYTES: i64 = 32_766;

mapping! {
    /// One region per possible salt: every salt except the first is a split key.
    #[derive(Debug)]
    pub struct PerSalt {
        /// Zero bytes behind every salt in the split keys. Phoenix fills them up to the shortest row key.
        zero_bytes: Option<usize> = ZERO_BYTES, optional("zero_bytes", number(0, MAX_ZERO_BYTES), "17");
    }
}

fn per_salt(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Regions> {
    let zero_bytes = if value.is_null() { None } else { PerSalt::read(reader, value)?.zero_bytes };
    Some(Regions::PerSalt { zero_bytes: zero_bytes.unwrap_or(0) })
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
        return reader.reject(
            key.span,
            "an empty split key",
            "HBase refuses it",
            "remove it: the first region always starts at the empty key",
        );
    }
    Some(key)
}

/// How the bounds of a range are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundForm {
    Short,
    Int,
    Long,
    Text,
}

pub static BOUNDS: Choice<BoundForm> = Choice(&[
    word("short", BoundForm::Short, "2 bytes"),
    word("int", BoundForm::Int, "4 bytes"),
    word("long", BoundForm::Long, "8 bytes"),
    word("string", BoundForm::Text, "text in quotes"),
]);
from_file! { word: BoundForm; }

const SHORT: ValueType = number(i16::MIN as i64, i16::MAX as i64);
const INT: ValueType = number(i32::MIN as i64, i32::MAX as i64);
const LONG: ValueType = number(i64::MIN, i64::MAX);
const TEXT: ValueType = ValueType::Text(Text::SplitKey);

mapping! {
    /// As HBase's `Admin.createTable(descriptor, start, end, n)` splits.
    #[derive(Debug)]
    pub struct ByteRange {
        /// The first split key.
        start: Spanned<WrittenBound> = START, required("start", ValueType::Either(&[LONG, TEXT]), "…");
        /// The last split key.
        end: Spanned<WrittenBound> = END, required("end", ValueType::Either(&[LONG, TEXT]), "…");
        /// Number of regions.
        // HBase splits into at least three, because start and end are split keys themselves.
        regions: u32 = REGIONS, required("regions", number(3, MAX_REGIONS as i64), "16");
        /// Encoding of the bounds.
        form: BoundForm = TYPE, required("type", ValueType::Words(&BOUNDS), "short");
    }
    cases: &[
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["short"])])
            .narrows(&[(&Self::START, SHORT), (&Self::END, SHORT)]),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["int"])])
            .narrows(&[(&Self::START, INT), (&Self::END, INT)]),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["long"])])
            .narrows(&[(&Self::START, LONG), (&Self::END, LONG)]),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["string"])])
            .narrows(&[(&Self::START, TEXT), (&Self::END, TEXT)]),
    ];
}

/// A bound as it is written.
#[derive(Debug)]
enum WrittenBound {
    Number(i64),
    Key(Vec<u8>),
}

impl FromFile for WrittenBound {
    fn from_file(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Self> {
        match value.form() {
            ValueType::Number(..) => value.number(reader).map(WrittenBound::Number),
            ValueType::Text(_) => split_key(reader, value).map(|key| WrittenBound::Key(key.value)),
            // Without a valid `type`, which is reported.
            _ => None,
        }
    }
}

impl WrittenBound {
    fn bytes(self, form: BoundForm) -> Vec<u8> {
        match (self, form) {
            (WrittenBound::Key(key), _) => key,
            (WrittenBound::Number(number), BoundForm::Short) => (number as i16).to_be_bytes().to_vec(),
            (WrittenBound::Number(number), BoundForm::Int) => (number as i32).to_be_bytes().to_vec(),
            (WrittenBound::Number(number), BoundForm::Long | BoundForm::Text) => {
                number.to_be_bytes().to_vec()
            }
        }
    }
}

fn byte_range(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Regions> {
    let ByteRange { start, end, regions, form } = ByteRange::read(reader, value)?;
    let (start_span, end_span) = (start.span, end.span);
    let (start, end) = (start.value.bytes(form), end.value.bytes(form));
    // HBase pads the shorter bound with zero bytes before it divides.
    if without_zeros(&start) >= without_zeros(&end) {
        let fault =
            reader.fault(end_span, "the end is not greater than the start", "not greater in byte order");
        let fault = fault.with_label(start_span, "the start");
        return reader
            .rejected(fault.with_help("swap them; as bytes, negative numbers sort after positive ones"));
    }
    Some(Regions::ByteRange { start, end, regions })
}

fn without_zeros(key: &[u8]) -> &[u8] {
    let end = key.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &key[..end]
}

mapping! {
    /// Split keys 0|, 1|, … with as many digits as the greatest number.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Numbered {
        /// Number of regions.
        pub regions: u32 = REGIONS, required("regions", COUNT, "6");
        /// Text after each number; it sorts after the separator of the keys.
        pub suffix: Vec<u8> = SUFFIX, required("suffix", ValueType::Text(Text::Bytes), "'|'")
            by |reader, value| bytes(reader, value).map(|suffix| suffix.value);
    }
}

/// Longs sort as bytes only if they all have the same sign.
const NOT_NEGATIVE: ValueType = number(0, i64::MAX);

mapping! {
    /// Split keys that are 8-byte longs, both ends included.
    #[derive(Debug)]
    pub struct LongRange {
        /// The first split key.
        from: Spanned<i64> = FROM, required("from", NOT_NEGATIVE, "1");
        /// The last split key.
        to: Spanned<i64> = TO, required("to", NOT_NEGATIVE, "15");
    }
}

fn long_range(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Regions> {
    let LongRange { from, to } = LongRange::read(reader, value)?;
    if to.value < from.value {
        let fault = reader.fault(to.span, "the range is reversed", "less than the start");
        return reader.rejected(fault.with_label(from.span, "the start").with_help("swap `from` and `to`"));
    }
    if to.value - from.value >= i64::from(MAX_REGIONS) - 1 {
        let message = format!("more than {MAX_REGIONS} regions");
        let fault = reader.fault(to.span, message, "too far").with_label(from.span, "the start");
        return reader.rejected(fault.with_help("write a shorter range"));
    }
    Some(Regions::LongRange { from: from.value, to: to.value })
}

mapping! {
    /// Quantiles of real row keys.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Sampled {
        /// File with one row key per line, as the HBase shell prints them; relative to this file.
        pub keys: String = KEYS, required("keys", ValueType::Text(Text::Path), "keys.txt");
        /// Number of regions.
        pub regions: u32 = REGIONS, required("regions", COUNT, "20");
    }
}

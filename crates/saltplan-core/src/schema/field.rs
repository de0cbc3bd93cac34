//! An item of `key: fields:`.

use super::value::hive_name;
use super::window::{WrittenZone, window};
use crate::key::chars::Chars;
use crate::key::field::{CalendarField, CalendarType, EpochField, EpochUnit, Field, FieldKind, TextField};
use crate::key::listed::ListedValues;
use crate::key::number::{ENCODINGS, IntegerSize, MAX_BYTES, MAX_DIGITS, NumberEncoding, NumberForm};
use crate::key::range::{MAX_KEY_BYTES, to_string_binary};
use crate::key::read::{bytes, time_format};
use crate::key::salt::field_hash;
use crate::key::text_form::{TextForm, TextLayout};
use saltplan_document::diag::{DiagnosticKind, Span, Spanned};
use saltplan_document::format::{Choice, KeyRule, KeyTest, List, Text, ValueType, number, word};
use saltplan_document::mapping;
use saltplan_document::reader::{Fields, FileValue, FromFile, Reader};
use saltplan_document::wording::{MAX_REASON, excerpt, plural, shorten};
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::Granularity;

/// The values of `type`; what they mean for a field depends on its other keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    Text,
    Bytes,
    Integer(IntegerSize),
    Date,
    Timestamp,
}

pub static TYPES: Choice<FieldType> = Choice(&[
    word("string", FieldType::Text, "text"),
    word(
        "bytes",
        FieldType::Bytes,
        "bytes of a fixed `width`, in predicates and rows their lower-case hex digits",
    ),
    word("tinyint", FieldType::Integer(IntegerSize::Tinyint), "a 1-byte integer"),
    word("smallint", FieldType::Integer(IntegerSize::Smallint), "a 2-byte integer"),
    word("int", FieldType::Integer(IntegerSize::Int), "a 4-byte integer"),
    word("bigint", FieldType::Integer(IntegerSize::Bigint), "an 8-byte integer"),
    word("date", FieldType::Date, "a calendar date, with a `format`"),
    word(
        "timestamp",
        FieldType::Timestamp,
        "a time: local time as text with a `format`, or an instant with an `epoch`",
    ),
]);

pub static EPOCH_UNITS: Choice<EpochUnit> =
    Choice(&[word("ms", EpochUnit::Milliseconds, "milliseconds"), word("s", EpochUnit::Seconds, "seconds")]);

pub(crate) static HIVE_TYPES: Choice<CalendarType> = Choice(&[
    word("int", CalendarType::Int, "the stored digits as a number (at most nine)"),
    word("bigint", CalendarType::Bigint, "the stored digits as a number (at most eighteen)"),
    word("string", CalendarType::String, "the stored text"),
    word("date", CalendarType::Date, "a DATE"),
    word("timestamp", CalendarType::Timestamp, "a TIMESTAMP"),
]);

/// The bound of a number or of a date.
const BOUND: ValueType = ValueType::Either(&[LONG, ValueType::Text(Text::Moment)]);
const LONG: ValueType = number(i64::MIN, i64::MAX);
const TINYINT: ValueType = number(i8::MIN as i64, i8::MAX as i64);
const SMALLINT: ValueType = number(i16::MIN as i64, i16::MAX as i64);
const INT: ValueType = number(i32::MIN as i64, i32::MAX as i64);
const NEVER_NEGATIVE: ValueType = number(0, i64::MAX);

/// The words of the integer types.
const INTEGERS: &[&str] = &["tinyint", "smallint", "int", "bigint"];

/// The kind of field that has characters.
const TEXTS: &[&str] = &["text"];
static VALUES: List = List { item: ValueType::Text(Text::Any), least: 1, most: usize::MAX, unique: false };

mapping! {
    /// A field of the row key.
    pub keys FieldKeys {
        /// Name of the field in predicates.
        NAME = required("name", ValueType::Text(Text::Name), "…");
        /// Type of the values.
        TYPE = required("type", ValueType::Words(&TYPES), "string");
        /// Date format in Java's pattern letters yyyy MM dd HH mm ss SSS, such as yyyyMMdd.
        FORMAT = optional("format", ValueType::Text(Text::TimeFormat), "yyyyMMdd");
        /// Hive type of a field with a `format`. By default, a format of up to nine digits that starts with the
        /// year is an `int`, any other format a `string`.
        HIVE_TYPE = optional("hive_type", ValueType::Words(&HIVE_TYPES), "date");
        /// Unit of an instant stored as a number since 1970-01-01 UTC.
        EPOCH = optional("epoch", ValueType::Words(&EPOCH_UNITS), "ms");
        /// Encoding of a number.
        ENCODING = optional("encoding", ValueType::Words(&ENCODINGS), "decimal");
        /// Exact width: bytes of a text or of `bytes`, digits of a decimal number, bytes of an unsigned number.
        /// With `pad`: the bytes to which a text is filled up.
        WIDTH = optional("width", number(1, MAX_KEY_BYTES as i64), "11");
        /// Smallest value of an integer; first plausible day or time.
        MIN = optional("min", BOUND, "0");
        /// Greatest value of an integer; last plausible day or time.
        MAX = optional("max", BOUND, "99");
        /// Characters that the text may contain: digits, hex, alnum, ascii, utf8, or a class such as '[a-z-]'.
        CHARS = default("chars", ValueType::Text(Text::Chars), "utf8"), in TEXTS;
        /// List of all possible values.
        VALUES = optional("values", ValueType::List(&VALUES), "[cn, us]"), in TEXTS;
        /// `true`: the characters are stored in reverse order.
        REVERSE = default("reverse", ValueType::Flag, "false"), in TEXTS;
        /// `true`: the text may be NULL, which the key stores as an empty text. The empty text itself is then
        /// no value of the field.
        NULLABLE = default("nullable", ValueType::Flag, "false"), in TEXTS;
        /// The byte that fills a shorter text up to the `width`: a blank or `\x00`. No text ends with it or has
        /// a character below it.
        PAD = optional("pad", ValueType::Text(Text::Padding), "' '"), in TEXTS;
        /// `true`: greater values sort first. A number is stored as the maximum minus the value, one in `width`
        /// digits as so many nines minus the value; of a text and of `bytes` every bit is inverted, and a text
        /// without `width` ends with the byte 0xFF.
        DESCENDING = default("descending", ValueType::Flag, "false");
        /// `false`: an input of the salt that is not in the key.
        STORED = default("stored", ValueType::Flag, "true");
        /// A hash of other fields, which the field holds.
        HASH = optional("hash", ValueType::Map(&field_hash::MAP), "{ function: md5, of: [id], hex_digits: [1, 4], write: hex }");
        /// Separator after this field, if it differs from the `separator` of the key. After the last field only
        /// `'\x00'`, behind a text of any width.
        THEN = optional("then", ValueType::Text(Text::Bytes), "'_'");
        /// `true`: the text may contain the byte 0 that ends it. By default it must not, and `load` checks
        /// this.
        MAY_HOLD = default("may_hold", ValueType::Flag, "false"), in TEXTS;
    }
    cases: &[
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["bytes", "date", "timestamp"])])
            .described("`bytes`, a date or a timestamp")
            .refuses(&[&Self::HASH])
            .help("remove it: only a text or an integer holds a hash"),
        KeyRule::when(&[KeyTest::Has(&Self::HASH)])
            .refuses(&[&Self::VALUES, &Self::REVERSE, &Self::NULLABLE, &Self::PAD, &Self::STORED, &Self::MAY_HOLD, &Self::MIN, &Self::MAX])
            .help("remove it: the hash has its own values"),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["string"])])
            .refuses(&[&Self::FORMAT, &Self::HIVE_TYPE, &Self::EPOCH, &Self::ENCODING, &Self::MIN, &Self::MAX]),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["string"]), KeyTest::Has(&Self::PAD)])
            .needs(&[&Self::WIDTH])
            .refuses(&[&Self::VALUES, &Self::REVERSE, &Self::MAY_HOLD]),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["string"]), Self::DESCENDS])
            .described("`descending: true` of a text")
            .refuses(&[&Self::VALUES, &Self::REVERSE, &Self::MAY_HOLD]),
        // Phoenix ends a descending NULL with another byte than a text, and has no NULL of a fixed width inside the
        // key.
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["string"]), KeyTest::Is(&Self::NULLABLE, &["true"])])
            .refuses(&[
                &Self::WIDTH, &Self::PAD, &Self::VALUES, &Self::DESCENDING, &Self::STORED, &Self::MAY_HOLD,
            ])
            .help(
                "remove one of the two: only an ascending text of any width that is in the key has an empty text for NULL"
            ),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["bytes"])])
            .needs(&[&Self::WIDTH])
            .refuses(&[&Self::FORMAT, &Self::HIVE_TYPE, &Self::EPOCH, &Self::ENCODING, &Self::MIN, &Self::MAX])
            .of_kind("bytes"),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, INTEGERS)])
            .described("an integer type")
            .needs(&[&Self::ENCODING])
            .refuses(&[&Self::FORMAT, &Self::HIVE_TYPE, &Self::EPOCH])
            .of_kind("integer")
            .narrows(&[(&Self::MIN, LONG), (&Self::MAX, LONG)]),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["tinyint"])])
            .narrows(&[(&Self::MIN, TINYINT), (&Self::MAX, TINYINT)]),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["smallint"])])
            .narrows(&[(&Self::MIN, SMALLINT), (&Self::MAX, SMALLINT)]),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["int"])]).narrows(&[(&Self::MIN, INT), (&Self::MAX, INT)]),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, INTEGERS), KeyTest::Is(&Self::ENCODING, &["be_unsigned"])])
            .described("an integer with `encoding: be_unsigned`")
            .narrows(&[(&Self::MIN, NEVER_NEGATIVE), (&Self::MAX, NEVER_NEGATIVE)]),
        // Digits of fixed width have no sign. The reader checks what fits into `width` digits.
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, INTEGERS), Self::IN_DIGITS, KeyTest::Has(&Self::WIDTH)])
            .described("an integer in padded digits")
            .narrows(&[(&Self::MIN, NEVER_NEGATIVE), (&Self::MAX, NEVER_NEGATIVE)]),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["date"])])
            .needs(&[&Self::FORMAT])
            .refuses(&[&Self::EPOCH, &Self::ENCODING, &Self::DESCENDING, &Self::WIDTH])
            .of_kind("date"),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["timestamp"]), KeyTest::Has(&Self::EPOCH)])
            .needs(&[&Self::ENCODING])
            .refuses(&[&Self::FORMAT, &Self::HIVE_TYPE])
            .of_kind("instant"),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["timestamp"]), KeyTest::Lacks(&Self::EPOCH)])
            .described("a timestamp in a `format`")
            .needs(&[&Self::FORMAT])
            .refuses(&[&Self::ENCODING, &Self::DESCENDING, &Self::WIDTH])
            .of_kind("local time"),
        KeyRule::when(&[
            KeyTest::Is(&Self::TYPE, &["tinyint", "smallint", "int", "bigint", "timestamp"]),
            KeyTest::Is(&Self::ENCODING, &["be", "be_sortable"]),
        ])
            .described("`be` or `be_sortable`")
            .refuses(&[&Self::WIDTH]),
        KeyRule::when(&[Self::IN_DIGITS]).narrows(&[(&Self::WIDTH, number(1, MAX_DIGITS as i64))]),
        KeyRule::when(&[KeyTest::Is(&Self::ENCODING, &["be_unsigned"])])
            .narrows(&[(&Self::WIDTH, number(1, MAX_BYTES as i64))]),
        // At most as many digits as the greatest number has.
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["tinyint"]), Self::DESCENDS, Self::IN_DIGITS])
            .described("`descending: true` of a `tinyint` in digits")
            .needs(&[&Self::WIDTH])
            .narrows(&[(&Self::WIDTH, number(1, 3))]),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["smallint"]), Self::DESCENDS, Self::IN_DIGITS])
            .described("`descending: true` of a `smallint` in digits")
            .needs(&[&Self::WIDTH])
            .narrows(&[(&Self::WIDTH, number(1, 5))]),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["int"]), Self::DESCENDS, Self::IN_DIGITS])
            .described("`descending: true` of an `int` in digits")
            .needs(&[&Self::WIDTH])
            .narrows(&[(&Self::WIDTH, number(1, 10))]),
        KeyRule::when(&[KeyTest::Is(&Self::TYPE, &["bigint", "timestamp"]), Self::DESCENDS, Self::IN_DIGITS])
            .described("`descending: true` of another number in digits")
            .needs(&[&Self::WIDTH])
            .narrows(&[(&Self::WIDTH, number(1, 19))]),
    ];
}

impl FieldKeys {
    const DESCENDS: KeyTest = KeyTest::Is(&Self::DESCENDING, &["true"]);
    const IN_DIGITS: KeyTest = KeyTest::Is(&Self::ENCODING, &["decimal"]);
}

/// A field, with the separator that the file sets for it.
pub(super) struct ReadField {
    pub field: Field,
    pub separator: Option<Spanned<Vec<u8>>>,
    /// Whether its text may contain the zero byte that ends it.
    pub may_hold: bool,
    /// Where `nullable` is written.
    pub nullable_at: Option<Span>,
}

/// Reads a field; registers its name even if the rest is wrong.
pub(super) fn part(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    zone: WrittenZone,
    name_found: &mut Option<Spanned<String>>,
) -> Option<ReadField> {
    value.mapping(reader, |reader, fields| {
        *name_found = fields.required(reader, &FieldKeys::NAME, hive_name);
        let kind = fields.required(reader, &FieldKeys::TYPE, |reader, value| value.word(reader));
        let refused = kind.and_then(|_| fields.refuse(reader));
        let kind = kind.filter(|_| refused.is_some()).and_then(|kind| field_kind(reader, fields, kind));
        let bounds = [fields.get(&FieldKeys::MIN), fields.get(&FieldKeys::MAX)];
        let window = kind.as_ref().map(|kind| window(reader, bounds, kind, zone));
        let stored = fields.default(reader, &FieldKeys::STORED, bool::from_file);
        let separator = fields.optional(reader, &FieldKeys::THEN, bytes)?;
        let may_hold = fields.default(reader, &FieldKeys::MAY_HOLD, bool::from_file)?;
        let name = name_found.as_ref()?.value.clone();
        let field = Field { name, kind: kind?, stored: stored?, window: window??, separator: Vec::new() };
        if let (false, Some(separator)) = (field.stored, &separator) {
            return reader.reject(
                separator.span,
                "a separator after a field that is not stored",
                "never written",
                "remove `then`",
            );
        }
        // Read when all fields are known.
        fields.get(&FieldKeys::HASH);
        let nullable_at = fields.get(&FieldKeys::NULLABLE).map(|value| value.key_span());
        Some(ReadField { field, separator, may_hold, nullable_at })
    })
}

/// Reads how a field is stored.
fn field_kind(reader: &mut Reader<'_>, fields: &mut Fields<'_>, kind: FieldType) -> Option<FieldKind> {
    match (kind, fields.get(&FieldKeys::EPOCH)) {
        (FieldType::Text, _) => text(reader, fields).map(FieldKind::Text),
        (FieldType::Bytes, _) => hex_text(reader, fields).map(FieldKind::Text),
        (FieldType::Integer(size), _) => {
            let form = stored_number(reader, fields, size)?;
            bounded(reader, fields, form).map(FieldKind::Integer)
        }
        (FieldType::Timestamp, Some(unit)) => {
            let unit = unit.word(reader);
            let number = stored_number(reader, fields, IntegerSize::Bigint);
            Some(FieldKind::Epoch(EpochField { unit: unit?, number: number? }))
        }
        (FieldType::Date, _) => calendar(reader, fields, false).map(FieldKind::Calendar),
        (FieldType::Timestamp, None) => calendar(reader, fields, true).map(FieldKind::Calendar),
    }
}

fn text(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<TextField> {
    let width = fields.optional(reader, &FieldKeys::WIDTH, usize::from_file);
    let chars = fields.optional(reader, &FieldKeys::CHARS, chars);
    let reverse = fields.default(reader, &FieldKeys::REVERSE, bool::from_file);
    let nullable = fields.default(reader, &FieldKeys::NULLABLE, bool::from_file);
    let pad = fields.optional(reader, &FieldKeys::PAD, padding);
    let descending = fields.default(reader, &FieldKeys::DESCENDING, bool::from_file)?;
    let (width, chars) = (width?, chars?);
    if let (Some(pad), None) = (fields.get(&FieldKeys::PAD), width) {
        let help = "add the number of bytes to which the text is filled up, such as `width: 24`";
        return reader.reject(pad.key_span(), "`pad` needs a `width`", "without an end", help);
    }
    let layout = match (pad?, width) {
        (Some(byte), Some(width)) => TextLayout::Padded { width, byte },
        (_, None) if descending => TextLayout::Terminated,
        _ => TextLayout::Plain,
    };
    let form = TextForm { layout, descending };
    let field = TextField {
        width: if form.padding().is_some() { None } else { width },
        chars: form.allowed(chars.unwrap_or_else(Chars::utf8)),
        values: None,
        reverse: reverse?,
        nullable: nullable?,
        form,
    };
    let values =
        fields.optional(reader, &FieldKeys::VALUES, |reader, value| values(reader, value, &field))?;
    let values = values.map(|values| ListedValues::new(values, field.reverse));
    Some(TextField { values, ..field })
}

/// Bytes are read and compared as their hex digits.
fn hex_text(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<TextField> {
    let Some(width) = fields.optional(reader, &FieldKeys::WIDTH, usize::from_file)? else {
        let help = "add the number of bytes, such as `width: 3`";
        return fields.incomplete(reader, "`type: bytes` needs a `width`", help);
    };
    let descending = fields.default(reader, &FieldKeys::DESCENDING, bool::from_file)?;
    Some(TextField {
        width: Some(2 * width),
        chars: Chars::hex(),
        values: None,
        reverse: false,
        nullable: false,
        form: TextForm { layout: TextLayout::Hex, descending },
    })
}

/// Reads `min` and `max`, which must be numbers that the encoding can represent.
fn bounded(reader: &mut Reader<'_>, fields: &mut Fields<'_>, form: NumberForm) -> Option<NumberForm> {
    let stored = form.holds();
    let greatest = stored.stop.map_or(i128::MAX, |stop| stop - 1).min(i64::MAX.into());
    let bound = |reader: &mut Reader<'_>, value: &FileValue<'_>| {
        let number: i64 = value.number_within(reader, stored.start..=greatest)?;
        Some(Spanned::new(number, value.span()))
    };
    let min = fields.optional(reader, &FieldKeys::MIN, bound);
    let max = fields.optional(reader, &FieldKeys::MAX, bound);
    let (min, max) = (min?, max?);
    if let (Some(least), Some(greatest)) = (&min, &max)
        && least.value > greatest.value
    {
        let message = format!("`max` is {}, and `min` is {}", greatest.value, least.value);
        let help = "write the smaller one as `min`";
        return reader.reject(greatest.span, message, "no number satisfies both", help);
    }
    Some(NumberForm { min: min.map(|min| min.value), max: max.map(|max| max.value), ..form })
}

/// Reads how a number is stored.
fn stored_number(reader: &mut Reader<'_>, fields: &mut Fields<'_>, size: IntegerSize) -> Option<NumberForm> {
    let form = encoded(reader, fields, size);
    let descending = fields.default(reader, &FieldKeys::DESCENDING, bool::from_file)?;
    let form = NumberForm { descending, ..form? };
    if descending && !form.can_descend() {
        return reader.reject(
            fields.get(&FieldKeys::DESCENDING)?.key_span(),
            "`descending` does not fit this encoding",
            "stores the greatest number of the width minus the value",
            format!("write `encoding: be`, or `encoding: decimal` with a `width` of 1 to {}", size.digits()),
        );
    }
    Some(form)
}

fn encoded(reader: &mut Reader<'_>, fields: &mut Fields<'_>, size: IntegerSize) -> Option<NumberForm> {
    let Some(value) = fields.get(&FieldKeys::ENCODING) else {
        let help = "add `encoding: decimal` for text, `encoding: be` for the bytes of the type (8 of a `bigint`, 4 of an `int`)";
        return fields.incomplete(reader, "a number needs an `encoding`", help);
    };
    let encoding: NumberEncoding = value.word(reader)?;
    let width = match encoding.widths() {
        Some(widths) => {
            let range = *widths.start() as i128..=*widths.end() as i128;
            fields.optional(reader, &FieldKeys::WIDTH, |reader, value| value.number_within(reader, range))?
        }
        None => None,
    };
    Some(NumberForm { width, ..NumberForm::new(size, encoding) })
}

fn calendar(reader: &mut Reader<'_>, fields: &mut Fields<'_>, time_of_day: bool) -> Option<CalendarField> {
    let Some(value) = fields.get(&FieldKeys::FORMAT) else {
        let (what, help) = match time_of_day {
            true => {
                ("a timestamp needs a `format` or an `epoch`", "add `format: yyyyMMddHHmmss`, or `epoch: ms`")
            }
            false => ("a date needs a `format`", "add `format: yyyyMMdd`"),
        };
        return fields.incomplete(reader, what, help);
    };
    let format = time_format(reader, &value)?;
    if !time_of_day && format.granularity() > Granularity::Day {
        let help = "write `type: timestamp`";
        return reader.reject(value.span(), "a date has no time of day", "prints one", help);
    }
    let hive_type = fields
        .optional(reader, &FieldKeys::HIVE_TYPE, |reader, value| calendar_type(reader, value, &format))?;
    let hive_type = hive_type.unwrap_or_else(|| CalendarType::default_of(&format));
    Some(CalendarField { format, time_of_day, hive_type })
}

/// The `hive_type` of a calendar field, if it preserves everything that the field stores.
fn calendar_type(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    format: &TimeFormat,
) -> Option<CalendarType> {
    let hive_type = value.word(reader)?;
    let digits = format.printed().number_digits();
    let reason = match hive_type {
        CalendarType::Int if digits.is_none_or(|digits| digits > 9) => {
            "an int holds formats of up to nine digits that start with the year"
        }
        CalendarType::Bigint if digits.is_none_or(|digits| digits > 18) => {
            "a bigint holds formats of up to eighteen digits that start with the year"
        }
        CalendarType::Date if format.granularity() > Granularity::Day => "a DATE has no time of day",
        _ => return Some(hive_type),
    };
    let message = format!("{} cannot represent the values of `{}`", hive_type.name(), format.pattern());
    let help = format!("write `hive_type: {}`", CalendarType::default_of(format).name());
    reader.reject(value.span(), message, reason, help)
}

/// A blank or the zero byte.
fn padding(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<u8> {
    let read = bytes(reader, value)?;
    match read.value.as_slice() {
        [byte @ (b' ' | 0)] => Some(*byte),
        _ => {
            let message =
                format!("a text cannot be padded with `{}`", excerpt(&to_string_binary(&read.value)));
            reader.reject(
                read.span,
                message,
                "neither a blank nor a zero byte",
                "write `pad: ' '` or `pad: '\\x00'`",
            )
        }
    }
}

fn chars(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Chars> {
    if value.is_list() {
        return value.mismatch(reader, "a word, or a class in quotes", "write a class as `chars: '[a-z]'`");
    }
    let text = value.text(reader)?;
    match Chars::parse(&text.value) {
        Ok(chars) => Some(chars),
        Err(reason) => {
            let fault = reader.fault(
                text.span,
                format!("`{}` is not a set of characters", excerpt(&text.value)),
                shorten(&reason.to_string(), MAX_REASON),
            );
            let fault = fault
                .with_help("write `digits`, `hex`, `alnum`, `ascii`, `utf8`, or a class such as `'[a-z-]'`");
            let fault = reader.suggesting(fault, &text.value, Chars::NAMES);
            reader.rejected(fault)
        }
    }
}

/// The finite domain of a text field: distinct values that fit its width and characters.
fn values(reader: &mut Reader<'_>, value: &FileValue<'_>, field: &TextField) -> Option<Vec<String>> {
    let items = value.some_items(reader, "add the values, or remove this key to allow any text")?;
    let mut seen = std::collections::BTreeMap::new();
    let mut values = Vec::with_capacity(items.len());
    for item in &items {
        let text = item.text(reader)?;
        if let Some(reason) = mismatch(&text.value, field) {
            let message = format!("the value `{}` does not fit its field", excerpt(&text.value));
            reader.error(text.span, message, reason, "remove it, or change `width` or `chars`");
        }
        if let Some(first) = seen.insert(text.value.clone(), text.span) {
            let message = format!("the value `{}` is listed twice", excerpt(&text.value));
            let fault = reader.fault(text.span, message, "again here").with_label(first, "first here");
            reader.report(fault.with_help("remove one of them").with_kind(DiagnosticKind::Duplicate));
        }
        values.push(text.value);
    }
    Some(values)
}

fn mismatch(text: &str, field: &TextField) -> Option<String> {
    if let Some(width) = field.width.filter(|width| *width != text.len()) {
        return Some(format!("{}, the width is {width}", plural(text.len(), "byte")));
    }
    let foreign = text.chars().find(|c| !field.chars.contains(*c))?;
    Some(format!("`{}` is not in `{}`", foreign.escape_debug(), excerpt(field.chars.name())))
}

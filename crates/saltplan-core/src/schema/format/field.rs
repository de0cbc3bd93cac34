//! An item of `key: fields:`.

use crate::document::format::{
    Choice, Key, KeyRule, KeyTest, List, Map, Text, ValueType, default, number, optional, required, word,
};
use crate::key::field::{CalendarType, EpochUnit};
use crate::key::number::{ENCODINGS, IntegerSize, MAX_BYTES, MAX_DIGITS};
use crate::key::range::MAX_KEY_BYTES;

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

pub static NAME: Key = required("name", ValueType::Text(Text::Name), "…", "Name of the field in predicates.");
pub static TYPE: Key = required("type", ValueType::Words(&TYPES), "string", "Type of the values.");
pub static FORMAT: Key = optional(
    "format",
    ValueType::Text(Text::TimeFormat),
    "yyyyMMdd",
    "Date format in Java's pattern letters yyyy MM dd HH mm ss SSS, such as yyyyMMdd.",
);
pub(crate) static HIVE_TYPE: Key = optional(
    "hive_type",
    ValueType::Words(&HIVE_TYPES),
    "date",
    "Hive type of a field with a `format`. By default, a format of up to nine digits that starts with the year is an `int`, any other format a `string`.",
);
pub static EPOCH: Key = optional(
    "epoch",
    ValueType::Words(&EPOCH_UNITS),
    "ms",
    "Unit of an instant stored as a number since 1970-01-01 UTC.",
);
pub static ENCODING: Key =
    optional("encoding", ValueType::Words(&ENCODINGS), "decimal", "Encoding of a number.");
pub static WIDTH: Key = optional(
    "width",
    number(1, MAX_KEY_BYTES as i64),
    "11",
    "Exact width: bytes of a text or of `bytes`, digits of a decimal number, bytes of an unsigned number. With `pad`: the bytes to which a text is filled up.",
);
/// The bound of a number or of a date.
const BOUND: ValueType = ValueType::Either(&[LONG, ValueType::Text(Text::Moment)]);
const LONG: ValueType = number(i64::MIN, i64::MAX);
const TINYINT: ValueType = number(i8::MIN as i64, i8::MAX as i64);
const SMALLINT: ValueType = number(i16::MIN as i64, i16::MAX as i64);
const INT: ValueType = number(i32::MIN as i64, i32::MAX as i64);
const NEVER_NEGATIVE: ValueType = number(0, i64::MAX);

/// The words of the integer types.
const INTEGERS: &[&str] = &["tinyint", "smallint", "int", "bigint"];

pub static MIN: Key =
    optional("min", BOUND, "0", "Smallest value of an integer; first plausible day or time.");
pub static MAX: Key =
    optional("max", BOUND, "99", "Greatest value of an integer; last plausible day or time.");
pub static CHARS: Key = default(
    "chars",
    ValueType::Text(Text::Chars),
    "utf8",
    "Characters that the text may contain: digits, hex, alnum, ascii, utf8, or a class such as '[a-z-]'.",
);
pub static VALUES: Key = optional(
    "values",
    ValueType::List(&List { item: ValueType::Text(Text::Any), least: 1, most: usize::MAX, unique: false }),
    "[cn, us]",
    "List of all possible values.",
);
pub static REVERSE: Key =
    default("reverse", ValueType::Flag, "false", "`true`: the characters are stored in reverse order.");
pub static DESCENDING: Key = default(
    "descending",
    ValueType::Flag,
    "false",
    "`true`: greater values sort first. A number is stored as the maximum minus the value; of a text and of `bytes` every bit is inverted, and a text without `width` ends with the byte 0xFF.",
);
pub static PAD: Key = optional(
    "pad",
    ValueType::Text(Text::Padding),
    "' '",
    "The byte that fills a shorter text up to the `width`: a blank or `\\x00`. No text ends with it or has a character below it.",
);
pub static NULLABLE: Key = default(
    "nullable",
    ValueType::Flag,
    "false",
    "`true`: the text may be NULL, which the key stores as an empty text. The empty text itself is then no value of the field.",
);
pub static STORED: Key =
    default("stored", ValueType::Flag, "true", "`false`: an input of the salt that is not in the key.");
pub(crate) static MAY_HOLD: Key = default(
    "may_hold",
    ValueType::Flag,
    "false",
    "`true`: the text may contain the byte 0 that ends it. By default it must not, and `load` checks this.",
);
pub static THEN: Key = optional(
    "then",
    ValueType::Text(Text::Bytes),
    "'_'",
    "Separator after this field, if it differs from the `separator` of the key.",
);

pub static FIELD: Map = Map {
    about: "A field of the row key.",
    keys: &[
        &NAME,
        &TYPE,
        &FORMAT,
        &HIVE_TYPE,
        &EPOCH,
        &ENCODING,
        &WIDTH,
        &MIN,
        &MAX,
        &CHARS,
        &VALUES,
        &REVERSE,
        &NULLABLE,
        &PAD,
        &DESCENDING,
        &STORED,
        &THEN,
        &MAY_HOLD,
    ],
    cases: &[
        TEXT,
        PADDED,
        DESCENDING_TEXT,
        NULLABLE_TEXT,
        BYTES,
        INTEGER,
        TINYINT_BOUNDS,
        SMALLINT_BOUNDS,
        INT_BOUNDS,
        UNSIGNED_BOUNDS,
        PADDED_BOUNDS,
        DATE,
        INSTANT,
        LOCAL_TIME,
        SIGNED_BINARY,
        DECIMAL_WIDTH,
        UNSIGNED_WIDTH,
        DESCENDING_TINYINT,
        DESCENDING_SMALLINT,
        DESCENDING_INT,
        DESCENDING_LONG,
    ],
    misplaced: &[],
};

const TEXT: KeyRule = KeyRule {
    when: &[KeyTest::Is(&TYPE, &["string"])],
    beside: "`type: string`",
    refuses: &[&FORMAT, &HIVE_TYPE, &EPOCH, &ENCODING, &MIN, &MAX],
    ..KeyRule::NOTHING
};

const PADDED: KeyRule = KeyRule {
    when: &[KeyTest::Is(&TYPE, &["string"]), KeyTest::Has(&PAD)],
    beside: "`pad`",
    needs: &[&WIDTH],
    refuses: &[&VALUES, &REVERSE, &MAY_HOLD],
    ..KeyRule::NOTHING
};

const DESCENDING_TEXT: KeyRule = KeyRule {
    when: &[KeyTest::Is(&TYPE, &["string"]), KeyTest::Is(&DESCENDING, &["true"])],
    beside: "`descending: true` of a text",
    refuses: &[&VALUES, &REVERSE, &MAY_HOLD],
    ..KeyRule::NOTHING
};

/// Phoenix ends a descending NULL with another byte than a text, and has no NULL of a fixed width inside the key.
const NULLABLE_TEXT: KeyRule = KeyRule {
    when: &[KeyTest::Is(&TYPE, &["string"]), KeyTest::Is(&NULLABLE, &["true"])],
    beside: "`nullable: true`",
    refuses: &[&WIDTH, &PAD, &VALUES, &DESCENDING, &STORED, &MAY_HOLD],
    help: "remove one of the two: only an ascending text of any width that is in the key has an empty text for NULL",
    ..KeyRule::NOTHING
};

const BYTES: KeyRule = KeyRule {
    when: &[KeyTest::Is(&TYPE, &["bytes"])],
    beside: "`type: bytes`",
    needs: &[&WIDTH],
    refuses: &[
        &FORMAT, &HIVE_TYPE, &EPOCH, &ENCODING, &MIN, &MAX, &CHARS, &VALUES, &REVERSE, &NULLABLE, &PAD,
        &MAY_HOLD,
    ],
    ..KeyRule::NOTHING
};

const INTEGER: KeyRule = KeyRule {
    when: &[KeyTest::Is(&TYPE, INTEGERS)],
    beside: "an integer type",
    needs: &[&ENCODING],
    refuses: &[&FORMAT, &HIVE_TYPE, &EPOCH, &CHARS, &VALUES, &REVERSE, &NULLABLE, &PAD, &MAY_HOLD],
    narrows: &[(&MIN, LONG), (&MAX, LONG)],
    ..KeyRule::NOTHING
};

const TINYINT_BOUNDS: KeyRule = KeyRule {
    when: &[KeyTest::Is(&TYPE, &["tinyint"])],
    beside: "`type: tinyint`",
    narrows: &[(&MIN, TINYINT), (&MAX, TINYINT)],
    ..KeyRule::NOTHING
};

const SMALLINT_BOUNDS: KeyRule = KeyRule {
    when: &[KeyTest::Is(&TYPE, &["smallint"])],
    beside: "`type: smallint`",
    narrows: &[(&MIN, SMALLINT), (&MAX, SMALLINT)],
    ..KeyRule::NOTHING
};

const INT_BOUNDS: KeyRule = KeyRule {
    when: &[KeyTest::Is(&TYPE, &["int"])],
    beside: "`type: int`",
    narrows: &[(&MIN, INT), (&MAX, INT)],
    ..KeyRule::NOTHING
};

const UNSIGNED_BOUNDS: KeyRule = KeyRule {
    when: &[KeyTest::Is(&TYPE, INTEGERS), KeyTest::Is(&ENCODING, &["be_unsigned"])],
    beside: "an integer with `encoding: be_unsigned`",
    narrows: &[(&MIN, NEVER_NEGATIVE), (&MAX, NEVER_NEGATIVE)],
    ..KeyRule::NOTHING
};

/// Digits of fixed width have no sign. The reader checks what fits into `width` digits.
const PADDED_BOUNDS: KeyRule = KeyRule {
    when: &[KeyTest::Is(&TYPE, INTEGERS), KeyTest::Is(&ENCODING, &["decimal"]), KeyTest::Has(&WIDTH)],
    beside: "an integer in padded digits",
    narrows: &[(&MIN, NEVER_NEGATIVE), (&MAX, NEVER_NEGATIVE)],
    ..KeyRule::NOTHING
};

const DATE: KeyRule = KeyRule {
    when: &[KeyTest::Is(&TYPE, &["date"])],
    beside: "`type: date`",
    needs: &[&FORMAT],
    refuses: &[&EPOCH, &ENCODING, &DESCENDING, &WIDTH, &CHARS, &VALUES, &REVERSE, &NULLABLE, &PAD, &MAY_HOLD],
    ..KeyRule::NOTHING
};

const INSTANT: KeyRule = KeyRule {
    when: &[KeyTest::Is(&TYPE, &["timestamp"]), KeyTest::Has(&EPOCH)],
    beside: "`epoch`",
    needs: &[&ENCODING],
    refuses: &[&FORMAT, &HIVE_TYPE, &CHARS, &VALUES, &REVERSE, &NULLABLE, &PAD, &MAY_HOLD],
    ..KeyRule::NOTHING
};

const LOCAL_TIME: KeyRule = KeyRule {
    when: &[KeyTest::Is(&TYPE, &["timestamp"]), KeyTest::Lacks(&EPOCH)],
    beside: "a timestamp in a `format`",
    needs: &[&FORMAT],
    refuses: &[&ENCODING, &DESCENDING, &WIDTH, &CHARS, &VALUES, &REVERSE, &NULLABLE, &PAD, &MAY_HOLD],
    ..KeyRule::NOTHING
};

const SIGNED_BINARY: KeyRule = KeyRule {
    when: &[
        KeyTest::Is(&TYPE, &["tinyint", "smallint", "int", "bigint", "timestamp"]),
        KeyTest::Is(&ENCODING, &["be", "be_sortable"]),
    ],
    beside: "`be` or `be_sortable`",
    refuses: &[&WIDTH],
    ..KeyRule::NOTHING
};

const DECIMAL_WIDTH: KeyRule = KeyRule {
    when: &[KeyTest::Is(&ENCODING, &["decimal"])],
    beside: "`encoding: decimal`",
    narrows: &[(&WIDTH, number(1, MAX_DIGITS as i64))],
    ..KeyRule::NOTHING
};

const UNSIGNED_WIDTH: KeyRule = KeyRule {
    when: &[KeyTest::Is(&ENCODING, &["be_unsigned"])],
    beside: "`encoding: be_unsigned`",
    narrows: &[(&WIDTH, number(1, MAX_BYTES as i64))],
    ..KeyRule::NOTHING
};

const DESCENDING_TINYINT: KeyRule = KeyRule {
    when: &[
        KeyTest::Is(&TYPE, &["tinyint"]),
        KeyTest::Is(&DESCENDING, &["true"]),
        KeyTest::Is(&ENCODING, &["decimal"]),
    ],
    beside: "`descending: true` of a `tinyint` in digits",
    needs: &[&WIDTH],
    // As many digits as the greatest number has.
    narrows: &[(&WIDTH, number(3, 3))],
    ..KeyRule::NOTHING
};

const DESCENDING_SMALLINT: KeyRule = KeyRule {
    when: &[
        KeyTest::Is(&TYPE, &["smallint"]),
        KeyTest::Is(&DESCENDING, &["true"]),
        KeyTest::Is(&ENCODING, &["decimal"]),
    ],
    beside: "`descending: true` of a `smallint` in digits",
    needs: &[&WIDTH],
    narrows: &[(&WIDTH, number(5, 5))],
    ..KeyRule::NOTHING
};

const DESCENDING_INT: KeyRule = KeyRule {
    when: &[
        KeyTest::Is(&TYPE, &["int"]),
        KeyTest::Is(&DESCENDING, &["true"]),
        KeyTest::Is(&ENCODING, &["decimal"]),
    ],
    beside: "`descending: true` of an `int` in digits",
    needs: &[&WIDTH],
    narrows: &[(&WIDTH, number(10, 10))],
    ..KeyRule::NOTHING
};

const DESCENDING_LONG: KeyRule = KeyRule {
    when: &[
        KeyTest::Is(&TYPE, &["bigint", "timestamp"]),
        KeyTest::Is(&DESCENDING, &["true"]),
        KeyTest::Is(&ENCODING, &["decimal"]),
    ],
    beside: "`descending: true` of another number in digits",
    needs: &[&WIDTH],
    narrows: &[(&WIDTH, number(19, 19))],
    ..KeyRule::NOTHING
};

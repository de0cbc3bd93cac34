//! `regions:`

use crate::document::format::{Key, List, OneOf, Text, ValueType, number, optional};

/// More regions than this cannot sensibly be created in one statement.
pub const MAX_REGIONS: u32 = 100_000;

/// The ways to split a table; the reader chooses one by its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitForm {
    PerSalt,
    Explicit,
    HexString,
    DecimalString,
    Uniform,
    ByteRange,
    Numbered,
    LongRange,
    Sampled,
}

pub static REGIONS: OneOf<SplitForm> = OneOf {
    about: "How the table is split when it is created.",
    forms: &[
        (&PER_SALT, SplitForm::PerSalt),
        (&EXPLICIT, SplitForm::Explicit),
        (&HEX_STRING, SplitForm::HexString),
        (&DECIMAL_STRING, SplitForm::DecimalString),
        (&UNIFORM, SplitForm::Uniform),
        (&BYTE_RANGE, SplitForm::ByteRange),
        (&NUMBERED, SplitForm::Numbered),
        (&LONG_RANGE, SplitForm::LongRange),
        (&SAMPLED, SplitForm::Sampled),
    ],
    misplaced: &[],
};

/// A split makes at least two regions.
const COUNT: ValueType = number(2, MAX_REGIONS as i64);

pub static PER_SALT: Key = optional(
    "per_salt",
    ValueType::Either(&[ValueType::Map(&per_salt::MAP), ValueType::Nothing]),
    "{}",
    per_salt::ABOUT,
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
pub static BYTE_RANGE: Key = optional(
    "byte_range",
    ValueType::Map(&byte_range::MAP),
    "{ start: 2047, end: 30720, regions: 16, type: short }",
    "",
);
pub(crate) static NUMBERED: Key =
    optional("numbered", ValueType::Map(&numbered::MAP), "{ regions: 6, suffix: '|' }", "");
pub static LONG_RANGE: Key =
    optional("long_range", ValueType::Map(&long_range::MAP), "{ from: 1, to: 19 }", "");
pub static SAMPLED: Key =
    optional("sampled", ValueType::Map(&sampled::MAP), "{ keys: keys.txt, regions: 20 }", "");

pub mod per_salt {
    use crate::document::format::{Key, Map, number, optional};

    /// The longest row key of HBase, without a salt of one byte.
    const MOST: i64 = 32_766;

    pub static ZERO_BYTES: Key = optional(
        "zero_bytes",
        number(0, MOST),
        "17",
        "Zero bytes behind every salt in the split keys. Phoenix fills them up to the shortest row key.",
    );

    pub const ABOUT: &str = "One region per possible salt: every salt except the first is a split key.";

    pub static MAP: Map = Map { about: ABOUT, keys: &[&ZERO_BYTES], cases: &[], misplaced: &[] };
}

pub mod byte_range {
    use super::MAX_REGIONS;
    use crate::document::format::{
        Choice, Key, KeyRule, KeyTest, Map, Text, ValueType, number, required, word,
    };

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

    const LONG: ValueType = number(i64::MIN, i64::MAX);
    const BOUND: ValueType = ValueType::Either(&[LONG, TEXT]);
    const TEXT: ValueType = ValueType::Text(Text::SplitKey);
    const SHORT: ValueType = number(i16::MIN as i64, i16::MAX as i64);
    const INT: ValueType = number(i32::MIN as i64, i32::MAX as i64);

    pub static START: Key = required("start", BOUND, "…", "The first split key.");
    pub static END: Key = required("end", BOUND, "…", "The last split key.");
    // HBase splits a byte range into at least three regions, because start and end are split keys themselves.
    pub static REGIONS: Key = required("regions", number(3, MAX_REGIONS as i64), "16", "Number of regions.");
    pub static TYPE: Key = required("type", ValueType::Words(&BOUNDS), "short", "Encoding of the bounds.");

    pub static MAP: Map = Map {
        about: "As HBase's `Admin.createTable(descriptor, start, end, n)` splits.",
        keys: &[&START, &END, &REGIONS, &TYPE],
        cases: &[
            KeyRule {
                when: &[KeyTest::Is(&TYPE, &["short"])],
                beside: "`type: short`",
                narrows: &[(&START, SHORT), (&END, SHORT)],
                ..KeyRule::NOTHING
            },
            KeyRule {
                when: &[KeyTest::Is(&TYPE, &["int"])],
                beside: "`type: int`",
                narrows: &[(&START, INT), (&END, INT)],
                ..KeyRule::NOTHING
            },
            KeyRule {
                when: &[KeyTest::Is(&TYPE, &["long"])],
                beside: "`type: long`",
                narrows: &[(&START, LONG), (&END, LONG)],
                ..KeyRule::NOTHING
            },
            KeyRule {
                when: &[KeyTest::Is(&TYPE, &["string"])],
                beside: "`type: string`",
                narrows: &[(&START, TEXT), (&END, TEXT)],
                ..KeyRule::NOTHING
            },
        ],
        misplaced: &[],
    };
}

pub mod numbered {
    use super::COUNT;
    use crate::document::format::{Key, Map, Text, ValueType, required};

    pub static REGIONS: Key = required("regions", COUNT, "6", "Number of regions.");
    pub(crate) static SUFFIX: Key = required(
        "suffix",
        ValueType::Text(Text::Bytes),
        "'|'",
        "Text after each number; it sorts after the separator of the keys.",
    );

    pub static MAP: Map = Map {
        about: "Split keys 0|, 1|, … with as many digits as the greatest number.",
        keys: &[&REGIONS, &SUFFIX],
        cases: &[],
        misplaced: &[],
    };
}

pub mod long_range {
    use crate::document::format::{Key, Map, ValueType, number, required};

    /// Longs sort as bytes only if they all have the same sign.
    const LONG: ValueType = number(0, i64::MAX);

    pub static FROM: Key = required("from", LONG, "1", "The first split key.");
    pub static TO: Key = required("to", LONG, "15", "The last split key.");

    pub static MAP: Map = Map {
        about: "Split keys that are 8-byte longs, both ends included.",
        keys: &[&FROM, &TO],
        cases: &[],
        misplaced: &[],
    };
}

pub mod sampled {
    use super::COUNT;
    use crate::document::format::{Key, Map, Text, ValueType, required};

    pub static KEYS: Key = required(
        "keys",
        ValueType::Text(Text::Path),
        "keys.txt",
        "File with one row key per line, as the HBase shell prints them; relative to this file.",
    );
    pub static REGIONS: Key = required("regions", COUNT, "20", "Number of regions.");

    pub static MAP: Map =
        Map { about: "Quantiles of real row keys.", keys: &[&KEYS, &REGIONS], cases: &[], misplaced: &[] };
}

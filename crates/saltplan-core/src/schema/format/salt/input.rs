//! A part of a field.

use crate::key::range::MAX_KEY_BYTES;
use crate::schema::format::{
    Choice, Key, KeyRule, KeyTest, Map, Text, ValueType, number, optional, required, word,
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
pub static CASE: Key =
    optional("case", ValueType::Words(&CASES), "lower", "Change of case before the input is used.");

pub static MAP: Map = Map {
    about: "A part of a field.",
    keys: &[&FIELD, &FIRST, &LAST, &FORMAT, &CASE],
    cases: &[
        KeyRule {
            when: &[KeyTest::Has(&FIRST)],
            beside: "`first`",
            refuses: &[&LAST, &FORMAT],
            ..KeyRule::EXCLUSIVE
        },
        KeyRule { when: &[KeyTest::Has(&LAST)], beside: "`last`", refuses: &[&FORMAT], ..KeyRule::EXCLUSIVE },
    ],
    misplaced: &[],
};

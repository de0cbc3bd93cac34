//! A part of a field.

use crate::key::range::MAX_KEY_BYTES;
use crate::schema::format::{Case, Choice, Key, Map, Text, Type, When, number, optional, required, word};

pub static CASES: Choice<()> = Choice(&[word("lower", (), "lower case")]);

const LENGTH: Type = number(1, MAX_KEY_BYTES as i64);

pub static FIELD: Key = required("field", Type::Text(Text::FieldName), "…", "Name of the field.");
pub static FIRST: Key =
    optional("first", LENGTH, "4", "Leading characters of text, leading bytes of binary.");
pub static LAST: Key =
    optional("last", LENGTH, "4", "Trailing characters of text, trailing bytes of binary.");
pub static FORMAT: Key = optional(
    "format",
    Type::Text(Text::TimeFormat),
    "yyyyMM",
    "A date or an instant in another format, such as yyyyMM.",
);
pub static CASE: Key =
    optional("case", Type::Words(&CASES), "lower", "Change of case before the input is used.");

pub static MAP: Map = Map {
    about: "A part of a field.",
    keys: &[&FIELD, &FIRST, &LAST, &FORMAT, &CASE],
    cases: &[
        Case { when: &[When::Has(&FIRST)], beside: "`first`", refuses: &[&LAST, &FORMAT], ..Case::EXCLUSIVE },
        Case { when: &[When::Has(&LAST)], beside: "`last`", refuses: &[&FORMAT], ..Case::EXCLUSIVE },
    ],
    misplaced: &[],
};

//! `md5:`

use super::joined::{self, JOINED_BY, OF};
use super::{THEN, WRITE};
use crate::key::salt::{Numbers, SaltWrite};
use crate::schema::format::{Choice, Key, KeyRule, KeyTest, Map, ValueType, number, required, word};

pub static FIRST_HEX_DIGITS: Key =
    required("first_hex_digits", number(1, 32), "8", "How many of the 32 digits are taken.");

/// The digits as they are.
static DIGITS: Choice<SaltWrite> = Choice(&[word("hex", SaltWrite::Hex, "")]);

pub static MAP: Map = Map {
    about: "The first hex digits of an MD5: spreads evenly, computable from the row.",
    keys: &[&OF, &JOINED_BY, &FIRST_HEX_DIGITS, &WRITE, &THEN],
    cases: &[
        joined::WHOLE,
        KeyRule {
            when: &[KeyTest::Over(&FIRST_HEX_DIGITS, Numbers::MAX_NUMBER_DIGITS as i128)],
            beside: "more digits than a number of 8 bytes has",
            narrows: &[(&WRITE, ValueType::Words(&DIGITS))],
            ..KeyRule::NOTHING
        },
    ],
    misplaced: &[],
};

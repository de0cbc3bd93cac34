//! `modulo:`

use super::{THEN, WRITE};
use crate::schema::format::{Key, Map, Text, ValueType, number, required};

pub static OF: Key =
    required("of", ValueType::Text(Text::FieldName), "id", "The field, an `int` or a `bigint`.");
pub static BY: Key = required("by", number(1, i64::MAX), "20", "Divisor of the remainder.");

pub static MAP: Map = Map {
    about: "The remainder of a number, with Java's %: consecutive numbers go to consecutive salts.",
    keys: &[&OF, &BY, &WRITE, &THEN],
    cases: &[],
    misplaced: &[],
};

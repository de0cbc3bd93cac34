//! `random:`

use super::{THEN, WRITE};
use crate::schema::format::{Key, Map, Misplaced, number, required};

pub static BELOW: Key =
    required("below", number(1, u32::MAX as i64), "100", "How many salts there are, from 0 on.");

pub static MAP: Map = Map {
    about: "A random number: cannot be computed, so every query reads all salts.",
    keys: &[&BELOW, &WRITE, &THEN],
    cases: &[],
    misplaced: &[Misplaced {
        name: "of",
        message: "a random salt is computed from nothing",
        label: "has no meaning here",
        help: "remove `of`, or use `md5`, `java_hash` or `modulo`",
    }],
};

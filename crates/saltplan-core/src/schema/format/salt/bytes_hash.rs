//! `bytes_hash:`

use super::hash_code::{self, ABS, MASK, MODULO};
use super::joined::{self, JOINED_BY, OF};
use super::{THEN, WRITE};
use crate::schema::format::Map;

pub static MAP: Map = Map {
    about: "Java's Arrays.hashCode of bytes, then a mask or a remainder: the salt of Apache Phoenix.",
    keys: &[&OF, &JOINED_BY, &MASK, &MODULO, &ABS, &WRITE, &THEN],
    cases: &[
        joined::WHOLE,
        hash_code::ONE_OF_TWO,
        hash_code::MASKED,
        hash_code::DIVIDED,
        hash_code::NOT_MASKED,
    ],
    misplaced: &[],
};

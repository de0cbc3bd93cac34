//! `java_hash:`

use super::hash_code::{self, ABS, MASK, MODULO};
use super::{INPUTS, THEN, WRITE};
use crate::key::salt::Combine;
use crate::schema::format::{Choice, Key, Map, ValueType, default, required, word};

pub static COMBINES: Choice<Combine> = Choice(&[
    word("concat", Combine::Concat, "the hash of the joined text"),
    word("xor", Combine::Xor, "the exclusive or of their hashes"),
]);

pub static OF: Key =
    required("of", ValueType::List(&INPUTS), "[a, b]", "The fields, or parts of them, in order.");
pub static COMBINE: Key =
    default("combine", ValueType::Words(&COMBINES), "concat", "How several inputs become one hash.");

pub static MAP: Map = Map {
    about: "Java's String.hashCode, then a mask or a remainder.",
    keys: &[&OF, &COMBINE, &MASK, &MODULO, &ABS, &WRITE, &THEN],
    cases: &[hash_code::ONE_OF_TWO, hash_code::MASKED, hash_code::DIVIDED, hash_code::NOT_MASKED],
    misplaced: &[],
};

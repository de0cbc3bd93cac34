//! `key:`

use super::field;
use crate::document::format::{Key, List, Map, Text, ValueType, default, optional, required};
use crate::key::salt::file as salt;

pub static SALT: Key = optional("salt", ValueType::Forms(&salt::SALT), "{ md5: { … } }", "");
pub static SEPARATOR: Key = default(
    "separator",
    ValueType::Text(Text::Bytes),
    "''",
    "Separator between all parts; `then` of a part overrides it. `\\xNN` is a byte.",
);
pub static FIELDS: Key = required(
    "fields",
    ValueType::List(&List { item: ValueType::Map(&field::FIELD), least: 1, most: 64, unique: false }),
    "[{ name: …, type: … }]",
    "The fields in key order.",
);

pub static KEY: Map = Map {
    about: "The row key: the salt, then the stored fields, with separators between them.",
    keys: &[&SALT, &SEPARATOR, &FIELDS],
    cases: &[],
    misplaced: &[],
};

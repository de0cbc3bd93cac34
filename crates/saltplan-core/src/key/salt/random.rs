//! A random number.

use super::Scheme;
use super::file::KeyFields;
use super::file::write::{THEN, WRITE};
use super::numbers::Numbers;
use super::reducer::Reducer;
use crate::key::field::{Field, FieldVec};
use saltplan_document::format::{Key, Map, Misplaced, form, number, required};
use saltplan_document::reader::{Fields, Reader};

/// A number in `0..below` that cannot be computed from the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomSalt {
    pub below: u64,
}

impl Scheme for RandomSalt {
    fn key(&self) -> &'static Key {
        &KEY
    }

    fn numbers(&self, _fields: &FieldVec<Field>) -> Numbers {
        Numbers::run(0..=i128::from(self.below) - 1)
    }

    fn reducer(&self) -> Reducer {
        Reducer::Below(self.below)
    }

    fn is_computable(&self) -> bool {
        false
    }
}

/// The key in a schema file.
pub static KEY: Key = form("random", &MAP, "{ below: 100, write: { decimal: 2 } }");

pub static BELOW: Key = required("below", number(1, u32::MAX as i64), "100", "Number of salts, from 0 on.");

pub static MAP: Map = Map {
    about: "A random number: it cannot be computed from the row, so every query reads all salts.",
    keys: &[&BELOW, &WRITE, &THEN],
    cases: &[],
    misplaced: &[Misplaced {
        name: "of",
        message: "a random salt has no inputs",
        label: "has no meaning here",
        help: "remove `of`, or use `md5`, `java_hash` or `modulo`",
    }],
};

pub(super) fn read(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    _key: &KeyFields<'_>,
) -> Option<RandomSalt> {
    Some(RandomSalt { below: fields.required(reader, &BELOW, |reader, value| value.number(reader))? })
}

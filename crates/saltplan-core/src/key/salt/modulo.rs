//! The remainder of a number.

use super::Scheme;
use super::file::KeyFields;
use super::file::write::{THEN, WRITE};
use super::input::SaltInput;
use super::numbers::{Number, Numbers};
use super::reducer::Reducer;
use super::spread::PLUS;
use crate::key::codec::Value;
use crate::key::field::{Field, FieldId, FieldKind, FieldVec};
use saltplan_document::format::{Key, Map, Text, ValueType, form, number, required};
use saltplan_document::reader::{Fields, FromFile, Reader};

/// Java's `%` of an integer field, which keeps the sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModuloSalt {
    pub field: FieldId,
    pub by: i64,
}

impl Scheme for ModuloSalt {
    fn key(&self) -> &'static Key {
        &KEY
    }

    fn inputs(&self, _fields: &FieldVec<Field>) -> Vec<SaltInput> {
        vec![SaltInput::whole(self.field)]
    }

    fn number(&self, fields: &FieldVec<Field>, inputs: &mut dyn Iterator<Item = &[u8]>) -> Option<Number> {
        match fields.get(self.field)?.kind.decode(inputs.next()?).ok()? {
            Value::Number(number) => self.number_of_input(number),
            Value::Text(_) => None,
        }
    }

    fn number_of_input(&self, input: i64) -> Option<Number> {
        input.checked_rem(self.by).map(|rest| Number::Plain(rest.into()))
    }

    fn numbers(&self, fields: &FieldVec<Field>) -> Numbers {
        let greatest = i128::from(self.by.unsigned_abs()) - 1;
        let domain = fields.get(self.field).and_then(|field| field.kind.domain());
        let numbers = Numbers::run(0..=greatest);
        if domain.is_some_and(|domain| domain.start >= 0) || greatest < 1 {
            return numbers;
        }
        numbers.and_rare(-greatest..=-1)
    }

    fn reducer(&self) -> Reducer {
        Reducer::Remainder { by: self.by }
    }
}

/// The key in a schema file.
pub static KEY: Key = form("modulo", &MAP, "{ of: id, by: 20, write: be64 }");

pub static OF: Key =
    required("of", ValueType::Text(Text::FieldName), "id", "The field, an `int` or a `bigint`.");
pub static BY: Key = required("by", number(1, i64::MAX), "20", "Divisor of the remainder.");

pub static MAP: Map = Map {
    about: "The remainder of a number (Java's `%`): consecutive numbers get consecutive salts.",
    keys: &[&OF, &BY, &PLUS, &WRITE, &THEN],
    cases: &[],
    misplaced: &[],
};

pub(super) fn read(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<ModuloSalt> {
    let of = fields.required(reader, &OF, |reader, value| {
        if value.is_list() || value.is_mapping() {
            return value.mismatch(reader, "the name of one field", "write `of: id`");
        }
        let name = value.text(reader)?;
        let index = key.names.resolve(reader, &name)?;
        let (field, declared) = key.declared(index);
        if !matches!(field.kind, FieldKind::Integer(_)) {
            let fault =
                reader.fault(name.span, format!("`{}` is not an integer", field.name), "has no remainder");
            let fault = fault.with_label(declared, "declared here");
            return reader.rejected(fault.with_help("use an `int` or `bigint` field, or a `java_hash` salt"));
        }
        Some(index)
    });
    let by = fields.required(reader, &BY, i64::from_file);
    Some(ModuloSalt { field: of?, by: by? })
}

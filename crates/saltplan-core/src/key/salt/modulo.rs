//! The remainder of a number.

use super::Scheme;
use super::input::SaltInput;
use super::numbers::{Number, Numbers};
use super::reduction::Reduction;
use crate::key::codec::Value;
use crate::key::field::{Field, FieldId, FieldVec};

/// Java's `%` of an integer field: keeps the sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModuloSalt {
    pub field: FieldId,
    pub by: i64,
}

impl Scheme for ModuloSalt {
    const NAME: &'static str = "modulo";

    fn inputs(&self, _fields: &FieldVec<Field>) -> Vec<SaltInput> {
        vec![SaltInput::whole(self.field)]
    }

    fn number<'i>(
        &self,
        fields: &FieldVec<Field>,
        mut inputs: impl Iterator<Item = &'i [u8]> + Clone,
    ) -> Option<Number> {
        match fields.get(self.field)?.kind.decode(inputs.next()?).ok()? {
            Value::Number(number) => number.checked_rem(self.by).map(|rest| Number::Plain(rest.into())),
            Value::Text(_) => None,
        }
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

    fn reduction(&self) -> Reduction {
        Reduction::Remainder { by: self.by }
    }
}

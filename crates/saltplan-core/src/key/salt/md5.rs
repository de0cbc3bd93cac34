//! The first hex digits of an MD5.

use md5::{Digest, Md5};

use super::Scheme;
use super::input::{SaltInput, SaltInputs};
use super::numbers::{Number, Numbers};
use super::reduction::{Joint, Reduction};
use crate::key::field::{Field, FieldVec};

/// The first hex digits (1 to 32, lower case) of the MD5 of the inputs joined by `joined_by`.
#[derive(Debug, Clone, PartialEq)]
pub struct Md5Salt {
    pub of: SaltInputs,
    pub joined_by: Vec<u8>,
    pub first_hex_digits: usize,
}

/// Hex digits that are taken to tell the rows of any table apart: 64 bits.
const TELLING_DIGITS: usize = 16;

impl Scheme for Md5Salt {
    const NAME: &'static str = "md5";

    fn inputs(&self, fields: &FieldVec<Field>) -> Vec<SaltInput> {
        self.of.list(fields)
    }

    fn number<'i>(
        &self,
        fields: &FieldVec<Field>,
        inputs: impl Iterator<Item = &'i [u8]> + Clone,
    ) -> Option<Number> {
        let mut md5 = Md5::new();
        self.of.join(fields, &self.joined_by, inputs, |bytes| md5.update(bytes));
        let digest = u128::from_be_bytes(md5.finalize().into());
        let digits = self.first_hex_digits.min(32);
        Some(Number::Digits { value: digest.checked_shr(128 - 4 * digits as u32).unwrap_or(0), digits })
    }

    fn numbers(&self, _fields: &FieldVec<Field>) -> Numbers {
        Numbers::of_hex_digits(self.first_hex_digits)
    }

    fn reduction(&self) -> Reduction {
        Reduction::HexDigits(self.first_hex_digits)
    }

    fn joint(&self, fields: &FieldVec<Field>) -> Option<Joint> {
        self.of.joint(fields, &self.joined_by)
    }

    fn takes_whole_key(&self) -> bool {
        self.of == SaltInputs::Key
    }

    fn determines_inputs(&self, fields: &FieldVec<Field>) -> bool {
        let SaltInputs::List(inputs) = &self.of else { return false };
        let Some((_, before_last)) = inputs.split_last() else { return false };
        let ends_are_certain = |input: &SaltInput| {
            let Some(field) = fields.get(input.field) else { return false };
            let joined_by = &self.joined_by;
            field.kind.fixed_width().is_some()
                || (!joined_by.is_empty() && !field.kind.may_hold_part_of(joined_by))
        };
        self.first_hex_digits >= TELLING_DIGITS
            && inputs.iter().all(SaltInput::is_whole)
            && before_last.iter().all(ends_are_certain)
    }
}

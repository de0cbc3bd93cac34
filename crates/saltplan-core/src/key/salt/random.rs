//! A random number.

use super::Scheme;
use super::input::SaltInput;
use super::numbers::{Number, Numbers};
use super::reduction::Reduction;
use crate::key::field::{Field, FieldVec};

/// A number in `0..below` that nothing can recompute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomSalt {
    pub below: u64,
}

impl Scheme for RandomSalt {
    const NAME: &'static str = "random";

    fn inputs(&self, _fields: &FieldVec<Field>) -> Vec<SaltInput> {
        Vec::new()
    }

    fn number<'i>(
        &self,
        _fields: &FieldVec<Field>,
        _inputs: impl Iterator<Item = &'i [u8]> + Clone,
    ) -> Option<Number> {
        None
    }

    fn numbers(&self, _fields: &FieldVec<Field>) -> Numbers {
        Numbers::run(0..=i128::from(self.below) - 1)
    }

    fn reduction(&self) -> Reduction {
        Reduction::Below(self.below)
    }

    fn is_computable(&self) -> bool {
        false
    }
}

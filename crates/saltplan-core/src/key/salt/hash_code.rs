//! From a hash of 32 bits, as Java computes it, to the salt's number.

use super::numbers::Numbers;
use crate::key::java;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduce {
    Mask(i32),
    Modulo { by: i32, abs: Abs },
}

/// Where `Math.abs` stands: before the modulo it leaves `Integer.MIN_VALUE` negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abs {
    Before,
    After,
    None,
}

impl Reduce {
    pub(super) fn apply(self, hash: i32) -> i32 {
        match self {
            Reduce::Mask(mask) => hash & mask,
            Reduce::Modulo { by, abs: Abs::Before } => java::abs(hash).checked_rem(by).unwrap_or(0),
            Reduce::Modulo { by, abs: Abs::After } => java::abs(hash.checked_rem(by).unwrap_or(0)),
            Reduce::Modulo { by, abs: Abs::None } => hash.checked_rem(by).unwrap_or(0),
        }
    }

    /// Every number that the reduction can give.
    pub(super) fn numbers(self, hash_is_never_negative: bool) -> Numbers {
        let (by, abs) = match self {
            Reduce::Mask(mask) => return Numbers::masked(mask),
            Reduce::Modulo { by, abs } => (by, abs),
        };
        let greatest = i128::from(by.unsigned_abs()) - 1;
        if abs == Abs::None && !hash_is_never_negative {
            return Numbers::run(-greatest..=greatest);
        }
        let numbers = Numbers::run(0..=greatest);
        let of_min_value = i128::from(self.apply(i32::MIN));
        if of_min_value < 0 && !hash_is_never_negative {
            return numbers.and_rare(of_min_value..=of_min_value);
        }
        numbers
    }

    /// The key of the schema file that says it, and how, in words.
    pub(super) fn describe(self) -> (&'static str, String) {
        match self {
            Reduce::Mask(mask) => ("mask", format!("& 0x{mask:X}")),
            Reduce::Modulo { by, abs: Abs::Before } => ("modulo", format!("abs(hash) % {by}")),
            Reduce::Modulo { by, abs: Abs::After } => ("modulo", format!("abs(hash % {by})")),
            Reduce::Modulo { by, abs: Abs::None } => ("modulo", format!("hash % {by}")),
        }
    }
}

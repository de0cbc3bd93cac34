//! From a 32-bit hash, as Java computes it, to the salt's number.

use std::ops::RangeInclusive;

use super::numbers::Numbers;
use crate::key::java;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduce {
    Mask(i32),
    Modulo { by: i32, abs: Abs },
}

/// A 32-bit hash and its reduction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashCode {
    pub reduce: Reduce,
    /// The smallest and the greatest hash that rows can have.
    pub(super) hashes: RangeInclusive<i32>,
}

impl HashCode {
    /// Whether the hash of a row can be negative.
    pub fn is_signed(&self) -> bool {
        *self.hashes.start() < 0
    }

    /// Whether the hash of a row can be `Integer.MIN_VALUE`, which has no absolute value.
    pub fn reaches_min_value(&self) -> bool {
        *self.hashes.start() == i32::MIN
    }

    /// Every number that the reduction can give.
    pub(super) fn numbers(self) -> Numbers {
        let (by, abs) = match self.reduce {
            Reduce::Mask(mask) => return Numbers::masked(mask),
            Reduce::Modulo { by, abs } => (by, abs),
        };
        let greatest = i128::from(by.unsigned_abs()) - 1;
        if abs == Abs::None && self.is_signed() {
            return Numbers::run(-greatest..=greatest);
        }
        let numbers = Numbers::run(0..=greatest);
        let of_min_value = i128::from(self.reduce.apply(i32::MIN));
        if of_min_value < 0 && self.reaches_min_value() {
            return numbers.and_rare(of_min_value..=of_min_value);
        }
        numbers
    }
}

/// How the sign is removed: `Math.abs` before the modulo leaves `Integer.MIN_VALUE` negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abs {
    Before,
    After,
    /// The sign bit is masked before the modulo.
    Mask,
    None,
}

impl Reduce {
    pub(super) fn apply(self, hash: i32) -> i32 {
        match self {
            Reduce::Mask(mask) => hash & mask,
            Reduce::Modulo { by, abs: Abs::Before } => java::abs(hash).checked_rem(by).unwrap_or(0),
            Reduce::Modulo { by, abs: Abs::After } => java::abs(hash.checked_rem(by).unwrap_or(0)),
            Reduce::Modulo { by, abs: Abs::Mask } => (hash & i32::MAX).checked_rem(by).unwrap_or(0),
            Reduce::Modulo { by, abs: Abs::None } => hash.checked_rem(by).unwrap_or(0),
        }
    }
}

//! From a 32-bit hash, as Java computes it, to the salt's number.

use std::ops::RangeInclusive;

use super::numbers::Numbers;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduce {
    Mask(i32),
    Modulo { by: i32, abs: Abs },
}

/// A 32-bit hash and its reducer.
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

    /// Every number that the reducer can give.
    pub(super) fn numbers(self) -> Numbers {
        let hashes = i64::from(*self.hashes.start())..=i64::from(*self.hashes.end());
        match self.reduce {
            Reduce::Mask(mask) => Numbers::masked(mask),
            Reduce::Modulo { by, abs } => abs.remainders(hashes, by, i32::MIN.into()),
        }
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

impl Abs {
    /// The remainder that Java computes for an `int` or a `long`, whose smallest number is `least`.
    #[inline]
    pub fn remainder(self, number: i64, by: i32, least: i64) -> i64 {
        // `Math.abs` returns the smallest number unchanged.
        let absolute = |number: i64| if number == least { number } else { number.abs() };
        let rest = |number: i64| number.checked_rem(by.into()).unwrap_or(0);
        match self {
            Abs::Before => rest(absolute(number)),
            Abs::After => rest(number).abs(),
            Abs::Mask => rest(number & !least),
            Abs::None => rest(number),
        }
    }

    /// The remainders of all numbers of a range. `least` is the smallest number of Java's type, whose
    /// absolute value overflows.
    pub(super) fn remainders(self, numbers: RangeInclusive<i64>, by: i32, least: i64) -> Numbers {
        let greatest = i128::from(by.unsigned_abs()) - 1;
        if self == Abs::None && *numbers.start() < 0 {
            return Numbers::run(-greatest..=greatest);
        }
        let usual = Numbers::run(0..=greatest);
        let of_least = i128::from(self.remainder(least, by, least));
        if of_least < 0 && *numbers.start() == least { usual.and_rare(of_least..=of_least) } else { usual }
    }
}

impl Reduce {
    pub(super) fn apply(self, hash: i32) -> i32 {
        match self {
            Reduce::Mask(mask) => hash & mask,
            // Less than the divisor.
            Reduce::Modulo { by, abs } => abs.remainder(hash.into(), by, i32::MIN.into()) as i32,
        }
    }
}

//! The numbers that a scheme can give.

use std::ops::RangeInclusive;

/// The number of one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    Plain(i128),
    /// The leading hex digits of a digest, 1 to 32.
    Digits {
        value: u128,
        digits: usize,
    },
}

impl Number {
    /// The number by its value. Past 64 bits digits are no number, and the greatest stands for them.
    pub(super) fn plain(self) -> i128 {
        match self {
            Number::Plain(number) => number,
            Number::Digits { value, .. } => i128::from(u64::try_from(value).unwrap_or(u64::MAX)),
        }
    }
}

/// Every number that a scheme gives to the rows of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers {
    usual: Usual,
    /// Negative numbers beside them, which only negative values of a field or one hash in 2^32 lead to.
    rare: Option<RangeInclusive<i128>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Usual {
    /// Each number from the first to the last.
    Run(RangeInclusive<i128>),
    /// Each number that has no other bits.
    Masked(i32),
    /// Each text of this many hex digits.
    HexDigits(usize),
}

impl Numbers {
    /// Hex digits that make 8 bytes: the most that a salt can be as a number.
    pub(crate) const MAX_NUMBER_DIGITS: usize = 16;

    pub(super) fn run(numbers: RangeInclusive<i128>) -> Self {
        Numbers { usual: Usual::Run(numbers), rare: None }
    }

    pub(super) fn masked(mask: i32) -> Self {
        Numbers { usual: Usual::Masked(mask), rare: None }
    }

    pub(super) fn of_hex_digits(digits: usize) -> Self {
        Numbers { usual: Usual::HexDigits(digits), rare: None }
    }

    pub(super) fn and_rare(mut self, negative: RangeInclusive<i128>) -> Self {
        self.rare = Some(negative);
        self
    }

    /// The least and the greatest number, rare ones left out. `None` for digits of a digest that are no number.
    pub(crate) fn usual_range(&self) -> Option<RangeInclusive<i128>> {
        match &self.usual {
            Usual::Run(run) => Some(run.clone()),
            Usual::Masked(mask) if *mask < 0 => Some(i128::from(i32::MIN)..=i128::from(*mask & i32::MAX)),
            Usual::Masked(mask) => Some(0..=i128::from(*mask)),
            Usual::HexDigits(digits) if *digits <= Self::MAX_NUMBER_DIGITS => {
                Some(0..=(1 << (4 * digits)) - 1)
            }
            Usual::HexDigits(_) => None,
        }
    }

    /// The least and the greatest number. `None` for digits of a digest that are no number.
    pub fn range(&self) -> Option<RangeInclusive<i128>> {
        let usual = self.usual_range()?;
        let least = self.rare.as_ref().map_or(*usual.start(), |rare| *usual.start().min(rare.start()));
        Some(least..=*usual.end())
    }

    /// How many hex digits of a digest they are.
    pub fn hex_digits(&self) -> Option<usize> {
        match self.usual {
            Usual::HexDigits(digits) => Some(digits),
            Usual::Run(_) | Usual::Masked(_) => None,
        }
    }

    /// Whether one of them is negative.
    pub fn is_signed(&self) -> bool {
        self.range().is_some_and(|range| *range.start() < 0)
    }

    /// How many there are.
    pub fn count(&self) -> u128 {
        let usual = match &self.usual {
            Usual::Run(run) => length(run),
            Usual::Masked(mask) => 1 << mask.count_ones(),
            Usual::HexDigits(digits) => 1u128.checked_shl(4 * *digits as u32).unwrap_or(u128::MAX),
        };
        usual.saturating_add(self.rare.as_ref().map_or(0, length))
    }

    /// All of them, of which there should be few.
    pub(super) fn list(&self) -> Vec<Number> {
        let mut all: Vec<Number> = match &self.usual {
            Usual::Run(run) => run.clone().map(Number::Plain).collect(),
            Usual::Masked(mask) => submasks(*mask).map(|number| Number::Plain(number.into())).collect(),
            Usual::HexDigits(digits) => {
                (0..self.count()).map(|value| Number::Digits { value, digits: *digits }).collect()
            }
        };
        all.extend(self.rare.iter().cloned().flatten().map(Number::Plain));
        all
    }
}

fn length(run: &RangeInclusive<i128>) -> u128 {
    if run.is_empty() { 0 } else { run.end().abs_diff(*run.start()).saturating_add(1) }
}

fn submasks(mask: i32) -> impl Iterator<Item = i32> {
    std::iter::successors(Some(mask), move |&last| (last != 0).then(|| last.wrapping_sub(1) & mask))
}

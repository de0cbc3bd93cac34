//! The numbers that a scheme can give.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The number of one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    Plain(i128),
    Digits(Digits),
}

/// Hex digits of a digest, 1 to 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digits {
    /// The digits, from the high half of the first byte on, followed by zeros.
    packed: [u8; 32],
    count: usize,
}

impl Digits {
    /// `count` digits of a digest, starting at digit `first`, counted from 0.
    pub(super) fn of_bytes(digest: &[u8; 32], first: usize, count: usize) -> Self {
        let digit = |at: usize| {
            digest.get(at / 2).map_or(0, |byte| if at.is_multiple_of(2) { byte >> 4 } else { byte & 15 })
        };
        let mut packed = [0; 32];
        if first == 0 {
            let whole = (count / 2).min(32);
            packed[..whole].copy_from_slice(&digest[..whole]);
            if count % 2 == 1 && whole < 32 {
                packed[whole] = digest[whole] & 0xF0;
            }
        } else {
            for (place, byte) in packed.iter_mut().enumerate().take(count.div_ceil(2)) {
                let at = 2 * place;
                let low = if at + 1 < count { digit(first + at + 1) } else { 0 };
                *byte = digit(first + at) << 4 | low;
            }
        }
        Digits { packed, count }
    }

    /// The lowest `count` hex digits of a number, at most 32.
    pub(super) fn of_value(value: u128, count: usize) -> Self {
        let mut packed = [0; 32];
        let shift = 128u32.saturating_sub(4 * count as u32);
        packed[..16].copy_from_slice(&value.checked_shl(shift).unwrap_or(0).to_be_bytes());
        Digits { packed, count }
    }

    /// A text as the hex digits of its bytes; `None` if it has more than 32 bytes.
    pub(super) fn of_text(text: &[u8]) -> Option<Self> {
        let mut packed = [0; 32];
        packed.get_mut(..text.len())?.copy_from_slice(text);
        Some(Digits { packed, count: 2 * text.len() })
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The bytes that hold the digits, two per byte; an odd number of digits is followed by a 0.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.packed[..self.count.div_ceil(2).min(32)]
    }

    /// The digits as a number; for more than 16 digits, the greatest 64-bit number.
    fn number(&self) -> u64 {
        self.small_number().unwrap_or(u64::MAX)
    }

    /// The digits as a number; `None` for more than 16 digits.
    pub(super) fn small_number(&self) -> Option<u64> {
        if self.count > Numbers::MAX_NUMBER_DIGITS {
            return None;
        }
        let mut word = [0; 8];
        word.copy_from_slice(&self.packed[..8]);
        Some(u64::from_be_bytes(word).checked_shr(64 - 4 * self.count as u32).unwrap_or(0))
    }
}

impl Number {
    /// The numeric value. Digits beyond 64 bits saturate to the greatest number.
    pub(super) fn plain(self) -> i128 {
        match self {
            Number::Plain(number) => number,
            Number::Digits(digits) => digits.number().into(),
        }
    }
}

/// All numbers that a scheme gives to the rows of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers {
    usual: Usual,
    /// Additional negative numbers, which only occur for negative field values or for one hash in 2^32.
    rare: Option<RangeInclusive<i128>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Usual {
    /// Every number from the first to the last.
    Run(RangeInclusive<i128>),
    /// Every number that only has these bits. A negative mask is one of 32 bits.
    Masked(i64),
    /// Some numbers, ascending.
    Some(Vec<i128>),
    /// Every text with this many hex digits.
    HexDigits(usize),
    /// Some texts.
    Listed(Vec<Digits>),
    /// More texts than are listed. `width` is in bytes, if all have the same width.
    Many { count: u128, width: Option<usize> },
}

impl Numbers {
    /// The number of hex digits in 8 bytes, the largest salt that can be stored as a number.
    pub(crate) const MAX_NUMBER_DIGITS: usize = 16;

    /// Larger sets of salts are counted, not listed.
    pub(super) const MAX_LISTED: usize = 65_536;

    pub(super) fn run(numbers: RangeInclusive<i128>) -> Self {
        Numbers { usual: Usual::Run(numbers), rare: None }
    }

    pub(super) fn masked(mask: i64) -> Self {
        Numbers { usual: Usual::Masked(mask), rare: None }
    }

    /// The remainders of all numbers that only have the bits of a mask.
    pub(super) fn remainders_of_masked(mask: i64, by: i32) -> Self {
        let by = i64::from(by).abs().max(1);
        if mask < 0 {
            return Numbers::run(i128::from(1 - by)..=i128::from(by) - 1);
        }
        let greatest = mask.min(by - 1);
        // All numbers up to the mask, or so many that every remainder is taken to occur.
        let is_run = mask.trailing_ones() == 64 - mask.leading_zeros();
        if is_run || mask.count_ones() > Self::MAX_LISTED.ilog2() {
            return Numbers::run(0..=i128::from(greatest));
        }
        let rests: BTreeSet<i128> = submasks(mask).map(|number| i128::from(number % by)).collect();
        Numbers { usual: Usual::Some(rests.into_iter().collect()), rare: None }
    }

    pub(super) fn of_hex_digits(digits: usize) -> Self {
        Numbers { usual: Usual::HexDigits(digits), rare: None }
    }

    pub(super) fn listed(texts: Vec<Digits>) -> Self {
        Numbers { usual: Usual::Listed(texts), rare: None }
    }

    /// Every text of these characters whose length is in a range. If all have the same length, they are
    /// assumed to be ASCII.
    pub(super) fn of_texts(alphabet: &[char], lengths: RangeInclusive<usize>) -> Self {
        let of_length = |length: usize| (alphabet.len() as u128).saturating_pow(length as u32);
        let count = lengths.clone().map(of_length).fold(0, u128::saturating_add);
        if count > Self::MAX_LISTED as u128 {
            let width = Some(*lengths.end()).filter(|_| lengths.start() == lengths.end());
            return Numbers { usual: Usual::Many { count, width }, rare: None };
        }
        let mut texts = Vec::new();
        let mut of_this_length = vec![String::new()];
        for length in 0..=*lengths.end() {
            if length > 0 {
                let longer =
                    |text: &String| alphabet.iter().map(|c| format!("{text}{c}")).collect::<Vec<_>>();
                of_this_length = of_this_length.iter().flat_map(longer).collect();
            }
            if lengths.contains(&length) {
                texts.extend(of_this_length.iter().filter_map(|text| Digits::of_text(text.as_bytes())));
            }
        }
        Self::listed(texts)
    }

    pub(super) fn and_rare(mut self, negative: RangeInclusive<i128>) -> Self {
        self.rare = Some(negative);
        self
    }

    /// The smallest and the greatest number, without rare ones. `None` for digits that are not a number.
    pub(crate) fn usual_range(&self) -> Option<RangeInclusive<i128>> {
        match &self.usual {
            Usual::Run(run) => Some(run.clone()),
            Usual::Masked(mask) if *mask < 0 => {
                Some(i128::from(i32::MIN)..=i128::from(*mask & i64::from(i32::MAX)))
            }
            Usual::Masked(mask) => Some(0..=i128::from(*mask)),
            Usual::HexDigits(digits) if *digits <= Self::MAX_NUMBER_DIGITS => {
                Some(0..=(1 << (4 * digits)) - 1)
            }
            Usual::Some(numbers) => Some(*numbers.first()?..=*numbers.last()?),
            Usual::HexDigits(_) | Usual::Listed(_) | Usual::Many { .. } => None,
        }
    }

    /// The smallest and the greatest number. `None` for digits that are not a number.
    pub fn range(&self) -> Option<RangeInclusive<i128>> {
        let usual = self.usual_range()?;
        let least = self.rare.as_ref().map_or(*usual.start(), |rare| *usual.start().min(rare.start()));
        Some(least..=*usual.end())
    }

    /// The number of hex digits, for digits of a digest.
    pub fn hex_digits(&self) -> Option<usize> {
        match self.usual {
            Usual::HexDigits(digits) => Some(digits),
            Usual::Run(_) | Usual::Masked(_) | Usual::Some(_) | Usual::Listed(_) | Usual::Many { .. } => None,
        }
    }

    /// The width of the texts in bytes, if they are too many to list and have the same width.
    pub(super) fn width_of_many_texts(&self) -> Option<usize> {
        match self.usual {
            Usual::Many { width, .. } => width,
            Usual::Run(_) | Usual::Masked(_) | Usual::Some(_) | Usual::HexDigits(_) | Usual::Listed(_) => {
                None
            }
        }
    }

    /// Whether any number is negative.
    pub fn is_signed(&self) -> bool {
        self.range().is_some_and(|range| *range.start() < 0)
    }

    /// How many numbers there are.
    pub fn count(&self) -> u128 {
        let usual = match &self.usual {
            Usual::Run(run) => length(run),
            Usual::Masked(mask) if *mask < 0 => 1 << (*mask as u32).count_ones(),
            Usual::Masked(mask) => 1 << mask.count_ones(),
            Usual::Some(numbers) => numbers.len() as u128,
            Usual::HexDigits(digits) => 1u128.checked_shl(4 * *digits as u32).unwrap_or(u128::MAX),
            Usual::Listed(texts) => texts.len() as u128,
            Usual::Many { count, .. } => *count,
        };
        usual.saturating_add(self.rare.as_ref().map_or(0, length))
    }

    /// All numbers; only for small sets.
    pub(super) fn list(&self) -> Vec<Number> {
        let mut all: Vec<Number> = match &self.usual {
            Usual::Run(run) => run.clone().map(Number::Plain).collect(),
            Usual::Masked(mask) => submasks(*mask).map(|number| Number::Plain(number.into())).collect(),
            Usual::Some(numbers) => numbers.iter().copied().map(Number::Plain).collect(),
            Usual::HexDigits(digits) => {
                (0..self.count()).map(|value| Number::Digits(Digits::of_value(value, *digits))).collect()
            }
            Usual::Listed(texts) => texts.iter().copied().map(Number::Digits).collect(),
            Usual::Many { .. } => Vec::new(),
        };
        all.extend(self.rare.iter().cloned().flatten().map(Number::Plain));
        all
    }
}

fn length(run: &RangeInclusive<i128>) -> u128 {
    if run.is_empty() { 0 } else { run.end().abs_diff(*run.start()).saturating_add(1) }
}

fn submasks(mask: i64) -> impl Iterator<Item = i64> {
    let is_of_32_bits = mask < 0;
    let bits = if is_of_32_bits { i64::from(mask as u32) } else { mask };
    let all = std::iter::successors(Some(bits), move |&last| (last != 0).then(|| (last - 1) & bits));
    all.map(move |number| if is_of_32_bits { i64::from(number as i32) } else { number })
}

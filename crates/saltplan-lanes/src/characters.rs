//! Characters of one-byte alphabets.

use crate::digits::draw;
use crate::{Divisor31, NumberColumn, ROWS, WordColumn};

/// The maximum number of ranges of neighbouring characters in an alphabet.
const MAX_RUNS: usize = 8;

/// An alphabet of at most 128 characters in a few ranges of neighbours.
#[derive(Debug, Clone)]
pub struct Characters {
    base: Divisor31,
    /// `2^21 / base`, rounded up: exact for quotients of numbers below `base^2`.
    magic: u32,
    /// `character = digit + first`, plus the second of every pair whose first is at most the digit.
    first: u32,
    jumps: Vec<(u32, u32)>,
}

impl Characters {
    /// `None` if there are no characters, non-ASCII characters, or too many ranges.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let first = u32::from(*bytes.first()?);
        let jump = |(index, pair): (usize, &[u8])| match pair {
            [left, right] if *right != left.wrapping_add(1) => {
                Some((index as u32 + 1, u32::from(*right).wrapping_sub(u32::from(*left) + 1)))
            }
            _ => None,
        };
        let jumps: Vec<(u32, u32)> = bytes.windows(2).enumerate().filter_map(jump).collect();
        let is_ascii = bytes.len() <= 128 && bytes.is_ascii();
        (is_ascii && jumps.len() < MAX_RUNS).then_some(())?;
        let base = bytes.len() as u32;
        Some(Characters { base: Divisor31::new(base)?, magic: (1u32 << 21).div_ceil(base), first, jumps })
    }

    /// The number of characters.
    #[must_use]
    pub fn base(&self) -> u32 {
        self.base.number()
    }
}

#[inline(always)]
pub(crate) fn draw_characters(
    alphabet: &Characters,
    count: u32,
    fractions: &mut NumberColumn,
    words: &mut WordColumn,
) {
    draw_pair(alphabet, count.min(2), fractions, words);
    if count > 2 {
        let mut pair = [0; ROWS];
        draw_pair(alphabet, count - 2, fractions, &mut pair);
        for (word, pair) in words.iter_mut().zip(&pair) {
            *word |= pair << 16;
        }
    }
    write_characters(alphabet, count, words);
}

/// The next digits, one per byte, the first one in the lowest byte.
#[inline(always)]
fn draw_pair(alphabet: &Characters, count: u32, fractions: &mut NumberColumn, pair: &mut WordColumn) {
    let (base, magic) = (alphabet.base(), alphabet.magic);
    draw(base.pow(count), fractions, pair);
    if count == 2 {
        for slot in pair {
            let high = (*slot * magic) >> 21;
            *slot = high | ((*slot - high * base) << 8);
        }
    }
}

#[inline(always)]
fn write_characters(alphabet: &Characters, count: u32, words: &mut WordColumn) {
    const EACH: u32 = 0x0101_0101;
    let mask = u32::MAX >> (8 * (4 - count));
    let first = EACH * alphabet.first;
    // Letters and digits have at most two ranges more; their offsets are added in one step.
    let jump =
        |index: usize| alphabet.jumps.get(index).map_or((0, 0), |(from, jump)| ((128 - from) * EACH, *jump));
    let (one, two) = (jump(0), jump(1));
    let more = alphabet.jumps.get(2..).unwrap_or(&[]);
    if more.is_empty() {
        for word in words {
            *word = with_jumps(*word, first, [one, two]) & mask;
        }
        return;
    }
    let mut sums = [0; ROWS];
    for (sum, digits) in sums.iter_mut().zip(words.iter()) {
        *sum = with_jumps(*digits, first, [one, two]);
    }
    for (from, jump) in more {
        for (sum, digits) in sums.iter_mut().zip(words.iter()) {
            *sum = sum.wrapping_add(reached(*digits, (128 - from) * EACH).wrapping_mul(*jump));
        }
    }
    for (word, sum) in words.iter_mut().zip(&sums) {
        *word = sum & mask;
    }
}

#[inline(always)]
fn with_jumps(digits: u32, first: u32, [one, two]: [(u32, u32); 2]) -> u32 {
    digits
        .wrapping_add(first)
        .wrapping_add(reached(digits, one.0).wrapping_mul(one.1))
        .wrapping_add(reached(digits, two.0).wrapping_mul(two.1))
}

/// 1 in every byte whose digit is at least 128 minus the byte of `threshold`.
#[inline(always)]
fn reached(digits: u32, threshold: u32) -> u32 {
    ((digits + threshold) >> 7) & 0x0101_0101
}

#[inline(always)]
pub(crate) fn next_character(
    alphabet: &Characters,
    shift: u32,
    numbers: &mut WordColumn,
    words: &mut WordColumn,
) {
    let mut digits = [0; ROWS];
    for ((number, digit), word) in numbers.iter_mut().zip(&mut digits).zip(words.iter_mut()) {
        let (quotient, remainder) = alphabet.base.divide(*number);
        *number = quotient;
        *digit = remainder;
        *word |= remainder.wrapping_add(alphabet.first) << shift;
    }
    for (from, jump) in &alphabet.jumps {
        for (word, digit) in words.iter_mut().zip(&digits) {
            let jump = if digit >= from { *jump } else { 0 };
            *word = word.wrapping_add(jump << shift);
        }
    }
}

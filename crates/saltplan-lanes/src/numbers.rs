//! 64-bit numbers.

use crate::random;
use crate::{Divisor, NumberColumn, WordColumn};

#[inline(always)]
pub(crate) fn count_up(first: u64, step: u64, numbers: &mut NumberColumn) {
    for (place, slot) in numbers.iter_mut().enumerate() {
        *slot = first.wrapping_add(step.wrapping_mul(place as u64));
    }
}

#[inline(always)]
pub(crate) fn random_bits(key: u64, first: u64, numbers: &mut NumberColumn) {
    for (place, slot) in numbers.iter_mut().enumerate() {
        *slot = random::bits(key, first.wrapping_add(place as u64));
    }
}

#[inline(always)]
pub(crate) fn random_below(key: u64, first: u64, low: u64, count: u64, numbers: &mut NumberColumn) {
    for (place, slot) in numbers.iter_mut().enumerate() {
        let bits = random::bits(key, first.wrapping_add(place as u64));
        *slot = low.wrapping_add(random::below(bits, count));
    }
}

/// Numbers `floor(start + place * (whole + part / rows))`, computed eight at a time.
#[derive(Debug, Clone, Copy)]
pub struct Advance {
    /// The first eight numbers.
    pub now: [u64; Advance::STEPS],
    /// The remainder of each, in fractions of a row: below `rows`.
    pub rest: [u64; Advance::STEPS],
    /// Eight rows later, a number is greater by `whole + part / rows`.
    pub whole: u64,
    pub part: u64,
    pub rows: u64,
}

impl Advance {
    /// The number of numbers that are computed together.
    pub const STEPS: usize = 8;
}

#[inline(always)]
pub(crate) fn advance(by: &Advance, numbers: &mut NumberColumn) {
    let Advance { mut now, mut rest, whole, part, rows } = *by;
    for slots in numbers.chunks_exact_mut(Advance::STEPS) {
        for ((slot, now), rest) in slots.iter_mut().zip(&mut now).zip(&mut rest) {
            *slot = *now;
            // No overflow: both are below `rows`.
            let room = rows - *rest;
            let carry = part >= room;
            *rest = if carry { part - room } else { *rest + part };
            *now = now.wrapping_add(whole).wrapping_add(u64::from(carry));
        }
    }
}

#[inline(always)]
pub(crate) fn subtract_from(from: u64, numbers: &mut NumberColumn) {
    for number in numbers {
        *number = from.wrapping_sub(*number);
    }
}

#[inline(always)]
pub(crate) fn split_once(
    by: Divisor,
    offset: u64,
    numbers: &NumberColumn,
    rests: &mut WordColumn,
) -> Option<u64> {
    let (quotient, _) = by.divide(numbers[0].wrapping_add(offset));
    let start = quotient.wrapping_mul(by.number()).wrapping_sub(offset);
    let outside = |number: &u64| u64::from(number.wrapping_sub(start) >= by.number());
    if numbers.iter().fold(0, |any, number| any | outside(number)) != 0 {
        return None;
    }
    for (number, rest) in numbers.iter().zip(rests) {
        *rest = number.wrapping_sub(start) as u32;
    }
    Some(quotient)
}

#[inline(always)]
pub(crate) fn split(by: Divisor, offset: u64, numbers: &mut NumberColumn, rests: &mut WordColumn) {
    for (number, rest) in numbers.iter_mut().zip(rests) {
        let (quotient, remainder) = by.divide(number.wrapping_add(offset));
        *number = quotient;
        *rest = remainder as u32;
    }
}

#[inline(always)]
pub(crate) fn remainders(by: Divisor, numbers: &NumberColumn, rests: &mut WordColumn) {
    for (rest, number) in rests.iter_mut().zip(numbers) {
        *rest = by.divide(*number).1 as u32;
    }
}

#[inline(always)]
pub(crate) fn low_words(numbers: &NumberColumn, words: &mut WordColumn) {
    for (word, number) in words.iter_mut().zip(numbers) {
        *word = *number as u32;
    }
}

#[inline(always)]
pub(crate) fn big_endian(inverted: u64, shift: u32, numbers: &NumberColumn, words: &mut WordColumn) {
    for (word, number) in words.iter_mut().zip(numbers) {
        *word = (((number ^ inverted) >> shift) as u32).swap_bytes();
    }
}

#[inline(always)]
pub(crate) fn add_reached(
    [ones, addend]: [u64; 2],
    starts: &[u64],
    unit: u32,
    numbers: &NumberColumn,
    sums: &mut WordColumn,
) {
    for start in starts {
        for (sum, number) in sums.iter_mut().zip(numbers) {
            let reached = (number ^ ones).wrapping_add(addend) >= *start;
            *sum += if reached { unit } else { 0 };
        }
    }
}

#[inline(always)]
pub(crate) fn look_up_remainders(table: &[u32], by: Divisor, numbers: &NumberColumn, words: &mut WordColumn) {
    for (word, number) in words.iter_mut().zip(numbers) {
        *word = table.get(by.divide(*number).1 as usize).copied().unwrap_or(0);
    }
}

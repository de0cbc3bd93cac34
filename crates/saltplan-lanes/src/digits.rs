//! Decimal and hex digits.

use crate::{Divisor31, NumberColumn, ROWS, WordColumn};

/// The four decimal digits of a number below 10,000 as text.
#[inline(always)]
#[must_use]
pub fn four_digits_of(number: u32) -> u32 {
    let hundreds = (number * 5243) >> 19;
    let pairs = hundreds | ((number - 100 * hundreds) << 16);
    let tens = ((pairs * 103) >> 10) & 0x000f_000f;
    (tens | ((pairs - 10 * tens) << 8)) + 0x3030_3030
}

/// Two decimal digits as text, from a number below 100.
#[inline(always)]
#[must_use]
pub fn two_digits_of(number: u32) -> u32 {
    let tens = (number * 103) >> 10;
    (tens | ((number - 10 * tens) << 8)) + 0x3030
}

/// Four lower-case hex digits of two bytes: the lowest byte first, its high half first.
#[inline(always)]
fn four_hex_digits_of(bytes: u32) -> u32 {
    let (first, second) = (bytes & 0xff, (bytes >> 8) & 0xff);
    let nibbles = (first >> 4) | ((first & 15) << 8) | ((second >> 4) << 16) | ((second & 15) << 24);
    let letters = ((nibbles + 0x0606_0606) >> 4) & 0x0101_0101;
    nibbles + 0x3030_3030 + letters * 39
}

/// Converts numbers below 10,000 to their four decimal digits, without the first `shift / 8`.
#[inline(always)]
pub(crate) fn to_four_digits(words: &mut WordColumn, shift: u32) {
    for word in words.iter_mut() {
        // With fourteen bits the compiler uses 16-bit multiplication, a single instruction in every
        // instruction set.
        let number = *word & 0x3fff;
        let hundreds = (number * 5243) >> 19;
        *word = hundreds | ((number - 100 * hundreds) << 16);
    }
    // SAFETY: a word consists of two halves, for which any bits are valid and whose alignment is smaller.
    let halves = unsafe { &mut *std::ptr::from_mut(words).cast::<[[u16; 2]; ROWS]>() };
    for half in halves.as_flattened_mut() {
        // `tens | (half - 10 * tens) << 8`, with one multiplication.
        let tens = ((u32::from(*half) * 6554) >> 16) as u16;
        *half = (*half << 8).wrapping_add(tens.wrapping_mul(1u16.wrapping_sub(2560))) + 0x3030;
    }
    if shift > 0 {
        for word in words {
            *word >>= shift;
        }
    }
}

#[inline(always)]
pub(crate) fn four_digits(numbers: &WordColumn, shift: u32, words: &mut WordColumn) {
    *words = *numbers;
    to_four_digits(words, shift);
}

#[inline(always)]
pub(crate) fn eight_digits(numbers: &WordColumn, shift: u32, last: &mut WordColumn, first: &mut WordColumn) {
    for ((last, first), number) in last.iter_mut().zip(first.iter_mut()).zip(numbers) {
        *first = number / 10_000;
        *last = number - 10_000 * *first;
    }
    to_four_digits(last, 0);
    to_four_digits(first, shift);
}

#[inline(always)]
pub(crate) fn next_four_digits(numbers: &mut WordColumn, words: &mut WordColumn) {
    for (word, number) in words.iter_mut().zip(numbers) {
        let high = *number / 10_000;
        *word = *number - 10_000 * high;
        *number = high;
    }
    to_four_digits(words, 0);
}

#[inline(always)]
pub(crate) fn hex_digits(numbers: &WordColumn, shift: u32, mask: u32, words: &mut WordColumn) {
    for (word, number) in words.iter_mut().zip(numbers) {
        *word = four_hex_digits_of(number >> shift) & mask;
    }
}

/// Multiplies 64-bit fractions by `unit`: the integer parts, and the new fractions.
#[inline(always)]
pub(crate) fn draw(unit: u32, fractions: &mut NumberColumn, whole: &mut WordColumn) {
    let unit = u64::from(unit);
    for (fraction, whole) in fractions.iter_mut().zip(whole) {
        let low = (*fraction & 0xffff_ffff) * unit;
        let high = (*fraction >> 32) * unit + (low >> 32);
        *whole = (high >> 32) as u32;
        *fraction = (high << 32) | (low & 0xffff_ffff);
    }
}

#[inline(always)]
pub(crate) fn draw_digits(count: u32, fractions: &mut NumberColumn, words: &mut WordColumn) {
    draw(10u32.pow(count), fractions, words);
    to_four_digits(words, 8 * (4 - count));
}

#[inline(always)]
pub(crate) fn draw_eight_digits(
    by: Divisor31,
    fractions: &mut NumberColumn,
    first: &mut WordColumn,
    last: &mut WordColumn,
) {
    draw(10_000 * by.number(), fractions, last);
    for (first, last) in first.iter_mut().zip(last.iter_mut()) {
        (*first, *last) = by.divide(*last);
    }
    to_four_digits(first, 0);
    to_four_digits(last, 8 * (4 - by.number().ilog10()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number() {
        for number in 0..10_000u32 {
            assert_eq!(four_digits_of(number).to_le_bytes(), *format!("{number:04}").as_bytes());
            let mut words = [number; ROWS];
            to_four_digits(&mut words, 0);
            assert_eq!(words, [four_digits_of(number); ROWS]);
            assert_eq!(
                two_digits_of(number % 100).to_le_bytes()[..2],
                *format!("{:02}", number % 100).as_bytes()
            );
        }
        for bytes in 0..=0xffffu32 {
            let [first, second, ..] = bytes.to_le_bytes();
            assert_eq!(
                four_hex_digits_of(bytes).to_le_bytes(),
                *format!("{first:02x}{second:02x}").as_bytes()
            );
        }
    }
}

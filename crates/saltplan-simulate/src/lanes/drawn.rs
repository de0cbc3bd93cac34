//! Random text, straight from the random bits.
//!
//! `floor(bits / 2^64 * base^width)`, as text of `width` digits, is the first digits of the fraction `bits / 2^64`: each
//! multiplication by a power of the base brings some digits before the point and leaves an exact fraction of 64 bits.

use super::columns::{Numbers, four_digits, or_bytes};
use super::{Column, ROWS};

/// Runs of neighbouring characters in an alphabet, at most.
const MAX_RUNS: usize = 8;

/// Characters of an alphabet by their digits, four at a time.
#[derive(Debug, Clone)]
pub struct Drawn {
    base: u32,
    /// `2^21 / base`, rounded up: exact for quotients of numbers below `base^2`.
    magic: u32,
    /// `character = digit + first`, plus the second of each pair whose first the digit reaches.
    first: u32,
    jumps: Vec<(u32, u32)>,
    is_decimal: bool,
    reverse: bool,
}

impl Drawn {
    /// `None` past ASCII, and for an alphabet in many pieces.
    pub fn new(bytes: &[u8], reverse: bool) -> Option<Self> {
        let first = u32::from(*bytes.first()?);
        let jump = |(index, pair): (usize, &[u8])| match pair {
            [left, right] if *right != left.wrapping_add(1) => {
                Some((index as u32 + 1, u32::from(*right).wrapping_sub(u32::from(*left) + 1)))
            }
            _ => None,
        };
        let jumps: Vec<(u32, u32)> = bytes.windows(2).enumerate().filter_map(jump).collect();
        let is_ascii = bytes.len() <= 128 && bytes.is_ascii();
        (is_ascii && jumps.len() <= MAX_RUNS).then(|| Drawn {
            base: bytes.len() as u32,
            magic: (1u32 << 21).div_ceil(bytes.len() as u32),
            first,
            jumps,
            is_decimal: bytes == b"0123456789",
            reverse,
        })
    }

    #[inline(always)]
    pub fn write(&self, width: usize, bits: &Numbers, text: &mut [Column]) {
        let mut rest = *bits;
        let mut packed = [0; ROWS];
        for done in (0..width).step_by(4) {
            let count = (width - done).min(4);
            if self.is_decimal {
                draw(10u32.pow(count as u32), &mut rest, &mut packed);
                let shift = 8 * (4 - count as u32);
                packed.iter_mut().for_each(|word| *word = four_digits(*word) >> shift);
            } else {
                self.draw_four(count, &mut rest, &mut packed);
                self.write_characters(count, &mut packed);
            }
            if self.reverse {
                let shift = 8 * (4 - count as u32);
                packed.iter_mut().for_each(|word| *word = word.swap_bytes() >> shift);
            }
            let at = if self.reverse { width - done - count } else { done };
            or_bytes(text, at, &packed, count);
        }
    }

    /// The next digits, one a byte, the first one lowest.
    #[inline(always)]
    fn draw_four(&self, count: usize, rest: &mut Numbers, packed: &mut Column) {
        let mut pair = [0; ROWS];
        self.draw_pair(count.min(2), rest, packed);
        if count > 2 {
            self.draw_pair(count - 2, rest, &mut pair);
            for (packed, pair) in packed.iter_mut().zip(&pair) {
                *packed |= pair << 16;
            }
        }
    }

    #[inline(always)]
    fn draw_pair(&self, count: usize, rest: &mut Numbers, pair: &mut Column) {
        if count == 1 {
            return draw(self.base, rest, pair);
        }
        let (base, magic) = (self.base, self.magic);
        draw(base * base, rest, pair);
        for slot in pair.iter_mut() {
            let high = (*slot * magic) >> 21;
            *slot = high | ((*slot - high * base) << 8);
        }
    }

    #[inline(always)]
    fn write_characters(&self, count: usize, packed: &mut Column) {
        const EACH: u32 = 0x0101_0101;
        let mask = u32::MAX >> (8 * (4 - count as u32));
        let first = EACH * self.first;
        // At most two jumps for letters and digits: those are added in one go.
        let jump =
            |index: usize| self.jumps.get(index).map_or((0, 0), |(from, jump)| ((128 - from) * EACH, *jump));
        let (one, two) = (jump(0), jump(1));
        let more = self.jumps.get(2..).unwrap_or(&[]);
        let mut sums = [0; ROWS];
        for (sum, digits) in sums.iter_mut().zip(packed.iter()) {
            *sum = digits
                .wrapping_add(first)
                .wrapping_add(reached(*digits, one.0).wrapping_mul(one.1))
                .wrapping_add(reached(*digits, two.0).wrapping_mul(two.1));
        }
        for (from, jump) in more {
            for (sum, digits) in sums.iter_mut().zip(packed.iter()) {
                *sum = sum.wrapping_add(reached(*digits, (128 - from) * EACH).wrapping_mul(*jump));
            }
        }
        for (packed, sum) in packed.iter_mut().zip(&sums) {
            *packed = sum & mask;
        }
    }
}

/// 1 in every byte whose digit is at least 128 less the byte of `threshold`.
#[inline(always)]
fn reached(digits: u32, threshold: u32) -> u32 {
    ((digits + threshold) >> 7) & 0x0101_0101
}

/// Multiplies fractions of 64 bits by `unit`: the whole parts, and the new fractions.
#[inline(always)]
fn draw(unit: u32, rest: &mut Numbers, whole: &mut Column) {
    let unit = u64::from(unit);
    for (rest, whole) in rest.iter_mut().zip(whole) {
        let low = (*rest & 0xffff_ffff) * unit;
        let high = (*rest >> 32) * unit + (low >> 32);
        *whole = (high >> 32) as u32;
        *rest = (high << 32) | (low & 0xffff_ffff);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;
    use crate::text::digits;

    #[test]
    fn texts_are_those_of_the_numbers() {
        let words: String = ('0'..='9').chain('A'..='Z').chain('a'..='z').collect();
        let every: String = (0..128u8).map(char::from).collect();
        let numbers: Numbers = std::array::from_fn(|row| match row {
            0 => 0,
            1 => u64::MAX,
            _ => random::bits(3, row as u64),
        });
        for alphabet in ["0123456789", "x", "ba", "acegikmoqs", &words, &every] {
            let chars: Vec<char> = alphabet.chars().collect();
            for (width, reverse) in (1..=6).flat_map(|width| [(width, false), (width, true)]) {
                let drawn = Drawn::new(alphabet.as_bytes(), reverse);
                let Some(drawn) = drawn else { continue };
                let mut text = vec![[0; ROWS]; 2];
                drawn.write(width, &numbers, &mut text);
                for (row, bits) in numbers.iter().enumerate() {
                    let count = (chars.len() as u64).pow(width as u32);
                    let mut expected = digits(&chars, width, random::below(*bits, count)).into_bytes();
                    if reverse {
                        expected.reverse();
                    }
                    expected.resize(8, 0);
                    let found: Vec<u8> = text.iter().flat_map(|column| column[row].to_le_bytes()).collect();
                    assert_eq!(found, expected, "{alphabet} {width} {reverse} {bits}");
                }
            }
        }
    }
}

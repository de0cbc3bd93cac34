//! Texts that count in the characters of an alphabet.

use super::columns::{Divisor31, Numbers, or_bytes};
use super::digits::{Limb, limbs, split_limb};
use super::{Column, ROWS};

/// Runs of neighbouring characters in an alphabet, at most.
const MAX_RUNS: usize = 8;

#[derive(Debug, Clone)]
pub struct Alphabet {
    limbs: Vec<Limb>,
    base: Divisor31,
    /// `character = digit + first`, plus the second of each pair whose first the digit reaches.
    first: u32,
    jumps: Vec<(u32, u32)>,
    reverse: bool,
}

impl Alphabet {
    pub fn new(bytes: &[u8], width: usize, reverse: bool) -> Option<Self> {
        let first = u32::from(*bytes.first()?);
        let jumps: Vec<(u32, u32)> = bytes
            .windows(2)
            .enumerate()
            .filter_map(|(index, pair)| {
                let jump = u32::from(pair[1]).wrapping_sub(u32::from(pair[0]) + 1);
                (jump != 0).then_some((index as u32 + 1, jump))
            })
            .collect();
        let base = bytes.len() as u64;
        let most =
            (1..=8).rev().find(|digits| base.checked_pow(*digits).is_some_and(|unit| unit < 1 << 31))?;
        (jumps.len() < MAX_RUNS).then_some(())?;
        Some(Alphabet {
            limbs: limbs(base, most as usize, width)?,
            base: Divisor31::new(base as u32)?,
            first,
            jumps,
            reverse,
        })
    }

    #[inline(always)]
    pub fn write(&self, width: usize, numbers: &Numbers, text: &mut [Column]) {
        let mut rest = *numbers;
        let mut low = [0; ROWS];
        let mut packed = [0; ROWS];
        let mut place = 0;
        for limb in &self.limbs {
            split_limb(limb, &mut rest, &mut low);
            for done in (0..limb.digits).step_by(4) {
                let count = (limb.digits - done).min(4);
                packed.fill(0);
                for digit in 0..count {
                    let shift = 8 * if self.reverse { digit } else { count - 1 - digit } as u32;
                    self.next_digit(&mut low, &mut packed, shift);
                }
                let at = if self.reverse { place } else { width - place - count };
                or_bytes(text, at, &packed, count);
                place += count;
            }
        }
    }

    /// Takes the lowest digit off and puts its character into the packed word.
    #[inline(always)]
    fn next_digit(&self, low: &mut Column, packed: &mut Column, shift: u32) {
        let mut digits = [0; ROWS];
        for (number, digit) in low.iter_mut().zip(&mut digits) {
            let (quotient, remainder) = self.base.divide(*number);
            *number = quotient;
            *digit = remainder;
        }
        for (packed, digit) in packed.iter_mut().zip(&digits) {
            *packed |= digit.wrapping_add(self.first) << shift;
        }
        for (from, jump) in &self.jumps {
            for (packed, digit) in packed.iter_mut().zip(&digits) {
                let jump = if digit >= from { *jump } else { 0 };
                *packed = packed.wrapping_add(jump << shift);
            }
        }
    }
}

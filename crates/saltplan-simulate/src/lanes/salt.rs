//! Salts of many rows side by side.

use super::columns::{Divisor, Divisor31, Numbers, four_digits, four_hex_digits, or_bytes};
use super::text::Text;
use super::{Column, ROWS};
use saltplan_core::schema::model::{Abs, Combine, Reduce, SaltWrite};

/// From a batch's fields to the numbers of its salts.
#[derive(Debug, Clone)]
pub enum Scheme {
    /// MD5 over a message; the number is made of the first `digits` hex digits.
    Md5 { message: Text, digits: usize },
    /// `String.hashCode` over one text (concatenated inputs) or several (their exclusive or).
    JavaHash { inputs: Vec<Text>, combine: Combine, reduce: Reducer },
    /// A track's number, or the remainder of one that is never negative.
    Number { track: usize, by: Option<Divisor> },
}

/// [`Reduce`] with its division prepared.
#[derive(Debug, Clone, Copy)]
pub struct Reducer {
    reduce: Reduce,
    by: Divisor31,
}

impl Reducer {
    pub fn new(reduce: Reduce) -> Option<Self> {
        let by = match reduce {
            Reduce::Mask(_) => 1,
            Reduce::Modulo { by, .. } => u32::try_from(by).ok()?,
        };
        Divisor31::new(by).map(|by| Reducer { reduce, by })
    }

    #[inline(always)]
    fn apply(&self, hashes: &mut Column) {
        match self.reduce {
            Reduce::Mask(mask) => {
                for hash in hashes.iter_mut() {
                    *hash &= mask as u32;
                }
            }
            Reduce::Modulo { abs: Abs::Before, .. } => self.divide(hashes, |number| number == i32::MIN),
            Reduce::Modulo { abs: Abs::After, .. } => self.divide(hashes, |_| false),
            Reduce::Modulo { abs: Abs::None, .. } => self.divide(hashes, |number| number < 0),
        }
    }

    /// Remainders of the absolute values, with a sign where `is_negative` says so; no branches, so that it vectorises.
    #[inline(always)]
    fn divide(&self, hashes: &mut Column, is_negative: impl Fn(i32) -> bool) {
        let by = self.by;
        for hash in hashes.iter_mut() {
            let number = *hash as i32;
            let (_, rest) = by.divide(number.unsigned_abs());
            let sign = u32::from(is_negative(number)).wrapping_neg();
            *hash = (rest ^ sign).wrapping_sub(sign);
        }
    }
}

/// Hash codes of a text of one-byte characters, going on from `hashes`.
#[inline(always)]
pub fn java_hash(words: &[Column], width: usize, hashes: &mut Column) {
    for (column, done) in words.iter().zip((0..width).step_by(4)) {
        if width - done >= 4 {
            for (hash, word) in hashes.iter_mut().zip(column) {
                // Two sums of two bytes at once: both stay below 2^16.
                let pairs = (word & 0x00ff_00ff) * 31 + ((word >> 8) & 0x00ff_00ff);
                let own = (pairs & 0xffff) * 961 + (pairs >> 16);
                *hash = hash.wrapping_mul(923_521).wrapping_add(own);
            }
        } else {
            for place in 0..(width - done) as u32 {
                for (hash, word) in hashes.iter_mut().zip(column) {
                    *hash = hash.wrapping_mul(31).wrapping_add((word >> (8 * place)) & 0xff);
                }
            }
        }
    }
}

impl Scheme {
    /// The salts' numbers (as `i32`) from the hash inputs; for MD5 those of the digests.
    #[inline(always)]
    pub fn numbers(
        &self,
        tracks: &[Numbers],
        parts: &[Vec<Column>],
        digest: &Column,
        scratch: &mut [Column],
        numbers: &mut Column,
    ) {
        match self {
            Scheme::Md5 { digits, .. } => {
                let shift = 32 - 4 * (*digits).min(8) as u32;
                for (number, word) in numbers.iter_mut().zip(digest) {
                    *number = word.swap_bytes() >> shift;
                }
            }
            Scheme::JavaHash { inputs, combine, reduce } => {
                numbers.fill(0);
                for input in inputs {
                    input.write(parts, scratch);
                    if *combine == Combine::Concat {
                        java_hash(scratch, input.width(), numbers);
                    } else {
                        let mut hashes = [0; ROWS];
                        java_hash(scratch, input.width(), &mut hashes);
                        for (number, hash) in numbers.iter_mut().zip(&hashes) {
                            *number ^= hash;
                        }
                    }
                }
                reduce.apply(numbers);
            }
            Scheme::Number { track, by } => {
                let Some(values) = tracks.get(*track) else { return };
                for (number, value) in numbers.iter_mut().zip(values) {
                    *number = by.map_or(*value, |by| by.divide(*value).1) as u32;
                }
            }
        }
    }
}

/// The bytes of a salt at the start of the key, `width` of them.
#[derive(Debug, Clone, Copy)]
pub struct Writer {
    pub write: SaltWrite,
    /// Hex digits of a digest are written as they are.
    pub is_digest: bool,
    pub width: usize,
}

impl Writer {
    #[inline(always)]
    pub fn write(&self, digests: &[Column; 4], numbers: &Column, key: &mut [Column]) {
        let mut low = [0; ROWS];
        match self.write {
            SaltWrite::Hex if self.is_digest => {
                for (place, at) in (0..self.width).step_by(4).enumerate() {
                    let shift = 16 * (place % 2) as u32;
                    let width = (self.width - at).min(4);
                    let mask = u32::MAX >> (32 - 8 * width as u32);
                    for (slot, word) in low.iter_mut().zip(&digests[place / 2 % 4]) {
                        *slot = four_hex_digits(word >> shift) & mask;
                    }
                    or_bytes(key, at, &low, width);
                }
            }
            SaltWrite::Hex => {}
            SaltWrite::Decimal { .. } => self.write_decimal(numbers, key),
            SaltWrite::BigEndian { bytes } if bytes < 4 => {
                let unused = 8 * (4 - bytes as u32);
                for (slot, number) in low.iter_mut().zip(numbers) {
                    *slot = (number << unused).swap_bytes();
                }
                or_bytes(key, 0, &low, bytes);
            }
            SaltWrite::BigEndian { .. } => {
                for (slot, number) in low.iter_mut().zip(numbers) {
                    *slot = number.swap_bytes();
                }
                or_bytes(key, self.width - 4, &low, 4);
            }
        }
    }

    #[inline(always)]
    fn write_decimal(&self, numbers: &Column, key: &mut [Column]) {
        let mut rest = *numbers;
        let mut low = [0; ROWS];
        let mut end = self.width;
        while end > 0 {
            let width = end.min(4);
            let shift = 8 * (4 - width as u32);
            if end <= 4 {
                low.iter_mut().zip(&rest).for_each(|(slot, number)| *slot = four_digits(*number) >> shift);
            } else {
                for (slot, number) in low.iter_mut().zip(&mut rest) {
                    *slot = four_digits(*number % 10_000) >> shift;
                    *number /= 10_000;
                }
            }
            end -= width;
            or_bytes(key, end, &low, width);
        }
    }
}

//! Java's string hash, and numbers computed from hashes.

use crate::{Divisor31, WordColumn};

/// Which remainders keep a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Remainders of negative numbers.
    Kept,
    /// No remainder.
    Dropped,
    /// Only that of the smallest number, whose absolute value Java cannot represent.
    OfLeast,
}

#[inline(always)]
pub(crate) fn java_hash(words: &[WordColumn], width: usize, hashes: &mut WordColumn) {
    for (column, done) in words.iter().zip((0..width).step_by(4)) {
        if width - done >= 4 {
            for (hash, word) in hashes.iter_mut().zip(column) {
                // Two sums of two bytes each at once: both stay below 2^16.
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

#[inline(always)]
pub(crate) fn mask(mask: u32, hashes: &mut WordColumn) {
    for hash in hashes {
        *hash &= mask;
    }
}

#[inline(always)]
pub(crate) fn remainder(by: Divisor31, sign: Sign, hashes: &mut WordColumn) {
    // Numbers below this become negative. The loop has no branch, so that it is vectorised.
    let end = match sign {
        Sign::Kept => 0,
        Sign::OfLeast => i32::MIN + 1,
        Sign::Dropped => i32::MIN,
    };
    for hash in hashes {
        let number = *hash as i32;
        let (_, rest) = by.divide(number.unsigned_abs());
        let sign = u32::from(number < end).wrapping_neg();
        *hash = (rest ^ sign).wrapping_sub(sign);
    }
}

#[inline(always)]
pub(crate) fn xor(other: &WordColumn, hashes: &mut WordColumn) {
    for (hash, other) in hashes.iter_mut().zip(other) {
        *hash ^= other;
    }
}

//! Moving and changing bytes of words.

use crate::WordColumn;

/// `shift(source) & mask` of every row, added to a word.
#[derive(Debug, Clone, Copy)]
pub struct WordTerm<'a> {
    pub source: &'a WordColumn,
    pub shift: Shift,
    pub mask: u32,
}

/// A shift of a word by less than 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    Left(u32),
    Right(u32),
}

impl Shift {
    /// The shifted word, filled with zeros.
    #[inline(always)]
    #[must_use]
    pub fn shifted(self, word: u32) -> u32 {
        match self {
            Shift::Left(bits) => word << bits,
            Shift::Right(bits) => word >> bits,
        }
    }
}

#[inline(always)]
pub(crate) fn put(constant: u32, terms: &[WordTerm<'_>], words: &mut WordColumn) {
    use Shift::{Left, Right};
    let Some((first, more)) = terms.split_first() else { return words.fill(constant) };
    let Some((second, more)) = more.split_first() else {
        return match first.shift {
            Left(bits) => one(constant, first, words, |word| word << bits),
            Right(bits) => one(constant, first, words, |word| word >> bits),
        };
    };
    // The shifts are constant in the loops over rows.
    match (first.shift, second.shift) {
        (Left(a), Left(b)) => two(constant, [first, second], words, |word| word << a, |word| word << b),
        (Left(a), Right(b)) => two(constant, [first, second], words, |word| word << a, |word| word >> b),
        (Right(a), Left(b)) => two(constant, [first, second], words, |word| word >> a, |word| word << b),
        (Right(a), Right(b)) => two(constant, [first, second], words, |word| word >> a, |word| word >> b),
    }
    for term in more {
        for (word, source) in words.iter_mut().zip(term.source) {
            *word |= term.shift.shifted(*source) & term.mask;
        }
    }
}

#[inline(always)]
fn one(constant: u32, term: &WordTerm<'_>, words: &mut WordColumn, shift: impl Fn(u32) -> u32) {
    for (word, source) in words.iter_mut().zip(term.source) {
        *word = constant | shift(*source) & term.mask;
    }
}

#[inline(always)]
fn two(
    constant: u32,
    [a, b]: [&WordTerm<'_>; 2],
    words: &mut WordColumn,
    shift_a: impl Fn(u32) -> u32,
    shift_b: impl Fn(u32) -> u32,
) {
    for ((word, left), right) in words.iter_mut().zip(a.source).zip(b.source) {
        *word = constant | shift_a(*left) & a.mask | shift_b(*right) & b.mask;
    }
}

#[inline(always)]
pub(crate) fn or_left(source: &WordColumn, shift: u32, words: &mut WordColumn) {
    for (word, source) in words.iter_mut().zip(source) {
        *word |= source << shift;
    }
}

#[inline(always)]
pub(crate) fn or_right(source: &WordColumn, shift: u32, words: &mut WordColumn) {
    for (word, source) in words.iter_mut().zip(source) {
        *word |= source >> shift;
    }
}

#[inline(always)]
pub(crate) fn swap_bytes(source: &WordColumn, shift: u32, words: &mut WordColumn) {
    for (word, source) in words.iter_mut().zip(source) {
        *word = source.swap_bytes() >> shift;
    }
}

#[inline(always)]
pub(crate) fn lower_case(words: &mut WordColumn) {
    for word in words {
        *word = lower_case_of(*word);
    }
}

/// Four ASCII characters in lower case.
#[inline(always)]
fn lower_case_of(word: u32) -> u32 {
    // Bit 7 of each byte: whether it is at least `A`, and whether it is greater than `Z`. The sums do not
    // overflow a byte.
    let (from_a, past_z) = (word + 0x3f3f_3f3f, word + 0x2525_2525);
    word | ((from_a & !past_z & 0x8080_8080) >> 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_case_of_ascii() {
        for byte in 0..128u8 {
            let word = u32::from_le_bytes([byte, b'A', b'z', byte]);
            let lower = byte.to_ascii_lowercase();
            assert_eq!(lower_case_of(word).to_le_bytes(), [lower, b'a', b'z', lower]);
        }
    }
}

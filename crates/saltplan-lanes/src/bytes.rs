//! Bytes of words, moved and changed.

use crate::WordColumn;

/// `((source << left) >> right) & mask` of every row, as a part of a word.
#[derive(Debug, Clone, Copy)]
pub struct WordTerm<'a> {
    pub source: &'a WordColumn,
    pub left: u32,
    pub right: u32,
    pub mask: u32,
}

impl WordTerm<'_> {
    #[inline(always)]
    fn of(&self, word: u32) -> u32 {
        ((word << self.left) >> self.right) & self.mask
    }
}

#[inline(always)]
pub(crate) fn put(constant: u32, terms: &[WordTerm<'_>], words: &mut WordColumn) {
    match terms {
        [] => words.fill(constant),
        [a] => {
            for (word, left) in words.iter_mut().zip(a.source) {
                *word = constant | a.of(*left);
            }
        }
        [a, b, more @ ..] => {
            for ((word, left), right) in words.iter_mut().zip(a.source).zip(b.source) {
                *word = constant | a.of(*left) | b.of(*right);
            }
            for term in more {
                for (word, source) in words.iter_mut().zip(term.source) {
                    *word |= term.of(*source);
                }
            }
        }
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
    // Bit 7 of a byte: from `A` on, and past `Z`. No sum leaves its byte.
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

//! Texts put together from parts: messages, hash inputs and keys.

use super::columns::copy_bytes;
use super::{Column, ROWS};

/// Bytes `from .. from + length` of a part, at byte `at` of the text.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    pub part: usize,
    pub from: usize,
    pub length: usize,
    pub at: usize,
    /// ASCII letters become lower case.
    pub lower: bool,
}

/// A text of fixed width.
#[derive(Debug, Clone, Default)]
pub struct Text {
    /// Separators, and zeros where the pieces go.
    constants: Vec<u8>,
    pub pieces: Vec<Piece>,
}

impl Text {
    pub fn width(&self) -> usize {
        self.constants.len()
    }

    pub fn push_constant(&mut self, bytes: &[u8]) {
        self.constants.extend_from_slice(bytes);
    }

    pub fn push_part(&mut self, part: usize, from: usize, length: usize) {
        self.pieces.push(Piece { part, from, length, at: self.width(), lower: false });
        self.leave(length);
    }

    /// Lower-cases the pieces from this one on.
    pub fn lower_from(&mut self, first: usize, lower: bool) {
        for piece in self.pieces.iter_mut().skip(first) {
            piece.lower = lower;
        }
    }

    /// Leaves room for bytes that are written by another hand.
    pub fn leave(&mut self, length: usize) {
        self.constants.resize(self.width() + length, 0);
    }

    /// Writes the text of every row as a message of MD5, with the mark that follows the last byte.
    #[inline(always)]
    pub fn write_before_mark(&self, parts: &[Vec<Column>], text: &mut [Column]) {
        self.write(parts, text);
        let (word, place) = (self.width() / 4, self.width() % 4);
        if place > 0
            && let Some(column) = text.get_mut(word)
        {
            for slot in column {
                *slot |= 0x80 << (8 * place);
            }
        }
    }

    /// Writes the text of every row, one word after the other, each in one pass.
    #[inline(always)]
    pub fn write(&self, parts: &[Vec<Column>], text: &mut [Column]) {
        for (word, (target, bytes)) in text.iter_mut().zip(self.constants.chunks(4)).enumerate() {
            let constant = bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
            let mut terms = [Term::NOTHING; MAX_TERMS];
            let mut count = 0;
            for piece in self.pieces.iter().filter(|piece| !piece.lower) {
                let Some(part) = parts.get(piece.part) else { continue };
                for term in piece.terms(word, part).into_iter().flatten() {
                    if let Some(slot) = terms.get_mut(count) {
                        *slot = term;
                        count += 1;
                    }
                }
            }
            let [a, b, c, d, ..] = terms;
            match count {
                0 => target.fill(constant),
                1 => put_one(constant, a, target),
                2 => put_two(constant, [a, b], target),
                _ => put_four(constant, [a, b, c, d], target),
            }
            terms.iter().take(count).skip(4).for_each(|term| term.or_into(target));
        }
        for piece in self.pieces.iter().filter(|piece| piece.lower) {
            if let Some(part) = parts.get(piece.part) {
                copy_bytes(part, piece.from, piece.length, piece.lower, text, piece.at);
            }
        }
    }
}

/// Most terms of a word: four bytes, each of two words of another part.
const MAX_TERMS: usize = 8;

static ZEROS: Column = [0; ROWS];

/// `((source << left) >> right) & mask` of every row, as a part of a word.
#[derive(Debug, Clone, Copy)]
struct Term<'a> {
    source: &'a Column,
    left: u32,
    right: u32,
    mask: u32,
}

impl Piece {
    /// What the piece gives to a word of the text: bytes of two neighbouring words of the part, or of one.
    #[inline(always)]
    fn terms<'a>(&self, word: usize, part: &'a [Column]) -> [Option<Term<'a>>; 2] {
        let (first, last) = (4 * word, 4 * word + 4);
        let (start, stop) = (self.at.max(first), (self.at + self.length).min(last));
        if start >= stop {
            return [None, None];
        }
        let mask = (u32::MAX >> (32 - 8 * (stop - start))) << (8 * (start - first));
        // The part's byte that lands on the first of the word, moved up by a word: it may lie before the part.
        let from = self.from + last - self.at;
        let right = 8 * (from % 4) as u32;
        let source = |word: usize| word.checked_sub(1).and_then(|word| part.get(word));
        let low = source(from / 4).map(|source| Term { source, left: 0, right, mask });
        let high = source(from / 4 + 1).filter(|_| right > 0);
        [low, high.map(|source| Term { source, left: 32 - right, right: 0, mask })]
    }
}

impl Term<'_> {
    const NOTHING: Term<'static> = Term { source: &ZEROS, left: 0, right: 0, mask: 0 };

    #[inline(always)]
    fn of(&self, word: u32) -> u32 {
        ((word << self.left) >> self.right) & self.mask
    }

    #[inline(always)]
    fn or_into(&self, target: &mut Column) {
        for (target, source) in target.iter_mut().zip(self.source) {
            *target |= self.of(*source);
        }
    }
}

#[inline(always)]
fn put_one(constant: u32, term: Term<'_>, target: &mut Column) {
    for (target, source) in target.iter_mut().zip(term.source) {
        *target = constant | term.of(*source);
    }
}

#[inline(always)]
fn put_two(constant: u32, [a, b]: [Term<'_>; 2], target: &mut Column) {
    for ((target, left), right) in target.iter_mut().zip(a.source).zip(b.source) {
        *target = constant | a.of(*left) | b.of(*right);
    }
}

#[inline(always)]
fn put_four(constant: u32, [a, b, c, d]: [Term<'_>; 4], target: &mut Column) {
    let first = a.source.iter().zip(b.source);
    let second = c.source.iter().zip(d.source);
    for (target, ((first, second), (third, fourth))) in target.iter_mut().zip(first.zip(second)) {
        *target = constant | a.of(*first) | b.of(*second) | c.of(*third) | d.of(*fourth);
    }
}

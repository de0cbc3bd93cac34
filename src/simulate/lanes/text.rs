//! Texts put together from parts: messages, hash inputs and keys.

use super::Column;
use super::columns::copy_bytes;

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

    /// Writes the text of every row.
    #[inline(always)]
    pub fn write(&self, parts: &[Vec<Column>], text: &mut [Column]) {
        for (column, bytes) in text.iter_mut().zip(self.constants.chunks(4)) {
            column.fill(bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte)));
        }
        for piece in &self.pieces {
            if let Some(part) = parts.get(piece.part) {
                copy_bytes(part, piece.from, piece.length, piece.lower, text, piece.at);
            }
        }
    }
}

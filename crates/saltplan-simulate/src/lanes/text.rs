//! Texts composed of parts: messages, hash inputs and keys.

use saltplan_lanes::{Kernels, ROWS, Shift, WordColumn, WordTerm};

/// The bytes `from .. from + length` of a part, at byte `at` of the text.
#[derive(Debug, Clone, Copy)]
pub struct TextPiece {
    pub part: usize,
    pub from: usize,
    pub length: usize,
    pub at: usize,
    /// Convert ASCII letters to lower case.
    pub lower: bool,
}

/// A text of fixed width.
#[derive(Debug, Clone, Default)]
pub struct LaneText {
    /// Separators, and zeros at the places of the pieces.
    constants: Vec<u8>,
    pub pieces: Vec<TextPiece>,
    /// The same, word by word.
    words: Vec<TextWord>,
}

/// How a word of a text is computed.
#[derive(Debug, Clone)]
struct TextWord {
    constant: u32,
    /// Bytes of parts, unchanged.
    terms: Vec<WordSource>,
    /// Bytes that are converted to lower case.
    lower: Vec<WordSource>,
}

/// `shift(word) & mask` of a word of a part.
#[derive(Debug, Clone, Copy)]
struct WordSource {
    part: usize,
    word: usize,
    shift: Shift,
    mask: u32,
}

/// The maximum number of terms of a word: four bytes, each from two words of different parts.
const MAX_TERMS: usize = 8;

static ZEROS: WordColumn = [0; ROWS];

impl LaneText {
    pub fn width(&self) -> usize {
        self.constants.len()
    }

    pub fn push_constant(&mut self, bytes: &[u8]) {
        self.constants.extend_from_slice(bytes);
    }

    pub fn push_part(&mut self, part: usize, from: usize, length: usize) {
        self.pieces.push(TextPiece { part, from, length, at: self.width(), lower: false });
        self.leave(length);
    }

    /// Converts the pieces from this one on to lower case.
    pub fn lower_from(&mut self, first: usize, lower: bool) {
        for piece in self.pieces.iter_mut().skip(first) {
            piece.lower = lower;
        }
    }

    /// Reserves bytes that are written by other code.
    pub fn leave(&mut self, length: usize) {
        self.constants.resize(self.width() + length, 0);
    }

    /// The text in the form for [`LaneText::write`].
    pub fn ready(mut self) -> Self {
        self.words = self.words_of(&self.constants);
        self
    }

    /// Like [`LaneText::ready`] for a message of MD5, with the padding mark after the last byte.
    pub fn ready_before_mark(mut self) -> Self {
        let mut bytes = self.constants.clone();
        if !bytes.len().is_multiple_of(4) {
            bytes.push(0x80);
        }
        self.words = self.words_of(&bytes);
        self
    }

    fn words_of(&self, bytes: &[u8]) -> Vec<TextWord> {
        let word = |(index, bytes): (usize, &[u8])| {
            let sources = |lower: bool| {
                let pieces = self.pieces.iter().filter(move |piece| piece.lower == lower);
                pieces.flat_map(move |piece| piece.sources(index)).flatten().collect()
            };
            let constant = bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
            TextWord { constant, terms: sources(false), lower: sources(true) }
        };
        bytes.chunks(4).enumerate().map(word).collect()
    }

    /// The pieces, if nothing is between them, each starts a word of its part, and no case is converted.
    pub fn in_parts(&self) -> Option<&[TextPiece]> {
        let is_plain = |piece: &TextPiece| piece.from.is_multiple_of(4) && !piece.lower;
        let length: usize = self.pieces.iter().map(|piece| piece.length).sum();
        (length == self.width() && self.pieces.iter().all(is_plain)).then_some(&self.pieces)
    }

    /// Writes the text of every row, one word after the other.
    pub fn write(&self, kernels: &Kernels, parts: &[Vec<WordColumn>], text: &mut [WordColumn]) {
        for (word, target) in self.words.iter().zip(text) {
            put(kernels, word.constant, &word.terms, parts, target);
            if !word.lower.is_empty() {
                let mut bytes = [0; ROWS];
                put(kernels, 0, &word.lower, parts, &mut bytes);
                kernels.lower_case(&mut bytes);
                kernels.or_left(&bytes, 0, target);
            }
        }
    }
}

fn put(
    kernels: &Kernels,
    constant: u32,
    sources: &[WordSource],
    parts: &[Vec<WordColumn>],
    target: &mut WordColumn,
) {
    let mut terms = [WordTerm { source: &ZEROS, shift: Shift::Left(0), mask: 0 }; MAX_TERMS];
    for (term, source) in terms.iter_mut().zip(sources) {
        let column = parts.get(source.part).and_then(|part| part.get(source.word)).unwrap_or(&ZEROS);
        *term = WordTerm { source: column, shift: source.shift, mask: source.mask };
    }
    kernels.put(constant, terms.get(..sources.len()).unwrap_or(&terms), target);
}

impl TextPiece {
    /// The contribution of a piece to a word of the text: bytes of two neighbouring words of the part, or of
    /// one.
    fn sources(&self, word: usize) -> [Option<WordSource>; 2] {
        let (first, last) = (4 * word, 4 * word + 4);
        let (start, stop) = (self.at.max(first), (self.at + self.length).min(last));
        if start >= stop {
            return [None, None];
        }
        let mask = (u32::MAX >> (32 - 8 * (stop - start))) << (8 * (start - first));
        // The byte of the part that becomes the first of the word, plus one word, because it may be before
        // the part.
        let from = self.from + last - self.at;
        let right = 8 * (from % 4) as u32;
        // Words that contribute at least one byte.
        let source = |word: usize, shift: Shift| {
            let gives = shift.shifted(u32::MAX) & mask != 0;
            let word = word.checked_sub(1).filter(|_| gives)?;
            Some(WordSource { part: self.part, word, shift, mask })
        };
        let behind = (right > 0).then(|| source(from / 4 + 1, Shift::Left(32 - right))).flatten();
        [source(from / 4, Shift::Right(right)), behind]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use saltplan_lanes::Level;

    proptest! {
        #[test]
        fn pieces_at_any_place(
            before in 0usize..5,
            pieces in prop::collection::vec((0usize..2, 0usize..9, 1usize..12, any::<bool>()), 1..5),
        ) {
            let byte = |part: usize, index: usize| b'A' + (part * 30 + index) as u8;
            let column = |part: usize, word: usize| {
                let bytes = std::array::from_fn(|place| byte(part, 4 * word + place));
                [u32::from_le_bytes(bytes); ROWS]
            };
            let parts: Vec<Vec<WordColumn>> =
                (0..2).map(|part| (0..6).map(|word| column(part, word)).collect()).collect();
            let mut text = LaneText::default();
            let mut expected = vec![b'_'; before];
            text.push_constant(&expected);
            for (part, from, length, lower) in pieces {
                let first = text.pieces.len();
                text.push_part(part, from, length);
                text.lower_from(first, lower);
                let bytes = (from..from + length).map(|index| byte(part, index));
                expected.extend(bytes.map(|byte| if lower { byte.to_ascii_lowercase() } else { byte }));
            }
            for level in Level::all() {
                let mut columns = vec![[0; ROWS]; text.width().div_ceil(4)];
                text.clone().ready().write(level.kernels(), &parts, &mut columns);
                let found: Vec<u8> = columns.iter().flat_map(|column| column[ROWS - 1].to_le_bytes()).collect();
                prop_assert_eq!(&found[..expected.len()], expected.as_slice());
            }
        }
    }
}

//! Random text, straight from the random bits.
//!
//! `floor(bits / 2^64 * base^width)`, as text of `width` digits, is the first digits of the fraction `bits / 2^64`: each
//! multiplication by a power of the base brings some digits before the point and leaves an exact fraction of 64 bits.

use saltplan_lanes::{Characters, Kernels, NumberColumn, ROWS, WordColumn};

use super::columns::or_bytes;

/// Characters of an alphabet by their digits, four at a time.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// Those of an alphabet other than the decimal digits.
    characters: Option<Characters>,
    reverse: bool,
}

impl Drawn {
    /// `None` past ASCII, and for an alphabet in many pieces.
    pub fn new(bytes: &[u8], reverse: bool) -> Option<Self> {
        let characters = Characters::new(bytes)?;
        Some(Drawn { characters: (bytes != b"0123456789").then_some(characters), reverse })
    }

    /// Whether [`Drawn::write`] expects zeros.
    pub fn adds(&self) -> bool {
        self.reverse
    }

    /// Writes the text.
    pub fn write(&self, kernels: &Kernels, width: usize, bits: &NumberColumn, text: &mut [WordColumn]) {
        let mut rest = *bits;
        let mut draw = |count: usize, words: &mut WordColumn| match &self.characters {
            Some(characters) => kernels.draw_characters(characters, count as u32, &mut rest, words),
            None => kernels.draw_digits(count as u32, &mut rest, words),
        };
        let counts = (0..width).step_by(4).map(|done| (done, (width - done).min(4)));
        if !self.reverse {
            return counts.zip(text).for_each(|((_, count), words)| draw(count, words));
        }
        let (mut drawn, mut packed) = ([0; ROWS], [0; ROWS]);
        for (done, count) in counts {
            draw(count, &mut drawn);
            kernels.swap_bytes(&drawn, 8 * (4 - count as u32), &mut packed);
            or_bytes(kernels, text, width - done - count, &packed, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;
    use crate::text::Digits;
    use saltplan_lanes::Level;

    #[test]
    fn texts_are_those_of_the_numbers() {
        let words: String = ('0'..='9').chain('A'..='Z').chain('a'..='z').collect();
        let every: String = (0..128u8).map(char::from).collect();
        let numbers: NumberColumn = std::array::from_fn(|row| match row {
            0 => 0,
            1 => u64::MAX,
            _ => random::bits(3, row as u64),
        });
        for alphabet in ["0123456789", "x", "ba", "acegikmoqs", &words, &every] {
            let chars: Vec<char> = alphabet.chars().collect();
            let digits = Digits::new(chars.clone());
            for (width, reverse) in (1..=8).flat_map(|width| [(width, false), (width, true)]) {
                let drawn = Drawn::new(alphabet.as_bytes(), reverse);
                let Some(drawn) = drawn else { continue };
                let mut text = vec![[0; ROWS]; 2];
                drawn.write(Level::best().kernels(), width, &numbers, &mut text);
                for (row, bits) in numbers.iter().enumerate() {
                    let count = (chars.len() as u64).pow(width as u32);
                    let mut expected = String::new();
                    digits.write(width, random::below(*bits, count), &mut expected);
                    let mut expected = expected.into_bytes();
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

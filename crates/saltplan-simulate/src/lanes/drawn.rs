//! Random text, directly from random bits.
//!
//! `floor(bits / 2^64 * base^width)`, as text of `width` digits, consists of the first digits of the fraction
//! `bits / 2^64`: each multiplication by a power of the base moves some digits before the point and leaves an
//! exact 64-bit fraction.

use saltplan_lanes::{Characters, Divisor31, Kernels, NumberColumn, ROWS, WordColumn};

use super::columns::or_bytes;

/// The characters of an alphabet by their digits.
#[derive(Debug, Clone)]
pub struct Drawn {
    alphabet: DrawnAlphabet,
    reverse: bool,
}

#[derive(Debug, Clone)]
enum DrawnAlphabet {
    /// Decimal digits, eight at a time, with the divisors that separate the last four of them, and the last
    /// digits of a shorter rest.
    Decimal { eight: Divisor31, rest: Divisor31 },
    /// Characters of an alphabet, four at a time.
    Characters(Characters),
}

impl Drawn {
    /// `None` for non-ASCII characters, and for an alphabet with too many ranges.
    pub fn new(bytes: &[u8], width: usize, reverse: bool) -> Option<Self> {
        let power = |digits: usize| Divisor31::new(10u32.pow(digits as u32));
        let alphabet = if bytes == b"0123456789" {
            DrawnAlphabet::Decimal { eight: power(4)?, rest: power((width % 8).saturating_sub(4))? }
        } else {
            DrawnAlphabet::Characters(Characters::new(bytes)?)
        };
        Some(Drawn { alphabet, reverse })
    }

    /// Whether [`Drawn::write`] requires zeros.
    pub fn adds(&self) -> bool {
        self.reverse
    }

    /// Writes the text.
    pub fn write(&self, kernels: &Kernels, width: usize, bits: &NumberColumn, text: &mut [WordColumn]) {
        if self.reverse {
            return self.write_reversed(kernels, width, bits, text);
        }
        let mut fractions = *bits;
        let (mut left, mut columns) = (width, text.iter_mut());
        while let Some(words) = columns.next().filter(|_| left > 0) {
            let count = match &self.alphabet {
                DrawnAlphabet::Decimal { eight, rest } if left > 4 => {
                    let Some(last) = columns.next() else { break };
                    let by = if left < 8 { rest } else { eight };
                    kernels.draw_eight_digits(*by, &mut fractions, words, last);
                    left.min(8)
                }
                _ => self.draw_four(kernels, left, &mut fractions, words),
            };
            left -= count;
        }
    }

    fn write_reversed(&self, kernels: &Kernels, width: usize, bits: &NumberColumn, text: &mut [WordColumn]) {
        let mut fractions = *bits;
        let (mut drawn, mut packed) = ([0; ROWS], [0; ROWS]);
        let mut left = width;
        while left > 0 {
            let count = self.draw_four(kernels, left, &mut fractions, &mut drawn);
            left -= count;
            kernels.swap_bytes(&drawn, 8 * (4 - count as u32), &mut packed);
            or_bytes(kernels, text, left, &packed, count);
        }
    }

    /// The size of the next group of characters, if this many are left.
    fn draw_four(
        &self,
        kernels: &Kernels,
        left: usize,
        fractions: &mut NumberColumn,
        words: &mut WordColumn,
    ) -> usize {
        let count = left.min(4);
        match &self.alphabet {
            DrawnAlphabet::Decimal { .. } => kernels.draw_digits(count as u32, fractions, words),
            DrawnAlphabet::Characters(characters) => {
                kernels.draw_characters(characters, count as u32, fractions, words);
            }
        }
        count
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
            // The width of the groups: 2^48 texts.
            for (width, reverse) in (1..=14).flat_map(|width| [(width, false), (width, true)]) {
                let count = (chars.len() as u64).checked_pow(width as u32).filter(|count| *count <= 1 << 48);
                let Some(count) = count else { continue };
                let drawn = Drawn::new(alphabet.as_bytes(), width, reverse);
                let Some(drawn) = drawn else { continue };
                let mut text = vec![[0; ROWS]; width.div_ceil(4)];
                drawn.write(Level::best().kernels(), width, &numbers, &mut text);
                for (row, bits) in numbers.iter().enumerate() {
                    let mut expected = Vec::new();
                    digits.write(width, random::below(*bits, count), &mut expected);
                    if reverse {
                        expected.reverse();
                    }
                    expected.resize(4 * text.len(), 0);
                    let found: Vec<u8> = text.iter().flat_map(|column| column[row].to_le_bytes()).collect();
                    assert_eq!(found, expected, "{alphabet} {width} {reverse} {bits}");
                }
            }
        }
    }
}

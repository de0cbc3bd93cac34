//! The bytes of a field of fixed width, computed from its numbers.

use super::alphabet::Alphabet;
use super::calendar::Calendar;
use super::digits::{Limb, limbs, write_decimal};
use super::drawn::Drawn;
use super::values::Bounded;
use saltplan_core::key::field::FieldKind;
use saltplan_core::key::number::{StoredBits, StoredNumber};
use saltplan_lanes::{Divisor, Kernels, NumberColumn, WordColumn};

/// The maximum number of words in a table of listed texts, which must stay in the cache.
const MAX_TABLE: usize = 4_096;

/// How the numbers of a field become `width` bytes.
#[derive(Debug, Clone)]
pub struct FieldPart {
    encoding: LaneEncoding,
    pub width: usize,
}

#[derive(Debug, Clone)]
enum LaneEncoding {
    /// The bits of numbers, highest byte first.
    BigEndian {
        inverted: u64,
        /// The shift for each word of four bytes.
        shifts: &'static [u32],
    },
    Decimal {
        minuend: Option<i64>,
        limbs: Vec<Limb>,
    },
    Alphabet(Alphabet),
    Drawn(Drawn),
    Calendar(Calendar),
    /// `words[w][number]`.
    Listed {
        texts: Divisor,
        words: Vec<Vec<u32>>,
    },
}

/// `max - number` as `(number ^ ones) + max + 1`, otherwise `(number ^ 0) + 0`.
pub fn change(minuend: Option<i64>) -> [u64; 2] {
    minuend.map_or([0, 0], |max| [u64::MAX, max.cast_unsigned().wrapping_add(1)])
}

impl FieldPart {
    /// The stored bytes of a number or a date of fixed width; `None` if a number needs more digits, or if its bytes
    /// do not fill words.
    pub fn padded(kind: &FieldKind, values: &Bounded) -> Option<Self> {
        if let FieldKind::Calendar(calendar) = kind {
            return Self::calendar(Calendar::new(&calendar.format, calendar.format.granularity(), values)?);
        }
        let (form, width) = (kind.number()?, kind.fixed_width()?);
        let minuend = match form.stored() {
            StoredNumber::Bits(StoredBits { bytes, inverted, .. }) => {
                let shifts: &[u32] = match bytes {
                    8 => &[32, 0],
                    4 => &[0],
                    _ => return None,
                };
                return Some(FieldPart { encoding: LaneEncoding::BigEndian { inverted, shifts }, width });
            }
            StoredNumber::Digits { minuend, .. } => minuend,
        };
        let stored = [values.low, values.high].map(|number| minuend.map_or(number, |max| max - number));
        let widest = stored.into_iter().max()?.checked_ilog10().unwrap_or(0) as usize + 1;
        let is_natural = stored.into_iter().all(|number| number >= 0);
        if widest <= width && is_natural { Self::decimal(minuend, width) } else { None }
    }

    pub fn decimal(minuend: Option<i64>, width: usize) -> Option<Self> {
        Some(FieldPart { encoding: LaneEncoding::Decimal { minuend, limbs: limbs(10, 8, width)? }, width })
    }

    pub fn calendar(calendar: Calendar) -> Option<Self> {
        let width = calendar.width();
        Some(FieldPart { encoding: LaneEncoding::Calendar(calendar), width })
    }

    /// Texts that are numbers in an alphabet; `None` for non-ASCII characters.
    pub fn text(chars: &[char], width: usize, reverse: bool) -> Option<Self> {
        let byte = |c: &char| u8::try_from(*c).ok().filter(u8::is_ascii);
        let bytes: Vec<u8> = chars.iter().map(byte).collect::<Option<_>>()?;
        if bytes == *b"0123456789" && !reverse {
            return Self::decimal(None, width);
        }
        Some(FieldPart { encoding: LaneEncoding::Alphabet(Alphabet::new(&bytes, width, reverse)?), width })
    }

    /// Random text whose numbers are random bits.
    pub fn drawn(chars: &[char], width: usize, reverse: bool) -> Option<Self> {
        let bytes: Vec<u8> = chars.iter().map(|c| u8::try_from(*c).ok()).collect::<Option<_>>()?;
        Some(FieldPart { encoding: LaneEncoding::Drawn(Drawn::new(&bytes, width, reverse)?), width })
    }

    pub fn listed(texts: Divisor, words: Vec<Vec<u32>>, width: usize) -> Option<Self> {
        Some(FieldPart { encoding: LaneEncoding::Listed { texts, words }, width })
    }

    /// Whether every byte is one ASCII character.
    pub fn is_ascii(&self) -> bool {
        match &self.encoding {
            LaneEncoding::BigEndian { .. } => false,
            LaneEncoding::Listed { words, .. } => words.iter().flatten().all(|word| word & 0x8080_8080 == 0),
            _ => true,
        }
    }

    pub fn is_binary(&self) -> bool {
        matches!(self.encoding, LaneEncoding::BigEndian { .. })
    }

    /// Writes the bytes of the numbers at the start of `text`. `day` is the day whose date is there; it is
    /// updated.
    pub fn write(
        &self,
        kernels: &Kernels,
        numbers: &NumberColumn,
        text: &mut [WordColumn],
        day: &mut Option<u32>,
    ) {
        let adds = match &self.encoding {
            LaneEncoding::Decimal { .. } | LaneEncoding::Alphabet(_) => true,
            LaneEncoding::Drawn(drawn) => drawn.adds(),
            _ => false,
        };
        if adds {
            text.iter_mut().for_each(|column| column.fill(0));
        }
        match &self.encoding {
            LaneEncoding::BigEndian { inverted, shifts } => {
                for (column, shift) in text.iter_mut().zip(*shifts) {
                    kernels.big_endian(*inverted, *shift, numbers, column);
                }
            }
            LaneEncoding::Decimal { minuend, limbs } => {
                write_decimal(kernels, *minuend, limbs, self.width, numbers, text);
            }
            LaneEncoding::Alphabet(alphabet) => alphabet.write(kernels, self.width, numbers, text),
            LaneEncoding::Drawn(drawn) => drawn.write(kernels, self.width, numbers, text),
            LaneEncoding::Calendar(calendar) => calendar.write(kernels, numbers, text, day),
            LaneEncoding::Listed { texts, words } => {
                for (table, column) in words.iter().zip(text) {
                    kernels.look_up_remainders(table, *texts, numbers, column);
                }
            }
        }
    }
}

/// The words of texts of the same width; zeros for texts of another width.
pub fn words_of(texts: &[Vec<u8>], width: usize) -> Option<Vec<Vec<u32>>> {
    (texts.len() * width.div_ceil(4) <= MAX_TABLE).then_some(())?;
    let word = |bytes: &Vec<u8>, at: usize| {
        if bytes.len() != width {
            return 0;
        }
        bytes.iter().skip(at).take(4).rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
    };
    Some((0..width).step_by(4).map(|at| texts.iter().map(|bytes| word(bytes, at)).collect()).collect())
}

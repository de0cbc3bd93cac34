//! The salts of many rows at once.

use super::columns::or_bytes;
use super::text::LaneText;
use saltplan_core::key::salt::{Abs, Combine, Reduction, SaltWrite};
use saltplan_lanes::{Divisor, Divisor31, Kernels, NumberColumn, ROWS, Sign, WordColumn};

/// From the fields of a batch to the numbers of its salts.
#[derive(Debug, Clone)]
pub enum SaltKernel {
    /// The MD5 of a message; the number is its first `digits` hex digits.
    Md5 { message: LaneText, digits: usize },
    /// `String.hashCode` of one text (concatenated inputs) or of several (combined by XOR).
    JavaHash { inputs: Vec<LaneText>, combine: Combine, reduce: Reducer },
    /// The number of a track, or its remainder if it is never negative.
    Number { track: usize, by: Option<Divisor> },
}

/// A [`Reduction`] with a precomputed division.
#[derive(Debug, Clone, Copy)]
pub enum Reducer {
    Mask(u32),
    Modulo { by: Divisor31, abs: Abs },
}

impl Reducer {
    /// `None` if only the row engine computes it.
    pub fn new(reduction: &Reduction) -> Option<Self> {
        if let Some((by, abs)) = reduction.signed_modulo() {
            return Some(Reducer::Modulo { by: Divisor31::new(u32::try_from(by).ok()?)?, abs });
        }
        let is_mask_alone = reduction.digits.is_none() && reduction.signed && reduction.modulo.is_none();
        reduction.mask.filter(|_| is_mask_alone).map(|mask| Reducer::Mask(mask as u32))
    }

    fn apply(&self, kernels: &Kernels, hashes: &mut WordColumn) {
        let (by, abs) = match *self {
            Reducer::Mask(mask) => return kernels.mask(mask, hashes),
            Reducer::Modulo { by, abs } => (by, abs),
        };
        let sign = match abs {
            Abs::Before => Sign::OfLeast,
            Abs::After => Sign::Dropped,
            Abs::Mask => {
                kernels.mask(i32::MAX.cast_unsigned(), hashes);
                Sign::Kept
            }
            Abs::None => Sign::Kept,
        };
        kernels.remainder(by, sign, hashes);
    }
}

impl SaltKernel {
    /// The numbers of the salts (as `i32`) from the hash inputs; for MD5 from the digests.
    pub fn numbers(
        &self,
        kernels: &Kernels,
        tracks: &[NumberColumn],
        parts: &[Vec<WordColumn>],
        digest: &WordColumn,
        scratch: &mut [WordColumn],
        numbers: &mut WordColumn,
    ) {
        match self {
            SaltKernel::Md5 { digits, .. } => {
                kernels.swap_bytes(digest, 32 - 4 * (*digits).min(8) as u32, numbers);
            }
            SaltKernel::JavaHash { inputs, combine, reduce } => {
                numbers.fill(0);
                for (place, input) in inputs.iter().enumerate() {
                    // The XOR of the first hash with zero is the hash itself.
                    if place == 0 || *combine == Combine::Concat {
                        hash(kernels, input, parts, scratch, numbers);
                    } else {
                        let mut hashes = [0; ROWS];
                        hash(kernels, input, parts, scratch, &mut hashes);
                        kernels.xor(&hashes, numbers);
                    }
                }
                reduce.apply(kernels, numbers);
            }
            SaltKernel::Number { track, by } => {
                let Some(values) = tracks.get(*track) else { return };
                match by {
                    Some(by) => kernels.remainders(*by, values, numbers),
                    None => kernels.low_words(values, numbers),
                }
            }
        }
    }
}

/// The hash codes of a text, continuing from `hashes`.
fn hash(
    kernels: &Kernels,
    text: &LaneText,
    parts: &[Vec<WordColumn>],
    scratch: &mut [WordColumn],
    hashes: &mut WordColumn,
) {
    match text.in_parts() {
        // Bytes that start a word of their part are hashed in place.
        Some(pieces) => {
            for piece in pieces {
                let part = parts.get(piece.part).map_or(&[][..], Vec::as_slice);
                kernels.java_hash(part.get(piece.from / 4..).unwrap_or(&[]), piece.length, hashes);
            }
        }
        None => {
            text.write(kernels, parts, scratch);
            kernels.java_hash(scratch, text.width(), hashes);
        }
    }
}

/// The bytes of a salt at the start of the key, `width` of them.
#[derive(Debug, Clone, Copy)]
pub struct SaltWriter {
    pub write: SaltWrite,
    /// Hex digits of a digest are written unchanged.
    pub is_digest: bool,
    pub width: usize,
}

impl SaltWriter {
    pub fn write(
        &self,
        kernels: &Kernels,
        digests: &[WordColumn; 4],
        numbers: &WordColumn,
        key: &mut [WordColumn],
    ) {
        let mut low = [0; ROWS];
        match self.write {
            SaltWrite::Hex if self.is_digest => {
                for (place, at) in (0..self.width).step_by(4).enumerate() {
                    let shift = 16 * (place % 2) as u32;
                    let width = (self.width - at).min(4);
                    let mask = u32::MAX >> (32 - 8 * width as u32);
                    kernels.hex_digits(&digests[place / 2 % 4], shift, mask, &mut low);
                    or_bytes(kernels, key, at, &low, width);
                }
            }
            SaltWrite::Hex
            | SaltWrite::UpperHex
            | SaltWrite::Bytes
            | SaltWrite::Text
            | SaltWrite::Alphabet { .. } => {}
            SaltWrite::Decimal { .. } => self.write_decimal(kernels, numbers, key),
            SaltWrite::BigEndian { bytes } if bytes < 4 => {
                kernels.swap_bytes(numbers, 8 * (4 - bytes as u32), &mut low);
                or_bytes(kernels, key, 0, &low, bytes);
            }
            SaltWrite::BigEndian { .. } => {
                kernels.swap_bytes(numbers, 0, &mut low);
                or_bytes(kernels, key, self.width - 4, &low, 4);
            }
        }
    }

    fn write_decimal(&self, kernels: &Kernels, numbers: &WordColumn, key: &mut [WordColumn]) {
        let mut low = [0; ROWS];
        let mut rest = *numbers;
        let mut end = self.width;
        while end > 4 {
            kernels.next_four_digits(&mut rest, &mut low);
            end -= 4;
            or_bytes(kernels, key, end, &low, 4);
        }
        kernels.four_digits(&rest, 8 * (4 - end as u32), &mut low);
        or_bytes(kernels, key, 0, &low, end);
    }
}

//! The bytes of a field of fixed width, from its numbers.

use super::calendar::Calendar;
use super::columns::{Divisor, Divisor31, Numbers, four_digits, or_bytes};
use super::values::Bounded;
use super::{Column, ROWS};
use crate::key::Value;
use crate::schema::model::{
    EpochField, Field, FieldKind, IntegerEncoding, IntegerField, IntegerSize, TextField,
};
use crate::simulate::text::TextShape;

/// Runs of neighbouring characters in an alphabet, at most.
const MAX_RUNS: usize = 8;

/// Words of a table of listed texts, at most: it has to stay in the cache.
const MAX_TABLE: usize = 4_096;

/// How the numbers of a field become `width` bytes.
#[derive(Debug, Clone)]
pub struct Part {
    encoding: Encoding,
    pub width: usize,
}

#[derive(Debug, Clone)]
enum Encoding {
    BigEndian {
        long: bool,
        minuend: Option<i64>,
        sortable: bool,
    },
    Decimal {
        minuend: Option<i64>,
        limbs: Vec<Limb>,
    },
    Alphabet(Alphabet),
    Calendar(Calendar),
    /// `words[w][number]`.
    Listed {
        texts: Divisor,
        words: Vec<Vec<u32>>,
    },
}

/// Some digits of a number, the lowest limb first.
#[derive(Debug, Clone, Copy)]
struct Limb {
    /// The base to the power of `digits`.
    unit: Divisor,
    digits: usize,
}

#[derive(Debug, Clone)]
struct Alphabet {
    limbs: Vec<Limb>,
    base: Divisor31,
    /// `character = digit + first`, plus the second of each pair whose first the digit reaches.
    first: u32,
    jumps: Vec<(u32, u32)>,
    reverse: bool,
}

impl Part {
    /// The stored bytes of a field; `None` where values differ in width, or one breaks the field's declaration.
    pub fn stored(field: &Field, values: &Bounded) -> Option<Self> {
        match &field.kind {
            FieldKind::Text(text) => Self::text(field, text, values),
            FieldKind::Calendar(calendar) => {
                Self::calendar(Calendar::new(&calendar.format, calendar.format.granularity(), values)?)
            }
            FieldKind::Integer(IntegerField { size, encoding, descending }) => {
                Self::number(&field.kind, *size, *encoding, *descending, values)
            }
            FieldKind::Epoch(EpochField { encoding, descending, .. }) => {
                Self::number(&field.kind, IntegerSize::Bigint, *encoding, *descending, values)
            }
        }
    }

    pub fn calendar(calendar: Calendar) -> Option<Self> {
        let width = calendar.width();
        Some(Part { encoding: Encoding::Calendar(calendar), width })
    }

    fn number(
        kind: &FieldKind,
        size: IntegerSize,
        encoding: IntegerEncoding,
        descending: bool,
        values: &Bounded,
    ) -> Option<Self> {
        let domain = kind.domain()?;
        if !domain.contains(&i128::from(values.low)) || !domain.contains(&i128::from(values.high)) {
            return None;
        }
        let (bytes, max) = match size {
            IntegerSize::Int => (4, i64::from(i32::MAX)),
            IntegerSize::Bigint => (8, i64::MAX),
        };
        let minuend = descending.then_some(max);
        let big_endian = |sortable| Encoding::BigEndian { long: bytes == 8, minuend, sortable };
        match encoding {
            IntegerEncoding::BigEndian => Some(Part { encoding: big_endian(false), width: bytes }),
            IntegerEncoding::BigEndianSortable => Some(Part { encoding: big_endian(true), width: bytes }),
            IntegerEncoding::Decimal { width } => {
                let stored =
                    [values.low, values.high].map(|number| minuend.map_or(number, |max| max - number));
                let widest = stored.into_iter().max()?.checked_ilog10().unwrap_or(0) as usize + 1;
                let least = stored.into_iter().min()?;
                let width = match width {
                    Some(width) if widest <= width => width,
                    // Unpadded: all numbers happen to have the same count of digits.
                    None if least.checked_ilog10().unwrap_or(0) as usize + 1 == widest => widest,
                    _ => return None,
                };
                (least >= 0).then_some(())?;
                Some(Part { encoding: Encoding::Decimal { minuend, limbs: limbs(10, 8, width)? }, width })
            }
        }
    }

    fn text(field: &Field, text: &TextField, values: &Bounded) -> Option<Self> {
        if values.low < 0 {
            return None;
        }
        match TextShape::of(field, text).ok()? {
            TextShape::Listed(texts) => Self::listed(&field.kind, &texts),
            TextShape::Alphabet { chars, width } => {
                let bytes: Vec<u8> = chars
                    .iter()
                    .map(|c| u8::try_from(*c).ok().filter(u8::is_ascii))
                    .collect::<Option<_>>()?;
                if bytes == *b"0123456789" && !text.reverse {
                    let limbs = limbs(10, 8, width)?;
                    return Some(Part { encoding: Encoding::Decimal { minuend: None, limbs }, width });
                }
                let alphabet = Alphabet::new(&bytes, width, text.reverse)?;
                Some(Part { encoding: Encoding::Alphabet(alphabet), width })
            }
        }
    }

    fn listed(kind: &FieldKind, texts: &[String]) -> Option<Self> {
        let encode = |text: &String| kind.encode(&Value::Text(text.clone())).ok();
        let encoded: Vec<Vec<u8>> = texts.iter().map(encode).collect::<Option<_>>()?;
        let width = encoded.first()?.len();
        if encoded.iter().any(|bytes| bytes.len() != width) || encoded.len() * width.div_ceil(4) > MAX_TABLE {
            return None;
        }
        let word = |bytes: &Vec<u8>, at: usize| {
            bytes.iter().skip(at).take(4).rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
        };
        let words =
            (0..width).step_by(4).map(|at| encoded.iter().map(|bytes| word(bytes, at)).collect()).collect();
        Some(Part { encoding: Encoding::Listed { texts: Divisor::new(encoded.len() as u64)?, words }, width })
    }

    /// Whether lower-casing changes nothing, and every byte is one ASCII character.
    pub fn is_lower_ascii(&self) -> bool {
        match &self.encoding {
            Encoding::BigEndian { .. } => false,
            Encoding::Decimal { .. } => true,
            Encoding::Alphabet(alphabet) => alphabet.is_lower(),
            Encoding::Calendar(calendar) => calendar.is_lower(),
            Encoding::Listed { .. } => false,
        }
    }

    /// Whether every byte is one ASCII character.
    pub fn is_ascii(&self) -> bool {
        match &self.encoding {
            Encoding::BigEndian { .. } => false,
            Encoding::Listed { words, .. } => words.iter().flatten().all(|word| word & 0x8080_8080 == 0),
            _ => true,
        }
    }

    pub fn is_binary(&self) -> bool {
        matches!(self.encoding, Encoding::BigEndian { .. })
    }

    /// Writes the bytes of the numbers at the start of `text`.
    #[inline(always)]
    pub fn write(&self, numbers: &Numbers, text: &mut [Column]) {
        for column in text.iter_mut() {
            column.fill(0);
        }
        match &self.encoding {
            Encoding::BigEndian { long, minuend, sortable } => {
                write_big_endian(*long, *minuend, *sortable, numbers, text);
            }
            Encoding::Decimal { minuend, limbs } => write_decimal(*minuend, limbs, self.width, numbers, text),
            Encoding::Alphabet(alphabet) => alphabet.write(self.width, numbers, text),
            Encoding::Calendar(calendar) => calendar.write(numbers, text),
            Encoding::Listed { texts, words } => {
                for (table, column) in words.iter().zip(text) {
                    for (slot, number) in column.iter_mut().zip(numbers) {
                        *slot = table.get(texts.divide(*number).1 as usize).copied().unwrap_or(0);
                    }
                }
            }
        }
    }
}

/// The limbs of `width` digits, `most` digits in each but the last.
fn limbs(base: u64, most: usize, width: usize) -> Option<Vec<Limb>> {
    (0..width)
        .step_by(most.max(1))
        .map(|done| {
            let digits = (width - done).min(most);
            Some(Limb { unit: Divisor::new(base.checked_pow(digits as u32)?)?, digits })
        })
        .collect()
}

#[inline(always)]
fn write_big_endian(
    long: bool,
    minuend: Option<i64>,
    sortable: bool,
    numbers: &Numbers,
    text: &mut [Column],
) {
    // `max - number` as `(number ^ ones) + max + 1`; without it as `(number ^ 0) + 0`.
    let (ones, addend) = minuend.map_or((0, 0), |max| (u64::MAX, (max as u64).wrapping_add(1)));
    let flip = if sortable { 0x80 } else { 0 };
    let shifts = if long { [32, 0] } else { [0, 0] };
    for (place, (column, shift)) in text.iter_mut().zip(shifts).enumerate() {
        let flip = if place == 0 { flip } else { 0 };
        for (slot, number) in column.iter_mut().zip(numbers) {
            let number = (number ^ ones).wrapping_add(addend);
            *slot = ((number >> shift) as u32).swap_bytes() ^ flip;
        }
    }
}

#[inline(always)]
fn write_decimal(minuend: Option<i64>, limbs: &[Limb], width: usize, numbers: &Numbers, text: &mut [Column]) {
    let mut rest = *numbers;
    if let Some(max) = minuend {
        for number in &mut rest {
            *number = (max as u64).wrapping_sub(*number);
        }
    }
    let mut end = width;
    let mut low = [0; ROWS];
    let mut digits = [0; ROWS];
    for limb in limbs {
        split_limb(limb, &mut rest, &mut low);
        for (slot, number) in digits.iter_mut().zip(&low) {
            *slot = four_digits(number % 10_000);
        }
        put_digits(&mut digits, limb.digits.min(4), &mut end, text);
        if limb.digits > 4 {
            for (slot, number) in digits.iter_mut().zip(&low) {
                *slot = four_digits(number / 10_000);
            }
            put_digits(&mut digits, limb.digits - 4, &mut end, text);
        }
    }
}

/// Writes the last `count` of four digits before `end`.
#[inline(always)]
fn put_digits(digits: &mut Column, count: usize, end: &mut usize, text: &mut [Column]) {
    let shift = 8 * (4 - count as u32);
    if shift > 0 {
        for word in digits.iter_mut() {
            *word >>= shift;
        }
    }
    *end -= count;
    or_bytes(text, *end, digits, count);
}

#[inline(always)]
fn split_limb(limb: &Limb, rest: &mut Numbers, low: &mut Column) {
    let first = rest[0];
    if rest.iter().fold(0, |differ, number| differ | (number ^ first)) == 0 {
        let (quotient, remainder) = limb.unit.divide(first);
        rest.fill(quotient);
        low.fill(remainder as u32);
        return;
    }
    for (number, low) in rest.iter_mut().zip(low) {
        let (quotient, remainder) = limb.unit.divide(*number);
        *number = quotient;
        *low = remainder as u32;
    }
}

impl Alphabet {
    fn new(bytes: &[u8], width: usize, reverse: bool) -> Option<Self> {
        let first = u32::from(*bytes.first()?);
        let jumps: Vec<(u32, u32)> = bytes
            .windows(2)
            .enumerate()
            .filter_map(|(index, pair)| {
                let jump = u32::from(pair[1]).wrapping_sub(u32::from(pair[0]) + 1);
                (jump != 0).then_some((index as u32 + 1, jump))
            })
            .collect();
        let base = bytes.len() as u64;
        let most =
            (1..=8).rev().find(|digits| base.checked_pow(*digits).is_some_and(|unit| unit < 1 << 31))?;
        (jumps.len() < MAX_RUNS).then_some(())?;
        Some(Alphabet {
            limbs: limbs(base, most as usize, width)?,
            base: Divisor31::new(base as u32)?,
            first,
            jumps,
            reverse,
        })
    }

    fn is_lower(&self) -> bool {
        let mut character = self.first;
        (0..self.base.number()).all(|digit| {
            if let Some((_, jump)) = self.jumps.iter().find(|(from, _)| *from == digit) {
                character = character.wrapping_add(*jump);
            }
            let is_upper = (0x41..=0x5a).contains(&character);
            character = character.wrapping_add(1);
            !is_upper
        })
    }

    #[inline(always)]
    fn write(&self, width: usize, numbers: &Numbers, text: &mut [Column]) {
        let mut rest = *numbers;
        let mut low = [0; ROWS];
        let mut packed = [0; ROWS];
        let mut place = 0;
        for limb in &self.limbs {
            split_limb(limb, &mut rest, &mut low);
            for done in (0..limb.digits).step_by(4) {
                let count = (limb.digits - done).min(4);
                packed.fill(0);
                for digit in 0..count {
                    let shift = 8 * if self.reverse { digit } else { count - 1 - digit } as u32;
                    self.next_digit(&mut low, &mut packed, shift);
                }
                let at = if self.reverse { place } else { width - place - count };
                or_bytes(text, at, &packed, count);
                place += count;
            }
        }
    }

    /// Takes the lowest digit off and puts its character into the packed word.
    #[inline(always)]
    fn next_digit(&self, low: &mut Column, packed: &mut Column, shift: u32) {
        let mut digits = [0; ROWS];
        for (number, digit) in low.iter_mut().zip(&mut digits) {
            let (quotient, remainder) = self.base.divide(*number);
            *number = quotient;
            *digit = remainder;
        }
        for (packed, digit) in packed.iter_mut().zip(&digits) {
            *packed |= digit.wrapping_add(self.first) << shift;
        }
        for (from, jump) in &self.jumps {
            for (packed, digit) in packed.iter_mut().zip(&digits) {
                let jump = if digit >= from { *jump } else { 0 };
                *packed = packed.wrapping_add(jump << shift);
            }
        }
    }
}

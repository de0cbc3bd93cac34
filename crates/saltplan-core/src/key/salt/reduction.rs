//! From a hash to the number of the salt: what is taken of the hash, and the arithmetic with it.

use std::fmt;
use std::ops::RangeInclusive;

use super::function::Hash;
use super::numbers::{Digits, Number, Numbers};

/// The part of a hash that is the salt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    /// Hex digits as they are.
    HexDigits(HexDigits),
    Number(Reduction),
}

/// Hex digits of a hash: `first` counts from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HexDigits {
    pub first: usize,
    /// At most 64.
    pub count: usize,
}

/// A number made of a hash. The steps are done in the order of the members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reduction {
    /// The digits that are taken as a number; `None` for the whole hash.
    pub digits: Option<HexDigits>,
    /// Whether the highest bit is a sign, as of Java's `int` and `long`.
    pub signed: bool,
    /// Bits to keep. Only the mask of an `int` has the highest bits, and is negative then.
    pub mask: Option<i64>,
    pub abs: Abs,
    /// Java's remainder, which has the sign of the number.
    pub modulo: Option<i32>,
}

/// How the sign is removed: `Math.abs` before the modulo leaves `Integer.MIN_VALUE` negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abs {
    Before,
    After,
    /// The sign bit is masked before the modulo.
    Mask,
    None,
}

/// A 32-bit hash code of Java and what is made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashCode {
    pub reduction: Reduction,
    /// The smallest and the greatest hash that rows can have.
    pub(super) hashes: RangeInclusive<i32>,
}

impl HashCode {
    /// Whether the hash of a row can be negative.
    pub fn is_signed(&self) -> bool {
        *self.hashes.start() < 0
    }

    /// Whether the hash of a row can be `Integer.MIN_VALUE`, which has no absolute value.
    pub fn reaches_min_value(&self) -> bool {
        *self.hashes.start() == i32::MIN
    }
}

impl Take {
    /// The number of the salt of a message.
    pub(super) fn of_message(&self, hash: Hash, seed: i64, message: &[u8]) -> Number {
        match self {
            Take::HexDigits(digits) => Number::Digits(digits.cut(&hash.digest(seed, message))),
            Take::Number(reduction) => Number::Plain(reduction.of_message(hash, seed, message)),
        }
    }

    /// The hex digits that the salt consists of.
    pub fn hex_digits(&self) -> Option<HexDigits> {
        match self {
            Take::HexDigits(digits) => Some(*digits),
            Take::Number(_) => None,
        }
    }

    pub fn reduction(&self) -> Option<&Reduction> {
        match self {
            Take::HexDigits(_) => None,
            Take::Number(reduction) => Some(reduction),
        }
    }

    /// Every number that rows can have. `hashes` are those that the inputs can have, if they are fewer than all.
    pub(super) fn numbers(&self, hash: Hash, hashes: Option<RangeInclusive<i32>>) -> Numbers {
        match self {
            Take::HexDigits(digits) => Numbers::of_hex_digits(digits.count),
            Take::Number(reduction) => reduction.numbers(hash, hashes),
        }
    }
}

impl HexDigits {
    pub fn new(first: usize, count: usize) -> Self {
        HexDigits { first, count }
    }

    fn cut(self, digest: &[u8; 32]) -> Digits {
        Digits::of_bytes(digest, self.first - 1, self.count)
    }

    /// The last digit, counted from 1.
    pub fn last(self) -> usize {
        self.first + self.count - 1
    }

    fn bits(self) -> u32 {
        4 * self.count as u32
    }
}

impl Reduction {
    /// The remainder of a number with sign.
    pub fn modulo(by: i32, abs: Abs) -> Self {
        Reduction { digits: None, signed: true, mask: None, abs, modulo: Some(by) }
    }

    /// The remainder of a number without sign.
    pub fn unsigned(by: i32) -> Self {
        Reduction { signed: false, ..Reduction::modulo(by, Abs::None) }
    }

    /// The bits of a hash of Java's type `int`.
    pub fn mask(mask: i32) -> Self {
        Reduction { digits: None, signed: true, mask: Some(mask.into()), abs: Abs::None, modulo: None }
    }

    /// The divisor, if the number is a remainder of a signed hash as a whole.
    pub fn signed_modulo(&self) -> Option<(i32, Abs)> {
        let is_plain = self.digits.is_none() && self.signed && self.mask.is_none();
        self.modulo.filter(|_| is_plain).map(|by| (by, self.abs))
    }

    /// The bits of what is taken; `None` for a whole hash of more than 64 bits.
    pub fn bits(&self, hash: Hash) -> Option<u32> {
        self.digits.map_or_else(|| hash.bits(), |digits| Some(digits.bits()).filter(|bits| *bits <= 64))
    }

    fn of_message(&self, hash: Hash, seed: i64, message: &[u8]) -> i128 {
        match self.digits {
            None => match hash.number(seed, message) {
                Some(number) => self.of_number(number, hash.bits().unwrap_or(64)),
                None => self
                    .remainder_of_digits(&hash.digest(seed, message), HexDigits::new(1, hash.hex_digits())),
            },
            Some(digits) => {
                let digest = hash.digest(seed, message);
                match digits.cut(&digest).small_number() {
                    Some(number) => self.of_number(extended(number, digits.bits()), digits.bits()),
                    None => self.remainder_of_digits(&digest, digits),
                }
            }
        }
    }

    /// The number of the salt, from a number of so many bits with a sign.
    pub fn of_number(&self, number: i64, bits: u32) -> i128 {
        if self.signed {
            return self.of_signed(number, least(bits)).into();
        }
        let unused = 64_u32.saturating_sub(bits);
        let number = (number.cast_unsigned() << unused) >> unused;
        let kept = self.mask.map_or(number, |mask| number & mask.cast_unsigned());
        self.modulo.map_or(kept, |by| kept % u64::from(by.unsigned_abs()).max(1)).into()
    }

    /// The number of the salt, as Java computes it of an `int` or a `long` whose smallest number is `least`.
    #[inline]
    pub fn of_signed(&self, number: i64, least: i64) -> i64 {
        let number = self.mask.map_or(number, |mask| number & mask);
        match self.modulo {
            Some(by) => self.abs.remainder(number, by, least),
            None => self.abs.without_sign(number, least),
        }
    }

    /// The remainder of a number of many digits, which has no sign.
    fn remainder_of_digits(&self, digest: &[u8; 32], digits: HexDigits) -> i128 {
        let by = u64::from(self.modulo.unwrap_or(1).unsigned_abs()).max(1);
        let digit = |at: usize| digest.get(at / 2).map_or(0, |byte| byte >> (4 * (1 - at % 2)) & 15);
        let all = digits.first - 1..digits.last();
        all.fold(0, |rest, at| (rest << 4 | u64::from(digit(at))) % by).into()
    }

    /// Every number that the reduction can give.
    pub(super) fn numbers(&self, hash: Hash, hashes: Option<RangeInclusive<i32>>) -> Numbers {
        let greatest_rest = self.modulo.map_or(i128::MAX, |by| i128::from(by.unsigned_abs()) - 1);
        let Some(bits) = self.bits(hash) else { return Numbers::run(0..=greatest_rest) };
        let all = match (self.signed, hashes) {
            (true, Some(hashes)) => i128::from(*hashes.start())..=i128::from(*hashes.end()),
            (true, None) => -(1 << (bits - 1))..=(1 << (bits - 1)) - 1,
            (false, _) => 0..=(1 << bits) - 1,
        };
        match (self.mask, self.modulo) {
            (Some(mask), None) => {
                Numbers::masked(if self.signed { mask } else { (i128::from(mask) & *all.end()) as i64 })
            }
            (Some(mask), Some(by)) => {
                let mask = if self.signed { i128::from(mask) } else { i128::from(mask) & *all.end() };
                Numbers::remainders_of_masked(mask as i64, by)
            }
            (None, _) if !self.signed => Numbers::run(0..=greatest_rest.min(*all.end())),
            (None, _) => self.signed_numbers(&all, greatest_rest, least(bits)),
        }
    }

    fn signed_numbers(&self, all: &RangeInclusive<i128>, greatest_rest: i128, least: i64) -> Numbers {
        // Of a whole hash, every remainder of its sign occurs; a few digits may be less than the divisor.
        let clipped = |end: i128| match self.digits {
            Some(_) => greatest_rest.min(end.abs()),
            None => greatest_rest,
        };
        let (lowest, highest) = if self.modulo.is_some() {
            (clipped(*all.start()), clipped(*all.end()))
        } else {
            (all.start().abs(), all.end().abs())
        };
        let is_signed = *all.start() < 0;
        match self.abs {
            Abs::None if is_signed => return Numbers::run(-lowest..=highest),
            // The bits of a type beyond those of a few digits are those of the sign.
            Abs::Mask if is_signed => return Numbers::run(0..=greatest_rest.min(i128::from(!least))),
            _ => {}
        }
        let usual = Numbers::run(0..=if is_signed { highest.max(lowest) } else { highest });
        let of_least = i128::from(self.of_signed(least, least));
        if of_least < 0 && *all.start() == i128::from(least) {
            // Without a divisor, the absolute value of the smallest number does not occur.
            let usual = if self.modulo.is_some() { usual } else { Numbers::run(0..=highest) };
            return usual.and_rare(of_least..=of_least);
        }
        usual
    }
}

/// The smallest number of the type in which Java computes.
pub(super) fn least(bits: u32) -> i64 {
    if bits <= 32 { i32::MIN.into() } else { i64::MIN }
}

/// A number of so many bits, whose highest one is a sign.
fn extended(number: u64, bits: u32) -> i64 {
    let unused = 64_u32.saturating_sub(bits);
    number.checked_shl(unused).unwrap_or(0).cast_signed() >> unused.min(63)
}

impl Abs {
    /// The remainder that Java computes for an `int` or a `long`, whose smallest number is `least`.
    #[inline]
    pub fn remainder(self, number: i64, by: i32, least: i64) -> i64 {
        let rest = |number: i64| number.checked_rem(by.into()).unwrap_or(0);
        match self {
            Abs::Before => rest(absolute(number, least)),
            Abs::After => rest(number).abs(),
            Abs::Mask => rest(number & !least),
            Abs::None => rest(number),
        }
    }

    /// The number without its sign, if it is not divided.
    fn without_sign(self, number: i64, least: i64) -> i64 {
        match self {
            Abs::Before | Abs::After => absolute(number, least),
            Abs::Mask => number & !least,
            Abs::None => number,
        }
    }
}

/// `Math.abs`, which returns the smallest number unchanged.
fn absolute(number: i64, least: i64) -> i64 {
    if number == least { number } else { number.abs() }
}

/// The arithmetic in Java's notation.
impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.mask, self.modulo, self.abs) {
            (Some(mask), None, _) if mask < 0 => write!(f, "& 0x{:X}", mask as u32),
            (Some(mask), None, _) => write!(f, "& 0x{mask:X}"),
            (Some(mask), Some(by), _) => write!(f, "(hash & 0x{mask:X}) % {by}"),
            (None, Some(by), _) if !self.signed => write!(f, "hash % {by} without sign"),
            (None, Some(by), Abs::Before) => write!(f, "abs(hash) % {by}"),
            (None, Some(by), Abs::After) => write!(f, "abs(hash % {by})"),
            (None, Some(by), Abs::Mask) => write!(f, "(hash & 0x7FFFFFFF) % {by}"),
            (None, Some(by), Abs::None) => write!(f, "hash % {by}"),
            (None, None, Abs::Before | Abs::After) => f.write_str("abs(hash)"),
            (None, None, Abs::Mask) => f.write_str("hash & 0x7FFFFFFF"),
            (None, None, Abs::None) if self.signed => f.write_str("hash with sign"),
            (None, None, Abs::None) => f.write_str("hash"),
        }
    }
}

//! A small random number that is added to a computed salt, as in Pinpoint's `RangeDoubleHash`.

use super::numbers::{Number, Numbers};
use saltplan_document::diag::{Span, Spanned};
use saltplan_document::format::{Key, ValueType, number, optional};
use saltplan_document::mapping;
use saltplan_document::reader::{FileValue, FromFile, Reader};

/// A row's number is the computed one plus a random number in `0..below`; with `modulo`, Java's remainder of this sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spread {
    /// At least 2.
    pub below: u32,
    /// At least `below`; `None` if the sum itself is the number.
    pub modulo: Option<i32>,
}

impl Spread {
    /// The number of a row whose random part is `part`.
    pub fn with_part(self, number: Number, part: u32) -> Number {
        let sum = number.plain().saturating_add(part.into());
        Number::Plain(self.modulo.map_or(sum, |by| sum.checked_rem(by.into()).unwrap_or(0)))
    }

    /// The numbers that a row can have, each once.
    pub(super) fn all(self, number: Number) -> impl Iterator<Item = Number> {
        (0..self.below).map(move |part| self.with_part(number, part))
    }

    /// The numbers of all rows. The computed numbers in `numbers` are consecutive from 0.
    pub(super) fn of_all(self, numbers: &Numbers) -> Numbers {
        let greatest = numbers.range().map_or(0, |range| *range.end());
        let sum = greatest.saturating_add(i128::from(self.below) - 1);
        Numbers::run(0..=self.modulo.map_or(sum, |by| sum.min(i128::from(by) - 1)))
    }
}

pub const PLUS: Key = optional(
    "plus",
    ValueType::Map(&PlusKeys::MAP),
    "{ random: { below: 4 }, modulo: 256 }",
    "A random number added to the computed one: a query reads this many salts instead of one.",
);

mapping! {
    /// A small random part of the salt.
    #[derive(Debug)]
    pub struct PlusKeys {
        /// The random number, from 0 on.
        random: RandomPart = RANDOM, required("random", ValueType::Map(&RandomPart::MAP), "{ below: 4 }")
            by RandomPart::read;
        /// Divisor of the sum; without it the sum is the salt.
        modulo: Option<Spanned<i32>> = MODULO, optional("modulo", number(2, i32::MAX as i64), "256")
            by FromFile::from_file;
    }
}

mapping! {
    /// A random number.
    #[derive(Debug)]
    pub struct RandomPart {
        /// How many random numbers there are.
        below: u32 = BELOW, required("below", number(2, 256), "4");
    }
}

pub(super) fn read(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Spread> {
    let PlusKeys { random: RandomPart { below }, modulo } = PlusKeys::read(reader, value)?;
    if let Some(by) = &modulo
        && i64::from(by.value) < i64::from(below)
    {
        return reader.reject(
            by.span,
            format!("{below} random numbers do not fit {} salts", by.value),
            "smaller than `below`",
            format!("write `modulo: {below}` or more"),
        );
    }
    Some(Spread { below, modulo: modulo.map(|by| by.value) })
}

/// Refuses a spread of numbers that can be negative: the number after -1 depends on how the sum is divided.
pub(crate) fn check(reader: &mut Reader<'_>, numbers: &Numbers, span: Span) -> Option<()> {
    if !numbers.is_signed() {
        return Some(());
    }
    reader.reject(
        span,
        "the computed salt can be negative, and `plus` is only known for numbers from 0 on",
        "added to a negative number",
        "declare `min: 0` of the field, or write `abs: after` or `abs: mask`",
    )
}

//! Whole numbers as row keys store them: integers, and instants as counts of a unit.
//!
//! An encoding is one file of this folder, with all that the program has to know of it behind the trait `Encoding`;
//! `encodings!` lists them. Other rooms ask a [`NumberForm`].

mod be;
mod be_sortable;
mod be_unsigned;
pub(crate) mod big_endian;
mod decimal;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use super::interval::Interval;
use super::value_error::ValueError;
use crate::document::format::{Choice, word};
pub use be_unsigned::MAX_BYTES;
pub use decimal::MAX_DIGITS;
use decimal::read_decimal;
pub(super) use decimal::write_decimal;
pub use decimal::write_digits;

/// How the numbers of a field become bytes, and which numbers it can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberForm {
    pub size: IntegerSize,
    pub encoding: NumberEncoding,
    /// Of an encoding that has one, see [`NumberEncoding::widths`].
    pub width: Option<usize>,
    /// Greater numbers sort first.
    pub descending: bool,
    /// The least and the greatest value, where the file says so.
    pub min: Option<i64>,
    pub max: Option<i64>,
}

/// The type of a number, in Hive and in Java.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntegerSize {
    /// 4 bytes.
    Int,
    /// 8 bytes.
    Bigint,
}

/// The one list of encodings, each with its file.
macro_rules! encodings {
    ($($(#[$about:meta])* $name:ident in $file:ident: $encoding:ident),+ $(,)?) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum NumberEncoding {
            $($(#[$about])* $name),+
        }

        /// The words of `encoding` in a schema file.
        pub static ENCODINGS: Choice<NumberEncoding> =
            Choice(&[$(word($file::WORD, NumberEncoding::$name, $file::ABOUT)),+]);

        impl NumberEncoding {
            fn rules(self) -> &'static dyn Encoding {
                match self {
                    $(NumberEncoding::$name => &$file::$encoding),+
                }
            }
        }
    };
}

encodings! {
    /// Decimal text, zero padded to `width` digits (then never negative) or unpadded.
    Decimal in decimal: DecimalDigits,
    /// Two's complement, big endian: negative values sort after positive ones.
    BigEndian in be: BigEndian,
    /// Two's complement with the sign bit flipped, big endian: sorts as numbers.
    BigEndianSortable in be_sortable: BigEndianSortable,
    /// Never negative, big endian, in `width` bytes: those of the type where none is given.
    BigEndianUnsigned in be_unsigned: BigEndianUnsigned,
}

impl NumberEncoding {
    /// The widths that can be declared, in digits of text and bytes of binary; `None` where the type has one of its own.
    pub fn widths(self) -> Option<RangeInclusive<usize>> {
        self.rules().widths()
    }
}

/// How the order of stored bytes goes with that of the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Rising,
    Falling,
    /// Rising, but negative numbers stand behind the others.
    NegativesLast,
    /// It has nothing to do with it.
    None,
}

/// A run of numbers whose order is the order of their bytes, or the reverse of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MonotonePiece {
    /// First number, and one past the last.
    pub numbers: Interval<i128>,
    pub ascending: bool,
}

/// Encoding of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredNumber {
    Bits(StoredBits),
    /// The digits of the number, or of what is left when it is taken from another.
    Digits {
        minuend: Option<i64>,
        /// To which they are padded; 0 for digits without padding.
        width: usize,
    },
}

/// The bits of a number, some of them inverted, in bytes of which the highest stands first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredBits {
    /// From 1 to 8.
    pub bytes: usize,
    /// Set where the stored bit is the other one; nothing beyond the bytes.
    pub inverted: u64,
    /// They are two's complement, and not those of a number that is never negative.
    pub signed: bool,
}

impl StoredBits {
    fn new(bytes: usize, inverted: u64, signed: bool) -> Self {
        let bytes = bytes.clamp(1, MAX_BYTES);
        StoredBits { bytes, inverted: inverted & big_endian::all_ones(bytes), signed }
    }

    fn read(self, found: &[u8]) -> Result<i64, ValueError> {
        let bits = big_endian::read(found, self.bytes)? ^ self.inverted;
        if self.signed {
            return Ok(big_endian::signed(bits, self.bytes));
        }
        i64::try_from(bits).map_err(|_| ValueError::TooGreat(bits))
    }
}

impl StoredNumber {
    /// Appends the bytes of a number that they can be.
    #[inline]
    fn write(self, number: i64, out: &mut Vec<u8>) {
        match self {
            StoredNumber::Bits(StoredBits { bytes, inverted, .. }) => {
                big_endian::write(number.cast_unsigned() ^ inverted, bytes, out);
            }
            StoredNumber::Digits { minuend, width } => {
                write_decimal(minuend.map_or(number, |max| max.wrapping_sub(number)), width, out);
            }
        }
    }

    /// The number of stored bytes, which may be one that the field cannot have.
    fn read(self, bytes: &[u8]) -> Result<i64, ValueError> {
        match self {
            StoredNumber::Bits(bits) => bits.read(bytes),
            StoredNumber::Digits { minuend, width } => {
                let stored = read_decimal(bytes, width)?;
                Ok(minuend.map_or(stored, |max| max.wrapping_sub(stored)))
            }
        }
    }

    /// Width in bytes when every number has the same.
    fn fixed_width(self) -> Option<usize> {
        match self {
            StoredNumber::Bits(bits) => Some(bits.bytes),
            StoredNumber::Digits { width, .. } => Some(width).filter(|width| *width > 0),
        }
    }
}

/// [`NumberForm::write`] for many numbers: what follows from the form is known ahead.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberWriter {
    form: NumberForm,
    /// The least and the greatest number that the field can have.
    least: i64,
    greatest: i64,
    stored: StoredNumber,
}

impl NumberWriter {
    pub(crate) fn new(form: NumberForm) -> Self {
        let Interval { start, stop } = form.domain();
        let last = stop.map_or(i128::MAX, |stop| stop - 1);
        NumberWriter {
            form,
            least: i64::try_from(start).unwrap_or(i64::MIN),
            greatest: i64::try_from(last).unwrap_or(i64::MAX),
            stored: form.stored(),
        }
    }

    /// Appends the bytes of a number.
    ///
    /// # Errors
    /// As for [`NumberForm::write`].
    #[inline]
    pub(crate) fn write(&self, number: i64, out: &mut Vec<u8>) -> Result<(), ValueError> {
        if !(self.least..=self.greatest).contains(&number) {
            return self.form.write(number, out);
        }
        self.stored.write(number, out);
        Ok(())
    }
}

/// What an encoding knows of itself. `form` has the settings that it is declared with.
trait Encoding {
    /// How a number that it holds is stored.
    fn stored(&self, form: &NumberForm) -> StoredNumber;

    fn widths(&self) -> Option<RangeInclusive<usize>> {
        None
    }

    /// The numbers that it can hold, without regard to `min` and `max`.
    fn holds(&self, form: &NumberForm) -> Interval<i128>;

    fn order(&self, form: &NumberForm) -> Order;

    /// Whether `descending` goes with the other settings.
    fn can_descend(&self, _form: &NumberForm) -> bool {
        true
    }

    /// The bytes that can stand at a place, counted from 0, of a number of fixed width.
    fn bytes_at(&self, form: &NumberForm, place: usize) -> RangeInclusive<u8>;

    /// What a descending number is subtracted from before it is written, where that is how it is written.
    fn minuend(&self, form: &NumberForm) -> Option<i64> {
        form.descending.then(|| form.size.bounds().1)
    }

    /// The one form of all that store the same bytes; `form` has neither `min` nor `max`.
    fn stored_form(&self, form: NumberForm) -> NumberForm {
        form
    }

    /// How numbers become bytes, in words.
    fn describe(&self, form: &NumberForm) -> String;
}

impl IntegerSize {
    pub fn bytes(self) -> usize {
        match self {
            IntegerSize::Int => 4,
            IntegerSize::Bigint => 8,
        }
    }

    /// The least and the greatest number.
    pub fn bounds(self) -> (i64, i64) {
        match self {
            IntegerSize::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
            IntegerSize::Bigint => (i64::MIN, i64::MAX),
        }
    }

    /// Digits of the greatest number.
    pub fn digits(self) -> usize {
        match self {
            IntegerSize::Int => 10,
            IntegerSize::Bigint => 19,
        }
    }

    /// The type in Hive, and in schema files.
    pub fn hive_type(self) -> &'static str {
        match self {
            IntegerSize::Int => "int",
            IntegerSize::Bigint => "bigint",
        }
    }

    /// The greatest number, as Java names it.
    fn java_max(self) -> &'static str {
        match self {
            IntegerSize::Int => "Integer.MAX_VALUE",
            IntegerSize::Bigint => "Long.MAX_VALUE",
        }
    }

    /// All numbers of the type.
    fn numbers(self) -> Interval<i128> {
        let (least, greatest) = self.bounds();
        Interval::new(i128::from(least), Some(i128::from(greatest) + 1))
    }
}

impl NumberForm {
    /// Numbers without any limit but those of the type.
    pub fn new(size: IntegerSize, encoding: NumberEncoding) -> Self {
        NumberForm { size, encoding, width: None, descending: false, min: None, max: None }
    }

    /// Whether the stored bytes are text.
    pub fn is_text(&self) -> bool {
        matches!(self.stored(), StoredNumber::Digits { .. })
    }

    /// Width in bytes when every number has the same.
    pub fn fixed_width(&self) -> Option<usize> {
        self.stored().fixed_width()
    }

    /// The numbers that the field can have.
    pub fn domain(&self) -> Interval<i128> {
        let Interval { start, stop } = self.holds();
        let (min, max) = (self.min.map(i128::from), self.max.map(|max| i128::from(max) + 1));
        let stop = stop.into_iter().chain(max).min();
        Interval::new(min.map_or(start, |min| min.max(start)), stop)
    }

    /// The numbers that the encoding can hold, without regard to `min` and `max`.
    pub fn holds(&self) -> Interval<i128> {
        self.encoding.rules().holds(self)
    }

    /// How the order of stored bytes goes with that of the numbers.
    pub fn order(&self) -> Order {
        self.encoding.rules().order(self)
    }

    /// Whether `descending` goes with the encoding and its width.
    pub(crate) fn can_descend(&self) -> bool {
        self.encoding.rules().can_descend(self)
    }

    /// The bytes that can stand at each place; `None` without a fixed width.
    pub fn bytes_by_place(&self) -> Option<Vec<RangeInclusive<u8>>> {
        let rules = self.encoding.rules();
        Some((0..self.fixed_width()?).map(|place| rules.bytes_at(self, place)).collect())
    }

    /// What a descending number is subtracted from before it is written, where that is how it is written.
    pub fn minuend(&self) -> Option<i64> {
        self.encoding.rules().minuend(self)
    }

    /// The runs of the domain in which bytes sort as the numbers do, or in reverse, in byte order.
    pub(crate) fn monotone_pieces(&self) -> Vec<MonotonePiece> {
        let numbers = self.domain();
        match self.order() {
            Order::None => Vec::new(),
            Order::Rising => vec![MonotonePiece { numbers, ascending: true }],
            Order::Falling => vec![MonotonePiece { numbers, ascending: false }],
            Order::NegativesLast => {
                let stop = numbers.stop.unwrap_or(i128::MAX);
                [(numbers.start.max(0), stop), (numbers.start, stop.min(0))]
                    .into_iter()
                    .filter(|(start, stop)| start < stop)
                    .map(|(start, stop)| MonotonePiece {
                        numbers: Interval::new(start, Some(stop)),
                        ascending: true,
                    })
                    .collect()
            }
        }
    }

    /// Appends the bytes of a number.
    ///
    /// # Errors
    /// The field cannot have it; then nothing is appended.
    pub fn write(&self, number: i64, out: &mut Vec<u8>) -> Result<(), ValueError> {
        self.check(number)?;
        self.stored().write(number, out);
        Ok(())
    }

    /// How its numbers are stored.
    pub fn stored(&self) -> StoredNumber {
        self.encoding.rules().stored(self)
    }

    /// The number of stored bytes.
    ///
    /// # Errors
    /// The bytes are none that [`NumberForm::write`] writes.
    pub fn decode(&self, bytes: &[u8]) -> Result<i64, ValueError> {
        let number = self.stored().read(bytes)?;
        self.check(number)?;
        Ok(number)
    }

    /// The form without what only limits its numbers: the one form of all that store the same bytes.
    #[must_use]
    pub fn stored_form(&self) -> Self {
        self.encoding.rules().stored_form(NumberForm { min: None, max: None, ..*self })
    }

    /// How numbers become bytes, in words, without what only limits them.
    pub fn describe(&self) -> String {
        self.encoding.rules().describe(self)
    }

    fn check(&self, number: i64) -> Result<(), ValueError> {
        if self.domain().contains(&i128::from(number)) {
            return Ok(());
        }
        Err(match (self.min, self.max) {
            (Some(min), _) if number < min => ValueError::BelowMin { number, min },
            (_, Some(max)) if number > max => ValueError::AboveMax { number, max },
            _ => ValueError::OutOfRange(number),
        })
    }

    /// What is said of `MAX - value` beside how it is written.
    fn subtracted(&self, form: String) -> String {
        if self.descending { format!("{} minus the value, {form}", self.size.java_max()) } else { form }
    }
}

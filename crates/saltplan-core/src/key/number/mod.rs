//! Whole numbers as row keys store them: integers, and instants as counts of a unit.
//!
//! Each encoding is one file of this directory and implements the trait `Encoding`; `encodings!` lists them.
//! Other modules use [`NumberForm`].

mod be;
mod be_sortable;
mod be_unsigned;
pub(crate) mod big_endian;
mod decimal;
#[cfg(test)]
mod tests;

pub use saltplan_sql::value::IntegerSize;
use std::ops::RangeInclusive;

use super::interval::Interval;
use super::value_error::ValueError;
pub use be_unsigned::MAX_BYTES;
pub use decimal::MAX_DIGITS;
use decimal::read_decimal;
pub(super) use decimal::write_decimal;
pub use decimal::write_digits;
use saltplan_document::format::{Choice, word};

/// How the numbers of a field are stored, and which numbers are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberForm {
    pub size: IntegerSize,
    pub encoding: NumberEncoding,
    /// For encodings that have a width, see [`NumberEncoding::widths`].
    pub width: Option<usize>,
    /// Greater numbers sort first.
    pub descending: bool,
    /// The smallest and the greatest value, if the file sets them.
    pub min: Option<i64>,
    pub max: Option<i64>,
}

/// The list of encodings, each with its file.
macro_rules! encodings {
    ($($(#[$about:meta])* $name:ident in $file:ident: $encoding:ident),+ $(,)?) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum NumberEncoding {
            $($(#[$about])* $name),+
        }

        /// The values of `encoding` in a schema file.
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
    /// Never negative, big endian, in `width` bytes; by default in the size of the type.
    BigEndianUnsigned in be_unsigned: BigEndianUnsigned,
}

impl NumberEncoding {
    /// The widths that can be declared, in digits for text and bytes for binary; `None` if the type
    /// determines the width.
    pub fn widths(self) -> Option<RangeInclusive<usize>> {
        self.rules().widths()
    }
}

/// How the order of the stored bytes relates to the order of the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Rising,
    Falling,
    /// Ascending, except that negative numbers come after the others.
    NegativesLast,
    /// The two orders are unrelated.
    None,
}

/// An interval of numbers whose order is the byte order or its reverse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MonotonePiece {
    /// The first number, and one past the last.
    pub numbers: Interval<i128>,
    pub ascending: bool,
}

impl MonotonePiece {
    /// How many numbers it has.
    pub(crate) fn count(&self) -> i128 {
        self.numbers.stop.unwrap_or(i128::MAX).saturating_sub(self.numbers.start)
    }

    /// The number at a position in byte order, counted from 0.
    pub(crate) fn at(&self, place: i128) -> i128 {
        match (self.ascending, self.numbers.stop) {
            (false, Some(stop)) => stop - 1 - place,
            _ => self.numbers.start + place,
        }
    }
}

/// How an encoding stores numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredNumber {
    Bits(StoredBits),
    /// The digits of the number, or of the difference from a maximum.
    Digits {
        minuend: Option<i64>,
        /// The padded width; 0 for digits without padding.
        width: usize,
    },
}

/// The bits of a number, some of them inverted, in big-endian bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredBits {
    /// From 1 to 8.
    pub bytes: usize,
    /// The bits that are inverted; zero beyond the stored bytes.
    pub inverted: u64,
    /// The bytes are two's complement and not unsigned.
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
    /// Appends the bytes of a number that fits.
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

    /// The number with these stored bytes, which may be one that the field does not allow.
    fn read(self, bytes: &[u8]) -> Result<i64, ValueError> {
        match self {
            StoredNumber::Bits(bits) => bits.read(bytes),
            StoredNumber::Digits { minuend, width } => {
                let stored = read_decimal(bytes, width)?;
                Ok(minuend.map_or(stored, |max| max.wrapping_sub(stored)))
            }
        }
    }

    /// The width in bytes if all numbers have the same width.
    fn fixed_width(self) -> Option<usize> {
        match self {
            StoredNumber::Bits(bits) => Some(bits.bytes),
            StoredNumber::Digits { width, .. } => Some(width).filter(|width| *width > 0),
        }
    }
}

/// Precomputed form of [`NumberForm::write`] for many numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberWriter {
    form: NumberForm,
    /// The smallest and the greatest number that the field allows.
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

/// The properties of an encoding. `form` has the declared settings.
trait Encoding {
    /// How a number in the range is stored.
    fn stored(&self, form: &NumberForm) -> StoredNumber;

    fn widths(&self) -> Option<RangeInclusive<usize>> {
        None
    }

    /// The numbers that the encoding can represent, ignoring `min` and `max`.
    fn holds(&self, form: &NumberForm) -> Interval<i128> {
        numbers(form.size)
    }

    fn order(&self, form: &NumberForm) -> Order {
        if form.descending { Order::Falling } else { Order::Rising }
    }

    /// Whether `descending` can be combined with the other settings.
    fn can_descend(&self, _form: &NumberForm) -> bool {
        true
    }

    /// The bytes that can occur at a position (from 0) of a number of fixed width.
    fn bytes_at(&self, _form: &NumberForm, _place: usize) -> RangeInclusive<u8> {
        0..=u8::MAX
    }

    /// The maximum from which a descending number is subtracted, if it is stored as a difference.
    fn minuend(&self, form: &NumberForm) -> Option<i64> {
        form.descending.then(|| form.size.bounds().1)
    }

    /// The canonical form of all forms that store the same bytes; `form` has neither `min` nor `max`.
    fn stored_form(&self, form: NumberForm) -> NumberForm {
        form
    }

    /// A description of how numbers are stored.
    fn describe(&self, form: &NumberForm) -> String;
}

/// Java's name for the greatest number of a size.
fn java_max(size: IntegerSize) -> &'static str {
    match size {
        IntegerSize::Tinyint => "Byte.MAX_VALUE",
        IntegerSize::Smallint => "Short.MAX_VALUE",
        IntegerSize::Int => "Integer.MAX_VALUE",
        IntegerSize::Bigint => "Long.MAX_VALUE",
    }
}

/// All numbers of a size.
fn numbers(size: IntegerSize) -> Interval<i128> {
    let (least, greatest) = size.bounds();
    Interval::new(i128::from(least), Some(i128::from(greatest) + 1))
}

impl NumberForm {
    /// All numbers of the type.
    pub fn new(size: IntegerSize, encoding: NumberEncoding) -> Self {
        NumberForm { size, encoding, width: None, descending: false, min: None, max: None }
    }

    /// Whether the stored bytes are text.
    pub fn is_text(&self) -> bool {
        matches!(self.stored(), StoredNumber::Digits { .. })
    }

    /// The width in bytes if all numbers have the same width.
    pub fn fixed_width(&self) -> Option<usize> {
        self.stored().fixed_width()
    }

    /// The numbers that the field allows.
    pub fn domain(&self) -> Interval<i128> {
        let Interval { start, stop } = self.holds();
        let (min, max) = (self.min.map(i128::from), self.max.map(|max| i128::from(max) + 1));
        let stop = stop.into_iter().chain(max).min();
        Interval::new(min.map_or(start, |min| min.max(start)), stop)
    }

    /// The numbers that the encoding can represent, ignoring `min` and `max`.
    pub fn holds(&self) -> Interval<i128> {
        self.encoding.rules().holds(self)
    }

    /// How the order of the stored bytes relates to the order of the numbers.
    pub fn order(&self) -> Order {
        self.encoding.rules().order(self)
    }

    /// Whether `descending` can be combined with the encoding and its width.
    pub(crate) fn can_descend(&self) -> bool {
        self.encoding.rules().can_descend(self)
    }

    /// The bytes that can occur at each position; `None` without a fixed width.
    pub fn bytes_by_place(&self) -> Option<Vec<RangeInclusive<u8>>> {
        let rules = self.encoding.rules();
        Some((0..self.fixed_width()?).map(|place| rules.bytes_at(self, place)).collect())
    }

    /// The maximum from which a descending number is subtracted, if it is stored as a difference.
    pub fn minuend(&self) -> Option<i64> {
        self.encoding.rules().minuend(self)
    }

    /// The parts of the domain in which the bytes sort like the numbers, or in reverse, in byte order.
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
    /// The field does not allow the number; then nothing is appended.
    pub fn write(&self, number: i64, out: &mut Vec<u8>) -> Result<(), ValueError> {
        self.check(number)?;
        self.stored().write(number, out);
        Ok(())
    }

    /// How its numbers are stored.
    pub fn stored(&self) -> StoredNumber {
        self.encoding.rules().stored(self)
    }

    /// The number with these stored bytes.
    ///
    /// # Errors
    /// The bytes are not the encoding of any number.
    pub fn decode(&self, bytes: &[u8]) -> Result<i64, ValueError> {
        let number = self.stored().read(bytes)?;
        self.check(number)?;
        Ok(number)
    }

    /// The canonical form of all forms that store the same bytes, without limits.
    #[must_use]
    pub fn stored_form(&self) -> Self {
        self.encoding.rules().stored_form(NumberForm { min: None, max: None, ..*self })
    }

    /// A description of how numbers are stored, without limits.
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

    /// How a difference from a maximum is described in addition to its encoding.
    fn subtracted(&self, form: String) -> String {
        match self.minuend() {
            None => form,
            Some(max) if max == self.size.bounds().1 => {
                format!("{} minus the value, {form}", java_max(self.size))
            }
            Some(max) => format!("{max} minus the value, {form}"),
        }
    }
}

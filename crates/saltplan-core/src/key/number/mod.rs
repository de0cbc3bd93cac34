//! Whole numbers as row keys store them: integers, and instants as counts of a unit.
//!
//! An encoding is one file of this folder, with all that the program has to know of it behind the trait `Encoding`; the
//! enum [`NumberEncoding`] lists them. Other rooms ask a [`NumberForm`].

mod be;
mod be_sortable;
mod be_unsigned;
mod big_endian;
mod decimal;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use super::interval::Interval;
use super::value_error::ValueError;
pub use be_unsigned::MAX_BYTES;
pub use decimal::MAX_DIGITS;
pub(super) use decimal::write_decimal;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberEncoding {
    /// Decimal text, zero padded to `width` digits (then never negative) or unpadded.
    Decimal,
    /// Two's complement, big endian: negative values sort after positive ones.
    BigEndian,
    /// Two's complement with the sign bit flipped, big endian: sorts as numbers.
    BigEndianSortable,
    /// Never negative, big endian, in `width` bytes: those of the type where none is given.
    BigEndianUnsigned,
}

impl NumberEncoding {
    /// The one place that knows every encoding.
    fn rules(self) -> &'static dyn Encoding {
        match self {
            NumberEncoding::Decimal => &decimal::DecimalDigits,
            NumberEncoding::BigEndian => &be::BigEndian,
            NumberEncoding::BigEndianSortable => &be_sortable::BigEndianSortable,
            NumberEncoding::BigEndianUnsigned => &be_unsigned::BigEndianUnsigned,
        }
    }

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
pub struct MonotonePiece {
    /// First number, and one past the last.
    pub numbers: Interval<i128>,
    pub ascending: bool,
}

/// What an encoding knows of itself. `form` has the settings that it is declared with.
trait Encoding {
    /// Whether the stored bytes are text.
    fn is_text(&self) -> bool {
        false
    }

    fn widths(&self) -> Option<RangeInclusive<usize>> {
        None
    }

    /// Width in bytes when every number has the same.
    fn fixed_width(&self, form: &NumberForm) -> Option<usize>;

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

    /// Appends the bytes of a number that it holds.
    fn write(&self, form: &NumberForm, number: i64, out: &mut Vec<u8>);

    /// The number of stored bytes, which may be one that the field cannot have.
    fn read(&self, form: &NumberForm, bytes: &[u8]) -> Result<i64, ValueError>;

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
        self.encoding.rules().is_text()
    }

    /// Width in bytes when every number has the same.
    pub fn fixed_width(&self) -> Option<usize> {
        self.encoding.rules().fixed_width(self)
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
    pub fn can_descend(&self) -> bool {
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
    pub fn monotone_pieces(&self) -> Vec<MonotonePiece> {
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
        self.encoding.rules().write(self, number, out);
        Ok(())
    }

    /// The number of stored bytes.
    ///
    /// # Errors
    /// The bytes are none that [`NumberForm::write`] writes.
    pub fn decode(&self, bytes: &[u8]) -> Result<i64, ValueError> {
        let number = self.encoding.rules().read(self, bytes)?;
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

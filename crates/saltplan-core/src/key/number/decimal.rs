//! `decimal`: digits, with or without zero padding.

use std::ops::RangeInclusive;

use super::{Encoding, IntegerSize, NumberForm, Order, StoredNumber};
use crate::key::interval::Interval;
use crate::key::value_error::ValueError;

/// More padding is useless: a bigint has 19 digits.
pub const MAX_DIGITS: usize = 64;

pub(super) const WORD: &str = "decimal";
pub(super) const ABOUT: &str = "text, padded with zeros to `width`";

pub(super) struct DecimalDigits;

impl Encoding for DecimalDigits {
    fn stored(&self, form: &NumberForm) -> StoredNumber {
        StoredNumber::Digits { minuend: form.minuend(), width: form.width.unwrap_or(0) }
    }

    fn widths(&self) -> Option<RangeInclusive<usize>> {
        Some(1..=MAX_DIGITS)
    }

    fn holds(&self, form: &NumberForm) -> Interval<i128> {
        let all = super::numbers(form.size);
        match form.width {
            Some(width) => Interval::new(0, all.stop.map(|stop| stop.min(above_digits(width)))),
            None if form.descending => Interval::new(0, all.stop),
            None => all,
        }
    }

    fn order(&self, form: &NumberForm) -> Order {
        match (form.width, form.descending) {
            (None, _) => Order::None,
            (Some(_), false) => Order::Rising,
            (Some(_), true) => Order::Falling,
        }
    }

    fn can_descend(&self, form: &NumberForm) -> bool {
        form.width.is_some_and(|width| width <= form.size.digits())
    }

    /// The greatest number of the width: 9999 in four digits, MAX in as many digits as MAX has.
    fn minuend(&self, form: &NumberForm) -> Option<i64> {
        let greatest = form.size.bounds().1;
        let nines = form.width.map(|width| above_digits(width) - 1);
        let nines = nines.and_then(|nines| i64::try_from(nines).ok());
        form.descending.then(|| nines.map_or(greatest, |nines| nines.min(greatest)))
    }

    fn bytes_at(&self, _: &NumberForm, _: usize) -> RangeInclusive<u8> {
        b'0'..=b'9'
    }

    /// The digits do not depend on the type, except where they are subtracted from its maximum.
    fn stored_form(&self, form: NumberForm) -> NumberForm {
        let of_any_type = NumberForm { size: IntegerSize::Bigint, ..form };
        if self.minuend(&of_any_type) == self.minuend(&form) { of_any_type } else { form }
    }

    fn describe(&self, form: &NumberForm) -> String {
        form.subtracted(match form.width {
            Some(width) => format!("{width} decimal digits"),
            None => "decimal digits without padding".into(),
        })
    }
}

/// The first number that has more digits.
fn above_digits(width: usize) -> i128 {
    u32::try_from(width).ok().and_then(|digits| 10_i128.checked_pow(digits)).unwrap_or(i128::MAX)
}

/// Zero-padded decimal text. The sign counts as one of the digits, as in Java's `%03d`.
pub(crate) fn write_decimal(number: i64, width: usize, out: &mut Vec<u8>) {
    if width <= 1 && (0..10).contains(&number) {
        return out.push(b'0' + number as u8);
    }
    let mut width = width;
    if number < 0 {
        out.push(b'-');
        width = width.saturating_sub(1);
    }
    let number = number.unsigned_abs();
    let digits = number.checked_ilog10().map_or(1, |power| power as usize + 1);
    write_digits(number, width.max(digits), out);
}

/// Appends the last digits of a number. It has no data-dependent branch and assembles the digits in a
/// register: a branch on a random number would cost as much as all of it, and so would reading a word where
/// single bytes were just written.
pub fn write_digits(number: u64, width: usize, out: &mut Vec<u8>) {
    let end = out.len() + width;
    if width <= DIGITS_OF_A_WORD {
        let text = eight_digits(number % TEXTS_OF_A_WORD);
        let text = text.checked_shr(u64::BITS - 8 * width as u32).unwrap_or(0);
        out.extend_from_slice(&text.to_le_bytes());
    } else {
        write_digits(number / TEXTS_OF_A_WORD, width - DIGITS_OF_A_WORD, out);
        out.extend_from_slice(&eight_digits(number % TEXTS_OF_A_WORD).to_le_bytes());
    }
    out.truncate(end);
}

/// The number of digits that fit into 64 bits, and 10 to that power.
const DIGITS_OF_A_WORD: usize = 8;
const TEXTS_OF_A_WORD: u64 = 100_000_000;

/// The eight digits of a number below 10^8, the first in the lowest byte. Halves, pairs and digits are each
/// split with one multiplication (by 1/100 as 10486/2^20, by 1/10 as 103/2^10, which is exact in this range).
fn eight_digits(number: u64) -> u64 {
    let halves = (number / 10_000) | ((number % 10_000) << 32);
    let hundreds = ((halves * 10_486) >> 20) & 0x0000_007F_0000_007F;
    let quarters = hundreds | ((halves - 100 * hundreds) << 16);
    let tens = ((quarters * 103) >> 10) & 0x000F_000F_000F_000F;
    (tens | ((quarters - 10 * tens) << 8)) + 0x3030_3030_3030_3030
}

/// Accepts only the spelling that is written: no plus sign, no extra zeros.
pub(super) fn read_decimal(bytes: &[u8], width: usize) -> Result<i64, ValueError> {
    let text = std::str::from_utf8(bytes).map_err(|_| ValueError::NotUtf8)?;
    let number: i64 = text.parse().map_err(|_| ValueError::NoDigits(text.to_string()))?;
    let mut canonical = Vec::with_capacity(bytes.len());
    write_decimal(number, width, &mut canonical);
    if canonical == bytes {
        Ok(number)
    } else {
        let stored = String::from_utf8_lossy(&canonical).into_owned();
        Err(ValueError::Spelling { text: text.to_string(), number, stored })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn digits_are_those_of_the_formatter(number: i64, bits in 0u32..64, width in 0usize..70) {
            let number = number >> bits;
            let mut written = Vec::new();
            write_decimal(number, width, &mut written);
            prop_assert_eq!(String::from_utf8(written).unwrap(), format!("{number:0width$}"));
        }
    }

    #[test]
    fn the_ends_of_eight_digits() {
        for number in (0..10_000).flat_map(|n| [n, n * 10_000, 10_000 * n + 9_999 - n]) {
            assert_eq!(eight_digits(number).to_le_bytes(), format!("{number:08}").as_bytes());
        }
    }
}

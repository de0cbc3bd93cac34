//! `decimal`: digits, padded with zeros or not.

use std::ops::RangeInclusive;

use super::{Encoding, IntegerSize, NumberForm, Order};
use crate::key::interval::Interval;
use crate::key::value_error::ValueError;

/// Zero padding beyond this helps nobody: a bigint has 19 digits.
pub const MAX_DIGITS: usize = 64;

pub(super) struct DecimalDigits;

impl Encoding for DecimalDigits {
    fn is_text(&self) -> bool {
        true
    }

    fn widths(&self) -> Option<RangeInclusive<usize>> {
        Some(1..=MAX_DIGITS)
    }

    fn fixed_width(&self, form: &NumberForm) -> Option<usize> {
        form.width
    }

    fn holds(&self, form: &NumberForm) -> Interval<i128> {
        let all = form.size.numbers();
        match form.width {
            Some(width) => {
                let digits = u32::try_from(width).ok();
                let limit = digits.and_then(|digits| 10i128.checked_pow(digits)).unwrap_or(i128::MAX);
                Interval::new(0, all.stop.map(|stop| stop.min(limit)))
            }
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

    /// `MAX - value` has one width in the digits of MAX.
    fn can_descend(&self, form: &NumberForm) -> bool {
        form.width == Some(form.size.digits())
    }

    fn bytes_at(&self, _: &NumberForm, _: usize) -> RangeInclusive<u8> {
        b'0'..=b'9'
    }

    fn write(&self, form: &NumberForm, number: i64, out: &mut Vec<u8>) {
        let stored = form.minuend().map_or(number, |max| max.wrapping_sub(number));
        write_decimal(stored, form.width.unwrap_or(0), out);
    }

    fn read(&self, form: &NumberForm, bytes: &[u8]) -> Result<i64, ValueError> {
        let stored = decode_decimal(bytes, form.width)?;
        let number = form.minuend().map_or(stored, |max| max.wrapping_sub(stored));
        Ok(number)
    }

    /// Digits are the same for any size, but for the maximum that they are taken from.
    fn stored_form(&self, form: NumberForm) -> NumberForm {
        if form.descending { form } else { NumberForm { size: IntegerSize::Bigint, ..form } }
    }

    fn describe(&self, form: &NumberForm) -> String {
        form.subtracted(match form.width {
            Some(width) => format!("{width} decimal digits"),
            None => "decimal digits without padding".into(),
        })
    }
}

/// Decimal text, zero padded: the sign counts as one of the digits, as in Java's `%03d`.
pub(crate) fn write_decimal(number: i64, width: usize, out: &mut Vec<u8>) {
    // 2^64 has twenty digits.
    let mut digits = [b'0'; 20];
    let mut rest = number.unsigned_abs();
    let mut first = digits.len();
    while rest > 0 || first == digits.len() {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    let sign = usize::from(number < 0);
    if number < 0 {
        out.push(b'-');
    }
    let digits = &digits[first..];
    out.resize(out.len() + width.saturating_sub(sign + digits.len()), b'0');
    out.extend_from_slice(digits);
}

/// Takes the one spelling that is written: no plus sign, no extra zeros.
fn decode_decimal(bytes: &[u8], width: Option<usize>) -> Result<i64, ValueError> {
    let text = std::str::from_utf8(bytes).map_err(|_| ValueError::NotUtf8)?;
    let number: i64 = text.parse().map_err(|_| ValueError::NoDigits(text.to_string()))?;
    let mut canonical = Vec::with_capacity(bytes.len());
    write_decimal(number, width.unwrap_or(0), &mut canonical);
    if canonical == bytes {
        Ok(number)
    } else {
        let stored = String::from_utf8_lossy(&canonical).into_owned();
        Err(ValueError::Spelling { text: text.to_string(), number, stored })
    }
}

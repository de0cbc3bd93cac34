//! `be`: two's complement, big endian.

use std::ops::RangeInclusive;

use super::{Encoding, NumberForm, Order, big_endian};
use crate::key::interval::Interval;
use crate::key::value_error::ValueError;

pub(super) struct BigEndian;

impl Encoding for BigEndian {
    fn fixed_width(&self, form: &NumberForm) -> Option<usize> {
        Some(form.size.bytes())
    }

    fn holds(&self, form: &NumberForm) -> Interval<i128> {
        form.size.numbers()
    }

    fn order(&self, form: &NumberForm) -> Order {
        if form.descending { Order::Falling } else { Order::NegativesLast }
    }

    fn bytes_at(&self, _: &NumberForm, _: usize) -> RangeInclusive<u8> {
        0..=u8::MAX
    }

    /// The low bytes of the difference, also where `MAX - value` has left the range of an `int`.
    fn write(&self, form: &NumberForm, number: i64, out: &mut Vec<u8>) {
        let stored = form.minuend().map_or(number, |max| max.wrapping_sub(number));
        big_endian::write(stored.cast_unsigned(), form.size.bytes(), out);
    }

    fn read(&self, form: &NumberForm, bytes: &[u8]) -> Result<i64, ValueError> {
        let size = form.size.bytes();
        let stored = big_endian::read(bytes, size)?.cast_signed();
        let number = form.minuend().map_or(stored, |max| max.wrapping_sub(stored));
        Ok(big_endian::signed(number.cast_unsigned(), size))
    }

    fn describe(&self, form: &NumberForm) -> String {
        form.subtracted(format!("{} bytes two's complement", form.size.bytes()))
    }
}

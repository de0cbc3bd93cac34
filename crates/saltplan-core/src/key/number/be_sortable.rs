//! `be_sortable`: two's complement with the sign bit flipped, big endian.

use std::ops::RangeInclusive;

use super::{Encoding, NumberForm, Order, big_endian};
use crate::key::interval::Interval;
use crate::key::value_error::ValueError;

pub(super) struct BigEndianSortable;

impl Encoding for BigEndianSortable {
    fn fixed_width(&self, form: &NumberForm) -> Option<usize> {
        Some(form.size.bytes())
    }

    fn holds(&self, form: &NumberForm) -> Interval<i128> {
        form.size.numbers()
    }

    fn order(&self, _: &NumberForm) -> Order {
        Order::Rising
    }

    fn can_descend(&self, _: &NumberForm) -> bool {
        false
    }

    fn bytes_at(&self, _: &NumberForm, _: usize) -> RangeInclusive<u8> {
        0..=u8::MAX
    }

    fn write(&self, form: &NumberForm, number: i64, out: &mut Vec<u8>) {
        big_endian::write(number.cast_unsigned() ^ sign(form), form.size.bytes(), out);
    }

    fn read(&self, form: &NumberForm, bytes: &[u8]) -> Result<i64, ValueError> {
        let size = form.size.bytes();
        Ok(big_endian::signed(big_endian::read(bytes, size)? ^ sign(form), size))
    }

    fn describe(&self, form: &NumberForm) -> String {
        format!("{} bytes sortable", form.size.bytes())
    }
}

/// The highest bit of the type.
fn sign(form: &NumberForm) -> u64 {
    form.size.bounds().0.cast_unsigned()
}

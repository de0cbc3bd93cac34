//! `be_sortable`: two's complement with the sign bit flipped, big endian.

use std::ops::RangeInclusive;

use super::be::BigEndian;
use super::{Encoding, NumberEncoding, NumberForm, Order, big_endian};
use crate::key::interval::Interval;
use crate::key::value_error::ValueError;

/// Descending, all its bytes are inverted, as in Phoenix' `DESC`: those are the bytes of a descending `be`.
pub(super) struct BigEndianSortable;

impl Encoding for BigEndianSortable {
    fn fixed_width(&self, form: &NumberForm) -> Option<usize> {
        Some(form.size.bytes())
    }

    fn holds(&self, form: &NumberForm) -> Interval<i128> {
        form.size.numbers()
    }

    fn order(&self, form: &NumberForm) -> Order {
        if form.descending { Order::Falling } else { Order::Rising }
    }

    fn bytes_at(&self, _: &NumberForm, _: usize) -> RangeInclusive<u8> {
        0..=u8::MAX
    }

    fn write(&self, form: &NumberForm, number: i64, out: &mut Vec<u8>) {
        if form.descending {
            return BigEndian.write(form, number, out);
        }
        big_endian::write(number.cast_unsigned() ^ sign(form), form.size.bytes(), out);
    }

    fn read(&self, form: &NumberForm, bytes: &[u8]) -> Result<i64, ValueError> {
        if form.descending {
            return BigEndian.read(form, bytes);
        }
        let size = form.size.bytes();
        Ok(big_endian::signed(big_endian::read(bytes, size)? ^ sign(form), size))
    }

    fn stored_form(&self, form: NumberForm) -> NumberForm {
        let encoding = if form.descending { NumberEncoding::BigEndian } else { form.encoding };
        NumberForm { encoding, ..form }
    }

    fn describe(&self, form: &NumberForm) -> String {
        if form.descending {
            return BigEndian.describe(form);
        }
        format!("{} bytes sortable", form.size.bytes())
    }
}

/// The highest bit of the type.
fn sign(form: &NumberForm) -> u64 {
    form.size.bounds().0.cast_unsigned()
}

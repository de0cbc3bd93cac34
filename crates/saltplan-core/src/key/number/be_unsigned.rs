//! `be_unsigned`: numbers that are never negative, big endian, with a declared number of bytes.

use std::ops::RangeInclusive;

use super::{Encoding, IntegerSize, NumberForm, StoredBits, StoredNumber, big_endian};
use crate::key::interval::Interval;

/// Values have 64 bits.
pub const MAX_BYTES: usize = 8;

pub(super) const WORD: &str = "be_unsigned";
pub(super) const ABOUT: &str = "big-endian, never negative, in `width` bytes or the size of the type";

pub(super) struct BigEndianUnsigned;

impl Encoding for BigEndianUnsigned {
    fn widths(&self) -> Option<RangeInclusive<usize>> {
        Some(1..=MAX_BYTES)
    }

    fn stored(&self, form: &NumberForm) -> StoredNumber {
        let inverted = if form.descending { u64::MAX } else { 0 };
        StoredNumber::Bits(StoredBits::new(bytes(form), inverted, false))
    }

    fn holds(&self, form: &NumberForm) -> Interval<i128> {
        let limit = i128::from(big_endian::all_ones(bytes(form))) + 1;
        Interval::new(0, super::numbers(form.size).stop.map(|stop| stop.min(limit)))
    }

    /// Bytes before those of the greatest number are constant.
    fn bytes_at(&self, form: &NumberForm, place: usize) -> RangeInclusive<u8> {
        let greatest = self.holds(form).stop.map_or(i128::MAX, |stop| stop - 1);
        let behind = bytes(form).saturating_sub(place + 1).min(MAX_BYTES);
        let high = u8::try_from(greatest >> (8 * behind)).unwrap_or(u8::MAX);
        if form.descending { !high..=u8::MAX } else { 0..=high }
    }

    /// The key stores (all ones) minus the value. With eight bytes that maximum does not fit a signed 64-bit
    /// number.
    fn minuend(&self, _: &NumberForm) -> Option<i64> {
        None
    }

    fn stored_form(&self, form: NumberForm) -> NumberForm {
        NumberForm { size: IntegerSize::Bigint, width: Some(bytes(&form)), ..form }
    }

    fn describe(&self, form: &NumberForm) -> String {
        let inverted = if form.descending { ", every bit inverted" } else { "" };
        format!("{} bytes unsigned{inverted}", bytes(form))
    }
}

fn bytes(form: &NumberForm) -> usize {
    form.width.unwrap_or_else(|| form.size.bytes())
}

//! `be`: two's complement, big endian.

use super::{Encoding, NumberForm, Order, StoredBits, StoredNumber};

pub(super) const WORD: &str = "be";
pub(super) const ABOUT: &str = "big-endian two's complement: negative numbers sort last";

pub(super) struct BigEndian;

impl Encoding for BigEndian {
    /// A descending number is all ones except the sign bit, minus the number. That is the number with these bits inverted.
    fn stored(&self, form: &NumberForm) -> StoredNumber {
        let inverted = form.minuend().unwrap_or(0).cast_unsigned();
        StoredNumber::Bits(StoredBits::new(form.size.bytes(), inverted, true))
    }

    fn order(&self, form: &NumberForm) -> Order {
        if form.descending { Order::Falling } else { Order::NegativesLast }
    }

    fn describe(&self, form: &NumberForm) -> String {
        form.subtracted(format!("{} bytes two's complement", form.size.bytes()))
    }
}

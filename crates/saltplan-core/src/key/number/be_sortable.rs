//! `be_sortable`: two's complement with the sign bit flipped, big endian.

use super::be::BigEndian;
use super::{Encoding, NumberEncoding, NumberForm, StoredBits, StoredNumber};

pub(super) const WORD: &str = "be_sortable";
pub(super) const ABOUT: &str = "the same with the sign bit flipped: sorts in numeric order";

/// For `descending` all bits are inverted, as in Phoenix' `DESC`. A descending `be` has the same bytes.
pub(super) struct BigEndianSortable;

impl Encoding for BigEndianSortable {
    fn stored(&self, form: &NumberForm) -> StoredNumber {
        if form.descending {
            return BigEndian.stored(form);
        }
        let sign = form.size.bounds().0.cast_unsigned();
        StoredNumber::Bits(StoredBits::new(form.size.bytes(), sign, true))
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

use super::*;

fn encoded(form: &NumberForm, number: i64) -> Vec<u8> {
    let mut bytes = Vec::new();
    form.write(number, &mut bytes).unwrap();
    bytes
}

/// `Bytes.toBytes` of HBase, and `PLong` and `PInteger` of Phoenix, which flip the sign bit.
#[test]
fn published_bytes() {
    let long = |encoding| NumberForm::new(IntegerSize::Bigint, encoding);
    let int = |encoding| NumberForm::new(IntegerSize::Int, encoding);
    assert_eq!(encoded(&long(NumberEncoding::BigEndian), -2), (-2i64).to_be_bytes());
    assert_eq!(encoded(&int(NumberEncoding::BigEndian), 258), [0, 0, 1, 2]);
    assert_eq!(encoded(&int(NumberEncoding::BigEndianSortable), 1), [0x80, 0, 0, 1]);
    assert_eq!(encoded(&int(NumberEncoding::BigEndianSortable), -1), [0x7F, 0xFF, 0xFF, 0xFF]);
    let descending = NumberForm { descending: true, ..int(NumberEncoding::BigEndian) };
    assert_eq!(encoded(&descending, 5), [0x7F, 0xFF, 0xFF, 0xFA]);
    assert_eq!(encoded(&descending, -1), [0x80, 0, 0, 0]);
}

/// Digits beyond the range of the type are no number of it; cut to 32 bits these were 1.
#[test]
fn digits_past_the_type_are_refused() {
    let form = NumberForm::new(IntegerSize::Int, NumberEncoding::Decimal);
    assert_eq!(form.decode(b"4294967297"), Err(ValueError::OutOfRange(4_294_967_297)));
    assert_eq!(form.decode(b"2147483647"), Ok(2_147_483_647));
}

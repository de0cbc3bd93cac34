use super::*;

fn encoded(form: &NumberForm, number: i64) -> Vec<u8> {
    let mut bytes = Vec::new();
    form.write(number, &mut bytes).unwrap();
    bytes
}

/// As in HBase's `Bytes.toBytes` and Phoenix' `PLong` and `PInteger`, which flip the sign bit.
#[test]
fn published_bytes() {
    let long = |encoding| NumberForm::new(IntegerSize::Bigint, encoding);
    let int = |encoding| NumberForm::new(IntegerSize::Int, encoding);
    assert_eq!(encoded(&long(NumberEncoding::BigEndian), -2), (-2i64).to_be_bytes());
    assert_eq!(encoded(&int(NumberEncoding::BigEndian), 258), [0, 0, 1, 2]);
    let one_byte = |encoding| NumberForm::new(IntegerSize::Tinyint, encoding);
    let two_bytes = |encoding| NumberForm::new(IntegerSize::Smallint, encoding);
    assert_eq!(encoded(&one_byte(NumberEncoding::BigEndianSortable), -128), [0]);
    assert_eq!(encoded(&one_byte(NumberEncoding::BigEndian), -1), [0xFF]);
    assert_eq!(encoded(&two_bytes(NumberEncoding::BigEndianSortable), -2), [0x7F, 0xFE]);
    assert_eq!(encoded(&int(NumberEncoding::BigEndianSortable), 1), [0x80, 0, 0, 1]);
    assert_eq!(encoded(&int(NumberEncoding::BigEndianSortable), -1), [0x7F, 0xFF, 0xFF, 0xFF]);
    let descending = NumberForm { descending: true, ..int(NumberEncoding::BigEndian) };
    assert_eq!(encoded(&descending, 5), [0x7F, 0xFF, 0xFF, 0xFA]);
    assert_eq!(encoded(&descending, -1), [0x80, 0, 0, 0]);
}

/// Digits beyond the range of the type are refused; truncated to 32 bits these would be 1.
#[test]
fn digits_beyond_the_type_are_refused() {
    let form = NumberForm::new(IntegerSize::Int, NumberEncoding::Decimal);
    assert_eq!(form.decode(b"4294967297"), Err(ValueError::OutOfRange(4_294_967_297)));
    assert_eq!(form.decode(b"2147483647"), Ok(2_147_483_647));
}

/// Phoenix' `PLong` and `PUnsignedInt` with `DESC`: every bit inverted.
#[test]
fn descending_bits_are_inverted() {
    for (encoding, number) in [
        (NumberEncoding::BigEndianSortable, -7),
        (NumberEncoding::BigEndianSortable, i64::MAX),
        (NumberEncoding::BigEndianUnsigned, 7),
        (NumberEncoding::BigEndianUnsigned, i64::MAX),
    ] {
        let rising = NumberForm::new(IntegerSize::Bigint, encoding);
        let falling = NumberForm { descending: true, ..rising };
        let inverted: Vec<u8> = encoded(&rising, number).iter().map(|byte| !byte).collect();
        assert_eq!(encoded(&falling, number), inverted);
        assert_eq!(falling.decode(&inverted), Ok(number));
    }
}

#[test]
fn forms_with_the_same_bytes_are_equal() {
    let form = |encoding| NumberForm::new(IntegerSize::Int, encoding);
    let descending = |encoding| NumberForm { descending: true, ..form(encoding) };
    let alike = [
        (descending(NumberEncoding::BigEndian), descending(NumberEncoding::BigEndianSortable)),
        (
            form(NumberEncoding::BigEndianUnsigned),
            NumberForm {
                width: Some(4),
                size: IntegerSize::Bigint,
                max: Some(9),
                ..form(NumberEncoding::BigEndianUnsigned)
            },
        ),
        (
            form(NumberEncoding::Decimal),
            NumberForm { size: IntegerSize::Bigint, ..form(NumberEncoding::Decimal) },
        ),
    ];
    for (one, other) in alike {
        assert_eq!(one.stored_form(), other.stored_form());
        assert_eq!(encoded(&one, 7), encoded(&other, 7));
    }
    let sizes = [IntegerSize::Tinyint, IntegerSize::Smallint, IntegerSize::Int, IntegerSize::Bigint];
    let [tiny, small, int, long] =
        sizes.map(|size| NumberForm::new(size, NumberEncoding::BigEndian).stored_form());
    assert!(tiny != small && small != int && int != long);
}

/// OpenTSDB's ids have three bytes.
#[test]
fn unsigned_numbers_have_their_width() {
    let form =
        NumberForm { width: Some(3), ..NumberForm::new(IntegerSize::Int, NumberEncoding::BigEndianUnsigned) };
    assert_eq!(encoded(&form, 258), [0, 1, 2]);
    assert_eq!(form.decode(&[0xFF; 3]), Ok(16_777_215));
    assert_eq!(form.decode(&[0; 4]), Err(ValueError::ByteCount { found: 4, stored: 3 }));
    assert_eq!(form.write(16_777_216, &mut Vec::new()), Err(ValueError::OutOfRange(16_777_216)));
    let long = NumberForm { width: None, size: IntegerSize::Bigint, ..form };
    assert_eq!(long.decode(&[0xFF; 8]), Err(ValueError::TooGreat(u64::MAX)));
    let wide = NumberForm { width: Some(6), descending: true, ..form };
    let places = wide.bytes_by_place().unwrap();
    assert_eq!(places[..3], [0xFF..=0xFF, 0xFF..=0xFF, 0x80..=0xFF]);
}

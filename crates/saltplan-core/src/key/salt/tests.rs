use super::*;
use crate::key::chars::Chars;
use crate::key::field::{CalendarField, FieldId, TextField};
use crate::key::id::Id;
use crate::key::java;
use crate::key::layout::RowKey;
use crate::key::number::{IntegerSize, NumberEncoding, NumberForm};
use crate::key::text_form::TextForm;
use crate::key::window::Window;
use saltplan_sql::time::format::TimeFormat;

fn text_field(name: &str, width: Option<usize>, chars: &str) -> Field {
    Field {
        name: name.into(),
        kind: FieldKind::Text(TextField {
            width,
            chars: Chars::parse(chars).unwrap(),
            values: None,
            reverse: false,
            nullable: false,
            form: TextForm::default(),
        }),
        stored: true,
        window: Window::default(),
        separator: Vec::new(),
    }
}

fn day_field() -> Field {
    let format = TimeFormat::parse("yyyyMMdd").unwrap();
    Field {
        name: "day".into(),
        kind: FieldKind::Calendar(CalendarField {
            format,
            time_of_day: false,
            hive_type: crate::key::field::CalendarType::Int,
        }),
        stored: true,
        window: Window::default(),
        separator: Vec::new(),
    }
}

fn whole(position: usize) -> SaltInput {
    SaltInput::whole(FieldId::new(position))
}

fn salt(scheme: SaltScheme, write: SaltWrite) -> Salt {
    Salt { scheme, spread: None, behind: Vec::new(), write, separator: Vec::new() }
}

#[test]
fn a_constant_text_is_a_part_of_the_salt() {
    let key = key(vec![text_field("id", None, "alnum")]);
    let take = Take::Number(Reduction::modulo(20, Abs::None));
    let scheme =
        |take| SaltScheme::Hash(HashSalt::new(Spelling::Hash, Hash::StringCode, SaltInputs::Key, take));
    let behind = |scheme, write, separator: &[u8]| Salt {
        behind: b"a-9".to_vec(),
        separator: separator.to_vec(),
        ..salt(scheme, write)
    };
    let signed = behind(scheme(take), SaltWrite::Decimal { width: Some(3) }, b"_");
    let SaltDomain::Listed(salts) = signed.domain(&key.fields) else { panic!("39 salts") };
    assert_eq!((salts.len(), signed.fixed_width(&key.fields)), (39, Some(6)));
    assert!(signed.is_negative(&key.fields, b"a-9-01") && !signed.is_negative(&key.fields, b"a-9001"));
    assert!(signed.ends_at_separator(&key.fields));
    assert!(!Salt { separator: b"-".to_vec(), ..signed }.ends_at_separator(&key.fields));
    // Too many to list: of eight hex digits, and of numbers in base 36.
    let many = behind(scheme(Take::HexDigits(HexDigits::new(1, 8))), SaltWrite::Hex, b"_");
    assert_eq!((many.hex_digits(&key.fields), many.fixed_width(&key.fields)), (None, Some(11)));
    assert!(many.ends_at_separator(&key.fields));
    assert!(!Salt { separator: b"-".to_vec(), ..many }.ends_at_separator(&key.fields));
    let alphabet = Alphabet::parse("0-9a-z_").unwrap();
    let take = Take::Number(Reduction::modulo(37 * 37 * 37, Abs::After));
    let digits = behind(scheme(take), SaltWrite::Alphabet { alphabet, width: Some(3) }, b"_");
    assert_eq!(digits.fixed_width(&key.fields), Some(6));
    assert!(!digits.ends_at_separator(&key.fields));
}

/// The salt of a row, for the schemes that compute one.
fn computed(salt: &Salt, key: &RowKey, inputs: &[Vec<u8>]) -> Vec<u8> {
    let salts = salt.salts(&key.fields, inputs).unwrap();
    assert_eq!(salts.len(), 1);
    salts.into_iter().next().unwrap()
}

fn java_hash(of: SaltInputs, reduction: Reduction) -> HashSalt {
    HashSalt::new(Spelling::JavaHash, Hash::StringCode, of, Take::Number(reduction))
}

fn key(fields: Vec<Field>) -> RowKey {
    RowKey { salt: None, fields: fields.into(), hashed: std::collections::BTreeMap::new() }
}

#[test]
fn md5_nibble_as_hive_computes_it() {
    let key = key(vec![day_field(), text_field("row_id", None, "utf8")]);
    let salt = salt(
        SaltScheme::Hash(HashSalt::new(
            Spelling::Md5,
            Hash::Md5,
            SaltInputs::Key,
            Take::HexDigits(HexDigits::new(1, 1)),
        )),
        SaltWrite::Decimal { width: Some(3) },
    );
    // lpad(conv(substr(md5('20200406_u1'), 1, 1), 16, 10), 3, '0') = 009 on Hive 2.3.9 and 3.1.3.
    assert_eq!(computed(&salt, &key, &[b"20200406".to_vec(), b"_u1".to_vec()]), b"009");
    let SaltDomain::Listed(salts) = salt.domain(&key.fields) else { panic!("too many") };
    assert_eq!(salts.len(), 16);
    assert_eq!(salts[15], b"015");
    assert_eq!(salt.overlapping_pair(&key.fields), None);
}

#[test]
fn region_number_as_java_computes_it() {
    let key = key(vec![text_field("tel", Some(11), "digits"), day_field()]);
    let month = TimeFormat::parse("yyyyMM").unwrap();
    let inputs = vec![
        SaltInput { field: FieldId::new(0), cut: Cut::Last(4), lower: false },
        SaltInput { field: FieldId::new(1), cut: Cut::Format(month), lower: false },
    ];
    let salt = salt(
        SaltScheme::Hash(HashSalt {
            combine: Combine::Xor,
            ..java_hash(SaltInputs::List(inputs.clone()), Reduction::modulo(6, Abs::Before))
        }),
        SaltWrite::Decimal { width: None },
    );
    let tel =
        inputs[0].bytes(&key.fields[FieldId::new(0)], &Value::Text("13800001234".into()), None).unwrap();
    let month = inputs[1].bytes(&key.fields[FieldId::new(1)], &Value::Number(18_358), None).unwrap();
    assert_eq!((tel.as_slice(), month.as_slice()), (&b"1234"[..], &b"202004"[..]));
    assert_eq!(computed(&salt, &key, &[tel, month]), b"2");
    // Four and six digits cannot reach Integer.MIN_VALUE.
    assert_eq!(salt.domain(&key.fields).count(), 6);
}

#[test]
fn free_text_reaches_the_negative_salt() {
    let key = key(vec![text_field("name", None, "utf8")]);
    let of = SaltInputs::List(vec![whole(0)]);
    let salt = salt(
        SaltScheme::Hash(java_hash(of, Reduction::modulo(6, Abs::Before))),
        SaltWrite::Decimal { width: None },
    );
    assert_eq!(computed(&salt, &key, &[b"polygenelubricants".to_vec()]), b"-2");
    let SaltDomain::Listed(salts) = salt.domain(&key.fields) else { panic!("too many") };
    assert!(salts.contains(&b"-2".to_vec()));
    assert_eq!(salts.len(), 7);
}

#[test]
fn unpadded_salts_without_separator_overlap() {
    let key = key(vec![text_field("name", None, "utf8")]);
    let mut salt = salt(SaltScheme::Random(RandomSalt { below: 12 }), SaltWrite::Decimal { width: None });
    assert_eq!(salt.overlapping_pair(&key.fields), Some((b"1".to_vec(), b"10".to_vec())));
    salt.separator = b"_".to_vec();
    assert_eq!(salt.overlapping_pair(&key.fields), None);
    let wide =
        self::salt(SaltScheme::Random(RandomSalt { below: 1 << 40 }), SaltWrite::BigEndian { bytes: 8 });
    assert_eq!(wide.domain(&key.fields), SaltDomain::TooMany { count: 1 << 40 });
}

fn integer_field(encoding: NumberEncoding) -> Field {
    let number = NumberForm::new(IntegerSize::Int, encoding);
    Field { kind: FieldKind::Integer(number), ..text_field("id", None, "utf8") }
}

fn bytes_hash(of: SaltInputs, by: i32, abs: Abs) -> Salt {
    let take = Take::Number(Reduction::modulo(by, abs));
    let scheme = SaltScheme::Hash(HashSalt::new(Spelling::BytesHash, Hash::BytesCode, of, take));
    salt(scheme, SaltWrite::BigEndian { bytes: 1 })
}

/// Keys of Phoenix's own tests: `TABLE_WITH_SALTING` and `SaltingUtilTest`.
#[test]
fn bytes_hash_as_phoenix_computes_it() {
    let mut fields = vec![
        integer_field(NumberEncoding::BigEndianSortable),
        text_field("a_string", None, "utf8"),
        text_field("a_id", Some(3), "utf8"),
    ];
    fields[1].separator = vec![0];
    let stored: Vec<Vec<u8>> = [Value::Number(1), Value::Text("ab".into()), Value::Text("123".into())]
        .iter()
        .zip(&fields)
        .map(|(value, field)| field.kind.encode(value).unwrap())
        .collect();
    let key = key(fields);
    let salt = bytes_hash(SaltInputs::Key, 4, Abs::After);
    assert_eq!(computed(&salt, &key, &stored), [1]);
    assert_eq!(salt.domain(&key.fields), SaltDomain::Listed(vec![vec![0], vec![1], vec![2], vec![3]]));

    // A hash of Integer.MIN_VALUE stays negative if the absolute value is taken before the modulo, as in
    // HBaseWD.
    let least: &[u8] = &[0x96, 0x00, 0xF6, 0x00, 0x13, 0xFE];
    assert_eq!(java::bytes_hash_code(1, least), i32::MIN);
    let inputs = [least[..4].to_vec(), vec![], least[4..].to_vec()];
    let of = || SaltInputs::List((0..3).map(whole).collect());
    assert_eq!(computed(&bytes_hash(of(), 3, Abs::After), &key, &inputs), [2]);
    // Pinpoint masks the sign: `RangeOneByteSimpleHash`.
    assert_eq!(computed(&bytes_hash(of(), 3, Abs::Mask), &key, &inputs), [0]);
    assert_eq!(
        bytes_hash(of(), 3, Abs::Mask).domain(&key.fields),
        SaltDomain::Listed(vec![vec![0], vec![1], vec![2]])
    );
    let before = bytes_hash(of(), 3, Abs::Before);
    assert_eq!(computed(&before, &key, &inputs), [0xFE]);
    assert_eq!(before.domain(&key.fields), SaltDomain::Listed(vec![vec![0], vec![1], vec![2], vec![0xFE]]));
}

/// OpenTSDB's `TestRowKey`: metric and tags, 20 buckets; the time between them is not hashed.
#[test]
fn bytes_hash_as_opentsdb_computes_it() {
    let key = key(["metric", "tags"].map(|name| text_field(name, None, "utf8")).to_vec());
    let salt = bytes_hash(SaltInputs::List(vec![whole(0), whole(1)]), 20, Abs::After);
    let one_tag: &[u8] = &[0, 0, 1, 0, 0, 1];
    for (metric, tags, bucket) in [
        ([0, 0, 1], one_tag.to_vec(), 0x08),
        ([0, 0, 1], [one_tag, one_tag].concat(), 0x10),
        ([0, 0, 1], vec![0, 0, 1, 0, 0, 2], 0x09),
        ([0, 0, 2], one_tag.to_vec(), 0x09),
        ([0, 0, 3], one_tag.to_vec(), 0x06),
        ([0x0B, 0x14, 0x20], one_tag.to_vec(), 0x06),
    ] {
        assert_eq!(computed(&salt, &key, &[metric.to_vec(), tags]), [bucket]);
    }
}

/// Pinpoint's `RangeOneByteSimpleHash(0, 8, 16)`: a key that is shorter than the range ends earlier.
#[test]
fn bytes_of_the_key_as_in_pinpoint() {
    let of = |start, stop| bytes_hash(SaltInputs::KeyBytes { start, stop }, 16, Abs::Mask);
    let hash = |bytes: &[u8]| vec![((java::bytes_hash_code(1, bytes) & i32::MAX) % 16) as u8];
    let long = key(vec![Field {
        kind: FieldKind::Integer(NumberForm::new(IntegerSize::Bigint, NumberEncoding::BigEndian)),
        ..text_field("id", None, "utf8")
    }]);
    let bytes = 7_i64.to_be_bytes();
    assert_eq!(computed(&of(0, 8), &long, &[bytes.to_vec()]), hash(&bytes));
    assert_eq!(hash(&bytes), [8]);
    let int = key(vec![integer_field(NumberEncoding::BigEndian)]);
    let bytes = (i32::MAX - 5).to_be_bytes();
    assert_eq!(computed(&of(0, 8), &int, &[bytes.to_vec()]), hash(&bytes));
    assert_eq!(of(2, 8).inputs(&int.fields)[InputId::new(0)].cut, Cut::Last(2));
    assert_eq!(of(1, 3).inputs(&int.fields)[InputId::new(0)].cut, Cut::Bytes { from: 1, to: 3 });
}

#[test]
fn hashes_of_few_bytes_stay_positive() {
    // With four digits there is no sign, so no negative remainder and no absolute value that fails.
    let texts = key(vec![text_field("tel", Some(4), "digits")]);
    assert_eq!(bytes_hash(SaltInputs::Key, 3, Abs::None).domain(&texts.fields).count(), 3);
    assert_eq!(bytes_hash(SaltInputs::Key, 3, Abs::Before).domain(&texts.fields).count(), 3);
    // The four bytes of a number are signed, and their hash is far below 2^31.
    let numbers = key(vec![integer_field(NumberEncoding::BigEndian)]);
    assert_eq!(bytes_hash(SaltInputs::Key, 3, Abs::None).domain(&numbers.fields).count(), 5);
    assert_eq!(bytes_hash(SaltInputs::Key, 3, Abs::Before).domain(&numbers.fields).count(), 3);
    let wide = key(vec![text_field("name", None, "utf8")]);
    assert_eq!(bytes_hash(SaltInputs::Key, 3, Abs::Before).domain(&wide.fields).count(), 4);
}

#[test]
fn salts_that_a_key_starts_with() {
    let salts: Vec<Vec<u8>> =
        ["", "0", "00", "01", "1", "10", "2"].map(|salt| salt.as_bytes().to_vec()).into();
    let of = |key: &str| -> Vec<String> {
        let found = starting(&salts, key.as_bytes());
        let expected: Vec<&[u8]> =
            salts.iter().map(Vec::as_slice).filter(|salt| key.as_bytes().starts_with(salt)).collect();
        assert_eq!(found, expected, "{key}");
        found.into_iter().map(|salt| String::from_utf8_lossy(salt).into_owned()).collect()
    };
    assert_eq!(of("0123"), ["", "0", "01"]);
    assert_eq!(of("1"), ["", "1"]);
    for key in ["", "3", "00", "000", "10x", "2", "/", "\u{7f}"] {
        of(key);
    }
}

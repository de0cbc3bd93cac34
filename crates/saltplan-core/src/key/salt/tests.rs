use super::*;
use crate::diag::Span;
use crate::key::chars::Chars;
use crate::key::layout::{CalendarField, TextField};
use crate::key::time_format::TimeFormat;
use crate::key::window::Window;

fn text_field(name: &str, width: Option<usize>, chars: &str) -> Field {
    Field {
        name: name.into(),
        kind: FieldKind::Text(TextField {
            width,
            chars: Chars::parse(chars).unwrap(),
            values: None,
            reverse: false,
        }),
        stored: true,
        window: Window::default(),
        then: Vec::new(),
        span: Span::default(),
    }
}

fn day_field() -> Field {
    let format = TimeFormat::parse("yyyyMMdd").unwrap();
    Field {
        name: "day".into(),
        kind: FieldKind::Calendar(CalendarField { format, time_of_day: false }),
        stored: true,
        window: Window::default(),
        then: Vec::new(),
        span: Span::default(),
    }
}

fn salt(scheme: SaltScheme, write: SaltWrite) -> Salt {
    Salt { scheme, write, then: Vec::new(), span: Span::default() }
}

fn key(fields: Vec<Field>) -> RowKey {
    RowKey { salt: None, fields, span: Span::default() }
}

#[test]
fn md5_nibble_as_hive_computes_it() {
    let key = key(vec![day_field(), text_field("row_id", None, "utf8")]);
    let salt = salt(
        SaltScheme::Md5(Md5Salt { of: SaltInputs::Key, joined_by: Vec::new(), first_hex_digits: 1 }),
        SaltWrite::Decimal { width: Some(3) },
    );
    // lpad(conv(substr(md5('20200406_u1'), 1, 1), 16, 10), 3, '0') = 009 on Hive 2.3.9 and 3.1.3.
    assert_eq!(salt.compute(&key, &[b"20200406".to_vec(), b"_u1".to_vec()]).unwrap(), b"009");
    let Image::Listed(salts) = salt.image(&key) else { panic!("too many") };
    assert_eq!(salts.len(), 16);
    assert_eq!(salts[15], b"015");
    assert_eq!(salt.overlapping_pair(&key), None);
}

#[test]
fn region_number_as_java_computes_it() {
    let key = key(vec![text_field("tel", Some(11), "digits"), day_field()]);
    let month = TimeFormat::parse("yyyyMM").unwrap();
    let inputs = vec![
        SaltInput { field: 0, cut: Cut::Last(4), lower: false },
        SaltInput { field: 1, cut: Cut::Format(month), lower: false },
    ];
    let reduce = Reduce::Modulo { by: 6, abs: Abs::Before };
    let salt = salt(
        SaltScheme::JavaHash(JavaHashSalt { of: inputs.clone(), combine: Combine::Xor, reduce }),
        SaltWrite::Decimal { width: None },
    );
    let tel = inputs[0].bytes(&key.fields[0], &Value::Text("13800001234".into()), None).unwrap();
    let month = inputs[1].bytes(&key.fields[1], &Value::Number(18_358), None).unwrap();
    assert_eq!((tel.as_slice(), month.as_slice()), (&b"1234"[..], &b"202004"[..]));
    assert_eq!(salt.compute(&key, &[tel, month]).unwrap(), b"2");
    // Four and six digits cannot reach Integer.MIN_VALUE.
    assert_eq!(salt.image(&key).count(), 6);
}

#[test]
fn free_text_reaches_the_negative_salt() {
    let key = key(vec![text_field("name", None, "utf8")]);
    let reduce = Reduce::Modulo { by: 6, abs: Abs::Before };
    let salt = salt(
        SaltScheme::JavaHash(JavaHashSalt {
            of: vec![SaltInput::whole(0)],
            combine: Combine::Concat,
            reduce,
        }),
        SaltWrite::Decimal { width: None },
    );
    assert_eq!(salt.compute(&key, &[b"polygenelubricants".to_vec()]).unwrap(), b"-2");
    let Image::Listed(salts) = salt.image(&key) else { panic!("too many") };
    assert!(salts.contains(&b"-2".to_vec()));
    assert_eq!(salts.len(), 7);
}

#[test]
fn unpadded_salts_without_separator_overlap() {
    let key = key(vec![text_field("name", None, "utf8")]);
    let mut salt = salt(SaltScheme::Random(RandomSalt { below: 12 }), SaltWrite::Decimal { width: None });
    assert_eq!(salt.overlapping_pair(&key), Some((b"1".to_vec(), b"10".to_vec())));
    salt.then = b"_".to_vec();
    assert_eq!(salt.overlapping_pair(&key), None);
    let wide =
        self::salt(SaltScheme::Random(RandomSalt { below: 1 << 40 }), SaltWrite::BigEndian { bytes: 8 });
    assert_eq!(wide.image(&key), Image::TooMany { count: 1 << 40 });
}

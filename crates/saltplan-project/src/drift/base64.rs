//! Base64 (RFC 4648, the standard alphabet), as HBase's REST server writes keys.

/// The bytes; `None` for text that is not base64. Padding may be left out.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim().trim_end_matches('=');
    if digits.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0u32, 0u32);
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(value)) & 0xFF_FFFF;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::decode;

    /// The test vectors of RFC 4648, section 10.
    #[test]
    fn vectors() {
        for (text, bytes) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE", "fooba"),
        ] {
            assert_eq!(decode(text), Some(bytes.as_bytes().to_vec()), "{text}");
        }
        assert_eq!(decode("/+8="), Some(vec![0xFF, 0xEF]));
        assert_eq!(decode("Z"), None);
        assert_eq!(decode("Zm9v!"), None);
    }
}

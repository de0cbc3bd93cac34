//! Ranges of row keys in HBase's order: unsigned bytes, a prefix before its extensions.

use super::interval::{Interval, IntervalSet};

/// A half-open range of row keys; without `stop` it ends with the table.
pub type KeyRange = Interval<Vec<u8>>;

pub type KeyRanges = IntervalSet<Vec<u8>>;

/// HBase refuses longer row keys: it stores the length in a Java short.
pub const MAX_KEY_BYTES: usize = 32_767;

/// The first key after all keys with this prefix: the last byte below FF is incremented, and the rest is cut
/// off. `None` if there is no such key (`prefix` is empty or all FF).
///
/// The same rule as HBase's `ClientUtil.calculateTheClosestNextRowKeyForPrefix`.
pub fn prefix_successor(prefix: &[u8]) -> Option<Vec<u8>> {
    let keep = prefix.iter().rposition(|&byte| byte != 0xFF)?;
    let mut successor = prefix[..=keep].to_vec();
    successor[keep] += 1;
    Some(successor)
}

/// The next key in byte order: `key` followed by a zero byte.
pub(crate) fn key_successor(key: &[u8]) -> Vec<u8> {
    let mut successor = key.to_vec();
    successor.push(0);
    successor
}

impl KeyRange {
    /// The range of one key.
    pub fn point(key: Vec<u8>) -> Self {
        let stop = key_successor(&key);
        Interval::new(key, Some(stop))
    }

    /// The range of all keys that start with `prefix`.
    pub fn prefix(prefix: Vec<u8>) -> Self {
        let stop = prefix_successor(&prefix);
        Interval::new(prefix, stop)
    }

    /// Whether the range contains exactly one key.
    pub fn is_point(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| {
            stop.len() == self.start.len() + 1 && stop.starts_with(&self.start) && stop.ends_with(&[0])
        })
    }
}

/// The first eight bytes as a number with the same order; short keys are padded with zeros.
pub fn head(key: &[u8]) -> u64 {
    match key.first_chunk() {
        Some(head) => u64::from_be_bytes(*head),
        None => key.iter().rev().fold(0, |head, byte| head >> 8 | u64::from(*byte) << 56),
    }
}

/// Bytes as the HBase shell prints and reads them (`Bytes.toStringBinary`): letters, digits and common
/// punctuation unchanged, everything else as `\xNN`.
pub fn to_string_binary(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b" `~!@#$%^&*()-_=+[]{}|;:'\",.<>/?".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("\\x{byte:02X}"));
        }
    }
    text
}

/// Parses the form of [`to_string_binary`]; any other text becomes its own UTF-8 bytes.
pub fn from_string_binary(text: &str) -> Vec<u8> {
    let mut key = Vec::with_capacity(text.len());
    let mut parts = text.split("\\x");
    key.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
    for part in parts.map(str::as_bytes) {
        match part.split_at_checked(2).and_then(|(digits, rest)| Some((hex_byte(digits)?, rest))) {
            Some((byte, rest)) => {
                key.push(byte);
                key.extend_from_slice(rest);
            }
            None => key.extend_from_slice(&[b"\\x", part].concat()),
        }
    }
    key
}

/// The byte of two hex digits.
pub(crate) fn hex_byte(digits: &[u8]) -> Option<u8> {
    let [high, low] = digits else { return None };
    let digit = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(digit(*high)? << 4 | digit(*low)?).ok()
}

/// Parses the form of [`to_hex`], also with upper-case digits.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    text.as_bytes().chunks(2).map(hex_byte).collect()
}

/// Two lower-case hex digits per byte.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn successor_of_a_prefix() {
        assert_eq!(prefix_successor(b"abc\xff"), Some(b"abd".to_vec()));
        assert_eq!(prefix_successor(b"00020200406"), Some(b"00020200407".to_vec()));
        assert_eq!(prefix_successor(b"\xff\xff"), None);
        assert_eq!(prefix_successor(b""), None);
    }

    #[test]
    fn shell_form() {
        assert_eq!(to_string_binary(b"a\x00\\\xff|"), r"a\x00\x5C\xFF|");
        assert_eq!(from_string_binary(r"a\x00\x5C\xFF|"), b"a\x00\\\xff|");
        assert_eq!(from_string_binary(r"\x4\x"), br"\x4\x");
    }

    #[test]
    fn hex_form() {
        assert_eq!(from_hex(&to_hex(b"\x00\x7f\xff")), Some(b"\x00\x7f\xff".to_vec()));
        assert_eq!(from_hex("2B6f"), Some(b"+o".to_vec()));
        for wrong in ["+f+f", "-1", "0", "000", "0g", " 1", "é"] {
            assert_eq!(from_hex(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn shell_form_round_trips(bytes in prop::collection::vec(any::<u8>(), 0..24)) {
            prop_assert_eq!(from_string_binary(&to_string_binary(&bytes)), bytes);
        }

        #[test]
        fn a_prefix_range_holds_just_its_extensions(
            prefix in prop::collection::vec(any::<u8>(), 0..4),
            key in prop::collection::vec(any::<u8>(), 0..6),
        ) {
            prop_assert_eq!(KeyRange::prefix(prefix.clone()).contains(&key), key.starts_with(&prefix));
        }

        #[test]
        fn a_point_range_holds_just_its_key(
            point in prop::collection::vec(any::<u8>(), 0..4),
            key in prop::collection::vec(any::<u8>(), 0..4),
        ) {
            let range = KeyRange::point(point.clone());
            prop_assert!(range.is_point());
            prop_assert_eq!(range.contains(&key), key == point);
        }
    }
}

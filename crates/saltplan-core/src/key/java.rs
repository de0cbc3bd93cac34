//! Java arithmetic that row keys of existing tables depend on.

/// `String.hashCode` of Java: `31 * h + unit` over the UTF-16 units, wrapping at 32 bits.
pub fn string_hash_code(text: &str) -> i32 {
    text.encode_utf16().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

/// Java's `String.hashCode` of UTF-8 text, which may be cut within a character; invalid bytes become U+FFFD, as in
/// Java.
pub(crate) fn utf8_hash_code(text: &[u8]) -> i32 {
    if text.is_ascii() {
        return hash_units(0, text, i32::from);
    }
    string_hash_code(&String::from_utf8_lossy(text))
}

/// `Long.hashCode` of Java: the XOR of the halves.
pub fn long_hash_code(number: i64) -> i32 {
    (number ^ (number.cast_unsigned() >> 32).cast_signed()) as i32
}

/// Java's `Arrays.hashCode(Object[])` of the hash codes of the objects, four bytes each; `hash` is the hash of no object.
pub fn objects_hash_code(hash: i32, codes: &[u8]) -> i32 {
    codes
        .as_chunks::<4>()
        .0
        .iter()
        .fold(hash, |hash, code| hash.wrapping_mul(31).wrapping_add(i32::from_be_bytes(*code)))
}

/// Java's `Arrays.hashCode(byte[])`: `31 * h + byte` over the signed bytes, wrapping at 32 bits; the hash of
/// no bytes is 1. `hash` is the hash of the preceding bytes.
pub fn bytes_hash_code(hash: i32, bytes: &[u8]) -> i32 {
    hash_units(hash, bytes, |byte| i32::from(byte.cast_signed()))
}

/// `31 * h + unit` over the units. Each step depends on the previous one, so four units are combined into one
/// step.
#[inline]
fn hash_units(hash: i32, bytes: &[u8], unit: impl Fn(u8) -> i32) -> i32 {
    let next = |hash: i32, byte: &u8| hash.wrapping_mul(31).wrapping_add(unit(*byte));
    let (fours, rest) = bytes.as_chunks::<4>();
    let hash = fours
        .iter()
        .fold(hash, |hash, four| hash.wrapping_mul(31i32.pow(4)).wrapping_add(four.iter().fold(0, next)));
    rest.iter().fold(hash, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values printed by a Java virtual machine.
    #[test]
    fn hash_codes() {
        for (text, hash) in [
            ("", 0),
            ("Hello", 69_609_650),
            ("ü", 252),
            ("😀", 1_772_899),
            ("polygenelubricants", i32::MIN),
            ("1234", 1_509_442),
            ("202004", 1_477_323_776),
        ] {
            assert_eq!(string_hash_code(text), hash, "{text}");
            assert_eq!(utf8_hash_code(text.as_bytes()), hash, "{text}");
            for at in 0..=text.len() {
                let (left, _) = text.as_bytes().split_at(at);
                let replaced = string_hash_code(&String::from_utf8_lossy(left));
                assert_eq!(utf8_hash_code(left), replaced, "{text} cut at {at}");
            }
        }
    }
}

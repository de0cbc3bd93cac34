//! Which regions a key or a range of keys lies in.

use std::ops::Range;

/// The region of a key, counted from 0. `split_keys` are in byte order.
pub fn locate<K: AsRef<[u8]>>(key: &[u8], split_keys: &[K]) -> usize {
    split_keys.partition_point(|split| split.as_ref() <= key)
}

/// The regions that the keys from `start` up to `stop` lie in; no `stop` is an open end. An empty range touches none.
pub fn touched<K: AsRef<[u8]>>(start: &[u8], stop: Option<&[u8]>, split_keys: &[K]) -> Range<usize> {
    let first = locate(start, split_keys);
    let end = match stop {
        None => split_keys.len() + 1,
        Some(stop) if stop <= start => first,
        Some(stop) => split_keys.partition_point(|split| split.as_ref() < stop) + 1,
    };
    first..end
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPLITS: [&[u8]; 3] = [b"001", b"002", b"003"];

    #[test]
    fn a_region_starts_at_its_split_key() {
        assert_eq!(locate(b"", &SPLITS), 0);
        assert_eq!(locate(b"000", &SPLITS), 0);
        assert_eq!(locate(b"001", &SPLITS), 1);
        assert_eq!(locate(b"0019", &SPLITS), 1);
        assert_eq!(locate(b"9", &SPLITS), 3);
        assert_eq!(locate::<Vec<u8>>(b"x", &[]), 0);
    }

    #[test]
    fn ranges_are_half_open() {
        assert_eq!(touched(b"", None, &SPLITS), 0..4);
        assert_eq!(touched(b"001", Some(b"002"), &SPLITS), 1..2);
        assert_eq!(touched(b"001", Some(b"002\0"), &SPLITS), 1..3);
        assert_eq!(touched(b"0015", Some(b"0016"), &SPLITS), 1..2);
        assert_eq!(touched(b"002", Some(b"002"), &SPLITS).len(), 0);
        assert_eq!(touched(b"2", Some(b"1"), &SPLITS).len(), 0);
    }
}

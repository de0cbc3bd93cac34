//! Finds the regions of a key or of a range of keys.

use std::ops::Range;

use crate::key::range::head;

/// The region of a key, counted from 0. `split_keys` are in byte order.
pub fn locate<K: AsRef<[u8]>>(key: &[u8], split_keys: &[K]) -> usize {
    split_keys.partition_point(|split| split.as_ref() <= key)
}

/// [`locate`] for many keys. The first eight bytes of all split keys are stored contiguously, and only keys
/// that share them with a split key need a full comparison.
#[derive(Debug)]
pub struct RegionLocator<'a> {
    split_keys: &'a [Vec<u8>],
    heads: Vec<u64>,
    /// No split key is longer than eight bytes, as is usual between salts: a longer key with the same first
    /// eight bytes is not below it.
    are_whole: bool,
}

impl<'a> RegionLocator<'a> {
    /// `split_keys` are in byte order.
    pub fn new(split_keys: &'a [Vec<u8>]) -> Self {
        let heads: Vec<u64> = split_keys.iter().map(|split| head(split)).collect();
        let are_whole = split_keys.iter().all(|split| split.len() <= size_of::<u64>());
        RegionLocator { split_keys, heads, are_whole }
    }

    /// The region of a key, counted from 0.
    pub fn locate(&self, key: &[u8]) -> usize {
        let head = head(key);
        if self.are_whole && key.len() >= size_of::<u64>() {
            return self.heads.partition_point(|split| *split <= head);
        }
        let below = self.heads.partition_point(|split| *split < head);
        if self.heads.get(below) != Some(&head) {
            return below;
        }
        let sharing = self.heads[below..].partition_point(|split| *split == head);
        below + locate(key, &self.split_keys[below..below + sharing])
    }
}

/// The regions of the keys from `start` up to `stop`; without `stop`, up to the end of the table. An empty
/// range touches none.
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
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    proptest! {
        /// Few different bytes, so that keys share the first eight, and zeros, which equal the padding of
        /// short keys.
        #[test]
        fn the_locator_finds_the_same(
            splits in prop_oneof![
                btree_set(vec(0u8..2, 0..11), 0..40),
                btree_set(vec(0u8..2, 0..9), 0..40),
            ],
            keys in vec(vec(0u8..2, 0..12), 40),
        ) {
            let splits: Vec<Vec<u8>> = splits.into_iter().collect();
            let locator = RegionLocator::new(&splits);
            for key in keys {
                prop_assert_eq!(locator.locate(&key), locate(&key, &splits), "{:?}", key);
            }
        }
    }

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

//! Finds the regions of many keys: by the salt's number if it determines the region, otherwise by the first
//! eight bytes.

use saltplan_core::key::range::prefix_successor;
use saltplan_core::region;
use saltplan_lanes::{Kernels, OPEN, WordColumn};

/// The regions of keys by their first bytes, or [`OPEN`].
pub fn table(prefixes: &[Vec<u8>], split_keys: &[Vec<u8>]) -> Vec<u32> {
    let region = |start: &Vec<u8>| {
        let touched = region::touched(start, prefix_successor(start).as_deref(), split_keys);
        if touched.len() == 1 { u32::try_from(touched.start).unwrap_or(OPEN) } else { OPEN }
    };
    prefixes.iter().map(region).collect()
}

/// The maximum number of split keys that are compared one after the other, with many rows at once; with more,
/// a binary search is used.
const MAX_COMPARED: usize = 24;

/// The [heads](region::head) of the split keys, ascending.
#[derive(Debug, Clone)]
pub struct Heads(Vec<u64>);

impl Heads {
    pub fn new(split_keys: &[Vec<u8>]) -> Self {
        Heads(split_keys.iter().map(|split| region::head(split)).collect())
    }

    /// The regions of keys by their first two words; [`OPEN`] if a split key starts with the same.
    pub fn locate(
        &self,
        kernels: &Kernels,
        first: &WordColumn,
        second: &WordColumn,
        regions: &mut WordColumn,
    ) {
        if self.0.len() <= MAX_COMPARED {
            return kernels.compare_heads(&self.0, first, second, regions);
        }
        for ((region, first), second) in regions.iter_mut().zip(first).zip(second) {
            let head = u64::from(first.swap_bytes()) << 32 | u64::from(second.swap_bytes());
            *region = self.region(head).unwrap_or(OPEN);
        }
    }

    /// The region of a key with this head; `None` if a split key has the same head.
    fn region(&self, head: u64) -> Option<u32> {
        let mut first = 0;
        let mut length = self.0.len();
        // Binary search without branches: the result of comparing a random key cannot be predicted.
        while length > 1 {
            let half = length / 2;
            let is_below = self.0.get(first + half - 1).is_some_and(|split| *split < head);
            first += if is_below { half } else { 0 };
            length -= half;
        }
        let Some(split) = self.0.get(first) else { return Some(0) };
        if *split == head {
            return None;
        }
        u32::try_from(first + usize::from(*split < head)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use saltplan_lanes::{Level, ROWS};

    proptest! {
        #[test]
        fn heads_agree_with_whole_keys(
            splits in prop::collection::btree_set(prop::collection::vec(0u8..3, 0..10), 0..40),
            key in prop::collection::vec(0u8..3, 0..12),
        ) {
            let splits: Vec<Vec<u8>> = splits.into_iter().collect();
            let head = (0..8).fold(0, |head, index| head << 8 | u64::from(key.get(index).copied().unwrap_or(0)));
            if let Some(region) = Heads::new(&splits).region(head) {
                prop_assert_eq!(region as usize, region::locate(&key, &splits));
            }
            let [first, second] = [head >> 32, head].map(|word| [(word as u32).swap_bytes(); ROWS]);
            for level in Level::all() {
                let mut regions = [0; ROWS];
                Heads::new(&splits).locate(level.kernels(), &first, &second, &mut regions);
                prop_assert_eq!(regions[0], Heads::new(&splits).region(head).unwrap_or(OPEN));
            }
        }
    }
}

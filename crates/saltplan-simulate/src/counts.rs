//! Counts of rows.

use super::report::KeyLength;

/// What was counted of some rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowCounts {
    /// Rows by region.
    pub puts: Vec<u64>,
    /// The lengths of row keys in bytes; without keys the shortest is [`usize::MAX`].
    pub shortest: usize,
    pub longest: usize,
    /// The total bytes of all row keys.
    pub bytes: u128,
    /// Rows in the ranges of a plan, by region; empty without a plan.
    pub read: Vec<u64>,
    /// Among those, the rows that satisfy the predicate, and the rows for which that is unknown.
    pub wanted: u64,
    pub unknown: u64,
}

impl RowCounts {
    pub fn new(regions: usize) -> Self {
        RowCounts {
            puts: vec![0; regions],
            shortest: usize::MAX,
            longest: 0,
            bytes: 0,
            read: Vec::new(),
            wanted: 0,
            unknown: 0,
        }
    }

    /// Counts one key of a region.
    pub fn add_key(&mut self, region: usize, length: usize) {
        if let Some(puts) = self.puts.get_mut(region) {
            *puts += 1;
        }
        self.add_lengths(length, length, length as u128);
    }

    /// Counts the lengths of keys whose regions are counted elsewhere.
    pub fn add_lengths(&mut self, shortest: usize, longest: usize, bytes: u128) {
        self.shortest = self.shortest.min(shortest);
        self.longest = self.longest.max(longest);
        self.bytes += bytes;
    }

    pub fn total(&self) -> u64 {
        self.puts.iter().sum()
    }

    /// The lengths of the keys; `None` without keys.
    pub fn key_length(&self) -> Option<KeyLength> {
        let total = self.total();
        let mean = self.bytes as f64 / total as f64;
        (total > 0).then_some(KeyLength { min: self.shortest, mean, max: self.longest })
    }

    /// Adds the counts of other rows.
    pub fn merge(&mut self, other: &RowCounts) {
        let add = |to: &mut Vec<u64>, from: &[u64]| {
            if to.len() < from.len() {
                to.resize(from.len(), 0);
            }
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        add(&mut self.puts, &other.puts);
        add(&mut self.read, &other.read);
        self.add_lengths(other.shortest, other.longest, other.bytes);
        self.wanted += other.wanted;
        self.unknown += other.unknown;
    }
}

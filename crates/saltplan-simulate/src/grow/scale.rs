//! The sizes of a sampled row.

use super::arrivals::Arrivals;
use super::cell::{FamilyShape, RowBytes};
use super::settings::HbaseSettings;

/// Converts ranks to bytes.
#[derive(Debug, Clone, Copy)]
pub struct Scale<'a> {
    pub arrivals: &'a Arrivals,
    pub family: &'a FamilyShape,
    /// The columns of the family.
    pub bytes: RowBytes,
    pub settings: &'a HbaseSettings,
    /// Bytes on disk per byte of cells; below 1 with compression or block encoding.
    pub ratio: f64,
}

impl Scale<'_> {
    /// Whether every key is a single row, so that the blocks of files are known.
    pub fn is_exact(&self) -> bool {
        self.arrivals.grain() <= 1.0
    }

    /// The bytes of the cells that a key represents.
    pub fn data(&self, rank: u32) -> f64 {
        self.arrivals.rows(rank) * self.bytes.stored(self.arrivals.key(rank).len() as u64) as f64
    }

    /// Whether a cell that arrived at a time is older than its TTL.
    pub fn is_expired(&self, came: u64, now: u64) -> bool {
        self.family.ttl.is_some_and(|ttl| came.saturating_add(ttl) < now)
    }
}

//! The constant inputs of the emulation.

use super::arrivals::Arrivals;
use super::cell::{FamilyShape, RowBytes};
use super::scale::Scale;
use super::settings::HbaseSettings;
use crate::random::{bits, unit};

/// The table and the cluster.
#[derive(Debug, Clone)]
pub struct GrowingTable {
    pub settings: HbaseSettings,
    /// At least one family with at least one column.
    pub families: Vec<FamilyShape>,
    /// The split keys with which the table is created, in byte order.
    pub split_keys: Vec<Vec<u8>>,
    /// The number of region servers, at least one.
    pub servers: usize,
    /// The heap of a server in bytes; without it the limit on all its memstores is ignored.
    pub heap: Option<u64>,
    /// Bytes on disk per byte of cells.
    pub ratio: f64,
    /// The seed of the jitter of sizes and periods.
    pub seed: u64,
}

/// The requested table, the arriving rows, and their sizes.
pub(super) struct Rules<'a> {
    pub(super) table: &'a GrowingTable,
    pub(super) arrivals: &'a Arrivals,
    /// For each family.
    pub(super) row_bytes: Vec<RowBytes>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(table: &'a GrowingTable, arrivals: &'a Arrivals) -> Self {
        let row_bytes = table.families.iter().map(FamilyShape::row_bytes).collect();
        Rules { table, arrivals, row_bytes }
    }

    pub(super) fn settings(&self) -> &'a HbaseSettings {
        &self.table.settings
    }

    pub(super) fn scale(&self, family: usize) -> Scale<'a> {
        Scale {
            arrivals: self.arrivals,
            family: &self.table.families[family],
            bytes: self.row_bytes[family],
            settings: &self.table.settings,
            ratio: self.table.ratio,
        }
    }

    /// The maximum size in bytes of the region with this number (from 1): the configured size with its
    /// jitter.
    pub(super) fn max_file_size(&self, region: u64) -> f64 {
        let rate = (fraction(self.table.seed, region) - 0.5) * self.settings().max_file_size_jitter;
        let base = self.settings().max_file_size as f64;
        base + (base * rate).trunc()
    }
}

/// A number from 0 to below 1, always the same for the same arguments.
pub(super) fn fraction(seed: u64, number: u64) -> f64 {
    unit(bits(seed, number.wrapping_add(1)))
}

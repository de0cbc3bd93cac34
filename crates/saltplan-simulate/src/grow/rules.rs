//! What stays as it is while a table grows.

use super::arrivals::Arrivals;
use super::cell::{FamilyShape, RowBytes};
use super::scale::Scale;
use super::settings::HbaseSettings;
use crate::random::{bits, unit};

/// What grows, and where.
#[derive(Debug, Clone)]
pub struct GrowingTable {
    pub settings: HbaseSettings,
    /// At least one family with at least one column.
    pub families: Vec<FamilyShape>,
    /// Split keys that the table is made with, in byte order.
    pub split_keys: Vec<Vec<u8>>,
    /// Region servers, at least one.
    pub servers: usize,
    /// Bytes of heap of a server; without it the limit of all memstores together is not watched.
    pub heap: Option<u64>,
    /// Bytes on disk for one byte of cells.
    pub ratio: f64,
    /// For the jitter of sizes and periods.
    pub seed: u64,
}

/// The table as it was asked for, the rows that come, and what they take.
pub(super) struct Rules<'a> {
    pub(super) table: &'a GrowingTable,
    pub(super) arrivals: &'a Arrivals,
    /// Of each family.
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

    /// Bytes at which the region with this number, from 1, splits at last: those of the settings with their jitter.
    pub(super) fn max_file_size(&self, region: u64) -> f64 {
        let rate = (fraction(self.table.seed, region) - 0.5) * self.settings().max_file_size_jitter;
        let base = self.settings().max_file_size as f64;
        base + (base * rate).trunc()
    }
}

/// A number from 0 up to 1, the same for the same arguments.
pub(super) fn fraction(seed: u64, number: u64) -> f64 {
    unit(bits(seed, number.wrapping_add(1)))
}

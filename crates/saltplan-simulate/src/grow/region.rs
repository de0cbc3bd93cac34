//! One region with its memstores and its files.

use super::held::Held;
use super::rules::Rules;
use super::store::Store;

#[derive(Debug, Clone, Default)]
pub(super) struct Memstore {
    pub(super) held: Held,
    pub(super) heap: f64,
}

/// The start of a new region, and its files.
pub(super) struct RegionExtent {
    pub(super) start: Vec<u8>,
    pub(super) end: Option<Vec<u8>>,
    pub(super) stores: Vec<Store>,
}

#[derive(Debug, Clone)]
pub(super) struct StoreRegion {
    pub(super) start: Vec<u8>,
    pub(super) start_rank: u32,
    /// The start of the next region; `None` means the end of the table.
    pub(super) end: Option<Vec<u8>>,
    pub(super) memstores: Vec<Memstore>,
    /// When the oldest edit in memory arrived.
    pub(super) oldest: Option<u64>,
    pub(super) stores: Vec<Store>,
    pub(super) max_file_size: f64,
    /// Until this time compacted references still exist and prevent the next split.
    pub(super) no_split_before: u64,
    pub(super) server: usize,
}

impl StoreRegion {
    /// A region with nothing in memory.
    pub(super) fn new(extent: RegionExtent, server: usize, number: u64, rules: &Rules<'_>) -> Self {
        StoreRegion {
            start_rank: rules.arrivals.rank_of(&extent.start),
            start: extent.start,
            end: extent.end,
            memstores: vec![Memstore::default(); extent.stores.len()],
            oldest: None,
            stores: extent.stores,
            max_file_size: rules.max_file_size(number),
            no_split_before: 0,
            server,
        }
    }

    pub(super) fn heap(&self) -> f64 {
        self.memstores.iter().map(|memstore| memstore.heap).sum()
    }

    /// Bytes of all files.
    pub(super) fn stored(&self) -> f64 {
        self.stores.iter().map(Store::size).sum()
    }

    pub(super) fn most_files(&self) -> usize {
        self.stores.iter().map(|store| store.files.len()).max().unwrap_or(0)
    }
}

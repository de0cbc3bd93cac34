//! The result of the emulation.

/// Totals since the table was created; bytes are bytes of files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GrowthCounts {
    pub rows: f64,
    /// The bytes of all cells that arrived.
    pub data: f64,
    pub flushes: u64,
    /// Flushes because the memstores of a server exceeded their share of its heap.
    pub forced_flushes: u64,
    pub flushed: f64,
    pub compactions: u64,
    pub major_compactions: u64,
    pub compacted: f64,
    /// The largest number of files in a store.
    pub most_files: u64,
    /// Flushes after which a store had so many files that HBase blocks writes.
    pub blocked: u64,
    /// Regions moved by the balancer.
    pub moves: u64,
}

impl GrowthCounts {
    /// Bytes written to files per byte flushed, without the write-ahead log and HDFS replication.
    pub fn write_amplification(&self) -> Option<f64> {
        (self.flushed > 0.0).then(|| (self.flushed + self.compacted) / self.flushed)
    }
}

/// The table at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Milliseconds since the table was created.
    pub at: u64,
    pub regions: u64,
    pub files: u64,
    /// Bytes of all files.
    pub stored: f64,
    /// The bytes of heap in memstores.
    pub in_memory: f64,
    pub counts: GrowthCounts,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SplitEvent {
    pub at: u64,
    /// The start row of the region that was split.
    pub start: Vec<u8>,
    /// The start row of its upper half.
    pub row: Vec<u8>,
    /// The bytes of its files.
    pub stored: f64,
}

/// A region at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct RegionEnd {
    pub start: Vec<u8>,
    pub server: usize,
    pub stored: f64,
    pub files: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// The emulated time in milliseconds.
    pub end: u64,
    /// Whether the work was interrupted: `end` is how far it got.
    pub partial: bool,
    /// The number of rows that one sampled key represents.
    pub grain: f64,
    /// The number of regions when the table was created.
    pub first_regions: u64,
    /// In key order.
    pub regions: Vec<RegionEnd>,
    pub samples: Vec<Sample>,
    pub splits: Vec<SplitEvent>,
}

impl Growth {
    pub fn last(&self) -> Option<&Sample> {
        self.samples.last()
    }

    /// The splits up to a time.
    pub fn splits_before(&self, at: u64) -> u64 {
        self.splits.partition_point(|split| split.at <= at) as u64
    }
}

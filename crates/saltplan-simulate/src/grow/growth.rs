//! What the emulation found.

/// Sums since the table was made; bytes are bytes of files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GrowthCounts {
    pub rows: f64,
    /// Bytes of the cells that came.
    pub data: f64,
    pub flushes: u64,
    /// Flushes because the memstores of a server filled their share of its heap.
    pub forced_flushes: u64,
    pub flushed: f64,
    pub compactions: u64,
    pub major_compactions: u64,
    pub compacted: f64,
    /// Most files that a store had.
    pub most_files: u64,
    /// Flushes that left a store with as many files as block writes.
    pub blocked: u64,
    /// Regions moved by the balancer.
    pub moves: u64,
}

impl GrowthCounts {
    /// Bytes written to files for one byte flushed; the write-ahead log and the copies of HDFS are not in it.
    pub fn write_amplification(&self) -> Option<f64> {
        (self.flushed > 0.0).then(|| (self.flushed + self.compacted) / self.flushed)
    }
}

/// The table at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Milliseconds since the table was made.
    pub at: u64,
    pub regions: u64,
    pub files: u64,
    /// Bytes of all files.
    pub stored: f64,
    /// Bytes of the files of every region, in key order; kept for every tenth sample and empty for the others.
    pub by_region: Vec<f64>,
    /// Bytes of heap in memstores.
    pub in_memory: f64,
    pub counts: GrowthCounts,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SplitEvent {
    pub at: u64,
    /// Start row of the region that split.
    pub start: Vec<u8>,
    /// Start row of its upper half.
    pub row: Vec<u8>,
    /// Bytes of its files.
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
    /// Milliseconds that were emulated.
    pub end: u64,
    /// The work was broken off: `end` is how far it came.
    pub partial: bool,
    /// Rows that one sampled key stands for.
    pub grain: f64,
    /// Regions that the table was made with.
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

    /// Start rows of the regions of a sample with [`Sample::by_region`], in key order; `split_keys` are those that the table
    /// was made with.
    pub fn starts<'k>(&'k self, sample: &Sample, split_keys: &'k [Vec<u8>]) -> Vec<&'k [u8]> {
        let fresh = sample.by_region.len().saturating_sub(split_keys.len() + 1);
        let rows = self.splits.iter().take(fresh).map(|split| &split.row);
        let mut starts: Vec<&[u8]> = split_keys.iter().chain(rows).map(Vec::as_slice).collect();
        starts.push(&[]);
        starts.sort_unstable();
        starts
    }

    /// Splits up to a time.
    pub fn splits_before(&self, at: u64) -> u64 {
        self.splits.partition_point(|split| split.at <= at) as u64
    }
}

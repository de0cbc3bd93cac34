//! Counts the rows of a workload by region, on several threads.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::counts::RowCounts;
use super::generator::{Generator, RowMaker};
use super::reads::RangeReader;
use super::watch::Watch;
use crate::WorkloadError;
use saltplan_core::region::RegionLocator;

/// The number of rows that a thread takes at a time.
const CHUNK: u64 = 1 << 16;

/// Generates and counts rows, on any number of threads.
pub trait CountingEngine: Sync {
    /// The state of one thread.
    fn worker(&self) -> impl Worker;
}

/// Generates and counts rows on one thread.
pub trait Worker {
    /// Adds the rows of a range to `counts`, which has an entry for every region of the table.
    ///
    /// # Errors
    /// A row has no key.
    fn count_chunk(&mut self, rows: Range<u64>, counts: &mut RowCounts) -> Result<(), WorkloadError>;
}

/// Encodes rows one by one, with the codec of `key encode`. It works for every schema, and the other engines
/// are tested against it.
#[derive(Debug)]
pub struct RowEngine<'a> {
    pub generator: &'a Generator<'a>,
    /// In byte order.
    pub split_keys: &'a [Vec<u8>],
    /// The plan whose rows are counted.
    pub reader: Option<RangeReader<'a>>,
}

impl CountingEngine for RowEngine<'_> {
    fn worker(&self) -> impl Worker {
        let locator = RegionLocator::new(self.split_keys);
        RowWorker { maker: self.generator.maker(), locator, reader: self.reader.as_ref() }
    }
}

struct RowWorker<'a> {
    maker: RowMaker<'a>,
    locator: RegionLocator<'a>,
    reader: Option<&'a RangeReader<'a>>,
}

impl Worker for RowWorker<'_> {
    fn count_chunk(&mut self, rows: Range<u64>, counts: &mut RowCounts) -> Result<(), WorkloadError> {
        for row in rows {
            let key = self.maker.make(row)?;
            let region = self.locator.locate(key);
            counts.add_key(region, key.len());
            if let Some(reader) = self.reader {
                reader.count(self.maker.key(), || self.maker.values(), region, counts);
            }
        }
        Ok(())
    }
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunCounts {
    /// One per slice.
    pub slices: Vec<RowCounts>,
    /// Whether the run was interrupted.
    pub partial: bool,
}

/// Counts slices of rows. The result of a complete run does not depend on the number of threads.
///
/// Memory is needed for the counts of every slice, and for one chunk per thread, whatever the number of rows
/// is.
///
/// # Errors
/// A row has no key: the error of the first chunk with such a row.
pub fn run(
    engine: &impl CountingEngine,
    regions: usize,
    slices: &[Range<u64>],
    threads: usize,
    watch: &Watch,
) -> Result<RunCounts, WorkloadError> {
    let chunks = Chunks::new(slices);
    let next = AtomicU64::new(0);
    let results = Mutex::new(Results { slices: vec![RowCounts::new(regions); slices.len()], fault: None });
    let work = || {
        let mut worker = engine.worker();
        while !watch.is_stopped() {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            let Some((slice, rows)) = chunks.get(chunk) else { break };
            let mut counts = RowCounts::new(regions);
            let length = rows.end - rows.start;
            let done = worker.count_chunk(rows, &mut counts);
            // The counts stay consistent if a thread panics, because chunks are added as a whole.
            let mut results = results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if !results.add(chunk, slice, &counts, done) {
                break;
            }
            watch.add(length);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.max(1) {
            scope.spawn(work);
        }
        work();
    });
    let results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some((_, reason)) = results.fault {
        return Err(reason);
    }
    let asked: u64 = slices.iter().map(|rows| rows.end.saturating_sub(rows.start)).sum();
    Ok(RunCounts { slices: results.slices, partial: watch.done.load(Ordering::Relaxed) < asked })
}

struct Results {
    slices: Vec<RowCounts>,
    /// The first chunk with an error, and the error.
    fault: Option<(u64, WorkloadError)>,
}

impl Results {
    /// Whether to continue. Chunks are handed out in order, so all chunks before a failed one are already
    /// taken.
    fn add(&mut self, chunk: u64, slice: usize, counts: &RowCounts, done: Result<(), WorkloadError>) -> bool {
        let is_first = self.fault.as_ref().is_none_or(|(first, _)| chunk < *first);
        match done {
            Ok(()) => {
                if let Some(sum) = self.slices.get_mut(slice) {
                    sum.merge(counts);
                }
            }
            Err(reason) if is_first => self.fault = Some((chunk, reason)),
            Err(_) => {}
        }
        self.fault.is_none()
    }
}

/// The chunks of all slices, numbered consecutively.
struct Chunks<'a> {
    slices: &'a [Range<u64>],
    /// The number of the first chunk of every slice.
    first: Vec<u64>,
    count: u64,
}

impl<'a> Chunks<'a> {
    fn new(slices: &'a [Range<u64>]) -> Self {
        let mut count = 0;
        let first = slices
            .iter()
            .map(|rows| {
                let first = count;
                count += rows.end.saturating_sub(rows.start).div_ceil(CHUNK);
                first
            })
            .collect();
        Chunks { slices, first, count }
    }

    fn get(&self, chunk: u64) -> Option<(usize, Range<u64>)> {
        if chunk >= self.count {
            return None;
        }
        // The last slice that starts at the chunk or before it: empty slices have the same start as the next
        // one.
        let slice = self.first.partition_point(|first| *first <= chunk).checked_sub(1)?;
        let rows = self.slices.get(slice)?;
        let start = rows.start + (chunk - self.first.get(slice)?) * CHUNK;
        Some((slice, start..rows.end.min(start.saturating_add(CHUNK))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_every_row_once() {
        let slices = [0..0, 0..CHUNK, CHUNK..CHUNK, CHUNK..3 * CHUNK + 5, 3 * CHUNK + 5..3 * CHUNK + 6];
        let chunks = Chunks::new(&slices);
        let all: Vec<_> = (0..=chunks.count).map_while(|chunk| chunks.get(chunk)).collect();
        assert_eq!(all.iter().map(|(slice, _)| *slice).collect::<Vec<_>>(), [1, 3, 3, 3, 4]);
        assert_eq!(all.first().map(|(_, rows)| rows.start), Some(0));
        assert!(all.windows(2).all(|pair| pair[0].1.end == pair[1].1.start));
        assert_eq!(all.last().map(|(_, rows)| rows.end), Some(3 * CHUNK + 6));
    }
}

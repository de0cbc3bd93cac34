//! Rows are written to memory, and flushed from there to files.

use super::cell::EMPTY_MEMSTORE;
use super::growth::GrowthCounts;
use super::region::StoreRegion;
use super::rules::Rules;
use super::store::HFile;

/// Which memstores of a region are flushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FlushOf {
    All,
    /// The large ones, if there are any (`FlushAllLargeStoresPolicy`).
    LargeStores,
}

/// Writes the rows of a key to memory.
pub(super) fn put(
    region: &mut StoreRegion,
    rank: u32,
    rules: &Rules<'_>,
    now: u64,
    counts: &mut GrowthCounts,
) {
    let rows = rules.arrivals.rows(rank);
    let key = rules.arrivals.key(rank).len() as u64;
    for (memstore, bytes) in region.memstores.iter_mut().zip(&rules.row_bytes) {
        memstore.held.push(rank, rules.arrivals);
        memstore.heap += rows * bytes.heap(key) as f64;
        counts.data += rows * bytes.stored(key) as f64;
    }
    counts.rows += rows;
    region.oldest.get_or_insert(now);
}

/// Whether memstores must be flushed because of their size.
pub(super) fn is_full(region: &StoreRegion, rules: &Rules<'_>) -> bool {
    let empty = region.memstores.len() as u64 * EMPTY_MEMSTORE;
    region.heap() + empty as f64 > rules.settings().flush_size as f64
}

/// Flushes memstores to files.
pub(super) fn flush(
    region: &mut StoreRegion,
    of: FlushOf,
    rules: &Rules<'_>,
    now: u64,
    counts: &mut GrowthCounts,
) {
    let settings = rules.settings();
    let families = region.memstores.len();
    let least = settings.family_flush_min.max(settings.flush_size / families.max(1) as u64) as f64;
    let has_large = region.memstores.iter().any(|memstore| memstore.heap > least);
    let large_only = of == FlushOf::LargeStores && families > 1 && has_large;
    let mut wrote = false;
    for (index, (memstore, store)) in region.memstores.iter_mut().zip(&mut region.stores).enumerate() {
        if memstore.held.is_empty() || (large_only && memstore.heap <= least) {
            continue;
        }
        let file = HFile::written(std::mem::take(memstore).held, rules.scale(index), now);
        counts.flushed += file.size;
        store.files.push(file);
        wrote = true;
    }
    counts.flushes += u64::from(wrote);
    region.oldest = region.memstores.iter().any(|memstore| !memstore.held.is_empty()).then_some(now);
}

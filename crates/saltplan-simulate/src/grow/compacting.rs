//! Compactions of a store: when they are due, and what they do.

use super::compaction_policy::{self, Major};
use super::growth::GrowthCounts;
use super::region::StoreRegion;
use super::rules::{Rules, fraction};
use super::store::Store;

/// One store: a family in a region.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoreId {
    pub(super) region: usize,
    pub(super) family: usize,
}

/// Whether a store has enough files for a compaction.
pub(super) fn has_many_files(store: &Store, rules: &Rules<'_>) -> bool {
    store.files.len() >= rules.settings().min_files
}

/// `RatioBasedCompactionPolicy.shouldPerformMajorCompaction`; a single file is kept as long as its cells
/// live.
pub(super) fn is_major_due(store: &Store, id: StoreId, rules: &Rules<'_>, now: u64) -> bool {
    let settings = rules.settings();
    let files = &store.files;
    let Some(first) = files.first().filter(|_| settings.major_period > 0) else { return false };
    if files.len() == 1 && !rules.scale(id.family).is_expired(first.cells.0, now) {
        return false;
    }
    let period = settings.major_period as f64;
    let turn = fraction(rules.table.seed ^ first.created, (id.region as u64) << 8 | id.family as u64);
    let period = period + period * settings.major_jitter * (1.0 - 2.0 * turn);
    let oldest = files.iter().map(|file| file.created).min().unwrap_or(now);
    (oldest as f64) < now as f64 - period
}

/// Compacts a store once; if `forced`, even if no compaction is due. Returns whether there was something to
/// do.
pub(super) fn compact(
    region: &mut StoreRegion,
    id: StoreId,
    forced: bool,
    rules: &Rules<'_>,
    now: u64,
    counts: &mut GrowthCounts,
) -> bool {
    let scale = rules.scale(id.family);
    let store = &mut region.stores[id.family];
    let major = match is_major_due(store, id, rules, now) {
        _ if forced => Major::Forced,
        true => Major::Due,
        false => Major::No,
    };
    store.drop_expired(scale, now);
    let Some(chosen) = compaction_policy::select(&store.files, rules.settings(), major) else {
        return false;
    };
    let had_references = store.files[chosen.files.clone()].iter().any(|file| file.reference);
    counts.compacted += store.compact(chosen.files, scale, now);
    counts.compactions += 1;
    counts.major_compactions += u64::from(chosen.major);
    if had_references {
        let interval = rules.settings().discharge_interval.max(1);
        region.no_split_before = (now + 1).next_multiple_of(interval);
    }
    true
}

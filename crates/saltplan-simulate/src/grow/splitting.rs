//! Splits regions.

use super::region::{RegionExtent, StoreRegion};
use super::rules::Rules;
use super::split_policy;
use super::store::Store;

/// Where a region splits now, if it does (`CompactSplit.requestSplit`, `HRegion.checkSplit`); `online`
/// regions of the table are on its server.
pub(super) fn split_row(region: &StoreRegion, online: u64, rules: &Rules<'_>, now: u64) -> Option<Vec<u8>> {
    let settings = rules.settings();
    let held_up = now < region.no_split_before
        || online >= settings.region_split_limit
        || region.most_files() >= settings.blocking_files
        || region.stores.iter().any(Store::has_references);
    let sizes = || region.stores.iter().map(Store::size);
    let size = if settings.overall_files { sizes().sum() } else { sizes().fold(0.0, f64::max) };
    if held_up || size <= split_policy::threshold(settings, online, region.max_file_size) {
        return None;
    }
    let mut best: (f64, Option<&[u8]>) = (0.0, None);
    for (index, store) in region.stores.iter().enumerate() {
        // The first of the largest, like Java's `Stream.max`.
        let largest = store.files.iter().rev().max_by(|left, right| left.size.total_cmp(&right.size));
        let row = largest.and_then(|file| file.middle_row(rules.scale(index)));
        if row.is_some() && store.size() > best.0 {
            best = (store.size(), row);
        }
    }
    let row = split_policy::restrict(best.1?.to_vec(), &settings.restriction);
    let inside = row > region.start && region.end.as_ref().is_none_or(|end| row < *end);
    inside.then_some(row)
}

/// The halves of a region that has nothing in memory; the region keeps no files.
pub(super) fn halves(
    region: &mut StoreRegion,
    row: Vec<u8>,
    rules: &Rules<'_>,
    now: u64,
) -> [RegionExtent; 2] {
    let at = rules.arrivals.rank_of(&row);
    let stores = std::mem::take(&mut region.stores).into_iter();
    let (bottom, top) = stores.map(|store| store.split(at, rules.arrivals, now)).unzip();
    let (start, end) = (std::mem::take(&mut region.start), region.end.take());
    [
        RegionExtent { start, end: Some(row.clone()), stores: bottom },
        RegionExtent { start: row, end, stores: top },
    ]
}

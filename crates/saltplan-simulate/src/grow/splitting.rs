//! Splits of regions, and their way to other servers.

use super::growth::SplitEvent;
use super::memory::FlushOf;
use super::split_policy;
use super::store::Store;
use super::table::Life;

impl Life<'_> {
    /// Splits a region if its policy says so; answers whether it did.
    pub(super) fn split(&mut self, id: usize) -> bool {
        let Some(row) = self.split_row(id) else { return false };
        self.flush(id, FlushOf::All);
        let at = self.arrivals.rank_of(&row);
        let place = self.place_of(&self.regions[id].start);
        let region = &mut self.regions[id];
        let stored = region.stores.iter().map(Store::size).sum();
        self.splits.push(SplitEvent { at: self.now, start: region.start.clone(), row: row.clone(), stored });
        let (bottom, top): (Vec<Store>, Vec<Store>) = std::mem::take(&mut region.stores)
            .into_iter()
            .map(|store| store.split(at, self.arrivals, self.now))
            .unzip();
        let server = region.server;
        let (start, end) = (std::mem::take(&mut region.start), region.end.take());
        self.order.remove(place);
        self.servers[server].regions -= 1;
        let lower = self.open(start, Some(row.clone()), bottom, server);
        let upper = self.open(row, end, top, server);
        self.unbalanced = self.servers.len() > 1;
        for daughter in [lower, upper] {
            self.compact_where_needed(daughter);
        }
        true
    }

    /// Where a region splits now, if it does (`CompactSplit.requestSplit`, `HRegion.checkSplit`).
    pub(super) fn split_row(&self, id: usize) -> Option<Vec<u8>> {
        let settings = &self.table.settings;
        let region = &self.regions[id];
        let online = self.servers[region.server].regions;
        let held_up = self.now < region.no_split_before
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
            // The first of the largest, as Java's `Stream.max` finds it.
            let largest = store.files.iter().rev().max_by(|left, right| left.size.total_cmp(&right.size));
            let row = largest.and_then(|file| file.middle_row(self.scale(index)));
            if row.is_some() && store.size() > best.0 {
                best = (store.size(), row);
            }
        }
        let row = split_policy::restrict(best.1?.to_vec(), &settings.restriction);
        let inside = row > region.start && region.end.as_ref().is_none_or(|end| row < *end);
        inside.then_some(row)
    }

    /// Moves regions until no server has two more of them than another. A region that moves is flushed.
    pub(super) fn balance(&mut self) {
        self.unbalanced = false;
        loop {
            let counts = || self.servers.iter().map(|server| server.regions).enumerate();
            let (Some((least, low)), Some((most, high))) =
                (counts().min_by_key(|(_, count)| *count), counts().rev().max_by_key(|(_, count)| *count))
            else {
                return;
            };
            if high < low + 2 {
                return;
            }
            let Some((_, id)) =
                self.order.iter().rev().find(|(_, id)| self.regions[*id].server == most).copied()
            else {
                return;
            };
            self.flush(id, FlushOf::All);
            self.regions[id].server = least;
            self.regions[id].no_split_before = self.now;
            self.servers[most].regions -= 1;
            self.servers[least].regions += 1;
            self.counts.moves += 1;
            self.compact_where_needed(id);
        }
    }
}

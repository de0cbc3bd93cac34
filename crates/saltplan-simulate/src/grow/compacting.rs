//! Compactions of a store: after a flush, after a split, and once in a while.

use super::compaction_policy;
use super::store::Scale;
use super::table::{Life, fraction};

impl<'a> Life<'a> {
    pub(super) fn scale(&self, family: usize) -> Scale<'a> {
        Scale {
            arrivals: self.arrivals,
            family: &self.table.families[family],
            bytes: self.row_bytes[family],
            settings: &self.table.settings,
            ratio: self.table.ratio,
        }
    }

    pub(super) fn compact_where_needed(&mut self, id: usize) {
        for index in 0..self.table.families.len() {
            let store = &self.regions[id].stores[index];
            let needed = store.files.len() >= self.table.settings.min_files || store.has_references();
            if needed && self.compact(id, index, false) {
                return;
            }
        }
    }

    /// Compacts one store; answers whether its region has split after it.
    pub(super) fn compact(&mut self, id: usize, index: usize, mut forced: bool) -> bool {
        loop {
            let due = self.major_due(id, index);
            let (scale, now) = (self.scale(index), self.now);
            self.regions[id].stores[index].drop_expired(scale, now);
            let files = &self.regions[id].stores[index].files;
            let Some(chosen) = compaction_policy::select(files, &self.table.settings, due, forced) else {
                return false;
            };
            let had_references = files[chosen.files.clone()].iter().any(|file| file.reference);
            let store = &mut self.regions[id].stores[index];
            self.counts.compacted += store.compact(chosen.files, scale, now);
            self.counts.compactions += 1;
            self.counts.major_compactions += u64::from(chosen.major);
            if had_references {
                let interval = self.table.settings.discharge_interval.max(1);
                self.regions[id].no_split_before = (self.now + 1).next_multiple_of(interval);
            }
            if self.split(id) {
                return true;
            }
            let files = self.regions[id].stores[index].files.len();
            if files < self.table.settings.blocking_files {
                return false;
            }
            forced = false;
        }
    }

    /// `RatioBasedCompactionPolicy.shouldPerformMajorCompaction`; one file alone stays while its cells live.
    pub(super) fn major_due(&self, id: usize, index: usize) -> bool {
        let settings = &self.table.settings;
        let files = &self.regions[id].stores[index].files;
        let Some(first) = files.first().filter(|_| settings.major_period > 0) else { return false };
        if files.len() == 1 && !self.scale(index).is_expired(first.cells.0, self.now) {
            return false;
        }
        let period = settings.major_period as f64;
        let turn = fraction(self.table.seed ^ first.created, (id as u64) << 8 | index as u64);
        let period = period + period * settings.major_jitter * (1.0 - 2.0 * turn);
        let oldest = files.iter().map(|file| file.created).min().unwrap_or(self.now);
        (oldest as f64) < self.now as f64 - period
    }

    /// `HRegionServer.CompactionChecker`.
    pub(super) fn check_stores(&mut self) {
        let ids: Vec<usize> = self.order.iter().map(|(_, id)| *id).collect();
        for id in ids {
            for index in 0..self.table.families.len() {
                let many = self.regions[id].stores[index].files.len() >= self.table.settings.min_files;
                if (many || self.major_due(id, index)) && self.compact(id, index, !many) {
                    break;
                }
            }
        }
    }
}

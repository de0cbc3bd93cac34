//! What comes goes to memory, and from there to files.

use std::cmp::Reverse;

use super::cell::EMPTY_MEMSTORE;
use super::table::Life;

/// Which memstores of a region are flushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FlushOf {
    All,
    /// Those that are large, where some are (`FlushAllLargeStoresPolicy`).
    LargeStores,
}

impl Life<'_> {
    pub(super) fn put(&mut self, rank: u32) {
        let at = self.order.partition_point(|(start, _)| *start <= rank);
        let Some((_, id)) = self.order.get(at.saturating_sub(1)).copied() else { return };
        let rows = self.arrivals.rows(rank);
        let key = self.arrivals.key(rank).len() as u64;
        let region = &mut self.regions[id];
        let before = region.heap();
        for (memstore, bytes) in region.memstores.iter_mut().zip(&self.row_bytes) {
            memstore.held.push(rank, self.arrivals);
            memstore.heap += rows * bytes.heap(key) as f64;
            self.counts.data += rows * bytes.stored(key) as f64;
        }
        self.counts.rows += rows;
        let after = region.heap();
        self.servers[region.server].resize(id, before, after);
        if region.oldest.is_none() {
            region.oldest = Some(self.now);
            if self.table.settings.flush_interval > 0 {
                self.deadlines.push(Reverse((self.now + self.table.settings.flush_interval, id)));
            }
        }
        let empty = region.memstores.len() as u64 * EMPTY_MEMSTORE;
        if after + empty as f64 > self.table.settings.flush_size as f64 {
            self.flush(id, FlushOf::LargeStores);
            self.after_flush(id);
        }
        self.relieve(self.regions[id].server);
    }

    /// Flushes the largest memstores of a server while all of them together take too much of its heap.
    pub(super) fn relieve(&mut self, server: usize) {
        let Some(heap) = self.table.heap else { return };
        let limit = heap as f64 * self.table.settings.global_memstore;
        while self.servers[server].heap() > limit {
            let Some(id) = self.servers[server].largest() else { return };
            self.counts.forced_flushes += 1;
            self.flush(id, FlushOf::All);
            self.after_flush(id);
        }
    }

    /// Writes memstores to files.
    pub(super) fn flush(&mut self, id: usize, of: FlushOf) {
        let settings = &self.table.settings;
        let families = self.table.families.len();
        let least = settings.family_flush_min.max(settings.flush_size / families.max(1) as u64) as f64;
        let has_large = self.regions[id].memstores.iter().any(|memstore| memstore.heap > least);
        let large_only = of == FlushOf::LargeStores && families > 1 && has_large;
        let before = self.regions[id].heap();
        let mut wrote = false;
        for index in 0..families {
            let scale = self.scale(index);
            let now = self.now;
            let region = &mut self.regions[id];
            let memstore = &mut region.memstores[index];
            if memstore.held.is_empty() || (large_only && memstore.heap <= least) {
                continue;
            }
            let file = scale.file(std::mem::take(memstore).held, now);
            self.counts.flushed += file.size;
            region.stores[index].files.push(file);
            wrote = true;
        }
        self.counts.flushes += u64::from(wrote);
        let region = &mut self.regions[id];
        self.servers[region.server].resize(id, before, region.heap());
        region.oldest = region.memstores.iter().any(|memstore| !memstore.held.is_empty()).then_some(self.now);
        if region.oldest.is_some() && settings.flush_interval > 0 {
            self.deadlines.push(Reverse((self.now + settings.flush_interval, id)));
        }
    }

    /// `MemStoreFlusher.flushRegion`: a split if one is due, else a compaction.
    pub(super) fn after_flush(&mut self, id: usize) {
        self.counts.most_files = self.counts.most_files.max(self.regions[id].most_files() as u64);
        if self.regions[id].most_files() >= self.table.settings.blocking_files {
            self.counts.blocked += 1;
        }
        if !self.split(id) {
            self.compact_where_needed(id);
        }
    }
}

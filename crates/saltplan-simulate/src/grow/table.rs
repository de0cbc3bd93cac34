//! The life of a table: rows arrive, memstores are flushed, files are compacted, regions split and move.
//!
//! Flushes, compactions and splits take no time here, so the result only shows what the rules do with the
//! rows.

use std::ops::ControlFlow;

use super::agenda::{Agenda, Due, SAMPLES};
use super::arrivals::Arrivals;
use super::cluster::Cluster;
use super::compacting::StoreId;
use super::growth::{Growth, GrowthCounts, RegionEnd, Sample, SplitEvent};
use super::memory::FlushOf;
use super::region::{RegionExtent, StoreRegion};
use super::rules::{GrowingTable, Rules};
use super::store::Store;
use super::{balancing, compacting, memory, splitting};
use crate::watch::Watch;

/// Emulates the table from the first arrival to the end of the last period, or until the watch stops it.
pub fn grow(table: &GrowingTable, arrivals: &Arrivals, watch: &Watch) -> Growth {
    let mut life = Life::new(table, arrivals, watch);
    let partial = life.pass().is_break();
    life.finish(partial)
}

/// The order of the rules; the rules themselves are in other files.
struct Life<'a> {
    rules: Rules<'a>,
    watch: &'a Watch,
    now: u64,
    cluster: Cluster,
    agenda: Agenda,
    counts: GrowthCounts,
    samples: Vec<Sample>,
    splits: Vec<SplitEvent>,
}

impl<'a> Life<'a> {
    fn new(table: &'a GrowingTable, arrivals: &'a Arrivals, watch: &'a Watch) -> Self {
        let mut life = Life {
            rules: Rules::new(table, arrivals),
            watch,
            now: 0,
            cluster: Cluster::new(table.servers, table.heap.is_some()),
            agenda: Agenda::new(&table.settings, arrivals.end()),
            counts: GrowthCounts::default(),
            samples: Vec::new(),
            splits: Vec::new(),
        };
        let starts = std::iter::once(&[][..]).chain(table.split_keys.iter().map(Vec::as_slice));
        let ends = table.split_keys.iter().map(|key| Some(key.clone())).chain([None]);
        for (index, (start, end)) in starts.zip(ends).enumerate() {
            let server = index % life.cluster.servers().len();
            let stores = vec![Store::default(); table.families.len()];
            life.open(RegionExtent { start: start.to_vec(), end, stores }, server);
        }
        life
    }

    fn open(&mut self, extent: RegionExtent, server: usize) -> usize {
        let number = self.cluster.opened() as u64 + 1;
        self.cluster.open(StoreRegion::new(extent, server, number, &self.rules))
    }

    /// Processes all rows and the time after the last one; stops early if requested.
    fn pass(&mut self) -> ControlFlow<()> {
        for arrival in self.rules.arrivals.by_time() {
            self.advance(arrival.at)?;
            self.put(arrival.rank);
            self.watch.add(1);
        }
        self.advance(self.rules.arrivals.end())
    }

    /// Processes all events up to a time.
    fn advance(&mut self, to: u64) -> ControlFlow<()> {
        loop {
            if self.watch.is_stopped() {
                return ControlFlow::Break(());
            }
            let Some((now, due)) = self.agenda.next(to) else { break };
            self.now = now;
            match due {
                // The memstore of the deadline may already be flushed.
                Due::Flush { region, came } if self.cluster.region(region).oldest == Some(came) => {
                    self.flush(region, FlushOf::All);
                    self.after_flush(region);
                }
                Due::Flush { .. } => {}
                Due::Check => self.check_stores(),
                Due::Balance => self.balance(),
                Due::Sample => self.sample(),
            }
        }
        self.now = to;
        self.agenda.pass(to);
        ControlFlow::Continue(())
    }

    fn put(&mut self, rank: u32) {
        let Some(id) = self.cluster.holder_of(rank) else { return };
        let (rules, now, counts) = (&self.rules, self.now, &mut self.counts);
        let is_first = self.cluster.region(id).oldest.is_none();
        self.cluster.change_memory(id, |region| memory::put(region, rank, rules, now, counts));
        if is_first {
            self.agenda.remember(id, self.now);
        }
        if memory::is_full(self.cluster.region(id), &self.rules) {
            self.flush(id, FlushOf::LargeStores);
            self.after_flush(id);
        }
        self.relieve(self.cluster.region(id).server);
    }

    /// Flushes the largest memstores of a server while all of them together use too much of its heap.
    fn relieve(&mut self, server: usize) {
        let Some(heap) = self.rules.table.heap else { return };
        let limit = heap as f64 * self.rules.settings().global_memstore;
        while self.cluster.servers()[server].heap() > limit {
            let Some(id) = self.cluster.servers()[server].largest() else { return };
            self.counts.forced_flushes += 1;
            self.flush(id, FlushOf::All);
            self.after_flush(id);
        }
    }

    fn flush(&mut self, id: usize, of: FlushOf) {
        let (rules, now, counts) = (&self.rules, self.now, &mut self.counts);
        self.cluster.change_memory(id, |region| memory::flush(region, of, rules, now, counts));
        if self.cluster.region(id).oldest.is_some() {
            self.agenda.remember(id, self.now);
        }
    }

    /// `MemStoreFlusher.flushRegion`: a split if one is due, otherwise a compaction.
    fn after_flush(&mut self, id: usize) {
        let most_files = self.cluster.region(id).most_files();
        self.counts.most_files = self.counts.most_files.max(most_files as u64);
        if most_files >= self.rules.settings().blocking_files {
            self.counts.blocked += 1;
        }
        if !self.split(id) {
            self.compact_where_needed(id);
        }
    }

    fn compact_where_needed(&mut self, region: usize) {
        for family in 0..self.rules.table.families.len() {
            let store = &self.cluster.region(region).stores[family];
            let needed = compacting::has_many_files(store, &self.rules) || store.has_references();
            if needed && self.compact(StoreId { region, family }, false) {
                return;
            }
        }
    }

    /// Compacts one store. Returns whether its region was split afterwards.
    fn compact(&mut self, id: StoreId, mut forced: bool) -> bool {
        loop {
            let region = self.cluster.region_mut(id.region);
            if !compacting::compact(region, id, forced, &self.rules, self.now, &mut self.counts) {
                return false;
            }
            if self.split(id.region) {
                return true;
            }
            let files = self.cluster.region(id.region).stores[id.family].files.len();
            if files < self.rules.settings().blocking_files {
                return false;
            }
            forced = false;
        }
    }

    /// `HRegionServer.CompactionChecker`.
    fn check_stores(&mut self) {
        for region in self.cluster.ids().collect::<Vec<_>>() {
            for family in 0..self.rules.table.families.len() {
                let id = StoreId { region, family };
                let store = &self.cluster.region(region).stores[family];
                let many = compacting::has_many_files(store, &self.rules);
                let due = many || compacting::is_major_due(store, id, &self.rules, self.now);
                if due && self.compact(id, !many) {
                    break;
                }
            }
        }
    }

    /// Splits a region if its policy says so. Returns whether it did.
    fn split(&mut self, id: usize) -> bool {
        let online = self.cluster.server_of(id).regions;
        let row = splitting::split_row(self.cluster.region(id), online, &self.rules, self.now);
        let Some(row) = row else { return false };
        self.flush(id, FlushOf::All);
        let region = self.cluster.close(id);
        let stored = region.stores.iter().map(Store::size).sum();
        self.splits.push(SplitEvent { at: self.now, start: region.start.clone(), row: row.clone(), stored });
        let server = region.server;
        let halves = splitting::halves(region, row, &self.rules, self.now);
        let daughters = halves.map(|half| self.open(half, server));
        if self.cluster.servers().len() > 1 {
            self.agenda.unbalance();
        }
        for daughter in daughters {
            self.compact_where_needed(daughter);
        }
        true
    }

    /// Evens out the number of regions per server. A region that is moved is flushed.
    fn balance(&mut self) {
        while let Some((id, server)) = balancing::next_move(&self.cluster) {
            self.flush(id, FlushOf::All);
            self.cluster.move_to(id, server);
            self.cluster.region_mut(id).no_split_before = self.now;
            self.counts.moves += 1;
            self.compact_where_needed(id);
        }
    }

    fn sample(&mut self) {
        let live = || self.cluster.live();
        let files = live().flat_map(|region| &region.stores).map(|store| store.files.len() as u64).sum();
        let stored: f64 = live().map(StoreRegion::stored).sum();
        let in_memory: f64 = live().map(StoreRegion::heap).sum();
        self.samples.push(Sample {
            at: self.now,
            regions: live().count() as u64,
            files,
            stored,
            in_memory,
            counts: self.counts.clone(),
        });
    }

    fn finish(mut self, partial: bool) -> Growth {
        while self.samples.len() < SAMPLES as usize
            && self.samples.last().is_none_or(|last| last.at < self.now)
        {
            self.sample();
        }
        let regions = self.cluster.live().map(|region| RegionEnd {
            start: region.start.clone(),
            server: region.server,
            stored: region.stored(),
            files: region.stores.iter().map(|store| store.files.len() as u64).sum(),
        });
        Growth {
            end: if partial { self.now } else { self.rules.arrivals.end() },
            partial,
            grain: self.rules.arrivals.grain(),
            first_regions: self.rules.table.split_keys.len() as u64 + 1,
            regions: regions.collect(),
            samples: self.samples,
            splits: self.splits,
        }
    }
}

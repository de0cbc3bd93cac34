//! One table's life: rows come, memstores are flushed, files are compacted, regions split and move.
//!
//! Flushes, compactions and splits take no time here, so the result is what the rules alone make of the rows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use super::arrivals::Arrivals;
use super::cell::{FamilyShape, RowBytes};
use super::growth::{Growth, GrowthCounts, RegionEnd, Sample, SplitEvent};
use super::memory::FlushOf;
use super::region::{Memstore, StoreRegion};
use super::server::Server;
use super::settings::Settings;
use super::store::Store;
use crate::random::{bits, unit};
use crate::watch::Watch;

/// How often the balancer runs, in milliseconds (`hbase.balancer.period`).
const BALANCER_PERIOD: u64 = 300_000;
/// Points of the growth curves.
const SAMPLES: u64 = 240;

/// What grows, and where.
#[derive(Debug, Clone)]
pub struct GrowingTable {
    pub settings: Settings,
    /// At least one family with at least one column.
    pub families: Vec<FamilyShape>,
    /// Split keys that the table is made with, in byte order.
    pub split_keys: Vec<Vec<u8>>,
    /// Region servers, at least one.
    pub servers: usize,
    /// Bytes of heap of a server; without it the limit of all memstores together is not watched.
    pub heap: Option<u64>,
    /// Bytes on disk for one byte of cells.
    pub ratio: f64,
    /// For the jitter of sizes and periods.
    pub seed: u64,
}

/// Emulates the table from the first arrival to the end of the last slice, or until the watch stops it.
pub fn grow(table: &GrowingTable, arrivals: &Arrivals, watch: &Watch) -> Growth {
    let mut life = Life::new(table, arrivals, watch);
    let partial = life.pass().is_break();
    life.finish(partial)
}

pub(super) struct Life<'a> {
    pub(super) table: &'a GrowingTable,
    pub(super) arrivals: &'a Arrivals,
    watch: &'a Watch,
    pub(super) now: u64,
    pub(super) regions: Vec<StoreRegion>,
    /// Start rank and index of every region, in key order.
    pub(super) order: Vec<(u32, usize)>,
    /// Of each family.
    pub(super) row_bytes: Vec<RowBytes>,
    pub(super) servers: Vec<Server>,
    /// When a memstore gets too old, with its region.
    pub(super) deadlines: BinaryHeap<Reverse<(u64, usize)>>,
    pub(super) unbalanced: bool,
    pub(super) next_check: u64,
    pub(super) next_balance: u64,
    pub(super) counts: GrowthCounts,
    pub(super) samples: Vec<Sample>,
    pub(super) splits: Vec<SplitEvent>,
    pub(super) opened: u64,
}

impl<'a> Life<'a> {
    pub(super) fn new(table: &'a GrowingTable, arrivals: &'a Arrivals, watch: &'a Watch) -> Self {
        let server = if table.heap.is_some() { Server::that_ranks_regions() } else { Server::default() };
        let mut life = Life {
            table,
            arrivals,
            watch,
            now: 0,
            regions: Vec::new(),
            order: Vec::new(),
            row_bytes: table.families.iter().map(FamilyShape::row_bytes).collect(),
            servers: vec![server; table.servers.max(1)],
            deadlines: BinaryHeap::new(),
            unbalanced: false,
            next_check: table.settings.major_check.max(1),
            next_balance: BALANCER_PERIOD,
            counts: GrowthCounts::default(),
            samples: Vec::new(),
            splits: Vec::new(),
            opened: 0,
        };
        let starts = std::iter::once(&[][..]).chain(table.split_keys.iter().map(Vec::as_slice));
        let ends = table.split_keys.iter().map(|key| Some(key.clone())).chain([None]);
        for (index, (start, end)) in starts.zip(ends).enumerate() {
            let server = index % life.servers.len();
            let stores = vec![Store::default(); table.families.len()];
            life.open(start.to_vec(), end, stores, server);
        }
        life
    }

    pub(super) fn open(
        &mut self,
        start: Vec<u8>,
        end: Option<Vec<u8>>,
        stores: Vec<Store>,
        server: usize,
    ) -> usize {
        self.opened += 1;
        let rate = (fraction(self.table.seed, self.opened) - 0.5) * self.table.settings.max_file_size_jitter;
        let base = self.table.settings.max_file_size as f64;
        let region = StoreRegion {
            start_rank: self.arrivals.rank_of(&start),
            start,
            end,
            memstores: vec![Memstore::default(); stores.len()],
            oldest: None,
            stores,
            max_file_size: base + (base * rate).trunc(),
            no_split_before: 0,
            server,
        };
        let entry = (region.start_rank, self.regions.len());
        let start = region.start.clone();
        self.order.insert(self.place_of(&start), entry);
        self.regions.push(region);
        self.servers[server].regions += 1;
        entry.1
    }

    /// Where a region with this start stands, or would stand, in the order.
    pub(super) fn place_of(&self, start: &[u8]) -> usize {
        self.order.partition_point(|(_, other)| self.regions[*other].start.as_slice() < start)
    }

    /// All rows, and the time behind the last one; breaks off when it is told to.
    fn pass(&mut self) -> ControlFlow<()> {
        for arrival in self.arrivals.by_time() {
            self.advance(arrival.at)?;
            self.put(arrival.rank);
            self.watch.add(1);
        }
        self.advance(self.arrivals.end())
    }

    /// Does what falls due up to a time.
    fn advance(&mut self, to: u64) -> ControlFlow<()> {
        loop {
            if self.watch.is_stopped() {
                return ControlFlow::Break(());
            }
            let oldest = self.deadlines.peek().map_or(u64::MAX, |Reverse((deadline, _))| *deadline);
            let sample = self.next_sample();
            let balance = if self.unbalanced { self.next_balance } else { u64::MAX };
            let next = oldest.min(sample).min(balance).min(self.next_check);
            if next > to {
                break;
            }
            self.now = next;
            if next == oldest {
                self.flush_old();
            } else if next == self.next_check {
                self.next_check += self.table.settings.major_check.max(1);
                self.check_stores();
            } else if next == balance {
                self.balance();
            } else {
                self.sample();
            }
        }
        self.now = to;
        let period = BALANCER_PERIOD;
        self.next_balance = self.next_balance.max(to.next_multiple_of(period));
        ControlFlow::Continue(())
    }

    pub(super) fn next_sample(&self) -> u64 {
        let count = self.samples.len() as u64 + 1;
        if count > SAMPLES || self.arrivals.end() == 0 {
            return u64::MAX;
        }
        (u128::from(self.arrivals.end()) * u128::from(count) / u128::from(SAMPLES)) as u64
    }

    pub(super) fn flush_old(&mut self) {
        let Some(Reverse((deadline, id))) = self.deadlines.pop() else { return };
        let due = self.regions[id].oldest.map(|oldest| oldest + self.table.settings.flush_interval);
        // The memstore that the deadline was for may be flushed already.
        if due == Some(deadline) {
            self.flush(id, FlushOf::All);
            self.after_flush(id);
        }
    }

    pub(super) fn sample(&mut self) {
        let live = || self.order.iter().map(|(_, id)| &self.regions[*id]);
        let files = live().flat_map(|region| &region.stores).map(|store| store.files.len() as u64).sum();
        let stored: f64 = live().flat_map(|region| &region.stores).map(Store::size).sum();
        let in_memory: f64 = live().map(StoreRegion::heap).sum();
        self.samples.push(Sample {
            at: self.now,
            regions: self.order.len() as u64,
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
        let regions = self.order.iter().map(|(_, id)| {
            let region = &self.regions[*id];
            RegionEnd {
                start: region.start.clone(),
                server: region.server,
                stored: region.stores.iter().map(Store::size).sum(),
                files: region.stores.iter().map(|store| store.files.len() as u64).sum(),
            }
        });
        Growth {
            end: if partial { self.now } else { self.arrivals.end() },
            partial,
            grain: self.arrivals.grain(),
            first_regions: self.table.split_keys.len() as u64 + 1,
            regions: regions.collect(),
            samples: self.samples,
            splits: self.splits,
        }
    }
}

/// A number from 0 up to 1, the same for the same arguments.
pub(super) fn fraction(seed: u64, number: u64) -> f64 {
    unit(bits(seed, number.wrapping_add(1)))
}

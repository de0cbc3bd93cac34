//! One table's life: rows come, memstores are flushed, files are compacted, regions split and move.
//!
//! Flushes, compactions and splits take no time here, so the result is what the rules alone make of the rows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::arrivals::Arrivals;
use super::cell::FamilyShape;
use super::growth::{Counts, Growth, RegionEnd, Sample, SplitEvent};
use super::region::{Memstore, Region};
use super::settings::Settings;
use super::store::Store;

/// How often the balancer runs, in milliseconds (`hbase.balancer.period`).
const BALANCER_PERIOD: u64 = 300_000;
/// Points of the growth curves.
const SAMPLES: u64 = 240;

/// What grows, and where.
#[derive(Debug, Clone)]
pub struct Table {
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

/// Emulates the table from the first arrival to the end of the last slice.
pub fn grow(table: &Table, arrivals: &Arrivals) -> Growth {
    let mut life = Life::new(table, arrivals);
    for arrival in arrivals.by_time() {
        life.advance(arrival.at);
        life.put(arrival.rank);
    }
    life.advance(arrivals.end());
    life.finish()
}

pub(super) struct Life<'a> {
    pub(super) table: &'a Table,
    pub(super) arrivals: &'a Arrivals,
    pub(super) now: u64,
    pub(super) regions: Vec<Region>,
    /// Start rank and index of every region, in key order.
    pub(super) order: Vec<(u32, usize)>,
    /// Regions of each server, and bytes in their memstores.
    pub(super) servers: Vec<(u64, f64)>,
    /// When a memstore gets too old, with its region.
    pub(super) deadlines: BinaryHeap<Reverse<(u64, usize)>>,
    pub(super) unbalanced: bool,
    pub(super) next_check: u64,
    pub(super) next_balance: u64,
    pub(super) counts: Counts,
    pub(super) samples: Vec<Sample>,
    pub(super) splits: Vec<SplitEvent>,
    pub(super) opened: u64,
}

impl<'a> Life<'a> {
    pub(super) fn new(table: &'a Table, arrivals: &'a Arrivals) -> Self {
        let mut life = Life {
            table,
            arrivals,
            now: 0,
            regions: Vec::new(),
            order: Vec::new(),
            servers: vec![(0, 0.0); table.servers.max(1)],
            deadlines: BinaryHeap::new(),
            unbalanced: false,
            next_check: table.settings.major_check.max(1),
            next_balance: BALANCER_PERIOD,
            counts: Counts::default(),
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
        let region = Region {
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
        let at = self.order.partition_point(|(_, other)| self.regions[*other].start < start);
        self.order.insert(at, entry);
        self.regions.push(region);
        self.servers[server].0 += 1;
        entry.1
    }

    /// Does what falls due up to a time.
    pub(super) fn advance(&mut self, to: u64) {
        loop {
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
            self.flush(id, true);
            self.after_flush(id);
        }
    }

    pub(super) fn sample(&mut self) {
        let live = || self.order.iter().map(|(_, id)| &self.regions[*id]);
        let files = live().flat_map(|region| &region.stores).map(|store| store.files.len() as u64).sum();
        let stored: f64 = live().flat_map(|region| &region.stores).map(Store::size).sum();
        let in_memory: f64 = live().map(Region::heap).sum();
        self.samples.push(Sample {
            at: self.now,
            regions: self.order.len() as u64,
            files,
            stored,
            in_memory,
            counts: self.counts.clone(),
        });
    }

    pub(super) fn finish(mut self) -> Growth {
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
            end: self.arrivals.end(),
            grain: self.arrivals.grain(),
            first_regions: self.table.split_keys.len() as u64 + 1,
            regions: regions.collect(),
            samples: self.samples,
            splits: self.splits,
        }
    }
}

/// A number from 0 up to 1, the same for the same arguments (SplitMix64's finaliser).
pub(super) fn fraction(seed: u64, number: u64) -> f64 {
    let mut z =
        seed.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

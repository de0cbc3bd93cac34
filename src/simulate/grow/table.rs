//! One table's life: rows come, memstores are flushed, files are compacted, regions split and move.
//!
//! Flushes, compactions and splits take no time here, so the result is what the rules alone make of the rows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::arrivals::Arrivals;
use super::cell::{EMPTY_MEMSTORE, FamilyShape};
use super::compaction;
use super::growth::{Counts, Growth, RegionEnd, Sample, SplitEvent};
use super::settings::Settings;
use super::split;
use super::store::{Scale, Store};

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

#[derive(Debug, Clone, Default)]
struct Memstore {
    ranks: Vec<u32>,
    heap: f64,
}

#[derive(Debug, Clone)]
struct Region {
    start: Vec<u8>,
    start_rank: u32,
    /// The next region's start; `None` is the end of the table.
    end: Option<Vec<u8>>,
    memstores: Vec<Memstore>,
    /// When the oldest edit in memory came.
    oldest: Option<u64>,
    stores: Vec<Store>,
    max_file_size: f64,
    /// Compacted references lie about until then and hold the next split up.
    no_split_before: u64,
    server: usize,
}

impl Region {
    fn heap(&self) -> f64 {
        self.memstores.iter().map(|memstore| memstore.heap).sum()
    }

    fn most_files(&self) -> usize {
        self.stores.iter().map(|store| store.files.len()).max().unwrap_or(0)
    }
}

struct Life<'a> {
    table: &'a Table,
    arrivals: &'a Arrivals,
    now: u64,
    regions: Vec<Region>,
    /// Start rank and index of every region, in key order.
    order: Vec<(u32, usize)>,
    /// Regions of each server, and bytes in their memstores.
    servers: Vec<(u64, f64)>,
    /// When a memstore gets too old, with its region.
    deadlines: BinaryHeap<Reverse<(u64, usize)>>,
    unbalanced: bool,
    next_check: u64,
    next_balance: u64,
    counts: Counts,
    samples: Vec<Sample>,
    splits: Vec<SplitEvent>,
    opened: u64,
}

impl<'a> Life<'a> {
    fn new(table: &'a Table, arrivals: &'a Arrivals) -> Self {
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

    fn open(&mut self, start: Vec<u8>, end: Option<Vec<u8>>, stores: Vec<Store>, server: usize) -> usize {
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

    // ---- time

    /// Does what falls due up to a time.
    fn advance(&mut self, to: u64) {
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

    fn next_sample(&self) -> u64 {
        let count = self.samples.len() as u64 + 1;
        if count > SAMPLES || self.arrivals.end() == 0 {
            return u64::MAX;
        }
        (u128::from(self.arrivals.end()) * u128::from(count) / u128::from(SAMPLES)) as u64
    }

    fn flush_old(&mut self) {
        let Some(Reverse((deadline, id))) = self.deadlines.pop() else { return };
        let due = self.regions[id].oldest.map(|oldest| oldest + self.table.settings.flush_interval);
        // The memstore that the deadline was for may be flushed already.
        if due == Some(deadline) {
            self.flush(id, true);
            self.after_flush(id);
        }
    }

    // ---- memstores

    fn put(&mut self, rank: u32) {
        let at = self.order.partition_point(|(start, _)| *start <= rank);
        let Some((_, id)) = self.order.get(at.saturating_sub(1)).copied() else { return };
        let rows = self.arrivals.rows(rank);
        let key = self.arrivals.key(rank).len() as u64;
        let region = &mut self.regions[id];
        let mut added = 0.0;
        for (memstore, family) in region.memstores.iter_mut().zip(&self.table.families) {
            let heap = rows * family.heap_row(key) as f64;
            memstore.ranks.push(rank);
            memstore.heap += heap;
            added += heap;
            self.counts.data += rows * family.stored_row(key) as f64;
        }
        self.counts.rows += rows;
        self.servers[region.server].1 += added;
        if region.oldest.is_none() {
            region.oldest = Some(self.now);
            if self.table.settings.flush_interval > 0 {
                self.deadlines.push(Reverse((self.now + self.table.settings.flush_interval, id)));
            }
        }
        let empty = region.memstores.len() as u64 * EMPTY_MEMSTORE;
        if region.heap() + empty as f64 > self.table.settings.flush_size as f64 {
            self.flush(id, false);
            self.after_flush(id);
        }
        self.relieve(self.regions[id].server);
    }

    /// Flushes the largest memstores of a server while all of them together take too much of its heap.
    fn relieve(&mut self, server: usize) {
        let Some(heap) = self.table.heap else { return };
        let limit = heap as f64 * self.table.settings.global_memstore;
        while self.servers[server].1 > limit {
            let of_server = self.regions.iter().enumerate().filter(|(_, region)| region.server == server);
            let largest = of_server.max_by(|(_, left), (_, right)| left.heap().total_cmp(&right.heap()));
            let Some(id) = largest.filter(|(_, region)| region.heap() > 0.0).map(|(id, _)| id) else {
                return;
            };
            self.counts.forced_flushes += 1;
            self.flush(id, true);
            self.after_flush(id);
        }
    }

    /// Writes memstores to files: all of them, or those that are large (`FlushAllLargeStoresPolicy`).
    fn flush(&mut self, id: usize, all: bool) {
        let settings = &self.table.settings;
        let families = self.table.families.len();
        let least = settings.family_flush_min.max(settings.flush_size / families.max(1) as u64) as f64;
        let has_large = self.regions[id].memstores.iter().any(|memstore| memstore.heap > least);
        let large_only = !all && families > 1 && has_large;
        let mut wrote = false;
        for index in 0..families {
            let scale = self.scale(index);
            let now = self.now;
            let region = &mut self.regions[id];
            let memstore = &mut region.memstores[index];
            if memstore.ranks.is_empty() || (large_only && memstore.heap <= least) {
                continue;
            }
            self.servers[region.server].1 -= memstore.heap;
            let mut ranks = std::mem::take(memstore).ranks;
            ranks.sort_unstable();
            let file = scale.file(ranks, now);
            self.counts.flushed += file.size;
            region.stores[index].files.push(file);
            wrote = true;
        }
        self.counts.flushes += u64::from(wrote);
        let region = &mut self.regions[id];
        region.oldest =
            region.memstores.iter().any(|memstore| !memstore.ranks.is_empty()).then_some(self.now);
        if region.oldest.is_some() && settings.flush_interval > 0 {
            self.deadlines.push(Reverse((self.now + settings.flush_interval, id)));
        }
    }

    /// `MemStoreFlusher.flushRegion`: a split if one is due, else a compaction.
    fn after_flush(&mut self, id: usize) {
        self.counts.most_files = self.counts.most_files.max(self.regions[id].most_files() as u64);
        if self.regions[id].most_files() >= self.table.settings.blocking_files {
            self.counts.blocked += 1;
        }
        if !self.split(id) {
            self.compact_where_needed(id);
        }
    }

    // ---- compactions

    fn scale(&self, family: usize) -> Scale<'a> {
        Scale {
            arrivals: self.arrivals,
            family: &self.table.families[family],
            settings: &self.table.settings,
            ratio: self.table.ratio,
        }
    }

    fn compact_where_needed(&mut self, id: usize) {
        for index in 0..self.table.families.len() {
            let store = &self.regions[id].stores[index];
            let needed = store.files.len() >= self.table.settings.min_files || store.has_references();
            if needed && self.compact(id, index, false) {
                return;
            }
        }
    }

    /// Compacts one store; answers whether its region has split after it.
    fn compact(&mut self, id: usize, index: usize, mut forced: bool) -> bool {
        loop {
            let due = self.major_due(id, index);
            let (scale, now) = (self.scale(index), self.now);
            self.regions[id].stores[index].drop_expired(scale, now);
            let files = &self.regions[id].stores[index].files;
            let Some(chosen) = compaction::select(files, &self.table.settings, due, forced) else {
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
    fn major_due(&self, id: usize, index: usize) -> bool {
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
    fn check_stores(&mut self) {
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

    // ---- splits

    /// Splits a region if its policy says so; answers whether it did.
    fn split(&mut self, id: usize) -> bool {
        let Some(row) = self.split_row(id) else { return false };
        self.flush(id, true);
        let at = self.arrivals.rank_of(&row);
        let region = &mut self.regions[id];
        let stored = region.stores.iter().map(Store::size).sum();
        self.splits.push(SplitEvent { at: self.now, start: region.start.clone(), row: row.clone(), stored });
        let (bottom, top): (Vec<Store>, Vec<Store>) =
            std::mem::take(&mut region.stores).into_iter().map(|store| store.split(at, self.now)).unzip();
        let server = region.server;
        let (start, end) = (std::mem::take(&mut region.start), region.end.take());
        let place = self.order.iter().position(|(_, other)| *other == id);
        place.map(|place| self.order.remove(place));
        self.servers[server].0 -= 1;
        let lower = self.open(start, Some(row.clone()), bottom, server);
        let upper = self.open(row, end, top, server);
        self.unbalanced = self.servers.len() > 1;
        for daughter in [lower, upper] {
            self.compact_where_needed(daughter);
        }
        true
    }

    /// Where a region splits now, if it does (`CompactSplit.requestSplit`, `HRegion.checkSplit`).
    fn split_row(&self, id: usize) -> Option<Vec<u8>> {
        let settings = &self.table.settings;
        let region = &self.regions[id];
        let (online, _) = self.servers[region.server];
        let held_up = self.now < region.no_split_before
            || online >= settings.region_split_limit
            || region.most_files() >= settings.blocking_files
            || region.stores.iter().any(Store::has_references);
        let sizes = || region.stores.iter().map(Store::size);
        let size = if settings.overall_files { sizes().sum() } else { sizes().fold(0.0, f64::max) };
        if held_up || size <= split::threshold(settings, online, region.max_file_size) {
            return None;
        }
        let mut best: (f64, Option<Vec<u8>>) = (0.0, None);
        for (index, store) in region.stores.iter().enumerate() {
            // The first of the largest, as Java's `Stream.max` finds it.
            let largest = store.files.iter().rev().max_by(|left, right| left.size.total_cmp(&right.size));
            let row = largest.and_then(|file| split::middle_row(file, self.scale(index)));
            if row.is_some() && store.size() > best.0 {
                best = (store.size(), row);
            }
        }
        let row = split::restrict(best.1?, &settings.restriction);
        let inside = row > region.start && region.end.as_ref().is_none_or(|end| row < *end);
        inside.then_some(row)
    }

    /// Moves regions until no server has two more of them than another. A region that moves is flushed.
    fn balance(&mut self) {
        self.unbalanced = false;
        loop {
            let counts = || self.servers.iter().map(|(regions, _)| *regions).enumerate();
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
            self.flush(id, true);
            self.regions[id].server = least;
            self.regions[id].no_split_before = self.now;
            self.servers[most].0 -= 1;
            self.servers[least].0 += 1;
            self.counts.moves += 1;
            self.compact_where_needed(id);
        }
    }

    // ---- results

    fn sample(&mut self) {
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

    fn finish(mut self) -> Growth {
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
fn fraction(seed: u64, number: u64) -> f64 {
    let mut z =
        seed.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

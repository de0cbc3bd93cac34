//! Counts ranges of rows in batches.

use std::ops::Range;

use super::batch::Batch;
use super::program::{KeyShape, Program};
use super::salt_plan::SaltPlace;
use crate::WorkloadError;
use crate::counts::RowCounts;
use crate::engine::{CountingEngine, Worker};
use saltplan_core::region;
use saltplan_lanes::{Level, NumberColumn, ROWS, WordColumn};

/// The number of histograms that are used in turn, so that an increment does not wait for the previous one.
const TURNS: usize = 4;

/// Up to this number of regions, each is counted by comparing all rows with it.
const FEW: usize = 24;

/// Counts the rows of a [`Program`].
#[derive(Debug)]
pub struct LaneEngine {
    program: Program,
    level: Level,
}

impl LaneEngine {
    /// With the best instructions of the processor.
    pub fn new(program: Program) -> Self {
        Self::at(program, Level::best())
    }

    pub fn at(program: Program, level: Level) -> Self {
        LaneEngine { program, level }
    }
}

impl CountingEngine for LaneEngine {
    fn worker(&self) -> impl Worker {
        Lanes::new(&self.program, self.level)
    }
}

/// The buffers of one thread for a [`Program`]: a few hundred kilobytes per shape of keys, whatever the
/// number of rows.
#[derive(Debug)]
pub struct Lanes<'a> {
    program: &'a Program,
    level: Level,
    /// By shape.
    batches: Vec<Batch>,
    /// Row numbers that are not yet sorted by shape, by track.
    mixed: Vec<NumberColumn>,
    shapes: WordColumn,
    tally: LaneTally<'a>,
}

/// The counts of some rows.
#[derive(Debug)]
struct LaneTally<'a> {
    level: Level,
    split_keys: &'a [Vec<u8>],
    histograms: [Vec<u64>; TURNS],
    counts: RowCounts,
    key: Vec<u8>,
}

impl Worker for Lanes<'_> {
    fn count_chunk(&mut self, rows: Range<u64>, counts: &mut RowCounts) -> Result<(), WorkloadError> {
        self.each_batch(rows, LaneTally::count);
        self.tally.take(counts);
        Ok(())
    }
}

impl<'a> Lanes<'a> {
    pub fn new(program: &'a Program, level: Level) -> Self {
        let tracks = program.tracks.len();
        let regions = program.split_keys.len() + 1;
        Lanes {
            program,
            level,
            batches: program.shapes.iter().map(|shape| Batch::new(shape, tracks)).collect(),
            mixed: vec![[0; ROWS]; tracks],
            shapes: [0; ROWS],
            tally: LaneTally {
                level,
                split_keys: &program.split_keys,
                histograms: std::array::from_fn(|_| vec![0; regions]),
                counts: RowCounts::new(0),
                key: Vec::new(),
            },
        }
    }

    /// The row keys of a range with their rows, in arbitrary order.
    pub fn keys(&mut self, rows: Range<u64>, mut each: impl FnMut(u64, &[u8])) {
        self.each_batch(rows, |tally, shape, batch| each_key(tally, shape, batch, &mut each));
    }

    /// The row keys of any rows, in arbitrary order.
    pub fn keys_at(&mut self, mut rows: impl Iterator<Item = u64>, mut each: impl FnMut(u64, &[u8])) {
        let mut some = Vec::with_capacity(ROWS);
        let mut each = |tally: &mut LaneTally<'_>, shape: &KeyShape, batch: &Batch| {
            each_key(tally, shape, batch, &mut each);
        };
        loop {
            some.clear();
            some.extend(rows.by_ref().take(ROWS));
            if some.is_empty() {
                break;
            }
            for (track, numbers) in self.program.tracks.iter().zip(&mut self.mixed) {
                numbers.iter_mut().zip(&some).for_each(|(number, row)| *number = track.values.at(*row));
            }
            self.sort_in(some.iter().copied(), &mut each);
        }
        self.finish(&mut each);
    }

    fn each_batch(&mut self, rows: Range<u64>, mut each: impl FnMut(&mut LaneTally<'a>, &KeyShape, &Batch)) {
        let (program, kernels) = (self.program, self.level.kernels());
        let mut first = rows.start;
        while first < rows.end {
            let stop = rows.end.min(first.saturating_add(ROWS as u64));
            if let ([shape], [batch]) = (program.shapes.as_slice(), self.batches.as_mut_slice()) {
                batch.rows.clear();
                batch.rows.extend(first..stop);
                program.fill(kernels, first, &mut batch.numbers);
                batch.make(kernels, shape, &program.heads);
                each(&mut self.tally, shape, batch);
                batch.rows.clear();
            } else {
                program.fill(kernels, first, &mut self.mixed);
                self.sort_in(first..stop, &mut each);
            }
            first = stop;
        }
        self.finish(&mut each);
    }

    /// Distributes rows whose numbers are `mixed` over the batches of their shapes; full batches are
    /// processed.
    fn sort_in(
        &mut self,
        rows: impl Iterator<Item = u64>,
        each: &mut impl FnMut(&mut LaneTally<'a>, &KeyShape, &Batch),
    ) {
        let (program, kernels) = (self.program, self.level.kernels());
        program.sort_by_shape(kernels, &self.mixed, &mut self.shapes);
        for ((place, row), index) in rows.enumerate().zip(&self.shapes) {
            let index = *index as usize;
            let (Some(shape), Some(batch)) = (program.shapes.get(index), self.batches.get_mut(index)) else {
                continue;
            };
            let slot = batch.rows.len();
            for (numbers, mixed) in batch.numbers.iter_mut().zip(&self.mixed) {
                if let (Some(number), Some(mixed)) = (numbers.get_mut(slot), mixed.get(place)) {
                    *number = *mixed;
                }
            }
            batch.rows.push(row);
            if batch.rows.len() == ROWS {
                batch.make(kernels, shape, &program.heads);
                each(&mut self.tally, shape, batch);
                batch.rows.clear();
            }
        }
    }

    /// Processes the batches that are not full.
    fn finish(&mut self, each: &mut impl FnMut(&mut LaneTally<'a>, &KeyShape, &Batch)) {
        let kernels = self.level.kernels();
        for (shape, batch) in self.program.shapes.iter().zip(&mut self.batches) {
            if !batch.rows.is_empty() {
                batch.make(kernels, shape, &self.program.heads);
                each(&mut self.tally, shape, batch);
                batch.rows.clear();
            }
        }
    }
}

fn each_key(tally: &mut LaneTally<'_>, shape: &KeyShape, batch: &Batch, each: &mut impl FnMut(u64, &[u8])) {
    for (place, row) in batch.rows.iter().enumerate() {
        batch.key_of(shape, place, &mut tally.key);
        each(*row, &tally.key);
    }
}

impl LaneTally<'_> {
    fn count(&mut self, shape: &KeyShape, batch: &Batch) {
        let count = batch.rows.len();
        let regions = batch.regions.get(..count).unwrap_or(&[]);
        if self.split_keys.len() < FEW {
            let [histogram, ..] = &mut self.histograms;
            if self.level.kernels().count(regions, histogram) < count as u64 {
                let closed = self.split_keys.len() as u32;
                let open = regions.iter().enumerate().filter(|(_, region)| **region > closed);
                open.for_each(|(row, _)| self.count_open(shape, batch, row));
            }
        } else {
            for (row, region) in regions.iter().enumerate() {
                match self.histograms[row % TURNS].get_mut(*region as usize) {
                    Some(puts) => *puts += 1,
                    None => self.count_open(shape, batch, row),
                }
            }
        }
        let width = shape.key.width();
        match &shape.salt {
            Some(salt) if matches!(salt.place, SaltPlace::Apart(_)) => {
                for number in batch.salts.iter().take(count) {
                    let length = salt.apart(*number).len() + width;
                    self.counts.add_lengths(length, length, length as u128);
                }
            }
            _ => self.counts.add_lengths(width, width, width as u128 * count as u128),
        }
    }

    /// Counts a row whose whole key must be compared.
    #[cold]
    fn count_open(&mut self, shape: &KeyShape, batch: &Batch, row: usize) {
        batch.key_of(shape, row, &mut self.key);
        let region = region::locate(&self.key, self.split_keys);
        let [histogram, ..] = &mut self.histograms;
        if let Some(puts) = histogram.get_mut(region) {
            *puts += 1;
        }
    }

    /// Moves all counts to the result.
    fn take(&mut self, counts: &mut RowCounts) {
        for histogram in &mut self.histograms {
            for (puts, counted) in counts.puts.iter_mut().zip(histogram.iter_mut()) {
                *puts += std::mem::take(counted);
            }
        }
        counts.merge(&self.counts);
        self.counts = RowCounts::new(0);
    }
}

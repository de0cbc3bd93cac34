//! The files of one family in one region.

use super::arrivals::Arrivals;
use super::cell::{FamilyShape, file_size};
use super::settings::Settings;
use super::split;

/// One HFile, or a reference to a half of one.
#[derive(Debug, Clone)]
pub struct HFile {
    /// Ranks of its keys, ascending.
    pub ranks: Vec<u32>,
    /// Bytes on disk.
    pub size: f64,
    /// Milliseconds since the table was made.
    pub created: u64,
    /// A half of the parent's file, not rewritten yet.
    pub reference: bool,
    /// When its oldest and its newest cell came.
    pub cells: (u64, u64),
}

/// What turns ranks into bytes.
#[derive(Debug, Clone, Copy)]
pub struct Scale<'a> {
    pub arrivals: &'a Arrivals,
    pub family: &'a FamilyShape,
    pub settings: &'a Settings,
    /// Bytes on disk for one byte of cells: below 1 with compression or block encoding.
    pub ratio: f64,
}

impl Scale<'_> {
    /// Whether every key is a row of its own, so that the blocks of files are known.
    pub fn is_exact(&self) -> bool {
        self.arrivals.grain() <= 1.0
    }

    /// Bytes of the cells that a key stands for.
    pub fn data(&self, rank: u32) -> f64 {
        self.arrivals.rows(rank) * self.family.stored_row(self.arrivals.key(rank).len() as u64) as f64
    }

    pub fn file(&self, ranks: Vec<u32>, created: u64) -> HFile {
        let size = self.size(&ranks);
        let times = || ranks.iter().map(|rank| self.arrivals.time(*rank));
        let cells = (times().min().unwrap_or(created), times().max().unwrap_or(created));
        HFile { ranks, size, created, reference: false, cells }
    }

    /// Whether a cell that came at a time is past its life.
    pub fn is_expired(&self, came: u64, now: u64) -> bool {
        self.family.ttl.is_some_and(|ttl| came.saturating_add(ttl) < now)
    }

    pub fn size(&self, ranks: &[u32]) -> f64 {
        let (mut data, mut rows, mut keys) = (0.0, 0.0, 0.0);
        for &rank in ranks {
            let key = self.arrivals.key(rank).len() as f64;
            let here = self.arrivals.rows(rank);
            rows += here;
            keys += here * key;
            data += self.data(rank);
        }
        let (blocks, index_rows) = if self.is_exact() {
            split::index(ranks, *self)
        } else {
            let blocks = (data / self.settings.block_size as f64).ceil().max(1.0);
            (blocks, blocks * keys / rows.max(1.0))
        };
        file_size(data, rows, blocks, index_rows, self.ratio)
    }
}

/// The files of a family, oldest first.
#[derive(Debug, Clone, Default)]
pub struct Store {
    pub files: Vec<HFile>,
}

impl Store {
    pub fn size(&self) -> f64 {
        self.files.iter().map(|file| file.size).sum()
    }

    pub fn has_references(&self) -> bool {
        self.files.iter().any(|file| file.reference)
    }

    /// The files of the two daughters when the region splits before the rank `at`. A file on one side of the split
    /// goes there whole, as a link; the others leave a reference on both sides (`HRegionFileSystem.splitStoreFile`).
    pub fn split(self, at: u32, now: u64) -> (Store, Store) {
        let (mut bottom, mut top) = (Store::default(), Store::default());
        for mut file in self.files {
            let middle = file.ranks.partition_point(|rank| *rank < at);
            if middle == file.ranks.len() {
                bottom.files.push(file);
            } else if middle == 0 {
                top.files.push(file);
            } else {
                let share = middle as f64 / file.ranks.len() as f64;
                let upper = file.ranks.split_off(middle);
                let half = |ranks, share: f64| HFile {
                    cells: file.cells,
                    ranks,
                    size: file.size * share,
                    created: now,
                    reference: true,
                };
                top.files.push(half(upper, 1.0 - share));
                bottom.files.push(half(std::mem::take(&mut file.ranks), share));
            }
        }
        (bottom, top)
    }

    /// Throws away the files in which no cell lives any more; the newest file stays (`HStore.removeUnneededFiles`).
    pub fn drop_expired(&mut self, scale: Scale<'_>, now: u64) {
        let mut left = self.files.len();
        self.files.retain(|file| {
            left -= 1;
            left == 0 || !scale.is_expired(file.cells.1, now)
        });
    }

    /// Replaces the files of a range by one with their living cells; answers with the bytes written.
    pub fn compact(&mut self, range: std::ops::Range<usize>, scale: Scale<'_>, now: u64) -> f64 {
        let at = range.start;
        let mut ranks: Vec<u32> = self.files.drain(range).flat_map(|file| file.ranks).collect();
        ranks.retain(|rank| !scale.is_expired(scale.arrivals.time(*rank), now));
        if ranks.is_empty() {
            return 0.0;
        }
        ranks.sort_unstable();
        let file = scale.file(ranks, now);
        let written = file.size;
        self.files.insert(at.min(self.files.len()), file);
        written
    }
}

//! The files of one family in one region.

use std::cell::OnceCell;

use super::arrivals::Arrivals;
use super::cell::file_size;
use super::held::Held;
use super::scale::Scale;
use super::split_policy;

/// One `HFile`, or a reference to a half of one.
#[derive(Debug, Clone)]
pub struct HFile {
    pub held: Held,
    /// Bytes on disk.
    pub size: f64,
    /// Milliseconds since the table was created.
    pub created: u64,
    /// Whether it is a reference to half of the parent's file that is not yet rewritten.
    pub reference: bool,
    /// When its oldest and its newest cell arrived; for a reference, those of the whole file.
    pub cells: (u64, u64),
    /// Where a region splits if this is its largest file, once that was computed.
    middle: OnceCell<Option<Vec<u8>>>,
}

impl HFile {
    pub fn new(held: Held, size: f64, created: u64, cells: (u64, u64)) -> Self {
        HFile { held, size, created, reference: false, cells, middle: OnceCell::new() }
    }

    /// A new file with these cells.
    pub fn written(held: Held, scale: Scale<'_>, created: u64) -> Self {
        let size = size(&held, scale);
        let cells = held.times(scale.arrivals).unwrap_or((created, created));
        HFile::new(held, size, created, cells)
    }

    fn reference(held: Held, size: f64, created: u64, cells: (u64, u64)) -> Self {
        HFile { reference: true, ..HFile::new(held, size, created, cells) }
    }

    /// See [`split_policy::middle_row`].
    pub fn middle_row(&self, scale: Scale<'_>) -> Option<&[u8]> {
        self.middle.get_or_init(|| split_policy::middle_row(&self.held, scale)).as_deref()
    }
}

fn size(held: &Held, scale: Scale<'_>) -> f64 {
    let (rows, data) = (held.rows(), held.data(scale.bytes));
    let (blocks, index_rows) = if scale.is_exact() {
        split_policy::index(held.sorted(), scale)
    } else {
        let blocks = (data / scale.settings.block_size as f64).ceil().max(1.0);
        (blocks, blocks * held.key_bytes() / rows.max(1.0))
    };
    file_size(data, rows, blocks, index_rows, scale.ratio)
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

    /// The files of the two daughter regions if the region splits before the rank `at`. A file that is
    /// completely on one side is moved there as a link; the others leave a reference on both sides
    /// (`HRegionFileSystem.splitStoreFile`).
    pub fn split(self, at: u32, arrivals: &Arrivals, now: u64) -> (Store, Store) {
        let (mut bottom, mut top) = (Store::default(), Store::default());
        for file in self.files {
            let (lower, upper) = file.held.split(at, arrivals);
            match (lower.is_empty(), upper.is_empty()) {
                (_, true) => bottom.files.push(HFile { held: lower, ..file }),
                (true, false) => top.files.push(HFile { held: upper, ..file }),
                (false, false) => {
                    let share = lower.len() as f64 / (lower.len() + upper.len()) as f64;
                    bottom.files.push(HFile::reference(lower, file.size * share, now, file.cells));
                    top.files.push(HFile::reference(upper, file.size * (1.0 - share), now, file.cells));
                }
            }
        }
        (bottom, top)
    }

    /// Removes files in which all cells have expired; the newest file is kept (`HStore.removeUnneededFiles`).
    pub fn drop_expired(&mut self, scale: Scale<'_>, now: u64) {
        let mut left = self.files.len();
        self.files.retain(|file| {
            left -= 1;
            left == 0 || !scale.is_expired(file.cells.1, now)
        });
    }

    /// Replaces a range of files with one file of their living cells. Returns the bytes written.
    pub fn compact(&mut self, range: std::ops::Range<usize>, scale: Scale<'_>, now: u64) -> f64 {
        let at = range.start;
        let mut held = Held::default();
        for file in self.files.drain(range) {
            held.append(file.held);
        }
        held.forget(scale.arrivals, |came| scale.is_expired(came, now));
        if held.is_empty() {
            return 0.0;
        }
        let file = HFile::written(held, scale, now);
        let written = file.size;
        self.files.insert(at.min(self.files.len()), file);
        written
    }
}

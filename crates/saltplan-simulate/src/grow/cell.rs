//! The number of bytes of a row in memory and in a file.

/// The columns of one family that every row has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyShape {
    pub name: String,
    pub columns: Vec<ColumnShape>,
    /// The TTL of a cell in milliseconds; `None` means forever.
    pub ttl: Option<u64>,
}

/// The lengths of the name and the value of each column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnShape {
    pub qualifier: u64,
    pub value: u64,
}

/// The lengths of key and value, the length of the row key, the length of the family name, timestamp, type.
const KEY_VALUE_FIXED: u64 = 4 + 4 + 2 + 1 + 8 + 1;
/// The sequence number after every cell of a file: four bytes from 65,536 to 16,777,215.
const SEQUENCE_ID: u64 = 4;
/// `ByteBufferKeyValue.FIXED_OVERHEAD` on a 64-bit Java with compressed pointers.
const CELL_OBJECT: u64 = 32;
/// `ClassSize.CONCURRENT_SKIPLISTMAP_ENTRY`, likewise.
const MAP_ENTRY: u64 = 40;

/// `MutableSegment.DEEP_OVERHEAD`: the size of an empty memstore.
pub const EMPTY_MEMSTORE: u64 = 256;

/// `HFileBlock`: the header, and a checksum for every 16 KiB.
const BLOCK_HEADER: u64 = 33;
const CHECKSUM: u64 = 4;
const BYTES_PER_CHECKSUM: u64 = 16 << 10;
/// The offset and the size of a block in the index, and the parts of its first key except the row.
const INDEX_ENTRY: u64 = 12 + 1 + 12;
/// The number of bits per row in the Bloom filter, for an error rate of 1 %.
const BLOOM_BITS: u64 = 10;
/// The trailer of version 3 and the block of file information.
const FILE_FIXED: u64 = 4096 + 1000;

impl FamilyShape {
    /// The bytes of one cell as `KeyValue` serialises it, for a row key of `row` bytes.
    fn cell(&self, column: ColumnShape, row: u64) -> u64 {
        KEY_VALUE_FIXED + row + self.name.len() as u64 + column.qualifier + column.value
    }

    /// The bytes of each cell of a row in the blocks of a file.
    pub fn stored_cells(&self, row: u64) -> impl Iterator<Item = u64> + '_ {
        self.columns.iter().map(move |column| self.cell(*column, row) + SEQUENCE_ID)
    }

    /// The bytes of rows that do not depend on the length of their keys.
    pub fn row_bytes(&self) -> RowBytes {
        let heap = |row: u64| {
            let cells =
                self.columns.iter().map(|column| MAP_ENTRY + align(CELL_OBJECT + self.cell(*column, row)));
            cells.sum()
        };
        RowBytes {
            cells: self.columns.len() as u64,
            stored: self.stored_cells(0).sum(),
            heap: std::array::from_fn(|rest| heap(rest as u64)),
        }
    }
}

/// The bytes of a family's rows, which depend on the length of the row key, because every cell repeats it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowBytes {
    cells: u64,
    /// In a file, without the row keys.
    stored: u64,
    /// In memory, for row keys of 0 to 7 bytes: every eight bytes more add eight bytes to every cell.
    heap: [u64; ALIGNMENT as usize],
}

impl RowBytes {
    /// The bytes of a row in the blocks of a file.
    pub fn stored(&self, row: u64) -> u64 {
        self.stored + self.cells * row
    }

    /// The bytes of several rows in the blocks of files; `key_bytes` is the total length of their row keys,
    /// each counted once.
    pub fn stored_rows(&self, rows: f64, key_bytes: f64) -> f64 {
        rows * self.stored as f64 + key_bytes * self.cells as f64
    }

    /// The bytes of a row in the memstore, as `Segment.heapSizeChange` counts them against the flush size.
    pub fn heap(&self, row: u64) -> u64 {
        let rest = self.heap[(row % ALIGNMENT) as usize];
        rest + self.cells * (row / ALIGNMENT * ALIGNMENT)
    }
}

/// Java aligns objects to multiples of this.
const ALIGNMENT: u64 = 8;

fn align(bytes: u64) -> u64 {
    bytes.div_ceil(ALIGNMENT) * ALIGNMENT
}

/// The size of an `HFile`: its blocks of cells with headers and checksums, the index, the Bloom filter and
/// the trailer.
///
/// `data` are the bytes of cells, `rows` is the number of rows, `index_rows` are the bytes of the rows in the
/// index, which has one entry for each of the `blocks`; `ratio` is the ratio of bytes on disk to bytes of
/// data.
pub fn file_size(data: f64, rows: f64, blocks: f64, index_rows: f64, ratio: f64) -> f64 {
    let stored = data * ratio;
    let checksums = (stored / BYTES_PER_CHECKSUM as f64).ceil() * CHECKSUM as f64;
    let index = blocks * INDEX_ENTRY as f64 + index_rows;
    let bloom = rows * BLOOM_BITS as f64 / 8.0;
    stored + checksums + blocks * BLOCK_HEADER as f64 + index + bloom + FILE_FIXED as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family() -> FamilyShape {
        let columns = vec![ColumnShape { qualifier: 5, value: 100 }, ColumnShape { qualifier: 1, value: 0 }];
        FamilyShape { name: "cf1".into(), columns, ttl: None }
    }

    #[test]
    fn a_row_as_hbase_counts_it() {
        // new KeyValue(row of 13, "cf1", "phone", value of 100).getLength() is 141; with "q" and no value it
        // is 37.
        assert_eq!(family().cell(family().columns[0], 13), 141);
        assert_eq!(family().row_bytes().stored(13), 141 + 4 + 37 + 4);
        assert_eq!(family().row_bytes().heap(13), 40 + 176 + 40 + 72);
    }

    #[test]
    fn sizes_for_keys_of_any_length() {
        let (family, bytes) = (family(), family().row_bytes());
        for row in 0..100 {
            let heap = |column: &ColumnShape| MAP_ENTRY + align(CELL_OBJECT + family.cell(*column, row));
            assert_eq!(bytes.heap(row), family.columns.iter().map(heap).sum::<u64>(), "{row}");
            assert_eq!(bytes.stored(row), family.stored_cells(row).sum::<u64>(), "{row}");
        }
    }

    #[test]
    fn a_file_is_little_more_than_its_cells() {
        let size = file_size(1e8, 1e5, 1526.0, 30_520.0, 1.0);
        assert!((1.001e8..1.003e8).contains(&size), "{size}");
        assert!(file_size(1e8, 1e5, 1526.0, 30_520.0, 0.25) < 0.26e8);
    }
}

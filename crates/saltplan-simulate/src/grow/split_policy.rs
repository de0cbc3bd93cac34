//! When and where a region splits.

use std::borrow::Cow;

use super::held::Held;
use super::scale::Scale;
use super::settings::{HbaseSettings, Restriction, SplitPolicy};

/// The size above which a region splits. `regions` of the table are on its server; `max_file_size` is the
/// region's own maximum, including the jitter.
pub fn threshold(settings: &HbaseSettings, regions: u64, max_file_size: f64) -> f64 {
    let initial = settings.initial_size as f64;
    match settings.policy {
        SplitPolicy::Disabled => f64::INFINITY,
        SplitPolicy::ConstantSize => max_file_size,
        SplitPolicy::Stepping if regions == 1 => initial,
        SplitPolicy::Stepping => max_file_size,
        // Above 100 the cube might overflow, so HBase does not compute it.
        SplitPolicy::IncreasingToUpperBound if regions == 0 || regions > 100 => max_file_size,
        SplitPolicy::IncreasingToUpperBound => max_file_size.min(initial * (regions as f64).powi(3)),
    }
}

/// The size at which a block index gets a second level.
const INDEX_CHUNK: usize = 128 << 10;
/// The bytes of an entry of that level without the row.
const INDEX_ENTRY: usize = 28;

/// Where a block starts: before the row at this position of the file, or between two of its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BlockStart {
    row: usize,
    inside: bool,
}

/// The middle row of a file: the first row of its middle block, or what HBase writes into the index for it
/// (`HFileBlockIndex.midkey`). `None` if it is the first or last row, because such a file is never split.
pub fn middle_row(held: &Held, scale: Scale<'_>) -> Option<Vec<u8>> {
    let ranks = if scale.is_exact() { Cow::Borrowed(held.sorted()) } else { Cow::Owned(held.to_sorted()) };
    let cut = if scale.is_exact() { middle_block(&ranks, scale) } else { middle_byte(&ranks, scale) };
    let row = index_row(&ranks, cut, scale)?;
    let ends = [ranks.first(), ranks.last()];
    let is_end = ends.into_iter().flatten().any(|rank| scale.arrivals.key(*rank) == row);
    (!is_end).then_some(row)
}

/// The row of a block in the index.
fn index_row(ranks: &[u32], cut: BlockStart, scale: Scale<'_>) -> Option<Vec<u8>> {
    let key = |index: usize| ranks.get(index).map(|rank| scale.arrivals.key(*rank));
    match cut.row.checked_sub(1).and_then(key) {
        Some(before) if !cut.inside => Some(separator(before, key(cut.row)?)),
        _ => key(cut.row).map(<[u8]>::to_vec),
    }
}

/// The number of blocks, and the bytes of their rows in the index. The ranks must be ascending.
pub fn index(ranks: &[u32], scale: Scale<'_>) -> (f64, f64) {
    let cuts = blocks(ranks, scale);
    let rows =
        cuts.iter().filter_map(|cut| index_row(ranks, *cut, scale)).map(|row| row.len()).sum::<usize>();
    (cuts.len() as f64, rows as f64)
}

/// Where the blocks of a file start, as HBase writes the cells: a block ends with the cell that fills it.
fn blocks(ranks: &[u32], scale: Scale<'_>) -> Vec<BlockStart> {
    let block = scale.settings.block_size;
    let (mut cuts, mut filled, mut row) = (Vec::new(), u64::MAX, 0);
    while let Some(rank) = ranks.get(row) {
        let key = scale.arrivals.key(*rank).len() as u64;
        for (cell, bytes) in scale.family.stored_cells(key).enumerate() {
            if filled >= block {
                cuts.push(BlockStart { row, inside: cell > 0 });
                filled = 0;
            }
            filled += bytes;
        }
        row += 1;
        if scale.arrivals.has_one_length() && filled < block {
            let (whole, last) = (scale.bytes.stored(key), scale.family.stored_cells(key).last().unwrap_or(0));
            let rows = rows_without_cut(block - filled, whole, last).min((ranks.len() - row) as u64);
            row += rows as usize;
            filled += rows * whole;
        }
    }
    cuts
}

/// How many consecutive rows fit into a block with this much room left, before one whose cells do not all
/// fit: its last cell must start before the block is full.
fn rows_without_cut(room: u64, row: u64, last_cell: u64) -> u64 {
    (room + last_cell).saturating_sub(1) / row.max(1)
}

fn middle_block(ranks: &[u32], scale: Scale<'_>) -> BlockStart {
    let cuts = blocks(ranks, scale);
    let key = ranks.first().map_or(0, |rank| scale.arrivals.key(*rank).len());
    let two_levels = cuts.len() * (INDEX_ENTRY + key) > INDEX_CHUNK;
    let middle = if two_levels { cuts.len().saturating_sub(1) / 2 } else { cuts.len() / 2 };
    cuts.get(middle).copied().unwrap_or(BlockStart { row: 0, inside: false })
}

/// The row at which half of the bytes are reached.
fn middle_byte(ranks: &[u32], scale: Scale<'_>) -> BlockStart {
    let total: f64 = ranks.iter().map(|rank| scale.data(*rank)).sum();
    let mut sum = 0.0;
    let row = ranks.iter().position(|rank| {
        sum += scale.data(*rank);
        sum > total / 2.0
    });
    BlockStart { row: row.unwrap_or(0), inside: false }
}

/// The shortest key above `left` and not above `right`, for `left` below `right`
/// (`HFileWriterImpl.getMidpoint`).
fn separator(left: &[u8], right: &[u8]) -> Vec<u8> {
    let same = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    match (left.get(same), right.get(same)) {
        (Some(low), Some(high)) if low.checked_add(1).is_some_and(|next| next < *high) => {
            let mut key = left[..same].to_vec();
            key.push(low + 1);
            key
        }
        (_, Some(_)) => right[..=same].to_vec(),
        // The same row twice.
        (_, None) => right.to_vec(),
    }
}

/// Applies the restriction of a split policy to a split point.
pub fn restrict(mut row: Vec<u8>, restriction: &Restriction) -> Vec<u8> {
    match restriction {
        Restriction::None => {}
        Restriction::Prefix(length) => row.truncate(*length),
        Restriction::Delimiter(delimiter) => {
            let at = row.windows(delimiter.len().max(1)).position(|window| window == delimiter);
            row.truncate(at.unwrap_or(row.len()));
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::super::arrivals::{Arrivals, Slice};
    use super::super::cell::{ColumnShape, FamilyShape};
    use super::*;

    const GIB: f64 = (1u64 << 30) as f64;

    #[test]
    fn thresholds_of_the_policies() {
        let at = |policy, regions| {
            threshold(&HbaseSettings { policy, ..HbaseSettings::default() }, regions, 10.0 * GIB) / GIB
        };
        let increasing = SplitPolicy::IncreasingToUpperBound;
        let sizes: Vec<f64> = [1, 2, 3, 4, 101].into_iter().map(|regions| at(increasing, regions)).collect();
        assert_eq!(sizes, [0.25, 2.0, 6.75, 10.0, 10.0]);
        assert_eq!((at(SplitPolicy::Stepping, 1), at(SplitPolicy::Stepping, 2)), (0.25, 10.0));
        assert_eq!(at(SplitPolicy::ConstantSize, 1), 10.0);
        assert_eq!(at(SplitPolicy::Disabled, 1), f64::INFINITY);
    }

    #[test]
    fn separators_as_the_index_has_them() {
        let text = |left: &str, right: &str| {
            String::from_utf8(separator(left.as_bytes(), right.as_bytes())).unwrap()
        };
        assert_eq!(text("row0005", "row0093"), "row001");
        assert_eq!(text("row0005", "row0013"), "row001");
        assert_eq!(text("ab", "abz"), "abz");
        assert_eq!(text("a", "b"), "b");
        assert_eq!(separator(b"a\xff", b"c"), b"b");
        assert_eq!(separator(b"\xff", b"\xff\x00"), b"\xff\x00");
    }

    /// Keys of equal length are not visited one by one; a single key of another length changes that.
    #[test]
    fn blocks_of_rows_of_equal_length() {
        for (columns, value) in [(1, 10), (3, 700), (2, 40_000), (1, 64 << 10)] {
            let columns = vec![ColumnShape { qualifier: 1, value }; columns];
            let family = FamilyShape { name: "f".into(), columns, ttl: None };
            let settings = HbaseSettings::default();
            let cuts = |last: &str| {
                let keys = (0..3_000).map(|i| format!("{i:05}")).chain([last.to_string()]).collect();
                let arrivals = Arrivals::new([Slice { seconds: 1.0, puts: 3_001, keys }]);
                let bytes = family.row_bytes();
                let scale =
                    Scale { arrivals: &arrivals, family: &family, bytes, settings: &settings, ratio: 1.0 };
                assert_eq!(arrivals.has_one_length(), last.len() == 5);
                blocks(&(0..3_000).collect::<Vec<u32>>(), scale)
            };
            let equal = cuts("99999");
            assert!(equal.len() > 1);
            assert_eq!(equal, cuts("999999"), "{value}");
        }
    }

    #[test]
    fn the_middle_of_a_file() {
        let keys: Vec<Vec<u8>> = (0..10_000).map(|i| format!("{i:05}").into_bytes()).collect();
        let family = FamilyShape {
            name: "f".into(),
            columns: vec![ColumnShape { qualifier: 1, value: 100 }; 2],
            ttl: None,
        };
        let settings = HbaseSettings::default();
        for (puts, expected) in [(10_000, "0501"), (1_000_000, "05")] {
            let arrivals = Arrivals::new([Slice { seconds: 1.0, puts, keys: keys.iter().collect() }]);
            let bytes = family.row_bytes();
            let scale =
                Scale { arrivals: &arrivals, family: &family, bytes, settings: &settings, ratio: 1.0 };
            let middle = |ranks: std::ops::Range<u32>| {
                let mut held = Held::default();
                ranks.for_each(|rank| held.push(rank, &arrivals));
                middle_row(&held, scale).map(|row| String::from_utf8_lossy(&row).into_owned())
            };
            let row = middle(0..10_000);
            assert!(row.as_deref().is_some_and(|row| row.starts_with(expected)), "{row:?}");
            // A single row or a single block has no middle.
            assert_eq!(middle(7..8), None);
        }
    }

    #[test]
    fn restrictions_cut() {
        assert_eq!(restrict(b"abc".to_vec(), &Restriction::Prefix(2)), b"ab");
        assert_eq!(restrict(b"ab_c_d".to_vec(), &Restriction::Delimiter(b"_".to_vec())), b"ab");
        assert_eq!(restrict(b"abc".to_vec(), &Restriction::Delimiter(b"__".to_vec())), b"abc");
    }
}

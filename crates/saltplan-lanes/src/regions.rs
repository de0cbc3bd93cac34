//! Finds the regions of keys.

use crate::{NumberColumn, ROWS, WordColumn};

/// For keys whose region is not determined by their first bytes.
pub const OPEN: u32 = u32::MAX;

/// The number of split keys that are compared in one pass over the rows.
const TOGETHER: usize = 4;

#[inline(always)]
pub(crate) fn compare_heads(
    splits: &[u64],
    first: &WordColumn,
    second: &WordColumn,
    regions: &mut WordColumn,
) {
    let mut heads: NumberColumn = [0; ROWS];
    for ((head, first), second) in heads.iter_mut().zip(first).zip(second) {
        *head = u64::from(first.swap_bytes()) << 32 | u64::from(second.swap_bytes());
    }
    let (mut below, mut equal) = ([0u64; ROWS], [0u64; ROWS]);
    for some in splits.chunks(TOGETHER) {
        // A missing split key is the greatest number, which no prefix exceeds; an equal prefix is compared
        // further.
        let [a, b, c, d] = std::array::from_fn(|place| some.get(place).copied().unwrap_or(u64::MAX));
        for ((head, below), equal) in heads.iter().zip(&mut below).zip(&mut equal) {
            *below +=
                u64::from(a < *head) + u64::from(b < *head) + u64::from(c < *head) + u64::from(d < *head);
            *equal |=
                u64::from(a == *head) | u64::from(b == *head) | u64::from(c == *head) | u64::from(d == *head);
        }
    }
    for ((region, below), equal) in regions.iter_mut().zip(&below).zip(&equal) {
        *region = if *equal == 0 { *below as u32 } else { OPEN };
    }
}

#[inline(always)]
pub(crate) fn look_up(table: &[u32], low: u32, shift: u32, numbers: &WordColumn, entries: &mut WordColumn) {
    for (entry, number) in entries.iter_mut().zip(numbers) {
        *entry = table.get((number.wrapping_sub(low) >> shift) as usize).copied().unwrap_or(OPEN);
    }
}

#[inline(always)]
pub(crate) fn count(regions: &[u32], puts: &mut [u64]) -> u64 {
    // As bytes, four times as many rows fit into a register; `OPEN` is the greatest byte.
    let mut narrow = [u8::MAX; ROWS];
    for (byte, region) in narrow.iter_mut().zip(regions) {
        *byte = *region as u8;
    }
    let mut total = 0;
    for (number, puts) in (0..u8::MAX).zip(puts) {
        let (mut wide, mut found) = ([0u8; 64], [0u8; 16]);
        for some in narrow.as_chunks().0 {
            let some: &[u8; 64] = some;
            for (found, byte) in wide.iter_mut().zip(some) {
                *found += u8::from(*byte == number);
            }
        }
        for some in wide.as_chunks::<16>().0 {
            for (found, more) in found.iter_mut().zip(some) {
                *found += more;
            }
        }
        let found: u32 = found.iter().map(|found| u32::from(*found)).sum();
        *puts += u64::from(found);
        total += u64::from(found);
    }
    total
}

//! Texts of many rows: writing bytes at any position.

use saltplan_lanes::{Kernels, WordColumn};

/// Writes the low `width` (1 to 4) bytes of every word at byte `at` of `text`, which must be zero there. The
/// bytes of `source` above them must be zero.
pub fn or_bytes(kernels: &Kernels, text: &mut [WordColumn], at: usize, source: &WordColumn, width: usize) {
    let (word, shift) = (at / 4, 8 * (at % 4) as u32);
    if let Some(target) = text.get_mut(word) {
        kernels.or_left(source, shift, target);
    }
    if at % 4 + width > 4
        && let Some(target) = text.get_mut(word + 1)
    {
        kernels.or_right(source, 32 - shift, target);
    }
}

//! MD5 (RFC 1321) of many short messages of one length, one message in each lane of a vector register.

use fearless_simd::{Level, Simd, SimdBase, dispatch};

use super::{Column, ROWS};

/// Longest message: two blocks of 64 bytes less the mark and the length.
pub const MAX_MESSAGE: usize = 119;

/// Words of a block.
const WORDS: usize = 16;

/// Vectors that one core works on at a time: a step needs the one before, so several messages hide its latency.
const VECTORS: usize = 4;

/// Initial state.
const INITIAL: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// `floor(2^32 * abs(sin(i + 1)))`.
const SINES: [u32; 64] = [
    0xd76a_a478,
    0xe8c7_b756,
    0x2420_70db,
    0xc1bd_ceee,
    0xf57c_0faf,
    0x4787_c62a,
    0xa830_4613,
    0xfd46_9501,
    0x6980_98d8,
    0x8b44_f7af,
    0xffff_5bb1,
    0x895c_d7be,
    0x6b90_1122,
    0xfd98_7193,
    0xa679_438e,
    0x49b4_0821,
    0xf61e_2562,
    0xc040_b340,
    0x265e_5a51,
    0xe9b6_c7aa,
    0xd62f_105d,
    0x0244_1453,
    0xd8a1_e681,
    0xe7d3_fbc8,
    0x21e1_cde6,
    0xc337_07d6,
    0xf4d5_0d87,
    0x455a_14ed,
    0xa9e3_e905,
    0xfcef_a3f8,
    0x676f_02d9,
    0x8d2a_4c8a,
    0xfffa_3942,
    0x8771_f681,
    0x6d9d_6122,
    0xfde5_380c,
    0xa4be_ea44,
    0x4bde_cfa9,
    0xf6bb_4b60,
    0xbebf_bc70,
    0x289b_7ec6,
    0xeaa1_27fa,
    0xd4ef_3085,
    0x0488_1d05,
    0xd9d4_d039,
    0xe6db_99e5,
    0x1fa2_7cf8,
    0xc4ac_5665,
    0xf429_2244,
    0x432a_ff97,
    0xab94_23a7,
    0xfc93_a039,
    0x655b_59c3,
    0x8f0c_cc92,
    0xffef_f47d,
    0x8584_5dd1,
    0x6fa8_7e4f,
    0xfe2c_e6e0,
    0xa301_4314,
    0x4e08_11a1,
    0xf753_7e82,
    0xbd3a_f235,
    0x2ad7_d2bb,
    0xeb86_d391,
];

/// Which words of the digest are wanted; the first eight hex digits need only the first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    First,
    All,
}

/// Messages of one length, as padded blocks.
#[derive(Debug, Clone)]
pub struct Messages {
    /// Words of one or two blocks.
    words: Vec<Column>,
}

impl Messages {
    /// Room for [`ROWS`] messages of `length` bytes, the padding written; `None` past [`MAX_MESSAGE`].
    pub fn new(length: usize) -> Option<Self> {
        if length > MAX_MESSAGE {
            return None;
        }
        let blocks = if length < 56 { 1 } else { 2 };
        let mut words = vec![[0; ROWS]; blocks * WORDS];
        if let Some(column) = words.get_mut(length / 4) {
            column.fill(0x80 << (8 * (length % 4)));
        }
        if let Some(column) = words.get_mut(blocks * WORDS - 2) {
            column.fill(8 * length as u32);
        }
        Some(Messages { words })
    }

    /// The words of the messages, with the mark and the length behind them.
    pub fn words_mut(&mut self) -> &mut [Column] {
        &mut self.words
    }
}

/// The digests: word `i` of row `r` is `digests[i][r]`. Words that are not wanted keep what they held.
pub fn digest(level: Level, messages: &Messages, wanted: Wanted, digests: &mut [Column; 4]) {
    dispatch!(level, simd => digest_with(simd, messages, wanted, digests));
}

/// [`digest`] inside a vectorised caller.
#[inline(always)]
pub fn digest_with<S: Simd>(simd: S, messages: &Messages, wanted: Wanted, digests: &mut [Column; 4]) {
    let mut at = 0;
    while at < ROWS {
        let mut state: State<S> = INITIAL.map(|word| [S::u32s::splat(simd, word); VECTORS]);
        let (blocks, _) = messages.words.as_chunks::<WORDS>();
        if let [block] = blocks
            && wanted == Wanted::First
        {
            rounds::<S, true>(simd, block, at, &mut state);
            store::<S>(&state[0], &mut digests[0], at);
        } else {
            for block in blocks {
                rounds::<S, false>(simd, block, at, &mut state);
            }
            for (words, digest) in state.iter().zip(digests.iter_mut()) {
                store::<S>(words, digest, at);
            }
        }
        at += VECTORS * S::u32s::LEN;
    }
}

/// The four words of the state, for several vectors of messages.
type State<S> = [[<S as Simd>::u32s; VECTORS]; 4];

#[inline(always)]
fn store<S: Simd>(words: &[S::u32s; VECTORS], column: &mut Column, at: usize) {
    let lanes = &mut column[at..][..VECTORS * S::u32s::LEN];
    for (vector, slot) in words.iter().zip(lanes.chunks_exact_mut(S::u32s::LEN)) {
        vector.store_slice(slot);
    }
}

/// One block. With `FIRST` the last three steps, which leave the first word alone, are left out, and the other words
/// are no digest.
#[inline(always)]
fn rounds<S: Simd, const FIRST: bool>(simd: S, block: &[Column; WORDS], at: usize, state: &mut State<S>) {
    let before = *state;
    let [a, b, c, d] = state;
    // The loops stay rolled: unrolled, the compiler works on one vector after the other and waits for each step.
    for group in 0..4 {
        let i = 4 * group;
        step::<S, 7>(simd, a, b, c, d, block, at, i, i, select_by_first);
        step::<S, 12>(simd, d, a, b, c, block, at, i + 1, i + 1, select_by_first);
        step::<S, 17>(simd, c, d, a, b, block, at, i + 2, i + 2, select_by_first);
        step::<S, 22>(simd, b, c, d, a, block, at, i + 3, i + 3, select_by_first);
    }
    for group in 0..4 {
        let i = 4 * group;
        let word = |i: usize| (5 * i + 1) % WORDS;
        step::<S, 5>(simd, a, b, c, d, block, at, 16 + i, word(i), select_by_third);
        step::<S, 9>(simd, d, a, b, c, block, at, 17 + i, word(i + 1), select_by_third);
        step::<S, 14>(simd, c, d, a, b, block, at, 18 + i, word(i + 2), select_by_third);
        step::<S, 20>(simd, b, c, d, a, block, at, 19 + i, word(i + 3), select_by_third);
    }
    for group in 0..4 {
        let i = 4 * group;
        let word = |i: usize| (3 * i + 5) % WORDS;
        step::<S, 4>(simd, a, b, c, d, block, at, 32 + i, word(i), parity);
        step::<S, 11>(simd, d, a, b, c, block, at, 33 + i, word(i + 1), parity);
        step::<S, 16>(simd, c, d, a, b, block, at, 34 + i, word(i + 2), parity);
        step::<S, 23>(simd, b, c, d, a, block, at, 35 + i, word(i + 3), parity);
    }
    let word = |i: usize| (7 * i) % WORDS;
    for group in 0..if FIRST { 3 } else { 4 } {
        let i = 4 * group;
        step::<S, 6>(simd, a, b, c, d, block, at, 48 + i, word(i), or_not);
        step::<S, 10>(simd, d, a, b, c, block, at, 49 + i, word(i + 1), or_not);
        step::<S, 15>(simd, c, d, a, b, block, at, 50 + i, word(i + 2), or_not);
        step::<S, 21>(simd, b, c, d, a, block, at, 51 + i, word(i + 3), or_not);
    }
    if FIRST {
        step::<S, 6>(simd, a, b, c, d, block, at, 60, word(12), or_not);
    }
    for (words, before) in state.iter_mut().zip(before) {
        for (word, before) in words.iter_mut().zip(before) {
            *word += before;
        }
    }
}

#[inline(always)]
fn select_by_first<V: SimdInt32>(b: V, c: V, d: V) -> V {
    d ^ (b & (c ^ d))
}

#[inline(always)]
fn select_by_third<V: SimdInt32>(b: V, c: V, d: V) -> V {
    c ^ (d & (b ^ c))
}

#[inline(always)]
fn parity<V: SimdInt32>(b: V, c: V, d: V) -> V {
    b ^ c ^ d
}

#[inline(always)]
fn or_not<V: SimdInt32>(b: V, c: V, d: V) -> V {
    c ^ (b | !d)
}

/// The operators of a vector of words that the steps need.
trait SimdInt32:
    Copy
    + std::ops::BitXor<Output = Self>
    + std::ops::BitAnd<Output = Self>
    + std::ops::BitOr<Output = Self>
    + std::ops::Not<Output = Self>
{
}

impl<V> SimdInt32 for V where
    V: Copy
        + std::ops::BitXor<Output = V>
        + std::ops::BitAnd<Output = V>
        + std::ops::BitOr<Output = V>
        + std::ops::Not<Output = V>
{
}

/// `a = b + rotate_left(a + f(b, c, d) + message word + constant, ROTATE)` in every vector.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the step of RFC 1321")]
fn step<S: Simd, const ROTATE: u32>(
    simd: S,
    a: &mut [S::u32s; VECTORS],
    b: &[S::u32s; VECTORS],
    c: &[S::u32s; VECTORS],
    d: &[S::u32s; VECTORS],
    block: &[Column; WORDS],
    at: usize,
    index: usize,
    word: usize,
    f: impl Fn(S::u32s, S::u32s, S::u32s) -> S::u32s,
) {
    let constant = S::u32s::splat(simd, SINES[index]);
    let words = &block[word][at..][..VECTORS * S::u32s::LEN];
    for v in 0..VECTORS {
        let message = S::u32s::from_slice(simd, &words[v * S::u32s::LEN..][..S::u32s::LEN]);
        let sum = (a[v] + message + constant) + f(b[v], c[v], d[v]);
        a[v] = b[v] + ((sum << ROTATE) | (sum >> (32 - ROTATE)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::levels;
    use md5::{Digest, Md5};

    #[test]
    fn every_length_at_every_level() {
        for length in 0..=MAX_MESSAGE {
            let bytes = |row: usize| (0..length).map(move |i| (row * 131 + i * 29 + length) as u8);
            let mut messages = Messages::new(length).unwrap();
            for row in 0..ROWS {
                for (i, byte) in bytes(row).enumerate() {
                    messages.words_mut()[i / 4][row] |= u32::from(byte) << (8 * (i % 4));
                }
            }
            let expected: Vec<[u8; 16]> =
                (0..ROWS).map(|row| Md5::digest(bytes(row).collect::<Vec<_>>()).into()).collect();
            for level in levels() {
                let mut digests = [[0; ROWS]; 4];
                digest(level, &messages, Wanted::First, &mut digests);
                for (row, expected) in expected.iter().enumerate() {
                    assert_eq!(digests[0][row].to_le_bytes(), expected[..4], "{level:?} {length} {row}");
                }
                digest(level, &messages, Wanted::All, &mut digests);
                for (row, expected) in expected.iter().enumerate() {
                    let words = digests.map(|column| column[row].to_le_bytes());
                    assert_eq!(words.concat(), expected, "{level:?} {length} {row}");
                }
            }
        }
        assert!(Messages::new(MAX_MESSAGE + 1).is_none());
    }
}

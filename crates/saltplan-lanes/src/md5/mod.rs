//! MD5 (RFC 1321) of many short messages of one length, one message in each lane of a vector register.

pub(crate) mod vector;

use crate::{ROWS, WordColumn};
use vector::{Steps, Vector, Words, or_not, parity, select_by_first, select_by_third};

/// Longest message: two blocks of 64 bytes less the mark and the length.
pub const MAX_MESSAGE: usize = 119;

/// Words of a block.
const WORDS: usize = 16;

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

/// Messages of one length, as padded blocks.
#[derive(Debug, Clone)]
pub struct Messages {
    /// Words of one or two blocks.
    words: Vec<WordColumn>,
}

impl Messages {
    /// Room for [`ROWS`] messages of `length` bytes, the padding written; `None` past [`MAX_MESSAGE`].
    #[must_use]
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
    pub fn words_mut(&mut self) -> &mut [WordColumn] {
        &mut self.words
    }
}

#[inline(always)]
pub(crate) fn first_words<V: Vector>(messages: &Messages, words: &mut WordColumn) {
    let (blocks, _) = messages.words.as_chunks::<WORDS>();
    for at in (0..ROWS).step_by(Words::<V>::LEN) {
        let mut state = initial::<V>();
        if let [block] = blocks
            && V::STOPS_EARLY
        {
            rounds::<V, true>(block, at, &mut state);
        } else {
            // No closures: one that is not inlined would lose the level's instructions.
            for block in blocks {
                rounds::<V, false>(block, at, &mut state);
            }
        }
        state[0].store(words, at);
    }
}

#[inline(always)]
pub(crate) fn digests<V: Vector>(messages: &Messages, digests: &mut [WordColumn; 4]) {
    let (blocks, _) = messages.words.as_chunks::<WORDS>();
    for at in (0..ROWS).step_by(Words::<V>::LEN) {
        let mut state = initial::<V>();
        for block in blocks {
            rounds::<V, false>(block, at, &mut state);
        }
        for (words, digest) in state.iter().zip(digests.iter_mut()) {
            words.store(digest, at);
        }
    }
}

#[inline(always)]
fn initial<V: Vector>() -> [Words<V>; 4] {
    let [a, b, c, d] = INITIAL;
    [Words::splat(a), Words::splat(b), Words::splat(c), Words::splat(d)]
}

/// One block. With `FIRST` the last three steps, which leave the first word alone, are left out, and the other words
/// are no digest.
#[inline(always)]
fn rounds<V: Vector, const FIRST: bool>(block: &[WordColumn; WORDS], at: usize, state: &mut [Words<V>; 4]) {
    let before = *state;
    let [a, b, c, d] = state;
    let step = Steps { block, at };
    // The loops stay rolled: unrolled, the compiler works on one vector after the other and waits for each step.
    for group in 0..4 {
        let i = 4 * group;
        step.take::<V, 7>(i, i, a, [b, c, d], select_by_first);
        step.take::<V, 12>(i + 1, i + 1, d, [a, b, c], select_by_first);
        step.take::<V, 17>(i + 2, i + 2, c, [d, a, b], select_by_first);
        step.take::<V, 22>(i + 3, i + 3, b, [c, d, a], select_by_first);
    }
    for group in 0..4 {
        let i = 4 * group;
        let word = |i: usize| (5 * i + 1) % WORDS;
        step.take::<V, 5>(16 + i, word(i), a, [b, c, d], select_by_third);
        step.take::<V, 9>(17 + i, word(i + 1), d, [a, b, c], select_by_third);
        step.take::<V, 14>(18 + i, word(i + 2), c, [d, a, b], select_by_third);
        step.take::<V, 20>(19 + i, word(i + 3), b, [c, d, a], select_by_third);
    }
    for group in 0..4 {
        let i = 4 * group;
        let word = |i: usize| (3 * i + 5) % WORDS;
        step.take::<V, 4>(32 + i, word(i), a, [b, c, d], parity);
        step.take::<V, 11>(33 + i, word(i + 1), d, [a, b, c], parity);
        step.take::<V, 16>(34 + i, word(i + 2), c, [d, a, b], parity);
        step.take::<V, 23>(35 + i, word(i + 3), b, [c, d, a], parity);
    }
    let word = |i: usize| (7 * i) % WORDS;
    for group in 0..if FIRST { 3 } else { 4 } {
        let i = 4 * group;
        step.take::<V, 6>(48 + i, word(i), a, [b, c, d], or_not);
        step.take::<V, 10>(49 + i, word(i + 1), d, [a, b, c], or_not);
        step.take::<V, 15>(50 + i, word(i + 2), c, [d, a, b], or_not);
        step.take::<V, 21>(51 + i, word(i + 3), b, [c, d, a], or_not);
    }
    if FIRST {
        step.take::<V, 6>(60, word(12), a, [b, c, d], or_not);
    }
    for (words, before) in state.iter_mut().zip(&before) {
        words.add(before);
    }
}

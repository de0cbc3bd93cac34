//! MD5 (RFC 1321) of many short messages of equal length, one message in each lane of a vector register.

pub(crate) mod vector;

use crate::{ROWS, WordColumn};
use vector::{Steps, Vector, WordVectors, or_not, parity, select_by_first, select_by_third};

/// The longest message: two blocks of 64 bytes, minus the padding mark and the length.
pub const MAX_MESSAGE: usize = 119;

/// Words per block.
const WORDS: usize = 16;

/// Initial state.
const INITIAL: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// Messages of equal length, as padded blocks.
#[derive(Debug, Clone)]
pub struct Messages {
    /// The words of one or two blocks.
    words: Vec<WordColumn>,
    /// The parts that are equal for all messages, by block.
    steps: Vec<BlockSteps>,
}

/// The steps of a block whose words are padding.
#[derive(Debug, Clone)]
pub(crate) struct BlockSteps {
    /// The words of the block that contain bytes of messages; they come first.
    varying: usize,
    /// The constants of the steps: `floor(2^32 * abs(sin(step + 1)))`.
    constants: [u32; 64],
    /// The same, with their words of padding added.
    with_padding: [u32; 64],
}

impl BlockSteps {
    fn new(padding: &[u32; WORDS], varying: usize) -> Self {
        let constants: [u32; 64] =
            std::array::from_fn(|step| (2f64.powi(32) * (step as f64 + 1.0).sin().abs()) as u32);
        let with_padding =
            std::array::from_fn(|step| constants[step].wrapping_add(padding[word_of(step / WORDS, step)]));
        BlockSteps { varying, constants, with_padding }
    }
}

/// The word of the block that is added in each of the 16 steps, for each of the four rounds.
#[inline(always)]
const fn word_of(round: usize, step: usize) -> usize {
    match round {
        0 => step,
        1 => (5 * step + 1) % WORDS,
        2 => (3 * step + 5) % WORDS,
        _ => (7 * step) % WORDS,
    }
}

impl Messages {
    /// Room for [`ROWS`] messages of `length` bytes, with the padding written; `None` if longer than
    /// [`MAX_MESSAGE`].
    #[must_use]
    pub fn new(length: usize) -> Option<Self> {
        if length > MAX_MESSAGE {
            return None;
        }
        let blocks = if length < 56 { 1 } else { 2 };
        let mut padding = vec![[0; WORDS]; blocks];
        let flat = padding.as_flattened_mut();
        flat[length / 4] = 0x80 << (8 * (length % 4));
        flat[blocks * WORDS - 2] = 8 * length as u32;
        let words = flat.iter().map(|word| [*word; ROWS]).collect();
        let varying = (0..).step_by(WORDS).map(|first| length.div_ceil(4).saturating_sub(first).min(WORDS));
        let steps = padding.iter().zip(varying).map(|(padding, varying)| BlockSteps::new(padding, varying));
        Some(Messages { words, steps: steps.collect() })
    }

    /// The words of the messages. The padding mark and the length that follow must not be changed.
    pub fn words_mut(&mut self) -> &mut [WordColumn] {
        &mut self.words
    }

    #[inline(always)]
    fn blocks(&self) -> impl Iterator<Item = MessageBlock<'_>> {
        let (blocks, _) = self.words.as_chunks::<WORDS>();
        blocks.iter().zip(&self.steps).map(|(words, steps)| MessageBlock { words, steps })
    }
}

/// Processes a block of every message.
#[derive(Clone, Copy)]
pub(crate) struct MessageBlock<'a> {
    words: &'a [WordColumn; WORDS],
    steps: &'a BlockSteps,
}

#[inline(always)]
pub(crate) fn first_words<V: Vector>(messages: &Messages, words: &mut WordColumn) {
    for at in (0..ROWS).step_by(WordVectors::<V>::LEN) {
        let mut state = initial::<V>();
        let mut blocks = messages.blocks();
        // No closures: a closure that is not inlined would not use the instructions of the level.
        match (blocks.next(), blocks.next()) {
            (Some(block), None) if V::STOPS_EARLY => rounds::<V, true>(block, at, &mut state),
            _ => {
                for block in messages.blocks() {
                    rounds::<V, false>(block, at, &mut state);
                }
            }
        }
        state[0].store(words, at);
    }
}

#[inline(always)]
pub(crate) fn digests<V: Vector>(messages: &Messages, digests: &mut [WordColumn; 4]) {
    for at in (0..ROWS).step_by(WordVectors::<V>::LEN) {
        let mut state = initial::<V>();
        for block in messages.blocks() {
            rounds::<V, false>(block, at, &mut state);
        }
        for (words, digest) in state.iter().zip(digests.iter_mut()) {
            words.store(digest, at);
        }
    }
}

#[inline(always)]
fn initial<V: Vector>() -> [WordVectors<V>; 4] {
    let [a, b, c, d] = INITIAL;
    [WordVectors::splat(a), WordVectors::splat(b), WordVectors::splat(c), WordVectors::splat(d)]
}

/// One block. With `FIRST` the last three steps, which do not affect the first word, are left out, and the
/// other words are not a digest.
#[inline(always)]
fn rounds<V: Vector, const FIRST: bool>(block: MessageBlock<'_>, at: usize, state: &mut [WordVectors<V>; 4]) {
    let before = *state;
    let [a, b, c, d] = state;
    let steps = Steps::<FIRST> { block, at };
    // The loops stay rolled: unrolled, the compiler would process one vector after the other and wait for
    // each step.
    for group in 0..4 {
        let i = 4 * group;
        steps.take::<V, 0, 7>(i, a, [b, c, d], select_by_first);
        steps.take::<V, 0, 12>(i + 1, d, [a, b, c], select_by_first);
        steps.take::<V, 0, 17>(i + 2, c, [d, a, b], select_by_first);
        steps.take::<V, 0, 22>(i + 3, b, [c, d, a], select_by_first);
    }
    for group in 0..4 {
        let i = 16 + 4 * group;
        steps.take::<V, 1, 5>(i, a, [b, c, d], select_by_third);
        steps.take::<V, 1, 9>(i + 1, d, [a, b, c], select_by_third);
        steps.take::<V, 1, 14>(i + 2, c, [d, a, b], select_by_third);
        steps.take::<V, 1, 20>(i + 3, b, [c, d, a], select_by_third);
    }
    for group in 0..4 {
        let i = 32 + 4 * group;
        steps.take::<V, 2, 4>(i, a, [b, c, d], parity);
        steps.take::<V, 2, 11>(i + 1, d, [a, b, c], parity);
        steps.take::<V, 2, 16>(i + 2, c, [d, a, b], parity);
        steps.take::<V, 2, 23>(i + 3, b, [c, d, a], parity);
    }
    for group in 0..if FIRST { 3 } else { 4 } {
        let i = 48 + 4 * group;
        steps.take::<V, 3, 6>(i, a, [b, c, d], or_not);
        steps.take::<V, 3, 10>(i + 1, d, [a, b, c], or_not);
        steps.take::<V, 3, 15>(i + 2, c, [d, a, b], or_not);
        steps.take::<V, 3, 21>(i + 3, b, [c, d, a], or_not);
    }
    if FIRST {
        steps.take::<V, 3, 6>(60, a, [b, c, d], or_not);
    }
    for (words, before) in state.iter_mut().zip(&before) {
        words.add(before);
    }
}

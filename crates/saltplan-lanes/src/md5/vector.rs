//! Vector registers with words of several messages.

use super::{MessageBlock, word_of};
use crate::WordColumn;

/// The number of vectors that are processed together: each step depends on the previous one, so several
/// messages hide its latency.
const VECTORS: usize = 4;

/// A vector register of 32-bit words. The methods compile to single instructions if they are inlined into a
/// function that enables the instruction set, and only such functions may use them.
pub trait Vector: Copy {
    const LEN: usize;
    /// Whether leaving out three steps is faster.
    const STOPS_EARLY: bool;
    /// Whether a branch before each step is faster than loading padding: `[digest, first word]`. With few
    /// registers it makes the compiler spill.
    const SKIPS_PADDING: [bool; 2];

    fn splat(word: u32) -> Self;
    /// Loads words from the start of a slice.
    fn load(words: &[u32]) -> Self;
    fn store(self, words: &mut [u32]);
    fn add(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn rotate_left<const BITS: u32>(self) -> Self;

    #[inline(always)]
    fn not(self) -> Self {
        self.xor(Self::splat(u32::MAX))
    }
}

/// The register of the level that every processor of the architecture supports.
#[cfg(target_arch = "x86_64")]
pub type BaselineVector = std::arch::x86_64::__m128i;
#[cfg(not(target_arch = "x86_64"))]
pub type BaselineVector = [u32; 4];

#[cfg(not(target_arch = "x86_64"))]
impl Vector for [u32; 4] {
    const LEN: usize = 4;
    const STOPS_EARLY: bool = true;
    const SKIPS_PADDING: [bool; 2] = [true; 2];

    #[inline(always)]
    fn splat(word: u32) -> Self {
        [word; 4]
    }

    #[inline(always)]
    fn load(words: &[u32]) -> Self {
        std::array::from_fn(|place| words[place])
    }

    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        words[..4].copy_from_slice(&self);
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        std::array::from_fn(|place| self[place].wrapping_add(other[place]))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        std::array::from_fn(|place| self[place] ^ other[place])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        std::array::from_fn(|place| self[place] & other[place])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        std::array::from_fn(|place| self[place] | other[place])
    }

    #[inline(always)]
    fn rotate_left<const BITS: u32>(self) -> Self {
        self.map(|word| word.rotate_left(BITS))
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use super::Vector;
    #[allow(clippy::wildcard_imports, reason = "three dozen instructions")]
    use std::arch::x86_64::*;

    macro_rules! vector {
        ($register:ident, $len:literal, $stops_early:literal, $skips_padding:expr, $splat:ident, $load:ident, $store:ident, $add:ident, $xor:ident,
         $and:ident, $or:ident, $left:ident, $right:ident) => {
            impl Vector for $register {
                const LEN: usize = $len;
                const STOPS_EARLY: bool = $stops_early;
                const SKIPS_PADDING: [bool; 2] = $skips_padding;

                #[inline(always)]
                fn splat(word: u32) -> Self {
                    // SAFETY: see the trait; this applies to all methods. The instruction accepts any word.
                    unsafe { $splat(word as i32) }
                }

                #[inline(always)]
                fn load(words: &[u32]) -> Self {
                    assert!(words.len() >= $len);
                    // SAFETY: the slice has enough words, and they need no alignment.
                    unsafe { $load(words.as_ptr().cast()) }
                }

                #[inline(always)]
                fn store(self, words: &mut [u32]) {
                    assert!(words.len() >= $len);
                    // SAFETY: the slice has room for enough words, which need no alignment.
                    unsafe { $store(words.as_mut_ptr().cast(), self) }
                }

                #[inline(always)]
                fn add(self, other: Self) -> Self {
                    // SAFETY: as for `splat`.
                    unsafe { $add(self, other) }
                }

                #[inline(always)]
                fn xor(self, other: Self) -> Self {
                    // SAFETY: as for `splat`.
                    unsafe { $xor(self, other) }
                }

                #[inline(always)]
                fn and(self, other: Self) -> Self {
                    // SAFETY: as for `splat`.
                    unsafe { $and(self, other) }
                }

                #[inline(always)]
                fn or(self, other: Self) -> Self {
                    // SAFETY: as for `splat`.
                    unsafe { $or(self, other) }
                }

                #[inline(always)]
                fn rotate_left<const BITS: u32>(self) -> Self {
                    // SAFETY: as for `splat`. The shift counts are constants.
                    unsafe {
                        let (left, right) =
                            (_mm_cvtsi32_si128(BITS as i32), _mm_cvtsi32_si128(32 - BITS as i32));
                        $or($left(self, left), $right(self, right))
                    }
                }
            }
        };
    }

    vector!(
        __m128i,
        4,
        false,
        [false; 2],
        _mm_set1_epi32,
        _mm_loadu_si128,
        _mm_storeu_si128,
        _mm_add_epi32,
        _mm_xor_si128,
        _mm_and_si128,
        _mm_or_si128,
        _mm_sll_epi32,
        _mm_srl_epi32
    );
    vector!(
        __m256i,
        8,
        true,
        [false, true],
        _mm256_set1_epi32,
        _mm256_loadu_si256,
        _mm256_storeu_si256,
        _mm256_add_epi32,
        _mm256_xor_si256,
        _mm256_and_si256,
        _mm256_or_si256,
        _mm256_sll_epi32,
        _mm256_srl_epi32
    );
    vector!(
        __m512i,
        16,
        true,
        [true; 2],
        _mm512_set1_epi32,
        _mm512_loadu_si512,
        _mm512_storeu_si512,
        _mm512_add_epi32,
        _mm512_xor_si512,
        _mm512_and_si512,
        _mm512_or_si512,
        _mm512_sll_epi32,
        _mm512_srl_epi32
    );
}

/// One word of the state, for several vectors of messages.
#[derive(Clone, Copy)]
pub struct WordVectors<V>([V; VECTORS]);

impl<V: Vector> WordVectors<V> {
    /// Messages that are processed together.
    pub const LEN: usize = VECTORS * V::LEN;

    #[inline(always)]
    pub fn splat(word: u32) -> Self {
        WordVectors([V::splat(word); VECTORS])
    }

    #[inline(always)]
    pub fn store(&self, column: &mut WordColumn, at: usize) {
        let lanes = &mut column[at..][..Self::LEN];
        for (vector, slot) in self.0.iter().zip(lanes.chunks_exact_mut(V::LEN)) {
            vector.store(slot);
        }
    }

    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        for (vector, other) in self.0.iter_mut().zip(&other.0) {
            *vector = vector.add(*other);
        }
    }
}

/// The steps over a block, for the messages from `at` on.
pub struct Steps<'a, const FIRST: bool> {
    pub block: MessageBlock<'a>,
    pub at: usize,
}

impl<const FIRST: bool> Steps<'_, FIRST> {
    /// `a = b + rotate_left(a + f(b, c, d) + message word + constant, ROTATE)` in every vector.
    #[inline(always)]
    pub fn take<V: Vector, const ROUND: usize, const ROTATE: u32>(
        &self,
        step: usize,
        a: &mut WordVectors<V>,
        [b, c, d]: [&WordVectors<V>; 3],
        f: impl Fn(V, V, V) -> V,
    ) {
        let MessageBlock { words, steps } = self.block;
        let word = word_of(ROUND, step);
        if V::SKIPS_PADDING[usize::from(FIRST)] && word >= steps.varying {
            let constant = V::splat(steps.with_padding[step]);
            for v in 0..VECTORS {
                let sum = a.0[v].add(constant).add(f(b.0[v], c.0[v], d.0[v]));
                a.0[v] = b.0[v].add(sum.rotate_left::<ROTATE>());
            }
        } else {
            let constant = V::splat(steps.constants[step]);
            let words = &words[word][self.at..][..WordVectors::<V>::LEN];
            for v in 0..VECTORS {
                let message = V::load(&words[v * V::LEN..]);
                let sum = a.0[v].add(message).add(constant).add(f(b.0[v], c.0[v], d.0[v]));
                a.0[v] = b.0[v].add(sum.rotate_left::<ROTATE>());
            }
        }
    }
}

#[inline(always)]
pub fn select_by_first<V: Vector>(b: V, c: V, d: V) -> V {
    d.xor(b.and(c.xor(d)))
}

#[inline(always)]
pub fn select_by_third<V: Vector>(b: V, c: V, d: V) -> V {
    c.xor(d.and(b.xor(c)))
}

#[inline(always)]
pub fn parity<V: Vector>(b: V, c: V, d: V) -> V {
    b.xor(c).xor(d)
}

#[inline(always)]
pub fn or_not<V: Vector>(b: V, c: V, d: V) -> V {
    c.xor(b.or(d.not()))
}

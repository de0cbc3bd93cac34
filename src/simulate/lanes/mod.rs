//! The fast path: keys of fixed width, built as columns of 32-bit words, many rows side by side in vector registers.
//!
//! A batch is [`ROWS`] rows. Word `w` of a text holds its bytes `4 w` to `4 w + 3`, the first one lowest, as MD5 reads
//! them; the same words are the message of the digest, the input of the Java hash and the row key.

use fearless_simd::Level;

pub use engine::Lanes;
pub use program::Program;

mod calendar;
pub mod columns;
pub mod engine;
mod field;
mod locate;
pub mod md5;
mod program;
mod salt;
mod text;
mod values;

/// Rows in a batch: sixteen words of a block and sixteen of a key stay in a first-level cache.
pub const ROWS: usize = 256;

/// One 32-bit word of every row of a batch.
pub type Column = [u32; ROWS];

/// The levels of vector instructions that this machine has, the plainest first.
pub fn levels() -> Vec<Level> {
    let best = Level::new();
    let mut levels: Vec<Level> = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        levels.extend(best.as_sse2().map(Level::Sse2));
        levels.extend(best.as_sse4_2().map(Level::Sse4_2));
        levels.extend(best.as_avx2().map(Level::Avx2));
        levels.extend(best.as_avx512().map(Level::Avx512));
    }
    if levels.is_empty() {
        levels.push(best);
    }
    levels
}

#[cfg(test)]
mod tests;

//! Kernels over columns: the same small operation on [`ROWS`] rows at once, in vector registers.
//!
//! A text of many rows is a slice of [`WordColumn`]s: word `w` of every row contains its bytes `4w` to `4w +
//! 3`, the first one lowest, as in MD5. [`Kernels`] is a table of functions; there is one table for each
//! [`Level`] of vector instructions. The plain code around them is compiled once.
//!
//! ```
//! use saltplan_lanes::{Level, ROWS};
//!
//! let kernels = Level::best().kernels();
//! let (mut numbers, mut remainders, mut text) = ([0; ROWS], [0; ROWS], [0; ROWS]);
//! kernels.count_up(1_998, 1, &mut numbers);
//! kernels.low_words(&numbers, &mut remainders);
//! kernels.four_digits(&remainders, 0, &mut text);
//! assert_eq!(text[3].to_le_bytes(), *b"2001");
//! ```
//!
//! Every kernel is written once, as a plain loop that the compiler turns into the vector instructions of a
//! level. Only MD5 uses explicit vectors (`md5/vector.rs`), because otherwise the compiler does not keep its
//! state in registers.

mod bytes;
mod calendar;
mod characters;
mod digits;
mod divide;
mod hash;
mod level;
pub mod md5;
mod numbers;
pub mod random;
mod regions;
mod table;

pub use bytes::{Shift, WordTerm};
pub use calendar::{DigitUnit, date};
pub use characters::Characters;
pub use digits::{four_digits_of, two_digits_of};
pub use divide::{Divisor, Divisor31};
pub use hash::Sign;
pub use level::Level;
pub use numbers::Advance;
pub use regions::OPEN;
pub use table::Kernels;

/// Rows per batch: sixteen words of a block and sixteen of a key fit into the first-level cache.
pub const ROWS: usize = 256;

/// One 32-bit word of every row of a batch.
pub type WordColumn = [u32; ROWS];

/// A 64-bit number of every row of a batch.
pub type NumberColumn = [u64; ROWS];

#[cfg(test)]
mod tests;

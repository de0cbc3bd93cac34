//! The fast path: keys built as columns of 32-bit words, many rows side by side in vector registers.
//!
//! The vectors are in `saltplan-lanes`: its kernels work on a column each. A batch is [`ROWS`](saltplan_lanes::ROWS) rows whose keys have one shape, so that every byte stands at the same place in all of them. Word
//! `w` of a text holds its bytes `4 w` to `4 w + 3`, the first one lowest, as MD5 reads them; the same words are the
//! message of the digest, the input of the Java hash and the row key.
//!
//! Numbers without leading zeros and listed texts of several lengths make keys of several shapes: the rows are sorted
//! into batches by shape. [`Program::compile`] says `None`, and rows are taken one by one, where
//! - a text has characters past ASCII (listed texts may, unless the salt takes a Java hash of them or a part of them),
//! - a sequence starts again at the other end of the field's values, or leaves a date's years 1 to 9999,
//! - the salt formats an instant (which needs the time zone's history),
//! - the salt is the number of more than eight hex digits, or has texts of several lengths for more than 4,096 numbers,
//! - the key has more than 512 bytes, the digest's message more than 119, or keys have more than 64 shapes.

pub use engine::{LaneEngine, Lanes};
pub use program::Program;
pub use saltplan_lanes::Level;

mod alphabet;
mod batch;
mod calendar;
mod columns;
mod digits;
mod drawn;
pub mod engine;
mod field;
mod locate;
mod program;
mod salt;
mod salt_plan;
mod text;
mod track;
mod values;

/// Longest key in bytes.
const MAX_KEY: usize = 512;

/// Most shapes of keys, each with a batch of its own.
const MAX_SHAPES: usize = 64;

#[cfg(test)]
mod tests;

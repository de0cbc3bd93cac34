//! The fast path: keys are built as columns of 32-bit words, for many rows at once in vector registers.
//!
//! The vector code is in `saltplan-lanes`, whose kernels work on columns. A batch is
//! [`ROWS`](saltplan_lanes::ROWS) rows whose keys have the same shape, so that every byte is at the same
//! position in all of them. Word `w` of a text contains its bytes `4 w` to `4 w + 3`, the first one lowest,
//! as in MD5; the same words are the message of the digest, the input of the Java hash and the row key.
//!
//! Numbers without leading zeros and listed texts of different lengths give keys of several shapes, and rows
//! are sorted into batches by shape. [`Program::compile`] returns `None`, and rows are generated one by one,
//! if
//! - a text has non-ASCII characters (listed texts may, unless the salt uses a Java hash of them or a part of
//!   them),
//! - a sequence wraps around at the end of the field's values, or leaves a date's years 1 to 9999,
//! - the salt formats an instant (which needs the time zone's history),
//! - the salt is the number of more than eight hex digits, or has texts of different lengths for more than
//!   4,096 numbers,
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

/// The maximum length of a key in bytes.
const MAX_KEY: usize = 512;

/// The maximum number of shapes of keys, each with its own batch.
const MAX_SHAPES: usize = 64;

#[cfg(test)]
mod tests;

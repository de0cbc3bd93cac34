//! A first schema file: from a few words on each field, or guessed from real row keys, with what a cluster says of the table.
//!
//! All ways make a [`draft::Draft`], which `write` turns into commented YAML; `check` says in the file what the audit
//! says of it.

mod check;
pub mod draft;
pub mod flags;
mod guess;
pub mod live;
mod scheme;
mod segment;
mod write;

pub use check::{Checked, check};
pub use guess::{Guess, MIN_KEYS, guess};
pub use write::yaml;

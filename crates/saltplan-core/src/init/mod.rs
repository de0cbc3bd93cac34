//! A first schema file: from a few words on each field, or guessed from real row keys.
//!
//! Both ways make a [`draft::Draft`], which writes itself as commented YAML.

pub mod draft;
pub mod flags;
mod guess;
mod scheme;
mod segment;

pub use guess::{Guess, MIN_KEYS, guess};

//! The files that a schema refers to: samples of row keys.

pub mod lines;
pub mod named;
pub mod sample;

// For the other crates, until they import it from its own.
pub use saltplan_document::files::*;

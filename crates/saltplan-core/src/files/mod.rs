//! The files that a schema refers to: samples of row keys.

pub mod lines;
pub mod named;
pub mod sample;

//! The files that a schema refers to: samples of row keys; and what kind of text a file has.

pub mod kind;
pub mod lines;
pub mod named;
pub mod sample;

//! What a design does to the regions of a table, before there is one.
//!
//! `workload` says what rows look like, `random`, `zipf`, `text` and `generator` make them, `engine` counts them by
//! region, `lanes` does so many rows at a time, `reads` counts those that a plan reads, and `report` is what is found.
//! `strata` picks some rows that stand for all, `likeness` tells whether they do.
//! `grow` follows the regions over time, `picture` draws.

pub mod counts;
pub mod defaults;
pub mod duplicates;
pub mod engine;
pub mod generator;
pub mod grow;
pub mod keys;
pub mod lanes;
pub mod likeness;
pub mod loads;
pub mod picture;
pub mod random;
pub mod reads;
pub mod report;
pub mod slices;
pub mod spec;
pub mod strata;
pub mod summary;
pub mod text;
pub mod watch;
pub mod workload;
mod workload_error;
pub mod zipf;

pub use workload_error::{FORMS, WorkloadError};

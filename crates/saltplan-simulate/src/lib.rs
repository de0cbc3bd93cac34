//! Simulates how a key design spreads rows over the regions of a table, before the table exists.
//!
//! `workload` describes rows; `random`, `zipf`, `text` and `generator` generate them; `engine` counts them by
//! region, and `lanes` does so for many rows at a time. `reads` counts the rows that a plan reads, and
//! `report` has the result. `strata` picks a representative sample of rows, and `likeness` tests whether it
//! is one. `grow` emulates the regions over time, `picture` draws charts.

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

//! What a design does to the regions of a table, before there is one.
//!
//! `workload` says what rows look like, `random`, `text` and `generator` make them, `engine` counts them by region, and
//! `report` is what is found. `grow` follows the regions over time, `picture` draws.

pub mod grow;
pub mod picture;
pub mod random;
pub mod report;
pub mod text;
pub mod workload;

//! Exact HBase key ranges and Hive SQL for tables with salted row keys.

pub mod audit;
pub mod diag;
pub mod diff;
pub mod drift;
pub mod files;
pub mod hiveql;
pub mod init;
pub mod key;
pub mod plan;
pub mod predicate;
pub mod refusal;
pub mod region;
pub mod render;
pub mod row;
pub mod schema;
pub mod table;

pub use table::Table;

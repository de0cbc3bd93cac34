//! The format of schema files as data.

pub mod field;
pub mod hbase;
pub mod hive;
pub mod key;
pub mod regions;
#[cfg(test)]
mod tests;
pub mod top;

use crate::document::tables::{forms, keys};
use crate::key::salt::file as salt;

/// The tables of the documentation, by the name of their place in the text.
pub fn tables() -> Vec<(&'static str, String)> {
    vec![
        ("file", keys(&top::SCHEMA)),
        ("hbase", keys(&hbase::HBASE)),
        ("key", keys(&key::KEY)),
        ("field", keys(&field::FIELD)),
        ("salt", forms(&salt::SALT)),
        ("inputs", keys(&salt::input::MAP)),
        ("regions", forms(&regions::REGIONS)),
        ("columns", keys(&hive::COLUMN)),
        ("mapping", keys(&hive::mapping::MAP)),
        ("target", keys(&hive::target::MAP)),
        ("partition", keys(&hive::partition::MAP)),
        ("target columns", keys(&hive::target_column::MAP)),
    ]
}

//! Plans and schemas as HiveQL: queries, the loading statement, checks of stored rows.

pub mod check;
pub(crate) mod condition;
mod conversion;
pub mod counts;
mod date;
mod field;
mod filled_in;
pub(crate) mod instant;
pub mod key;
pub mod load;
mod local_time;
pub(crate) mod logical;
mod not_in_hive;
pub mod overlap;
mod pattern;
pub mod query;
mod salt;
pub mod splits;
pub mod text;
pub mod verify;

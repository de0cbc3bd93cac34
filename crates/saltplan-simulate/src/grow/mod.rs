//! How a table grows: an emulation of memstores, `HFiles`, compactions and region splits by HBase's own
//! rules.
//!
//! A sample of the row keys arrives in the order of time, and every key represents as many rows as necessary
//! for the load. If each key represents one row, split keys are exactly those of HBase. The rules are those
//! of HBase 2.4; each is named where it is used. Three things are simpler than in HBase: flushes, compactions
//! and splits take no time; every put is a new row, so old versions are never dropped; and the balancer only
//! evens out how many regions of the table each server has.

mod agenda;
mod arrivals;
mod balancing;
mod cell;
mod cluster;
mod compacting;
mod compaction_policy;
mod growth;
mod held;
mod memory;
mod properties;
mod region;
pub mod report;
mod rules;
mod scale;
mod server;
mod settings;
mod split_policy;
mod splitting;
mod store;
mod table;
#[cfg(test)]
mod tests;

pub use arrivals::{Arrival, Arrivals, Slice};
pub use cell::{ColumnShape, FamilyShape};
pub use growth::{Growth, GrowthCounts, RegionEnd, Sample, SplitEvent};
pub use properties::{Properties, Property};
pub use rules::GrowingTable;
pub use settings::{HbaseSettings, Restriction, SplitPolicy};
pub use table::grow;

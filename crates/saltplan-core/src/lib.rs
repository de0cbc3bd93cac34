//! Exact HBase key ranges and Hive SQL for tables with salted row keys.
//!
//! ```
//! # let yaml = "saltplan: 1
//! # hbase: { table: visits, families: { f: {} } }
//! # key:
//! #   salt: { md5: { of: key, first_hex_digits: 1, write: hex } }
//! #   fields: [{ name: day, type: date, format: yyyyMMdd }, { name: id, type: string, chars: alnum }]
//! # columns: [{ name: status, type: string, hbase: 'f:status' }]
//! # hive: { mapping: { table: db.visits_map, key_column: rowkey }, target: { table: db.visits, partition: [day] } }
//! # ";
//! use saltplan_core::Table;
//! use saltplan_core::render::hive_query::QueryOptions;
//!
//! let table = Table::from_yaml(yaml)?;
//! let plan = table.plan("day = :day", &[("day".into(), "20200406".into())].into())?;
//! println!("{}", plan.hive_sql(&QueryOptions::default())?.sql);
//! # assert_eq!(plan.summary(), "fan-out over 16 of 16 salts, 16 range scans, no residual");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Table`] is a schema with what follows from it. It plans, encodes and decodes row keys, and is audited; what it
//! refuses to plan is a [`Refusal`](refusal::Refusal) with its reason and the way out.

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

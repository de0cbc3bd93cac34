//! Files of a project with salted tables: first schemas, jobs files, settings, and comparisons.
//!
//! ```
//! # let yaml = "
//! # saltplan: 1
//! # hbase: { table: visits, families: { f: {} } }
//! # key:
//! #   salt: { md5: { of: key, first_hex_digits: 1, write: hex } }
//! #   fields: [{ name: day, type: date, format: yyyyMMdd }, { name: id, type: string, chars: alnum }]
//! # ";
//! use saltplan_core::Table;
//! use saltplan_project::diff::{self, Class};
//!
//! let old = Table::from_yaml(yaml)?;
//! let new = Table::from_yaml(&yaml.replace("write: hex", "write: decimal"))?;
//! let diff = diff::tables(&old, &new)?;
//! assert_eq!(diff.changes[0].class, Class::Key);
//! assert_eq!(diff.changes[0].values(), "hex -> decimal");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod diff;
pub mod drift;
mod fault;
pub mod init;
pub mod jobs;
pub mod live_reads;
mod mapping_ddl;
pub mod remedy;
pub mod settings;

pub use fault::Fault;

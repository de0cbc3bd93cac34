//! Reads HiveQL and replaces each reference to a logical table with the key ranges that its query needs.
//! Every other byte stays unchanged.
//!
//! A schema of saltplan-core names its logical table under `hive.view`. A query on that view is right, but
//! reads the whole HBase table. [`rewrite`] replaces the name with a subquery that has the same columns and
//! only the rows that the query's own conditions allow; docs/rewrite.md says which conditions are used, and a [`Rule`] why one is
//! not. A reference that is not changed is reported with the reason.
//!
//! ```
//! use saltplan_core::Table;
//! use saltplan_core::queries::Engine;
//! use saltplan_rewrite::{Catalog, Options, rewrite};
//!
//! let table = Table::from_yaml("
//! saltplan: 1
//! hbase: { table: calls, families: { f: {} } }
//! key:
//!   salt: { md5: { of: key, first_hex_digits: 1, write: { decimal: 3 } } }
//!   fields: [{ name: day, type: date, format: yyyyMMdd }, { name: id, type: string }]
//! columns: [{ name: phone, type: string, hbase: 'f:p' }]
//! hive: { mapping: { table: db.calls_map, key_column: k }, view: db.calls }
//! ")?;
//! let mut catalog = Catalog::default();
//! catalog.add(table, Engine::Tez)?;
//! let query = "SELECT u.name FROM db.calls c JOIN users u ON c.id = u.id WHERE c.day = 20200406 AND c.id = 'a'";
//! let rewritten = rewrite("query.sql", query, &catalog, &Options::default())?;
//! assert!(rewritten.text.starts_with("SELECT u.name FROM (\n  SELECT\n    cast(substr(`k`, 4, 8) as int) AS `day`"));
//! assert!(rewritten.text.ends_with(") c JOIN users u ON c.id = u.id WHERE c.day = 20200406 AND c.id = 'a'"));
//! assert_eq!(rewritten.without_splices(), query);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(
    clippy::nonminimal_bool,
    reason = "some conditions on words are easier to read without simplification"
)]

mod around;
mod barriers;
mod catalog;
mod changed;
mod conditions;
mod facts;
mod inserts;
mod later;
mod meaning;
mod moved;
mod names;
mod never;
mod others;
mod outputs;
mod parts;
mod placeholders;
mod report;
mod rewrite;
mod rows;
mod rules;
mod runtime;
mod scope;
mod shell_script;
mod splice;
mod values;
mod variables;
mod whole_numbers;

pub use catalog::Catalog;
pub use report::{
    Fate, Pruned, Reference, Refused, Rewritten, UnusedCondition, UsedCondition, WhyLeft, WhyRefused,
};
pub use rewrite::{MAX_BYTES, Options, not_utf8, rewrite};
pub use rules::{Known, Rule, Unused};
#[doc(hidden)]
pub use runtime::{VALUE_IN_QUERY, has_runtime};
pub use splice::Splice;
pub use variables::{Now, Variables};

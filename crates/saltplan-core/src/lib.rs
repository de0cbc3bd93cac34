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
//! use saltplan_core::queries::QueryOptions;
//!
//! let table = Table::from_yaml(yaml)?;
//! let plan = table.plan("day = :day", &[("day".into(), "20200406".into())].into())?;
//! println!("{}", plan.hive_sql(&QueryOptions::default())?.sql);
//! # assert_eq!(plan.summary(), "fan-out over 16 of 16 salts, 16 range scans, no residual");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Table`] is a schema with data derived from it. It plans predicates, and it encodes and decodes row
//! keys. If it refuses a plan, the [`Error`] has the reason, the remedy and a code for programs.
//!
//! Encode a row as a row key, and decode it again:
//!
//! ```
//! # let yaml = "
//! # saltplan: 1
//! # hbase: { table: visits, families: { f: {} } }
//! # key:
//! #   salt: { md5: { of: key, first_hex_digits: 1, write: hex } }
//! #   fields: [{ name: day, type: date, format: yyyyMMdd }, { name: id, type: string, chars: alnum }]
//! # ";
//! # let table = saltplan_core::Table::from_yaml(yaml)?;
//! let row = serde_json::json!({ "day": "20200406", "id": "x7" });
//! let key = table.encode(row.as_object().expect("an object"))?;
//! assert!(key.ends_with(b"20200406x7"));
//! let decoded = table.decode(&key)?;
//! assert_eq!(decoded.expected_salt, None); // the salt matches the fields
//! assert_eq!(table.row_of(&decoded)["id"], "x7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate `saltplan-lint` audits schemas. `saltplan-project` has first schemas, jobs files, comparisons of
//! two versions, and comparisons with live tables.
//!
//! This crate re-exports what its interface uses of `saltplan-document` and `saltplan-sql`. Other types in it are
//! only those of `serde_json`. Types that later versions may extend are `#[non_exhaustive]`.

// The modules are public for the other crates of the workspace, which need more of them than is promised: only what is re-exported
// below is public API. Each says who needs what.
// `saltplan-rewrite` binds the conditions of queries and asks what they mean; the law and the trials on Hive compare the trees.
#[doc(hidden)]
pub mod analyze;
// The command and jobs print tables of a schema.
#[doc(hidden)]
pub mod ddl;
// The command, `init` and `drift` read files of the same kinds with the same limits.
#[doc(hidden)]
pub mod files;
// `init` and `drift` write and read bytes as the HBase shell does.
#[doc(hidden)]
pub mod hbase;
// The command and jobs print what is no plan: loads, checks of counts, views; and jobs compare what INSERT OVERWRITEs replace.
#[doc(hidden)]
pub mod hive;
// The audit, `init`, writers and `simulate` know fields, salts and their bytes.
#[doc(hidden)]
pub mod key;
// The command and jobs have the same limits, as flags and as keys.
#[doc(hidden)]
pub mod limits;
// `saltplan-rewrite` narrows queries on mapping tables, whose conditions cut the row key.
#[doc(hidden)]
pub mod pieces;
// The audit, the report and the law look into plans; only their shape is promised.
#[doc(hidden)]
pub mod plan;
// The command and jobs name the remedy of a refusal by their flags and keys.
#[doc(hidden)]
pub mod refusal;
// `simulate` and the audit count rows by region.
#[doc(hidden)]
pub mod region;
// The command and jobs print comments, names and templates as plans do.
#[doc(hidden)]
pub mod render;
// `simulate`, writers and the command encode rows many at a time.
#[doc(hidden)]
pub mod row;
// The audit, `init`, `diff` and writers read the declarations of a schema one by one.
#[doc(hidden)]
pub mod schema;
// The command plans one analysis several times, with other limits.
#[doc(hidden)]
pub mod table;
// The command shows warnings that are refusals elsewhere.
#[doc(hidden)]
pub mod warning;

pub use row::DecodedKey;
pub use saltplan_sql::{Parameter, Parameters};
pub use table::{Error, PlanOptions, Planned, Table};

/// Messages and the places that they refer to.
pub mod messages {
    pub use saltplan_document::diag::{Diagnostic, Diagnostics, Label, Severity, Source, Span};
}

/// The parts of a row key.
pub mod layouts {
    pub use crate::key::parts::{KeyPart, KeyPartRole};
}

/// What a plan reads.
pub mod plans {
    pub use crate::key::interval::Interval;
    pub use crate::key::range::KeyRange;
    pub use crate::plan::DEFAULT_MAX_BRANCHES as MAX_BRANCHES;
    pub use crate::plan::{Branch, MaxWidening, Plan, PlanKind, RowCheck, Session, Share, Truth};
    pub use crate::table::PlannedRange;
}

/// Plans as Hive queries.
pub mod queries {
    pub use crate::hive::query::{Budget, Cost, Query, QueryOptions, QueryShape, Target};
    pub use crate::render::templates::Templates;
    pub use crate::schema::hive::Engine;
    pub use saltplan_sql::statement::Setting;
    pub use saltplan_sql::version::HiveVersion;
}

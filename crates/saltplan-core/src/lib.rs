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
//! A [`Table`] is a schema with what follows from it. It plans, encodes and decodes row keys, is audited and compared with
//! another version; what it refuses to plan is a [`Refusal`] with its reason and the way out.
//!
//! Row keys of rows, and back:
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
//! assert_eq!(decoded.expected_salt, None); // it has the salt that its fields give
//! assert_eq!(table.row_of(&decoded)["id"], "x7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What works and will hurt, and what a new version of a schema would change:
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
//! use saltplan_core::changes::Class;
//!
//! let table = Table::from_yaml(yaml)?;
//! let codes: Vec<&str> = table.audit().findings.iter().map(|finding| finding.rule.code).collect();
//! assert!(codes.contains(&"SP210")); // a salt, and regions that are not cut by it
//!
//! let new = Table::from_yaml(&yaml.replace("write: hex", "write: decimal"))?;
//! let diff = table.changes_to(&new)?;
//! assert_eq!(diff.changes[0].class, Class::Key);
//! assert_eq!(diff.changes[0].values(), "hex -> decimal");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Types of other crates in this interface are those of `serde_json`. What a version may add to is `#[non_exhaustive]`.

#[doc(hidden)]
pub mod internals;

use internals::{
    audit, diag, diff, document, files, hiveql, init, key, limits, plan, predicate, refusal, region, render,
    row, schema, table, warning,
};

pub use files::named::{Files, Folder, Memory};
pub use hiveql::{Parameter, Parameters, Runtime, RuntimeFault};
pub use key::ValueError;
pub use key::salt::InputError;
pub use refusal::{BinaryPart, Refusal, WayOut};
pub use row::{DecodedKey, RowError};
pub use table::{Accept, PlanError, PlanOptions, Planned, Table};
pub use warning::Warning;

/// Messages with the places that they speak of.
pub mod messages {
    pub use crate::diag::{
        Diagnostic, DiagnosticKind, Diagnostics, Edit, Fix, Label, PredicateFault, Safety, Severity, Source,
        Span,
    };
}

/// What a plan reads, and why.
pub mod plans {
    pub use crate::key::interval::Interval;
    pub use crate::key::range::KeyRange;
    pub use crate::plan::{Branch, FirstField, FirstFieldState, Note, Plan, PlanKind, Share, WhyNotUsed};
    pub use crate::plan::{MaxWidening, WidenedValues, Widening};
}

/// Plans as queries of Hive.
pub mod queries {
    pub use crate::render::hive_query::{Budget, Cost, Query, QueryOptions, QueryShape, Target};
    pub use crate::render::templates::{TemplateError, Templates};
    pub use crate::render::{CommentLine, RenderError};
    pub use crate::schema::model::Engine;
}

/// What works and will hurt.
pub mod findings {
    pub use crate::audit::FileReport;
    pub use crate::audit::rule::{Finding, Rule};
}

/// What changes from one version of a schema to another, by what it costs.
pub mod changes {
    pub use crate::diff::accept::AcceptList;
    pub use crate::diff::entry::{ChangeEntry, Headline};
    pub use crate::diff::evidence::Evidence;
    pub use crate::diff::{Change, Class, SchemaDiff, Side};
}

/// First schemas of tables that have none.
pub mod drafts {
    pub use crate::init::schema_of_keys;
}

/// Files beside a schema that give no keys.
pub mod inputs {
    pub use crate::files::ReadError;
    pub use crate::files::bounds::Stray;
    pub use crate::files::lines::LineError;
    pub use crate::files::sample::SampleError;
}

//! From finished plans and schemas to text for the engines.
//!
//! Templates lay the text out; everything that decides whether it is right (bounds, guards, quoting, the choice of
//! the shape) is computed here and handed to them as finished tokens.

mod comment;
pub mod ddl;
pub mod fuzzy;
pub mod hbase_shell;
mod hive_condition;
mod hive_conversion;
pub mod hive_counts;
mod hive_field;
pub mod hive_instant;
mod hive_key;
pub mod hive_load;
pub mod hive_query;
mod hive_reading;
mod hive_salt;
pub mod hive_splits;
pub mod hive_text;
pub mod hive_verify;
pub mod layout;
pub mod size;
pub mod templates;

use std::fmt;

use crate::schema::model::{HiveTableName, Schema, TargetTable};
use crate::schema::names;
pub use comment::CommentLine;

/// Why something is not printed, and what to do instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub reason: String,
    pub help: String,
}

impl Refusal {
    fn new(reason: impl Into<String>, help: impl Into<String>) -> Self {
        Refusal { reason: reason.into(), help: help.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.reason, self.help)
    }
}

impl std::error::Error for Refusal {}

fn no_mapping() -> Refusal {
    Refusal::new(
        "the schema has no `hive.mapping`",
        "add the mapping table: `hive: { mapping: { table: db.name } }`",
    )
}

/// Hive has no mapping table of the row key alone, and HBase no row without a cell.
fn check_mapped_columns(schema: &Schema) -> Result<(), Refusal> {
    if schema.columns.is_empty() {
        return Err(Refusal::new(
            "the schema has no `columns`, and Hive refuses a mapping table of the row key alone",
            "add one, such as `columns: [{ name: …, type: string, hbase: 'family:qualifier' }]`",
        ));
    }
    Ok(())
}

/// Hive has no table that consists of partition columns.
fn check_target_columns(target: &TargetTable) -> Result<(), Refusal> {
    if target.columns.is_empty() {
        return Err(Refusal::new(
            "the target has no column beside its partitions, and Hive refuses such a table",
            "list what it shall have under `hive.target`, such as `columns: [{ name: …, from: key.… }]`",
        ));
    }
    Ok(())
}

/// Reads `database.table` or `table`.
///
/// # Errors
/// The text is no name of a Hive table.
pub fn parse_table_name(text: &str) -> Result<HiveTableName, Refusal> {
    let (database, table) = match text.split_once('.') {
        Some((database, table)) => (Some(database), table),
        None => (None, text),
    };
    for part in database.into_iter().chain([table]) {
        names::hive_name(part).map_err(|reason| {
            Refusal::new(format!("`{text}` is no name of a Hive table: {reason}"), "write `database.table`")
        })?;
    }
    Ok(HiveTableName { database: database.map(str::to_string), table: table.to_string() })
}

/// Reads the name of a column.
///
/// # Errors
/// The text is no name of a Hive column.
pub fn parse_column_name(text: &str) -> Result<String, Refusal> {
    names::hive_name(text).map_err(|reason| {
        let help = "write the name of one column, in letters, digits and `_`";
        Refusal::new(format!("`{text}` is no name of a Hive column: {reason}"), help)
    })?;
    Ok(text.to_string())
}

/// What can go wrong while text is made.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Template(#[from] templates::TemplateError),
}

//! What all printed text has in common: templates, comments, limits of its length, and the names of Hive tables.
//!
//! Everything that matters for the correctness of a text (bounds, guards, quoting, the choice of the shape) is computed by
//! [`hbase`](crate::hbase), [`hive`](crate::hive) and [`ddl`](crate::ddl). Statements of Hive are printed from their trees; a template of
//! the user arranges them instead, and gets printed expressions and names.

mod comment;
pub mod size;
pub(crate) mod statements;
pub mod templates;

use std::fmt;

use crate::refusal::Refusal;
use crate::schema::model::{HiveTableName, MappingTable, Schema, TargetTable};
use crate::schema::{NameFault, names};
pub use comment::CommentLine;

/// The mapping table of a schema.
pub(crate) fn mapping_of(schema: &Schema) -> Result<&MappingTable, Refusal> {
    schema.mapping().ok_or(Refusal::NoMapping)
}

/// Why a text is not a valid Hive name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    Table { text: String, reason: NameFault },
    Column { text: String, reason: NameFault },
}

impl NameError {
    /// What to write instead.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            NameError::Table { .. } => "write `database.table`",
            NameError::Column { .. } => "write the name of one column, with letters, digits and `_`",
        }
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, text, reason) = match self {
            NameError::Table { text, reason } => ("table", text, reason),
            NameError::Column { text, reason } => ("column", text, reason),
        };
        write!(f, "`{text}` is not the name of a Hive {what}: {reason}")
    }
}

impl std::error::Error for NameError {}

/// Refuses a mapping table without columns: Hive does not accept one, and HBase has no rows without cells.
pub(crate) fn check_mapped_columns(schema: &Schema) -> Result<(), Refusal> {
    if schema.columns.is_empty() {
        return Err(Refusal::NoColumns);
    }
    Ok(())
}

/// Refuses a target table that has only partition columns.
pub(crate) fn check_target_columns(target: &TargetTable) -> Result<(), Refusal> {
    if target.columns.is_empty() {
        return Err(Refusal::NoTargetColumns);
    }
    Ok(())
}

/// Parses `database.table` or `table`.
///
/// # Errors
/// The text is not a name for a Hive table.
pub fn parse_table_name(text: &str) -> Result<HiveTableName, NameError> {
    let (database, table) = match text.split_once('.') {
        Some((database, table)) => (Some(database), table),
        None => (None, text),
    };
    for part in database.into_iter().chain([table]) {
        names::hive_name(part).map_err(|reason| NameError::Table { text: text.to_string(), reason })?;
    }
    Ok(HiveTableName { database: database.map(str::to_string), table: table.to_string() })
}

/// Parses the name of a column.
///
/// # Errors
/// The text is not a name for a Hive column.
pub fn parse_column_name(text: &str) -> Result<String, NameError> {
    match names::hive_name(text) {
        Ok(()) => Ok(text.to_string()),
        Err(reason) => Err(NameError::Column { text: text.to_string(), reason }),
    }
}

/// An error of printing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    #[error("{0} ({help})", help = .0.help())]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Template(#[from] templates::TemplateError),
}

//! Columns and types of Hive tables, read from text that people have or can get: hand-written DDL, the output of `SHOW CREATE TABLE`,
//! and that of `DESCRIBE`, `DESCRIBE FORMATTED` and `DESCRIBE EXTENDED`, as the `hive` command and Beeline print them.
//!
//! ```
//! use saltplan_document::diag::Source;
//! use saltplan_tables::read;
//!
//! let source = Source::new("dim.hql", "CREATE TABLE dim.users (id string COMMENT 'of the phone', n decimal(5,2)) PARTITIONED BY (d int)");
//! let tables = read(&source).unwrap();
//! assert_eq!(tables[0].name.to_string(), "dim.users");
//! let columns: Vec<String> = tables[0].columns().map(|column| column.to_string()).collect();
//! assert_eq!(columns, ["id string", "n decimal(5,2)", "d int"]);
//! ```

mod ddl;
mod describe;
mod lines;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use saltplan_document::diag::{Diagnostic, Source, Span};

pub use table::{HiveColumn, HiveTable, TableName};

/// The maximum size of a file in bytes.
pub const MAX_BYTES: usize = 16 << 20;

/// What a file may hold, for messages.
const EXPECTED: &str =
    "give CREATE TABLE statements, or the output of SHOW CREATE TABLE, DESCRIBE or DESCRIBE FORMATTED";

/// The tables of a text, in its order. A table whose columns the text does not tell, such as one of `CREATE TABLE … AS SELECT` or a
/// view, is left out.
///
/// # Errors
/// The text is neither DDL nor the output of `DESCRIBE`, is longer than [`MAX_BYTES`], or a part of it is not understood, with its
/// place.
pub fn read(source: &Arc<Source>) -> Result<Vec<HiveTable>, Diagnostic> {
    read_kind(source).map_err(Unread::diagnostic)
}

/// [`read`] for callers that can say what another text is.
///
/// # Errors
/// As [`read`].
pub fn read_kind(source: &Arc<Source>) -> Result<Vec<HiveTable>, Unread> {
    if source.text.len() > MAX_BYTES {
        let message =
            format!("`{}` has {} bytes, but the limit is {MAX_BYTES}", source.name, source.text.len());
        return Err(Diagnostic::error(message).with_help("split it into several files").into());
    }
    if let Some(at) = source.text.find('\0') {
        return Err(Diagnostic::error(format!("`{}` has a NUL character", source.name))
            .at(source, Span::new(at, at + 1), "here")
            .with_help("save the file as UTF-8 text")
            .into());
    }
    let lines = lines::lines(&source.text);
    match describe::is_description(&lines) {
        true => describe::read(source, &lines),
        false => ddl::read(source, &lines),
    }
}

/// Why a text was not read.
#[derive(Debug, Clone)]
pub enum Unread {
    /// It is neither DDL nor the output of `DESCRIBE`.
    OtherKind(Diagnostic),
    /// It is too long, or a part of it is not understood.
    Faulty(Diagnostic),
}

impl Unread {
    /// The error for people.
    pub fn diagnostic(self) -> Diagnostic {
        match self {
            Unread::OtherKind(diagnostic) | Unread::Faulty(diagnostic) => diagnostic,
        }
    }
}

impl From<Diagnostic> for Unread {
    fn from(diagnostic: Diagnostic) -> Self {
        Unread::Faulty(diagnostic)
    }
}

/// A text that is nothing of what is expected.
fn not_recognised(source: &Arc<Source>) -> Unread {
    Unread::OtherKind(
        Diagnostic::error(format!("`{}` has no table of Hive", source.name)).with_help(EXPECTED),
    )
}

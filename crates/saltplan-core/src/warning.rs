//! Warnings about printed text.

use std::fmt;

use crate::refusal::Part;
use saltplan_document::diag::{Diagnostic, DiagnosticKind};

/// A warning about text that is printed although it may not do what is expected.
///
/// Its text is for people, [`Warning::code`] for programs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// Hive drops the ranges, and nothing else separates the rows of the branches.
    TablePerBranch,
    /// Hive drops the ranges; the guards keep the rows right.
    TableRead,
    /// The rows are right as long as Hive applies the ranges.
    NoGuards,
    /// A partition that receives no rows keeps its old rows.
    PartitionsKept,
    /// A partition, or a table without partitions, is emptied.
    Emptied { partition: bool },
    /// The rows of a predicate replace others.
    PartReplaces { part: Part },
    /// An INSERT INTO adds rows.
    RowsAdded,
    /// The ranges contain more rows than the predicate.
    Residual,
    /// A task that is retried writes its rows again.
    RandomSalt,
    /// Ranges were merged, see the note of the plan.
    Widened { note: String },
    /// The ranges leave out little, see the note of the plan.
    NearlyAll { note: String },
    /// The check compares only a 32-bit hash of some columns.
    ComparedByHash { columns: Vec<String> },
}

impl Warning {
    /// A stable code for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Warning::TablePerBranch => "table_per_branch",
            Warning::TableRead => "table_read",
            Warning::NoGuards => "no_guards",
            Warning::PartitionsKept => "partitions_kept",
            Warning::Emptied { .. } => "emptied",
            Warning::PartReplaces { part: Part::OfTable } => "table_overwritten",
            Warning::PartReplaces { .. } => "part_of_partition",
            Warning::RowsAdded => "rows_added",
            Warning::Residual => "residual",
            Warning::RandomSalt => "random_salt",
            Warning::Widened { .. } => "widened",
            Warning::NearlyAll { .. } => "nearly_all",
            Warning::ComparedByHash { .. } => "compared_by_hash",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Warning::TablePerBranch => {
                "on MapReduce this query returns the whole table once per branch: Hive does not apply the ranges"
            }
            Warning::TableRead => {
                "on MapReduce this shape reads the whole table; the guards keep the result correct"
            }
            Warning::NoGuards => {
                "without guards, a query whose ranges are not pushed down returns the whole table once per branch, without an error"
            }
            Warning::PartitionsKept => {
                "this overwrites several partitions; a partition that receives no rows keeps its old rows"
            }
            Warning::Emptied { partition: true } => {
                "the predicate is never true: the partition is emptied"
            }
            Warning::Emptied { partition: false } => {
                "the predicate is never true: the target table, which has no partitions, is emptied"
            }
            Warning::PartReplaces { part } => return write!(f, "{part}"),
            Warning::RowsAdded => {
                "INSERT INTO adds the rows to those that are there: a second run adds them a second time"
            }
            Warning::Residual => {
                "the ranges contain more rows than match the predicate; check the rows against the residual"
            }
            Warning::RandomSalt => {
                "the salt is random: a task that is retried writes its rows a second time, under other keys (switch off retries and speculative execution for this statement)"
            }
            Warning::Widened { note } | Warning::NearlyAll { note } => note,
            Warning::ComparedByHash { columns } => {
                let names: Vec<String> = columns.iter().map(|name| format!("`{name}`")).collect();
                return write!(
                    f,
                    "of {} only Hive's `hash` of 32 bits is compared, in which NULL, an empty text and 0 inside a value are the same",
                    names.join(", ")
                );
            }
        })
    }
}

impl From<&Warning> for Diagnostic {
    fn from(warning: &Warning) -> Diagnostic {
        Diagnostic::warning(warning.to_string()).with_kind(DiagnosticKind::Warned(warning.code()))
    }
}

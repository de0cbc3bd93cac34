//! The query that compares the rows of a plan in HBase with those of the target table, without a second copy of either.
//!
//! It reads the ranges of the plan once and the target's partitions once, joins both by UNION ALL, and counts the rows of each side
//! by group. Beside the counts stand checksums: the sum of a hash of each row, which does not depend on the order of the rows and
//! counts rows that occur twice. Groups that agree are left out.

mod groups;
mod rows;
mod salt;

use crate::hive::query::{self, Cost, QueryOptions};
use crate::hive::text::row_by_row;
use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::render::size::limited;
use crate::render::templates::Templates;
use crate::render::{CommentLine, RenderError, check_target_columns};
use crate::schema::model::Schema;
use crate::warning::Warning;
use groups::Groups;
use rows::Rows;
use saltplan_sql::statement::{self, Statement};

/// What to print.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    /// How the ranges are read. What an INSERT needs is not used.
    pub query: QueryOptions,
    /// The name of a field or column of the target by which rows are counted, or `salt`. By default the salt if the target has all
    /// fields that it is computed from, else the first partition column if there is one.
    pub by: Option<String>,
    pub form: CheckForm,
    /// Lines of the comment above the statement, without dashes.
    pub header: Vec<CommentLine>,
}

/// What the statement does with groups or rows that differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckForm {
    /// Returns a row for each group.
    Groups,
    /// Returns at most so many rows that one side has more often than the other.
    Rows(u32),
    /// Fails if there is a group.
    Assert,
}

/// A printed statement.
#[derive(Debug, Clone)]
pub struct Check {
    pub sql: String,
    pub cost: Cost,
    pub warnings: Vec<Warning>,
}

/// Prints the statement.
///
/// # Errors
/// A [`Refusal`] when there is no target, the plan selects only a part of its partitions, or Hive cannot read or compare the rows.
pub fn render(schema: &Schema, plan: &Plan, options: &CheckOptions) -> Result<Check, RenderError> {
    let target = schema.target().ok_or(Refusal::NoTarget)?;
    check_target_columns(target)?;
    let asked = QueryOptions {
        select_only: true,
        compared: true,
        logical: false,
        into: false,
        beside_tables: true,
        beside_case: true,
        header: Vec::new(),
        ..options.query.clone()
    };
    let read = query::render(schema, plan, &asked, &Templates::new(None))?;
    let replaced = query::replaced(schema, plan, &asked)?;
    let rows = Rows::new(target, &read, replaced)?;
    let by = salt::group(schema, target, &rows, options.by.as_deref())?;
    let groups = Groups { rows: &rows, by };
    let compared = match options.form {
        CheckForm::Groups => groups.differing(),
        CheckForm::Rows(most) => groups.rows_that_differ(most),
        CheckForm::Assert => groups.none_differs(),
    };
    let mut statements = vec![Statement::Set(row_by_row())];
    statements.extend(read.check_statement().cloned());
    statements.push(Statement::Query(compared));
    let mut header = options.header.clone();
    if !header.is_empty() {
        header.push(CommentLine::new(&format!("{}, and one scan of {}", read.cost, target.table)));
    }
    let comment: String = header.iter().map(|line| format!("-- {line}\n")).collect();
    let sql = limited(comment + &statement::print(&statements, "\n") + "\n", options.query.max_bytes)?;
    Ok(Check { sql, cost: read.cost, warnings: read.warnings })
}

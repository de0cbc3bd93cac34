//! The query that compares the rows of a plan in HBase with those of the target table, without a second copy of either.
//!
//! It reads the ranges of the plan once and the target's partitions once, joins both by UNION ALL, and counts the rows of each side
//! by group. Beside the counts stand checksums: the sum of a hash of each row, which does not depend on the order of the rows and
//! counts rows that occur twice. Groups that agree are left out.

mod groups;
mod rows;
mod salt;

use crate::hbase::row_counter;
use crate::hive::query::{self, Cost, QueryOptions};
use crate::hive::text::{row_by_row, table_name, without_plan};
use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::render::size::limited;
use crate::render::templates::Templates;
use crate::render::{CommentLine, RenderError, check_target_columns};
use crate::schema::model::{HiveTableName, Schema};
use crate::warning::Warning;
use groups::Groups;
pub use groups::MEANINGS;
use rows::Rows;
use saltplan_sql::ast::{Call, CallForm, Expr};
use saltplan_sql::functions::COUNT;
use saltplan_sql::statement::{self, Item, Relation, Select, Statement};
use std::sync::Arc;

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
    /// Counts the rows and files of the target that an INSERT OVERWRITE of the plan would replace. Reads nothing of HBase.
    Before,
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
    if options.form == CheckForm::Before {
        return before(schema, plan, options);
    }
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
        CheckForm::Groups | CheckForm::Before => groups.differing(),
        CheckForm::Rows(most) => groups.rows_that_differ(most),
        CheckForm::Assert => groups.none_differs(),
    };
    let settings = std::iter::once(row_by_row()).chain(schema.mapping().and_then(without_plan));
    let mut statements: Vec<Statement> = settings.map(Statement::Set).collect();
    statements.extend(read.check_statement().cloned());
    statements.push(Statement::Query(compared));
    let mut header = options.header.clone();
    if !header.is_empty() {
        header.push(CommentLine::new(&format!("{}, and one scan of {}", read.cost, target.table)));
    }
    let sql = printed(&header, &statements, options)?;
    let mut warnings = read.warnings;
    warnings.extend(rows.compared_by_hash());
    Ok(Check { sql, cost: read.cost, warnings })
}

/// The shell script that lets HBase count the rows of the ranges, and compares their number with that of the target's rows.
///
/// # Errors
/// As [`render`], and HBase cannot count the rows.
pub fn counted_by_hbase(schema: &Schema, plan: &Plan, options: &CheckOptions) -> Result<String, Refusal> {
    let target = schema.target().ok_or(Refusal::NoTarget)?;
    let replaced = query::replaced(schema, plan, &options.query)?;
    let rows = of_target(vec![Item::plain(count_of_rows())], &target.table, replaced.conditions);
    let script = row_counter::script(&schema.hbase.full_name(), plan, &rows.into())?;
    let comment: String = options.header.iter().map(|line| format!("# {line}\n")).collect();
    limited(comment + &script, options.query.max_bytes)
}

/// The rows and files of the target that the plan would replace.
fn before(schema: &Schema, plan: &Plan, options: &CheckOptions) -> Result<Check, RenderError> {
    let target = schema.target().ok_or(Refusal::NoTarget)?;
    let replaced = query::replaced(schema, plan, &options.query)?;
    let files = Expr::Opaque(Call::in_form(
        &COUNT,
        vec![Expr::column("INPUT__FILE__NAME").into()],
        CallForm::Distinct,
    ));
    let counts = [Item::named(count_of_rows(), "target_rows"), Item::named(files, "target_files")];
    let by = target.partition.first().map(|column| Expr::column(&column.name));
    let items: Vec<Item> = by.iter().cloned().map(Item::plain).chain(counts).collect();
    let select = of_target(items, &target.table, replaced.conditions);
    let select = Select { group_by: by.clone(), order_by: by, ..select };
    let mut statements: Vec<Statement> = Vec::new();
    let check = query::check_of(schema, plan)?;
    statements.extend(check.map(Statement::Check));
    statements.push(Statement::Query(select.into()));
    let sql = printed(&options.header, &statements, options)?;
    let cost = query::cost(schema, plan, &options.query)?;
    Ok(Check { sql, cost, warnings: Vec::new() })
}

/// A query of the target's partitions that a plan replaces.
fn of_target(items: Vec<Item>, table: &HiveTableName, replaced: Vec<Expr>) -> Select {
    let select = Select::new(items, Relation::Table(table_name(table)));
    Select { conditions: replaced.into_iter().map(Arc::new).collect(), ..select }
}

fn count_of_rows() -> Expr {
    Expr::Opaque(Call::in_form(&COUNT, Vec::new(), CallForm::Star))
}

fn printed(
    header: &[CommentLine],
    statements: &[Statement],
    options: &CheckOptions,
) -> Result<String, Refusal> {
    let comment: String = header.iter().map(|line| format!("-- {line}\n")).collect();
    limited(comment + &statement::print(statements, "\n") + "\n", options.query.max_bytes)
}

//! The query that reads a plan through a Hive mapping table, in the shape that the engine runs correctly.

mod branches;
mod cells;
mod engine;
mod insert;
mod json;
mod one_scan;
mod partition;
mod select;
mod shape;

use serde::Serialize;

use super::hive_expr::HiveExpr;
use super::hive_key::KeyColumn;
use super::hive_runtime;
use super::hive_text::{ROW_BY_ROW, table_name};
use super::size::{DEFAULT_MAX_BYTES, limited};
use super::templates::Templates;
use super::{CommentLine, RenderError, mapping_of};
use crate::plan::{Branch, Plan, PlanKind};
use crate::refusal::{BinaryPart, Refusal};
use crate::schema::model::{Hive, MappingTable, Schema};
use crate::warning::Warning;
use branches::{BranchContext, Branches, branches, runtime_of};
pub use engine::Engine;
use insert::{Insert, InsertContext, insert};
use select::{ClockContext, ColumnContext, clocks, select_list};
pub use shape::QueryShape;

/// How a query is printed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct QueryOptions {
    pub engine: Engine,
    /// `None` chooses by engine.
    pub shape: Option<QueryShape>,
    /// Repeats every bound in a form that the storage handler cannot take out of the query. Without it a lost
    /// pushdown multiplies rows.
    pub guards: bool,
    /// Prints the query without the INSERT.
    pub select_only: bool,
    /// Most bytes of the query.
    pub max_bytes: usize,
    /// Lines of the comment above the query, without dashes.
    pub header: Vec<CommentLine>,
}

impl Default for QueryOptions {
    /// An INSERT for Tez, with guards and without a comment.
    fn default() -> Self {
        QueryOptions {
            engine: Engine::Tez,
            shape: None,
            guards: true,
            select_only: false,
            max_bytes: DEFAULT_MAX_BYTES,
            header: Vec::new(),
        }
    }
}

/// A printed query and what its reader should know.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Query {
    pub sql: String,
    /// `name=value` of every SET in it.
    pub settings: Vec<String>,
    pub warnings: Vec<Warning>,
    pub engine: Engine,
    pub shape: QueryShape,
    /// The Hive table that is read, as the schema names it.
    pub mapping: String,
    /// What an INSERT writes; absent for a bare query.
    pub target: Option<Target>,
}

/// What an INSERT writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// As the schema names it.
    pub table: String,
    /// All that rows can lie in, as `SHOW PARTITIONS` names them; none of a table without partitions.
    pub partitions: Vec<String>,
}

#[derive(Debug, Serialize)]
struct QueryContext {
    header: Vec<CommentLine>,
    /// `name=value` of every SET.
    settings: Vec<String>,
    /// What must hold of values that are known when the statement runs.
    check: Option<HiveExpr>,
    /// Absent for a bare query.
    insert: Option<InsertContext>,
    columns: Vec<ColumnContext>,
    /// What the columns are computed from beside `inner`.
    clocks: Vec<ClockContext>,
    /// Columns that every branch hands on.
    inner: Vec<String>,
    mapping: String,
    key: String,
    branches: Vec<BranchContext>,
    /// The condition on the rows of all branches, where it stands once.
    filter: Option<HiveExpr>,
}

/// Prints the query of a plan.
///
/// # Errors
/// A [`Refusal`] when Hive cannot run the plan correctly (bounds that it cannot write, a partition that the predicate
/// does not bind), or a fault of a template.
pub fn render(
    schema: &Schema,
    plan: &Plan,
    options: &QueryOptions,
    templates: &Templates,
) -> Result<Query, RenderError> {
    let hive = schema.hive.as_ref().ok_or(Refusal::NoMapping)?;
    let mapping = mapping_of(schema)?;
    let key = KeyColumn::new(schema, &mapping.key_column);
    let asked =
        Asked { schema, plan, options, hive, mapping, key: &key, shape: shape(plan, mapping, options) };
    if asked.shape != QueryShape::OneScan {
        check_bounds(&asked)?;
    }
    let mut columns = select_list(&asked)?;
    let Insert { context: insert, mut settings, mut warnings, target, partition_columns } = insert(&asked)?;
    columns.extend(partition_columns);
    if asked.is_several_statements() {
        warnings.push(Warning::NotAtomic);
    }
    let QueryOptions { engine, guards, max_bytes, .. } = *options;
    warnings.extend(engine.warning(asked.shape, plan.branches.len(), guards));
    let clocks = clocks(&asked, &columns)?;
    let Branches { contexts: branches, filter, inner, choose } = branches(&asked, &columns, &clocks)?;
    if choose {
        settings.push(ROW_BY_ROW.to_string());
    }
    let check =
        plan.runtime.as_ref().map(|runtime| hive_runtime::check(&schema.key.fields[runtime.field], runtime));
    let context = QueryContext {
        header: options.header.clone(),
        settings: settings.clone(),
        check,
        insert,
        columns,
        clocks,
        inner,
        mapping: table_name(&mapping.table),
        key: key.name().to_string(),
        branches,
        filter,
    };
    let sql = limited(templates.render(asked.shape.template(), &context)?, max_bytes)?;
    Ok(Query {
        sql,
        settings,
        warnings,
        engine,
        shape: asked.shape,
        mapping: mapping.table.to_string(),
        target,
    })
}

/// What a query is made of.
struct Asked<'a> {
    schema: &'a Schema,
    plan: &'a Plan,
    options: &'a QueryOptions,
    hive: &'a Hive,
    mapping: &'a MappingTable,
    key: &'a KeyColumn<'a>,
    shape: QueryShape,
}

impl Asked<'_> {
    fn is_several_statements(&self) -> bool {
        self.shape == QueryShape::Statements && self.plan.branches.len() > 1
    }
}

fn shape(plan: &Plan, mapping: &MappingTable, options: &QueryOptions) -> QueryShape {
    match options.shape {
        _ if plan.branches.is_empty() => QueryShape::UnionAll,
        Some(shape) => shape,
        None if mapping.one_scan => QueryShape::OneScan,
        None => options.engine.shape(plan.branches.len()),
    }
}

/// Hive literals are text: binary parts can be in the key, but not in a bound of it.
fn check_bounds(asked: &Asked<'_>) -> Result<(), Refusal> {
    if matches!(asked.plan.kind, PlanKind::FullScan | PlanKind::Empty) {
        return Ok(());
    }
    let key = &asked.schema.key;
    if let Some(salt) = &key.salt
        && salt.write.is_binary()
    {
        return Err(Refusal::BinaryBound { part: BinaryPart::Salt });
    }
    let mut restricted = asked.plan.bound.fields.keys().map(|index| &key.fields[*index]);
    if let Some(field) = restricted.find(|field| field.stored && !field.kind.is_text_in_key()) {
        return Err(Refusal::BinaryBound { part: BinaryPart::Field(field.name.clone()) });
    }
    let is_text = |branch: &Branch| {
        runtime_of(asked, branch)
            .is_none_or(|(field, range)| hive_runtime::are_text(field, &branch.range.start, range))
    };
    if asked.plan.branches.iter().all(is_text) {
        Ok(())
    } else {
        Err(Refusal::BinaryBound { part: BinaryPart::Separator })
    }
}

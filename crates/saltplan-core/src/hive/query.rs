//! The query that reads a plan through a Hive mapping table, in the shape that the engine runs correctly.

mod asked;
mod branch;
mod branches;
mod cells;
mod cost;
mod engine;
mod insert;
mod json;
mod one_scan;
mod partition;
mod select;
mod shape;
mod tree;

use std::sync::Arc;

use serde::Serialize;

use crate::hive::filled_in;
use crate::hive::key::KeyColumn;
use crate::hive::text::{row_by_row, table_name};
use crate::plan::{Plan, PlanKind};
use crate::refusal::{Part, Refusal};
use crate::render::statements::Script;
use crate::render::templates::{TemplateError, Templates};
use crate::render::{CommentLine, RenderError, mapping_of};
use crate::schema::model::{Engine, MappingTable, Schema};
use crate::warning::Warning;
use asked::Asked;
pub use asked::QueryOptions;
pub use branch::text_bounds;
use branch::{BranchContext, check_bounds};
use branches::{Branches, branches};
pub use cost::{Budget, Cost};
pub use insert::{Extent, PartitionText, Target};
use insert::{Insert, insert};
pub use partition::escaped as partition_name;
pub(crate) use partition::{InTarget, default_if_unnamed};
use saltplan_document::diag::Diagnostic;
use saltplan_sql::ast::Expr;
use saltplan_sql::statement::{self, Destination, Identifier, Setting, Statement, TableName};
use select::{ClockContext, ColumnContext, clocks, select_list};
pub use shape::QueryShape;

/// A printed query and its warnings.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Query {
    pub sql: String,
    /// The SETs, the check and the query or INSERT that are printed in `sql`, unless a template of the user arranges them.
    #[doc(hidden)]
    pub statements: Vec<Statement>,
    #[doc(hidden)]
    pub warnings: Vec<Warning>,
    pub engine: Engine,
    pub shape: QueryShape,
    pub cost: Cost,
    /// The Hive table that is read, as the schema names it.
    pub mapping: String,
    /// What an INSERT writes; absent for a bare query.
    pub target: Option<Target>,
}

impl Query {
    /// The SETs above the query.
    pub fn settings(&self) -> impl Iterator<Item = &Setting> {
        self.statements.iter().filter_map(|statement| match statement {
            Statement::Set(setting) => Some(setting),
            _ => None,
        })
    }

    /// The query for the brackets of another one: without its semicolon, and without the SETs and the check, which belong above the
    /// whole statement. `line_end` is what ends each line but the last and begins the next one, such as a line break and the blanks of
    /// the place in the other query.
    pub fn subquery(&self, line_end: &str) -> String {
        let mut queries = self.statements.iter().filter_map(|statement| match statement {
            Statement::Query(query) => Some(query),
            Statement::Insert(insert) => Some(&insert.query),
            _ => None,
        });
        queries.next().map(|query| query.print(line_end)).unwrap_or_default()
    }

    /// The statement above the query that fails if a value that is filled in at run time does not have the form of the key.
    pub fn check(&self) -> Option<String> {
        self.check_statement().map(|check| statement::print(std::slice::from_ref(check), "\n"))
    }

    #[doc(hidden)]
    pub fn check_statement(&self) -> Option<&Statement> {
        self.statements.iter().find(|statement| matches!(statement, Statement::Check(_)))
    }

    /// Warnings about the statement; those about the predicate are [`Planned::warnings`](crate::Planned::warnings).
    pub fn warnings(&self) -> Vec<Diagnostic> {
        self.warnings.iter().map(Diagnostic::from).collect()
    }
}

/// What is printed: the variables of a template, and the parts of the statements.
#[derive(Debug, Serialize)]
struct QueryContext {
    header: Vec<CommentLine>,
    /// The SETs.
    settings: Vec<Setting>,
    /// The condition on the values that are filled in when the statement runs.
    check: Option<Expr>,
    /// Absent for a bare query.
    insert: Option<Destination>,
    columns: Vec<ColumnContext>,
    /// Columns from which `columns` are computed, in addition to `inner`.
    clocks: Vec<ClockContext>,
    /// Columns that every branch selects.
    #[serde(serialize_with = "branch::shared")]
    inner: Arc<[Identifier]>,
    mapping: TableName,
    key: Identifier,
    branches: Vec<BranchContext>,
    /// The residual of all branches, if it is printed only once.
    filter: Option<Expr>,
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
    let ranges = options.ranges_only.then(|| plan.without_residuals());
    let plan = ranges.as_ref().unwrap_or(plan);
    let cost = cost(schema, plan, options)?;
    options.budget.check(&cost)?;
    let hive = schema.hive.as_ref().ok_or(Refusal::NoMapping)?;
    let mapping = mapping_of(schema)?;
    let key = KeyColumn::new(schema, &mapping.key_column);
    let asked = Asked { schema, plan, options, hive, mapping, key: &key, shape: cost.shape };
    let mut columns = select_list(&asked)?;
    let Insert { destination, mut settings, mut warnings, target, partition_columns } = insert(&asked)?;
    columns.extend(partition_columns);
    let QueryOptions { engine, guards, max_bytes, .. } = *options;
    warnings.extend(cost.warning(guards));
    let clocks = clocks(&asked, &columns)?;
    let Branches { contexts: branches, filter, inner, choose } = branches(&asked, &columns, &clocks)?;
    if choose || options.beside_case {
        settings.push(row_by_row());
    }
    let check = check_of(schema, plan)?;
    let mut header = options.header.clone();
    if !header.is_empty() {
        header.push(CommentLine::new(&cost.to_string()));
        let replaces = destination.as_ref().is_some_and(|destination| !destination.into);
        if replaces && replaced_partitions(&asked).is_ok() {
            header.push(CommentLine::new("`saltplan check --before` counts what this replaces"));
        }
    }
    let context = QueryContext {
        header,
        settings,
        check,
        insert: destination,
        columns,
        clocks,
        inner,
        mapping: table_name(&mapping.table),
        key: Identifier::new(key.name()),
        branches,
        filter,
    };
    let template = asked.shape.template();
    let statements = tree::statements(&context, asked.shape);
    let script = Script { template, header: &context.header, statements: &statements };
    let sql = script.print_within(&context, templates, max_bytes)?;
    if options.into && templates.replaces(template)? && overwrites(&sql) {
        return Err(RenderError::Template(TemplateError {
            name: template.into(),
            line: None,
            message: "it prints INSERT OVERWRITE where an INSERT INTO is asked for: use the macro `insert` of the built-in `hive/parts.sql`".into(),
        }));
    }
    Ok(Query {
        sql,
        statements,
        warnings,
        engine,
        shape: asked.shape,
        cost,
        mapping: mapping.table.to_string(),
        target,
    })
}

/// What the statement of a plan writes to; `None` for a bare query.
///
/// # Errors
/// As [`render`], where the INSERT is the reason.
pub fn target(schema: &Schema, plan: &Plan, options: &QueryOptions) -> Result<Option<Target>, Refusal> {
    let hive = schema.hive.as_ref().ok_or(Refusal::NoMapping)?;
    let mapping = mapping_of(schema)?;
    let key = KeyColumn::new(schema, &mapping.key_column);
    let shape = shape(plan, mapping, options);
    Ok(insert(&Asked { schema, plan, options, hive, mapping, key: &key, shape })?.target)
}

/// The condition on the values that are filled in when a statement of the plan runs; none if it reads all keys for a value of another form.
///
/// # Errors
/// Hive cannot check them.
pub(crate) fn check_of(schema: &Schema, plan: &Plan) -> Result<Option<Expr>, Refusal> {
    let filled = |runtime| filled_in::Filled::new(schema, runtime, plan.runtime_salt.as_ref());
    let checked = plan.runtime.as_ref().map(filled).filter(|filled| !filled.reads_all_otherwise());
    checked.map(filled_in::Filled::check).transpose()
}

/// The partitions of the target whose rows a plan replaces, as conditions on the target's columns, to be joined by AND; none for a
/// table without partitions.
///
/// # Errors
/// There is no target, the plan selects only a part of the partitions, unless that is accepted, or it is not known which they are.
pub(crate) fn replaced(schema: &Schema, plan: &Plan, options: &QueryOptions) -> Result<InTarget, Refusal> {
    let hive = schema.hive.as_ref().ok_or(Refusal::NoMapping)?;
    let mapping = mapping_of(schema)?;
    let target = hive.target.as_ref().ok_or(Refusal::NoTarget)?;
    let key = KeyColumn::new(schema, &mapping.key_column);
    let asked = Asked { schema, plan, options, hive, mapping, key: &key, shape: QueryShape::UnionAll };
    let of_columns = plan.bound.columns_on.iter().next().map(|id| schema.columns[*id].name.clone());
    let of_columns = of_columns.map(|on| Part::OfPartition { on: Some(on), several: false });
    let part = insert::part(&asked, target, false).or(of_columns);
    match part.filter(|_| !options.allow_partial && plan.kind != PlanKind::Empty) {
        Some(part) => Err(Refusal::PartCompared { part }),
        None => replaced_partitions(&asked),
    }
}

/// The conditions of [`replaced`], whichever part of the partitions is selected.
fn replaced_partitions(asked: &Asked<'_>) -> Result<InTarget, Refusal> {
    let target = asked.hive.target.as_ref().ok_or(Refusal::NoTarget)?;
    Ok(partition::replaced(asked, target)?.in_target)
}

/// Which part of the schema's target, or of its partitions, a plan selects; `None` if it selects all of it, or there is no target.
pub fn part_of_target(schema: &Schema, plan: &Plan) -> Option<Part> {
    let hive = schema.hive.as_ref()?;
    let (mapping, target) = (hive.mapping.as_ref()?, hive.target.as_ref()?);
    let key = KeyColumn::new(schema, &mapping.key_column);
    let options = &QueryOptions::default();
    let asked = Asked { schema, plan, options, hive, mapping, key: &key, shape: QueryShape::UnionAll };
    insert::part(&asked, target, false)
}

/// The partitions of the schema's target whose rows a plan selects; none if that is not known, or there is no target.
pub fn partitions_of_target(schema: &Schema, plan: &Plan) -> Vec<Vec<PartitionText>> {
    let Some(hive) = schema.hive.as_ref() else { return Vec::new() };
    let (Some(mapping), Some(target)) = (hive.mapping.as_ref(), hive.target.as_ref()) else {
        return Vec::new();
    };
    let key = KeyColumn::new(schema, &mapping.key_column);
    let options = &QueryOptions::default();
    let asked = Asked { schema, plan, options, hive, mapping, key: &key, shape: QueryShape::UnionAll };
    match partition::destination(&asked, target) {
        Ok(partition::Destination { extent: Extent::Partitions(partitions), .. }) => partitions,
        _ => Vec::new(),
    }
}

/// Whether a line of what a user's template prints begins an INSERT OVERWRITE.
fn overwrites(sql: &str) -> bool {
    sql.lines().any(|line| {
        let mut words = line.split_whitespace().map(str::to_ascii_uppercase);
        words.next().as_deref() == Some("INSERT") && words.next().as_deref() == Some("OVERWRITE")
    })
}

/// The cost of a plan's statement.
///
/// # Errors
/// Hive cannot run it.
pub fn cost(schema: &Schema, plan: &Plan, options: &QueryOptions) -> Result<Cost, Refusal> {
    let hive = schema.hive.as_ref().ok_or(Refusal::NoMapping)?;
    let mapping = mapping_of(schema)?;
    let key = KeyColumn::new(schema, &mapping.key_column);
    let asked =
        Asked { schema, plan, options, hive, mapping, key: &key, shape: shape(plan, mapping, options) };
    if asked.shape != QueryShape::OneScan {
        check_bounds(&asked)?;
    }
    Ok(Cost::new(options.engine, asked.shape, plan.branches.len(), options.beside_tables))
}

fn shape(plan: &Plan, mapping: &MappingTable, options: &QueryOptions) -> QueryShape {
    match options.shape {
        _ if plan.branches.is_empty() => QueryShape::UnionAll,
        Some(shape) => shape,
        None if mapping.has_jar() => QueryShape::OneScan,
        None => options.engine.shape(plan.branches.len(), options.beside_tables),
    }
}

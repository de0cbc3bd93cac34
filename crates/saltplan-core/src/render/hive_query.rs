//! The query that reads a plan through a Hive mapping table, in the shape that the engine runs correctly.

mod branches;
mod engine;
mod json;
mod partition;
mod shape;

use serde::Serialize;

use super::hive_instant::Clock;
use super::hive_key::KeyColumn;
use super::hive_load::alias;
use super::hive_text::{ROW_BY_ROW, identifier, may_choose_text, table_name};
use super::not_in_hive::NotInHive;
use super::size::{DEFAULT_MAX_BYTES, limited};
use super::templates::Templates;
use super::{CommentLine, RenderError, check_target_columns, mapping_of};
use crate::hiveql::cast_type;
use crate::plan::{Plan, PlanKind};
use crate::predicate::ValueSet;
use crate::refusal::{BinaryPart, Refusal};
use crate::schema::conversion::{
    HiveType, Misfit, TypeUse, conversion, default_type, hive_type, is_same_type,
};
use crate::schema::model::{Hive, MappingTable, Schema, TargetColumn, TargetTable, TargetValue};
pub use engine::Engine;
use partition::{Partition, dynamic_settings};
pub use shape::QueryShape;

/// How a query is printed.
#[derive(Debug, Clone)]
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
pub struct Query {
    pub sql: String,
    pub warnings: Vec<String>,
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
    filter: Option<String>,
}

#[derive(Debug, Serialize)]
struct InsertContext {
    table: String,
    /// `PARTITION (…)`, with its values for static partitions.
    partition: Option<String>,
}

/// An item of the select list.
#[derive(Debug, Serialize)]
struct ColumnContext {
    expression: String,
    name: String,
    /// Whether the expression is the column's own name.
    is_plain: bool,
}

/// Columns between the branches and the select list: an instant, and what a clock shows then as a number.
#[derive(Debug, Serialize)]
struct ClockContext {
    instant: String,
    instant_name: String,
    elapsed: String,
    elapsed_name: String,
}

#[derive(Debug, Serialize)]
struct BranchContext {
    name: String,
    /// Columns of the mapping table that the select list needs, and the key where the shape needs it.
    columns: Vec<String>,
    /// Lines of the condition, to be joined by AND: bounds, guards, residual where it does not stand behind the branches.
    conditions: Vec<String>,
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
    let query =
        HiveQuery { schema, plan, options, hive, mapping, key: KeyColumn::new(schema, &mapping.key_column) };
    query.check_bounds()?;
    let (context, warnings, target) = query.context()?;
    let shape = query.shape();
    let sql = limited(templates.render(shape.template(), &context)?, options.max_bytes)?;
    Ok(Query { sql, warnings, engine: options.engine, shape, mapping: mapping.table.to_string(), target })
}

/// What an INSERT adds to a query.
#[derive(Default)]
struct Insert {
    context: Option<InsertContext>,
    settings: Vec<String>,
    warnings: Vec<String>,
    target: Option<Target>,
}

struct HiveQuery<'a> {
    schema: &'a Schema,
    plan: &'a Plan,
    options: &'a QueryOptions,
    hive: &'a Hive,
    mapping: &'a MappingTable,
    key: KeyColumn<'a>,
}

impl HiveQuery<'_> {
    fn shape(&self) -> QueryShape {
        if self.plan.branches.is_empty() {
            return QueryShape::UnionAll;
        }
        self.options.shape.unwrap_or_else(|| self.options.engine.shape(self.plan.branches.len()))
    }

    /// Hive literals are text, and it decodes the key as text: binary parts can be in the key, but not in a bound.
    fn check_bounds(&self) -> Result<(), Refusal> {
        if matches!(self.plan.kind, PlanKind::FullScan | PlanKind::Empty) {
            return Ok(());
        }
        if let Some(salt) = &self.schema.key.salt
            && salt.write.is_binary()
        {
            return Err(Refusal::BinaryBound { part: BinaryPart::Salt });
        }
        let mut restricted = self.plan.bound.fields.keys().map(|index| &self.schema.key.fields[*index]);
        match restricted.find(|field| field.stored && !field.kind.is_text_in_key()) {
            Some(field) => Err(Refusal::BinaryBound { part: BinaryPart::Field(field.name.clone()) }),
            None => Ok(()),
        }
    }

    fn context(&self) -> Result<(QueryContext, Vec<String>, Option<Target>), RenderError> {
        let mut columns = self.select_list()?;
        let Insert { context: insert, mut settings, mut warnings, target } = self.insert(&mut columns)?;
        if self.is_several_statements() {
            warnings.push(
                "the statements are not atomic: a failure in between leaves a partition with some rows"
                    .into(),
            );
        }
        warnings.extend(self.shape_warning());
        let clocks = self.clocks(&columns)?;
        let filter = self.common_residual()?;
        let inner = self.inner_columns(&columns, &clocks, filter.as_ref())?;
        let branches = self.branches(&inner, filter.as_ref())?;
        let conditions = branches.iter().flat_map(|branch| &branch.conditions).chain(&filter);
        let texts = columns.iter().map(|column| &column.expression);
        let selected = texts.chain(clocks.iter().map(|clock| &clock.instant));
        if selected.chain(conditions).any(|sql| may_choose_text(sql)) {
            settings.push(ROW_BY_ROW.to_string());
        }
        let context = QueryContext {
            header: self.options.header.clone(),
            settings,
            insert,
            columns,
            clocks,
            inner,
            mapping: table_name(&self.mapping.table),
            key: self.key.name().to_string(),
            branches,
            filter,
        };
        Ok((context, warnings, target))
    }

    fn is_several_statements(&self) -> bool {
        self.shape() == QueryShape::Statements && self.plan.branches.len() > 1
    }

    /// The INSERT with its settings and warnings; partition columns are added to the select list.
    fn insert(&self, columns: &mut Vec<ColumnContext>) -> Result<Insert, Refusal> {
        let (mut settings, mut warnings) = (Vec::new(), Vec::new());
        let mut partitions = Vec::new();
        if self.options.select_only {
            if self.is_several_statements() {
                return Err(Refusal::StatementsWithoutInsert);
            }
            return Ok(Insert::default());
        }
        let target = self.target()?;
        check_target_columns(target)?;
        let partition = match self.partition(target)? {
            None => None,
            Some(Partition::Static { clause, name }) => {
                partitions.push(name);
                Some(clause)
            }
            Some(Partition::Dynamic { clause, columns: partition_columns, names }) => {
                self.check_dynamic()?;
                columns.extend(partition_columns);
                settings = dynamic_settings(names.len());
                partitions = names;
                warnings.push(
                    "several partitions are overwritten; a partition for which there is no row keeps its old rows"
                        .to_string(),
                );
                Some(clause)
            }
        };
        if partition.is_none() || settings.is_empty() {
            settings.extend(self.options.engine.emptying_settings());
        }
        warnings.extend(self.partial_partition(target));
        let context = Some(InsertContext { table: table_name(&target.table), partition });
        let target = Some(Target { table: target.table.to_string(), partitions });
        Ok(Insert { context, settings, warnings, target })
    }

    fn shape_warning(&self) -> Option<String> {
        let QueryOptions { engine, guards, .. } = self.options;
        engine.warning(self.shape(), self.plan.branches.len(), *guards).map(String::from)
    }

    fn target(&self) -> Result<&TargetTable, Refusal> {
        self.hive.target.as_ref().ok_or(Refusal::NoTarget)
    }

    /// Without any column the row key.
    fn select_list(&self) -> Result<Vec<ColumnContext>, Refusal> {
        let columns: Vec<ColumnContext> = match &self.hive.target {
            Some(target) => {
                target.columns.iter().map(|column| self.target_column(column)).collect::<Result<_, _>>()?
            }
            None => self.schema.columns.iter().map(|column| plain(&column.name)).collect(),
        };
        Ok(if columns.is_empty() { vec![plain(&self.mapping.key_column)] } else { columns })
    }

    fn target_column(&self, column: &TargetColumn) -> Result<ColumnContext, Refusal> {
        let expression = match &column.value {
            TargetValue::Column(index) => self.column(*index, column),
            TargetValue::KeyField(field) => self.decoded(*field, column)?,
            TargetValue::Expression(text) => as_declared(text, column),
        };
        let name = identifier(&column.name);
        Ok(ColumnContext { is_plain: expression == name, expression, name })
    }

    /// A column as the type that the target declares: Hive would convert as well, but without a word.
    fn column(&self, index: usize, target: &TargetColumn) -> String {
        let column = &self.schema.columns[index];
        let name = identifier(&column.name);
        match &target.hive_type {
            Some(given) if !is_same_type(given, &column.hive_type) => format!("cast({name} as {given})"),
            _ => name,
        }
    }

    fn decoded(&self, field: usize, target: &TargetColumn) -> Result<String, Refusal> {
        let hive_type = target
            .hive_type
            .as_deref()
            .unwrap_or_else(|| default_type(&self.schema.key.fields[field].kind, TypeUse::Column));
        let refusal = |reason: NotInHive| Refusal::ColumnNotWritten { reason: reason.into() };
        let form = conversion(&self.schema.key.fields[field], hive_type, TypeUse::Column);
        let clock =
            match form.map_err(|Misfit { reason, help }| Refusal::TypeMisfit { reason, help })?.is_clock() {
                false => None,
                true => Some(self.clock(field).map_err(refusal)?),
            };
        self.key.converted(field, hive_type, TypeUse::Column, clock.as_ref()).map_err(refusal)
    }

    /// The clock of a field. A long offset has a column of its own, or it would stand at every part of a time; so has the
    /// instant, which stands at every change of the clock.
    fn clock(&self, field: usize) -> Result<Clock, NotInHive> {
        let clock = self.long_clock(field, &self.key.instant(field)?)?;
        if clock.elapsed().is_none() {
            return Ok(clock);
        }
        let [instant, elapsed] = self.clock_columns(field);
        Ok(self.long_clock(field, &instant)?.with_elapsed(elapsed))
    }

    fn long_clock(&self, field: usize, instant: &str) -> Result<Clock, NotInHive> {
        self.key.clock(field, instant, self.plan.bound.fields.get(&field).and_then(ValueSet::hull))
    }

    fn clock_columns(&self, field: usize) -> [String; 2] {
        let name = &self.schema.key.fields[field].name;
        [format!("instant_{name}"), format!("clock_{name}")].map(|name| alias(self.schema, &name))
    }

    /// The columns that [`HiveQuery::clock`] takes for granted.
    fn clocks(&self, columns: &[ColumnContext]) -> Result<Vec<ClockContext>, Refusal> {
        let mut clocks = Vec::new();
        for index in 0..self.schema.key.fields.len() {
            let [instant, elapsed] = self.clock_columns(index);
            if !columns.iter().any(|column| column.expression.contains(&elapsed)) {
                continue;
            }
            let refusal = |reason: NotInHive| Refusal::ClockNotWritten { reason: reason.into() };
            let clock = self.long_clock(index, &instant).map_err(refusal)?;
            clocks.push(ClockContext {
                instant: self.key.instant(index).map_err(refusal)?,
                instant_name: instant,
                elapsed: clock.elapsed().unwrap_or_default().to_string(),
                elapsed_name: elapsed,
            });
        }
        Ok(clocks)
    }
}

/// An expression as the type that the target declares, where Hive has a cast to it.
fn as_declared(expression: &str, target: &TargetColumn) -> String {
    match target.hive_type.as_deref() {
        None => expression.to_string(),
        Some(given)
            if matches!(hive_type(given), None | Some(HiveType::Nested))
                || cast_type(expression).is_some_and(|own| is_same_type(own, given)) =>
        {
            expression.to_string()
        }
        Some(given) => format!("cast({expression} as {given})"),
    }
}

fn plain(name: &str) -> ColumnContext {
    ColumnContext { expression: identifier(name), name: identifier(name), is_plain: true }
}

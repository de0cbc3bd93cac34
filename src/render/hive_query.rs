//! The query that reads a plan through a Hive mapping table, in the shape that the engine runs correctly.

use std::collections::BTreeSet;

use serde::Serialize;

use super::hive_condition::{HiveConditions, value_literal};
use super::hive_key::KeyColumn;
use super::hive_text::{ROW_BY_ROW, identifier, least_text_from, literal, may_choose_text, table_name};
use super::templates::Templates;
use super::{Refusal, RenderError, no_mapping};
use crate::plan::explain::summary;
use crate::plan::{Branch, Kind, Plan};
use crate::predicate::Predicate;
use crate::schema::model::{
    FieldKind, Hive, MappingTable, PartitionColumn, SaltWrite, Schema, TargetColumn, TargetTable, TargetValue,
};

/// Partitions that Hive lets one statement write before it must be told (`hive.exec.max.dynamic.partitions.pernode`).
const HIVE_MAX_PARTITIONS: usize = 100;

/// Most partitions that one statement is printed for.
const MAX_PARTITIONS: usize = 10_000;

/// What Hive runs on. The shape that is right and pruned depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Tez,
    MapReduce,
}

/// How the branches are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One query, the branches joined by UNION ALL.
    UnionAll,
    /// The same with every branch in a job of its own, since MapReduce drops the ranges of a table that stands in
    /// one job several times.
    Isolated,
    /// One INSERT per branch. Not atomic.
    Statements,
}

impl Shape {
    /// The shape that reads only the ranges on this engine.
    pub fn for_engine(engine: Engine, branches: usize) -> Self {
        match engine {
            Engine::MapReduce if branches > 1 => Shape::Isolated,
            _ => Shape::UnionAll,
        }
    }

    fn template(self) -> &'static str {
        match self {
            Shape::UnionAll => "hive/union_all.sql",
            Shape::Isolated => "hive/isolated.sql",
            Shape::Statements => "hive/statements.sql",
        }
    }
}

/// How a query is printed.
#[derive(Debug, Clone)]
pub struct QueryOptions {
    pub engine: Engine,
    /// `None` chooses by engine.
    pub shape: Option<Shape>,
    /// Repeats every bound in a form that the storage handler cannot take out of the query. Without it a lost
    /// pushdown multiplies rows.
    pub guards: bool,
    /// Prints the query without the INSERT.
    pub select_only: bool,
    /// Lines of the comment above the query, without dashes.
    pub header: Vec<String>,
}

/// A printed query and what its reader should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    pub sql: String,
    pub warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct QueryContext {
    header: Vec<String>,
    /// `name=value` of every SET.
    settings: Vec<String>,
    /// Absent for a bare query.
    insert: Option<InsertContext>,
    columns: Vec<ColumnContext>,
    mapping: String,
    key: String,
    branches: Vec<BranchContext>,
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

#[derive(Debug, Serialize)]
struct BranchContext {
    name: String,
    /// Columns of the mapping table that the select list needs, and the key where the shape needs it.
    columns: Vec<String>,
    /// Lines of the condition, to be joined by AND: bounds, guards, residual.
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
    let hive = schema.hive.as_ref().ok_or_else(no_mapping)?;
    let mapping = hive.mapping.as_ref().ok_or_else(no_mapping)?;
    let query =
        HiveQuery { schema, plan, options, hive, mapping, key: KeyColumn::new(schema, &mapping.key_column) };
    query.check_bounds()?;
    let (context, warnings) = query.context()?;
    let sql = templates.render(query.shape().template(), &context)?;
    Ok(Query { sql, warnings })
}

struct HiveQuery<'a> {
    schema: &'a Schema,
    plan: &'a Plan,
    options: &'a QueryOptions,
    hive: &'a Hive,
    mapping: &'a MappingTable,
    key: KeyColumn<'a>,
}

/// The partition of an INSERT: fixed, or found from each row.
enum Partition {
    Static(String),
    Dynamic { clause: String, columns: Vec<ColumnContext>, count: usize },
}

impl HiveQuery<'_> {
    fn shape(&self) -> Shape {
        self.options.shape.unwrap_or_else(|| Shape::for_engine(self.options.engine, self.plan.branches.len()))
    }

    /// Hive literals are text, and it decodes the key as text: binary parts can be in the key, but not in a bound.
    fn check_bounds(&self) -> Result<(), Refusal> {
        let help = "use `saltplan scan`, which writes bytes";
        if self.plan.kind == Kind::FullScan {
            return Ok(());
        }
        if let Some(salt) = &self.schema.key.salt
            && matches!(salt.write, SaltWrite::Be16 | SaltWrite::Be32 | SaltWrite::Be64)
        {
            return Err(Refusal::new("the salt is stored as binary, which no Hive literal can hold", help));
        }
        let mut restricted = self.plan.bound.fields.keys().map(|index| &self.schema.key.fields[*index]);
        match restricted.find(|field| field.stored && !field.kind.is_text_in_key()) {
            Some(field) => {
                let reason = format!("`{}` is stored as binary, which no Hive literal can hold", field.name);
                Err(Refusal::new(reason, help))
            }
            None => Ok(()),
        }
    }

    fn context(&self) -> Result<(QueryContext, Vec<String>), RenderError> {
        let mut warnings = Vec::new();
        let mut settings = Vec::new();
        let mut columns = self.select_list()?;
        let mut insert = None;
        if !self.options.select_only {
            let target = self.target()?;
            let partition = match self.partition(target)? {
                None => None,
                Some(Partition::Static(clause)) => Some(clause),
                Some(Partition::Dynamic { clause, columns: partition_columns, count }) => {
                    self.check_dynamic()?;
                    columns.extend(partition_columns);
                    settings = dynamic_settings(count);
                    warnings.push(
                        "several partitions are overwritten; a partition for which there is no row keeps its old rows"
                            .to_string(),
                    );
                    Some(clause)
                }
            };
            warnings.extend(self.partial_partition(target));
            insert = Some(InsertContext { table: table_name(&target.table), partition });
        } else if self.shape() == Shape::Statements && self.plan.branches.len() > 1 {
            let reason = "the shape `statements` has no single query to select from";
            return Err(Refusal::new(reason, "leave out `--select` or choose another shape").into());
        }
        if self.shape() == Shape::Statements && self.plan.branches.len() > 1 {
            warnings.push(
                "the statements are not atomic: a failure in between leaves a partition with some rows"
                    .into(),
            );
        }
        warnings.extend(self.shape_warning());
        let branches = self.branches(&self.inner_columns(&columns)?)?;
        let conditions = branches.iter().flat_map(|branch| &branch.conditions);
        if columns.iter().map(|column| &column.expression).chain(conditions).any(|sql| may_choose_text(sql)) {
            settings.push(ROW_BY_ROW.to_string());
        }
        let context = QueryContext {
            header: self.header(),
            settings,
            insert,
            columns,
            mapping: table_name(&self.mapping.table),
            key: self.key.name().to_string(),
            branches,
        };
        Ok((context, warnings))
    }

    fn header(&self) -> Vec<String> {
        if self.options.header.is_empty() {
            return Vec::new();
        }
        let lines = self.options.header.iter().flat_map(|line| line.lines());
        lines.map(str::to_string).chain([summary(self.plan)]).collect()
    }

    /// Without guards every shape but the isolated one is wrong on MapReduce.
    fn shape_warning(&self) -> Option<String> {
        let several = self.plan.branches.len() > 1;
        match (self.options.engine, self.shape(), self.options.guards) {
            (Engine::MapReduce, Shape::UnionAll, false) if several => Some(
                "on MapReduce this query returns the whole table once per branch: Hive does not apply the ranges".into(),
            ),
            (Engine::MapReduce, Shape::UnionAll, true) if several => {
                Some("on MapReduce this shape reads the whole table; the guards keep the rows right".into())
            }
            (_, _, false) => {
                Some("without guards a lost pushdown returns the whole table once per branch, without an error".into())
            }
            _ => None,
        }
    }

    fn target(&self) -> Result<&TargetTable, Refusal> {
        self.hive.target.as_ref().ok_or_else(|| {
            Refusal::new(
                "the schema has no `hive.target`",
                "add the target table, or print the bare query with `--select`",
            )
        })
    }

    fn select_list(&self) -> Result<Vec<ColumnContext>, Refusal> {
        match &self.hive.target {
            Some(target) => target.columns.iter().map(|column| self.target_column(column)).collect(),
            None => Ok(self.schema.columns.iter().map(|column| plain(&column.name)).collect()),
        }
    }

    fn target_column(&self, column: &TargetColumn) -> Result<ColumnContext, Refusal> {
        let expression = match &column.value {
            TargetValue::Column(index) => identifier(&self.schema.columns[*index].name),
            TargetValue::KeyField(field) => self.decoded(*field)?,
            TargetValue::Expression(text) => text.clone(),
        };
        let name = identifier(&column.name);
        Ok(ColumnContext { is_plain: expression == name, expression, name })
    }

    fn decoded(&self, field: usize) -> Result<String, Refusal> {
        self.key
            .typed(field)
            .map_err(|reason| Refusal::new(reason, "take the value from a column instead, or give an `expr`"))
    }

    fn partition(&self, target: &TargetTable) -> Result<Option<Partition>, Refusal> {
        if target.partition.is_empty() {
            return Ok(None);
        }
        let mut fixed = Vec::new();
        let mut count = 1usize;
        for column in &target.partition {
            let field = &self.schema.key.fields[column.field];
            let values = self
                .plan
                .bound
                .fields
                .get(&column.field)
                .and_then(|set| set.points(&field.kind, MAX_PARTITIONS))
                .ok_or_else(|| self.unbound_partition(column))?;
            count = count.saturating_mul(values.len().max(1));
            if let [only] = values.as_slice() {
                let value = value_literal(&field.kind, only, &column.hive_type)
                    .map_err(|reason| Refusal::new(reason, "give the partition column another `type`"))?;
                fixed.push(format!("{} = {value}", identifier(&field.name)));
            }
        }
        if fixed.len() == target.partition.len() {
            return Ok(Some(Partition::Static(format!("({})", fixed.join(", ")))));
        }
        let names =
            target.partition.iter().map(|column| identifier(&self.schema.key.fields[column.field].name));
        let clause = format!("({})", names.collect::<Vec<_>>().join(", "));
        let columns = target
            .partition
            .iter()
            .map(|column| self.partition_value(column))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Some(Partition::Dynamic { clause, columns, count }))
    }

    fn unbound_partition(&self, column: &PartitionColumn) -> Refusal {
        let name = &self.schema.key.fields[column.field].name;
        Refusal::new(
            format!(
                "the predicate does not bind the partition column `{name}`: INSERT OVERWRITE would not know what to replace"
            ),
            format!(
                "add a condition such as `{name} = …` or `{name} BETWEEN … AND …`, or print the bare query with `--select`"
            ),
        )
    }

    /// The partition's value from the row key, as the text or the number that a static partition has.
    fn partition_value(&self, column: &PartitionColumn) -> Result<ColumnContext, Refusal> {
        let field = &self.schema.key.fields[column.field];
        let stored = match &field.kind {
            FieldKind::Text(text) if text.reverse => self.decoded(column.field)?,
            FieldKind::Integer(_) | FieldKind::Epoch(_) => self.decoded(column.field)?,
            _ => self.key.stored_text(column.field).map_err(|reason| {
                Refusal::new(reason, "write one day at a time: a static partition needs no decoding")
            })?,
        };
        let expression = if column.hive_type.eq_ignore_ascii_case("string") {
            stored
        } else {
            format!("cast({stored} as {})", column.hive_type)
        };
        Ok(ColumnContext { expression, name: identifier(&field.name), is_plain: false })
    }

    /// Statements after the first one add rows, but an overwrite by values of rows replaces only the partitions that
    /// its own branch has rows for.
    fn check_dynamic(&self) -> Result<(), Refusal> {
        if self.shape() == Shape::Statements && self.plan.branches.len() > 1 {
            return Err(Refusal::new(
                "the shape `statements` cannot overwrite several partitions: one that the first branch has no row of would keep its old rows",
                "plan one partition at a time, or choose another shape",
            ));
        }
        Ok(())
    }

    /// A condition beside the partition's own leaves rows out of a partition that is replaced as a whole.
    fn partial_partition(&self, target: &TargetTable) -> Option<String> {
        let partition: BTreeSet<usize> = target.partition.iter().map(|column| column.field).collect();
        let bound = &self.plan.bound;
        let is_partial = bound.other_conditions || !bound.conditions_on.is_subset(&partition);
        let message = if partition.is_empty() {
            "the target table has no partition: all of it is overwritten with these rows"
        } else {
            "the predicate has conditions beside the partition column: the partition is overwritten with a part of its rows"
        };
        is_partial.then(|| message.to_string())
    }

    /// Columns of the mapping table that the branches hand on.
    fn inner_columns(&self, columns: &[ColumnContext]) -> Result<Vec<String>, Refusal> {
        let mut inner: Vec<String> = Vec::new();
        for column in &self.schema.columns {
            let quoted = identifier(&column.name);
            if columns.iter().any(|item| mentions(&item.expression, &column.name)) {
                inner.push(quoted);
            }
        }
        let key_is_used = columns.iter().any(|item| mentions(&item.expression, &self.mapping.key_column));
        // `DISTRIBUTE BY` sees only what the branch selects.
        if key_is_used || self.shape() == Shape::Isolated || inner.is_empty() {
            inner.insert(0, self.key.name().to_string());
        }
        Ok(inner)
    }

    fn branches(&self, columns: &[String]) -> Result<Vec<BranchContext>, Refusal> {
        let width = (self.plan.branches.len().saturating_sub(1)).to_string().len().max(3);
        let branches = self.plan.branches.iter().enumerate().map(|(index, branch)| {
            Ok(BranchContext {
                name: format!("`b{index:0width$}`"),
                columns: columns.to_vec(),
                conditions: self.conditions(branch)?,
            })
        });
        branches.collect()
    }

    fn conditions(&self, branch: &Branch) -> Result<Vec<String>, Refusal> {
        let key = self.key.name();
        let mut conditions = vec![bounds(key, branch)];
        if self.options.guards {
            conditions.push(bounds(&format!("concat({key}, '')"), branch));
        }
        conditions.retain(|line| !line.is_empty());
        if let Some(residual) = &branch.residual {
            conditions.push(self.residual(&residual.predicate)?);
        }
        Ok(conditions)
    }

    fn residual(&self, predicate: &Predicate) -> Result<String, Refusal> {
        HiveConditions { schema: self.schema, key: &self.key }.predicate(predicate).map_err(|reason| {
            Refusal::new(
                format!("the rows of a range must be filtered, and Hive cannot do that: {reason}"),
                "leave the condition out, or use `saltplan scan`",
            )
        })
    }
}

/// The bounds of a branch on an expression that gives the row key: half open, or one key; empty for all keys.
fn bounds(key: &str, branch: &Branch) -> String {
    let range = &branch.range;
    if range.is_point() {
        return format!("{key} = {}", literal(&String::from_utf8_lossy(&range.start)));
    }
    let mut bounds = Vec::new();
    if let Some(start) =
        Some(&range.start).filter(|start| !start.is_empty()).and_then(|start| least_text_from(start))
    {
        bounds.push(format!("{key} >= {}", literal(&start)));
    }
    if let Some(stop) = range.stop.as_deref().and_then(least_text_from) {
        bounds.push(format!("{key} < {}", literal(&stop)));
    }
    bounds.join(" AND ")
}

fn plain(name: &str) -> ColumnContext {
    ColumnContext { expression: identifier(name), name: identifier(name), is_plain: true }
}

/// Whether an expression uses a name, quoted or not.
fn mentions(expression: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    expression.split(|c: char| !is_word(c)).any(|word| word.eq_ignore_ascii_case(name))
        || expression.contains(&identifier(name))
}

fn dynamic_settings(partitions: usize) -> Vec<String> {
    let mut settings = vec![
        "hive.exec.dynamic.partition=true".to_string(),
        "hive.exec.dynamic.partition.mode=nonstrict".to_string(),
    ];
    if partitions > HIVE_MAX_PARTITIONS {
        settings.push(format!("hive.exec.max.dynamic.partitions.pernode={partitions}"));
        settings.push(format!("hive.exec.max.dynamic.partitions={}", partitions.max(1_000)));
    }
    settings
}

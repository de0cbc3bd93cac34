//! The INSERT above a query.

use std::collections::BTreeSet;

use super::asked::Asked;
use super::cells::{cut, unit_of};
use super::partition::{self, Partition};
use super::select::ColumnContext;
use crate::hive::text::table_name;
use crate::key::field::FieldId;
use crate::plan::PlanKind;
use crate::refusal::{Part, Refusal};
use crate::render::check_target_columns;
use crate::schema::model::{ColumnId, PartitionColumn, PartitionValue, TargetTable};
use crate::warning::Warning;
use saltplan_sql::statement::{Destination, Setting};

/// Hive's default of `hive.exec.max.dynamic.partitions.pernode`: a statement with more partitions must set it.
const HIVE_MAX_PARTITIONS: usize = 100;

/// What an INSERT writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The name as in the schema.
    pub table: String,
    /// All partitions that rows can be in, named as by `SHOW PARTITIONS`; empty for a table without partitions.
    pub partitions: Vec<String>,
    /// Whether the rows are added, with INSERT INTO, or replace what is there.
    pub into: bool,
    #[doc(hidden)]
    pub extent: Extent,
}

/// What an INSERT writes to, as far as it is known when the statement is printed.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// The whole table, which has no partitions.
    Table,
    /// Partitions: for each the values of the columns.
    Partitions(Vec<Vec<PartitionText>>),
}

/// The value of a partition column.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PartitionText {
    /// As in the name of the partition.
    Known(String),
    /// This text is filled in when the statement runs.
    Later(String),
    Unknown,
}

/// The INSERT; empty for a bare query.
#[derive(Debug, Default)]
pub(super) struct Insert {
    pub destination: Option<Destination>,
    pub settings: Vec<Setting>,
    pub warnings: Vec<Warning>,
    pub target: Option<Target>,
    /// The last columns of the select list.
    pub(crate) partition_columns: Vec<ColumnContext>,
}

pub(super) fn insert(asked: &Asked<'_>) -> Result<Insert, Refusal> {
    if asked.options.select_only && !asked.options.compared {
        return Ok(Insert::default());
    }
    let target = asked.hive.target.as_ref().ok_or(Refusal::NoTarget)?;
    if target.table.is_same(&asked.mapping.table) {
        return Err(Refusal::TargetIsMapping);
    }
    check_target_columns(target)?;
    let mut insert = Insert::default();
    if asked.options.compared {
        insert.partition_columns = partition::replaced(asked, target)?.columns;
        return Ok(insert);
    }
    let into = asked.options.into;
    let partition::Destination { partition, extent } = partition::destination(asked, target)?;
    let (clause, partitions) = match partition {
        Partition::None => (None, Vec::new()),
        Partition::Static { clause, name } => (Some(clause), vec![name]),
        Partition::Dynamic { clause, columns, names, escapes } => {
            insert.partition_columns = columns;
            insert.settings = dynamic_settings(names.len());
            if escapes {
                insert.settings.extend(asked.options.engine.separate_files());
            }
            if !into {
                insert.warnings.push(Warning::PartitionsKept);
            }
            (Some(clause), names)
        }
    };
    if into {
        insert.warnings.push(Warning::RowsAdded);
    } else {
        if insert.settings.is_empty() {
            insert.settings = asked.options.engine.emptying_settings();
        }
        insert.warnings.extend(replaced(asked, target, partitions.len() > 1)?);
    }
    insert.destination = Some(Destination { table: table_name(&target.table), partition: clause, into });
    insert.target = Some(Target { table: target.table.to_string(), partitions, into, extent });
    Ok(insert)
}

/// Refuses rows that are only a part of what they replace; the warning about it where it is accepted, or about a partition that
/// gets no rows.
fn replaced(asked: &Asked<'_>, target: &TargetTable, several: bool) -> Result<Option<Warning>, Refusal> {
    if asked.plan.kind == PlanKind::Empty {
        return Ok(Some(Warning::Emptied { partition: !target.partition.is_empty() }));
    }
    match part(asked, target, several) {
        Some(part) if !asked.options.allow_partial => Err(Refusal::Partial { part }),
        part => Ok(part.map(|part| Warning::PartReplaces { part })),
    }
}

/// Which part of the rows of its partitions, or of a table without partitions, the predicate selects; `None` if it selects all.
pub(super) fn part(asked: &Asked<'_>, target: &TargetTable, several: bool) -> Option<Part> {
    let fields: BTreeSet<FieldId> = target.partition.iter().filter_map(PartitionColumn::field).collect();
    let columns: BTreeSet<ColumnId> = target
        .partition
        .iter()
        .filter_map(|column| match column.value {
            PartitionValue::Column(id) => Some(id),
            _ => None,
        })
        .collect();
    let bound = &asked.plan.bound;
    // A condition that is checked row by row is true for all rows of a partition only if the partition has a single value.
    let is_whole = |field: &FieldId| fields.contains(field) && unit_of(&target.partition, *field).is_none();
    let mut other_fields = bound.conditions_on.difference(&fields).copied();
    let field = other_fields.next().or_else(|| {
        let mut checked = bound.checked_on.iter().filter(|field| !fields.contains(field));
        checked.next().copied()
    });
    let column = bound.columns_on.difference(&columns).next();
    let name = match (field, column) {
        (Some(field), _) => Some(asked.schema.key.fields[field].name.clone()),
        (None, Some(column)) => Some(asked.schema.columns[*column].name.clone()),
        (None, None) => None,
    };
    let is_partial = name.is_some() || bound.other_conditions;
    let is_partitioned = !target.partition.is_empty();
    if is_partial && !is_partitioned {
        return Some(Part::OfTable);
    }
    if is_partial {
        return Some(Part::OfPartition { on: name, several });
    }
    let checked = bound.checked_on.iter().find(|field| !is_whole(field));
    let of_checked = checked
        .and_then(|field| Some((unit_of(&target.partition, *field)?, &asked.schema.key.fields[*field])));
    let (unit, field) = of_checked.or_else(|| cut(asked, target))?;
    Some(Part::OfUnit { unit: unit.word(), field: field.name.clone() })
}

fn dynamic_settings(partitions: usize) -> Vec<Setting> {
    let mut settings = vec![
        Setting::new("hive.exec.dynamic.partition", "true"),
        Setting::new("hive.exec.dynamic.partition.mode", "nonstrict"),
    ];
    if partitions > HIVE_MAX_PARTITIONS {
        let most = partitions.max(1_000);
        settings.push(Setting::new("hive.exec.max.dynamic.partitions.pernode", partitions.to_string()));
        settings.push(Setting::new("hive.exec.max.dynamic.partitions", most.to_string()));
    }
    settings
}

//! The INSERT above a query.

use std::collections::BTreeSet;

use serde::Serialize;

use super::asked::Asked;
use super::cells::cut;
use super::partition::{Partition, partition};
use super::select::ColumnContext;
use crate::hive::text::table_name;
use crate::key::field::FieldId;
use crate::plan::PlanKind;
use crate::refusal::Refusal;
use crate::render::check_target_columns;
use crate::schema::model::{ColumnId, PartitionColumn, PartitionValue, TargetTable};
use crate::warning::Warning;

/// Hive's default of `hive.exec.max.dynamic.partitions.pernode`: a statement with more partitions must set it.
const HIVE_MAX_PARTITIONS: usize = 100;

/// What an INSERT writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The name as in the schema.
    pub table: String,
    /// All partitions that rows can be in, named as by `SHOW PARTITIONS`; empty for a table without partitions.
    pub partitions: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct InsertContext {
    table: String,
    /// `PARTITION (…)`, with its values for static partitions.
    partition: Option<String>,
}

/// The INSERT; empty for a bare query.
#[derive(Debug, Default)]
pub(super) struct Insert {
    pub context: Option<InsertContext>,
    pub settings: Vec<String>,
    pub warnings: Vec<Warning>,
    pub target: Option<Target>,
    /// The last columns of the select list.
    pub(crate) partition_columns: Vec<ColumnContext>,
}

pub(super) fn insert(asked: &Asked<'_>) -> Result<Insert, Refusal> {
    if asked.options.select_only {
        if asked.is_several_statements() {
            return Err(Refusal::StatementsWithoutInsert);
        }
        return Ok(Insert::default());
    }
    let target = asked.hive.target.as_ref().ok_or(Refusal::NoTarget)?;
    check_target_columns(target)?;
    let mut insert = Insert::default();
    let (clause, partitions) = match partition(asked, target)? {
        Partition::None => (None, Vec::new()),
        Partition::Static { clause, name } => (Some(clause), vec![name]),
        Partition::Dynamic { clause, columns, names, escapes } => {
            check_dynamic(asked)?;
            insert.partition_columns = columns;
            insert.settings = dynamic_settings(names.len());
            if escapes {
                insert.settings.extend(asked.options.engine.separate_files());
            }
            insert.warnings.push(Warning::PartitionsKept);
            (Some(clause), names)
        }
    };
    if insert.settings.is_empty() {
        insert.settings = asked.options.engine.emptying_settings();
    }
    insert.warnings.extend(partial_partition(asked, target));
    insert.context = Some(InsertContext { table: table_name(&target.table), partition: clause });
    insert.target = Some(Target { table: target.table.to_string(), partitions });
    Ok(insert)
}

/// Refuses dynamic partitions in several statements: the first one overwrites only the partitions of its own branch's rows, and the
/// others add rows to all of them.
fn check_dynamic(asked: &Asked<'_>) -> Result<(), Refusal> {
    if asked.is_several_statements() { Err(Refusal::StatementsOfPartitions) } else { Ok(()) }
}

/// The warning if other conditions than those on the partition leave rows out of a partition that is replaced as a whole.
fn partial_partition(asked: &Asked<'_>, target: &TargetTable) -> Option<Warning> {
    let fields: BTreeSet<FieldId> = target.partition.iter().filter_map(PartitionColumn::field).collect();
    let columns: BTreeSet<ColumnId> = target
        .partition
        .iter()
        .filter_map(|column| match column.value {
            PartitionValue::Column(id) => Some(id),
            _ => None,
        })
        .collect();
    let is_partitioned = !target.partition.is_empty();
    let bound = &asked.plan.bound;
    if asked.plan.kind == PlanKind::Empty {
        return Some(Warning::Emptied { partition: is_partitioned });
    }
    let is_partial = bound.other_conditions
        || !bound.conditions_on.is_subset(&fields)
        || !bound.columns_on.is_subset(&columns);
    if is_partial && !is_partitioned {
        return Some(Warning::TableOverwritten);
    }
    if is_partial {
        return Some(Warning::PartitionPart);
    }
    let (unit, field) = cut(asked, target)?;
    Some(Warning::PartitionCut { unit: unit.word(), field: field.name.clone() })
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

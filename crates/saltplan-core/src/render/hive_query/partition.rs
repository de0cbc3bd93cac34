//! The partition that an INSERT OVERWRITE replaces.

use std::collections::BTreeSet;

use super::{ColumnContext, HiveQuery, Shape};
use crate::render::Refusal;
use crate::render::hive_condition::value_literal;
use crate::render::hive_text::identifier;
use crate::schema::model::{FieldKind, PartitionColumn, TargetTable};

/// Partitions that Hive lets one statement write before it must be told (`hive.exec.max.dynamic.partitions.pernode`).
const HIVE_MAX_PARTITIONS: usize = 100;

/// Most partitions that one statement is printed for.
const MAX_PARTITIONS: usize = 10_000;

/// The partition of an INSERT: fixed, or found from each row.
pub(super) enum Partition {
    Static(String),
    Dynamic { clause: String, columns: Vec<ColumnContext>, count: usize },
}

impl HiveQuery<'_> {
    pub(super) fn partition(&self, target: &TargetTable) -> Result<Option<Partition>, Refusal> {
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
    pub(super) fn check_dynamic(&self) -> Result<(), Refusal> {
        if self.shape() == Shape::Statements && self.plan.branches.len() > 1 {
            return Err(Refusal::new(
                "the shape `statements` cannot overwrite several partitions: one that the first branch has no row of would keep its old rows",
                "plan one partition at a time, or choose another shape",
            ));
        }
        Ok(())
    }

    /// A condition beside the partition's own leaves rows out of a partition that is replaced as a whole.
    pub(super) fn partial_partition(&self, target: &TargetTable) -> Option<String> {
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
}

pub(super) fn dynamic_settings(partitions: usize) -> Vec<String> {
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

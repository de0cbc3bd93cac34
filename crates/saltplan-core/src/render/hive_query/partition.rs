//! The partition that an INSERT OVERWRITE replaces.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::{ColumnContext, HiveQuery, QueryShape};
use crate::key::Value;
use crate::plan::PlanKind;
use crate::refusal::Refusal;
use crate::render::hive_condition::{value_literal, value_text};
use crate::render::hive_text::{identifier, literal};
use crate::schema::conversion::TypeUse;
use crate::schema::model::{PartitionColumn, TargetTable};

/// Partitions that Hive lets one statement write before it must be told (`hive.exec.max.dynamic.partitions.pernode`).
const HIVE_MAX_PARTITIONS: usize = 100;

/// Where Hive puts rows without a value for the partition.
const DEFAULT_PARTITION: &str = "__HIVE_DEFAULT_PARTITION__";

/// Most partitions that one statement is printed for.
const MAX_PARTITIONS: usize = 10_000;

/// The partition of an INSERT: fixed, or found from each row.
pub(super) enum Partition {
    Static {
        clause: String,
        name: String,
    },
    /// With the names of all that rows can lie in.
    Dynamic {
        clause: String,
        columns: Vec<ColumnContext>,
        names: Vec<String>,
    },
}

impl HiveQuery<'_> {
    pub(super) fn partition(&self, target: &TargetTable) -> Result<Option<Partition>, Refusal> {
        if target.partition.is_empty() {
            return Ok(None);
        }
        let mut fixed = Vec::new();
        let mut names = vec![String::new()];
        for column in &target.partition {
            let field = &self.schema.key.fields[column.field];
            let values = self
                .plan
                .bound
                .fields
                .get(&column.field)
                .and_then(|set| set.points(&field.kind, MAX_PARTITIONS))
                .ok_or_else(|| self.unbound_partition(column))?;
            values.iter().try_for_each(|value| self.check_named(column, value))?;
            names = self.longer_names(names, column, &values)?;
            if let [only] = values.as_slice() {
                let value = value_literal(&field.kind, only, &column.hive_type)
                    .map_err(|reason| Refusal::PartitionType { reason: reason.into() })?;
                // Hive's grammar has no sign in front of a partition's number, and reads a text as its type.
                let value = if value.starts_with('-') { literal(&value) } else { value };
                fixed.push(format!("{} = {value}", identifier(&field.name)));
            }
        }
        if fixed.len() == target.partition.len() {
            let clause = format!("({})", fixed.join(", "));
            return Ok(Some(Partition::Static { clause, name: names.concat() }));
        }
        let identifiers =
            target.partition.iter().map(|column| identifier(&self.schema.key.fields[column.field].name));
        let clause = format!("({})", identifiers.collect::<Vec<_>>().join(", "));
        let columns = target
            .partition
            .iter()
            .map(|column| self.partition_value(column))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Some(Partition::Dynamic { clause, columns, names }))
    }

    /// Names of partitions with one more column behind them, in Hive's form `day=20200406/kind=a`.
    fn longer_names(
        &self,
        names: Vec<String>,
        column: &PartitionColumn,
        values: &[Value],
    ) -> Result<Vec<String>, Refusal> {
        let field = &self.schema.key.fields[column.field];
        if names.len().saturating_mul(values.len()) > MAX_PARTITIONS {
            return Err(Refusal::TooManyPartitions { limit: MAX_PARTITIONS });
        }
        let parts = values.iter().map(|value| value_text(&field.kind, value, &column.hive_type));
        let parts = parts
            .collect::<Result<Vec<_>, _>>()
            .map_err(|reason| Refusal::PartitionType { reason: reason.into() })?;
        let longer = names.iter().flat_map(|name| {
            let before = if name.is_empty() { String::new() } else { format!("{name}/") };
            parts
                .iter()
                .map(move |part| format!("{before}{}={}", escaped(&field.name.to_lowercase()), escaped(part)))
        });
        Ok(longer.collect())
    }

    fn unbound_partition(&self, column: &PartitionColumn) -> Refusal {
        let field = self.schema.key.fields[column.field].name.clone();
        match self.plan.kind {
            PlanKind::Empty => Refusal::NothingToEmpty { field },
            _ => Refusal::UnboundPartition { field },
        }
    }

    /// The partition's value from the row key, as the text or the number that a static partition has.
    fn partition_value(&self, column: &PartitionColumn) -> Result<ColumnContext, Refusal> {
        let field = &self.schema.key.fields[column.field];
        let value = self.key.converted(column.field, &column.hive_type, TypeUse::Partition, None);
        let expression = value.map_err(|reason| Refusal::PartitionNotDecoded { reason: reason.into() })?;
        Ok(ColumnContext { expression, name: identifier(&field.name), is_plain: false })
    }

    /// Hive has one partition for all rows whose value is no name of a folder.
    fn check_named(&self, column: &PartitionColumn, value: &Value) -> Result<(), Refusal> {
        let Value::Text(text) = value else { return Ok(()) };
        if !text.is_empty() && text != DEFAULT_PARTITION {
            return Ok(());
        }
        let field = self.schema.key.fields[column.field].name.clone();
        Err(Refusal::NoPartitionName { field, value: literal(text) })
    }

    /// Statements after the first one add rows, but an overwrite by values of rows replaces only the partitions that
    /// its own branch has rows for.
    pub(super) fn check_dynamic(&self) -> Result<(), Refusal> {
        if self.shape() == QueryShape::Statements && self.plan.branches.len() > 1 {
            return Err(Refusal::StatementsOfPartitions);
        }
        Ok(())
    }

    /// A condition beside the partition's own leaves rows out of a partition that is replaced as a whole.
    pub(super) fn partial_partition(&self, target: &TargetTable) -> Option<String> {
        let partition: BTreeSet<usize> = target.partition.iter().map(|column| column.field).collect();
        let bound = &self.plan.bound;
        if self.plan.kind == PlanKind::Empty {
            let message = if partition.is_empty() {
                "no row can satisfy the predicate: the target table, which has no partition, is emptied"
            } else {
                "no row can satisfy the predicate: the partition is emptied"
            };
            return Some(message.into());
        }
        let is_partial = bound.other_conditions || !bound.conditions_on.is_subset(&partition);
        let message = if partition.is_empty() {
            "the target table has no partition: all of it is overwritten with these rows"
        } else {
            "the predicate has conditions beside the partition column: the partition is overwritten with a part of its rows"
        };
        is_partial.then(|| message.to_string())
    }
}

/// A part of the name of a partition, as Hive writes it in paths and in `SHOW PARTITIONS`.
fn escaped(text: &str) -> String {
    if text.is_empty() {
        return "__HIVE_DEFAULT_PARTITION__".into();
    }
    let mut name = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_control() || "\"#%'*/:=?\\{[]^".contains(character) {
            let _ = write!(name, "%{:02X}", u32::from(character));
        } else {
            name.push(character);
        }
    }
    name
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

#[cfg(test)]
mod tests {
    use super::escaped;

    /// What `FileUtils.makePartName` of Hive 2.3.9 and 3.1.3 makes of the same texts.
    #[test]
    fn names_of_partitions() {
        let printable: String = (' '..='~').collect();
        assert_eq!(
            escaped(&printable),
            " !%22%23$%25&%27()%2A+,-.%2F0123456789%3A;<%3D>%3F@ABCDEFGHIJKLMNOPQRSTUVWXYZ%5B%5C%5D%5E_`abcdefghijklmnopqrstuvwxyz%7B|}~"
        );
        assert_eq!(escaped("\u{1}\n\u{7F}é漢"), "%01%0A%7Fé漢");
        assert_eq!(escaped(""), "__HIVE_DEFAULT_PARTITION__");
    }
}

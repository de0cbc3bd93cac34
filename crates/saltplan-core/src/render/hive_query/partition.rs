//! The partition that an INSERT OVERWRITE replaces.

use std::fmt::Write;

use super::Asked;
use super::select::ColumnContext;
use crate::key::Value;
use crate::plan::PlanKind;
use crate::predicate::runtime::RuntimeCondition;
use crate::refusal::Refusal;
use crate::render::hive_condition::{value_literal, value_text};
use crate::render::hive_runtime;
use crate::render::hive_text::{identifier, literal};
use crate::schema::conversion::TypeUse;
use crate::schema::model::{Field, PartitionColumn, TargetTable};

/// Where Hive puts rows without a value for the partition.
const DEFAULT_PARTITION: &str = "__HIVE_DEFAULT_PARTITION__";

/// Most partitions that one statement is printed for.
const MAX_PARTITIONS: usize = 10_000;

/// The partition of an INSERT: fixed, or found from each row.
pub(super) enum Partition {
    None,
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

pub(super) fn partition(asked: &Asked<'_>, target: &TargetTable) -> Result<Partition, Refusal> {
    if target.partition.is_empty() {
        return Ok(Partition::None);
    }
    let mut fixed = Vec::new();
    let mut names = vec![String::new()];
    for column in &target.partition {
        let field = &asked.schema.key.fields[column.field];
        if let Some(runtime) = asked.plan.runtime.as_ref().filter(|runtime| runtime.field == column.field) {
            names = runtime_names(names, field, runtime, &mut fixed);
            continue;
        }
        let bound = asked.plan.bound.fields.get(&column.field);
        let values = bound
            .and_then(|set| set.points(&field.kind, MAX_PARTITIONS))
            .ok_or_else(|| unbound_partition(asked.plan.kind, field))?;
        values.iter().try_for_each(|value| check_named(field, value))?;
        names = longer_names(names, field, column, &values)?;
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
        return Ok(Partition::Static { clause, name: names.concat() });
    }
    let columns = target
        .partition
        .iter()
        .map(|column| partition_value(asked, column))
        .collect::<Result<Vec<_>, _>>()?;
    let identifiers: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let clause = format!("({})", identifiers.join(", "));
    Ok(Partition::Dynamic { clause, columns, names })
}

/// The same with a column whose values are known when the statement runs: fixed where it is one, as it is filled in.
fn runtime_names(
    names: Vec<String>,
    field: &Field,
    runtime: &RuntimeCondition,
    fixed: &mut Vec<String>,
) -> Vec<String> {
    let only = match runtime.ranges.as_slice() {
        [only] => only.only(),
        _ => None,
    };
    let Some((value, literal)) = only.and_then(|value| Some((value, hive_runtime::as_stored(field, value)?)))
    else {
        return Vec::new();
    };
    fixed.push(format!("{} = {}", identifier(&field.name), literal.sql()));
    let longer = |name: String| {
        let before = if name.is_empty() { name } else { name + "/" };
        format!("{before}{}={}", escaped(&field.name.to_lowercase()), value.given.text())
    };
    names.into_iter().map(longer).collect()
}

/// Names of partitions with one more column behind them, in Hive's form `day=20200406/kind=a`.
fn longer_names(
    names: Vec<String>,
    field: &Field,
    column: &PartitionColumn,
    values: &[Value],
) -> Result<Vec<String>, Refusal> {
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

fn unbound_partition(kind: PlanKind, field: &Field) -> Refusal {
    let field = field.name.clone();
    match kind {
        PlanKind::Empty => Refusal::NothingToEmpty { field },
        _ => Refusal::UnboundPartition { field },
    }
}

/// The partition's value from the row key, as the text or the number that a static partition has.
fn partition_value(asked: &Asked<'_>, column: &PartitionColumn) -> Result<ColumnContext, Refusal> {
    let field = &asked.schema.key.fields[column.field];
    let value = asked.key.converted(column.field, &column.hive_type, TypeUse::Partition, None);
    let expression = value.map_err(|reason| Refusal::PartitionNotDecoded { reason: reason.into() })?;
    Ok(ColumnContext { expression, name: identifier(&field.name), is_plain: false })
}

/// Hive has one partition for all rows whose value is no name of a folder.
fn check_named(field: &Field, value: &Value) -> Result<(), Refusal> {
    match value {
        Value::Text(text) if text.is_empty() || text == DEFAULT_PARTITION => {
            Err(Refusal::NoPartitionName { field: field.name.clone(), value: literal(text) })
        }
        _ => Ok(()),
    }
}

/// A part of the name of a partition, as Hive writes it in paths and in `SHOW PARTITIONS`.
fn escaped(text: &str) -> String {
    if text.is_empty() {
        return DEFAULT_PARTITION.into();
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

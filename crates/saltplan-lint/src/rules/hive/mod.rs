//! Rules about the mapping table.

pub mod sp402_hive_names;
pub mod sp403_unwritable_bounds;
pub mod sp404_cell_mapping;
pub mod sp405_type_of_cell;
pub mod sp406_not_external;
pub mod sp407_long_mapping;
pub mod sp408_virtual_column;
pub mod sp409_mapping_without_column;
pub mod sp410_family_in_a_map;

use std::fmt;

use super::super::context::Context;
use saltplan_core::key::id::Id;
use saltplan_document::diag::Span;

/// The role of a name in Hive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HiveName {
    Column,
    KeyColumn,
    PartitionColumn,
    TargetColumn,
    Table,
    Database,
}

impl HiveName {
    fn is_column(self) -> bool {
        !matches!(self, HiveName::Table | HiveName::Database)
    }
}

impl fmt::Display for HiveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HiveName::Column => "column",
            HiveName::KeyColumn => "key column",
            HiveName::PartitionColumn => "partition column",
            HiveName::TargetColumn => "target column",
            HiveName::Table => "table",
            HiveName::Database => "database",
        })
    }
}

/// Every name that becomes a Hive column, table or database: its role, the name, its place.
fn hive_names<'a>(context: &'a Context<'_>) -> Vec<(HiveName, &'a str, Span)> {
    let schema = context.schema;
    let mut names = Vec::new();
    for (id, column) in schema.columns.entries() {
        let span = context.places.near(&["columns", &id.position().to_string(), "name"]);
        names.push((HiveName::Column, column.name.as_str(), span));
    }
    let Some(hive) = &schema.hive else { return names };
    if let Some(mapping) = &hive.mapping {
        let span = |key| context.places.near(&["hive", "mapping", key]);
        names.push((HiveName::KeyColumn, mapping.key_column.as_str(), span("key_column")));
        names.extend(mapping.table.database.as_deref().map(|name| (HiveName::Database, name, span("table"))));
        names.push((HiveName::Table, mapping.table.table.as_str(), span("table")));
    }
    let Some(target) = &hive.target else { return names };
    let span = context.places.near(&["hive", "target", "table"]);
    names.extend(target.table.database.as_deref().map(|name| (HiveName::Database, name, span)));
    names.push((HiveName::Table, target.table.table.as_str(), span));
    for (index, column) in target.partition.iter().enumerate() {
        names.push((HiveName::PartitionColumn, column.name.as_str(), context.places.partition_column(index)));
    }
    for (index, column) in target.columns.iter().enumerate() {
        // Columns that the file does not list were checked above.
        if let Some(node) = context.node(&["hive", "target", "columns", &index.to_string(), "name"]) {
            names.push((HiveName::TargetColumn, column.name.as_str(), node.span));
        }
    }
    names
}

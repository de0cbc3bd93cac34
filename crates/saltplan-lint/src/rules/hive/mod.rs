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

use super::super::context::Context;
use saltplan_core::key::id::Id;
use saltplan_document::diag::Span;

/// Every name that becomes a Hive column, table or database: its role, the name, its place.
fn hive_names<'a>(context: &'a Context<'_>) -> Vec<(&'static str, &'a str, Span)> {
    let schema = context.schema;
    let mut names = Vec::new();
    for (id, column) in schema.columns.entries() {
        let span = context.places.near(&["columns", &id.position().to_string(), "name"]);
        names.push(("column", column.name.as_str(), span));
    }
    let Some(hive) = &schema.hive else { return names };
    if let Some(mapping) = &hive.mapping {
        let span = |key| context.places.near(&["hive", "mapping", key]);
        names.push(("key column", mapping.key_column.as_str(), span("key_column")));
        names.extend(mapping.table.database.as_deref().map(|name| ("database", name, span("table"))));
        names.push(("table", mapping.table.table.as_str(), span("table")));
    }
    let Some(target) = &hive.target else { return names };
    let span = context.places.near(&["hive", "target", "table"]);
    names.extend(target.table.database.as_deref().map(|name| ("database", name, span)));
    names.push(("table", target.table.table.as_str(), span));
    for (index, column) in target.partition.iter().enumerate() {
        names.push(("partition column", column.name.as_str(), context.places.partition_column(index)));
    }
    for (index, column) in target.columns.iter().enumerate() {
        // Columns that the file does not list were checked above.
        if let Some(node) = context.node(&["hive", "target", "columns", &index.to_string(), "name"]) {
            names.push(("target column", column.name.as_str(), node.span));
        }
    }
    names
}

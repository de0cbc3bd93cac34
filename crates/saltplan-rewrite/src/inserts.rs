//! What the INSERTs of a statement replace.

use saltplan_core::hive::query::{PartitionText, partition_name};
use saltplan_sql::ast::{Expr, Literal, Node};
use saltplan_sql::script::{Destination, Insert, PartitionColumn, Statement};

use crate::catalog::Catalog;
use crate::values::TEMPLATES;

/// Whether an INSERT replaces what is there: INSERT OVERWRITE without IF NOT EXISTS.
pub fn replaces(insert: &Insert) -> bool {
    insert.overwrites && !insert.if_not_exists
}

pub fn is_local(insert: &Insert) -> bool {
    matches!(insert.to, Destination::Directory { is_local: true })
}

/// Whether a statement overwrites the target table of a schema.
pub fn fills_target(statement: &Statement, catalog: &Catalog, database: Option<&str>) -> bool {
    statement.inserts().iter().any(|(insert, _)| match &insert.to {
        Destination::Table { name, .. } => replaces(insert) && !catalog.targets(name, database).is_empty(),
        Destination::Directory { .. } => false,
    })
}

/// Whether some of its partitions are found from its rows: Hive then replaces only those with a row.
pub fn is_dynamic(insert: &Insert) -> bool {
    match &insert.to {
        Destination::Directory { .. } => false,
        Destination::Table { partition, .. } => partition.iter().any(|column| column.value.is_none()),
    }
}

/// The columns of PARTITION with their values; one that is found from the rows is unknown. `text` is the text of the script.
pub fn partition(text: &str, columns: &[PartitionColumn]) -> Vec<(String, PartitionText)> {
    let given = |column: &PartitionColumn| match &column.value {
        Some(value) => partition_text(text, value),
        None => PartitionText::Unknown,
    };
    columns.iter().map(|column| (column.name.clone(), given(column))).collect()
}

/// The value of a partition: a literal as in the name of the partition, or a text that is filled in later.
fn partition_text(text: &str, value: &Node) -> PartitionText {
    let written = &text[value.span.start..value.span.end];
    let later = || PartitionText::Later(written.to_string());
    match &value.expr {
        Expr::Literal(Literal::Number(_) | Literal::TypedNumber { .. }) => {
            PartitionText::Known(written.to_string())
        }
        // `5L`
        Expr::Cast { expr, written: letter, .. }
            if letter.len() == 1 && matches!(expr.expr, Expr::Literal(Literal::Number(_))) =>
        {
            PartitionText::Known(written.to_string())
        }
        Expr::Literal(Literal::Text(name)) => {
            let is_filled = TEMPLATES.iter().any(|sign| name.contains(sign));
            // A literal with escapes, or several literals, can be written in another way.
            match is_filled || written.len() != name.len() + 2 {
                true => later(),
                false => PartitionText::Known(partition_name(name)),
            }
        }
        _ => later(),
    }
}

//! Names of a predicate that the schema does not have.

use std::sync::Arc;

use crate::analyze::bind::{BoundNode, ColumnPlace};
use crate::schema::model::Schema;
use saltplan_document::diag::{Diagnostic, PredicateFault, Source, Span};

/// The names of a condition that are neither a key field nor a column.
pub(super) fn unknown_names(schema: &Schema, source: &Arc<Source>, condition: &BoundNode) -> Vec<Diagnostic> {
    let mut unknown = Vec::new();
    condition.walk(&mut |part| match part.column() {
        Some(column) if column.place == ColumnPlace::Elsewhere => {
            unknown.push(unknown_column(schema, source, &column.written.name, part.span));
        }
        _ => {}
    });
    unknown
}

fn unknown_column(schema: &Schema, source: &Arc<Source>, name: &str, span: Span) -> Diagnostic {
    let fields = schema.key.fields.iter().map(|field| field.name.as_str());
    let columns = schema.columns.iter().map(|column| column.name.as_str());
    let error = Diagnostic::error(format!("unknown column `{name}`"))
        .at(source, span, "not a key field and not a column of the schema")
        .with_fault(PredicateFault::UnknownColumn)
        .with_suggestion(name, fields.chain(columns));
    if error.help.is_some() {
        return error;
    }
    let fields: Vec<_> = schema.key.fields.iter().map(|f| format!("`{}`", f.name)).collect();
    error.with_help(format!("the key fields are {}", fields.join(", ")))
}

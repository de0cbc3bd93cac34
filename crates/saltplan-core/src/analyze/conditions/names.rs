//! Names of a predicate that the schema does not have.

use crate::analyze::bind::{BoundNode, ColumnPlace};
use crate::schema::model::Schema;
use saltplan_document::diag::{Diagnostic, PredicateFault, Span};
use saltplan_sql::Parsed;

/// The names of a condition that are neither a key field nor a column.
pub(super) fn unknown_names(schema: &Schema, parsed: &Parsed, condition: &BoundNode) -> Vec<Diagnostic> {
    let mut unknown = Vec::new();
    condition.walk(&mut |part| match part.column() {
        Some(column) if column.place == ColumnPlace::Elsewhere => {
            unknown.push(unknown_column(schema, parsed, &column.written.name, part.span));
        }
        _ => {}
    });
    unknown
}

fn unknown_column(schema: &Schema, parsed: &Parsed, name: &str, span: Span) -> Diagnostic {
    let fields = schema.key.fields.iter().map(|field| field.name.as_str());
    let columns = schema.columns.iter().map(|column| column.name.as_str());
    let error = Diagnostic::error(format!("unknown column `{name}`"))
        .at(&parsed.source, span, "not a key field and not a column of the schema")
        .with_fault(PredicateFault::UnknownColumn)
        .with_suggestion(name, fields.chain(columns));
    if error.help.is_some() {
        return error;
    }
    let fields: Vec<_> = schema.key.fields.iter().map(|f| format!("`{}`", f.name)).collect();
    error.with_help(format!("the key fields are {}", fields.join(", ")))
}

//! Names of a predicate, looked up in the schema.

use crate::diag::{Diagnostic, PredicateFault, Span};
use crate::predicate::parse::{Leaf, Parsed};
use crate::schema::model::Schema;

/// The names of a condition that are neither a key field nor a column.
pub(super) fn unknown_names(schema: &Schema, parsed: &Parsed, leaf: &Leaf) -> Vec<Diagnostic> {
    let is_unknown = |name: &str| schema.field(name).is_none() && schema.column(name).is_none();
    let unknown = parsed.names(&leaf.tokens).filter(|(name, _)| is_unknown(name));
    unknown.map(|(name, span)| unknown_column(schema, parsed, name, span)).collect()
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

//! Names of a predicate, looked up in the schema.

use crate::schema::model::Schema;
use saltplan_document::diag::{Diagnostic, PredicateFault, Span};
use saltplan_sql::Parsed;
use saltplan_sql::ast::{Column, Expr, Node};
use saltplan_sql::hive_type::DeclaredType;
use saltplan_sql::rewrite::columns;

/// The names of a condition that are neither a key field nor a column.
pub(super) fn unknown_names(schema: &Schema, parsed: &Parsed, condition: &Node) -> Vec<Diagnostic> {
    let is_unknown = |name: &str| {
        schema.field(name).is_none() && schema.column(name).is_none() && !schema.is_key_column(name)
    };
    let unknown = columns(condition).into_iter().filter(|(name, _)| is_unknown(name));
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

/// A column that is not a key field, with its type.
pub(super) fn column_type<'s>(schema: &'s Schema, expr: &Expr) -> Option<(&'s str, &'s DeclaredType)> {
    let Expr::Column(Column { name, .. }) = expr else { return None };
    if schema.field(name).is_some() {
        return None;
    }
    let column = &schema.columns[schema.column(name)?];
    Some((&column.name, &column.hive_type))
}

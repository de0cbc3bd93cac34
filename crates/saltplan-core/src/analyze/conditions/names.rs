//! Names of a predicate, looked up in the schema.

use crate::schema::model::{PartitionValue, Schema};
use saltplan_document::diag::{Diagnostic, PredicateFault, Span};
use saltplan_sql::Parsed;
use saltplan_sql::ast::{Column, Expr, Node};
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
    if let Some(help) = partition_help(schema, name) {
        return error.with_help(help);
    }
    if error.help.is_some() {
        return error;
    }
    let fields: Vec<_> = schema.key.fields.iter().map(|f| format!("`{}`", f.name)).collect();
    error.with_help(format!("the key fields are {}", fields.join(", ")))
}

/// What to write for a partition column of the target, which the rows do not have yet.
fn partition_help(schema: &Schema, name: &str) -> Option<String> {
    let mut columns = schema.target()?.partition.iter();
    let column = columns.find(|column| column.name.eq_ignore_ascii_case(name))?;
    let field = |id| &schema.key.fields[id].name;
    let instead = match &column.value {
        PartitionValue::Field(id) => format!("write `{}`", field(*id)),
        PartitionValue::Part { field: id, pattern } => {
            format!("write `date_format({}, '{}')`", field(*id), pattern.text())
        }
        PartitionValue::Column(id) => format!("write `{}`", schema.columns[*id].name),
        PartitionValue::Constant(_) => "leave it out: all rows have it".into(),
    };
    Some(format!("`{}` is a partition column of the target: {instead}", column.name))
}

/// A column that is not a key field, with its type.
pub(super) fn column_type<'s>(schema: &'s Schema, expr: &Expr) -> Option<(&'s str, &'s str)> {
    let Expr::Column(Column { name, .. }) = expr else { return None };
    if schema.field(name).is_some() {
        return None;
    }
    let column = &schema.columns[schema.column(name)?];
    Some((&column.name, &column.hive_type))
}

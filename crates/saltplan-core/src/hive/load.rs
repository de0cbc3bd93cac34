//! The write side: Hive builds the row keys itself.
//!
//! A row is written with the key that [`RowCodec`](crate::row::RowCodec) computes for it, or not at all. Every field is first checked
//! against its declaration; a row with a problem gets a NULL key, for which HBase's handler fails the statement.

use serde::Serialize;

use crate::hive::field::{self, RowCheck};
use crate::hive::salt::{self, HiveSalt, check_text_layout, separator};
use crate::hive::text::{ROW_BY_ROW, identifier, table_name};
use crate::key::field::{Field, FieldVec};
use crate::key::salt::SaltScheme;
use crate::refusal::Refusal;
use crate::render::templates::Templates;
use crate::render::{CommentLine, RenderError, check_mapped_columns, mapping_of};
use crate::schema::model::{HiveTableName, Schema};
use crate::warning::Warning;
use saltplan_sql::ast::Expr;

/// What to print.
#[derive(Debug, Clone)]
pub struct LoadOptions {
    /// The source table, with a column for every key field and every column.
    pub from: HiveTableName,
    /// Instead of loading, lists at most this many rows for which the load would fail.
    pub list_faults: Option<u32>,
    /// Lines of the comment above the statement, without dashes.
    pub header: Vec<CommentLine>,
}

#[derive(Debug, Serialize)]
struct LoadContext {
    header: Vec<CommentLine>,
    /// `name=value` of every SET.
    settings: [&'static str; 1],
    mapping: String,
    from: String,
    key: String,
    row_key: Expr,
    columns: Vec<String>,
    /// Source columns of the key fields.
    fields: Vec<String>,
    stored: Vec<StoredContext>,
    problems: Vec<ProblemContext>,
    problem: String,
    limit: u32,
}

/// The stored text of a field, with its column name.
#[derive(Debug, Serialize)]
pub(super) struct StoredContext {
    pub expression: Expr,
    pub name: String,
}

#[derive(Debug, Serialize)]
pub(super) struct ProblemContext {
    /// True for every valid row.
    pub condition: Expr,
    /// The problem of the other rows, as a literal.
    pub text: String,
}

impl From<&RowCheck> for ProblemContext {
    fn from(check: &RowCheck) -> Self {
        ProblemContext { condition: check.condition.clone(), text: check.problem() }
    }
}

/// The comment above the statement. `schema` is the name of the schema.
pub fn header(schema: &str, options: &LoadOptions) -> Vec<CommentLine> {
    let mut header = vec![CommentLine::new(&format!("saltplan load {schema} (from {})", options.from))];
    if options.list_faults.is_none() {
        header.push(CommentLine::new(
            "a row that violates the declaration of the key fails the statement: HBase row key cannot be NULL",
        ));
    }
    header
}

/// The warning for a load, if there is one.
pub fn warning(schema: &Schema, options: &LoadOptions) -> Option<Warning> {
    let is_random = schema.key.salt.as_ref().is_some_and(|salt| {
        // A salt whose rule is not known is refused.
        salt.is_random() && !matches!(salt.scheme, SaltScheme::Unknown(_))
    });
    (options.list_faults.is_none() && is_random).then_some(Warning::RandomSalt)
}

/// Prints the INSERT that writes the rows of a Hive table to HBase, or the query that lists the rows for which it would fail.
///
/// # Errors
/// A [`Refusal`] when Hive cannot build the row key, or a fault of a template.
pub fn render(schema: &Schema, options: &LoadOptions, templates: &Templates) -> Result<String, RenderError> {
    check_text_layout(schema)?;
    let mapping = mapping_of(schema)?;
    check_mapped_columns(schema)?;
    let fields = &schema.key.fields;
    if let Some(field) = fields.iter().find(|field| !field.kind.is_text_in_key()) {
        return Err(Refusal::BinarySaltInput { field: field.name.clone() }.into());
    }
    let names = aliases(schema);
    let salt = schema.key.salt.as_ref().map(|salt| salt::salt(schema, salt, &names)).transpose()?;
    let mut checks: Vec<RowCheck> =
        fields.iter().zip(&names).flat_map(|(field, name)| field::checks(field, name)).collect();
    checks.extend(salt.iter().flat_map(|salt| salt.exact_if.iter().cloned()));
    let stored = fields.entries().map(|(id, field)| StoredContext {
        expression: field::stored_text(schema, id, &Expr::column(&field.name)),
        name: names[id].to_string(),
    });
    let source_only = fields.iter().filter(|field| schema.column(&field.name).is_none());
    let context = LoadContext {
        settings: [ROW_BY_ROW],
        header: options.header.clone(),
        mapping: table_name(&mapping.table),
        from: table_name(&options.from),
        key: identifier(&mapping.key_column),
        row_key: row_key(schema, salt.as_ref(), &names)?,
        columns: schema.columns.iter().map(|column| identifier(&column.name)).collect(),
        fields: source_only.map(|field| identifier(&field.name)).collect(),
        stored: stored.collect(),
        problems: checks.iter().map(ProblemContext::from).collect(),
        problem: identifier(&alias(schema, "problem")),
        limit: options.list_faults.unwrap_or(0),
    };
    let template = if options.list_faults.is_some() { "hive/load_faults.sql" } else { "hive/load.sql" };
    Ok(templates.render(template, &context)?)
}

fn row_key(schema: &Schema, salt: Option<&HiveSalt>, names: &FieldVec<Expr>) -> Result<Expr, Refusal> {
    let key = &schema.key;
    let mut parts = Vec::new();
    if let (Some(scheme), Some(salt)) = (&key.salt, salt) {
        parts.push(salt.expression.clone());
        parts.extend(separator(&scheme.separator)?);
    }
    for id in key.stored() {
        parts.push(names[id].clone());
        parts.extend(separator(&key.fields[id].separator)?);
    }
    Ok(Expr::concatenated(parts))
}

/// Columns for the stored texts of all fields, with names that no other column has.
pub(super) fn aliases(schema: &Schema) -> FieldVec<Expr> {
    let name = |field: &Field| Expr::column(alias(schema, &format!("stored_{}", field.name)));
    schema.key.fields.iter().map(name).collect()
}

/// A name that no column and no key field has.
pub(super) fn alias(schema: &Schema, name: &str) -> String {
    let key_column = schema.mapping().map(|mapping| &mapping.key_column);
    let mut name = name.to_string();
    while schema.column(&name).is_some()
        || schema.field(&name).is_some()
        || key_column.is_some_and(|column| column.eq_ignore_ascii_case(&name))
    {
        name.push('_');
    }
    name
}

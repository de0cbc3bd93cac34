//! The write side: Hive builds the row keys itself.
//!
//! A row is written with the key that [`RowCodec`](crate::row::RowCodec) computes for it, or not at all. Every field is first checked
//! against its declaration; a row with a problem gets a NULL key, for which HBase's handler fails the statement.

use serde::Serialize;

use crate::hive::field::{self, RowCheck};
use crate::hive::salt::{self, HiveSalt, check_text_layout, separator};
use crate::hive::text::{row_by_row, table_name};
use crate::key::field::{Field, FieldVec};
use crate::key::salt::SaltScheme;
use crate::refusal::Refusal;
use crate::render::statements::Script;
use crate::render::templates::Templates;
use crate::render::{CommentLine, RenderError, check_mapped_columns, mapping_of};
use crate::schema::model::{HiveTableName, Schema};
use crate::warning::Warning;
use saltplan_sql::ast::Expr;
use saltplan_sql::build::Case;
use saltplan_sql::functions::COALESCE;
use saltplan_sql::statement::{
    Destination, Identifier, Insert, Item, Query, Relation, Select, Setting, Statement, TableName,
};

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
    /// The SETs.
    settings: [Setting; 1],
    mapping: TableName,
    from: TableName,
    key: Identifier,
    row_key: Expr,
    columns: Vec<Identifier>,
    /// Source columns of the key fields.
    fields: Vec<Identifier>,
    stored: Vec<StoredContext>,
    problems: Vec<ProblemContext>,
    problem: Identifier,
    limit: u32,
}

impl LoadContext {
    /// The INSERT. A row with a problem gets a NULL key, which HBase refuses: the statement fails, and no wrong key is written.
    fn load(&self) -> Statement {
        let key = Case::when(&self.problem.column().is_null(), &self.row_key).or_null();
        let key = Item::Value { value: key, name: Some(self.key.clone()) };
        let items: Vec<Item> = [key].into_iter().chain(plain(&self.columns)).collect();
        let rows = checked_rows(&self.from, &self.columns, &self.stored, &self.problems, &self.problem);
        Statement::Insert(Insert {
            destination: Destination { table: self.mapping.clone(), partition: None, into: true },
            query: Select::new(items, rows).in_lines().into(),
        })
    }

    /// The query of rows with a problem.
    fn faults(&self) -> Statement {
        let source: Vec<Identifier> = self.fields.iter().chain(&self.columns).cloned().collect();
        let items: Vec<Item> = plain(std::slice::from_ref(&self.problem)).chain(plain(&source)).collect();
        let rows = checked_rows(&self.from, &source, &self.stored, &self.problems, &self.problem);
        Statement::Query(with_problems(items, rows, &self.problem, self.limit))
    }
}

/// Columns as items of a select list.
pub(super) fn plain(columns: &[Identifier]) -> impl Iterator<Item = Item> {
    columns.iter().map(|column| Item::plain(column.column()))
}

/// The rows of a table with the stored texts of their key fields, and the first thing that is wrong with each.
pub(super) fn checked_rows(
    table: &TableName,
    columns: &[Identifier],
    stored: &[StoredContext],
    problems: &[ProblemContext],
    problem: &Identifier,
) -> Relation {
    let stored = stored.iter().map(|stored| Item::named(stored.expression.clone(), &stored.name.0));
    let stored: Vec<Item> = plain(columns).chain(stored).collect();
    let stored = Select::new(stored, Relation::Table(table.clone()));
    let is_wrong =
        |one: &ProblemContext| Expr::call(&COALESCE, [one.condition.clone(), Expr::truth(false)]).negated();
    let whens: Vec<(Expr, &Expr)> = problems.iter().map(|one| (is_wrong(one), &one.text)).collect();
    let first = Case::of_all(whens.iter().map(|(is_wrong, text)| (is_wrong, *text))).or_null();
    let first = Item::named(first, &problem.0);
    let checked = Select::new([Item::All, first], Relation::query(stored, "stored_rows"));
    Relation::query(checked, "checked_rows")
}

/// The query of the rows with a problem.
pub(super) fn with_problems(items: Vec<Item>, rows: Relation, problem: &Identifier, limit: u32) -> Query {
    let select = Select::new(items, rows).filtered(problem.column().is_not_null());
    Select { limit: Some(limit), ..select }.into()
}

/// The stored text of a field, with its column name.
#[derive(Debug, Serialize)]
pub(super) struct StoredContext {
    pub expression: Expr,
    pub name: Identifier,
}

#[derive(Debug, Serialize)]
pub(super) struct ProblemContext {
    /// True for every valid row.
    pub condition: Expr,
    /// The problem of the other rows, as a literal.
    pub text: Expr,
}

impl From<&RowCheck> for ProblemContext {
    fn from(check: &RowCheck) -> Self {
        ProblemContext { condition: check.condition.clone(), text: Expr::text(check.problem()) }
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
    // The row key has the hash itself, not what a source may have.
    let given = || fields.entries().filter(|(id, _)| !schema.key.hashed.contains_key(id));
    let mut parts = names.clone();
    let mut checks: Vec<RowCheck> =
        given().flat_map(|(id, field)| field::checks(field, &names[id])).collect();
    for (id, hash) in &schema.key.hashed {
        let HiveSalt { expression, exact_if } = salt::hash_in_field(schema, *id, hash, &names)?;
        parts[*id] = expression;
        checks.extend(exact_if);
    }
    let salt = schema.key.salt.as_ref().map(|salt| salt::salt(schema, salt, &parts)).transpose()?;
    checks.extend(salt.iter().flat_map(|salt| salt.exact_if.iter().cloned()));
    let stored = given().map(|(id, field)| StoredContext {
        expression: field::stored_text(schema, id, &Expr::column(&field.name)),
        name: stored_name(schema, field),
    });
    let source_only = given().map(|(_, field)| field).filter(|field| schema.column(&field.name).is_none());
    let context = LoadContext {
        settings: [row_by_row()],
        header: options.header.clone(),
        mapping: table_name(&mapping.table),
        from: table_name(&options.from),
        key: Identifier::new(&mapping.key_column),
        row_key: row_key(schema, salt.as_ref(), &parts)?,
        columns: schema.columns.iter().map(|column| Identifier::new(&column.name)).collect(),
        fields: source_only.map(|field| Identifier::new(&field.name)).collect(),
        stored: stored.collect(),
        problems: checks.iter().map(ProblemContext::from).collect(),
        problem: Identifier::new(alias(schema, "problem")),
        limit: options.list_faults.unwrap_or(0),
    };
    let (template, statement) = match options.list_faults {
        Some(_) => ("hive/load_faults.sql", context.faults()),
        None => ("hive/load.sql", context.load()),
    };
    let set = context.settings.iter().cloned().map(Statement::Set);
    let statements: Vec<Statement> = set.chain([statement]).collect();
    Script { template, header: &context.header, statements: &statements }.print(&context, templates)
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
    schema.key.fields.iter().map(|field| stored_name(schema, field).column()).collect()
}

/// The name of the column for the stored text of a field.
pub(super) fn stored_name(schema: &Schema, field: &Field) -> Identifier {
    Identifier::new(alias(schema, &format!("stored_{}", field.name)))
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

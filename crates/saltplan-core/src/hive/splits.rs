//! The query that finds split keys for a table too big to be sorted on one machine.

use serde::Serialize;

use crate::hive::text::{row_by_row, table_name};
use crate::key::field::{Field, FieldKind, FieldVec};
use crate::key::salt::{Salt, SaltDomain, SaltWrite};
use crate::refusal::Refusal;
use crate::render::statements::Script;
use crate::render::templates::Templates;
use crate::render::{CommentLine, RenderError};
use crate::schema::model::{HiveTableName, Schema};
use saltplan_sql::ast::{BinaryOperator, Expr, Type};
use saltplan_sql::functions::{CONV, HEX, MD5, MIN, NTILE};
use saltplan_sql::statement::{Identifier, Item, Query, Relation, Select, Setting, Statement, TableName};

/// Which split keys to look for.
#[derive(Debug, Clone)]
pub struct SplitQuery<'a> {
    pub regions: u32,
    /// One in this many keys is sorted; 1 sorts all of them.
    pub one_in: u32,
    /// A table with the keys; the mapping table when absent.
    pub table: Option<HiveTableName>,
    /// The column of the keys in that table.
    pub key_column: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct SplitContext {
    header: Vec<CommentLine>,
    /// The SETs.
    settings: [Setting; 1],
    table: TableName,
    key: Expr,
    /// Absent when every key is sorted.
    sample: Option<Expr>,
    regions: u32,
}

impl SplitContext {
    /// The query. `ntile` cuts the sorted keys into parts of equal size; the first key of every part but the first is a split key.
    fn query(&self) -> Query {
        let [key, region] = ["split_key", "region"].map(Expr::column);
        let keys =
            Select::new([Item::named(self.key.clone(), "split_key")], Relation::Table(self.table.clone()));
        let sampled = self.sample.iter().cloned().fold(keys, Select::filtered);
        let part = Item::Window {
            function: Expr::call(&NTILE, [Expr::number(self.regions)]),
            order_by: Some(key.clone()),
            name: Identifier::new("region"),
        };
        let sorted = Select::new([Item::plain(key.clone()), part], Relation::query(sampled, "sampled"));
        let first = Item::named(Expr::call(&MIN, [key.clone()]), "split_key");
        let select = Select::new([first], Relation::query(sorted, "sorted"))
            .filtered(region.binary(BinaryOperator::Gt, &1.into()));
        Select { group_by: Some(region), order_by: Some(key), ..select }.into()
    }
}

/// Prints the query. Its result is one split key a row, in hex where keys hold binary parts.
///
/// # Errors
/// The schema has no mapping table and no other table is named, or a fault of a template.
pub fn render(schema: &Schema, query: &SplitQuery<'_>, templates: &Templates) -> Result<String, RenderError> {
    if query.regions < 2 {
        return Err(Refusal::OneRegion.into());
    }
    let mapping = schema.mapping();
    let table = query.table.as_ref().or(mapping.map(|mapping| &mapping.table)).ok_or(Refusal::NoMapping)?;
    let column =
        query.key_column.or(mapping.map(|mapping| mapping.key_column.as_str())).ok_or(Refusal::NoMapping)?;
    let column = Expr::column(column);
    let is_plain = is_plain_text(schema);
    let key = if is_plain { column.clone() } else { Expr::call(&HEX, [column.clone()]) };
    // A digest of the key is independent of the order of keys, and gives the same sample every time.
    let sample = (query.one_in > 1).then(|| {
        let digits = Expr::call(&MD5, [column.clone()]).substr(1, 8);
        let number = Expr::call(&CONV, [digits, 16.into(), 10.into()]).cast(Type::BigInt);
        let remainder = number.binary(BinaryOperator::Modulo, &Expr::number(query.one_in));
        remainder.binary(BinaryOperator::Eq, &0.into())
    });
    let read_back = if is_plain { "" } else { " --key-form hex" };
    let context = SplitContext {
        settings: [row_by_row()],
        header: vec![
            CommentLine::new(&match query.one_in {
                1 => format!("split keys of {} regions with equal numbers of rows", query.regions),
                share => format!("split keys of {} regions, from one in {share} keys", query.regions),
            }),
            CommentLine::new(&format!("read the result with: saltplan splits --from-splits FILE{read_back}")),
        ],
        table: table_name(table),
        key,
        sample,
        regions: query.regions,
    };
    let set = context.settings.iter().cloned().map(Statement::Set);
    let statements: Vec<Statement> = set.chain([Statement::Query(context.query())]).collect();
    Script { template: "hive/splits.sql", header: &context.header, statements: &statements }
        .print(&context, templates)
}

/// Whether a client's output shows every row key as it is: keys are text on one line, without a backslash, which begins `\xNN`.
fn is_plain_text(schema: &Schema) -> bool {
    let key = &schema.key;
    let salt_is_plain = key.salt.as_ref().is_none_or(|salt| {
        let is_text = !salt.write.is_binary() && std::str::from_utf8(&salt.separator).is_ok();
        is_text && (salt.write != SaltWrite::Text || text_is_plain(salt, &key.fields))
    });
    salt_is_plain
        && key.stored().all(|index| {
            let field = &key.fields[index];
            let is_plain = match &field.kind {
                FieldKind::Text(text) => NOT_PLAIN.iter().all(|c| !text.chars.contains(*c)),
                kind => kind.is_text_in_key(),
            };
            is_plain && std::str::from_utf8(&field.separator).is_ok()
        })
}

/// Characters that end a line or a cell, or begin `\xNN`.
const NOT_PLAIN: [char; 4] = ['\\', '\n', '\r', '\t'];

/// Whether a salt that is text is shown as it is.
fn text_is_plain(salt: &Salt, fields: &FieldVec<Field>) -> bool {
    match salt.domain(fields) {
        SaltDomain::Listed(salts) => {
            salts.iter().all(|salt| !String::from_utf8_lossy(salt).contains(NOT_PLAIN.as_slice()))
        }
        // There are too many salts to list, so the characters of their inputs are checked.
        SaltDomain::TooMany { .. } => {
            salt.inputs(fields).iter().all(|input| match &fields[input.field].kind {
                FieldKind::Text(text) => NOT_PLAIN.iter().all(|c| !text.chars.contains(*c)),
                _ => false,
            })
        }
    }
}

//! The query that counts the rows of a real table by region.

use serde::Serialize;

use crate::hive::text::{hex_digits, row_by_row, table_name};
use crate::refusal::Refusal;
use crate::render::statements::Script;
use crate::render::templates::Templates;
use crate::render::{CommentLine, RenderError};
use crate::schema::model::{HiveTableName, Schema};
use saltplan_sql::ast::{BinaryOperator, Call, CallForm, Expr, Type};
use saltplan_sql::build::Case;
use saltplan_sql::functions::{COUNT, HEX, MAX, MIN, SUM};
use saltplan_sql::statement::{Item, Query, Relation, Select, Setting, Statement, TableName};

/// The name of the empty start row of the first region in the result.
pub const FIRST_REGION: &str = "-";

/// The maximum number of regions: for each row, a CASE compares the key with one start row after the other.
const MAX_REGIONS: usize = 2_000;

/// What to count.
#[derive(Debug, Clone)]
pub struct CountQuery<'a> {
    /// The split keys in byte order.
    pub split_keys: &'a [Vec<u8>],
    /// A table with the keys; the mapping table when absent.
    pub table: Option<HiveTableName>,
    /// The column of the keys in that table.
    pub key_column: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct CountContext {
    header: Vec<CommentLine>,
    settings: [Setting; 1],
    table: TableName,
    key: Expr,
    /// Start rows as literals in hex, the last region first.
    starts: Vec<Expr>,
    first: Expr,
}

impl CountContext {
    /// The query. Regions without rows are missing in the result, and count as empty when it is read.
    fn query(&self) -> Query {
        let [key_hex, start_row, key_length] = ["key_hex", "start_row", "key_length"].map(Expr::column);
        let keys =
            Select::new([Item::named(self.key.clone(), "key_hex")], Relation::Table(self.table.clone()));
        let is_from = |start: &Expr| key_hex.binary(BinaryOperator::GtEq, start);
        let region = match self.starts.is_empty() {
            true => self.first.clone(),
            false => {
                let whens: Vec<(Expr, &Expr)> =
                    self.starts.iter().map(|start| (is_from(start), start)).collect();
                Case::of_all(whens.iter().map(|(is_from, start)| (is_from, *start))).or_else(&self.first)
            }
        };
        let bytes = key_hex.length().binary(BinaryOperator::Divide, &2.into()).cast(Type::BigInt);
        let located = [Item::named(region, "start_row"), Item::named(bytes, "key_length")];
        let located = Select::new(located, Relation::query(keys, "keys")).in_lines();
        let of_length = |function, name: &str| Item::named(Expr::call(function, [key_length.clone()]), name);
        let items = [
            Item::plain(start_row.clone()),
            Item::named(Expr::Opaque(Call::in_form(&COUNT, Vec::new(), CallForm::Star)), "row_count"),
            of_length(&MIN, "shortest"),
            of_length(&SUM, "key_bytes"),
            of_length(&MAX, "longest"),
        ];
        let select = Select::new(items, Relation::query(located, "located")).in_lines();
        Select { group_by: Some(start_row.clone()), order_by: Some(start_row), ..select }.into()
    }
}

/// Prints the query. It compares keys and start rows as hex digits, which sort like the bytes, so keys may contain any bytes.
///
/// # Errors
/// The schema has no mapping table and no other table is named, there are too many regions, or a fault of a template.
pub fn render(schema: &Schema, query: &CountQuery<'_>, templates: &Templates) -> Result<String, RenderError> {
    let mapping = schema.mapping();
    let table = query.table.as_ref().or(mapping.map(|mapping| &mapping.table)).ok_or(Refusal::NoMapping)?;
    let column =
        query.key_column.or(mapping.map(|mapping| mapping.key_column.as_str())).ok_or(Refusal::NoMapping)?;
    let regions = query.split_keys.len() + 1;
    if regions > MAX_REGIONS {
        return Err(Refusal::TooManyRegions { regions }.into());
    }
    let context = CountContext {
        header: vec![
            CommentLine::new(&format!("rows per region of {regions} regions (reads the whole table)")),
            CommentLine::new("read the result with: saltplan simulate SCHEMA --from-counts FILE"),
        ],
        settings: [row_by_row()],
        table: table_name(table),
        key: Expr::call(&HEX, [Expr::column(column)]),
        starts: query.split_keys.iter().rev().map(|key| Expr::text(hex_digits(key))).collect(),
        first: Expr::text(FIRST_REGION),
    };
    let set = context.settings.iter().cloned().map(Statement::Set);
    let statements: Vec<Statement> = set.chain([Statement::Query(context.query())]).collect();
    Script { template: "hive/counts.sql", header: &context.header, statements: &statements }
        .print(&context, templates)
}

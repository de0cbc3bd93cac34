//! The query that counts the rows of a real table by region.

use serde::Serialize;

use crate::hive::text::{ROW_BY_ROW, hex_digits, table_name};
use crate::refusal::Refusal;
use crate::render::templates::Templates;
use crate::render::{CommentLine, RenderError};
use crate::schema::model::{HiveTableName, Schema};
use saltplan_sql::ast::Expr;
use saltplan_sql::functions::HEX;
use saltplan_sql::literal;

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
    /// Its column with the keys.
    pub key_column: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct CountContext {
    header: Vec<CommentLine>,
    settings: [&'static str; 1],
    table: String,
    key: String,
    /// Start rows as literals in hex, the last region first.
    starts: Vec<String>,
    first: String,
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
        settings: [ROW_BY_ROW],
        table: table_name(table),
        key: Expr::call(&HEX, [Expr::column(column)]).to_string(),
        starts: query.split_keys.iter().rev().map(|key| literal(&hex_digits(key))).collect(),
        first: literal(FIRST_REGION),
    };
    Ok(templates.render("hive/counts.sql", &context)?)
}

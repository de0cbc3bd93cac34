//! `columns:`, the columns that are not in the row key.

use super::value::{hive_name, hive_type};
use super::{NameFault, names};
use crate::key::id::{IdVec, id};
use saltplan_document::diag::Spanned;
use saltplan_document::format::{Choice, Text, ValueType, word};
use saltplan_document::names::Names;
use saltplan_document::reader::{FileValue, Reader};
use saltplan_document::{from_file, mapping};
use saltplan_sql::hive_type::{DeclaredType, HiveType, Type};

id! {
    /// The position of a column among those that are not part of the row key.
    ColumnId
}

#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    pub hive_type: DeclaredType,
    pub family: String,
    pub qualifier: String,
    pub encoding: CellEncoding,
}

/// What the cells of a column contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellEncoding {
    /// The text of a value.
    Text,
    /// The bytes that HBase's `Bytes.toBytes` makes of a number or a boolean.
    BigEndian,
}

impl Column {
    /// The storage type in `hbase.columns.mapping`. Without `#b` a `binary` column is read and written as
    /// Base64.
    pub fn storage_type(&self) -> &'static str {
        let is_binary = self.hive_type == Type::Binary;
        if is_binary || self.encoding == CellEncoding::BigEndian { "#b" } else { "" }
    }
}

pub static ENCODINGS: Choice<CellEncoding> = Choice(&[
    word("text", CellEncoding::Text, "the text of the value"),
    word("be", CellEncoding::BigEndian, "the bytes of HBase's `Bytes.toBytes`, for numbers and `boolean`"),
]);
from_file! { word: CellEncoding; }

mapping! {
    /// A column.
    #[derive(Debug)]
    pub parts struct ColumnKeys {
        /// Name of the column in Hive and in predicates.
        name: Spanned<String> = NAME, required("name", ValueType::Text(Text::Name), "…") by hive_name;
        /// Hive type, such as string or decimal(18,2).
        hive_type: DeclaredType = TYPE, required("type", ValueType::Text(Text::HiveType), "string") by hive_type;
        /// HBase column, `'family:qualifier'`.
        hbase: Spanned<String> = HBASE, required("hbase", ValueType::Text(Text::Cell), "'family:qualifier'");
        /// What the cells hold; `ddl` declares `be` with `#b`.
        encoding: Spanned<CellEncoding> = ENCODING, default("encoding", ValueType::Words(&ENCODINGS), "text");
    }
}

/// The columns that could be read, and the names of all columns.
pub(crate) struct ReadColumns {
    pub columns: IdVec<ColumnId, Column>,
    pub names: Names<ColumnId>,
}

pub(super) fn columns(
    reader: &mut Reader<'_>,
    value: Option<&FileValue<'_>>,
    families: &Names<()>,
) -> ReadColumns {
    let mut columns = ReadColumns { columns: IdVec::new(), names: Names::new("column") };
    let Some(value) = value else { return columns };
    let Some(items) = value.items(reader) else {
        columns.names.add_nameless();
        return columns;
    };
    let limit = value.limit();
    if let Some(item) = items.get(limit) {
        let message = format!("{} columns, the limit is {limit}", items.len());
        reader.error(item.span(), message, "the first one too many", "omit columns that no query reads");
    }
    for item in items.iter().take(limit) {
        let mut name = None;
        let column = column(reader, item, families, &mut name);
        let id = column.map(|column| columns.columns.push(column));
        columns.names.add(reader, name, id, item.span());
    }
    columns
}

/// Reads a column; registers its name even if the rest is wrong.
fn column(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    families: &Names<()>,
    name_found: &mut Option<Spanned<String>>,
) -> Option<Column> {
    value.mapping(reader, |reader, fields| {
        let ColumnKeys { name, hive_type, hbase, encoding } = ColumnKeys::parts(reader, fields);
        *name_found = name.clone();
        let place = hbase.and_then(|text| cell(reader, &text, hive_type.as_ref(), families));
        let encoding = checked_encoding(reader, encoding?, hive_type.as_ref())?;
        let ((family, qualifier), name) = (place?, name?);
        Some(Column { name: name.value, hive_type: hive_type?, family, qualifier, encoding })
    })
}

fn checked_encoding(
    reader: &mut Reader<'_>,
    encoding: Spanned<CellEncoding>,
    hive_type: Option<&DeclaredType>,
) -> Option<CellEncoding> {
    if encoding.value == CellEncoding::BigEndian
        && let Some(hive_type) = hive_type.filter(|hive_type| !hive_type.has_bytes())
    {
        return reader.reject(
            encoding.span,
            format!("`encoding: be` with the type `{hive_type}`"),
            "Hive reads no such bytes",
            "write `tinyint`, `smallint`, `int`, `bigint`, `float`, `double` or `boolean`; `binary` takes the bytes as they are",
        );
    }
    Some(encoding.value)
}

/// `family:qualifier`.
fn cell(
    reader: &mut Reader<'_>,
    text: &Spanned<String>,
    hive_type: Option<&DeclaredType>,
    families: &Names<()>,
) -> Option<(String, String)> {
    let split = |text: &str| split_cell(text, hive_type);
    let (family, qualifier) = reader.parsed(text, split, "an HBase column", "write `'family:qualifier'`")?;
    families.resolve(reader, &Spanned::new(family.clone(), text.span))?;
    Some((family, qualifier))
}

/// Why a text is not an HBase column.
#[derive(Debug, thiserror::Error)]
enum CellFault {
    #[error("has no qualifier")]
    NoQualifier,
    #[error("the family: {0}")]
    Family(NameFault),
    #[error(transparent)]
    Qualifier(#[from] NameFault),
    #[error("maps many columns, which Hive reads only as a `map<string,…>`")]
    ManyColumns,
}

fn split_cell(text: &str, hive_type: Option<&DeclaredType>) -> Result<(String, String), CellFault> {
    let (family, qualifier) = text.split_once(':').ok_or(CellFault::NoQualifier)?;
    names::hbase_family(family).map_err(CellFault::Family)?;
    names::hbase_column_qualifier(qualifier)?;
    // Hive reads a family without a qualifier, and a qualifier that ends with `.*`, as a map of many columns.
    let many = qualifier.is_empty() || qualifier.ends_with(".*");
    if many && hive_type.is_some_and(|hive_type| !matches!(**hive_type, HiveType::Map(..))) {
        return Err(CellFault::ManyColumns);
    }
    Ok((family.to_string(), qualifier.to_string()))
}

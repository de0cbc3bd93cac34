//! Reads `columns:`, the columns that are not in the row key.

use super::value::{hive_name, hive_type};
use crate::diag::Spanned;
use crate::document::names::Names;
use crate::document::reader::{FileValue, Reader};
use crate::document::wording::excerpt;
use crate::key::id::IdVec;
use crate::schema::format::hive::column as format;
use crate::schema::model::{CellEncoding, Column, ColumnId};
use crate::schema::{NameFault, hive_type as types, names};

/// The columns that could be read, and the names of all columns.
pub(crate) struct ReadColumns {
    pub columns: IdVec<ColumnId, Column>,
    pub names: Names<ColumnId>,
}

pub fn columns(reader: &mut Reader<'_>, value: Option<&FileValue<'_>>, families: &Names<()>) -> ReadColumns {
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
        let name = fields.get(&format::NAME);
        let hive = fields.get(&format::TYPE);
        let hbase = fields.get(&format::HBASE);
        let encoding = fields.get(&format::ENCODING);
        let name = name.and_then(|value| hive_name(reader, &value));
        *name_found = name.clone();
        let hive_type = hive.and_then(|value| hive_type(reader, &value));
        let place = hbase.and_then(|value| cell(reader, &value, hive_type.as_deref(), families));
        let encoding = match encoding {
            Some(value) => encoding_of(reader, &value, hive_type.as_deref())?,
            None => CellEncoding::Text,
        };
        let ((family, qualifier), name) = (place?, name?);
        Some(Column { name: name.value, hive_type: hive_type?, family, qualifier, encoding })
    })
}

fn encoding_of(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    hive_type: Option<&str>,
) -> Option<CellEncoding> {
    let encoding = value.word(reader, &format::ENCODINGS)?;
    let has_bytes = hive_type.and_then(|text| types::parse(text).ok()).is_none_or(types::HiveType::has_bytes);
    if encoding == CellEncoding::BigEndian && !has_bytes {
        let hive_type = hive_type.unwrap_or_default();
        reader.error(
            value.span(),
            format!("`encoding: be` with the type `{hive_type}`"),
            "Hive reads no such bytes",
            "write `tinyint`, `smallint`, `int`, `bigint`, `float`, `double` or `boolean`; `binary` takes the bytes as they are",
        );
        return None;
    }
    Some(encoding)
}

/// `family:qualifier`.
fn cell(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    hive_type: Option<&str>,
    families: &Names<()>,
) -> Option<(String, String)> {
    let text = value.text(reader)?;
    match split_cell(&text.value, hive_type) {
        Ok((family, qualifier)) => {
            families.resolve_exactly(reader, &Spanned::new(family.clone(), text.span))?;
            Some((family, qualifier))
        }
        Err(reason) => {
            let message = format!("`{}` is not an HBase column", excerpt(&text.value));
            reader.error(text.span, message, reason.to_string(), "write `'family:qualifier'`");
            None
        }
    }
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

fn split_cell(text: &str, hive_type: Option<&str>) -> Result<(String, String), CellFault> {
    let (family, qualifier) = text.split_once(':').ok_or(CellFault::NoQualifier)?;
    names::hbase_family(family).map_err(CellFault::Family)?;
    names::hbase_column_qualifier(qualifier)?;
    // Hive reads a family without a qualifier, and a qualifier that ends with `.*`, as a map of many columns.
    let many = qualifier.is_empty() || qualifier.ends_with(".*");
    if many && hive_type.is_some_and(|hive_type| !types::is_map(hive_type)) {
        return Err(CellFault::ManyColumns);
    }
    Ok((family.to_string(), qualifier.to_string()))
}

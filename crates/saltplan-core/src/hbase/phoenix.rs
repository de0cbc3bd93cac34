//! A view of Apache Phoenix over the HBase table, where the row key is laid out as Phoenix does it.
//!
//! Phoenix's salt is one byte, `abs(hash % n)` of `Arrays.hashCode` of the following bytes (`SaltingUtil`). Numbers have
//! fixed width and sort as numbers, `DESC` inverts all bytes (`PDataType`), and a text of variable length ends with a zero
//! byte unless it is the last column (`PTableImpl.newKey`).

use std::fmt::Write as _;

use crate::key::field::{EpochUnit, Field, FieldKind, TextField};
use crate::key::number::{NumberEncoding, NumberForm};
use crate::key::salt::{Abs, Hash, Reduction, Salt, SaltInputs, SaltScheme, SaltWrite};
use crate::key::text_form::TextLayout;
use crate::refusal::Refusal;
use crate::render::RenderError;
use crate::schema::model::{CellEncoding, Column, Schema};
use saltplan_sql::hive_type::Type;

/// Phoenix's greatest number of salts.
const MAX_BUCKETS: i32 = 256;

/// A column of the key.
struct KeyColumn {
    of_type: String,
    descending: bool,
}

/// `CREATE VIEW`. It changes nothing in HBase.
///
/// # Errors
/// Phoenix would read other values from the row keys.
pub fn view(schema: &Schema) -> Result<String, RenderError> {
    let refused = |reason: String| RenderError::from(Refusal::NotPhoenix { reason });
    let buckets = schema.key.salt.as_ref().map(buckets).transpose().map_err(refused)?;
    let stored: Vec<&Field> = schema.key.fields.iter().filter(|field| field.stored).collect();
    let mut lines = Vec::new();
    let mut key = Vec::new();
    for (place, field) in stored.iter().enumerate() {
        let column = key_column(field, place + 1 == stored.len())
            .map_err(|reason| refused(format!("`{}` {reason}", field.name)))?;
        let name = quoted(&upper(&field.name));
        let may_be_null = field.kind.is_nullable();
        if may_be_null
            && place + 1 == stored.len()
            && stored[..place].last().is_some_and(|before| !before.separator.is_empty())
        {
            return Err(refused(format!(
                "`{}` may be NULL at the end of the key, and Phoenix then leaves out the zero byte before it",
                field.name
            )));
        }
        lines.push(format!("{name} {}{}", column.of_type, if may_be_null { "" } else { " NOT NULL" }));
        key.push(format!("{name}{}", if column.descending { " DESC" } else { "" }));
    }
    for column in &schema.columns {
        let name = format!("{}.{}", quoted(&column.family), quoted(&column.qualifier));
        let of_type =
            cell_type(column).map_err(|reason| refused(format!("the column `{}` {reason}", column.name)))?;
        lines.push(format!("{name} {of_type}"));
    }
    let (schema_name, name, remark) = match &schema.hbase.namespace {
        Some(namespace) => (
            Some(namespace.as_str()),
            schema.hbase.qualifier.as_str(),
            "-- Needs phoenix.schema.isNamespaceMappingEnabled: the table is in a namespace of HBase.\n",
        ),
        // Without it Phoenix joins both names by a dot.
        None => match schema.hbase.qualifier.split_once('.') {
            Some((schema_name, name)) => (Some(schema_name), name, ""),
            None => (None, schema.hbase.qualifier.as_str(), ""),
        },
    };
    let table = schema_name.into_iter().chain([name]).map(quoted).collect::<Vec<_>>().join(".");
    let mut text = format!("{remark}CREATE VIEW IF NOT EXISTS {table} (\n  {}\n", lines.join(",\n  "));
    let _ = write!(text, "  CONSTRAINT \"PK\" PRIMARY KEY ({})\n)", key.join(", "));
    if let Some(buckets) = buckets {
        let _ = write!(text, " SALT_BUCKETS = {buckets}");
    }
    text.push_str(";\n");
    Ok(text)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Names of the key are not stored. Phoenix writes them in capitals, so that queries need no quotes.
fn upper(name: &str) -> String {
    if name == name.to_lowercase() { name.to_uppercase() } else { name.to_string() }
}

/// Phoenix's number of salts.
fn buckets(salt: &Salt) -> Result<i32, String> {
    let hash = match &salt.scheme {
        SaltScheme::Hash(hash) if hash.hash == Hash::BytesCode && hash.charset.is_none() => hash,
        scheme => return Err(format!("the salt is `{}`, but Phoenix's is `bytes_hash`", scheme.name())),
    };
    let Some((by, Abs::After)) = hash.take.reduction().and_then(Reduction::signed_modulo) else {
        return Err("Phoenix's salt has `abs: after` and `modulo`".to_string());
    };
    if hash.of != SaltInputs::Key || hash.seed != 1 {
        return Err("Phoenix's salt is computed from the whole key: `of: key`, with the seed 1".to_string());
    }
    let is_one_byte = salt.write == (SaltWrite::BigEndian { bytes: 1 }) && salt.behind.is_empty();
    if !is_one_byte || !salt.separator.is_empty() || by > MAX_BUCKETS {
        return Err("Phoenix's salt is one byte without a separator, of at most 256 salts".to_string());
    }
    Ok(by)
}

/// The type in the key, or why Phoenix would read something else.
fn key_column(field: &Field, is_last: bool) -> Result<KeyColumn, String> {
    let fixed = |of_type: String, descending: bool| match field.separator.is_empty() {
        true => Ok(KeyColumn { of_type, descending }),
        false => {
            Err("has a fixed width and a separator, but Phoenix writes no separator after it".to_string())
        }
    };
    let text = |width: Option<usize>| match width {
        Some(width) => fixed(format!("CHAR({width})"), false),
        None if is_last && !field.separator.is_empty() => {
            Err("ends with a zero byte, which Phoenix does not write at the end of a key".to_string())
        }
        None if is_last || field.separator == [0] => {
            Ok(KeyColumn { of_type: "VARCHAR".to_string(), descending: false })
        }
        None => {
            Err("has no zero byte after it (`then: '\\x00'`), which ends a VARCHAR in Phoenix".to_string())
        }
    };
    match &field.kind {
        FieldKind::Text(form) if form.reverse => {
            Err("is stored in reverse order, which Phoenix does not have".to_string())
        }
        FieldKind::Text(TextField { width, form, .. }) => match form.layout {
            TextLayout::Plain if form.descending => fixed(format!("CHAR({})", width.unwrap_or(1)), true),
            TextLayout::Plain => text(*width),
            TextLayout::Padded { width, byte: b' ' } => fixed(format!("CHAR({width})"), form.descending),
            TextLayout::Padded { .. } => {
                Err("is padded with zero bytes, but Phoenix pads with blanks".to_string())
            }
            TextLayout::Hex => fixed(format!("BINARY({})", width.unwrap_or(2) / 2), form.descending),
            TextLayout::Terminated => {
                Ok(KeyColumn { of_type: "VARCHAR".to_string(), descending: form.descending })
            }
        },
        FieldKind::Calendar(calendar) => text(Some(calendar.format.width())),
        FieldKind::Integer(form) if form.encoding == NumberEncoding::Decimal => text(form.width),
        FieldKind::Integer(form) => {
            let (is_signed, descending) = number(form)?;
            let of_type = match (form.size.name(), is_signed) {
                ("tinyint", true) => "TINYINT",
                ("tinyint", false) => "UNSIGNED_TINYINT",
                ("smallint", true) => "SMALLINT",
                ("smallint", false) => "UNSIGNED_SMALLINT",
                ("int", true) => "INTEGER",
                ("int", false) => "UNSIGNED_INT",
                (_, true) => "BIGINT",
                (_, false) => "UNSIGNED_LONG",
            };
            fixed(of_type.to_string(), descending)
        }
        FieldKind::Epoch(epoch) if epoch.unit != EpochUnit::Milliseconds => {
            Err("is in seconds, but Phoenix has milliseconds".to_string())
        }
        FieldKind::Epoch(epoch) if epoch.number.encoding == NumberEncoding::Decimal => {
            text(epoch.number.width)
        }
        FieldKind::Epoch(epoch) => {
            let (is_signed, descending) = number(&epoch.number)?;
            fixed(if is_signed { "DATE" } else { "UNSIGNED_DATE" }.to_string(), descending)
        }
    }
}

/// Whether Phoenix's type has a sign, and whether it is descending.
fn number(form: &NumberForm) -> Result<(bool, bool), String> {
    if form.width.is_some_and(|width| width != form.size.bytes()) {
        return Err("has another width than its type, which Phoenix does not have".to_string());
    }
    match (form.encoding, form.descending) {
        (NumberEncoding::BigEndianSortable, false) => Ok((true, false)),
        // The greatest number minus the number: all bytes of the sortable form inverted.
        (NumberEncoding::BigEndian | NumberEncoding::BigEndianSortable, true) => Ok((true, true)),
        (NumberEncoding::BigEndianUnsigned, descending) => Ok((false, descending)),
        (NumberEncoding::BigEndian, false) if form.min.is_some_and(|min| min >= 0) => Ok((false, false)),
        (NumberEncoding::BigEndian, false) => {
            Err("is stored as two's complement: Phoenix flips the sign bit, and reads this as UNSIGNED only with `min: 0`".to_string())
        }
        _ => Err("is stored in a form that Phoenix has not".to_string()),
    }
}

/// The type of the cells. Numbers of `Bytes.toBytes` are Phoenix's UNSIGNED types, which refuse negative numbers.
fn cell_type(column: &Column) -> Result<&'static str, String> {
    let hive_type = &column.hive_type;
    match (column.encoding, hive_type.primitive()) {
        (_, Some(Type::Binary)) => Ok("VARBINARY"),
        (CellEncoding::Text, _) => Ok("VARCHAR"),
        (CellEncoding::BigEndian, Some(Type::TinyInt)) => Ok("UNSIGNED_TINYINT"),
        (CellEncoding::BigEndian, Some(Type::SmallInt)) => Ok("UNSIGNED_SMALLINT"),
        (CellEncoding::BigEndian, Some(Type::Int)) => Ok("UNSIGNED_INT"),
        (CellEncoding::BigEndian, Some(Type::BigInt)) => Ok("UNSIGNED_LONG"),
        (CellEncoding::BigEndian, Some(Type::Float)) => Ok("UNSIGNED_FLOAT"),
        (CellEncoding::BigEndian, Some(Type::Double)) => Ok("UNSIGNED_DOUBLE"),
        (CellEncoding::BigEndian, Some(Type::Boolean)) => Ok("BOOLEAN"),
        (CellEncoding::BigEndian, _) => {
            Err(format!("is a {}, which Phoenix does not have", hive_type.hive_type()))
        }
    }
}

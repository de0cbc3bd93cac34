//! The JSON catalog of Apache hbase-connectors' Spark module (`HBaseTableCatalog`): the row key is named by `rowkey`, its
//! parts are the columns of the family `rowkey`.

use std::sync::Arc;

use saltplan_core::key::field::EpochUnit;
use saltplan_core::key::number::{IntegerSize, NumberEncoding, NumberForm};
use saltplan_document::diag::{Diagnostic, Source, Span};
use serde_json::{Map, Value};

use super::super::draft::{Draft, DraftFamily, DraftField, DraftKind, TextForm, mapped_column};
use super::{Place, check_name};

const HELP: &str = "see the documentation of hbase-spark: \
    `{\"table\": {\"namespace\": \"ns\", \"name\": \"t\"}, \"rowkey\": \"id\", \"columns\": {\"id\": {\"cf\": \"rowkey\", \"col\": \"id\", \"type\": \"string\"}}}`";

/// The family name that means the row key.
const ROW_KEY: &str = "rowkey";

pub(super) fn read(source: &Arc<Source>) -> Result<Draft, Diagnostic> {
    let json: Value = serde_json::from_str(&source.text).map_err(|error| {
        let before: usize =
            source.text.split_inclusive('\n').take(error.line().max(1) - 1).map(str::len).sum();
        let start = (before + error.column().saturating_sub(1)).min(source.text.len());
        let start = (0..=start).rev().find(|at| source.text.is_char_boundary(*at)).unwrap_or(0);
        let place = Place { source: Arc::clone(source), span: Span::new(start, start) };
        place.error(format!("this is not a catalog in JSON: {error}"), "here", HELP)
    })?;
    let catalog = Catalog { source, json: &json };
    catalog.imported()
}

struct Catalog<'j> {
    source: &'j Arc<Source>,
    json: &'j Value,
}

/// A column of the catalog.
struct Entry<'j> {
    name: &'j str,
    family: &'j str,
    qualifier: &'j str,
    /// In lower case.
    of_type: String,
    length: Option<u64>,
    is_avro: bool,
}

impl<'j> Catalog<'j> {
    /// The place of a name or value in the text: its first occurrence in quotes.
    fn place(&self, text: &str) -> Place {
        let quoted = format!("\"{text}\"");
        let start = self.source.text.find(&quoted).unwrap_or(0);
        let end = if self.source.text[start..].starts_with(&quoted) { start + quoted.len() } else { start };
        Place { source: Arc::clone(self.source), span: Span::new(start, end) }
    }

    fn fault(&self, at: &str, message: impl Into<String>) -> Diagnostic {
        self.place(at).error(message, "here", HELP)
    }

    fn imported(&self) -> Result<Draft, Diagnostic> {
        let table = self.json.get("table").and_then(Value::as_object);
        let table = table.ok_or_else(|| self.fault("table", "the catalog has no `table`"))?;
        let coder = text(table, "tableCoder").unwrap_or("PrimitiveType");
        if !["PrimitiveType", "Phoenix"].contains(&coder) {
            let help = "only the coders PrimitiveType and Phoenix have keys that a schema file can describe";
            return Err(self.place(coder).error(format!("the keys are coded by `{coder}`"), "here", help));
        }
        let name = text(table, "name").ok_or_else(|| self.fault("table", "the table has no `name`"))?;
        let table = match text(table, "namespace") {
            Some(namespace) if namespace != "default" => format!("{namespace}:{name}"),
            _ => name.to_string(),
        };
        let columns = self.json.get("columns").and_then(Value::as_object);
        let columns = columns.ok_or_else(|| self.fault("columns", "the catalog has no `columns`"))?;
        let entries: Vec<Entry<'_>> =
            columns.iter().map(|(name, column)| self.entry(name, column)).collect::<Result<_, _>>()?;
        let mut imported =
            Draft { table, fields: self.fields(&entries, coder == "Phoenix")?, ..Draft::default() };
        for entry in entries.iter().filter(|entry| entry.family != ROW_KEY) {
            if !imported.families.iter().any(|family| family.name == entry.family) {
                imported.families.push(DraftFamily::new(entry.family));
            }
            match in_cells(entry, coder == "Phoenix") {
                Ok((hive_type, has_bytes)) => {
                    check_name(entry.name, || self.place(entry.name))?;
                    let cell = (entry.family, entry.qualifier);
                    imported.columns.push(mapped_column(entry.name, hive_type, cell, has_bytes));
                }
                Err(reason) => imported
                    .columns_comment
                    .push(format!("left out: {} {}: {reason}", entry.name, entry.of_type)),
            }
        }
        imported.take_utc();
        imported.head = vec![
            "A catalog does not tell whether the key starts with a salt: if it does, the salt is part of its first field. Compare the"
                .to_string(),
            "fields with real row keys (`--from-keys FILE`).".to_string(),
        ];
        Ok(imported)
    }

    fn entry(&self, name: &'j str, column: &'j Value) -> Result<Entry<'j>, Diagnostic> {
        let Some(column) = column.as_object() else {
            return Err(self.fault(name, format!("the column `{name}` has no description")));
        };
        let of = |key: &str| {
            text(column, key).ok_or_else(|| self.fault(name, format!("the column `{name}` has no `{key}`")))
        };
        let is_avro = column.contains_key("avro");
        let of_type = if is_avro { "avro" } else { of("type")? };
        let length = column.get("length").and_then(|length| match length {
            Value::String(text) => text.parse().ok(),
            other => other.as_u64(),
        });
        Ok(Entry {
            name,
            family: of("cf")?,
            qualifier: of("col")?,
            of_type: of_type.to_lowercase(),
            length,
            is_avro,
        })
    }

    /// The parts of the key, in the order of `rowkey`.
    fn fields(&self, entries: &[Entry<'_>], is_phoenix: bool) -> Result<Vec<DraftField>, Diagnostic> {
        let row_key = self.json.get(ROW_KEY).and_then(Value::as_str);
        let row_key = row_key.ok_or_else(|| self.fault(ROW_KEY, "the catalog has no `rowkey`"))?;
        let parts: Vec<&str> = row_key.split(':').collect();
        let mut fields = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            let entry = entries.iter().find(|entry| entry.family == ROW_KEY && entry.qualifier == *part);
            let Some(entry) = entry else {
                return Err(self.fault(
                    row_key,
                    format!("the row key has `{part}`, which is not a column of the family `{ROW_KEY}`"),
                ));
            };
            let name = entry.name;
            check_name(name, || self.place(name))?;
            let kind = in_key(entry, is_phoenix).map_err(|reason| {
                let help = "no schema was written: such a key cannot be described";
                self.place(name).error(
                    format!("`{name}` in the row key has the type `{}`: {reason}", entry.of_type),
                    "in the row key",
                    help,
                )
            })?;
            if kind.width().is_none() && place + 1 < parts.len() {
                let help = "add its `length`, in bytes: hbase-spark writes nothing between the parts";
                return Err(self.place(name).error(
                    format!("nothing marks the end of `{name}` in the row key"),
                    "of variable length",
                    help,
                ));
            }
            fields.push(DraftField::new(name, kind));
        }
        let unused =
            entries.iter().find(|entry| entry.family == ROW_KEY && !parts.contains(&entry.qualifier));
        match unused {
            Some(entry) => Err(self.fault(
                entry.name,
                format!("`{}` is in the family `{ROW_KEY}`, but not in the row key", entry.name),
            )),
            None => Ok(fields),
        }
    }
}

fn text<'j>(object: &'j Map<String, Value>, key: &str) -> Option<&'j str> {
    object.get(key)?.as_str()
}

/// As `Bytes.toBytes` writes it, or as Phoenix does.
fn in_key(entry: &Entry<'_>, is_phoenix: bool) -> Result<DraftKind, &'static str> {
    let number = |size| {
        let encoding = if is_phoenix { NumberEncoding::BigEndianSortable } else { NumberEncoding::BigEndian };
        NumberForm::new(size, encoding)
    };
    let integer = |size| Ok(DraftKind::Integer(number(size)));
    let width = entry.length.and_then(|length| usize::try_from(length).ok());
    match entry.of_type.as_str() {
        "string" => Ok(DraftKind::Text(TextForm { width, ..TextForm::default() })),
        "tinyint" | "byte" => integer(IntegerSize::Tinyint),
        "smallint" | "short" => integer(IntegerSize::Smallint),
        "int" | "integer" => integer(IntegerSize::Int),
        "bigint" | "long" => integer(IntegerSize::Bigint),
        "date" | "timestamp" => {
            Ok(DraftKind::Epoch { unit: EpochUnit::Milliseconds, number: number(IntegerSize::Bigint) })
        }
        "float" | "double" | "decimal" => Err("a field of the key is no number with a fraction"),
        "binary" if entry.length.is_some() => {
            Ok(DraftKind::Text(TextForm { width, is_bytes: true, ..TextForm::default() }))
        }
        "binary" => Err("it holds any bytes: add its `length`"),
        "boolean" => Err("it is one byte that is no number"),
        "avro" => Err("Avro has its own bytes"),
        _ => Err("the type is not known here"),
    }
}

fn in_cells(entry: &Entry<'_>, is_phoenix: bool) -> Result<(&'static str, bool), &'static str> {
    if entry.is_avro {
        return Err("Avro has its own bytes");
    }
    match entry.of_type.as_str() {
        "string" => Ok(("string", false)),
        "binary" => Ok(("binary", false)),
        "boolean" => Ok(("boolean", true)),
        _ if is_phoenix => Err("Phoenix flips bits of its numbers, which Hive does not know"),
        "tinyint" | "byte" => Ok(("tinyint", true)),
        "smallint" | "short" => Ok(("smallint", true)),
        "int" | "integer" => Ok(("int", true)),
        "bigint" | "long" => Ok(("bigint", true)),
        "float" => Ok(("float", true)),
        "double" => Ok(("double", true)),
        "date" | "timestamp" => {
            Err("it is a number of milliseconds: add it as a `bigint` with `encoding: be`")
        }
        _ => Err("Hive has no type that is stored like this"),
    }
}

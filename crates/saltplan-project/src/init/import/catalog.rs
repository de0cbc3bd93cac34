//! The JSON catalog of Apache hbase-connectors' Spark module and of shc (`HBaseTableCatalog`): the row key is named by `rowkey`, its
//! parts are the columns of the family `rowkey`. It may be pasted from Scala, with `|` in front of its lines.

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
    let json: Value = serde_json::from_str(&without_scala(&source.text)).map_err(|error| {
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

/// The text between the first `"""` and the next one, and without the margins that `stripMargin` takes away. Blanks take their
/// place, so that places stay the same. No line of JSON begins with `|`.
fn without_scala(text: &str) -> String {
    const QUOTES: &str = "\"\"\"";
    let inside = match text.split_once(QUOTES) {
        // An empty text in JSON is followed by no third quote.
        Some((before, rest)) if !before.contains('{') => {
            let start = before.len() + QUOTES.len();
            start..rest.find(QUOTES).map_or(text.len(), |at| start + at)
        }
        _ => 0..text.len(),
    };
    let mut is_margin = true;
    let sign = |(at, sign): (usize, char)| {
        let is_mark = is_margin && sign == '|';
        is_margin = sign == '\n' || is_margin && sign.is_whitespace();
        match is_mark || !inside.contains(&at) && !sign.is_whitespace() {
            true => " ".repeat(sign.len_utf8()),
            false => sign.to_string(),
        }
    };
    text.char_indices().map(sign).collect()
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
        if name.contains('$') {
            let help = "write the name of the table in its place";
            return Err(self.place(name).error(format!("Scala fills in the name `{name}`"), "here", help));
        }
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
            let mut field = DraftField::new(name, kind);
            let is_open = field.kind.width().is_none() && place + 1 < parts.len();
            if is_open && is_phoenix {
                // shc's class `Phoenix` writes it behind each part without a length but the last.
                field.separator = Some("\\x00".to_string());
            } else if is_open {
                let help = "add its `length`, in bytes: hbase-spark writes nothing between the parts";
                return Err(self.place(name).error(
                    format!("nothing marks the end of `{name}` in the row key"),
                    "of variable length",
                    help,
                ));
            }
            fields.push(field);
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
        "date" | "timestamp" if is_phoenix => Err("the coder Phoenix writes no dates and times"),
        "date" | "timestamp" => {
            Ok(DraftKind::Epoch { unit: EpochUnit::Milliseconds, number: number(IntegerSize::Bigint) })
        }
        "float" | "double" | "decimal" => Err("numbers with a fraction cannot be fields of a key"),
        "binary" if entry.length.is_some() => {
            Ok(DraftKind::Text(TextForm { width, is_bytes: true, ..TextForm::default() }))
        }
        "binary" => Err("it holds any bytes: add its `length`"),
        "boolean" => Err("it is one byte that is no number"),
        "avro" => Err("Avro writes bytes of its own, which no encoding of a schema file describes"),
        _ => Err("the type is not known here"),
    }
}

fn in_cells(entry: &Entry<'_>, is_phoenix: bool) -> Result<(&'static str, bool), &'static str> {
    if entry.is_avro {
        return Err("Avro writes it, and Hive cannot read it as a column");
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

#[cfg(test)]
mod tests {
    use super::*;

    fn imported(text: &str) -> Result<Draft, String> {
        read(&Source::new("catalog", text)).map_err(|fault| fault.message)
    }

    const SCALA: &str = r#"def catalog = s"""{
       |"table":{"namespace":"default", "name":"t1", "tableCoder":"Phoenix"},
       |"rowkey":"a:b:c",
       |"columns":{
         |"a":{"cf":"rowkey", "col":"a", "type":"string"},
         |"b":{"cf":"rowkey", "col":"b", "type":"int"},
         |"c":{"cf":"rowkey", "col":"c", "type":"string"},
         |"é":{"cf":"", "col":"c|", "type":"string"}
       |}
     |}""".stripMargin // a catalog: {}
"#;

    #[test]
    fn a_text_of_scala_is_read_with_the_places_it_has() {
        let text = SCALA.replace("\"é\":{\"cf\":\"\"", "\"d\":{\"cf\":\"f\"");
        let draft = imported(&text).unwrap();
        let fields: Vec<(&str, Option<&str>)> =
            draft.fields.iter().map(|field| (field.name.as_str(), field.separator.as_deref())).collect();
        // The number has a width, and the last text ends with the key.
        assert_eq!(fields, [("a", Some("\\x00")), ("b", None), ("c", None)]);
        assert_eq!((draft.table.as_str(), draft.columns[0].qualifier.as_str()), ("t1", "c|"));
        let start = text.find('{').unwrap();
        let bare = &text[start..text.rfind("\"\"\"").unwrap()];
        assert_eq!(imported(bare).unwrap().fields.len(), 3);
        assert_eq!(imported(&bare.replace('|', "")).unwrap().fields.len(), 3);
        let open = text.replace("\"\"\".strip", ".strip");
        assert!(imported(&open).unwrap_err().starts_with("this is not a catalog in JSON"));
        let without_comma = text.replacen("\"a:b:c\",", "\"a:b:c\"", 1);
        let fault = read(&Source::new("catalog", without_comma.as_str())).unwrap_err();
        let shown = &without_comma[fault.labels[0].span.start..];
        assert!(shown.starts_with("\"columns\""), "{shown}");
        let primitive = text.replace("Phoenix", "PrimitiveType");
        assert!(imported(&primitive).unwrap_err().starts_with("nothing marks the end of `a`"));
    }

    #[test]
    fn what_the_coders_do_not_write_is_refused() {
        let with = |of_type: &str| {
            imported(&SCALA.replace("\"b\", \"type\":\"int\"", &format!("\"b\", {of_type}"))).unwrap_err()
        };
        for (of_type, reason) in [
            (
                "\"type\":\"double\"",
                "`b` in the row key has the type `double`: numbers with a fraction cannot",
            ),
            ("\"avro\":\"schema\"", "`b` in the row key has the type `avro`: Avro writes bytes"),
            (
                "\"type\":\"timestamp\"",
                "`b` in the row key has the type `timestamp`: the coder Phoenix writes no",
            ),
            ("\"type\":\"binary\"", "`b` in the row key has the type `binary`: it holds any bytes"),
        ] {
            assert!(with(of_type).starts_with(reason), "{}", with(of_type));
        }
        let filled_in = SCALA.replace("\"t1\"", "\"$table\"");
        assert_eq!(imported(&filled_in).unwrap_err(), "Scala fills in the name `$table`");
        assert!(imported("\"\"\"").is_err() && imported("|").is_err() && imported("é\"\"\"{").is_err());
    }
}

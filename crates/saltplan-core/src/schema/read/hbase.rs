//! `hbase:`: the table and its column families.

use super::reader::Fields;
use super::refer::Names;
use super::value::checked;
use super::{Reader, Value};
use crate::schema::model::{Attribute, Family, HbaseTable};
use crate::schema::names;
use crate::schema::wording::excerpt;
use crate::schema::yaml::Entry;

/// HBase itself slows down beyond three.
const MAX_FAMILIES: usize = 64;

/// The shell has some thirty, and HBase some hundred settings for one family.
const MAX_ATTRIBUTES: usize = 256;

/// The names that HBase has for its compression algorithms.
const COMPRESSIONS: [&str; 9] = ["NONE", "GZ", "SNAPPY", "LZO", "LZ4", "ZSTD", "BZIP2", "LZMA", "BROTLI"];

const FAMILY: (&str, &str) =
    ("the name of a column family", "use a short name of letters and digits, such as `info`");

const ATTRIBUTE: (&str, &str) =
    ("an attribute of a column family", "write an attribute such as `versions: 1`");

/// What could be read of the table, and the names of all its families.
pub struct Hbase {
    pub table: Option<HbaseTable>,
    pub families: Names,
}

pub fn hbase(reader: &mut Reader<'_>, value: Option<&Value<'_>>) -> Hbase {
    let mut names = Names::new("column family");
    let table =
        value.and_then(|value| value.mapping(reader, |reader, fields| table(reader, fields, &mut names)));
    if table.is_none() {
        names.add_nameless();
    }
    Hbase { table, families: names }
}

fn table(reader: &mut Reader<'_>, fields: &mut Fields<'_>, names: &mut Names) -> Option<HbaseTable> {
    let table = fields.require("table", "table: 'ns:name'");
    let families = fields.require("families", "families: { info: { versions: 1 } }");
    let name = table.and_then(|value| table_name(reader, &value));
    let families = families.and_then(|value| family_list(reader, &value, names));
    let (namespace, qualifier) = name?;
    Some(HbaseTable { namespace, qualifier, span: table?.span(), families: families? })
}

fn table_name(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<(Option<String>, String)> {
    let text = value.text(reader)?;
    match names::hbase_table(&text.value) {
        Ok(name) => Some(name),
        Err(reason) => {
            let message = format!("`{}` is not the name of an HBase table", excerpt(&text.value));
            let help =
                "write `'namespace:table'` in letters, digits and `_`; the table may have `-` and `.`, too";
            reader.error(text.span, message, reason, help);
            None
        }
    }
}

fn family_list(reader: &mut Reader<'_>, value: &Value<'_>, names: &mut Names) -> Option<Vec<Family>> {
    let entries = value.entries(reader)?;
    if entries.is_empty() {
        reader.error(
            value.span(),
            "a table needs at least one column family",
            "no family",
            "write `families: { info: { versions: 1 } }`",
        );
        return None;
    }
    if let Some(entry) = entries.get(MAX_FAMILIES) {
        let message = format!("{} column families, the limit is {MAX_FAMILIES}", entries.len());
        reader.error(
            entry.key.span,
            message,
            "the first one too many",
            "use few families: HBase flushes them together",
        );
        return None;
    }
    let mut families = Vec::new();
    for entry in entries {
        let family = family(reader, entry);
        names.add_exactly(entry.key.clone(), family.is_some().then_some(families.len()));
        families.extend(family);
    }
    Some(families)
}

fn family(reader: &mut Reader<'_>, entry: &Entry) -> Option<Family> {
    let name = checked(reader, entry.key.clone(), names::hbase_family, FAMILY)?;
    let value = Value::of(entry);
    // `info:` without attributes has HBase's defaults.
    let attributes = if value.is_null() { &[] } else { value.entries(reader)? };
    if let Some(entry) = attributes.get(MAX_ATTRIBUTES) {
        let message = format!("{} attributes of a family, the limit is {MAX_ATTRIBUTES}", attributes.len());
        let help = "settings for all families belong into hbase-site.xml";
        reader.error(entry.key.span, message, "the first one too many", help);
        return None;
    }
    let attributes = attributes.iter().filter_map(|entry| attribute(reader, entry)).collect();
    Some(Family { name: name.value, attributes })
}

fn attribute(reader: &mut Reader<'_>, entry: &Entry) -> Option<(String, Attribute)> {
    let name = checked(reader, entry.key.clone(), names::attribute, ATTRIBUTE)?;
    if name.value.eq_ignore_ascii_case("name") {
        let help = "remove it: the name of a family is the key before its attributes";
        reader.error(
            name.span,
            "`name` is no attribute of a column family",
            "would name another family",
            help,
        );
        return None;
    }
    let value = Value::of(entry);
    let text = value.text(reader)?;
    if name.value.eq_ignore_ascii_case("compression") && !COMPRESSIONS.contains(&text.value.as_str()) {
        let message = format!("`{}` is no compression of HBase", excerpt(&text.value));
        let warning = reader.warning(text.span, message, "the shell may refuse it");
        reader.report(warning.with_suggestion(&text.value, COMPRESSIONS));
    }
    let attribute = match (value.is_plain(), text.value.as_str()) {
        (true, "true") => Attribute::Bool(true),
        (true, "false") => Attribute::Bool(false),
        (true, number) => match number.parse::<i64>() {
            // `007` stays what it is.
            Ok(value) if value.to_string() == number => Attribute::Number(value),
            _ => Attribute::Text(text.value),
        },
        (false, _) => Attribute::Text(text.value),
    };
    Some((name.value, attribute))
}

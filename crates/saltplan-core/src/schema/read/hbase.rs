//! Reads `hbase:`, the table and its column families.

use super::family::family;
use crate::document::names::Names;
use crate::document::reader::Fields;
use crate::document::reader::{FileValue, Reader};
use crate::document::wording::excerpt;
use crate::schema::format::hbase as format;
use crate::schema::model::{Family, HbaseTable};
use crate::schema::names;

/// The parts of the table that could be read, and the names of all its families.
pub struct Hbase {
    pub table: Option<HbaseTable>,
    pub families: Names<()>,
}

pub fn hbase(reader: &mut Reader<'_>, value: Option<&FileValue<'_>>) -> Hbase {
    let mut names = Names::new("column family");
    let table =
        value.and_then(|value| value.mapping(reader, |reader, fields| table(reader, fields, &mut names)));
    if table.is_none() {
        names.add_nameless();
    }
    Hbase { table, families: names }
}

fn table(reader: &mut Reader<'_>, fields: &mut Fields<'_>, names: &mut Names<()>) -> Option<HbaseTable> {
    let table = fields.get(&format::TABLE);
    let families = fields.get(&format::FAMILIES);
    let name = table.and_then(|value| table_name(reader, &value));
    let families = families.and_then(|value| family_list(reader, &value, names));
    let (namespace, qualifier) = name?;
    Some(HbaseTable { namespace, qualifier, families: families? })
}

fn table_name(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<(Option<String>, String)> {
    let text = value.text(reader)?;
    match names::hbase_table(&text.value) {
        Ok(name) => Some(name),
        Err(reason) => {
            let message = format!("`{}` is not the name of an HBase table", excerpt(&text.value));
            let help =
                "write `'namespace:table'` with letters, digits and `_`; the table may also have `-` and `.`";
            reader.error(text.span, message, reason.to_string(), help);
            None
        }
    }
}

fn family_list(reader: &mut Reader<'_>, value: &FileValue<'_>, names: &mut Names<()>) -> Option<Vec<Family>> {
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
    let limit = value.limit();
    if let Some(entry) = entries.get(limit) {
        let message = format!("{} column families, the limit is {limit}", entries.len());
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
        let family = family(reader, value, entry);
        names.add_exactly(entry.key.clone(), family.as_ref().map(|_| ()));
        families.extend(family);
    }
    Some(families)
}

//! `hbase:`, the table and its column families.

use super::family::{Family, family};
use super::names;
use saltplan_document::format::{Named, Text, ValueType};
use saltplan_document::mapping;
use saltplan_document::names::Names;
use saltplan_document::reader::{FileValue, Reader};

#[derive(Debug, Clone, PartialEq)]
pub struct HbaseTable {
    /// `None` means HBase's namespace `default`.
    pub namespace: Option<String>,
    /// The table name without the namespace.
    pub qualifier: String,
    pub families: Vec<Family>,
}

impl HbaseTable {
    /// `ns:name`, or `name` in the default namespace.
    pub fn full_name(&self) -> String {
        match &self.namespace {
            Some(namespace) => format!("{namespace}:{}", self.qualifier),
            None => self.qualifier.clone(),
        }
    }
}

// HBase slows down with more than three families.
static FAMILIES: Named = Named { name: Text::Family, value: ValueType::Attributes, least: 1, most: 64 };

mapping! {
    /// The HBase table.
    #[derive(Debug)]
    pub parts struct HbaseKeys(names: &mut Names<()>) {
        /// Table with its namespace, `'ns:name'`; without a namespace it is in `default`.
        table: (Option<String>, String)
            = TABLE, required("table", ValueType::Text(Text::HbaseTable), "'ns:name'")
            by table_name;
        /// Column families with their attributes; one family is best.
        families: Vec<Family>
            = FAMILIES, required("families", ValueType::Named(&FAMILIES), "{ info: { versions: 1 } }")
            by |reader, value| family_list(reader, value, names);
    }
}

/// The parts of the table that could be read, and the names of all its families.
pub(super) struct Hbase {
    pub table: Option<HbaseTable>,
    pub families: Names<()>,
}

pub(super) fn hbase(reader: &mut Reader<'_>, value: Option<&FileValue<'_>>) -> Hbase {
    let mut names = Names::exact("column family");
    let table = value.and_then(|value| {
        value.mapping(reader, |reader, fields| {
            let HbaseKeys { table, families } = HbaseKeys::parts(reader, fields, &mut names);
            let (namespace, qualifier) = table?;
            Some(HbaseTable { namespace, qualifier, families: families? })
        })
    });
    if table.is_none() {
        names.add_nameless();
    }
    Hbase { table, families: names }
}

fn table_name(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<(Option<String>, String)> {
    let text = value.text(reader)?;
    let help = "write `'namespace:table'` with letters, digits and `_`; the table may also have `-` and `.`";
    reader.parsed(&text, names::hbase_table, "the name of an HBase table", help)
}

fn family_list(reader: &mut Reader<'_>, value: &FileValue<'_>, names: &mut Names<()>) -> Option<Vec<Family>> {
    let entries = value.entries(reader)?;
    if entries.is_empty() {
        return reader.reject(
            value.span(),
            "a table needs at least one column family",
            "no family",
            "write `families: { info: { versions: 1 } }`",
        );
    }
    let limit = value.limit();
    if let Some(entry) = entries.get(limit) {
        let message = format!("{} column families, the limit is {limit}", entries.len());
        return reader.reject(
            entry.key.span,
            message,
            "the first one too many",
            "use few families: HBase flushes them together",
        );
    }
    let mut families = Vec::new();
    for entry in entries {
        let family = family(reader, value, entry);
        names.add_exactly(entry.key.clone(), family.as_ref().map(|_| ()));
        families.extend(family);
    }
    Some(families)
}

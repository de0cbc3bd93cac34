//! `hbase:`, the table and its column families.

use super::attributes::{AttributeValue, AttributesOf, Family, attribute, family, known, of_table};
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
    /// Shell attributes in the order of the file, with the spelling of the file.
    pub attributes: Vec<(String, AttributeValue)>,
    /// Names and values that HBase keeps with the table, such as `coprocessor$1`, in the order of the file.
    pub metadata: Vec<(String, String)>,
    pub families: Vec<Family>,
}

impl HbaseTable {
    /// The value of an attribute of the table, given by a constant of the shell such as `DURABILITY`, or by the full name of a setting.
    pub fn attribute(&self, constant: &str) -> Option<&AttributeValue> {
        attribute(AttributesOf::Table, &self.attributes, constant)
    }

    /// `ns:name`, or `name` in the default namespace.
    pub fn full_name(&self) -> String {
        match &self.namespace {
            Some(namespace) => format!("{namespace}:{}", self.qualifier),
            None => self.qualifier.clone(),
        }
    }
}

// HBase slows down with more than three families.
static FAMILIES: Named =
    Named { name: Text::Family, value: ValueType::Attributes(AttributesOf::Family), least: 1, most: 64 };

static METADATA: Named = Named { name: Text::Any, value: ValueType::Text(Text::Any), least: 0, most: 256 };

mapping! {
    /// The HBase table.
    #[derive(Debug)]
    pub parts struct HbaseKeys(names: &mut Names<()>) {
        /// Table with its namespace, `'ns:name'`; without a namespace it is in `default`.
        table: (Option<String>, String)
            = TABLE, required("table", ValueType::Text(Text::HbaseTable), "'ns:name'")
            by table_name;
        /// Attributes of the table; HBase's defaults without it.
        attributes: Option<Vec<(String, AttributeValue)>>
            = ATTRIBUTES, optional("attributes", ValueType::Attributes(AttributesOf::Table), "{ durability: ASYNC_WAL }")
            by of_table;
        /// Names and values that HBase keeps with the table, such as `coprocessor$1` or an owner.
        metadata: Option<Vec<(String, String)>>
            = METADATA, optional("metadata", ValueType::Named(&METADATA), "{ owner: data }")
            by metadata;
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
            let HbaseKeys { table, attributes, metadata, families } =
                HbaseKeys::parts(reader, fields, &mut names);
            let (namespace, qualifier) = table?;
            Some(HbaseTable {
                namespace,
                qualifier,
                attributes: attributes?.unwrap_or_default(),
                metadata: metadata?.unwrap_or_default(),
                families: families?,
            })
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

fn metadata(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Vec<(String, String)>> {
    let entries = value.entries(reader)?;
    let limit = value.limit();
    if let Some(entry) = entries.get(limit) {
        let message = format!("{} names of metadata, the limit is {limit}", entries.len());
        let help = "keep long lists in a file of your own";
        return reader.reject(entry.key.span, message, "the first one too many", help);
    }
    let mut found = Vec::with_capacity(entries.len());
    for entry in entries {
        let name = &entry.key;
        if known(AttributesOf::Table, &name.value).is_some() || name.value.contains('.') {
            let message = format!("`{}` is an attribute of the table", name.value);
            return reader.reject(name.span, message, "is no metadata", "write it under `hbase.attributes`");
        }
        let text = value.of_entry(entry, ValueType::Text(Text::Any)).text(reader)?;
        found.push((name.value.clone(), text.value));
    }
    Some(found)
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

//! The top level of a schema file.
//!
//! Each section has a module with its keys, the value that is made of them, and their checks. A reader that
//! finds an error reports it and returns `None`; the other readers continue.

use super::columns::{self, ColumnKeys, ReadColumns};
use super::field::FieldKeys;
use super::hbase::{self, HbaseKeys};
use super::hive::{Hive, MappingTable};
use super::key::{self, ReadKey, RowKeyKeys};
use super::model::Schema;
use super::partition::PartitionKeys;
use super::regions::{self, REGIONS};
use super::scope::Scope;
use super::target::{TargetColumnKeys, TargetKeys};
use super::window::WrittenZone;
use super::workload;
use crate::key::salt::file::SALT;
use crate::key::salt::file::input;
use saltplan_document::format::{File, List, Named, Syntax, Text, ValueType, number};
use saltplan_document::mapping;
use saltplan_document::reader::{Fields, FileValue, Reader};
use saltplan_document::tables::{forms, keys};
use saltplan_document::wording::excerpt;
use saltplan_document::yaml::Node;
use saltplan_sql::time::zone::Zone;

pub static FILE: File = File {
    what: "the schema",
    one: "a schema",
    start: "a schema starts with the line `saltplan: 1`",
    title: "saltplan schema",
    syntax: Syntax::Yaml,
    map: &SchemaKeys::MAP,
};

/// The tables of the documentation, by the name of their place in the text.
pub fn tables() -> Vec<(&'static str, String)> {
    vec![
        ("file", keys(&SchemaKeys::MAP)),
        ("hbase", keys(&HbaseKeys::MAP)),
        ("key", keys(&RowKeyKeys::MAP)),
        ("field", keys(&FieldKeys::MAP)),
        ("salt", forms(&SALT)),
        ("inputs", keys(&input::MAP)),
        ("regions", forms(&REGIONS)),
        ("columns", keys(&ColumnKeys::MAP)),
        ("mapping", keys(&MappingTable::MAP)),
        ("target", keys(&TargetKeys::MAP)),
        ("partition", keys(&PartitionKeys::MAP)),
        ("target columns", keys(&TargetColumnKeys::MAP)),
    ]
}

// On most metastores Hive itself fails with fewer.
static COLUMNS: List = List { item: ValueType::Map(&ColumnKeys::MAP), least: 0, most: 4_096, unique: false };
static WORKLOAD: Named =
    Named { name: Text::FieldName, value: ValueType::Text(Text::Any), least: 0, most: usize::MAX };

mapping! {
    /// The schema of an HBase table with salted row keys, and of the Hive tables over it.
    pub keys SchemaKeys {
        /// Version of the format.
        VERSION = required("saltplan", number(1, 1), "1");
        HBASE = required("hbase", ValueType::Map(&HbaseKeys::MAP), "{ table: 'ns:name', families: { … } }");
        KEY = required("key", ValueType::Map(&RowKeyKeys::MAP), "{ salt: …, fields: […] }");
        REGIONS = optional("regions", ValueType::Forms(&REGIONS), "{ hex_string: 16 }");
        /// Columns that are not in the row key.
        COLUMNS = optional(
            "columns", ValueType::List(&COLUMNS), "[{ name: …, type: string, hbase: 'family:qualifier' }]"
        );
        HIVE = optional(
            "hive", ValueType::Map(&Hive::MAP), "{ mapping: { table: db.name, key_column: rowkey } }"
        );
        /// Time zone for local times of instants, such as Asia/Shanghai. Required if an instant is formatted.
        TIME_ZONE = optional("time_zone", ValueType::Text(Text::Zone), "Asia/Shanghai");
        /// Distributions of key fields for simulated rows, such as `tel: zipf(1.1, 1000000)`.
        WORKLOAD = optional("workload", ValueType::Named(&WORKLOAD), "{ tel: 'zipf(1.1, 1000000)' }");
    }
}

/// The version of the format that this reader supports.
const FORMAT_VERSION: u32 = 1;

pub(super) fn schema(reader: &mut Reader<'_>, root: &Node) -> Option<Schema> {
    FileValue::root(root, &FILE).mapping(reader, read_schema)
}

fn read_schema(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Schema> {
    fields.required(reader, &SchemaKeys::VERSION, format_version);
    let time_zone = fields.optional(reader, &SchemaKeys::TIME_ZONE, time_zone);
    let zone = WrittenZone { is_written: time_zone != Some(None), value: time_zone.flatten() };
    let hbase = hbase::hbase(reader, fields.get(&SchemaKeys::HBASE).as_ref());
    let key = key::key(reader, fields.get(&SchemaKeys::KEY).as_ref(), zone);
    let columns = columns::columns(reader, fields.get(&SchemaKeys::COLUMNS).as_ref(), &hbase.families);
    refuse_shared_names(reader, &key, &columns);
    let regions = fields.optional(reader, &SchemaKeys::REGIONS, regions::regions);
    let scope = Scope::new(&key, &columns, zone.is_written);
    let hive = fields.optional(reader, &SchemaKeys::HIVE, |reader, value| Hive::read(reader, value, &scope));
    let workload = fields.optional(reader, &SchemaKeys::WORKLOAD, |reader, value| {
        workload::workload(reader, value, &key.names)
    });
    Some(Schema {
        hbase: hbase.table?,
        key: key.row_key?,
        regions: regions?,
        columns: columns.columns,
        hive: hive?,
        time_zone: zone.value,
        workload: workload?.unwrap_or_default(),
    })
}

/// Fields and columns share one name space in predicates. The value of a field that is not stored may be in a
/// column with the same name; then both mean the same.
fn refuse_shared_names(reader: &mut Reader<'_>, key: &ReadKey, columns: &ReadColumns) {
    let stored = key.row_key.iter().flat_map(|row_key| row_key.stored().map(|index| &row_key.fields[index]));
    for field in stored {
        let (Some(column), Some(name)) = (columns.names.find(&field.name), key.names.find(&field.name))
        else {
            continue;
        };
        let message = format!("`{}` is both a key field and a column", column.value);
        let fault = reader.fault(column.span, message, "the column").with_label(name.span, "the key field");
        reader.report(
            fault.with_help(
                "remove the column, because the value is in the row key, or rename one of the two",
            ),
        );
    }
}

fn format_version(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<u32> {
    let version: u32 = value.number_within(reader, 0..=u32::MAX.into())?;
    if version != FORMAT_VERSION {
        let message = format!("this version of saltplan does not know format version {version}");
        return reader.reject(
            value.span(),
            message,
            "unknown version",
            format!("write `saltplan: {FORMAT_VERSION}`, or use a newer saltplan"),
        );
    }
    Some(version)
}

fn time_zone(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Zone> {
    let text = value.text(reader)?;
    let zone = text.value.parse().ok();
    if zone.is_none() {
        let names = Zone::all().map(Zone::name);
        let fault = reader.fault(
            text.span,
            format!("unknown time zone `{}`", excerpt(&text.value)),
            "not in the tz database",
        );
        let fault = fault.with_help("write a name such as `Asia/Shanghai` or `UTC`");
        let fault = reader.suggesting(fault, &text.value, names);
        reader.report(fault);
    }
    zone
}

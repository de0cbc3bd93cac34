//! From nodes to the model.
//!
//! Every reader reads the keys of its mapping that [`format`](super::format) describes, and takes bounds and
//! words from there. A reader that finds an error reports it and returns `None`; the other readers continue.

mod columns;
mod family;
mod hbase;
mod hive;
mod key;
mod partition;
mod regions;
mod scope;
mod value;
mod window;
mod workload;

use chrono_tz::{TZ_VARIANTS, Tz};

use columns::ReadColumns;
use key::ReadKey;
use window::Zone;

use super::format::top;
use super::model::Schema;
use crate::document::reader::{Fields, FileValue, Reader, optional};
use crate::document::wording::excerpt;
use crate::document::yaml::Node;

/// The version of the format that this reader supports.
const FORMAT_VERSION: u32 = 1;

pub(super) fn schema(reader: &mut Reader<'_>, root: &Node) -> Option<Schema> {
    FileValue::root(root, &top::FILE).mapping(reader, read_schema)
}

fn read_schema(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Schema> {
    let version = fields.get(&top::VERSION);
    let hbase = fields.get(&top::HBASE);
    let key = fields.get(&top::KEY);
    let regions = fields.get(&top::REGIONS);
    let columns = fields.get(&top::COLUMNS);
    let hive = fields.get(&top::HIVE);
    let zone = fields.get(&top::TIME_ZONE);
    let workload = fields.get(&top::WORKLOAD);

    version.and_then(|value| format_version(reader, &value));
    let hbase = hbase::hbase(reader, hbase.as_ref());
    let time_zone = zone.and_then(|value| time_zone(reader, &value));
    let known_zone = Zone { is_written: zone.is_some(), value: time_zone };
    let key = key::key(reader, key.as_ref(), known_zone);
    let columns = columns::columns(reader, columns.as_ref(), &hbase.families);
    refuse_shared_names(reader, &key, &columns);
    let regions = optional(regions, |value| regions::regions(reader, value));
    let hive = optional(hive, |value| hive::hive(reader, value, &key, &columns, zone.is_some()));

    let workload = optional(workload, |value| workload::workload(reader, value, &key.names));

    let workload = workload?.unwrap_or_default();
    let (hbase, key) = (hbase.table?, key.row_key?);
    Some(Schema { hbase, key, regions: regions?, columns: columns.columns, hive: hive?, time_zone, workload })
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
        reader.error(
            value.span(),
            message,
            "unknown version",
            format!("write `saltplan: {FORMAT_VERSION}`, or use a newer saltplan"),
        );
        return None;
    }
    Some(version)
}

fn time_zone(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Tz> {
    let text = value.text(reader)?;
    let zone = text.value.parse().ok();
    if zone.is_none() {
        let names = TZ_VARIANTS.iter().map(|zone| zone.name());
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

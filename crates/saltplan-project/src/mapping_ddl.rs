//! Hive's statements that create tables over HBase, as people save them: what `init` imports and `drift` compares.

use crate::fault::{Fault, fault};
use crate::init::live::instead;
use saltplan_document::diag::Source;
use saltplan_tables::{HiveTable, Unread, read_kind};

/// The property with the cells of the columns.
pub(crate) const CELLS: &str = "hbase.columns.mapping";

/// The tables that a text creates. `none` says what is missing in a text of another kind, and `help` what to save instead.
pub(crate) fn created_tables(text: &str, none: &str, help: &str) -> Result<Vec<HiveTable>, Fault> {
    read_kind(&Source::new("SHOW CREATE TABLE", text)).or_else(|unread| match unread {
        Unread::OtherKind(_) => {
            fault(format!("{none}: {}", instead(text, "the output of SHOW CREATE TABLE")), help)
        }
        Unread::Faulty(diagnostic) => fault(diagnostic.message, diagnostic.help.as_deref().unwrap_or(help)),
    })
}

/// A property of the serializer or of the table.
pub(crate) fn property<'t>(table: &'t HiveTable, name: &str) -> Option<&'t str> {
    let mut properties = table.serde_properties.iter().chain(&table.table_properties);
    properties.find(|(found, _)| found == name).map(|(_, value)| value.as_str())
}

/// The HBase table of a table. By default Hive takes the name with its database, unless that is the default one.
pub(crate) fn hbase_table(table: &HiveTable) -> String {
    property(table, "hbase.table.name").map_or_else(
        || {
            let name = table.name.to_string();
            name.strip_prefix("default.").map_or(name.clone(), str::to_string)
        },
        str::to_string,
    )
}

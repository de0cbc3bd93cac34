//! `hbase:`

use crate::document::format::{Key, Map, Named, Text, ValueType, required};

pub static TABLE: Key = required(
    "table",
    ValueType::Text(Text::HbaseTable),
    "'ns:name'",
    "Table with its namespace, `'ns:name'`; without a namespace it is in `default`.",
);
pub static FAMILIES: Key = required(
    "families",
    // HBase slows down with more than three families.
    ValueType::Named(&Named { name: Text::Family, value: ValueType::Attributes, least: 1, most: 64 }),
    "{ info: { versions: 1 } }",
    "Column families with their attributes; one family is best.",
);

pub static HBASE: Map =
    Map { about: "The HBase table.", keys: &[&TABLE, &FAMILIES], cases: &[], misplaced: &[] };

/// The shell has about thirty attributes for a family, and HBase about a hundred settings.
pub(crate) const MAX_ATTRIBUTES: usize = 256;

//! The table schema as all other modules see it: plain values, checked and complete.
//!
//! Two schemas are equal if they mean the same, however their files are written. [`Places`](super::Places)
//! finds the place of a value in the file.
//!
//! The row key is the salt, followed by the stored fields, with separators between the parts. All widths are
//! in bytes.

pub use super::attributes::{AttributeValue, Family};
pub use super::columns::{CellEncoding, Column, ColumnId};
pub use super::hbase::HbaseTable;
pub use super::hive::{Engine, Hive, HiveTableName, MappingTable};
pub use super::partition::{PartitionColumn, PartitionValue};
pub use super::regions::{Numbered, Regions, Sampled};
pub use super::target::{TargetColumn, TargetTable, TargetValue};
use crate::key::field::FieldId;
use crate::key::id::IdVec;
use crate::key::layout::RowKey;
use saltplan_sql::time::zone::Zone;

/// An HBase table with its row key, its regions and the Hive tables that use it.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    pub hbase: HbaseTable,
    pub key: RowKey,
    pub regions: Option<Regions>,
    /// Columns that are not part of the row key.
    pub columns: IdVec<ColumnId, Column>,
    pub hive: Option<Hive>,
    /// The time zone in which instants are shown as local time. The zone of the host is never used.
    pub time_zone: Option<Zone>,
    /// The described distributions of key fields in simulated rows, in key order.
    pub workload: Vec<FieldLoad>,
}

/// The distribution of a key field in simulated rows.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldLoad {
    pub field: FieldId,
    /// As written, such as `zipf(1.1, 1000)`; the simulator parses it.
    pub values: String,
}

impl Schema {
    /// The key field with this name; names are not case-sensitive, as in Hive.
    pub fn field(&self, name: &str) -> Option<FieldId> {
        self.key.fields.find(|field| field.name.eq_ignore_ascii_case(name))
    }

    /// The column (outside the key) with this name.
    pub fn column(&self, name: &str) -> Option<ColumnId> {
        self.columns.find(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// The Hive mapping table.
    pub fn mapping(&self) -> Option<&MappingTable> {
        self.hive.as_ref()?.mapping.as_ref()
    }

    /// Whether the mapping table has its row keys in a column with this name, and no field or column has the
    /// same name.
    pub(crate) fn is_key_column(&self, name: &str) -> bool {
        let mapping = self.hive.as_ref().and_then(|hive| hive.mapping.as_ref());
        mapping.is_some_and(|mapping| mapping.key_column.eq_ignore_ascii_case(name))
            && self.field(name).is_none()
            && self.column(name).is_none()
    }

    /// The Hive target table.
    pub fn target(&self) -> Option<&TargetTable> {
        self.hive.as_ref()?.target.as_ref()
    }
}

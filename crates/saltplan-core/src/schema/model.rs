//! The table schema as all other modules see it: plain values, checked and complete.
//!
//! Two schemas are equal if they mean the same, however their files are written. [`Places`](super::Places)
//! finds the place of a value in the file.
//!
//! The row key is the salt, followed by the stored fields, with separators between the parts. All widths are
//! in bytes.

use std::fmt;

use chrono_tz::Tz;

use crate::hiveql::Expression;
use crate::key::field::FieldId;
use crate::key::id::{IdVec, id};
use crate::key::layout::RowKey;
use crate::key::time_pattern::TimePattern;

id! {
    /// The position of a column among those that are not part of the row key.
    ColumnId
}

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
    pub time_zone: Option<Tz>,
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

#[derive(Debug, Clone, PartialEq)]
pub struct Family {
    pub name: String,
    /// Shell attributes in the order of the file, with the spelling of the file (`versions`, `bloom_filter`).
    pub attributes: Vec<(String, AttributeValue)>,
}

/// The value of a family attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum AttributeValue {
    Number(i64),
    Bool(bool),
    Text(String),
}

/// How the table is split when it is created.
#[derive(Debug, Clone, PartialEq)]
pub enum Regions {
    PerSalt {
        /// Behind each salt.
        zero_bytes: usize,
    },
    /// The split keys in the order of the file.
    Explicit(Vec<Vec<u8>>),
    HexString {
        regions: u32,
    },
    DecimalString {
        regions: u32,
    },
    Uniform {
        regions: u32,
    },
    ByteRange {
        start: Vec<u8>,
        end: Vec<u8>,
        regions: u32,
    },
    Numbered {
        regions: u32,
        suffix: Vec<u8>,
    },
    LongRange {
        from: i64,
        to: i64,
    },
    /// Quantiles of real keys; the path is relative to the schema file.
    Sampled {
        keys: String,
        regions: u32,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    /// The Hive type as written in the file.
    pub hive_type: String,
    pub family: String,
    pub qualifier: String,
    pub encoding: CellEncoding,
}

/// What the cells of a column contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellEncoding {
    /// The text of a value.
    Text,
    /// The bytes that HBase's `Bytes.toBytes` makes of a number or a boolean.
    BigEndian,
}

impl Column {
    /// The storage type in `hbase.columns.mapping`. Without `#b` a `binary` column is read and written as
    /// Base64.
    pub fn storage_type(&self) -> &'static str {
        let is_binary = self.hive_type.trim().eq_ignore_ascii_case("binary");
        if is_binary || self.encoding == CellEncoding::BigEndian { "#b" } else { "" }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Hive {
    /// The engine, if the file sets it.
    pub engine: Option<Engine>,
    pub mapping: Option<MappingTable>,
    /// The view of the logical table.
    pub view: Option<HiveTableName>,
    pub target: Option<TargetTable>,
}

/// The execution engine of Hive. It determines which shape is right and pruned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Engine {
    Tez,
    MapReduce,
}

impl Engine {
    pub const ALL: [Engine; 2] = [Engine::Tez, Engine::MapReduce];

    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Tez => "tez",
            Engine::MapReduce => "mr",
        }
    }

    /// Other accepted names.
    pub fn aliases(self) -> &'static [&'static str] {
        match self {
            Engine::Tez => &[],
            Engine::MapReduce => &["mapreduce"],
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Engine::ALL.into_iter().find(|engine| engine.name() == name || engine.aliases().contains(&name))
    }
}

/// A Hive table name, with its database if the file has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiveTableName {
    pub database: Option<String>,
    pub table: String,
}

impl fmt::Display for HiveTableName {
    /// Without quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(database) = &self.database {
            write!(f, "{database}.")?;
        }
        f.write_str(&self.table)
    }
}

/// The Hive mapping table.
#[derive(Debug, Clone, PartialEq)]
pub struct MappingTable {
    pub table: HiveTableName,
    pub key_column: String,
    pub external: bool,
    /// Whether the table is declared with the storage handler of `hive/`, which reads all ranges of a
    /// condition in one scan.
    pub one_scan: bool,
}

/// The Hive target table, which an INSERT OVERWRITE fills.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetTable {
    pub table: HiveTableName,
    pub partition: Vec<PartitionColumn>,
    /// The storage format, such as `orc`.
    pub stored_as: String,
    pub columns: Vec<TargetColumn>,
}

/// A partition column.
#[derive(Debug, Clone, PartialEq)]
pub struct PartitionColumn {
    pub name: String,
    pub value: PartitionValue,
    /// The Hive type: from the file, or the default of [`conversion`](super::conversion) for this kind of
    /// value.
    pub hive_type: String,
}

/// What a partition column contains.
#[derive(Debug, Clone, PartialEq)]
pub enum PartitionValue {
    /// The value of a key field, in its stored text form.
    Field(FieldId),
    /// Units of the time in a key field, in local time.
    Part { field: FieldId, pattern: TimePattern },
    /// The same text for all rows.
    Constant(String),
    /// The value of a column.
    Column(ColumnId),
}

impl PartitionColumn {
    /// The key field that determines the value.
    pub fn field(&self) -> Option<FieldId> {
        match self.value {
            PartitionValue::Field(field) | PartitionValue::Part { field, .. } => Some(field),
            PartitionValue::Constant(_) | PartitionValue::Column(_) => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct TargetColumn {
    pub name: String,
    pub value: TargetValue,
    /// The Hive type in the target's DDL; `None` for an expression without a declared type.
    pub hive_type: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum TargetValue {
    Column(ColumnId),
    /// Decoded from the row key.
    KeyField(FieldId),
    /// A Hive expression over the columns of the mapping table, passed through.
    Expression(Expression),
}

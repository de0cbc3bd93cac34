//! The table schema as every other room sees it: plain types, checked and complete.
//!
//! Row key = salt, then the stored fields, with separators between the parts. All widths are in bytes.

use chrono_tz::Tz;

use crate::diag::{Span, Spanned};
use crate::key::chars::Chars;
use crate::key::time_format::TimeFormat;

/// One HBase table with its row key, its regions and the Hive tables that sit on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    pub hbase: HbaseTable,
    pub key: RowKey,
    pub regions: Option<Spanned<Regions>>,
    /// Columns that are not part of the row key.
    pub columns: Vec<Column>,
    pub hive: Option<Hive>,
    /// Zone in which instants are shown as local time. The zone of the host is never used.
    pub time_zone: Option<Tz>,
}

impl Schema {
    /// The key field of this name; names compare without regard to case, as in Hive.
    pub fn field(&self, name: &str) -> Option<usize> {
        self.key.fields.iter().position(|field| field.name.eq_ignore_ascii_case(name))
    }

    /// The column (outside the key) of this name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct HbaseTable {
    /// `None` is HBase's namespace `default`.
    pub namespace: Option<String>,
    /// Table name without the namespace.
    pub qualifier: String,
    pub span: Span,
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
    /// Shell attributes in the order of the file, names as the file spells them (`versions`, `bloom_filter`).
    pub attributes: Vec<(String, Attribute)>,
}

/// Value of a family attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Attribute {
    Number(i64),
    Bool(bool),
    Text(String),
}

#[derive(Debug, Clone, PartialEq)]
pub struct RowKey {
    pub salt: Option<Salt>,
    /// All fields in key order, those that are not stored included.
    pub fields: Vec<Field>,
    pub span: Span,
}

impl RowKey {
    /// Indices of the fields whose bytes are in the key, in key order.
    pub fn stored(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.fields.iter().enumerate().filter(|(_, field)| field.stored).map(|(index, _)| index)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: String,
    pub kind: FieldKind,
    /// `false`: the field feeds the salt only, its bytes are not in the key.
    pub stored: bool,
    /// Separator written after the field; empty after the last stored one.
    pub then: Vec<u8>,
    /// The whole YAML mapping of the field.
    pub span: Span,
}

/// Type and encoding of a key field.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldKind {
    Text(TextField),
    Integer(IntegerField),
    /// A calendar date (`time_of_day: false`) or a local date and time as text.
    Calendar(CalendarField),
    /// An instant as a number of milliseconds or seconds since 1970-01-01T00:00:00Z.
    Epoch(EpochField),
}

impl FieldKind {
    /// The Hive type of the field's values.
    pub fn hive_type(&self) -> &'static str {
        match self {
            FieldKind::Text(_) => "string",
            FieldKind::Integer(IntegerField { size: IntegerSize::Int, .. }) => "int",
            FieldKind::Integer(IntegerField { size: IntegerSize::Bigint, .. }) => "bigint",
            FieldKind::Calendar(CalendarField { time_of_day: false, .. }) => "date",
            FieldKind::Calendar(_) | FieldKind::Epoch(_) => "timestamp",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct TextField {
    /// Exact width in bytes; `None` is any width.
    pub width: Option<usize>,
    pub chars: Chars,
    /// The finite domain, when the file lists one.
    pub values: Option<Vec<String>>,
    /// Characters are stored in reverse order.
    pub reverse: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct IntegerField {
    /// `int` (4 bytes) or `bigint` (8 bytes).
    pub size: IntegerSize,
    pub encoding: IntegerEncoding,
    /// Stores `MAX - value`, so that larger values sort first.
    pub descending: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntegerSize {
    Int,
    Bigint,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntegerEncoding {
    /// Two's complement, big endian: negative values sort after positive ones.
    BigEndian,
    /// Two's complement with the sign bit flipped, big endian: sorts as numbers.
    BigEndianSortable,
    /// Decimal text, zero padded to `width` digits (then never negative) or unpadded.
    Decimal { width: Option<usize> },
}

#[derive(Debug, Clone, PartialEq)]
pub struct CalendarField {
    pub format: TimeFormat,
    /// `true` for the type `timestamp`, `false` for `date`.
    pub time_of_day: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct EpochField {
    pub unit: EpochUnit,
    pub encoding: IntegerEncoding,
    pub descending: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EpochUnit {
    Seconds,
    Milliseconds,
}

/// Leading bytes that spread writes over the regions.
#[derive(Debug, Clone, PartialEq)]
pub struct Salt {
    pub scheme: SaltScheme,
    pub write: SaltWrite,
    /// Separator between the salt and the first field.
    pub then: Vec<u8>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum SaltScheme {
    /// The first hex digits (1 to 32, lower case) of the MD5 of the inputs joined by `joined_by`.
    Md5 { of: SaltInputs, joined_by: Vec<u8>, first_hex_digits: usize },
    /// `String.hashCode` of Java over the inputs, then reduced.
    JavaHash { of: Vec<SaltInput>, combine: Combine, reduce: Reduce },
    /// Java's `%` of an integer field: keeps the sign.
    Modulo { field: usize, by: i64 },
    /// A number in `0..below` that nothing can recompute.
    Random { below: u64 },
}

#[derive(Debug, Clone, PartialEq)]
pub enum SaltInputs {
    /// The stored bytes of all fields, the separators between them included.
    Key,
    List(Vec<SaltInput>),
}

/// A part of a row that a salt is computed from: the stored bytes of a field, or a cut of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SaltInput {
    /// Index into [`RowKey::fields`].
    pub field: usize,
    pub cut: Cut,
    /// Lower-case the input before it is used.
    pub lower: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cut {
    Whole,
    /// Leading characters of text, leading bytes of binary.
    First(usize),
    /// Trailing characters of text, trailing bytes of binary.
    Last(usize),
    /// A date or an instant printed in another format (an instant in the schema's time zone).
    Format(TimeFormat),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// The hash of the inputs' concatenation.
    Concat,
    /// The exclusive or of the inputs' hashes.
    Xor,
}

/// From a 32-bit Java hash to the salt's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduce {
    Mask(i32),
    Modulo { by: i32, abs: Abs },
}

/// Where `Math.abs` stands: before the modulo it leaves `Integer.MIN_VALUE` negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abs {
    Before,
    After,
    None,
}

/// How the salt's number becomes bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaltWrite {
    Decimal {
        width: Option<usize>,
    },
    /// Lower-case hex: the MD5 digits as they are, other numbers without padding.
    Hex,
    Be16,
    Be32,
    Be64,
}

/// How the table is pre-split.
#[derive(Debug, Clone, PartialEq)]
pub enum Regions {
    PerSalt,
    /// Split keys as written, with their places.
    Explicit(Vec<Spanned<Vec<u8>>>),
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
    /// Hive type, as the file spells it.
    pub hive_type: String,
    pub family: String,
    pub qualifier: String,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Hive {
    pub mapping: Option<MappingTable>,
    pub target: Option<TargetTable>,
}

/// A Hive table name, with its database where the file gives one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiveTableName {
    pub database: Option<String>,
    pub table: String,
}

/// The Hive table on HBase.
#[derive(Debug, Clone, PartialEq)]
pub struct MappingTable {
    pub table: HiveTableName,
    pub key_column: String,
    pub external: bool,
    pub span: Span,
}

/// The Hive table that an INSERT OVERWRITE fills.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetTable {
    pub table: HiveTableName,
    pub partition: Vec<PartitionColumn>,
    /// Storage format word, such as `orc`.
    pub stored_as: String,
    pub columns: Vec<TargetColumn>,
    pub span: Span,
}

/// A partition column. It has the name of a key field, and the field's value in its stored text form.
#[derive(Debug, Clone, PartialEq)]
pub struct PartitionColumn {
    pub field: usize,
    /// Hive type: what the file says, or [`PartitionColumn::default_type`].
    pub hive_type: String,
    pub span: Span,
}

impl PartitionColumn {
    /// The Hive type of a partition column when the file names none: numbers where the stored text is one, so that
    /// `opera_day = 20200406` needs no quotes.
    pub fn default_type(kind: &FieldKind) -> &'static str {
        match kind {
            FieldKind::Calendar(calendar) if calendar.format.is_digits() && calendar.format.width() <= 9 => {
                "int"
            }
            FieldKind::Calendar(calendar) if calendar.format.is_digits() && calendar.format.width() <= 18 => {
                "bigint"
            }
            FieldKind::Integer(IntegerField { size: IntegerSize::Int, .. }) => "int",
            FieldKind::Integer(IntegerField { size: IntegerSize::Bigint, .. }) => "bigint",
            FieldKind::Calendar(_) | FieldKind::Text(_) | FieldKind::Epoch(_) => "string",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct TargetColumn {
    pub name: String,
    pub value: TargetValue,
    /// Hive type in the target's DDL; `None` for an expression whose type the file does not tell.
    pub hive_type: Option<String>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum TargetValue {
    /// Index into [`Schema::columns`].
    Column(usize),
    /// Index into [`RowKey::fields`]: decoded from the row key.
    KeyField(usize),
    /// A Hive expression over the mapping table's columns, passed through.
    Expression(String),
}

//! How a row key is built: the salt, the fields, and the separators between them. All widths are in bytes.

use super::chars::Chars;
use super::listed::ListedValues;
use super::time_format::TimeFormat;
use super::window::Window;
use crate::diag::Span;

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
    /// Of a date or a time: what is plausible. Open for other kinds, and where the file does not say.
    pub window: Window,
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
    /// The `type` that the field is declared with.
    pub fn declared_type(&self) -> &'static str {
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
    pub values: Option<ListedValues>,
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
    /// The least and the greatest value, where the file says so.
    pub min: Option<i64>,
    pub max: Option<i64>,
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

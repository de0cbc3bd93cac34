//! Which Hive types can represent the values of a key field, and in which form. Target columns and partitions
//! share this list.
//!
//! A type is listed if it keeps different values apart and `load` reads the same value back. The only
//! exception (see docs/schema.md) is the local time of instants, for reports: `load` refuses local times that
//! occur twice.

use thiserror::Error;

use crate::key::field::{EpochField, EpochUnit, Field, FieldKind, TextField};
use saltplan_sql::hive_type::{DeclaredType, HiveType, Type};
use saltplan_sql::time::format::ISO_DAY;
use saltplan_sql::time::pattern::{Granularity, TimePattern};

/// The maximum length of a row key, and so of a field: HBase stores the length in a short.
const MAX_KEY: usize = 32_767;

/// The partition for rows without a value in the partition column.
pub(crate) const DEFAULT_PARTITION: &str = "__HIVE_DEFAULT_PARTITION__";

/// A name for the day partition of a field that does not collide with other names.
pub fn name_of_days(field: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if is_taken("dt") { format!("{field}_day") } else { "dt".into() }
}

/// The format of day partitions.
pub const FORMAT_OF_DAYS: &str = "yyyyMMdd";

/// The form of a value before it is cast to the type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenForm {
    /// The characters of a text, or a date or a local time in the field's own format.
    Text,
    /// A whole number. For a date, the digits in the field's own format; for an instant, the number of its
    /// unit.
    Number,
    /// A DATE.
    Date,
    /// A date or a local time as a TIMESTAMP.
    Timestamp,
    /// The local time of an instant in the schema's time zone, as text.
    ClockText,
    /// The local date of an instant, as a DATE.
    ClockDate,
    /// The local time of an instant, as a TIMESTAMP.
    ClockTimestamp,
}

impl WrittenForm {
    /// Whether a time zone must be known.
    pub fn is_clock(self) -> bool {
        matches!(self, WrittenForm::ClockText | WrittenForm::ClockDate | WrittenForm::ClockTimestamp)
    }
}

/// What a type is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeUse {
    /// A column of the target table.
    Column,
    /// A partition column, whose values are texts in a path.
    Partition,
}

/// Why a type cannot represent a field's values, and which type can.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{reason} ({help})")]
pub struct Mismatch {
    pub reason: MismatchReason,
    pub help: String,
}

/// Why a type cannot represent a field's values.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MismatchReason {
    #[error("the value of a partition is padded with blanks to the width")]
    PaddedPartition,
    #[error("leading zeros are lost")]
    LeadingZeros,
    #[error("trailing blanks are lost")]
    TrailingBlanks,
    #[error("the values are text")]
    Text,
    #[error("the values are dates and times")]
    Times,
    #[error("the values are numbers")]
    Numbers,
    #[error("a value may have {longest} characters, so the type would truncate it")]
    CutOff { longest: usize },
    #[error(
        "a value may have {longest} characters (the field has no `width`), so the type would truncate it"
    )]
    CutOffWithoutWidth { longest: usize },
    #[error("a value has {width} digits, but the type holds numbers up to {greatest}")]
    Digits { width: usize, greatest: i128 },
    #[error("`{pattern}` prints characters other than digits")]
    Signs { pattern: String },
    #[error("all times of a day become the same value")]
    SameDay,
    #[error("a DATE partition is yyyy-MM-dd, but the text is {pattern}")]
    DatePartition { pattern: String },
    #[error("the numbers are {first} to {last}, but the type holds {least} to {greatest}")]
    Range { first: i128, last: i128, least: i128, greatest: i128 },
    #[error("the type holds {least} to {greatest}")]
    Number { least: i128, greatest: i128 },
    #[error("it is not a calendar day in the form yyyy-MM-dd")]
    NoDay,
    #[error("different numbers become the same inexact value")]
    NotExact,
    #[error("the numbers are whole, but the type has decimal places")]
    Fraction,
    #[error("the values cannot be folder names")]
    Folder,
    #[error("different instants with the same local time become the same value")]
    SameReading,
}

/// The default type of a column or a partition.
pub fn default_type(kind: &FieldKind, place: TypeUse) -> Type {
    match (kind, place) {
        // The text in the path of a DATE or TIMESTAMP partition differs from the text in the key.
        (FieldKind::Calendar(calendar), TypeUse::Partition) if !calendar.hive_type.is_stored_form() => {
            type_of_units(calendar.format.printed())
        }
        _ => kind.hive_type(),
    }
}

/// The default type of a partition with units of time.
pub(crate) fn type_of_units(pattern: &TimePattern) -> Type {
    // So that `opera_day = 20200406` needs no quotes.
    match pattern.number_digits() {
        Some(..=9) => Type::Int,
        Some(10..=18) => Type::BigInt,
        _ => Type::String,
    }
}

/// How printed units of time are written as the type of a partition.
///
/// # Errors
/// Why the type cannot represent them.
pub(crate) fn units_conversion(pattern: &TimePattern, hive_type: &HiveType) -> Result<WrittenForm, Mismatch> {
    let mismatch = |reason| Mismatch { reason, help: format!("write `type: {}`", type_of_units(pattern)) };
    // Leading zeros are restored when the value is read, because every text has the same width.
    if hive_type.whole_numbers().is_some_and(|(_, greatest)| greatest_of(pattern.width()) <= greatest)
        && pattern.is_digits()
    {
        return Ok(WrittenForm::Number);
    }
    let of = hive_type.primitive();
    let form = pattern_form(pattern, of, TypeUse::Partition).map_err(mismatch)?;
    match of {
        Some(Type::Char(most)) if usize::try_from(most).ok() != Some(pattern.width()) => {
            Err(mismatch(MismatchReason::PaddedPartition))
        }
        _ => Ok(form),
    }
}

/// The constant of a partition as Hive shows it in a type.
///
/// # Errors
/// Why the type cannot represent it.
pub fn constant(text: &str, hive_type: &HiveType) -> Result<String, Mismatch> {
    let mismatch = |reason| Mismatch { reason, help: "write `type: string`".into() };
    if let Some((least, greatest)) = hive_type.whole_numbers() {
        let number: i128 = text.parse().map_err(|_| mismatch(MismatchReason::Text))?;
        let range = MismatchReason::Number { least, greatest };
        return match number.to_string() {
            _ if !(least..=greatest).contains(&number) => Err(mismatch(range)),
            plain if plain != text => Err(mismatch(MismatchReason::LeadingZeros)),
            plain => Ok(plain),
        };
    }
    let longest = text.chars().count();
    match hive_type.primitive() {
        Some(Type::Date) => match chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d") {
            Ok(_) if text.len() == 10 => Ok(text.to_string()),
            _ => Err(mismatch(MismatchReason::NoDay)),
        },
        Some(Type::Char(most)) if usize::try_from(most).ok() != Some(longest) => {
            Err(mismatch(MismatchReason::PaddedPartition))
        }
        _ => {
            let most = hive_type.characters().ok_or_else(|| mismatch(MismatchReason::Text))?;
            fits(longest, most).map_err(mismatch).map(|_| text.to_string())
        }
    }
}

/// The type of a partition with the values of a column: the column's own type, or `string` if that cannot be
/// used in a path.
///
/// # Errors
/// Neither type keeps the values apart.
pub(crate) fn column_partition_type(column: &DeclaredType) -> Result<DeclaredType, Mismatch> {
    let mismatch =
        |reason| Mismatch { reason, help: "give the column another type, or use another column".into() };
    match column.primitive() {
        Some(Type::TinyInt | Type::SmallInt | Type::Int | Type::BigInt | Type::Date) => Ok(column.clone()),
        Some(Type::String | Type::Varchar(_)) => Ok(column.clone()),
        Some(Type::Char(_) | Type::Boolean | Type::Decimal { .. } | Type::Timestamp) => {
            Ok(Type::String.into())
        }
        Some(Type::Float | Type::Double) => Err(mismatch(MismatchReason::NotExact)),
        Some(Type::Binary | Type::Void | Type::IntervalYearMonth | Type::IntervalDayTime) | None => {
            Err(mismatch(MismatchReason::Folder))
        }
    }
}

/// How the values of a field are written as a type.
///
/// # Errors
/// Why the type cannot represent them.
pub fn conversion(field: &Field, hive_type: &HiveType, place: TypeUse) -> Result<WrittenForm, Mismatch> {
    let default = default_type(&field.kind, place);
    let mismatch = |reason: MismatchReason| Mismatch { reason, help: format!("write `type: {default}`") };
    let of = hive_type.primitive();
    let form = form(&field.kind, of, place).map_err(mismatch)?;
    match (place, of) {
        // Hive writes the blanks into the path, and then does not find the partition without them.
        (TypeUse::Partition, Some(Type::Char(most))) if width(&field.kind) != usize::try_from(most).ok() => {
            Err(mismatch(MismatchReason::PaddedPartition))
        }
        _ => Ok(form),
    }
}

/// `of` is `None` for nested types.
fn form(kind: &FieldKind, of: Option<Type>, place: TypeUse) -> Result<WrittenForm, MismatchReason> {
    match kind {
        FieldKind::Text(text) => text_form(text, of, place),
        FieldKind::Calendar(calendar) => pattern_form(calendar.format.printed(), of, place),
        FieldKind::Integer(_) => number_form(kind, of),
        FieldKind::Epoch(epoch) => instant_form(kind, epoch, of, place),
    }
}

fn text_form(text: &TextField, of: Option<Type>, place: TypeUse) -> Result<WrittenForm, MismatchReason> {
    if of == Some(Type::Binary) && place == TypeUse::Column {
        return Ok(WrittenForm::Text);
    }
    if of.and_then(Type::whole_numbers).is_some() && text.chars.is_digits() {
        return Err(MismatchReason::LeadingZeros);
    }
    let most = of.and_then(Type::characters).ok_or(MismatchReason::Text)?;
    let (longest, blank) = match &text.values {
        Some(values) => {
            let longest = values.iter().map(|text| text.chars().count()).max();
            (longest.unwrap_or(0), values.iter().any(|text| text.ends_with(' ')))
        }
        None => (text.longest().unwrap_or(MAX_KEY), text.chars.contains(' ')),
    };
    if matches!(of, Some(Type::Char(_))) && blank {
        return Err(MismatchReason::TrailingBlanks);
    }
    match fits(longest, most) {
        Err(_) if text.longest().is_none() && text.values.is_none() => {
            Err(MismatchReason::CutOffWithoutWidth { longest })
        }
        fits => fits,
    }
}

fn fits(longest: usize, most: usize) -> Result<WrittenForm, MismatchReason> {
    if longest <= most {
        return Ok(WrittenForm::Text);
    }
    Err(MismatchReason::CutOff { longest })
}

/// The greatest number with this many digits.
fn greatest_of(digits: usize) -> i128 {
    10i128.pow(u32::try_from(digits).unwrap_or(38).min(38)) - 1
}

/// Printed units of time.
fn pattern_form(
    pattern: &TimePattern,
    of: Option<Type>,
    place: TypeUse,
) -> Result<WrittenForm, MismatchReason> {
    if let Some((_, greatest)) = of.and_then(Type::whole_numbers) {
        return match pattern.number_digits() {
            Some(width) if greatest_of(width) <= greatest => Ok(WrittenForm::Number),
            Some(width) => Err(MismatchReason::Digits { width, greatest }),
            None if pattern.is_digits() => Err(MismatchReason::LeadingZeros),
            None => Err(MismatchReason::Signs { pattern: pattern.text().to_string() }),
        };
    }
    match (of, place) {
        (Some(Type::Date), _) if pattern.units().any(|unit| unit > Granularity::Day) => {
            Err(MismatchReason::SameDay)
        }
        (Some(Type::Date), TypeUse::Partition) if pattern.text() != ISO_DAY => {
            Err(MismatchReason::DatePartition { pattern: pattern.text().to_string() })
        }
        (Some(Type::Date), _) => Ok(WrittenForm::Date),
        (Some(Type::Timestamp), TypeUse::Column) => Ok(WrittenForm::Timestamp),
        _ => {
            let most = of.and_then(Type::characters).ok_or(MismatchReason::Times)?;
            fits(pattern.width(), most)
        }
    }
}

fn number_form(kind: &FieldKind, of: Option<Type>) -> Result<WrittenForm, MismatchReason> {
    let (first, last) = numbers(kind);
    if let Some((least, greatest)) = of.and_then(Type::whole_numbers) {
        if least <= first && last <= greatest {
            return Ok(WrittenForm::Number);
        }
        return Err(MismatchReason::Range { first, last, least, greatest });
    }
    match of {
        Some(Type::Float | Type::Double) => Err(MismatchReason::NotExact),
        Some(Type::Decimal { .. }) => Err(MismatchReason::Fraction),
        _ => {
            let most = of.and_then(Type::characters).ok_or(MismatchReason::Numbers)?;
            let longest = first.to_string().len().max(last.to_string().len());
            fits(longest, most).map(|_| WrittenForm::Number)
        }
    }
}

fn instant_form(
    kind: &FieldKind,
    epoch: &EpochField,
    of: Option<Type>,
    place: TypeUse,
) -> Result<WrittenForm, MismatchReason> {
    let is_text = of.and_then(Type::characters).is_some();
    if place == TypeUse::Partition && (is_text || matches!(of, Some(Type::Date | Type::Timestamp))) {
        return Err(MismatchReason::SameReading);
    }
    match of {
        Some(Type::Date) => Ok(WrittenForm::ClockDate),
        Some(Type::Timestamp) => Ok(WrittenForm::ClockTimestamp),
        _ if is_text => {
            let longest = match epoch.unit {
                EpochUnit::Seconds => "yyyy-MM-dd HH:mm:ss".len(),
                EpochUnit::Milliseconds => "yyyy-MM-dd HH:mm:ss.SSS".len(),
            };
            fits(longest, of.and_then(Type::characters).unwrap_or(0)).map(|_| WrittenForm::ClockText)
        }
        _ => number_form(kind, of),
    }
}

/// The first and the last number of a field.
fn numbers(kind: &FieldKind) -> (i128, i128) {
    let domain = kind.domain();
    let first = domain.as_ref().map_or(i64::MIN.into(), |domain| domain.start);
    (first, domain.and_then(|domain| domain.stop).map_or(i64::MAX.into(), |stop| stop - 1))
}

/// The width of a field's values as text, in characters, if it is fixed.
fn width(kind: &FieldKind) -> Option<usize> {
    match kind {
        FieldKind::Text(_) if !kind.is_ascii_in_key() => None,
        FieldKind::Text(_) | FieldKind::Calendar(_) => kind.fixed_width(),
        FieldKind::Integer(_) | FieldKind::Epoch(_) => None,
    }
}

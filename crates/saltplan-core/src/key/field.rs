//! The fields of a row key: their values and how they are stored. All widths are in bytes.

use super::chars::Chars;
use super::id::{IdVec, id};
use super::listed::ListedValues;
use super::number::NumberForm;
use super::text_form::{TextForm, TextLayout};
use super::window::Window;
use saltplan_sql::hive_type::Type;
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::Granularity;

id! {
    /// The position of a field in the key, from 0 in key order, including fields that are not stored.
    FieldId
}

/// A value for each field of a key.
pub type FieldVec<T> = IdVec<FieldId, T>;

#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: String,
    pub kind: FieldKind,
    /// `false`: the field is only an input of the salt, its bytes are not in the key.
    pub stored: bool,
    /// The plausible values of a date or a time. Unbounded for other kinds, and if the file does not set it.
    pub window: Window,
    /// The separator written after the field; empty after the last stored one.
    pub separator: Vec<u8>,
}

/// Type and encoding of a key field.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldKind {
    Text(TextField),
    Integer(NumberForm),
    /// A calendar date (`time_of_day: false`) or a local date and time, stored as text.
    Calendar(CalendarField),
    /// An instant as a number of milliseconds or seconds since 1970-01-01T00:00:00Z.
    Epoch(EpochField),
}

impl FieldKind {
    /// The date or time that the field holds; `None` for texts and other numbers.
    pub fn time(&self) -> Option<FieldTime<'_>> {
        match self {
            FieldKind::Calendar(calendar) => Some(FieldTime::Local(calendar)),
            FieldKind::Epoch(epoch) => Some(FieldTime::Instant(epoch)),
            FieldKind::Text(_) | FieldKind::Integer(_) => None,
        }
    }

    /// The Hive type of the field's values.
    pub fn hive_type(&self) -> Type {
        match self {
            FieldKind::Text(_) => Type::String,
            FieldKind::Integer(number) => number.size.hive_type(),
            FieldKind::Calendar(calendar) => calendar.hive_type.hive_type(),
            FieldKind::Epoch(_) => Type::BigInt,
        }
    }

    /// Whether the field may be NULL. The key then stores an empty text.
    pub fn is_nullable(&self) -> bool {
        matches!(self, FieldKind::Text(TextField { nullable: true, .. }))
    }

    /// Whether text functions and LIKE see the text that the key stores, or its reverse.
    pub(crate) fn shows_stored_text(&self) -> bool {
        match self {
            FieldKind::Text(_) => true,
            FieldKind::Calendar(calendar) => calendar.hive_type.is_stored_form(),
            FieldKind::Integer(_) | FieldKind::Epoch(_) => false,
        }
    }

    /// The `type` that the field is declared with.
    pub fn declared_type(&self) -> &'static str {
        match self {
            FieldKind::Text(TextField { form: TextForm { layout: TextLayout::Hex, .. }, .. }) => "bytes",
            FieldKind::Text(_) => "string",
            FieldKind::Integer(number) => number.size.name(),
            FieldKind::Calendar(CalendarField { time_of_day: false, .. }) => "date",
            FieldKind::Calendar(_) | FieldKind::Epoch(_) => "timestamp",
        }
    }

    /// A description of the encoding.
    pub fn describe(&self) -> String {
        match self {
            FieldKind::Text(text) => described_text(text),
            FieldKind::Integer(number) => number.describe(),
            FieldKind::Calendar(field) => format!("date text {}", field.format.pattern()),
            FieldKind::Epoch(field) => {
                let unit = match field.unit {
                    EpochUnit::Seconds => "s",
                    EpochUnit::Milliseconds => "ms",
                };
                format!("epoch {unit}, {}", field.number.describe())
            }
        }
    }
}

fn described_text(text: &TextField) -> String {
    let inverted = if text.form.descending { ", every bit inverted" } else { "" };
    let layout = match text.form.layout {
        TextLayout::Hex => "bytes".into(),
        TextLayout::Padded { byte, .. } => format!("text padded with {:?}", char::from(byte)),
        TextLayout::Plain | TextLayout::Terminated if text.reverse => "reversed text".into(),
        TextLayout::Plain | TextLayout::Terminated => "text".to_string(),
    };
    format!("{layout}{inverted}")
}

/// A date or a time of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FieldTime<'f> {
    /// A date or a local time, stored as text.
    Local(&'f CalendarField),
    /// An instant, stored as a number.
    Instant(&'f EpochField),
}

impl FieldTime<'_> {
    /// The unit in which the values are counted, such as `day`.
    pub fn unit(self) -> Granularity {
        match self {
            FieldTime::Local(calendar) => calendar.format.granularity(),
            FieldTime::Instant(EpochField { unit: EpochUnit::Seconds, .. }) => Granularity::Second,
            FieldTime::Instant(EpochField { unit: EpochUnit::Milliseconds, .. }) => Granularity::Millisecond,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct TextField {
    /// Exact width of the text in bytes; `None` means any width, up to that of a padded form.
    pub width: Option<usize>,
    pub chars: Chars,
    /// The finite domain, if the file lists the values.
    pub values: Option<ListedValues>,
    /// The characters are stored in reverse order.
    pub reverse: bool,
    /// The empty text represents NULL and is not a value itself. Sets of values and rows contain NULL as the
    /// empty text.
    pub nullable: bool,
    pub form: TextForm,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CalendarField {
    pub format: TimeFormat,
    /// `true` for the type `timestamp`, `false` for `date`.
    pub time_of_day: bool,
    pub hive_type: CalendarType,
}

/// The Hive type of a calendar field in predicates, in residuals, and in columns for which the file sets no
/// type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalendarType {
    /// The stored digits as a number: 20200406.
    Int,
    Bigint,
    /// The stored text.
    String,
    Date,
    Timestamp,
}

impl CalendarType {
    pub fn name(self) -> &'static str {
        match self {
            CalendarType::Int => "int",
            CalendarType::Bigint => "bigint",
            CalendarType::String => "string",
            CalendarType::Date => "date",
            CalendarType::Timestamp => "timestamp",
        }
    }

    pub fn hive_type(self) -> Type {
        match self {
            CalendarType::Int => Type::Int,
            CalendarType::Bigint => Type::BigInt,
            CalendarType::String => Type::String,
            CalendarType::Date => Type::Date,
            CalendarType::Timestamp => Type::Timestamp,
        }
    }

    /// The default type: `int` for up to nine digits that start with the year, `string` for other patterns.
    pub(crate) fn default_of(format: &TimeFormat) -> Self {
        match format.printed().number_digits() {
            Some(..=9) => CalendarType::Int,
            _ => CalendarType::String,
        }
    }

    /// Whether the value is the stored form (text or number), and not a DATE or a TIMESTAMP.
    pub(crate) fn is_stored_form(self) -> bool {
        matches!(self, CalendarType::Int | CalendarType::Bigint | CalendarType::String)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct EpochField {
    pub unit: EpochUnit,
    pub number: NumberForm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EpochUnit {
    Seconds,
    Milliseconds,
}

impl EpochUnit {
    /// The length of the unit in milliseconds.
    pub fn milliseconds(self) -> i64 {
        match self {
            EpochUnit::Seconds => 1_000,
            EpochUnit::Milliseconds => 1,
        }
    }

    /// The first whole unit at or after a time in milliseconds.
    pub(crate) fn ceiling(self, milliseconds: i128) -> i128 {
        -(-milliseconds).div_euclid(i128::from(self.milliseconds()))
    }
}

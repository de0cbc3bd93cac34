//! The inputs of a salt: the stored bytes of fields, or parts of them.

use chrono_tz::Tz;
use thiserror::Error;

use super::reduction::Joint;
use crate::key::ValueError;
use crate::key::codec::{Value, ValueRef};
use crate::key::field::{Field, FieldId, FieldKind, FieldVec};
use crate::key::id::{IdVec, id};
use crate::key::time_format::TimeFormat;
use crate::key::zone;

/// Why an input cannot be computed from a value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InputError {
    #[error(transparent)]
    Value(#[from] ValueError),
    #[error("`{field}` is outside the calendar")]
    OutsideTheCalendar { field: String },
    #[error("the schema has no `time_zone`")]
    NoTimeZone,
    #[error("`{field}` has no date to format")]
    NoDate { field: String },
}

#[derive(Debug, Clone, PartialEq)]
pub enum SaltInputs {
    /// The stored bytes of all fields, including the separators between them.
    Key,
    List(Vec<SaltInput>),
}

/// An input of a salt: the stored bytes of a field, or a part of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SaltInput {
    pub field: FieldId,
    pub cut: Cut,
    /// Convert the input to lower case.
    pub lower: bool,
}

id!(
    /// The position of an input in [`Salt::inputs`](crate::key::salt::Salt::inputs).
    InputId
);

/// A value for each input, in the order of the salt.
pub type InputVec<T> = IdVec<InputId, T>;

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

impl SaltInputs {
    /// Whether it is one input alone.
    pub(super) fn is_one(&self) -> bool {
        matches!(self, SaltInputs::List(inputs) if inputs.len() == 1)
    }

    /// The inputs one by one: of the whole key, every stored field.
    pub fn list(&self, fields: &FieldVec<Field>) -> Vec<SaltInput> {
        match self {
            SaltInputs::Key => stored(fields).map(|(index, _)| SaltInput::whole(index)).collect(),
            SaltInputs::List(inputs) => inputs.clone(),
        }
    }

    /// The bytes that are hashed: the inputs joined by `joined_by`, or by the separators of the key.
    pub(super) fn join<'i>(
        &self,
        fields: &FieldVec<Field>,
        joined_by: &[u8],
        inputs: impl Iterator<Item = &'i [u8]>,
    ) -> Vec<u8> {
        let mut joined = Vec::new();
        match self {
            SaltInputs::List(_) => {
                for (index, input) in inputs.enumerate() {
                    joined.extend_from_slice(if index > 0 { joined_by } else { &[] });
                    joined.extend_from_slice(input);
                }
            }
            SaltInputs::Key => {
                for ((_, field), input) in stored(fields).zip(inputs) {
                    joined.extend_from_slice(input);
                    joined.extend_from_slice(&field.separator);
                }
            }
        }
        joined
    }

    /// The bytes between the inputs.
    pub(super) fn joint(&self, fields: &FieldVec<Field>, joined_by: &[u8]) -> Option<Joint> {
        let SaltInputs::Key = self else { return Some(Joint::Bytes(joined_by.to_vec())) };
        let separators: Vec<Vec<u8>> = stored(fields).map(|(_, field)| field.separator.clone()).collect();
        let (_, between) = separators.split_last()?;
        let first = between.first()?;
        let is_uniform = between.iter().all(|one| one == first);
        Some(if is_uniform { Joint::Bytes(first.clone()) } else { Joint::Each(between.to_vec()) })
    }
}

fn stored(fields: &FieldVec<Field>) -> impl Iterator<Item = (FieldId, &Field)> {
    fields.entries().filter(|(_, field)| field.stored)
}

impl SaltInput {
    /// All stored bytes of a field.
    pub fn whole(field: FieldId) -> Self {
        SaltInput { field, cut: Cut::Whole, lower: false }
    }

    pub fn is_whole(&self) -> bool {
        self.cut == Cut::Whole && !self.lower
    }

    /// The bytes of this input for a value of the field.
    ///
    /// # Errors
    /// The value violates the field's declaration, or an instant needs a time zone that the schema lacks.
    pub fn bytes(&self, field: &Field, value: &Value, time_zone: Option<Tz>) -> Result<Vec<u8>, InputError> {
        let stored = field.kind.encode(value)?;
        let mut bytes = Vec::new();
        self.write(field, value.into(), &stored, time_zone, &mut bytes)?;
        Ok(bytes)
    }

    /// Appends the bytes of this input, given the stored bytes of the field's value.
    ///
    /// # Errors
    /// An instant is outside the calendar, or needs a time zone that the schema lacks.
    pub fn write(
        &self,
        field: &Field,
        value: ValueRef<'_>,
        stored: &[u8],
        time_zone: Option<Tz>,
        out: &mut Vec<u8>,
    ) -> Result<(), InputError> {
        let start = out.len();
        let text = field.kind.is_text_in_key();
        match &self.cut {
            Cut::Whole => out.extend_from_slice(stored),
            Cut::First(count) if text => out.extend_from_slice(first_chars(stored, *count)),
            Cut::Last(count) if text => out.extend_from_slice(last_chars(stored, *count)),
            Cut::First(count) => out.extend_from_slice(&stored[..(*count).min(stored.len())]),
            Cut::Last(count) => out.extend_from_slice(&stored[stored.len() - (*count).min(stored.len())..]),
            Cut::Format(format) => format.write_local(local_start(field, value, time_zone)?, out),
        }
        if self.lower {
            let lower = String::from_utf8_lossy(&out[start..]).to_lowercase();
            out.truncate(start);
            out.extend_from_slice(lower.as_bytes());
        }
        Ok(())
    }
}

/// The bytes of the first characters of UTF-8 text.
fn first_chars(text: &[u8], count: usize) -> &[u8] {
    let starts = text.iter().enumerate().filter(|(_, byte)| starts_char(**byte));
    let end = starts.map(|(at, _)| at).nth(count).unwrap_or(text.len());
    &text[..end]
}

/// The bytes of the last characters of UTF-8 text.
fn last_chars(text: &[u8], count: usize) -> &[u8] {
    let Some(before) = count.checked_sub(1) else { return &[] };
    let starts = text.iter().enumerate().rev().filter(|(_, byte)| starts_char(**byte));
    let start = starts.map(|(at, _)| at).nth(before).unwrap_or(0);
    &text[start..]
}

/// Whether a byte of UTF-8 text starts a character.
fn starts_char(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// The local time at which the unit of a calendar or epoch value starts.
fn local_start(
    field: &Field,
    value: ValueRef<'_>,
    time_zone: Option<Tz>,
) -> Result<chrono::NaiveDateTime, InputError> {
    let outside = || InputError::OutsideTheCalendar { field: field.name.clone() };
    match (&field.kind, value) {
        (FieldKind::Calendar(calendar), ValueRef::Number(ordinal)) => {
            calendar.format.granularity().start_of(ordinal).ok_or_else(outside)
        }
        (FieldKind::Epoch(epoch), ValueRef::Number(number)) => {
            let time_zone = time_zone.ok_or(InputError::NoTimeZone)?;
            let milliseconds = number.checked_mul(epoch.unit.milliseconds()).ok_or_else(outside)?;
            zone::local_time(time_zone, milliseconds).ok_or_else(outside)
        }
        _ => Err(InputError::NoDate { field: field.name.clone() }),
    }
}

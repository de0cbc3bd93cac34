//! The inputs of a salt: the stored bytes of fields, parts of them, or the values that they store.

use std::ops::Range;

use thiserror::Error;

use super::reducer::InputSeparator;
use crate::key::ValueError;
use crate::key::codec::{Value, ValueRef};
use crate::key::field::{Field, FieldId, FieldKind, FieldVec};
use crate::key::id::{IdVec, id};
use crate::key::number::write_decimal;
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::zone::Zone;

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
    /// The bytes of the stored key from `start` up to `stop`, counted from 0 after the salt. A shorter key ends
    /// earlier.
    KeyBytes {
        start: usize,
        stop: usize,
    },
    List(Vec<SaltInput>),
}

/// The text that a salt hashes: `before`, then each input with the bytes that follow it, all cut by `window`.
#[derive(Debug, Clone, PartialEq)]
pub struct HashedText {
    /// Bytes of a separator, if a range of key bytes starts inside it.
    pub before: Vec<u8>,
    pub inputs: Vec<(SaltInput, Vec<u8>)>,
    pub window: Window,
}

/// A half-open range of bytes, cut off at the end of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub start: usize,
    pub stop: usize,
}

impl HashedText {
    /// Whether the text consists only of the inputs and the bytes between them.
    pub fn is_of_inputs_alone(&self) -> bool {
        let ends = self.inputs.last().is_none_or(|(_, behind)| behind.is_empty());
        self.before.is_empty() && ends && self.window == Window::ALL
    }
}

impl Window {
    pub const ALL: Window = Window { start: 0, stop: usize::MAX };

    pub(crate) fn cut(self, text: &[u8]) -> &[u8] {
        &text[self.start.min(text.len())..self.stop.min(text.len())]
    }
}

/// An input of a salt: the stored bytes of a field, a part of them, or its value.
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
    /// The stored bytes from `from` up to `to`.
    Bytes {
        from: usize,
        to: usize,
    },
    /// A date or an instant printed in another format (an instant in the schema's time zone).
    Format(TimeFormat),
    /// The value as it was before the key stored it in another form: a text that is not reversed, padded or inverted, the decimal
    /// digits of a number. It is text.
    Original,
}

impl SaltInputs {
    /// Whether there is a single input.
    pub(super) fn is_one(&self) -> bool {
        matches!(self, SaltInputs::List(inputs) if inputs.len() == 1)
    }

    /// The inputs one by one; for the whole key, every stored field.
    pub fn list(&self, fields: &FieldVec<Field>) -> Vec<SaltInput> {
        match self {
            SaltInputs::List(inputs) => inputs.clone(),
            SaltInputs::Key | SaltInputs::KeyBytes { .. } => {
                self.text(fields, &[]).inputs.into_iter().map(|(input, _)| input).collect()
            }
        }
    }

    /// What is hashed: the inputs joined by `joined_by`, or by the separators of the key.
    pub fn text(&self, fields: &FieldVec<Field>, joined_by: &[u8]) -> HashedText {
        let of_all = |inputs| HashedText { before: Vec::new(), inputs, window: Window::ALL };
        match self {
            SaltInputs::Key => of_all(
                stored(fields).map(|(id, field)| (SaltInput::whole(id), field.separator.clone())).collect(),
            ),
            SaltInputs::KeyBytes { start, stop } => key_bytes(fields, *start, *stop),
            SaltInputs::List(inputs) => {
                let behind = |place| if place + 1 < inputs.len() { joined_by.to_vec() } else { Vec::new() };
                of_all(inputs.iter().enumerate().map(|(place, one)| (one.clone(), behind(place))).collect())
            }
        }
    }

    /// The bytes that are hashed.
    pub(super) fn join<'i>(
        &self,
        fields: &FieldVec<Field>,
        joined_by: &[u8],
        inputs: impl Iterator<Item = &'i [u8]>,
    ) -> Vec<u8> {
        match self {
            SaltInputs::List(_) => {
                let mut joined = Vec::new();
                for (index, input) in inputs.enumerate() {
                    joined.extend_from_slice(if index > 0 { joined_by } else { &[] });
                    joined.extend_from_slice(input);
                }
                joined
            }
            SaltInputs::Key => {
                let mut joined = Vec::new();
                for ((_, field), input) in stored(fields).zip(inputs) {
                    joined.extend_from_slice(input);
                    joined.extend_from_slice(&field.separator);
                }
                joined
            }
            SaltInputs::KeyBytes { .. } => {
                let text = self.text(fields, joined_by);
                let mut joined = text.before;
                for ((_, behind), input) in text.inputs.iter().zip(inputs) {
                    joined.extend_from_slice(input);
                    joined.extend_from_slice(behind);
                }
                text.window.cut(&joined).to_vec()
            }
        }
    }

    /// The bytes between the inputs.
    pub(super) fn separator(&self, fields: &FieldVec<Field>, joined_by: &[u8]) -> Option<InputSeparator> {
        if let SaltInputs::List(_) = self {
            return Some(InputSeparator::Bytes(joined_by.to_vec()));
        }
        let behind: Vec<Vec<u8>> =
            self.text(fields, joined_by).inputs.into_iter().map(|(_, behind)| behind).collect();
        let (_, between) = behind.split_last()?;
        let first = between.first()?;
        let is_uniform = between.iter().all(|one| one == first);
        Some(if is_uniform {
            InputSeparator::Bytes(first.clone())
        } else {
            InputSeparator::Each(between.to_vec())
        })
    }
}

/// The fields that a range of key bytes touches, with their bytes in the range as long as all preceding fields have a
/// fixed width. From the first field of variable width on, whole fields are taken, and the window cuts the text.
fn key_bytes(fields: &FieldVec<Field>, start: usize, stop: usize) -> HashedText {
    // The part of `length` bytes at `offset` that is in the range.
    let part = |offset: usize, length: usize| {
        start.saturating_sub(offset).min(length)..stop.saturating_sub(offset).min(length)
    };
    let mut text = HashedText { before: Vec::new(), inputs: Vec::new(), window: Window::ALL };
    let mut offset = 0;
    let mut has_variable = false;
    for (id, field) in stored(fields) {
        if offset >= stop {
            break;
        }
        let width = field.kind.fixed_width();
        if width.is_none() && !has_variable {
            has_variable = true;
            let skipped = start.saturating_sub(offset);
            text.window = Window { start: skipped, stop: skipped + stop.saturating_sub(start) };
        }
        let width = width.unwrap_or(0);
        if has_variable {
            text.inputs.push((SaltInput::whole(id), field.separator.clone()));
        } else {
            let own = part(offset, width);
            let behind = &field.separator[part(offset + width, field.separator.len())];
            match text.inputs.last_mut() {
                _ if !own.is_empty() => {
                    text.inputs.push((SaltInput::of_bytes(id, field, own), behind.to_vec()));
                }
                Some((_, last)) => last.extend_from_slice(behind),
                None => text.before.extend_from_slice(behind),
            }
        }
        offset += width + field.separator.len();
    }
    text
}

fn stored(fields: &FieldVec<Field>) -> impl Iterator<Item = (FieldId, &Field)> {
    fields.entries().filter(|(_, field)| field.stored)
}

impl SaltInput {
    /// All stored bytes of a field.
    pub fn whole(field: FieldId) -> Self {
        SaltInput { field, cut: Cut::Whole, lower: false }
    }

    /// Some stored bytes of a field of fixed width.
    fn of_bytes(id: FieldId, field: &Field, bytes: Range<usize>) -> Self {
        let width = field.kind.fixed_width().unwrap_or(usize::MAX);
        let counts_bytes = !field.kind.is_text_in_key() || field.kind.is_ascii_in_key();
        let cut = match (bytes.start, bytes.end) {
            (0, end) if end == width => Cut::Whole,
            (0, end) if counts_bytes => Cut::First(end),
            (start, end) if counts_bytes && end == width => Cut::Last(width - start),
            (from, to) => Cut::Bytes { from, to },
        };
        SaltInput { field: id, cut, lower: false }
    }

    pub fn is_whole(&self) -> bool {
        self.cut == Cut::Whole && !self.lower
    }

    /// The bytes of this input for a value of the field.
    ///
    /// # Errors
    /// The value violates the field's declaration, or an instant needs a time zone that the schema lacks.
    pub fn bytes(
        &self,
        field: &Field,
        value: &Value,
        time_zone: Option<Zone>,
    ) -> Result<Vec<u8>, InputError> {
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
        time_zone: Option<Zone>,
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
            Cut::Bytes { from, to } => out.extend_from_slice(Window { start: *from, stop: *to }.cut(stored)),
            Cut::Format(format) => format.write_local(local_start(field, value, time_zone)?, out),
            Cut::Original => write_original(field, value, stored, out)?,
        }
        if self.lower {
            let lower = String::from_utf8_lossy(&out[start..]).to_lowercase();
            out.truncate(start);
            out.extend_from_slice(lower.as_bytes());
        }
        Ok(())
    }
}

fn write_original(
    field: &Field,
    value: ValueRef<'_>,
    stored: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), InputError> {
    match (&field.kind, value) {
        (FieldKind::Text(text), _) => out.extend_from_slice(text.original(stored)?.as_bytes()),
        (FieldKind::Integer(_) | FieldKind::Epoch(_), ValueRef::Number(number)) => {
            write_decimal(number, 0, out);
        }
        _ => out.extend_from_slice(stored),
    }
    Ok(())
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
    time_zone: Option<Zone>,
) -> Result<chrono::NaiveDateTime, InputError> {
    let outside = || InputError::OutsideTheCalendar { field: field.name.clone() };
    match (&field.kind, value) {
        (FieldKind::Calendar(calendar), ValueRef::Number(ordinal)) => {
            calendar.format.granularity().start_of(ordinal).ok_or_else(outside)
        }
        (FieldKind::Epoch(epoch), ValueRef::Number(number)) => {
            let time_zone = time_zone.ok_or(InputError::NoTimeZone)?;
            let milliseconds = number.checked_mul(epoch.unit.milliseconds()).ok_or_else(outside)?;
            time_zone.local_time(milliseconds).ok_or_else(outside)
        }
        _ => Err(InputError::NoDate { field: field.name.clone() }),
    }
}

//! How rows become keys: everything that depends only on the schema, computed once.

use crate::key::codec::FieldWriter;
use crate::key::field::{Field, FieldId, FieldVec};
use crate::key::layout::RowKey;
use crate::key::salt::{Cut, HashedText, InputVec, SaltInput, Window};

/// A field that the key or its salt needs.
#[derive(Debug)]
pub(super) struct FieldStep<'a> {
    pub id: FieldId,
    pub field: &'a Field,
    pub writer: FieldWriter<'a>,
}

impl<'a> FieldStep<'a> {
    /// The parts of a key, in key order.
    pub(super) fn of(fields: &'a FieldVec<Field>, inputs: &InputVec<SaltInput>) -> Vec<Self> {
        let is_needed =
            |id: FieldId, field: &Field| field.stored || inputs.iter().any(|input| input.field == id);
        let needed = fields.entries().filter(|(id, field)| is_needed(*id, field));
        needed.map(|(id, field)| FieldStep { id, field, writer: FieldWriter::new(&field.kind) }).collect()
    }
}

/// How the salt is computed from the fields.
#[derive(Debug)]
pub(super) enum SaltStep {
    /// From the number of one field.
    OfNumber(FieldId),
    /// From all inputs joined together.
    Joined(Message),
    /// From each input separately.
    Apart(Vec<InputBytes>),
}

/// How the joined inputs are obtained.
#[derive(Debug)]
pub(super) enum Message {
    /// They are already contiguous, from one field to another, among the stored fields or among the others.
    Run { stored: bool, first: FieldId, last: FieldId },
    /// The inputs are copied, each with the bytes that follow it, and cut.
    Pieces { before: Vec<u8>, pieces: Vec<(InputBytes, Vec<u8>)>, window: Window },
}

/// Where the bytes of a salt input are.
#[derive(Debug, Clone, Copy)]
pub(super) enum InputBytes {
    Whole {
        field: FieldId,
        stored: bool,
    },
    Part {
        field: FieldId,
        stored: bool,
        window: Window,
    },
    Last {
        field: FieldId,
        stored: bool,
        count: usize,
    },
    /// They are computed for every row, because they are not simply a part of the field's bytes.
    Cut(usize),
}

impl InputBytes {
    /// One entry per input.
    fn of(inputs: &InputVec<SaltInput>, fields: &FieldVec<Field>) -> Vec<Self> {
        let mut cuts = 0..;
        let of_input = |input: &SaltInput| {
            Self::in_field(input, fields).unwrap_or_else(|| InputBytes::Cut(cuts.next().unwrap_or_default()))
        };
        inputs.iter().map(of_input).collect()
    }

    /// Whether an input is not simply a part of its field's bytes.
    pub(super) fn is_cut(input: &SaltInput, fields: &FieldVec<Field>) -> bool {
        Self::in_field(input, fields).is_none()
    }

    fn in_field(input: &SaltInput, fields: &FieldVec<Field>) -> Option<Self> {
        let &SaltInput { field: id, ref cut, lower } = input;
        let field = fields.get(id)?;
        let stored = field.stored;
        // In other sets, characters take more than one byte.
        let has_bytes = !field.kind.is_text_in_key() || field.kind.is_ascii_in_key();
        match cut {
            _ if lower => None,
            Cut::Whole => Some(InputBytes::Whole { field: id, stored }),
            Cut::First(count) if has_bytes => {
                Some(InputBytes::Part { field: id, stored, window: Window { start: 0, stop: *count } })
            }
            Cut::Bytes { from, to } => {
                Some(InputBytes::Part { field: id, stored, window: Window { start: *from, stop: *to } })
            }
            Cut::Last(count) if has_bytes => Some(InputBytes::Last { field: id, stored, count: *count }),
            Cut::First(_) | Cut::Last(_) | Cut::Format(_) | Cut::Original => None,
        }
    }
}

impl SaltStep {
    pub(super) fn of(key: &RowKey, inputs: &InputVec<SaltInput>) -> Self {
        let runs = InputBytes::of(inputs, &key.fields);
        let Some(salt) = &key.salt else { return SaltStep::Apart(runs) };
        if let [InputBytes::Whole { field, .. }] = runs[..]
            && salt.scheme.number_of_input(1).is_some()
        {
            return SaltStep::OfNumber(field);
        }
        if salt.scheme.number_of_joined(&[]).is_none() {
            return SaltStep::Apart(runs);
        }
        let text = salt.hashed_text(&key.fields).unwrap_or_else(|| HashedText {
            before: Vec::new(),
            inputs: inputs.iter().map(|input| (input.clone(), Vec::new())).collect(),
            window: Window::ALL,
        });
        let behind: Vec<Vec<u8>> = text.inputs.into_iter().map(|(_, behind)| behind).collect();
        let is_whole = text.before.is_empty() && text.window == Window::ALL;
        let run = is_whole.then(|| run_of_fields(key, &runs, &behind)).flatten();
        SaltStep::Joined(run.unwrap_or_else(|| Message::Pieces {
            before: text.before,
            pieces: runs.into_iter().zip(behind).collect(),
            window: text.window,
        }))
    }
}

/// The inputs, if they are consecutive fields that are written in the same way as they are joined.
fn run_of_fields(key: &RowKey, runs: &[InputBytes], behind: &[Vec<u8>]) -> Option<Message> {
    let whole = |run: &InputBytes| match *run {
        InputBytes::Whole { field, stored } => Some((field, stored)),
        _ => None,
    };
    let ids: Vec<(FieldId, bool)> = runs.iter().map(whole).collect::<Option<_>>()?;
    let (&(first, stored), &(last, _)) = (ids.first()?, ids.last()?);
    let written = key
        .fields
        .entries()
        .filter(|(id, field)| field.stored == stored && (stored || ids.iter().any(|(input, _)| input == id)));
    let written = written.map(|(id, field)| (id, field.stored));
    let follow = written.skip_while(|(id, _)| *id != first).take(ids.len()).eq(ids.iter().copied());
    let (end, between) = behind.split_last()?;
    let separator = |id: FieldId| if stored { key.fields[id].separator.as_slice() } else { &[] };
    let is_joined = ids.iter().zip(between).all(|((id, _), behind)| separator(*id) == behind.as_slice());
    (follow && is_joined && end.is_empty()).then_some(Message::Run { stored, first, last })
}

//! Encodes many row keys in reused memory.

use std::collections::BTreeSet;
use std::ops::Range;

use super::recipe::{FieldStep, InputBytes, Message, SaltStep};
use super::{RowCodec, RowError, missing};
use crate::key::ValueRef;
use crate::key::codec::FieldWriter;
use crate::key::field::{FieldId, FieldVec};
use crate::key::id::Id;
use crate::key::range::MAX_KEY_BYTES;
use crate::key::salt::{Cut, Number, Salt, Spread};

/// Room for the salt before the stored fields. It is computed from them, and they do not have to be moved.
const SALT_ROOM: usize = 64;

/// Encodes row keys, one after the other.
#[derive(Debug)]
pub struct RowWriter<'c> {
    codec: &'c RowCodec<'c>,
    fields: FieldBytes,
    /// Salt inputs that are not simply a part of a field's bytes.
    cuts: Runs,
    /// The most recently printed times, for each field, followed by those of the salt's inputs. Rows usually
    /// come in the order of time, and printing a date takes longer than everything else.
    times: Vec<Time>,
    /// The joined inputs of the salt, if they are not contiguous in the key.
    message: Vec<u8>,
    salt: Vec<u8>,
    /// Where the key starts in `fields.stored`.
    start: usize,
}

/// The bytes of a row's fields.
#[derive(Debug)]
struct FieldBytes {
    /// The stored fields with their separators, after [`SALT_ROOM`].
    stored: Vec<u8>,
    /// The fields that only the salt needs.
    others: Vec<u8>,
    /// The position of each field in its buffer.
    places: FieldVec<Range<usize>>,
}

/// A printed time.
#[derive(Debug, Clone, Default)]
struct Time {
    number: Option<i64>,
    text: Vec<u8>,
}

impl<'c> RowWriter<'c> {
    pub(super) fn new(codec: &'c RowCodec<'c>) -> Self {
        let fields = codec.schema.key.fields.len();
        RowWriter {
            codec,
            fields: FieldBytes {
                stored: vec![0; SALT_ROOM],
                others: Vec::new(),
                places: vec![0..0; fields].into(),
            },
            cuts: Runs::default(),
            times: vec![Time::default(); fields + codec.cuts.len()],
            message: Vec::new(),
            salt: Vec::new(),
            start: SALT_ROOM,
        }
    }

    /// The most recently encoded key.
    pub fn key(&self) -> &[u8] {
        self.fields.stored.get(self.start..).unwrap_or_default()
    }

    /// Encodes the values of all fields as a row key. `random_salt` has the bytes of the salt if it is
    /// random; otherwise it is ignored.
    ///
    /// # Errors
    /// A missing value, a value that violates its field's declaration, a missing random salt, or a key that
    /// HBase refuses because of its length.
    pub fn write<'v>(
        &mut self,
        value_of: impl Fn(FieldId) -> Option<ValueRef<'v>>,
        random_salt: Option<&[u8]>,
    ) -> Result<&[u8], RowError> {
        self.write_fields(&value_of)?;
        let Some(salt) = &self.codec.schema.key.salt else { return self.checked_key() };
        self.salt.clear();
        if salt.is_random() {
            let Some(salt) = random_salt else { return Err(RowError::SaltNotGiven) };
            self.salt.extend_from_slice(salt);
        } else {
            let number = self.number(salt, value_of)?;
            salt.append(number, &mut self.salt);
        }
        self.with_salt(salt)
    }

    /// Encodes the values of all fields of a table whose salt has a random part, which is given.
    ///
    /// # Errors
    /// As for [`RowWriter::write`].
    pub fn write_with_part<'v>(
        &mut self,
        value_of: impl Fn(FieldId) -> Option<ValueRef<'v>>,
        spread: Spread,
        part: u32,
    ) -> Result<&[u8], RowError> {
        self.write_fields(&value_of)?;
        let Some(salt) = &self.codec.schema.key.salt else { return self.checked_key() };
        let number = self.number(salt, value_of)?;
        self.salt.clear();
        salt.append(spread.with_part(number, part), &mut self.salt);
        self.with_salt(salt)
    }

    /// Puts the written salt before the fields.
    fn with_salt(&mut self, salt: &Salt) -> Result<&[u8], RowError> {
        self.salt.extend_from_slice(&salt.separator);
        self.put_salt();
        self.checked_key()
    }

    fn checked_key(&self) -> Result<&[u8], RowError> {
        match self.key() {
            [] => Err(RowError::Empty),
            key if key.len() > MAX_KEY_BYTES => Err(RowError::TooLong { bytes: key.len() }),
            key => Ok(key),
        }
    }

    /// The salts for the values of the fields.
    ///
    /// # Errors
    /// As for [`RowWriter::write`].
    pub(super) fn salts<'v>(
        &mut self,
        salt: &Salt,
        value_of: impl Fn(FieldId) -> Option<ValueRef<'v>>,
    ) -> Result<BTreeSet<Vec<u8>>, RowError> {
        self.write_fields(&value_of)?;
        Ok(salt.written(self.number(salt, value_of)?))
    }

    /// Writes the bytes of every field that the key or its salt needs.
    fn write_fields<'v>(
        &mut self,
        value_of: impl Fn(FieldId) -> Option<ValueRef<'v>>,
    ) -> Result<(), RowError> {
        let FieldBytes { stored, others, places } = &mut self.fields;
        stored.truncate(SALT_ROOM);
        others.clear();
        self.start = SALT_ROOM;
        for FieldStep { id, field, writer } in &self.codec.steps {
            let value = value_of(*id).ok_or_else(|| missing(field))?;
            let out = if field.stored { &mut *stored } else { &mut *others };
            let start = out.len();
            match (writer, self.times.get_mut(id.position())) {
                (FieldWriter::Calendar(_), Some(time)) => {
                    time.write(value, out, |out| writer.write(value, out))?;
                }
                _ => writer.write(value, out)?,
            }
            places[*id] = start..out.len();
            if field.stored {
                out.extend_from_slice(&field.separator);
            }
        }
        Ok(())
    }

    /// The number that follows from the written fields.
    fn number<'v>(
        &mut self,
        salt: &Salt,
        value_of: impl Fn(FieldId) -> Option<ValueRef<'v>>,
    ) -> Result<Number, RowError> {
        self.write_cuts(&value_of)?;
        let RowWriter { codec, fields, cuts, message, .. } = self;
        let number = match &codec.salt {
            SaltStep::OfNumber(id) => match value_of(*id) {
                Some(ValueRef::Number(number)) => salt.scheme.number_of_input(number),
                _ => None,
            },
            SaltStep::Joined(Message::Run { stored, first, last }) => {
                salt.scheme.number_of_joined(fields.run(*stored, *first, *last))
            }
            SaltStep::Joined(Message::Pieces { before, pieces, window }) => {
                message.clear();
                message.extend_from_slice(before);
                for (input, behind) in pieces {
                    message.extend_from_slice(fields.input(input, cuts));
                    message.extend_from_slice(behind);
                }
                salt.scheme.number_of_joined(window.cut(message))
            }
            SaltStep::Apart(inputs) => {
                let inputs = inputs.iter().map(|input| fields.input(input, cuts));
                salt.number(&codec.schema.key.fields, inputs)
            }
        };
        number.ok_or(RowError::NoSalt)
    }

    /// Computes salt inputs that are not simply a part of a field's bytes.
    fn write_cuts<'v>(&mut self, value_of: impl Fn(FieldId) -> Option<ValueRef<'v>>) -> Result<(), RowError> {
        let RowWriter { codec, fields, cuts, times, .. } = self;
        let key = &codec.schema.key;
        let times = times.get_mut(key.fields.len()..).unwrap_or_default();
        cuts.clear();
        for (input, time) in codec.cuts.iter().zip(times) {
            let field = &key.fields[input.field];
            let value = value_of(input.field).ok_or_else(|| missing(field))?;
            let stored = fields.get(input.field, field.stored);
            let write = |out: &mut Vec<u8>| input.write(field, value, stored, codec.schema.time_zone, out);
            match input.cut {
                Cut::Format(_) => time.write(value, &mut cuts.bytes, write),
                _ => write(&mut cuts.bytes),
            }
            .map_err(RowError::SaltInput)?;
            cuts.end();
        }
        Ok(())
    }

    /// Writes the salt before the stored fields.
    fn put_salt(&mut self) {
        let RowWriter { fields, salt, start, .. } = self;
        *start = SALT_ROOM.saturating_sub(salt.len());
        match fields.stored.get_mut(*start..SALT_ROOM) {
            Some(room) if room.len() == salt.len() => room.copy_from_slice(salt),
            _ => {
                fields.stored.splice(..SALT_ROOM, salt.iter().copied());
            }
        }
    }
}

impl FieldBytes {
    fn get(&self, id: FieldId, stored: bool) -> &[u8] {
        self.run(stored, id, id)
    }

    /// The bytes from one field to another; for stored fields with the separators between them.
    fn run(&self, stored: bool, first: FieldId, last: FieldId) -> &[u8] {
        let buffer = if stored { &self.stored } else { &self.others };
        let ends = self.places.get(first).zip(self.places.get(last));
        ends.and_then(|(first, last)| buffer.get(first.start..last.end)).unwrap_or_default()
    }

    fn input<'b>(&'b self, input: &InputBytes, cuts: &'b Runs) -> &'b [u8] {
        match *input {
            InputBytes::Whole { field, stored } => self.get(field, stored),
            InputBytes::Part { field, stored, window } => window.cut(self.get(field, stored)),
            InputBytes::Last { field, stored, count } => {
                let bytes = self.get(field, stored);
                bytes.get(bytes.len().saturating_sub(count)..).unwrap_or(bytes)
            }
            InputBytes::Cut(index) => cuts.get(index),
        }
    }
}

impl Time {
    /// Appends what `write` appends for a value, or the remembered bytes if the value is the previous one.
    fn write<E>(
        &mut self,
        value: ValueRef<'_>,
        out: &mut Vec<u8>,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        let ValueRef::Number(number) = value else { return write(out) };
        if self.number != Some(number) {
            self.number = None;
            self.text.clear();
            write(&mut self.text)?;
            self.number = Some(number);
        }
        out.extend_from_slice(&self.text);
        Ok(())
    }
}

/// Consecutive entries in one buffer.
#[derive(Debug, Default)]
struct Runs {
    bytes: Vec<u8>,
    /// The end of each entry.
    ends: Vec<usize>,
}

impl Runs {
    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Ends the entry that was appended to `bytes`.
    fn end(&mut self) {
        self.ends.push(self.bytes.len());
    }

    fn get(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(index).and_then(|end| self.bytes.get(start..*end)).unwrap_or_default()
    }
}

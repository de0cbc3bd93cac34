//! Row keys put together one after the other, in memory that is used again.

use std::ops::Range;

use super::recipe::{FieldStep, InputBytes, Message, SaltStep};
use super::{RowCodec, RowError, missing};
use crate::key::ValueRef;
use crate::key::codec::FieldWriter;
use crate::key::field::{FieldId, FieldVec};
use crate::key::id::Id;
use crate::key::range::MAX_KEY_BYTES;
use crate::key::salt::{Cut, Salt};

/// Bytes before the stored fields, for the salt: it is computed from them, and they stay where they were written.
const SALT_ROOM: usize = 64;

/// Puts row keys together, row after row.
#[derive(Debug)]
pub struct RowWriter<'c> {
    codec: &'c RowCodec<'c>,
    fields: FieldBytes,
    /// What the salt sees of fields where that is no run of their bytes.
    cuts: Runs,
    /// The times that were printed last, for each field and behind them for each cut of the salt. Rows come in the order
    /// of time, as a rule, and a calendar takes longer than all other fields.
    times: Vec<Time>,
    /// The salt's inputs put together, where they do not stand so in the key.
    message: Vec<u8>,
    salt: Vec<u8>,
    /// Where the key begins in `fields.stored`.
    start: usize,
}

/// The bytes of a row's fields.
#[derive(Debug)]
struct FieldBytes {
    /// Of stored fields with their separators, behind [`SALT_ROOM`].
    stored: Vec<u8>,
    /// Of fields that the salt alone needs.
    others: Vec<u8>,
    /// Where each field stands in its buffer.
    places: FieldVec<Range<usize>>,
}

/// A time as text.
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

    /// The last key that was put together.
    pub fn key(&self) -> &[u8] {
        self.fields.stored.get(self.start..).unwrap_or_default()
    }

    /// The row key of the values of all fields. `random_salt` is the salt's bytes where the table has a
    /// random one, and has no effect on others.
    ///
    /// # Errors
    /// A missing value, or one that breaks its field's declaration; no salt where it is random; a key that HBase refuses for
    /// its length.
    pub fn write<'v>(
        &mut self,
        value_of: impl Fn(FieldId) -> Option<ValueRef<'v>>,
        random_salt: Option<&[u8]>,
    ) -> Result<&[u8], RowError> {
        self.write_fields(&value_of)?;
        let Some(salt) = &self.codec.schema.key.salt else { return self.checked_key() };
        self.salt.clear();
        if salt.is_computable() {
            self.write_salt(salt, value_of)?;
        } else {
            let Some(salt) = random_salt else { return Err(RowError::SaltNotGiven) };
            self.salt.extend_from_slice(salt);
        }
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

    /// The salt of the values of fields.
    ///
    /// # Errors
    /// As for [`RowWriter::write`].
    pub(super) fn salt<'v>(
        &mut self,
        salt: &Salt,
        value_of: impl Fn(FieldId) -> Option<ValueRef<'v>>,
    ) -> Result<&[u8], RowError> {
        self.write_fields(&value_of)?;
        self.salt.clear();
        self.write_salt(salt, value_of)?;
        Ok(&self.salt)
    }

    /// The bytes of every field that the key or its salt needs.
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

    /// Appends the salt that the written fields give.
    fn write_salt<'v>(
        &mut self,
        salt: &Salt,
        value_of: impl Fn(FieldId) -> Option<ValueRef<'v>>,
    ) -> Result<(), RowError> {
        self.write_cuts(&value_of)?;
        let RowWriter { codec, fields, cuts, message, salt: out, .. } = self;
        let number = match &codec.salt {
            SaltStep::OfNumber(id) => match value_of(*id) {
                Some(ValueRef::Number(number)) => salt.number_of_input(number),
                _ => None,
            },
            SaltStep::Joined(Message::Run { stored, first, last }) => {
                salt.number_of_joined(fields.run(*stored, *first, *last))
            }
            SaltStep::Joined(Message::Pieces(pieces)) => {
                message.clear();
                for (input, behind) in pieces {
                    message.extend_from_slice(fields.input(input, cuts));
                    message.extend_from_slice(behind);
                }
                salt.number_of_joined(message)
            }
            SaltStep::Apart(inputs) => {
                let inputs = inputs.iter().map(|input| fields.input(input, cuts));
                salt.number(&codec.schema.key.fields, inputs)
            }
        };
        let Some(number) = number else { return Err(RowError::NoSalt) };
        salt.write.append(number, out);
        Ok(())
    }

    /// What the salt sees of fields where that is no run of their bytes.
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

    /// Puts the salt before the stored fields.
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

    /// The fields from one to another, stored ones with the separators between them.
    fn run(&self, stored: bool, first: FieldId, last: FieldId) -> &[u8] {
        let buffer = if stored { &self.stored } else { &self.others };
        let ends = self.places.get(first).zip(self.places.get(last));
        ends.and_then(|(first, last)| buffer.get(first.start..last.end)).unwrap_or_default()
    }

    fn input<'b>(&'b self, input: &InputBytes, cuts: &'b Runs) -> &'b [u8] {
        match *input {
            InputBytes::Whole { field, stored } => self.get(field, stored),
            InputBytes::First { field, stored, count } => {
                let bytes = self.get(field, stored);
                bytes.get(..count).unwrap_or(bytes)
            }
            InputBytes::Last { field, stored, count } => {
                let bytes = self.get(field, stored);
                bytes.get(bytes.len().saturating_sub(count)..).unwrap_or(bytes)
            }
            InputBytes::Cut(index) => cuts.get(index),
        }
    }
}

impl Time {
    /// Appends what `write` appends for a value, or did for the same one before.
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

/// Runs of bytes in one buffer.
#[derive(Debug, Default)]
struct Runs {
    bytes: Vec<u8>,
    /// Where each run ends.
    ends: Vec<usize>,
}

impl Runs {
    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Ends the run that was appended to `bytes`.
    fn end(&mut self) {
        self.ends.push(self.bytes.len());
    }

    fn get(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(index).and_then(|end| self.bytes.get(start..*end)).unwrap_or_default()
    }
}

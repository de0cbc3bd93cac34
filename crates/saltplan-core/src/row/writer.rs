//! Row keys put together one after the other, in memory that is used again.

use super::{RowCodec, RowError, missing};
use crate::key::Value;
use crate::key::field::{FieldId, FieldKind, FieldVec};
use crate::key::id::Id;
use crate::key::salt::{Cut, InputVec, Salt, SaltInput};

/// Puts row keys together, row after row.
#[derive(Debug)]
pub struct RowWriter<'c> {
    codec: &'c RowCodec<'c>,
    /// The stored bytes of fields, a run each.
    fields: Runs,
    /// What the salt sees of fields where that is not their stored bytes, a run each.
    cuts: Runs,
    /// The times that were printed last, for each field and behind them for each input of the salt. Rows come in the order
    /// of time, as a rule, and a calendar takes longer than all other fields.
    times: Vec<Time>,
    key: Vec<u8>,
}

/// A time as text.
#[derive(Debug, Clone, Default)]
struct Time {
    number: Option<i64>,
    text: Vec<u8>,
}

/// Where the bytes of one of the salt's inputs are.
#[derive(Debug, Clone, Copy)]
pub(super) enum InputRun {
    Field(usize),
    Cut(usize),
}

impl InputRun {
    pub(super) fn of(inputs: &InputVec<SaltInput>) -> Vec<InputRun> {
        let mut cuts = 0..;
        let run = |input: &SaltInput| match input.is_whole() {
            true => InputRun::Field(input.field.position()),
            false => InputRun::Cut(cuts.next().unwrap_or_default()),
        };
        inputs.iter().map(run).collect()
    }
}

impl<'c> RowWriter<'c> {
    pub(super) fn new(codec: &'c RowCodec<'c>) -> Self {
        let times = codec.schema.key.fields.len() + codec.inputs.len();
        RowWriter {
            codec,
            fields: Runs::default(),
            cuts: Runs::default(),
            times: vec![Time::default(); times],
            key: Vec::new(),
        }
    }

    /// The last key that was put together.
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// The row key of the values of all fields, in their order. `random_salt` is the salt's bytes where the table has a
    /// random one, and has no effect on others.
    ///
    /// # Errors
    /// A missing value, or one that breaks its field's declaration; no salt where it is random.
    pub fn write(&mut self, values: &FieldVec<Value>, random_salt: Option<&[u8]>) -> Result<&[u8], RowError> {
        self.key.clear();
        self.write_fields(|id| values.get(id))?;
        let key = &self.codec.schema.key;
        match &key.salt {
            Some(salt) if salt.is_computable() => self.write_salt(salt, |id| values.get(id))?,
            Some(_) => self.key.extend_from_slice(random_salt.ok_or(RowError::SaltNotGiven)?),
            None => {}
        }
        if let Some(salt) = &key.salt {
            self.key.extend_from_slice(&salt.separator);
        }
        for (id, field) in key.fields.entries().filter(|(_, field)| field.stored) {
            self.key.extend_from_slice(self.fields.get(id.position()));
            self.key.extend_from_slice(&field.separator);
        }
        Ok(&self.key)
    }

    /// The salt of the values of fields.
    ///
    /// # Errors
    /// As for [`RowWriter::write`].
    pub(super) fn salt<'v>(
        &mut self,
        salt: &Salt,
        value_of: impl Fn(FieldId) -> Option<&'v Value>,
    ) -> Result<&[u8], RowError> {
        self.key.clear();
        self.write_fields(&value_of)?;
        self.write_salt(salt, value_of)?;
        Ok(&self.key)
    }

    /// The stored bytes of every field that the key or its salt needs; of others nothing.
    fn write_fields<'v>(&mut self, value_of: impl Fn(FieldId) -> Option<&'v Value>) -> Result<(), RowError> {
        self.fields.clear();
        for ((id, field), time) in self.codec.schema.key.fields.entries().zip(&mut self.times) {
            if self.codec.is_needed[id] {
                let value = value_of(id).ok_or_else(|| missing(field))?;
                let bytes = &mut self.fields.bytes;
                match field.kind {
                    FieldKind::Calendar(_) => time.write(value, bytes, |out| field.kind.write(value, out))?,
                    _ => field.kind.write(value, bytes)?,
                }
            }
            self.fields.end();
        }
        Ok(())
    }

    /// Appends the salt that the written fields give.
    fn write_salt<'v>(
        &mut self,
        salt: &Salt,
        value_of: impl Fn(FieldId) -> Option<&'v Value>,
    ) -> Result<(), RowError> {
        let RowWriter { codec, fields, cuts, times, key: out } = self;
        let key = &codec.schema.key;
        let times = times.get_mut(key.fields.len()..).unwrap_or_default();
        cuts.clear();
        for (input, time) in codec.inputs.iter().zip(times).filter(|(input, _)| !input.is_whole()) {
            let field = &key.fields[input.field];
            let value = value_of(input.field).ok_or_else(|| missing(field))?;
            let stored = fields.get(input.field.position());
            let write = |out: &mut Vec<u8>| input.write(field, value, stored, codec.schema.time_zone, out);
            match input.cut {
                Cut::Format(_) => time.write(value, &mut cuts.bytes, write),
                _ => write(&mut cuts.bytes),
            }
            .map_err(RowError::SaltInput)?;
            cuts.end();
        }
        let inputs = codec.runs.iter().map(|run| match run {
            InputRun::Field(index) => fields.get(*index),
            InputRun::Cut(index) => cuts.get(*index),
        });
        salt.write(&key.fields, inputs, out).ok_or(RowError::NoSalt)
    }
}

impl Time {
    /// Appends what `write` appends for a value, or did for the same one before.
    fn write<E>(
        &mut self,
        value: &Value,
        out: &mut Vec<u8>,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Value::Number(number) = value else { return write(out) };
        if self.number != Some(*number) {
            self.number = None;
            self.text.clear();
            write(&mut self.text)?;
            self.number = Some(*number);
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

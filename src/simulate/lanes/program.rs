//! From a schema and a workload to the columns that make its keys.

use super::calendar::Calendar;
use super::columns::Divisor;
use super::field::Part;
use super::locate::{self, Heads};
use super::md5::MAX_MESSAGE;
use super::salt::{Reducer, Scheme, Writer};
use super::text::Text;
use super::values::Bounded;
use crate::schema::model::{
    Abs, Cut, FieldKind, Reduce, RowKey, Salt, SaltInput, SaltInputs, SaltScheme, SaltWrite, Schema,
};
use crate::simulate::random;
use crate::simulate::workload::Workload;

/// Stream of the random salt; the streams of fields count from 0.
const SALT_STREAM: u64 = u64::MAX;

/// Longest key in bytes.
const MAX_KEY: usize = 512;

/// A schema and a workload, made ready for batches.
#[derive(Debug, Clone)]
pub struct Program {
    pub(super) fields: Vec<Bounded>,
    /// A part's field, and its bytes.
    pub(super) parts: Vec<(usize, Part)>,
    pub(super) salt: Option<SaltPlan>,
    /// The row key, with room for the salt.
    pub(super) key: Text,
    pub(super) split_keys: Vec<Vec<u8>>,
    pub(super) heads: Heads,
}

#[derive(Debug, Clone)]
pub(super) struct SaltPlan {
    pub scheme: Scheme,
    pub writer: Writer,
    /// The region of a salt by the high bits of its number.
    pub table: Option<Vec<u32>>,
    /// Bits of the number below those that the table takes.
    pub shift: u32,
}

impl Program {
    /// Prepares a workload; `None` where a field, a salt or a workload is of a kind that only rows one by one can
    /// give, such as keys of various lengths. `split_keys` are in byte order.
    pub fn compile(schema: &Schema, workload: &Workload, split_keys: &[Vec<u8>]) -> Option<Self> {
        let key = &schema.key;
        if key.fields.is_empty() || workload.fields.len() != key.fields.len() || split_keys.len() >= 1 << 20 {
            return None;
        }
        let mut program = Program {
            fields: Vec::new(),
            parts: Vec::new(),
            salt: None,
            key: Text::default(),
            split_keys: split_keys.to_vec(),
            heads: Heads::new(split_keys),
        };
        for (index, (field, values)) in key.fields.iter().zip(&workload.fields).enumerate() {
            let values = Bounded::new(values, index, workload.rows, workload.seed)?;
            program.parts.push((index, Part::stored(field, &values)?));
            program.fields.push(values);
        }
        if let Some(salt) = &key.salt {
            let plan = program.salt_plan(key, salt, workload.seed)?;
            program.key.leave(plan.writer.width);
            program.key.push_constant(&salt.then);
            program.salt = Some(plan);
        }
        for index in key.stored() {
            program.key.push_part(index, 0, program.parts.get(index)?.1.width);
            program.key.push_constant(&key.fields.get(index)?.then);
        }
        (program.key.width() <= MAX_KEY).then_some(program)
    }

    /// Length of the row keys in bytes (those behind a negative salt are longer).
    pub fn key_length(&self) -> usize {
        self.key.width()
    }

    fn salt_plan(&mut self, key: &RowKey, salt: &Salt, seed: u64) -> Option<SaltPlan> {
        let scheme = self.scheme(key, salt, seed)?;
        let is_digest = matches!(scheme, Scheme::Md5 { .. });
        // Salt numbers run from 0 up to and without this; a digest's may be cut at the right.
        let (numbers, shift) = match &salt.scheme {
            SaltScheme::Md5 { first_hex_digits, .. } => {
                let digits = (*first_hex_digits).min(8);
                (1u64 << (4 * digits), 4 * digits.saturating_sub(3) as u32)
            }
            SaltScheme::JavaHash { reduce: Reduce::Mask(mask), .. } => (u64::from(*mask as u32) + 1, 0),
            SaltScheme::JavaHash { reduce: Reduce::Modulo { by, .. }, .. } => (u64::try_from(*by).ok()?, 0),
            SaltScheme::Modulo { by, .. } => (by.unsigned_abs(), 0),
            SaltScheme::Random { below } => (*below, 0),
        };
        if numbers == 0 || numbers > 1 << 32 {
            return None;
        }
        let width = salt_width(salt, numbers)?;
        let prefix = |index: usize| salt_prefix(salt, index as u64, shift);
        let is_cut = shift > 0 && salt.write != SaltWrite::Hex;
        let table = if is_cut {
            None
        } else {
            locate::table(usize::try_from(numbers >> shift).ok()?, prefix, &self.split_keys)
        };
        Some(SaltPlan { scheme, writer: Writer { write: salt.write, is_digest, width }, table, shift })
    }

    fn scheme(&mut self, key: &RowKey, salt: &Salt, seed: u64) -> Option<Scheme> {
        match &salt.scheme {
            SaltScheme::Md5 { of, joined_by, first_hex_digits } => {
                let mut message = Text::default();
                match of {
                    SaltInputs::Key => {
                        for index in key.stored() {
                            message.push_part(index, 0, self.parts.get(index)?.1.width);
                            message.push_constant(&key.fields.get(index)?.then);
                        }
                    }
                    SaltInputs::List(inputs) => {
                        for (place, input) in inputs.iter().enumerate() {
                            if place > 0 {
                                message.push_constant(joined_by);
                            }
                            self.push_input(key, input, &mut message)?;
                        }
                    }
                }
                (message.width() <= MAX_MESSAGE && (1..=32).contains(first_hex_digits)).then_some(())?;
                Some(Scheme::Md5 { message, digits: *first_hex_digits })
            }
            SaltScheme::JavaHash { of, combine, reduce } => {
                let mut inputs = Vec::new();
                for input in of {
                    let mut text = Text::default();
                    self.push_input(key, input, &mut text)?;
                    inputs.push(text);
                }
                let is_ascii = |text: &Text| {
                    text.pieces
                        .iter()
                        .all(|piece| self.parts.get(piece.part).is_some_and(|(_, p)| p.is_ascii()))
                };
                inputs.iter().all(is_ascii).then_some(())?;
                Some(Scheme::JavaHash { inputs, combine: *combine, reduce: Reducer::new(*reduce)? })
            }
            SaltScheme::Modulo { field, by } => {
                let values = self.fields.get(*field)?;
                (values.low >= 0 && *by > 0).then_some(())?;
                Some(Scheme::Modulo { field: *field, by: Divisor::new(by.unsigned_abs())? })
            }
            SaltScheme::Random { below } => {
                Some(Scheme::Random { below: *below, key: random::stream_key(seed, SALT_STREAM) })
            }
        }
    }

    /// Puts what the salt sees of a field behind a text.
    fn push_input(&mut self, key: &RowKey, input: &SaltInput, text: &mut Text) -> Option<()> {
        let (_, part) = self.parts.get(input.field)?;
        let bytes_are_characters = part.is_binary() || part.is_ascii();
        let width = part.width;
        match &input.cut {
            Cut::Whole => {
                (!input.lower || part.is_lower_ascii()).then_some(())?;
                text.push_part(input.field, 0, width);
            }
            Cut::First(count) | Cut::Last(count) => {
                (bytes_are_characters && (!input.lower || part.is_lower_ascii())).then_some(())?;
                let count = (*count).min(width);
                let from = if matches!(input.cut, Cut::First(_)) { 0 } else { width - count };
                text.push_part(input.field, from, count);
            }
            Cut::Format(format) => {
                let FieldKind::Calendar(calendar) = &key.fields.get(input.field)?.kind else { return None };
                let values = self.fields.get(input.field)?;
                let part = Part::calendar(Calendar::new(format, calendar.format.granularity(), values)?)?;
                (!input.lower || part.is_lower_ascii()).then_some(())?;
                text.push_part(self.parts.len(), 0, part.width);
                self.parts.push((input.field, part));
            }
        }
        Some(())
    }
}

/// Width of the salts of the numbers from 0 on, when all have the same.
fn salt_width(salt: &Salt, numbers: u64) -> Option<usize> {
    let digits = |base: u64| (numbers - 1).checked_ilog(base).unwrap_or(0) as usize + 1;
    match (salt.write, &salt.scheme) {
        (SaltWrite::Hex, SaltScheme::Md5 { first_hex_digits, .. }) => Some(*first_hex_digits),
        // Longer digests as a number: the first 64 bits and more are not kept.
        (_, SaltScheme::Md5 { first_hex_digits, .. }) if *first_hex_digits > 8 => None,
        (SaltWrite::Hex, _) => None,
        (SaltWrite::Decimal { width }, _) => {
            let width = width.unwrap_or(0).max(1);
            (digits(10) <= width).then_some(width)
        }
        (SaltWrite::Be16, _) => Some(2),
        (_, SaltScheme::JavaHash { reduce, .. }) if may_be_negative(*reduce) => None,
        (SaltWrite::Be32, _) => Some(4),
        (SaltWrite::Be64, _) => Some(8),
    }
}

/// How keys begin whose salt's number has these high bits.
fn salt_prefix(salt: &Salt, index: u64, shift: u32) -> Vec<u8> {
    let SaltScheme::Md5 { first_hex_digits, .. } = &salt.scheme else {
        return [salt.write.number(i128::from(index)), salt.then.clone()].concat();
    };
    let digits = (*first_hex_digits).min(3);
    let mut prefix = match salt.write {
        SaltWrite::Hex => format!("{index:0digits$x}").into_bytes(),
        write => write.number(i128::from(index)),
    };
    if shift == 0 {
        prefix.extend_from_slice(&salt.then);
    }
    prefix
}

fn may_be_negative(reduce: Reduce) -> bool {
    match reduce {
        Reduce::Mask(mask) => mask < 0,
        Reduce::Modulo { abs, .. } => abs != Abs::After,
    }
}

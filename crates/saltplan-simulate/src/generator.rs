//! Generates the rows of a workload and their keys, each from its number.

use super::random::{SALT_STREAM, below, bits, stream_key, unit};
use super::text::{Digits, TextShape};
use super::workload::{Values, Workload};
use super::zipf::Zipf;
use crate::WorkloadError;
use saltplan_core::key::field::{Field, FieldId, FieldKind, FieldVec};
use saltplan_core::key::id::Id;
use saltplan_core::key::salt::{RandomSalt, SaltDomain, SaltScheme};
use saltplan_core::key::{Value, ValueRef};
use saltplan_core::row::{RowCodec, RowWriter};
use saltplan_core::schema::model::Schema;

/// Random text is generated in groups of characters with at most this many texts, so that the bias of one
/// draw is negligible.
const MAX_GROUP: u64 = 1 << 48;

/// Generates the rows of a workload. Row `n` depends only on the workload and on `n`.
#[derive(Debug)]
pub struct Generator<'a> {
    schema: &'a Schema,
    codec: RowCodec<'a>,
    fields: FieldVec<FieldSource>,
    rows: u64,
    salt_key: u64,
    /// The salts of a table whose rule is not known.
    unknown_salts: Vec<Vec<u8>>,
}

/// Generates row after row in reused memory.
#[derive(Debug)]
pub struct RowMaker<'g> {
    generator: &'g Generator<'g>,
    row: u64,
    values: FieldVec<DrawnValue>,
    /// The texts among the values.
    texts: Vec<u8>,
    /// The bytes of a random salt.
    salt: Vec<u8>,
    writer: RowWriter<'g>,
}

/// A value; a text is given by its position among the texts of a row.
#[derive(Debug, Clone, Copy)]
enum DrawnValue {
    Number(i64),
    Text { start: usize, end: usize },
}

impl DrawnValue {
    fn value(self, texts: &[u8]) -> ValueRef<'_> {
        match self {
            DrawnValue::Number(number) => ValueRef::Number(number),
            DrawnValue::Text { start, end } => ValueRef::Text(texts.get(start..end).unwrap_or_default()),
        }
    }
}

impl RowMaker<'_> {
    /// A row, and its key.
    ///
    /// # Errors
    /// A value has no key, such as an instant outside the calendar if the salt prints its month.
    pub fn make(&mut self, row: u64) -> Result<&[u8], WorkloadError> {
        let RowMaker { generator, values, texts, salt, writer, .. } = self;
        self.row = row;
        texts.clear();
        for (source, value) in generator.fields.iter().zip(values.iter_mut()) {
            source.write(row, generator.rows, value, texts);
        }
        salt.clear();
        let is_random = generator.write_random_salt(row, salt);
        let value_of = |id| values.get(id).map(|value: &DrawnValue| value.value(texts));
        match generator.schema.key.salt.as_ref().and_then(|salt| salt.spread) {
            Some(spread) => {
                let part = below(bits(generator.salt_key, row), spread.below.into());
                Ok(writer.write_with_part(value_of, spread, part as u32)?)
            }
            None => Ok(writer.write(value_of, is_random.then_some(salt))?),
        }
    }

    /// The values of all fields of the row.
    pub fn values(&self) -> FieldVec<Value> {
        self.generator.values(self.row)
    }

    /// The row key of the row.
    pub fn key(&self) -> &[u8] {
        self.writer.key()
    }
}

/// How the values of one field are generated.
#[derive(Debug)]
struct FieldSource {
    values: Values,
    /// The key of the field's random bits.
    key: u64,
    /// The first number of the domain, and the number of values.
    low: i128,
    count: i128,
    /// For text fields.
    shape: Option<TextShape>,
    /// For [`Values::Zipf`].
    zipf: Option<Zipf>,
    /// For [`Values::Text`].
    random_text: Option<RandomText>,
    /// For [`Values::Sequential`], if the domain has less than 2^64 numbers.
    sequence: Option<Sequence>,
}

/// Random text in groups from left to right; each group is a uniform number, written in the alphabet.
#[derive(Debug)]
struct RandomText {
    digits: Digits,
    groups: Vec<Group>,
}

/// Characters of random text that are generated together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    /// The key of their random bits.
    pub key: u64,
    pub size: usize,
    /// The number of texts of this length.
    texts: u64,
}

impl RandomText {
    fn write(&self, row: u64, out: &mut Vec<u8>) {
        for Group { key, size, texts } in &self.groups {
            self.digits.write(*size, below(bits(*key, row), *texts), out);
        }
    }
}

/// `first + step * row` modulo `count`, counted from the low end of the domain. In 64-bit arithmetic, because
/// a 128-bit remainder would take longer than the rest of the row.
#[derive(Debug, Clone, Copy)]
struct Sequence {
    first: u64,
    step: u64,
    count: u64,
}

impl Sequence {
    fn new(start: i64, step: i64, low: i128, count: i128) -> Option<Self> {
        let within = |number: i128| u64::try_from(number.rem_euclid(count.max(1))).ok();
        Some(Sequence {
            first: within(i128::from(start) - low)?,
            step: within(i128::from(step))?,
            count: u64::try_from(count.max(1)).ok()?,
        })
    }

    fn offset(&self, row: u64) -> u64 {
        let short = self.step.checked_mul(row).and_then(|passed| passed.checked_add(self.first));
        match short {
            Some(offset) if offset < self.count => offset,
            Some(offset) => offset % self.count,
            None => {
                let offset = u128::from(self.step) * u128::from(row) + u128::from(self.first);
                (offset % u128::from(self.count)) as u64
            }
        }
    }
}

fn unknown_salts(schema: &Schema) -> Vec<Vec<u8>> {
    match &schema.key.salt {
        Some(salt) if matches!(salt.scheme, SaltScheme::Unknown(_)) => {
            match salt.domain(&schema.key.fields) {
                SaltDomain::Listed(salts) => salts,
                SaltDomain::TooMany { .. } => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

impl<'a> Generator<'a> {
    /// # Errors
    /// A field without values, or with values that its declaration does not allow, or that holds a hash of others; the
    /// message names the field.
    pub fn new(schema: &'a Schema, workload: &Workload) -> Result<Self, WorkloadError> {
        // A value of its own would spread rows that have one hash.
        if let Some(id) = schema.key.hashed.keys().next() {
            return Err(WorkloadError::HashOfFields { field: schema.key.fields[*id].name.clone() });
        }
        let fields = schema.key.fields.entries().map(|(id, field)| {
            let values = workload.fields.get(id).ok_or(WorkloadError::NoValues);
            values
                .and_then(|values| {
                    FieldSource::new(field, values, stream_key(workload.seed, id.position() as u64))
                })
                .map_err(|fault| WorkloadError::Field { field: field.name.clone(), fault: Box::new(fault) })
        });
        Ok(Generator {
            schema,
            codec: RowCodec::new(schema),
            fields: fields.collect::<Result<_, _>>()?,
            rows: workload.rows,
            salt_key: stream_key(workload.seed, SALT_STREAM),
            unknown_salts: unknown_salts(schema),
        })
    }

    pub fn schema(&self) -> &'a Schema {
        self.schema
    }

    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of a field's value: the value itself, or the index of a text. 0 for lists and random texts.
    pub fn number(&self, field: FieldId, row: u64) -> i64 {
        self.fields.get(field).map_or(0, |source| source.number(row, self.rows))
    }

    /// The values of all fields of a row.
    pub fn values(&self, row: u64) -> FieldVec<Value> {
        let value = |source: &FieldSource| {
            let (mut drawn, mut text) = (DrawnValue::Number(0), Vec::new());
            source.write(row, self.rows, &mut drawn, &mut text);
            match drawn {
                DrawnValue::Number(number) => Value::Number(number),
                DrawnValue::Text { .. } => Value::Text(String::from_utf8(text).unwrap_or_default()),
            }
        };
        self.fields.iter().map(value).collect()
    }

    /// The bytes of a row's salt if it is random.
    pub fn random_salt(&self, row: u64) -> Option<Vec<u8>> {
        let mut salt = Vec::new();
        self.write_random_salt(row, &mut salt).then_some(salt)
    }

    /// Appends the bytes of a row's salt if it is random. Returns whether it is.
    fn write_random_salt(&self, row: u64, out: &mut Vec<u8>) -> bool {
        let Some(salt) = &self.schema.key.salt else { return false };
        match &salt.scheme {
            SaltScheme::Random(RandomSalt { below: count }) => {
                salt.write.write_number(i128::from(below(bits(self.salt_key, row), *count)), out);
            }
            // All salts are assumed to be equally frequent.
            SaltScheme::Unknown(_) => {
                let place = below(bits(self.salt_key, row), self.unknown_salts.len() as u64);
                out.extend_from_slice(self.unknown_salts.get(place as usize).map_or(&[], Vec::as_slice));
            }
            _ => return false,
        }
        true
    }

    /// The row key of a row.
    ///
    /// # Errors
    /// As for [`RowMaker::make`].
    pub fn key(&self, row: u64) -> Result<Vec<u8>, WorkloadError> {
        self.maker().make(row).map(<[u8]>::to_vec)
    }

    /// For generating many rows.
    pub fn maker(&self) -> RowMaker<'_> {
        RowMaker {
            generator: self,
            row: 0,
            values: self.fields.iter().map(|_| DrawnValue::Number(0)).collect(),
            texts: Vec::new(),
            salt: Vec::new(),
            writer: self.codec.writer(),
        }
    }

    /// Whether all rows certainly have different keys: a stored field counts up without wrapping around.
    pub fn keys_are_distinct(&self) -> bool {
        let key = &self.schema.key;
        let fixed_ends = key.stored().all(|id| key.fields[id].kind.fixed_width().is_some());
        let counts_up = |id: FieldId| self.fields.get(id).is_some_and(|source| source.is_distinct(self.rows));
        // With fields of variable width, different rows can have the same key: `1` and `23`, `12` and `3`.
        fixed_ends && key.stored().any(counts_up)
    }
}

impl FieldSource {
    /// # Errors
    /// A value that would be generated is not a value of the field.
    fn new(field: &Field, values: &Values, key: u64) -> Result<Self, WorkloadError> {
        let shape = match &field.kind {
            FieldKind::Text(text) if !matches!(values, Values::List { .. } | Values::Text { .. }) => {
                Some(TextShape::of(field, text)?)
            }
            _ => None,
        };
        let (low, count) = match (&shape, field.kind.domain()) {
            (Some(shape), _) => (0, i128::from(shape.count())),
            (None, Some(domain)) => {
                let stop = domain.stop.unwrap_or(i128::from(i64::MAX) + 1);
                (domain.start, stop - domain.start)
            }
            (None, None) => (0, 1),
        };
        let inside = |number: i128| {
            let last = low + count - 1;
            let is_inside = (low..=last).contains(&number);
            if is_inside { Ok(()) } else { Err(WorkloadError::Outside { number, first: low, last }) }
        };
        let (mut zipf, mut random_text, mut sequence) = (None, None, None);
        match values {
            Values::Sequential { start, step } => {
                inside(i128::from(*start))?;
                sequence = Sequence::new(*start, *step, low, count);
            }
            Values::Uniform { low, high } if low > high => {
                return Err(WorkloadError::Reversed { low: *low, high: *high });
            }
            Values::Uniform { low, high } => inside(i128::from(*low)).and(inside(i128::from(*high)))?,
            Values::Period { start, stop } if start >= stop => return Err(WorkloadError::EmptyPeriod),
            Values::Period { start, stop } => {
                inside(i128::from(*start)).and(inside(i128::from(*stop) - 1))?;
            }
            Values::Zipf { low, count, exponent } => {
                zipf = Some(Zipf::new(*count, *exponent).ok_or(WorkloadError::Zipf)?);
                let low = i128::from(*low);
                inside(low).and(inside(low + i128::from(*count) - 1))?;
            }
            Values::List { values, .. } if values.is_empty() => return Err(WorkloadError::EmptyList),
            Values::List { values, .. } => {
                values.iter().try_for_each(|value| field.kind.encode(value).map(|_| ()))?;
            }
            Values::Text { chars, .. } if chars.is_empty() => return Err(WorkloadError::NoCharacters),
            Values::Text { chars, width } => {
                chars.iter().try_for_each(|c| {
                    let text = c.to_string().repeat(*width);
                    field.kind.encode(&Value::Text(text)).map(|_| ())
                })?;
                let digits = Digits::new(chars.clone());
                let groups = groups(key, digits.base(), *width).collect();
                random_text = Some(RandomText { digits, groups });
            }
        }
        Ok(FieldSource { values: values.clone(), key, low, count, shape, zipf, random_text, sequence })
    }

    fn number(&self, row: u64, rows: u64) -> i64 {
        match &self.values {
            Values::Sequential { start, step } => match &self.sequence {
                Some(sequence) => (self.low as i64).wrapping_add_unsigned(sequence.offset(row)),
                None => {
                    let offset = i128::from(*start) - self.low + i128::from(*step) * i128::from(row);
                    (self.low + offset.rem_euclid(self.count.max(1))) as i64
                }
            },
            Values::Uniform { low, high } => {
                let count = (i128::from(*high) - i128::from(*low) + 1) as u128;
                // There are as many random bits as numbers, 2^64.
                let offset = u64::try_from(count)
                    .map_or_else(|_| self.bits(row), |count| below(self.bits(row), count));
                low.wrapping_add_unsigned(offset)
            }
            Values::Period { start, stop } => {
                let (length, rows) = (stop.abs_diff(*start), rows.max(1));
                let passed = match length.checked_mul(row) {
                    Some(product) => product / rows,
                    None => (u128::from(length) * u128::from(row) / u128::from(rows)) as u64,
                };
                start.wrapping_add_unsigned(passed)
            }
            Values::Zipf { low, .. } => {
                let rank = self.zipf.as_ref().map_or(1, |zipf| zipf.rank(self.bits(row)));
                low.wrapping_add_unsigned(rank.saturating_sub(1))
            }
            Values::List { .. } | Values::Text { .. } => 0,
        }
    }

    /// Replaces a value with that of a row; a text is appended to `texts`.
    fn write(&self, row: u64, rows: u64, value: &mut DrawnValue, texts: &mut Vec<u8>) {
        let start = texts.len();
        match &self.values {
            Values::List { values, cumulative } => {
                let drawn = unit(self.bits(row));
                let index =
                    cumulative.partition_point(|sum| *sum <= drawn).min(values.len().saturating_sub(1));
                match values.get(index) {
                    Some(Value::Text(chosen)) => texts.extend_from_slice(chosen.as_bytes()),
                    Some(Value::Number(chosen)) => return *value = DrawnValue::Number(*chosen),
                    None => return *value = DrawnValue::Number(0),
                }
            }
            Values::Text { .. } => self.random_text.iter().for_each(|random| random.write(row, texts)),
            _ => {
                let number = self.number(row, rows);
                match &self.shape {
                    Some(shape) => shape.write(number.unsigned_abs(), texts),
                    None => return *value = DrawnValue::Number(number),
                }
            }
        }
        *value = DrawnValue::Text { start, end: texts.len() };
    }

    fn bits(&self, row: u64) -> u64 {
        bits(self.key, row)
    }

    /// Whether all rows have different values.
    fn is_distinct(&self, rows: u64) -> bool {
        match &self.values {
            Values::Sequential { step, .. } => {
                *step != 0 && i128::from(*step).abs() * i128::from(rows.saturating_sub(1)) < self.count
            }
            Values::Period { start, stop } => i128::from(*stop) - i128::from(*start) >= i128::from(rows),
            _ => false,
        }
    }
}

/// The groups of a random text of `width` characters from an alphabet of `base` characters, from left to
/// right. The first group uses the field's own stream, each further group a separate one.
pub(super) fn groups(key: u64, base: u64, width: usize) -> impl Iterator<Item = Group> {
    let (most, texts) = group_of(base);
    (0..width).step_by(most).enumerate().map(move |(index, start)| {
        let key = if index == 0 { key } else { stream_key(key, index as u64) };
        let size = most.min(width - start);
        Group { key, size, texts: if size == most { texts } else { base.pow(size as u32) } }
    })
}

/// The number of characters of a group, and the number of its texts.
fn group_of(base: u64) -> (usize, u64) {
    let (mut size, mut texts) = (1, base.max(1));
    while let Some(more) = texts.checked_mul(base).filter(|more| *more <= MAX_GROUP && size < 48) {
        (size, texts) = (size + 1, more);
    }
    (size, texts)
}

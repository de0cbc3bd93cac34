//! Java's `String.hashCode`.

use super::file::KeyFields;
use super::file::hash_code::{self, ABS, MASK, MODULO};
use super::file::joined::{self, JOINED_BY, OF, key_or_inputs};
use super::file::write::{THEN, WRITE};
use super::hash_code::{HashCode, Reduce};
use super::input::{Cut, SaltInput, SaltInputs};
use super::numbers::{Number, Numbers};
use super::reducer::{InputSeparator, Reducer};
use super::spread::PLUS;
use super::{Hashed, Scheme};
use crate::key::field::{Field, FieldKind, FieldVec};
use crate::key::java;
use saltplan_document::format::{Choice, Key, KeyRule, KeyTest, Map, ValueType, default, form, word};
use saltplan_document::reader::{Fields, FileValue, Reader};

/// Java's `String.hashCode` of the inputs, then reduced.
#[derive(Debug, Clone, PartialEq)]
pub struct JavaHashSalt {
    pub of: SaltInputs,
    /// Text between the inputs before they are hashed together.
    pub joined_by: Vec<u8>,
    pub combine: Combine,
    pub reduce: Reduce,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// The hash of the inputs' concatenation.
    Concat,
    /// The XOR of the inputs' hashes.
    Xor,
}

impl Scheme for JavaHashSalt {
    fn key(&self) -> &'static Key {
        &KEY
    }

    fn hashed(&self) -> Option<Hashed<'_>> {
        Some(Hashed { of: &self.of, joined_by: &self.joined_by })
    }

    fn number(&self, fields: &FieldVec<Field>, inputs: &mut dyn Iterator<Item = &[u8]>) -> Option<Number> {
        let hash = match self.combine {
            Combine::Concat => java::utf8_hash_code(&self.of.join(fields, &self.joined_by, inputs)),
            Combine::Xor => inputs.fold(0, |hash, input| hash ^ java::utf8_hash_code(input)),
        };
        Some(self.reduced(hash))
    }

    fn number_of_joined(&self, joined: &[u8]) -> Option<Number> {
        let is_one_text = self.combine == Combine::Concat || self.of.is_one();
        is_one_text.then(|| self.reduced(java::utf8_hash_code(joined)))
    }

    fn numbers(&self, fields: &FieldVec<Field>) -> Numbers {
        self.hash_code(fields).map_or_else(|| Numbers::run(0..=0), HashCode::numbers)
    }

    fn reducer(&self) -> Reducer {
        Reducer::Hash(self.reduce)
    }

    fn separator(&self, fields: &FieldVec<Field>) -> Option<InputSeparator> {
        match self.combine {
            Combine::Concat => self.of.separator(fields, &self.joined_by),
            Combine::Xor => Some(InputSeparator::HashedApart),
        }
    }

    fn hash_code(&self, fields: &FieldVec<Field>) -> Option<HashCode> {
        let least = if self.stays_positive(fields) { 0 } else { i32::MIN };
        Some(HashCode { reduce: self.reduce, hashes: least..=i32::MAX })
    }
}

impl JavaHashSalt {
    fn reduced(&self, hash: i32) -> Number {
        Number::Plain(self.reduce.apply(hash).into())
    }

    /// Whether there are no bytes between the inputs.
    fn is_of_inputs_alone(&self) -> bool {
        self.joined_by.is_empty() && matches!(self.of, SaltInputs::List(_))
    }

    /// Whether every hash is below 2^31. Then none is negative, and neither is their XOR. Only a text that consists of
    /// nothing but inputs can be short enough.
    fn stays_positive(&self, fields: &FieldVec<Field>) -> bool {
        self.is_of_inputs_alone() && hashes_stay_positive(self.combine, &self.of.list(fields), fields)
    }
}

/// Whether no input is long enough for its hash to reach 2^31.
fn hashes_stay_positive(combine: Combine, inputs: &[SaltInput], fields: &FieldVec<Field>) -> bool {
    let widest = |input: &SaltInput| -> Option<(u32, usize)> {
        let kind = &fields.get(input.field)?.kind;
        let width = match &input.cut {
            Cut::Format(format) => return Some((format.greatest_char() as u32, format.width())),
            // Lower-case letters are greater than upper-case ones, and their text can be longer.
            _ if input.lower || !kind.is_ascii_in_key() => return None,
            Cut::Whole => kind.fixed_width()?,
            Cut::Bytes { from, to } => to - from,
            Cut::First(count) | Cut::Last(count) => (*count).min(kind.fixed_width().unwrap_or(usize::MAX)),
        };
        Some((highest_unit(kind), width))
    };
    let Some(widths) = inputs.iter().map(widest).collect::<Option<Vec<_>>>() else { return false };
    match combine {
        Combine::Xor => {
            widths.iter().all(|&(unit, width)| greatest_hash(unit, width) <= i128::from(i32::MAX))
        }
        Combine::Concat => {
            let unit = widths.iter().map(|&(unit, _)| unit).max().unwrap_or(0);
            let width = widths.iter().map(|&(_, width)| width).sum();
            greatest_hash(unit, width) <= i128::from(i32::MAX)
        }
    }
}

fn highest_unit(kind: &FieldKind) -> u32 {
    match kind {
        FieldKind::Text(text) => (text.chars.greatest() as u32).min(0x7F),
        _ => u32::from('~'),
    }
}

/// The hash of `width` times the greatest unit, without wrapping at 32 bits.
fn greatest_hash(unit: u32, width: usize) -> i128 {
    (0..width.min(16)).fold(0i128, |hash, _| hash * 31 + i128::from(unit))
}

/// The key in a schema file.
pub static KEY: Key = form("java_hash", &MAP, "{ of: [tel], abs: after, modulo: 16, write: { decimal: 2 } }");

pub static COMBINES: Choice<Combine> = Choice(&[
    word("concat", Combine::Concat, "the hash of the joined text"),
    word("xor", Combine::Xor, "the XOR of their hashes"),
]);

pub static COMBINE: Key =
    default("combine", ValueType::Words(&COMBINES), "concat", "How several inputs are combined.");

pub static MAP: Map = Map {
    about: "Java's `String.hashCode`, then a mask or a remainder.",
    keys: &[&OF, &JOINED_BY, &COMBINE, &MASK, &MODULO, &ABS, &PLUS, &WRITE, &THEN],
    cases: &[
        joined::WHOLE,
        joined::OF_BYTES,
        KeyRule::when(&[KeyTest::Is(&OF, &["key"])])
            .refuses(&[&COMBINE])
            .help("remove it: the key is one text"),
        KeyRule::when(&[KeyTest::IsMapping(&OF)])
            .described("`of: { bytes: … }`")
            .refuses(&[&COMBINE])
            .help("remove it: the bytes are one text"),
        KeyRule::when(&[KeyTest::Is(&COMBINE, &["xor"])])
            .refuses(&[&JOINED_BY])
            .help("remove it: each input is hashed by itself"),
        hash_code::ONE_OF_TWO,
        hash_code::MASKED,
        hash_code::DIVIDED,
        hash_code::NOT_MASKED,
        hash_code::NOT_SPREAD,
    ],
    misplaced: &[],
};

pub(super) fn read(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<JavaHashSalt> {
    let of = fields.required(reader, &OF, |reader, value| {
        let of = key_or_inputs(reader, value, key)?;
        // Only the separators determine which fields a range of key bytes touches, so `schema::check` checks
        // these fields.
        let is_checked_later = matches!(of, SaltInputs::KeyBytes { .. });
        let inputs = if is_checked_later { Vec::new() } else { of.list(key.fields) };
        inputs.iter().all(|input| hashable(reader, value, input, key)).then_some(of)
    });
    let joined_by = joined::joined_by(reader, fields)?;
    let combine = fields.default(reader, &COMBINE, |reader, value| value.word(reader));
    let reduce = hash_code::reduce(reader, fields, "a Java hash");
    Some(JavaHashSalt { of: of?, joined_by, combine: combine?, reduce: reduce? })
}

/// `String.hashCode` needs text.
fn hashable(reader: &mut Reader<'_>, list: &FileValue<'_>, input: &SaltInput, key: &KeyFields<'_>) -> bool {
    let (field, declared) = key.declared(input.field);
    if field.kind.is_text_in_key() || matches!(input.cut, Cut::Format(_)) {
        return true;
    }
    let message = format!("`{}` is stored as binary, but a Java hash takes text", field.name);
    let fault =
        reader.fault(list.span(), message, "has no `hashCode`").with_label(declared, "stored as binary here");
    let help = match field.kind {
        FieldKind::Text(_) => "use `bytes_hash` or `md5`, which take bytes",
        _ => {
            "use `bytes_hash` if the code hashes the bytes (`Arrays.hashCode`); to hash the digits, store the field with `encoding: decimal`"
        }
    };
    reader.report(fault.with_help(help));
    false
}

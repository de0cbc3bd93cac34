//! Salts: leading bytes that spread writes over the regions.
//!
//! Each scheme is one file of this directory: its value, its properties behind the trait `Scheme`, and its
//! keys in a schema file. `schemes!` lists them. A hash ([`HashSalt`]) has several spellings in schema files, each with a file for
//! its keys, and consists of a function (`function.rs`) and of what is taken of it (`reduction.rs`). Other modules use [`Salt`].
//! They look at the concrete scheme only to print it in HiveQL and to audit mistakes that only one scheme allows.

pub mod behind;
pub mod bytes_hash;
pub mod charset;
pub mod digest;
pub mod field_hash;
pub mod file;
mod function;
mod hash;
pub mod hash_keys;
mod input;
pub mod java_hash;
pub mod md5;
pub mod modulo;
mod numbers;
mod objects;
pub mod random;
mod reducer;
mod reduction;
pub mod spread;
#[cfg(test)]
mod tests;
pub mod text;
pub mod unknown;
mod write;

use std::collections::BTreeSet;
use std::ops::Deref;

use super::codec::Value;
use super::field::{Field, FieldKind, FieldVec};
pub use charset::Charset;
use file::ReadScheme;
pub use function::{FUNCTIONS, HASHES, Hash};
pub use hash::{Combine, Spelling};
pub use input::{Cut, HashedText, InputError, InputId, InputVec, SaltInput, SaltInputs, Window};
pub use numbers::{Number, Numbers};
pub use objects::Object;
pub use reducer::{InputSeparator, Reducer};
pub use reduction::{Abs, HashCode, HexDigits, Reduction, Take};
use saltplan_document::format::Key;
pub use spread::Spread;
pub use write::{Alphabet, SaltWrite};

/// Combinations of finite inputs tried to find the salts exactly.
const MAX_COMBINATIONS: usize = 4_096;

/// A salt as a schema declares it.
#[derive(Debug, Clone, PartialEq)]
pub struct Salt {
    pub scheme: SaltScheme,
    /// A random number that is added to the computed one.
    pub spread: Option<Spread>,
    /// Constant text in front of the written number, printable ASCII. It is a part of the salt's bytes.
    pub behind: Vec<u8>,
    pub write: SaltWrite,
    /// Separator between the salt and the first field.
    pub separator: Vec<u8>,
}

/// The list of schemes, each with its file.
macro_rules! schemes {
    ($($name:ident in $file:ident: $scheme:ident),+ $(,)?) => {
        $(pub use $file::$scheme;)+

        /// How the salt's number is computed from a row.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum SaltScheme {
            $($name($scheme)),+
        }

        /// What all schemes have in common is asked of the scheme itself.
        impl Deref for SaltScheme {
            type Target = dyn Scheme;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(SaltScheme::$name(scheme) => scheme),+
                }
            }
        }
    };
}

schemes! {
    Hash in hash: HashSalt,
    Modulo in modulo: ModuloSalt,
    Random in random: RandomSalt,
    Text in text: TextSalt,
    Unknown in unknown: UnknownSalt,
}

/// The keys that declare a salt in a schema file, and the reader of each.
static FORMS: &[(&Key, ReadScheme)] = &[
    (&md5::KEY, |reader, fields, key| md5::read(reader, fields, key).map(SaltScheme::Hash)),
    (&java_hash::KEY, |reader, fields, key| java_hash::read(reader, fields, key).map(SaltScheme::Hash)),
    (&modulo::KEY, |reader, fields, key| modulo::read(reader, fields, key).map(SaltScheme::Modulo)),
    (&random::KEY, |reader, fields, key| random::read(reader, fields, key).map(SaltScheme::Random)),
    (&bytes_hash::KEY, |reader, fields, key| bytes_hash::read(reader, fields, key).map(SaltScheme::Hash)),
    (&digest::KEY, |reader, fields, key| digest::read(reader, fields, key).map(SaltScheme::Hash)),
    (&hash_keys::KEY, |reader, fields, key| hash_keys::read(reader, fields, key).map(SaltScheme::Hash)),
    (&text::KEY, |reader, fields, key| text::read(reader, fields, key).map(SaltScheme::Text)),
    (&unknown::KEY, |reader, fields, key| unknown::read(reader, fields, key).map(SaltScheme::Unknown)),
];

/// The inputs of a hash and the bytes between them.
#[derive(Debug)]
pub struct Hashed<'a> {
    pub of: &'a SaltInputs,
    pub joined_by: &'a [u8],
}

/// The properties of a scheme. `fields` are those of the row key.
pub trait Scheme {
    /// The key in a schema file.
    fn key(&self) -> &'static Key;

    /// What is hashed, if the inputs are joined.
    fn hashed(&self) -> Option<Hashed<'_>> {
        None
    }

    /// The inputs in order; empty if the salt cannot be computed.
    fn inputs(&self, fields: &FieldVec<Field>) -> Vec<SaltInput> {
        self.hashed().map(|Hashed { of, .. }| of.list(fields)).unwrap_or_default()
    }

    /// The number of a row, from the bytes of its inputs; `None` if it cannot be computed.
    fn number(&self, fields: &FieldVec<Field>, inputs: &mut dyn Iterator<Item = &[u8]>) -> Option<Number> {
        let Hashed { of, joined_by } = self.hashed()?;
        self.number_of_joined(&of.join(fields, joined_by, inputs))
    }

    /// The number of a row from the joined bytes of its inputs; `None` if the inputs are used one by one.
    fn number_of_joined(&self, _joined: &[u8]) -> Option<Number> {
        None
    }

    /// The number of a row from its single numeric input; `None` if the bytes of the inputs are used.
    fn number_of_input(&self, _input: i64) -> Option<Number> {
        None
    }

    /// Every number that a row can have.
    fn numbers(&self, fields: &FieldVec<Field>) -> Numbers;

    /// How the inputs become the number.
    fn reducer(&self) -> Reducer;

    /// The bytes between several inputs that are joined.
    fn separator(&self, fields: &FieldVec<Field>) -> Option<InputSeparator> {
        self.hashed().and_then(|Hashed { of, joined_by }| of.separator(fields, joined_by))
    }

    /// The 32-bit hash from which the number is computed, if there is one.
    fn hash_code(&self, _fields: &FieldVec<Field>) -> Option<HashCode> {
        None
    }

    /// How the number is stored, if the scheme determines it.
    fn own_write(&self) -> Option<SaltWrite> {
        None
    }

    /// Whether a row's fields determine it.
    fn is_computable(&self) -> bool {
        true
    }

    /// Whether equal numbers imply equal inputs.
    fn determines_inputs(&self, _fields: &FieldVec<Field>) -> bool {
        false
    }
}

impl SaltScheme {
    /// The key of the scheme in a schema file.
    pub fn name(&self) -> &'static str {
        self.key().name
    }

    /// Whether the salt is computed from all stored bytes that follow it.
    pub fn takes_whole_key(&self) -> bool {
        self.hashed_inputs() == Some(&SaltInputs::Key)
    }

    /// The inputs that are joined and hashed, for schemes that hash.
    pub fn hashed_inputs(&self) -> Option<&SaltInputs> {
        self.hashed().map(|hashed| hashed.of)
    }
}

/// The number of hex digits that is assumed to distinguish the rows of any table: 64 bits.
const DISTINGUISHING_DIGITS: usize = 16;

/// Whether this many hex digits of a cryptographic digest identify one combination of inputs: at least 64 bits, of a
/// hashed text in which whole fields can be told apart.
fn distinguishes_inputs(fields: &FieldVec<Field>, of: &SaltInputs, joined_by: &[u8], digits: usize) -> bool {
    let SaltInputs::List(inputs) = of else { return false };
    let Some((_, before_last)) = inputs.split_last() else { return false };
    let ends_are_certain = |input: &SaltInput| {
        let Some(field) = fields.get(input.field) else { return false };
        field.kind.fixed_width().is_some()
            || (!joined_by.is_empty() && !field.kind.may_hold_part_of(joined_by))
    };
    digits >= DISTINGUISHING_DIGITS
        && inputs.iter().all(SaltInput::is_whole)
        && before_last.iter().all(ends_are_certain)
}

/// The salts that rows can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaltDomain {
    /// The bytes of every possible salt, ascending.
    Listed(Vec<Vec<u8>>),
    TooMany {
        count: u128,
    },
}

impl SaltDomain {
    pub fn count(&self) -> u128 {
        match self {
            SaltDomain::Listed(salts) => salts.len() as u128,
            SaltDomain::TooMany { count } => *count,
        }
    }
}

/// The salts, out of ascending `salts`, that are prefixes of a key, the shortest first.
pub fn starting<'s>(salts: &'s [Vec<u8>], key: &[u8]) -> Vec<&'s [u8]> {
    let mut found = Vec::new();
    // Salts that share the first bytes of the key are adjacent, and the one that ends here comes first.
    let mut sharing = salts;
    for length in 0..=key.len() {
        let Some(first) = sharing.first() else { break };
        if first.len() == length {
            found.push(first.as_slice());
        }
        let Some(next) = key.get(length) else { break };
        let start = sharing.partition_point(|salt| salt.get(length) < Some(next));
        let stop = sharing.partition_point(|salt| salt.get(length) <= Some(next));
        sharing = &sharing[start..stop];
    }
    found
}

/// The value that all items have; `None` if they differ or an item is `None`.
fn common(mut items: impl Iterator<Item = Option<usize>>) -> Option<usize> {
    let first = items.next()??;
    items.all(|item| item == Some(first)).then_some(first)
}

impl Salt {
    /// The inputs in order. A salt of the whole key has every stored field as an input, a random salt has
    /// none.
    pub fn inputs(&self, fields: &FieldVec<Field>) -> InputVec<SaltInput> {
        self.scheme.inputs(fields).into()
    }

    /// Whether the salts of a row can be computed from its fields: one, or those of a spread.
    pub fn is_computable(&self) -> bool {
        self.scheme.is_computable()
    }

    /// Whether a row's fields do not determine its salt: it is random, or a part of it is.
    pub fn is_random(&self) -> bool {
        !self.is_computable() || self.spread.is_some()
    }

    /// Every number that rows with these key fields can have.
    pub fn numbers(&self, fields: &FieldVec<Field>) -> Numbers {
        let numbers = self.scheme.numbers(fields);
        self.spread.map_or_else(|| numbers.clone(), |spread| spread.of_all(&numbers))
    }

    /// The salts of a row, ascending, from the bytes of [`Salt::inputs`]: one, or those of a spread. `None` for a salt that cannot
    /// be computed.
    pub fn salts(&self, fields: &FieldVec<Field>, inputs: &[Vec<u8>]) -> Option<BTreeSet<Vec<u8>>> {
        Some(self.written(self.number(fields, inputs.iter().map(Vec::as_slice))?))
    }

    /// How it is stored, as text: `be16`, `decimal(3) behind d:`.
    pub(crate) fn encoding(&self) -> String {
        let written = self.write.describe();
        match String::from_utf8_lossy(&self.behind) {
            text if text.is_empty() => written,
            text => format!("{written} behind {text}"),
        }
    }

    /// The bytes of a number behind the constant text.
    fn bytes(&self, number: Number) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.append(number, &mut bytes);
        bytes
    }

    /// Appends the bytes of a number behind the constant text.
    pub(crate) fn append(&self, number: Number, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.behind);
        self.write.append(number, out);
    }

    /// The salts of a row whose computed number is known.
    pub(crate) fn written(&self, number: Number) -> BTreeSet<Vec<u8>> {
        match self.spread {
            None => BTreeSet::from([self.bytes(number)]),
            Some(spread) => spread.all(number).map(|one| self.bytes(one)).collect(),
        }
    }

    /// The number of a row from the bytes of [`Salt::inputs`]; `None` for a random salt.
    pub(crate) fn number<'i>(
        &self,
        fields: &FieldVec<Field>,
        mut inputs: impl Iterator<Item = &'i [u8]>,
    ) -> Option<Number> {
        self.scheme.number(fields, &mut inputs)
    }

    /// The exact set of salts that rows can have.
    pub fn domain(&self, fields: &FieldVec<Field>) -> SaltDomain {
        if let Some(salts) = self.salts_of_finite_inputs(fields) {
            return SaltDomain::Listed(salts);
        }
        let numbers = self.numbers(fields);
        if numbers.count() > Numbers::MAX_LISTED as u128 {
            return SaltDomain::TooMany { count: numbers.count() };
        }
        let mut salts: Vec<Vec<u8>> = numbers.list().into_iter().map(|one| self.bytes(one)).collect();
        salts.sort_unstable();
        salts.dedup();
        SaltDomain::Listed(salts)
    }

    /// The salt domain, found by trying every combination of inputs if they come from short lists of values.
    fn salts_of_finite_inputs(&self, fields: &FieldVec<Field>) -> Option<Vec<Vec<u8>>> {
        if !self.is_computable() {
            return None;
        }
        let mut rows: Vec<Vec<Vec<u8>>> = vec![Vec::new()];
        for input in self.inputs(fields) {
            let field = fields.get(input.field)?;
            let FieldKind::Text(text) = &field.kind else { return None };
            let values = text.values.as_ref()?;
            if rows.len().checked_mul(values.len())? > MAX_COMBINATIONS {
                return None;
            }
            let stored: BTreeSet<Vec<u8>> = values
                .iter()
                .filter_map(|v| input.bytes(field, &Value::Text(v.clone()), None).ok())
                .collect();
            rows = rows
                .iter()
                .flat_map(|row| {
                    stored.iter().map(move |value| [row.as_slice(), std::slice::from_ref(value)].concat())
                })
                .collect();
        }
        let salts: BTreeSet<Vec<u8>> =
            rows.iter().filter_map(|inputs| self.salts(fields, inputs)).flatten().collect();
        Some(salts.into_iter().collect())
    }

    /// The number of hex digits of every salt, if it is stored as the digits of a digest.
    pub fn hex_digits(&self, fields: &FieldVec<Field>) -> Option<usize> {
        self.written_digits(fields).filter(|_| self.behind.is_empty())
    }

    fn written_digits(&self, fields: &FieldVec<Field>) -> Option<usize> {
        self.numbers(fields).hex_digits().filter(|_| self.write.is_hex())
    }

    /// The width of the salt in bytes if all salts have the same width.
    pub fn fixed_width(&self, fields: &FieldVec<Field>) -> Option<usize> {
        let bytes_of_digits = || {
            let digits = self.numbers(fields).hex_digits().filter(|_| self.write == SaltWrite::Bytes);
            digits.map(|digits| digits.div_ceil(2))
        };
        let width = self.write.byte_width().or_else(|| self.written_digits(fields)).or_else(bytes_of_digits);
        width.map(|width| self.behind.len() + width).or_else(|| match self.domain(fields) {
            SaltDomain::Listed(salts) => common(salts.iter().map(|salt| Some(salt.len()))),
            SaltDomain::TooMany { .. } => {
                let numbers = self.numbers(fields);
                let width = numbers.width_of_many_texts();
                let width = width.or_else(|| self.write.width_of_numbers(numbers.range()?))?;
                Some(self.behind.len() + width)
            }
        })
    }

    /// The width of a salt that is text, in characters as Hive counts them, if all salts have the same width.
    pub(crate) fn width_in_characters(&self, fields: &FieldVec<Field>) -> Option<usize> {
        match self.write {
            SaltWrite::Text => match self.domain(fields) {
                SaltDomain::Listed(salts) => common(salts.iter().map(|salt| {
                    // Hive counts a character above U+FFFF as one or as two.
                    let text = std::str::from_utf8(salt).ok()?;
                    text.chars().all(|c| c <= '\u{FFFF}').then(|| text.chars().count())
                })),
                SaltDomain::TooMany { .. } => self.numbers(fields).width_of_many_texts(),
            },
            _ => self.fixed_width(fields),
        }
    }

    /// Whether the first separator in a key is the one that ends the salt.
    pub fn ends_at_separator(&self, fields: &FieldVec<Field>) -> bool {
        let Some(first) = self.separator.first() else { return false };
        match self.domain(fields) {
            SaltDomain::Listed(salts) => salts.iter().all(|salt| {
                let written = [salt.as_slice(), &self.separator].concat();
                written.windows(self.separator.len()).position(|window| window == self.separator)
                    == Some(salt.len())
            }),
            SaltDomain::TooMany { .. } if self.write == SaltWrite::Text => {
                self.inputs(fields).iter().all(|input| {
                    let field = fields.get(input.field);
                    let is_apart =
                        |bytes: &[u8]| field.is_some_and(|field| !field.kind.may_hold_part_of(bytes));
                    is_apart(&self.separator)
                        && (!input.lower
                            || !self.separator.is_ascii()
                            || is_apart(&self.separator.to_ascii_uppercase()))
                })
            }
            SaltDomain::TooMany { .. } => !self.behind.contains(first) && !self.write.may_hold(*first),
        }
    }

    /// Whether equal salts imply equal inputs: the salt has at least 64 bits of a digest, and the hashed text
    /// is unambiguous.
    pub(crate) fn determines_inputs(&self, fields: &FieldVec<Field>) -> bool {
        self.scheme.determines_inputs(fields)
    }

    /// The text that is hashed; `None` for a scheme that hashes no joined text.
    pub fn hashed_text(&self, fields: &FieldVec<Field>) -> Option<HashedText> {
        self.scheme.hashed().map(|Hashed { of, joined_by }| of.text(fields, joined_by))
    }

    /// The bytes between joined inputs; `None` for a single input.
    pub fn separator(&self, fields: &FieldVec<Field>) -> Option<InputSeparator> {
        if self.inputs(fields).len() < 2 {
            return None;
        }
        self.scheme.separator(fields)
    }

    /// Whether the bytes of a salt represent a negative number.
    pub fn is_negative(&self, fields: &FieldVec<Field>, bytes: &[u8]) -> bool {
        self.shows_sign(bytes) && self.numbers(fields).is_signed()
    }

    /// Whether the domain shows that no salt is negative, regardless of what the scheme gives for other
    /// inputs.
    pub fn shows_no_sign(&self, salt_domain: &SaltDomain) -> bool {
        let is_decimal = matches!(self.write, SaltWrite::Decimal { .. });
        is_decimal
            && matches!(salt_domain, SaltDomain::Listed(salts) if !salts.iter().any(|salt| self.shows_sign(salt)))
    }

    fn shows_sign(&self, bytes: &[u8]) -> bool {
        bytes.strip_prefix(self.behind.as_slice()).is_some_and(|number| self.write.shows_sign(number))
    }

    /// Two salts, one of which is a prefix of the other, including its separator. Rows of each are in the
    /// ranges of the other and cannot be distinguished.
    pub fn overlapping_pair(&self, fields: &FieldVec<Field>) -> Option<(Vec<u8>, Vec<u8>)> {
        let SaltDomain::Listed(salts) = self.domain(fields) else { return None };
        let written: Vec<Vec<u8>> =
            salts.iter().map(|salt| [salt.as_slice(), &self.separator].concat()).collect();
        // In sorted order, a prefix directly precedes one of its extensions.
        let mut sorted = written;
        sorted.sort_unstable();
        sorted
            .windows(2)
            .find(|pair| pair[1].starts_with(&pair[0]))
            .map(|pair| (pair[0].clone(), pair[1].clone()))
    }
}

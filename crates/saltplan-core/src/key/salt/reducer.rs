//! What schemes do with their inputs, as values that can be compared.

use std::fmt;
use std::sync::Arc;

use super::digest::{HASHES, Hash, Take};
use super::hash_code::{Abs, Reduce};
use crate::key::range::to_string_binary;

/// From the inputs to the number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reducer {
    /// The first hex digits of a digest.
    HexDigits(usize),
    /// A part of another digest.
    Digest { hash: Hash, seed: u64, take: Take },
    /// The remainder or the masked bits of a 32-bit hash.
    Hash(Reduce),
    /// As `Hash`, for a hash that starts from another number than Java's.
    SeededHash { seed: i32, reduce: Reduce },
    /// The remainder of a number.
    Remainder { by: i64 },
    /// A random number, without inputs.
    Below(u64),
    /// No computation: the text itself is the salt.
    Text,
    /// An unknown rule, with the salts that were seen, ascending.
    Unknown(Option<Arc<[Vec<u8>]>>),
}

impl Reducer {
    /// The key of the schema file that declares it.
    pub fn key(&self) -> &'static str {
        match self {
            Reducer::HexDigits(_) => "first_hex_digits",
            Reducer::Digest { take: Take::HexDigits { .. }, .. } => "hex_digits",
            Reducer::Digest { take: Take::Modulo(_) | Take::Signed { .. }, .. } => "modulo",
            Reducer::Hash(Reduce::Mask(_)) | Reducer::SeededHash { reduce: Reduce::Mask(_), .. } => "mask",
            Reducer::Hash(Reduce::Modulo { .. })
            | Reducer::SeededHash { reduce: Reduce::Modulo { .. }, .. } => "modulo",
            Reducer::Remainder { .. } => "by",
            Reducer::Below(_) => "below",
            Reducer::Text => "field",
            Reducer::Unknown(None) => "chars",
            Reducer::Unknown(Some(_)) => "values",
        }
    }
}

impl fmt::Display for Reducer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reducer::HexDigits(digits) => write!(f, "first {digits} hex digits"),
            Reducer::Digest { hash, seed, take } => {
                f.write_str(HASHES.word(*hash))?;
                if *seed != 0 {
                    write!(f, " with seed {seed}")?;
                }
                match take {
                    Take::HexDigits { first, count } => {
                        write!(f, ", hex digits {first} to {}", first + count - 1)
                    }
                    Take::Modulo(by) => write!(f, " % {by}"),
                    Take::Signed { by, abs } => write!(f, ", {}", Signed(*by, *abs)),
                }
            }
            Reducer::SeededHash { seed, reduce } => {
                write!(f, "{}, hash from seed {seed}", Reducer::Hash(*reduce))
            }
            Reducer::Hash(Reduce::Mask(mask)) => write!(f, "& 0x{mask:X}"),
            Reducer::Hash(Reduce::Modulo { by, abs }) => write!(f, "{}", Signed(*by, *abs)),
            Reducer::Remainder { by } => write!(f, "% {by}"),
            Reducer::Below(below) => write!(f, "below {below}"),
            Reducer::Text => f.write_str("as it is"),
            Reducer::Unknown(None) => f.write_str("not known"),
            Reducer::Unknown(Some(values)) => {
                let shown: Vec<String> = values.iter().take(8).map(|value| quoted(value)).collect();
                let more = values.len() - shown.len();
                f.write_str(&shown.join(", "))?;
                if more > 0 { write!(f, " and {more} more") } else { Ok(()) }
            }
        }
    }
}

/// The remainder of a number with a sign, in Java's notation.
struct Signed(i32, Abs);

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Signed(by, abs) = self;
        match abs {
            Abs::Before => write!(f, "abs(hash) % {by}"),
            Abs::After => write!(f, "abs(hash % {by})"),
            Abs::Mask => write!(f, "(hash & 0x7FFFFFFF) % {by}"),
            Abs::None => write!(f, "hash % {by}"),
        }
    }
}

/// What is between several inputs when they are joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputSeparator {
    /// The same bytes between all inputs.
    Bytes(Vec<u8>),
    /// Separate bytes for each gap between two inputs.
    Each(Vec<Vec<u8>>),
    /// The inputs are not joined: each is hashed, and the hashes are combined by XOR.
    HashedApart,
}

impl fmt::Display for InputSeparator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputSeparator::Bytes(bytes) => f.write_str(&quoted(bytes)),
            InputSeparator::Each(all) => {
                let all: Vec<String> = all.iter().map(|bytes| quoted(bytes)).collect();
                f.write_str(&all.join(", "))
            }
            InputSeparator::HashedApart => f.write_str("hashed apart, xor"),
        }
    }
}

/// Bytes in HBase's text form, in quotes.
fn quoted(bytes: &[u8]) -> String {
    format!("'{}'", to_string_binary(bytes))
}

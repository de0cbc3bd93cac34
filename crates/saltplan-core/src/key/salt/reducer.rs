//! What schemes do with their inputs, as values that can be compared.

use std::fmt;
use std::sync::Arc;

use super::function::{FUNCTIONS, Hash};
use super::reduction::{Reduction, Take};
use crate::key::range::to_string_binary;

/// From the inputs to the number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reducer {
    /// The first hex digits of a digest.
    HexDigits(usize),
    /// A part of another digest.
    Digest { hash: Hash, seed: i64, take: Take },
    /// The remainder or the masked bits of a hash code of Java.
    Hash(Reduction),
    /// As `Hash`, for a hash that starts from another number than Java's.
    SeededHash { seed: i64, reduction: Reduction },
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
            Reducer::Digest { take: Take::HexDigits(_), .. } => "hex_digits",
            Reducer::Digest { take: Take::Number(reduction), .. }
            | Reducer::Hash(reduction)
            | Reducer::SeededHash { reduction, .. } => match (reduction.modulo, reduction.mask) {
                (Some(_), _) => "modulo",
                (None, Some(_)) => "mask",
                (None, None) => "hex_digits",
            },
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
                f.write_str(FUNCTIONS.word(*hash))?;
                if *seed != hash.usual_seed().unwrap_or(0) {
                    write!(f, " with seed {seed}")?;
                }
                match take {
                    Take::HexDigits(digits) => {
                        write!(f, ", hex digits {} to {}", digits.first, digits.last())
                    }
                    Take::Number(reduction) => {
                        if let Some(digits) = reduction.digits {
                            write!(f, ", hex digits {} to {} as hash", digits.first, digits.last())?;
                        }
                        let is_divided_only =
                            reduction.digits.is_none() && reduction.mask.is_none() && !reduction.signed;
                        match reduction.modulo {
                            Some(by) if is_divided_only => write!(f, " % {by}"),
                            _ => write!(f, ", {reduction}"),
                        }
                    }
                }
            }
            Reducer::SeededHash { seed, reduction } => write!(f, "{reduction}, hash from seed {seed}"),
            Reducer::Hash(reduction) => reduction.fmt(f),
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

/// What is between several inputs when they are joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputSeparator {
    /// The same bytes between all inputs.
    Bytes(Vec<u8>),
    /// Separate bytes for each gap between two inputs.
    Each(Vec<Vec<u8>>),
    /// The inputs are not joined: each is hashed, and the hashes are combined by XOR.
    HashedApart,
    /// The inputs are not joined: their hash codes are combined as those of Java's objects.
    OfObjects,
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
            InputSeparator::OfObjects => f.write_str("hashed apart, as objects"),
        }
    }
}

/// Bytes in HBase's text form, in quotes.
fn quoted(bytes: &[u8]) -> String {
    format!("'{}'", to_string_binary(bytes))
}

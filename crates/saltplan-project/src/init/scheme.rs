//! Finds the scheme that gives the salts of sample keys.
//!
//! A scheme is accepted only if it gives the right salt for every key, and if this is not by chance: the
//! probability that a wrong scheme passes is at most two to the minus [`LEAST_BITS`], and a few hundred
//! thousand schemes are tried.

use std::collections::BTreeSet;

use md5::{Digest, Md5};

use super::segment::long;
use saltplan_core::key::java;
use saltplan_core::key::range::to_hex;

/// The inputs of the salts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HashedInput {
    /// All bytes after the salt and its separator.
    Rest,
    /// All parts, joined without a separator.
    Parts,
    /// One of the parts between separators.
    Part(usize),
    /// The XOR of the hashes of two pieces from different parts.
    Xor(HashedPart, HashedPart),
}

/// A part between separators, or the start or end of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HashedPart {
    pub part: usize,
    pub cut: HashedCut,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HashedCut {
    Whole,
    First(usize),
    Last(usize),
}

/// The last four digits of a telephone number, or the month of a date, as in published designs.
const CUTS: [HashedCut; 3] = [HashedCut::Whole, HashedCut::Last(4), HashedCut::First(6)];

/// With more parts than this, pairs are not tried.
const MAX_PARTS: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GuessedScheme {
    Md5Hex {
        digits: usize,
    },
    /// The digits as a decimal number.
    Md5Decimal {
        digits: usize,
        width: usize,
    },
    HashMask,
    Hash {
        modulo: u32,
        width: Option<usize>,
    },
    Modulo {
        by: i64,
        width: Option<usize>,
        binary: bool,
    },
}

const LEAST_BITS: f64 = 40.0;
const MAX_MODULO: u32 = 1024;

/// A key split into its salt, what follows it, and the parts of that.
#[derive(Debug, Clone)]
pub(crate) struct SaltedKey<'a> {
    pub salt: &'a [u8],
    pub rest: &'a [u8],
    pub parts: Vec<&'a [u8]>,
}

/// The scheme that gives every salt.
pub fn find(keys: &[SaltedKey<'_>]) -> Option<(GuessedScheme, HashedInput)> {
    let first = keys.first()?;
    let parts = first.parts.len();
    // If all keys have the same salt, its inputs cannot be found.
    if keys.iter().any(|key| key.parts.len() != parts) || keys.iter().all(|key| key.salt == first.salt) {
        return None;
    }
    let mut inputs = vec![HashedInput::Rest];
    if parts > 1 {
        inputs.push(HashedInput::Parts);
        inputs.extend((0..parts).map(HashedInput::Part));
    }
    let single = inputs.into_iter().find_map(|input| {
        let texts: Vec<Vec<u8>> = keys.iter().map(|key| input.bytes(key)).collect();
        let hashed = || hash(keys, &hashes(&texts)?);
        let found = md5(keys, &texts).or_else(hashed).or_else(|| modulo(keys, &texts));
        found.map(|scheme| (scheme, input))
    });
    single.or_else(|| xor(keys, parts.min(MAX_PARTS)))
}

impl HashedInput {
    fn bytes(self, key: &SaltedKey<'_>) -> Vec<u8> {
        match self {
            HashedInput::Rest => key.rest.to_vec(),
            HashedInput::Parts | HashedInput::Xor(..) => key.parts.concat(),
            HashedInput::Part(at) => key.parts.get(at).map(|part| part.to_vec()).unwrap_or_default(),
        }
    }
}

impl HashedPart {
    fn bytes<'a>(self, key: &SaltedKey<'a>) -> Option<&'a [u8]> {
        let part = key.parts.get(self.part)?;
        match self.cut {
            HashedCut::Whole => Some(part),
            HashedCut::First(count) => part.get(..count),
            HashedCut::Last(count) => part.get(part.len().checked_sub(count)?..),
        }
    }
}

/// The XOR of the hashes of two pieces, reduced.
fn xor(keys: &[SaltedKey<'_>], parts: usize) -> Option<(GuessedScheme, HashedInput)> {
    decimals(keys)?;
    let pieces = (0..parts).flat_map(|part| CUTS.map(|cut| HashedPart { part, cut }));
    let hashed = |piece: HashedPart| {
        let texts = keys.iter().map(|key| piece.bytes(key)).collect::<Option<Vec<_>>>()?;
        Some((piece, hashes(&texts)?))
    };
    let pieces: Vec<(HashedPart, Vec<i32>)> = pieces.filter_map(hashed).collect();
    pieces.iter().enumerate().find_map(|(at, (one, ours))| {
        let others = pieces.iter().skip(at + 1).filter(|(other, _)| other.part != one.part);
        others.into_iter().find_map(|(other, theirs)| {
            let both: Vec<i32> = ours.iter().zip(theirs).map(|(a, b)| a ^ b).collect();
            hash(keys, &both).map(|scheme| (scheme, HashedInput::Xor(*one, *other)))
        })
    })
}

/// Whether this many different inputs are unlikely to have the right salts by chance. A repeated input adds
/// no evidence.
fn certain<T: Ord>(inputs: &[T], salts: f64) -> bool {
    let different: BTreeSet<&T> = inputs.iter().collect();
    different.len() as f64 * salts.log2() >= LEAST_BITS
}

fn md5(keys: &[SaltedKey<'_>], texts: &[Vec<u8>]) -> Option<GuessedScheme> {
    let width = keys.first()?.salt.len();
    let passes = |test: &dyn Fn(&str, &[u8]) -> bool| {
        keys.iter().zip(texts).all(|(key, text)| test(&to_hex(&Md5::digest(text)), key.salt))
    };
    let hex = |digest: &str, salt: &[u8]| digest.as_bytes().get(..width) == Some(salt);
    if width <= 32 && certain(texts, 16f64.powi(width as i32)) && passes(&hex) {
        return Some(GuessedScheme::Md5Hex { digits: width });
    }
    (1..=4usize).find_map(|digits| {
        let decimal = |digest: &str, salt: &[u8]| {
            let number = digest.get(..digits).and_then(|digits| u32::from_str_radix(digits, 16).ok());
            number.is_some_and(|number| format!("{number:0width$}").as_bytes() == salt)
        };
        (certain(texts, 16f64.powi(digits as i32)) && passes(&decimal))
            .then_some(GuessedScheme::Md5Decimal { digits, width })
    })
}

/// The salts as decimal numbers, and their width if it is fixed.
fn decimals(keys: &[SaltedKey<'_>]) -> Option<(Vec<u32>, Option<usize>)> {
    let numbers = keys.iter().map(|key| {
        let digits = key.salt.iter().all(u8::is_ascii_digit) && !key.salt.is_empty();
        std::str::from_utf8(key.salt).ok().filter(|_| digits)?.parse::<u32>().ok()
    });
    let numbers = numbers.collect::<Option<Vec<u32>>>()?;
    let width = keys.first()?.salt.len();
    let fixed = keys.iter().all(|key| key.salt.len() == width);
    // Numbers without padding have no leading zeros.
    let unpadded = keys.iter().all(|key| key.salt == b"0" || !key.salt.starts_with(b"0"));
    (fixed || unpadded).then_some((numbers, fixed.then_some(width)))
}

/// `String.hashCode` of texts; `None` if some are not text.
fn hashes<T: AsRef<[u8]>>(texts: &[T]) -> Option<Vec<i32>> {
    let hash = |text: &T| Some(java::string_hash_code(std::str::from_utf8(text.as_ref()).ok()?));
    texts.iter().map(hash).collect()
}

fn hash(keys: &[SaltedKey<'_>], hashes: &[i32]) -> Option<GuessedScheme> {
    let masked =
        keys.iter().zip(hashes).all(|(key, hash)| key.salt == ((hash & 0x7FFF) as u16).to_be_bytes());
    if masked && certain(hashes, 32_768.0) {
        return Some(GuessedScheme::HashMask);
    }
    let (numbers, width) = decimals(keys)?;
    let greatest = numbers.iter().copied().max()?;
    (greatest.saturating_add(1).max(2)..=MAX_MODULO).find_map(|modulo| {
        let abs = |hash: i32| hash.unsigned_abs() % modulo;
        let passes = numbers.iter().zip(hashes).all(|(number, hash)| abs(*hash) == *number);
        let fits = width.is_none_or(|width| (modulo - 1).to_string().len() <= width);
        (passes && fits && certain(hashes, f64::from(modulo)))
            .then_some(GuessedScheme::Hash { modulo, width })
    })
}

fn modulo(keys: &[SaltedKey<'_>], texts: &[Vec<u8>]) -> Option<GuessedScheme> {
    let binary = keys.iter().all(|key| key.salt.len() == 8) && texts.iter().all(|text| text.len() == 8);
    let (salts, numbers, width): (Vec<i64>, Vec<i64>, Option<usize>) = if binary {
        let salts = keys.iter().map(|key| long(key.salt)).collect::<Option<_>>()?;
        (salts, texts.iter().map(|text| long(text)).collect::<Option<_>>()?, None)
    } else {
        let (salts, width) = decimals(keys)?;
        let number = |text: &Vec<u8>| {
            let digits = text.iter().all(u8::is_ascii_digit);
            std::str::from_utf8(text).ok().filter(|_| digits)?.parse::<i64>().ok()
        };
        (salts.into_iter().map(i64::from).collect(), texts.iter().map(number).collect::<Option<_>>()?, width)
    };
    let greatest = salts.iter().copied().max()?;
    (greatest.saturating_add(1).max(2)..=i64::from(MAX_MODULO)).find_map(|by| {
        let passes = salts.iter().zip(&numbers).all(|(salt, number)| number % by == *salt);
        (passes && certain(&numbers, by as f64)).then_some(GuessedScheme::Modulo { by, width, binary })
    })
}

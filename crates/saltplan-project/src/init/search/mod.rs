//! Finds the rule that gives the salts of sample keys: every hash function that a schema knows, of every usual input, with every usual
//! way to take a salt from a hash and to write it.
//!
//! A rule is tried on a few keys, and what is left on all of them. It is accepted only if it gives the salt of every key, and if this
//! is not by chance: the probability that one wrong rule passes is at most two to the minus [`LEAST_BITS`], and about two to the
//! [`TRIED_BITS`] rules are tried.

mod inputs;
mod rules;
mod stored;

use std::collections::BTreeSet;

use inputs::{Input, TriedInput};
pub(crate) use inputs::{MAX_JOINED, Originals, Piece, PieceCut};
use rayon::prelude::*;
pub(crate) use rules::RuleKind;
use rules::{functions, functions_in, functions_of_objects, gives_salt, hashed, rules, with_random_part};
use saltplan_core::key::salt::Charset;
use stored::{StoredNumbers, StoredSalts};

use super::draft::{DraftHash, DraftScheme, HashFunction};
use super::segment;

/// Keys that are cut into a salt and fields.
#[derive(Debug)]
pub(crate) struct SaltedKeys<'k> {
    pub salts: Vec<&'k [u8]>,
    /// What follows the salt and its separator.
    pub rests: Vec<&'k [u8]>,
    /// The stored fields, each with its bytes in every key. Empty if the fields are not known.
    pub fields: Vec<Vec<&'k [u8]>>,
    pub originals: Vec<Originals>,
    pub separator: &'k [u8],
    /// Every key is text.
    pub is_text: bool,
    /// A key has a character that is not ASCII.
    pub is_wide: bool,
}

/// How the salt is made.
pub(crate) type FoundScheme = DraftScheme<Piece>;

/// A scheme that gives the salts of nearly all keys.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub scheme: FoundScheme,
    /// The keys whose salt it gives.
    pub agreeing: usize,
    /// Different inputs of these keys. A repeated input adds no evidence.
    pub inputs: usize,
    /// The evidence of one key: a wrong scheme gives its salt with a probability of two to the minus this.
    pub bits_per_input: f64,
}

/// Less evidence may be chance.
pub(crate) const LEAST_BITS: f64 = 40.0;

/// The approximate number of rules that are tried, as a power of two: for each of some two hundred inputs, about 25,000 windows, masks and
/// divisors of all hash functions together, and some ten places where the salt may end.
pub(crate) const TRIED_BITS: f64 = 26.0;

/// The keys on which a rule is tried first.
const PROBED: usize = 8;

/// A rule with a random number passes more often by chance, and is refuted by more keys.
const PROBED_FOR_SPREAD: usize = 64;

/// A rule that some keys contradict is mentioned if it gives the salt of this many keys.
const LEAST_SHARE: f64 = 0.9;

impl Found {
    pub fn bits(&self) -> f64 {
        self.inputs as f64 * self.bits_per_input
    }

    pub fn is_certain(&self) -> bool {
        self.bits() >= LEAST_BITS
    }
}

/// The schemes that give the salts, the most usual first. Those of all keys come before those of nearly all.
pub(crate) fn find(keys: &SaltedKeys<'_>, kind: RuleKind) -> Vec<Found> {
    let Some(first) = keys.salts.first() else { return Vec::new() };
    // If all keys have the same salt, its inputs cannot be found.
    if keys.salts.iter().all(|salt| salt == first) {
        return Vec::new();
    }
    let salts = StoredSalts::of(&keys.salts);
    let inputs = match salts.is_unreadable() {
        true => Vec::new(),
        false => inputs::inputs(keys, kind),
    };
    // A few foreign keys in the sample must not hide the rule of the others: if they are among the first probe, another one is taken.
    let probed = match kind {
        RuleKind::Plain => PROBED,
        RuleKind::Spread => PROBED_FOR_SPREAD,
    };
    let mut found = (0..2)
        .map(|offset| probe(keys.salts.len(), probed, offset))
        .map(|places| {
            inputs.par_iter().flat_map_iter(|input| hashes_of(keys, &salts, kind, &places, input)).collect()
        })
        .find(|found: &Vec<Found>| !found.is_empty())
        .unwrap_or_default();
    if kind == RuleKind::Plain {
        found.extend(modulo(keys, &salts));
        found.extend(text(keys, &salts));
    }
    found.sort_by_key(|found| found.agreeing < keys.salts.len());
    found
}

/// Places of a few keys, spread over the sample.
fn probe(count: usize, probed: usize, offset: usize) -> Vec<usize> {
    let step = count.div_ceil(probed).max(1);
    (offset.min(step - 1)..count).step_by(step).collect()
}

fn hashes_of(
    keys: &SaltedKeys<'_>,
    salts: &StoredSalts<'_>,
    kind: RuleKind,
    places: &[usize],
    tried: &TriedInput,
) -> Vec<Found> {
    let TriedInput { input, is_of_objects, .. } = tried;
    let functions: Vec<HashFunction> = match input {
        Input::Fields { inputs, .. } if *is_of_objects => functions_of_objects(inputs.len()).to_vec(),
        _ => functions().collect(),
    };
    let mut found = hashes_in(keys, salts, kind, places, tried, &functions, None);
    if *is_of_objects || matches!(input, Input::Bytes { .. }) || !keys.is_text {
        return found;
    }
    for charset in [Charset::UsAscii, Charset::Iso8859x1, Charset::Utf16Le] {
        let functions = functions_in(charset, keys.is_wide);
        if functions.is_empty() {
            continue;
        }
        found.extend(hashes_in(keys, salts, kind, places, tried, &functions, Some(charset)));
    }
    found
}

fn hashes_in(
    keys: &SaltedKeys<'_>,
    salts: &StoredSalts<'_>,
    kind: RuleKind,
    places: &[usize],
    tried: &TriedInput,
    functions: &[HashFunction],
    charset: Option<Charset>,
) -> Vec<Found> {
    let TriedInput { input, values, .. } = tried;
    let messages = |at: usize| -> Option<Vec<Vec<u8>>> {
        let messages = tried.messages(keys, at)?;
        Some(match charset {
            Some(charset) => messages.iter().map(|text| charset.encode(text)).collect(),
            None => messages,
        })
    };
    let Some(probed) = places.iter().map(|at| messages(*at)).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let is_ascii = probed.iter().flatten().all(|text| text.is_ascii());
    for function in functions.iter().copied() {
        // Without a seed, `Arrays.hashCode` of ASCII is `String.hashCode`.
        if is_ascii && function == (HashFunction::JavaBytes { seed: 0 }) {
            continue;
        }
        // Bytes of the key need not be text.
        if function == HashFunction::JavaString && matches!(input, Input::Bytes { .. }) {
            continue;
        }
        for rule in rules(function, salts, *values, kind, places, &probed) {
            let hashes = || (0..keys.salts.len()).map(|at| hashed(function, &messages(at)?));
            let Some(rule) = with_random_part(rule, salts, hashes()) else { continue };
            let confirmed = (0..keys.salts.len()).filter_map(|at| {
                let texts = messages(at)?;
                gives_salt(&rule, salts, at, hashed(function, &texts)?).then_some(texts)
            });
            let scheme = FoundScheme::Hash(DraftHash { rule, charset, of: input.clone() });
            found.extend(confirm(keys, scheme, rule.bits(), confirmed));
        }
    }
    found
}

/// The scheme, if it gives the salts of nearly all keys. `inputs` are those of the keys whose salt it gives.
fn confirm<T: Ord>(
    keys: &SaltedKeys<'_>,
    scheme: FoundScheme,
    bits_per_input: f64,
    inputs: impl Iterator<Item = T>,
) -> Option<Found> {
    let mut agreeing = 0;
    let different: BTreeSet<T> = inputs.inspect(|_| agreeing += 1).collect();
    let inputs = different.len();
    let is_enough = agreeing as f64 >= LEAST_SHARE * keys.salts.len() as f64;
    is_enough.then_some(Found { scheme, agreeing, inputs, bits_per_input })
}

/// The remainder of a field that is a number.
fn modulo(keys: &SaltedKeys<'_>, salts: &StoredSalts<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for (field, bytes) in keys.fields.iter().enumerate() {
        let Some(numbers) = segment::numbers(bytes) else { continue };
        let is_form = |stored: &&StoredNumbers| !stored.write.is_hex();
        for stored in salts.numbers.iter().filter(is_form) {
            let given = |by: u64| {
                let by = by as i64;
                numbers
                    .iter()
                    .enumerate()
                    .filter(move |(at, number)| stored.is(*at, *number % by))
                    .map(|(_, number)| number)
            };
            for by in stored.divisors(false, numbers.len()) {
                if given(by).count() == numbers.len() {
                    let scheme = FoundScheme::Modulo { of: Piece::whole(field), by, write: stored.write };
                    found.extend(confirm(keys, scheme, (by as f64).log2(), given(by)));
                }
            }
        }
    }
    found
}

/// The start or the end of a field, unchanged.
fn text(keys: &SaltedKeys<'_>, salts: &StoredSalts<'_>) -> Vec<Found> {
    const MAX_CHARACTERS: usize = 8;
    let Some(width) =
        keys.salts.first().map(|salt| salt.len()).filter(|width| (1..=MAX_CHARACTERS).contains(width))
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (field, bytes) in keys.fields.iter().enumerate() {
        for cut in [PieceCut::Last(width), PieceCut::First(width)] {
            let piece = Piece { field, cut, lower: false };
            let is_text = |at: usize| bytes[at].is_ascii() && piece.bytes(keys, at) == Some(salts.bytes[at]);
            if (0..keys.salts.len()).all(is_text) {
                let given = (0..keys.salts.len()).map(|at| bytes[at]);
                // Such a part is not a hash: it may have few values, or uneven ones.
                found.extend(confirm(keys, FoundScheme::Text(piece), entropy(salts.bytes), given));
            }
        }
    }
    found
}

/// The entropy of the salts in bits.
fn entropy(salts: &[&[u8]]) -> f64 {
    let mut sorted = salts.to_vec();
    sorted.sort_unstable();
    let all = sorted.len() as f64;
    sorted
        .chunk_by(|one, other| one == other)
        .map(|same| same.len() as f64 / all)
        .map(|share| -share * share.log2())
        .sum()
}

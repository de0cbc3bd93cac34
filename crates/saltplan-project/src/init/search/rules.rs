//! Hash functions, and the parts of a hash that may be the salt.

use std::ops::Range;

use super::super::draft::{DraftTake, HashFunction, HashRule};
use super::stored::{StoredDigits, StoredNumbers, StoredSalts};
use saltplan_core::key::java;
use saltplan_core::key::salt::{Abs, HASHES, Hash, SaltWrite, Spread};

/// Which rules are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuleKind {
    Plain,
    /// With a random number below [`MAX_RANDOM`].
    Spread,
}

/// Greater random parts are not found.
const MAX_RANDOM: u32 = 16;

/// The hash of one key.
#[derive(Debug, Clone, Copy)]
pub(super) enum Hashed {
    Digest(Hash, [u8; 32]),
    Code(i32),
}

/// Decimal numbers of up to this many hex digits are tried.
const MAX_DECIMAL_DIGITS: usize = 4;

/// All hash functions that are tried.
pub(super) fn functions() -> impl Iterator<Item = HashFunction> {
    let digests = HASHES.0.iter().map(|word| HashFunction::Digest(word.meaning));
    let java =
        [HashFunction::JavaString, HashFunction::JavaBytes { seed: 1 }, HashFunction::JavaBytes { seed: 0 }];
    digests.chain(java)
}

/// The hash of the texts of an input; `None` if it has none.
pub(super) fn hashed(function: HashFunction, texts: &[Vec<u8>]) -> Option<Hashed> {
    let code = |text: &Vec<u8>| match function {
        HashFunction::JavaString => Some(java::string_hash_code(std::str::from_utf8(text).ok()?)),
        HashFunction::JavaBytes { seed } => Some(java::bytes_hash_code(seed as i32, text)),
        HashFunction::Digest(_) => None,
    };
    match (function, texts) {
        (HashFunction::Digest(hash), [text]) => Some(Hashed::Digest(hash, hash.digest(0, text))),
        (HashFunction::JavaBytes { .. }, [text]) => code(text).map(Hashed::Code),
        (HashFunction::JavaString, texts) => {
            texts.iter().map(code).try_fold(0, |all, one| Some(all ^ one?)).map(Hashed::Code)
        }
        _ => None,
    }
}

/// All rules that give the salts of the keys at `places`, whose hashed texts are `texts`. The input has at least so many `values`.
pub(super) fn rules(
    function: HashFunction,
    salts: &StoredSalts<'_>,
    values: usize,
    kind: RuleKind,
    places: &[usize],
    texts: &[Vec<Vec<u8>>],
) -> Vec<HashRule> {
    let mut hashes = places.iter().zip(texts).map(|(at, texts)| Some((*at, hashed(function, texts)?)));
    let Some(Some((at, first))) = hashes.next() else { return Vec::new() };
    let mut found = match kind {
        RuleKind::Plain => plain(function, salts, values, at, first),
        RuleKind::Spread => {
            spreads(function, salts, values).filter(|rule| gives_salt(rule, salts, at, first)).collect()
        }
    };
    while !found.is_empty()
        && let Some(hash) = hashes.next()
    {
        let Some((at, hashed)) = hash else { return Vec::new() };
        found.retain(|rule| gives_salt(rule, salts, at, hashed));
    }
    let mut different: Vec<HashRule> = Vec::new();
    for rule in found {
        if !different.iter().any(|earlier| is_equal(earlier, &rule)) {
            different.push(rule);
        }
    }
    different
}

/// The rules that give the salt of one key: hex digits of the hash, then remainders.
fn plain(
    function: HashFunction,
    salts: &StoredSalts<'_>,
    values: usize,
    at: usize,
    hashed: Hashed,
) -> Vec<HashRule> {
    let mut found: Vec<HashRule> =
        digits(function, salts).filter(|rule| gives_salt(rule, salts, at, hashed)).collect();
    // Thousands of remainders for each hash of each input: most of the time of a search.
    for stored in &salts.numbers {
        for view in views(function) {
            let is_signed = *view == DraftView::Of(Some(Abs::None));
            for by in stored.divisors(is_signed, values) {
                let Some(take) = view.take(by) else { continue };
                if number(take, hashed).is_some_and(|number| stored.is(at, number)) {
                    found.push(HashRule { function, take, plus: None, write: stored.write });
                }
            }
        }
    }
    found
}

/// Remainders with a random number: the sum is divided by the same number, as in Pinpoint, or not at all.
fn spreads(function: HashFunction, salts: &StoredSalts<'_>, values: usize) -> impl Iterator<Item = HashRule> {
    salts.numbers.iter().filter(|stored| !stored.write.is_hex()).flat_map(move |stored| {
        let wrapped = stored.divisors(false, values).into_iter().map(|by| (by, i32::try_from(by).ok()));
        let greatest = stored.greatest;
        let sums =
            (1..MAX_RANDOM).map(move |part| (greatest.saturating_add(1).saturating_sub(part.into()), None));
        let divisors: Vec<(u64, Option<i32>)> = wrapped.chain(sums).collect();
        // A random number is only added to numbers from 0 on.
        let is_unsigned = |view: &&DraftView| !matches!(view, DraftView::Of(Some(Abs::None | Abs::Before)));
        views(function).iter().filter(is_unsigned).flat_map(move |view| {
            let rules = divisors.clone().into_iter().filter_map(|(by, modulo)| {
                // At least two bits of a salt must be computed, or a few keys would agree with every hash.
                let below = u32::try_from(by / 4).unwrap_or(MAX_RANDOM).min(MAX_RANDOM);
                let take = view.take(by).filter(|take| matches!(take, DraftTake::Modulo { .. }))?;
                (below >= 2).then_some(HashRule {
                    function,
                    take,
                    plus: Some(Spread { below, modulo }),
                    write: stored.write,
                })
            });
            rules.collect::<Vec<_>>()
        })
    })
}

/// The rule with the random numbers that the keys have. `None` if all are 0.
pub(super) fn with_random_part(
    rule: HashRule,
    salts: &StoredSalts<'_>,
    hashes: impl Iterator<Item = Option<Hashed>>,
) -> Option<HashRule> {
    let Some(tried) = rule.plus else { return Some(rule) };
    let greatest =
        hashes.enumerate().filter_map(|(at, hashed)| random_part(&rule, tried, salts, at, hashed?)).max()?;
    (greatest > 0).then_some(HashRule { plus: Some(Spread { below: greatest + 1, ..tried }), ..rule })
}

/// The random number of a key.
fn random_part(
    rule: &HashRule,
    plus: Spread,
    salts: &StoredSalts<'_>,
    at: usize,
    hashed: Hashed,
) -> Option<u32> {
    let computed = number(rule.take, hashed)?;
    let stored = stored(salts, rule.write)?;
    (0..plus.below).find(|part| {
        let sum = computed + i64::from(*part);
        stored.is(at, plus.modulo.map_or(sum, |by| sum % i64::from(by)))
    })
}

/// Whether a rule gives the same salt as an earlier one that agrees with the same keys: digits of the hash are remainders of powers of two;
/// of such a remainder it does not matter how a mask removes the sign; and `Math.abs` before and after the remainder differ for one hash only.
fn is_equal(earlier: &HashRule, rule: &HashRule) -> bool {
    let divisor = |take: DraftTake| match take {
        DraftTake::Modulo { by, abs } => Some((by, abs)),
        DraftTake::Mask(mask) => Some((u64::from(mask) + 1, Some(Abs::Mask))),
        DraftTake::HexDigits { .. } => None,
    };
    let Some((by, abs)) = divisor(rule.take) else { return false };
    if earlier.write.is_binary() != rule.write.is_binary() || earlier.plus != rule.plus {
        return false;
    }
    match divisor(earlier.take) {
        None => by.is_power_of_two(),
        Some((other, known)) => {
            other == by
                && match (known, abs) {
                    (Some(Abs::After), Some(Abs::Before)) => true,
                    (Some(Abs::Mask) | None, Some(Abs::Mask) | None) => by.is_power_of_two(),
                    _ => false,
                }
        }
    }
}

/// Windows of hex digits.
fn digits(function: HashFunction, salts: &StoredSalts<'_>) -> impl Iterator<Item = HashRule> {
    let length = match function {
        HashFunction::Digest(hash) => hash.hex_digits(),
        HashFunction::JavaString | HashFunction::JavaBytes { .. } => 0,
    };
    let windows = move |count: usize| {
        (1..=(length + 1).saturating_sub(count)).map(move |first| DraftTake::HexDigits { first, count })
    };
    let as_digits: Vec<(usize, SaltWrite)> =
        salts.digits.iter().map(|stored| (stored.count, stored.write)).collect();
    let is_decimal = |stored: &&StoredNumbers| matches!(stored.write, SaltWrite::Decimal { .. });
    let decimals: Vec<SaltWrite> =
        salts.numbers.iter().filter(is_decimal).map(|stored| stored.write).collect();
    let numbers =
        decimals.into_iter().flat_map(|write| (1..=MAX_DECIMAL_DIGITS).map(move |count| (count, write)));
    let forms = as_digits.into_iter().chain(numbers);
    forms.flat_map(move |(count, write)| {
        windows(count).map(move |take| HashRule { function, take, plus: None, write })
    })
}

/// What is divided: the hash as a number without sign, or as Java's `int` or `long`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DraftView {
    Of(Option<Abs>),
    /// The lowest bits.
    Bits,
}

impl DraftView {
    fn take(self, by: u64) -> Option<DraftTake> {
        match self {
            DraftView::Of(abs) => Some(DraftTake::Modulo { by, abs }),
            DraftView::Bits if by.is_power_of_two() => u32::try_from(by - 1).ok().map(DraftTake::Mask),
            DraftView::Bits => None,
        }
    }
}

fn views(function: HashFunction) -> &'static [DraftView] {
    const OF_CODE: &[DraftView] = &[
        DraftView::Of(Some(Abs::After)),
        DraftView::Bits,
        DraftView::Of(Some(Abs::Mask)),
        DraftView::Of(Some(Abs::None)),
        DraftView::Of(Some(Abs::Before)),
    ];
    const OF_NUMBER: &[DraftView] = &[
        DraftView::Of(None),
        DraftView::Of(Some(Abs::After)),
        DraftView::Of(Some(Abs::Mask)),
        DraftView::Of(Some(Abs::None)),
        DraftView::Of(Some(Abs::Before)),
    ];
    match function {
        HashFunction::Digest(Hash::Md5 | Hash::Sha1 | Hash::Sha256) => &OF_NUMBER[..1],
        HashFunction::Digest(_) => OF_NUMBER,
        HashFunction::JavaString | HashFunction::JavaBytes { .. } => OF_CODE,
    }
}

/// Whether the rule gives the salt of a key.
pub(super) fn gives_salt(rule: &HashRule, salts: &StoredSalts<'_>, at: usize, hashed: Hashed) -> bool {
    if let (DraftTake::HexDigits { first, count }, Hashed::Digest(_, digest)) = (rule.take, hashed) {
        let digit = |place: usize| digest.get(place / 2).map_or(0, |byte| byte >> (4 * (1 - place % 2)) & 15);
        let window: Range<usize> = first - 1..first - 1 + count;
        if let Some(StoredDigits { of_keys, .. }) =
            salts.digits.iter().find(|stored| stored.write == rule.write)
        {
            return of_keys.get(at).is_some_and(|stored| window.map(digit).eq(stored.iter().copied()));
        }
        let number = window.fold(0i64, |number, place| number << 4 | i64::from(digit(place)));
        return stored(salts, rule.write).is_some_and(|numbers| numbers.is(at, number));
    }
    if let Some(plus) = rule.plus {
        return random_part(rule, plus, salts, at, hashed).is_some();
    }
    number(rule.take, hashed)
        .is_some_and(|number| stored(salts, rule.write).is_some_and(|numbers| numbers.is(at, number)))
}

fn stored<'s>(salts: &'s StoredSalts<'_>, write: SaltWrite) -> Option<&'s StoredNumbers> {
    salts.numbers.iter().find(|stored| stored.write == write)
}

/// The salt as a number.
fn number(take: DraftTake, hashed: Hashed) -> Option<i64> {
    let (signed, least) = match hashed {
        Hashed::Code(code) => (Some(i64::from(code)), i64::from(i32::MIN)),
        Hashed::Digest(hash, digest) => {
            let least = if hash.bytes() == 4 { i64::from(i32::MIN) } else { i64::MIN };
            (hash.number_of(&digest), least)
        }
    };
    match take {
        DraftTake::Mask(mask) => signed.map(|number| number & i64::from(mask)),
        DraftTake::Modulo { by: 0, .. } | DraftTake::HexDigits { .. } => None,
        DraftTake::Modulo { by, abs: None } => remainder(hashed, signed, by),
        DraftTake::Modulo { by, abs: Some(abs) } => {
            Some(abs.remainder(signed?, i32::try_from(by).ok()?, least))
        }
    }
}

/// The remainder of the hash as a number without sign.
fn remainder(hashed: Hashed, signed: Option<i64>, by: u64) -> Option<i64> {
    let rest = match (hashed, signed) {
        (Hashed::Digest(hash, _), Some(number)) if hash.bytes() == 4 => u64::from(number as u32) % by,
        (Hashed::Digest(..), Some(number)) => number.cast_unsigned() % by,
        (Hashed::Digest(hash, digest), None) => digest[..hash.bytes()]
            .as_chunks::<4>()
            .0
            .iter()
            .fold(0, |rest, word| (rest << 32 | u64::from(u32::from_be_bytes(*word))) % by),
        (Hashed::Code(code), _) => u64::from(code.cast_unsigned()) % by,
    };
    i64::try_from(rest).ok()
}

impl HashRule {
    /// The probability that a wrong rule gives the salt of one key is two to the minus this.
    pub fn bits(&self) -> f64 {
        match self.take {
            DraftTake::HexDigits { count, .. } => 4.0 * count as f64,
            DraftTake::Modulo { by, .. } => {
                (by as f64 / self.plus.map_or(1.0, |plus| f64::from(plus.below))).log2()
            }
            DraftTake::Mask(mask) => (f64::from(mask) + 1.0).log2(),
        }
    }
}

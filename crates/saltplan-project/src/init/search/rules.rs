//! Hash functions, and the parts of a hash that may be the salt.

use std::ops::Range;

use super::super::draft::{DraftTake, HashFunction, HashRule};
use super::stored::{StoredDigits, StoredNumbers, StoredSalts};
use saltplan_core::key::java;
use saltplan_core::key::salt::{Abs, Charset, FUNCTIONS, Hash, SaltWrite, Spread};

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

/// The hashes of so many objects that are tried: that of one number, or `Objects.hash` and sums without its start.
pub(super) fn functions_of_objects(count: usize) -> &'static [HashFunction] {
    match count {
        1 => &[HashFunction::JavaLong],
        _ => &[HashFunction::JavaObjects { seed: 1 }, HashFunction::JavaObjects { seed: 0 }],
    }
}

/// The functions that are tried in another charset than UTF-8: where there are characters that are not ASCII, all that take bytes. Guava's
/// `hashUnencodedChars` takes UTF-16.
pub(super) fn functions_in(charset: Charset, is_wide: bool) -> Vec<HashFunction> {
    let takes = |function: &HashFunction| match (charset, function) {
        (_, HashFunction::JavaString) | (Charset::Utf16Be, _) => false,
        (Charset::Utf16Le, HashFunction::Digest(hash)) => {
            matches!(hash, Hash::Murmur3x32 | Hash::GuavaMurmur3x32 | Hash::Murmur3x128)
        }
        (Charset::Utf16Le, _) => false,
        (Charset::UsAscii | Charset::Iso8859x1, _) => is_wide,
    };
    functions().filter(takes).collect()
}

/// All hash functions that are tried.
pub(super) fn functions() -> impl Iterator<Item = HashFunction> {
    let is_digest = |hash: &Hash| {
        !matches!(hash, Hash::StringCode | Hash::BytesCode | Hash::LongCode | Hash::ObjectsCode)
    };
    let digests = FUNCTIONS.0.iter().map(|word| word.meaning).filter(is_digest).map(HashFunction::Digest);
    let java =
        [HashFunction::JavaString, HashFunction::JavaBytes { seed: 1 }, HashFunction::JavaBytes { seed: 0 }];
    digests.chain(java)
}

/// The hash of the texts of an input; `None` if it has none.
pub(super) fn hashed(function: HashFunction, texts: &[Vec<u8>]) -> Option<Hashed> {
    let code = |text: &Vec<u8>| match function {
        HashFunction::JavaString => Some(java::string_hash_code(std::str::from_utf8(text).ok()?)),
        HashFunction::JavaBytes { seed } => Some(java::bytes_hash_code(seed as i32, text)),
        HashFunction::JavaLong => Some(java::objects_hash_code(0, text)),
        HashFunction::JavaObjects { seed } => Some(java::objects_hash_code(seed as i32, text)),
        HashFunction::Digest(_) => None,
    };
    match (function, texts) {
        (HashFunction::Digest(hash), [text]) => Some(Hashed::Digest(hash, hash.digest(0, text))),
        (
            HashFunction::JavaBytes { .. } | HashFunction::JavaLong | HashFunction::JavaObjects { .. },
            [text],
        ) => code(text).map(Hashed::Code),
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
    // Thousands of remainders for each hash of each input: most of the time of a search. What is divided is computed once.
    for stored in &salts.numbers {
        let [unsigned, signed] = [false, true].map(|signed| stored.divisors(signed, values));
        for view in views(function) {
            let divisors = if view.keeps_sign() { &signed } else { &unsigned };
            let Some(dividend) = Dividend::of(*view, hashed).filter(|_| !divisors.is_empty()) else {
                continue;
            };
            let rules = divisors
                .iter()
                .filter(|by| dividend.remainder(**by).is_some_and(|number| stored.is(at, number)))
                .filter_map(|by| view.take(*by))
                .map(|take| HashRule { function, take, plus: None, write: stored.write });
            found.extend(rules);
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
        let is_unsigned = |view: &&DraftView| {
            matches!(view, DraftView::Of(None | Some(Abs::After | Abs::Mask)) | DraftView::Bits)
        };
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
        DraftTake::HexDigits { .. } | DraftTake::Masked { .. } | DraftTake::Digits { .. } => None,
    };
    let Some((by, abs)) = divisor(rule.take) else { return false };
    if earlier.write.is_binary() != rule.write.is_binary() || earlier.plus != rule.plus {
        return false;
    }
    match divisor(earlier.take) {
        None => matches!(earlier.take, DraftTake::HexDigits { .. }) && by.is_power_of_two(),
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
        _ => 0,
    };
    // The two orders of the bytes have the same digits in one byte. Each is tried in the order in which it is nearer to the start.
    let has_two_orders = matches!(function, HashFunction::Digest(Hash::Murmur3x32 | Hash::GuavaMurmur3x32));
    let is_tried = move |first: usize, count: usize| {
        let is_one_byte = (first - 1) / 2 == (first + count - 2) / 2;
        !(has_two_orders && is_one_byte && first > length / 2)
    };
    let windows = move |count: usize| {
        let starts = 1..=(length + 1).saturating_sub(count);
        starts
            .filter(move |first| is_tried(*first, count))
            .map(move |first| DraftTake::HexDigits { first, count })
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
    /// Some bits, which are divided.
    Masked(u32),
    /// Hex digits, which are divided; `None` for a number without sign.
    Digits(usize, usize, Option<Abs>),
}

impl DraftView {
    fn take(self, by: u64) -> Option<DraftTake> {
        match self {
            DraftView::Of(abs) => Some(DraftTake::Modulo { by, abs }),
            DraftView::Bits if by.is_power_of_two() => u32::try_from(by - 1).ok().map(DraftTake::Mask),
            DraftView::Bits => None,
            // The remainder of a power of two is a part of the bits.
            DraftView::Masked(mask) if by.is_power_of_two() || by > u64::from(mask) => None,
            DraftView::Masked(mask) => Some(DraftTake::Masked { mask, by }),
            DraftView::Digits(_, count, _) if by >= 1 << (4 * count.min(15)) => None,
            // Some of the digits are the salt then.
            DraftView::Digits(_, _, None)
                if by.is_power_of_two() && by.trailing_zeros().is_multiple_of(4) =>
            {
                None
            }
            DraftView::Digits(first, count, abs) => Some(DraftTake::Digits { first, count, by, abs }),
        }
    }

    /// Whether a salt may be negative.
    fn keeps_sign(self) -> bool {
        matches!(self, DraftView::Of(Some(Abs::None)) | DraftView::Digits(_, _, Some(Abs::None)))
    }
}

fn views(function: HashFunction) -> &'static [DraftView] {
    const OF_CODE: &[DraftView] = &[
        DraftView::Of(Some(Abs::After)),
        DraftView::Bits,
        DraftView::Of(Some(Abs::Mask)),
        DraftView::Of(Some(Abs::None)),
        DraftView::Of(Some(Abs::Before)),
        DraftView::Masked(0x0FFF_FFFF),
        DraftView::Masked(0xFFFF),
        DraftView::Masked(0x7FFF),
    ];
    // The first two, four or eight bytes, as published programs take them, and the ends of the digest.
    const OF_MD5: &[DraftView] = &[
        DraftView::Of(None),
        DraftView::Digits(1, 2, None),
        DraftView::Digits(1, 4, None),
        DraftView::Digits(1, 4, Some(Abs::None)),
        DraftView::Digits(1, 4, Some(Abs::After)),
        DraftView::Digits(1, 6, None),
        DraftView::Digits(1, 7, None),
        DraftView::Digits(1, 8, None),
        DraftView::Digits(1, 8, Some(Abs::None)),
        DraftView::Digits(1, 8, Some(Abs::After)),
        DraftView::Digits(1, 15, None),
        DraftView::Digits(1, 16, None),
        DraftView::Digits(1, 16, Some(Abs::None)),
        DraftView::Digits(1, 16, Some(Abs::After)),
        DraftView::Digits(9, 16, None),
    ];
    const OF_NUMBER: &[DraftView] = &[
        DraftView::Of(None),
        DraftView::Of(Some(Abs::After)),
        DraftView::Of(Some(Abs::Mask)),
        DraftView::Of(Some(Abs::None)),
        DraftView::Of(Some(Abs::Before)),
    ];
    match function {
        HashFunction::Digest(Hash::Md5) => OF_MD5,
        HashFunction::Digest(Hash::Sha1 | Hash::Sha256) => &OF_MD5[..11],
        // Its number is that of murmur3_32.
        HashFunction::Digest(Hash::GuavaMurmur3x32) => &[],
        HashFunction::Digest(_) => OF_NUMBER,
        _ => OF_CODE,
    }
}

/// Whether the rule gives the salt of a key.
pub(super) fn gives_salt(rule: &HashRule, salts: &StoredSalts<'_>, at: usize, hashed: Hashed) -> bool {
    if let (DraftTake::HexDigits { first, count }, Hashed::Digest(_, digest)) = (rule.take, hashed) {
        let digit = |place: usize| hex_digit(&digest, place);
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
    let (view, by) = match take {
        DraftTake::HexDigits { .. } => return None,
        DraftTake::Modulo { by, abs } => (DraftView::Of(abs), by),
        DraftTake::Mask(mask) => (DraftView::Bits, u64::from(mask) + 1),
        DraftTake::Masked { mask, by } => (DraftView::Masked(mask), by),
        DraftTake::Digits { first, count, by, abs } => (DraftView::Digits(first, count, abs), by),
    };
    Dividend::of(view, hashed)?.remainder(by)
}

/// The number of a hash that is divided.
#[derive(Debug, Clone, Copy)]
enum Dividend {
    Unsigned(u64),
    /// A number of Java's `int` or `long`, whose smallest one is `least`.
    Signed {
        number: i64,
        abs: Abs,
        least: i64,
    },
    /// A whole digest of more than 64 bits, as a number without sign.
    Digest {
        bytes: [u8; 32],
        count: usize,
    },
}

impl Dividend {
    fn of(view: DraftView, hashed: Hashed) -> Option<Self> {
        let (signed, bytes) = match hashed {
            Hashed::Code(code) => (Some(i64::from(code)), 4),
            Hashed::Digest(hash, digest) => (hash.number_of(&digest), hash.bytes()),
        };
        let least = |bytes: usize| if bytes <= 4 { i64::from(i32::MIN) } else { i64::MIN };
        let without_sign =
            |number: i64| if bytes == 4 { u64::from(number as u32) } else { number.cast_unsigned() };
        match view {
            DraftView::Of(Some(abs)) => Some(Dividend::Signed { number: signed?, abs, least: least(bytes) }),
            DraftView::Of(None) => match (signed, hashed) {
                (Some(number), _) => Some(Dividend::Unsigned(without_sign(number))),
                (None, Hashed::Digest(_, digest)) => Some(Dividend::Digest { bytes: digest, count: bytes }),
                (None, Hashed::Code(_)) => None,
            },
            DraftView::Bits => Some(Dividend::Unsigned(without_sign(signed?))),
            DraftView::Masked(mask) => Some(Dividend::Unsigned(without_sign(signed?) & u64::from(mask))),
            DraftView::Digits(first, count, abs) => {
                let Hashed::Digest(_, digest) = hashed else { return None };
                let number = (first - 1..first - 1 + count)
                    .fold(0, |number, place| number << 4 | u64::from(hex_digit(&digest, place)));
                let Some(abs) = abs else { return Some(Dividend::Unsigned(number)) };
                let unused = 64 - 4 * count as u32;
                let number = (number << unused).cast_signed() >> unused;
                Some(Dividend::Signed { number, abs, least: least(count.div_ceil(2)) })
            }
        }
    }

    fn remainder(&self, by: u64) -> Option<i64> {
        let rest = match *self {
            Dividend::Signed { number, abs, least } => {
                return Some(abs.remainder(number, i32::try_from(by).ok()?, least));
            }
            Dividend::Unsigned(number) => number.checked_rem(by)?,
            Dividend::Digest { bytes, count } => {
                let mut words =
                    bytes[..count].as_chunks::<4>().0.iter().map(|word| u32::from_be_bytes(*word));
                words.try_fold(0, |rest: u64, word| (rest << 32 | u64::from(word)).checked_rem(by))?
            }
        };
        i64::try_from(rest).ok()
    }
}

/// A hex digit, counted from 0.
fn hex_digit(digest: &[u8; 32], place: usize) -> u8 {
    digest.get(place / 2).map_or(0, |byte| byte >> (4 * (1 - place % 2)) & 15)
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
            DraftTake::Masked { by, .. } | DraftTake::Digits { by, .. } => (by as f64).log2(),
        }
    }
}

//! The salts of the sample, read in every way in which a salt may be written.

use std::collections::BTreeSet;

use saltplan_core::key::salt::{Alphabet, SaltWrite};

/// The salts of all keys, in the order of the keys.
#[derive(Debug)]
pub(super) struct StoredSalts<'k> {
    pub bytes: &'k [&'k [u8]],
    /// Readings as hex digits of a digest, one value of 0 to 15 per digit.
    pub digits: Vec<StoredDigits>,
    /// Readings as numbers.
    pub numbers: Vec<StoredNumbers>,
}

#[derive(Debug)]
pub(super) struct StoredDigits {
    pub write: SaltWrite,
    pub count: usize,
    pub of_keys: Vec<Vec<u8>>,
}

#[derive(Debug)]
pub(super) struct StoredNumbers {
    pub write: SaltWrite,
    /// Big-endian bytes are read without a sign.
    of_keys: Vec<i64>,
    /// How many numbers fit.
    pub room: u64,
    /// The greatest of the numbers from 0 on, or 0.
    pub greatest: u64,
    signed: Extent,
    unsigned: Extent,
}

/// What a divisor depends on. It is asked for each hash function of each input, and there may be thousands of keys.
#[derive(Debug, Clone, Copy)]
struct Extent {
    /// The greatest absolute value.
    greatest: u64,
    is_negative: bool,
}

/// The digits of Java's `Integer.toString(n, 36)`, and those that programs list themselves.
const ALPHABETS: [&str; 7] = ["0-9a-z", "0-9A-Z", "0-9a-zA-Z", "0-9A-Za-z", "a-z0-9", "a-z", "A-Z"];

/// Longer salts are no numbers.
const MAX_NUMBER_WIDTH: usize = 5;

impl<'k> StoredSalts<'k> {
    pub fn of(bytes: &'k [&'k [u8]]) -> Self {
        // Salts that are bytes are not all printable.
        let is_binary = bytes.iter().any(|salt| salt.iter().any(|byte| !(b' '..=b'~').contains(byte)));
        let digits =
            [hex(bytes, SaltWrite::Hex), hex(bytes, SaltWrite::UpperHex), pairs(bytes).filter(|_| is_binary)];
        let numbers = [
            decimal(bytes),
            written(bytes, SaltWrite::Hex),
            written(bytes, SaltWrite::UpperHex),
            big_endian(bytes).filter(|_| is_binary),
        ];
        let mut numbers: Vec<StoredNumbers> = numbers.into_iter().flatten().collect();
        // Digits up to 9, or up to f, are read as what they usually are.
        if !is_binary && numbers.is_empty() {
            numbers.extend(ALPHABETS.iter().filter_map(|alphabet| in_alphabet(bytes, alphabet)));
        }
        StoredSalts { bytes, digits: digits.into_iter().flatten().collect(), numbers }
    }
}

impl StoredSalts<'_> {
    /// Whether no hash is written like these salts.
    pub fn is_unreadable(&self) -> bool {
        self.digits.is_empty() && self.numbers.is_empty()
    }
}

fn fixed_width(salts: &[&[u8]]) -> Option<usize> {
    let width = salts.first()?.len();
    (width > 0 && salts.iter().all(|salt| salt.len() == width)).then_some(width)
}

fn text(salts: &[&[u8]]) -> Option<Vec<String>> {
    salts.iter().map(|salt| std::str::from_utf8(salt).ok().map(str::to_string)).collect()
}

fn hex(salts: &[&[u8]], write: SaltWrite) -> Option<StoredDigits> {
    let count = fixed_width(salts)?;
    let value = |byte: &u8| match (byte, write) {
        (b'0'..=b'9', _) => Some(byte - b'0'),
        (b'a'..=b'f', SaltWrite::Hex) => Some(byte - b'a' + 10),
        (b'A'..=b'F', SaltWrite::UpperHex) => Some(byte - b'A' + 10),
        _ => None,
    };
    let of_keys =
        salts.iter().map(|salt| salt.iter().map(value).collect()).collect::<Option<Vec<Vec<u8>>>>()?;
    // Without a letter both cases are the same, and this many digits would contain one.
    let has_letters = of_keys.iter().flatten().any(|digit| *digit > 9);
    let is_likely = has_letters
        || write == SaltWrite::Hex && count * of_keys.iter().collect::<BTreeSet<_>>().len() < MOST_DECIMAL;
    is_likely.then_some(StoredDigits { write, count, of_keys })
}

/// So many random hex digits have a letter, but for a probability of `(10 / 16)` to the power of this, 2 to the minus 40.
const MOST_DECIMAL: usize = 60;

/// Bytes as two digits each.
fn pairs(salts: &[&[u8]]) -> Option<StoredDigits> {
    let count = 2 * fixed_width(salts)?;
    let of_keys =
        salts.iter().map(|salt| salt.iter().flat_map(|byte| [byte >> 4, byte & 15]).collect()).collect();
    Some(StoredDigits { write: SaltWrite::Bytes, count, of_keys })
}

/// Digits of a fixed width, or without leading zeros.
fn decimal(salts: &[&[u8]]) -> Option<StoredNumbers> {
    let is_digits = salts.iter().all(|salt| salt.iter().all(u8::is_ascii_digit));
    let Some(width) = fixed_width(salts).filter(|width| is_digits && *width <= MAX_NUMBER_WIDTH) else {
        return written(salts, SaltWrite::Decimal { width: None });
    };
    let of_keys = text(salts)?.iter().map(|text| text.parse().ok()).collect::<Option<_>>()?;
    Some(StoredNumbers::new(SaltWrite::Decimal { width: Some(width) }, of_keys, 10u64.pow(width as u32)))
}

/// Numbers without padding.
fn written(salts: &[&[u8]], write: SaltWrite) -> Option<StoredNumbers> {
    let radix = if write.is_hex() { 16 } else { 10 };
    let number = |text: &String| {
        let number = i64::from_str_radix(text, radix).ok()?;
        (write.number(number.into()) == text.as_bytes()).then_some(number)
    };
    let of_keys: Vec<i64> = text(salts)?.iter().map(number).collect::<Option<_>>()?;
    // Up to 9 the digits are those of a decimal number.
    let is_decimal = radix == 16 && of_keys.iter().all(|number| *number < 10);
    (!is_decimal).then(|| StoredNumbers::new(write, of_keys, u64::from(u32::MAX)))
}

/// Characters of an alphabet, of a fixed width.
fn in_alphabet(salts: &[&[u8]], chars: &str) -> Option<StoredNumbers> {
    let alphabet = Alphabet::parse(chars).ok()?;
    let width = fixed_width(salts).filter(|width| *width <= MAX_NUMBER_WIDTH)?;
    let count = alphabet.count() as i64;
    let digit = |byte: &u8| Some(alphabet.text().bytes().position(|char| char == *byte)? as i64);
    let number = |salt: &&[u8]| salt.iter().try_fold(0_i64, |all, byte| Some(all * count + digit(byte)?));
    let of_keys = salts.iter().map(number).collect::<Option<Vec<i64>>>()?;
    let write = SaltWrite::Alphabet { alphabet, width: (width > 1).then_some(width) };
    Some(StoredNumbers::new(write, of_keys, (count as u64).pow(width as u32)))
}

fn big_endian(salts: &[&[u8]]) -> Option<StoredNumbers> {
    let bytes = fixed_width(salts).filter(|width| [1, 2, 4, 8].contains(width))?;
    let number = |salt: &&[u8]| salt.iter().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
    let room = 1u64.checked_shl(8 * bytes as u32).unwrap_or(u64::MAX);
    let of_keys = salts.iter().map(|salt| number(salt).cast_signed()).collect();
    Some(StoredNumbers::new(SaltWrite::BigEndian { bytes }, of_keys, room))
}

impl StoredNumbers {
    fn new(write: SaltWrite, of_keys: Vec<i64>, room: u64) -> Self {
        let greatest = of_keys.iter().filter_map(|stored| u64::try_from(*stored).ok()).max().unwrap_or(0);
        let with_sign = |stored: &i64| match write {
            SaltWrite::BigEndian { bytes } => {
                let unused = 64 - 8 * bytes as u32;
                (stored << unused) >> unused
            }
            _ => *stored,
        };
        let signed = Extent::of(of_keys.iter().map(with_sign));
        let unsigned = Extent::of(of_keys.iter().copied());
        StoredNumbers { write, of_keys, room, greatest, signed, unsigned }
    }

    /// Whether a key has this number as its salt.
    pub fn is(&self, at: usize, number: i64) -> bool {
        let Some(stored) = self.of_keys.get(at) else { return false };
        match self.write {
            SaltWrite::BigEndian { bytes } if bytes < 8 => {
                stored.cast_unsigned() == number.cast_unsigned() & (self.room - 1)
            }
            _ => *stored == number,
        }
    }

    /// Divisors that can give these salts of so many different inputs, if they are taken as signed numbers or not.
    pub fn divisors(&self, signed: bool, inputs: usize) -> Vec<u64> {
        let (extent, room) = if signed { (self.signed, self.room / 2) } else { (self.unsigned, self.room) };
        if extent.greatest >= room || extent.is_negative != signed {
            return Vec::new();
        }
        // Several digits of a base are the end of a number, cut to a width. Any text of a few letters may be such digits, so more
        // divisors would be tried in vain wherever a salt might end.
        if matches!(self.write, SaltWrite::Alphabet { width: Some(_), .. }) {
            return vec![room.min(GREATEST_DIVISOR)];
        }
        let mut divisors = divisors(extent.greatest, inputs);
        divisors.retain(|by| *by <= room);
        divisors
    }
}

impl Extent {
    fn of(numbers: impl Iterator<Item = i64>) -> Self {
        numbers.fold(Extent { greatest: 0, is_negative: false }, |extent, number| Extent {
            greatest: extent.greatest.max(number.unsigned_abs()),
            is_negative: extent.is_negative || number < 0,
        })
    }
}

/// So many divisors are tried for each hash of each input.
const MAX_DIVISORS: u64 = 256;

/// The greatest divisor that a schema can have: a positive `int` of Java.
const GREATEST_DIVISOR: u64 = i32::MAX as u64;

/// The divisors that may have given salts up to `greatest`. Of many salts the greatest is close to the divisor: the probability
/// that those of `inputs` different inputs all miss the last share of `MISSED / inputs` is `exp(-MISSED)`, which is 2 to the minus 40.
fn divisors(greatest: u64, inputs: usize) -> Vec<u64> {
    const MISSED: f64 = 28.0;
    let least = greatest.saturating_add(1).max(2);
    let missed = MISSED / inputs.max(1) as f64;
    let last = if missed < 1.0 { (least as f64 / (1.0 - missed)) as u64 } else { u64::MAX };
    let most = last.min(least.saturating_add(MAX_DIVISORS));
    // Powers are the usual ones among the greater.
    let powers = [
        least.checked_next_power_of_two(),
        least.checked_ilog10().and_then(|digits| 10u64.checked_pow(digits + 1)),
    ];
    let mut divisors: Vec<u64> = (least..=most.min(GREATEST_DIVISOR)).collect();
    let is_more = |power: &u64| *power > most && *power <= last.min(GREATEST_DIVISOR);
    divisors.extend(powers.into_iter().flatten().filter(is_more));
    divisors
}

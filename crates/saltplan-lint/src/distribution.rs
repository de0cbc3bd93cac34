//! How the salts of a table are distributed over its regions, and the share of rows in each region.
//!
//! Every salt is assumed to be equally likely. This is true for an MD5, for a remainder of consecutive
//! numbers and for a random number, and nearly true for a Java hash of long enough text.

use super::keyspace::KeySpace;
use saltplan_core::key::layout::RowKey;
use saltplan_core::region::locate;

/// The first and the last region with rows of one salt, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SaltRegions {
    /// The position in the salt domain.
    pub salt: usize,
    pub first: usize,
    pub last: usize,
}

/// The regions of the regular salts, in the order of the domain. Salts that only negative numbers give are
/// left out: their share is unknown, and SP101 and SP108 report them.
pub(super) fn places(
    key: &RowKey,
    salts: &[Vec<u8>],
    splits: &[Vec<u8>],
    space: &KeySpace,
) -> Vec<SaltRegions> {
    let Some(salt) = &key.salt else { return Vec::new() };
    let ordinary = salts.iter().enumerate().filter(|(_, bytes)| !salt.is_negative(&key.fields, bytes));
    let place = |(index, bytes): (usize, &Vec<u8>)| {
        let (first, last) = regions_of(&[bytes.as_slice(), &salt.separator].concat(), space, splits);
        SaltRegions { salt: index, first, last }
    };
    ordinary.map(place).collect()
}

/// The first and the last region of the keys with a prefix.
fn regions_of(prefix: &[u8], space: &KeySpace, splits: &[Vec<u8>]) -> (usize, usize) {
    // Only split keys that start with the prefix can separate its rows.
    let at = locate(prefix, splits);
    let inside: Vec<&Vec<u8>> =
        splits.get(at..).unwrap_or_default().iter().take_while(|split| split.starts_with(prefix)).collect();
    if inside.is_empty() {
        return (at, at);
    }
    let region = |bound: &[u8]| space.least_from(bound).map(|key| locate(&key, splits));
    // Zero bytes after the prefix are the smallest bytes that the fields can have; Phoenix splits there.
    let is_least = |split: &&&Vec<u8>| split[prefix.len()..].iter().all(|byte| *byte == 0);
    let start = inside.iter().take_while(is_least).last().map_or(prefix, |split| split.as_slice());
    let first = region(start).unwrap_or(at);
    let keys = inside.iter().filter_map(|split| space.least_from(split));
    let last = keys.filter(|key| key.starts_with(prefix)).map(|key| locate(&key, splits)).max();
    (first, last.unwrap_or(first))
}

/// The number of salts in each region; `None` if the rows of a salt are in several regions.
pub(super) fn shares(places: &[SaltRegions], regions: usize) -> Option<Vec<u128>> {
    let mut shares = vec![0; regions];
    for place in places {
        if place.first != place.last {
            return None;
        }
        *shares.get_mut(place.first)? += 1;
    }
    Some(shares)
}

/// The number of hex digits that are used for shares; the rest is less than one part in 2^96.
const DECIDING_DIGITS: usize = 24;

/// The number of texts of hex digits in each region.
pub(super) fn hex_shares(digits: usize, splits: &[Vec<u8>]) -> Vec<u128> {
    let digits = digits.min(DECIDING_DIGITS);
    let bounds: Vec<u128> = splits.iter().map(|split| hex_below(digits, split)).collect();
    let ends = bounds.iter().copied().chain([1 << (4 * digits)]);
    let starts = std::iter::once(0).chain(bounds.iter().copied());
    starts.zip(ends).map(|(start, end)| end.saturating_sub(start)).collect()
}

/// The number of texts of lower-case hex digits that sort before a split key.
fn hex_below(digits: usize, split: &[u8]) -> u128 {
    let mut below = 0;
    for (place, &byte) in split.iter().take(digits).enumerate() {
        let lesser = b"0123456789abcdef".iter().filter(|&&digit| digit < byte).count() as u128;
        below += lesser << (4 * (digits - place - 1));
        if !byte.is_ascii_digit() && !(b'a'..=b'f').contains(&byte) {
            break;
        }
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_digits_below_a_split_key() {
        assert_eq!(hex_below(2, b""), 0);
        assert_eq!(hex_below(2, b"1"), 16);
        assert_eq!(hex_below(2, b"10"), 16);
        assert_eq!(hex_below(2, b"a"), 160);
        // 'A' sorts after the digits and before 'a'; '|' sorts after all of them.
        assert_eq!(hex_below(2, b"A0"), 160);
        assert_eq!(hex_below(2, b"|"), 256);
        assert_eq!(hex_shares(1, &[b"8".to_vec()]), [8, 8]);
        assert_eq!(hex_shares(32, &[b"80000000".to_vec()]), [1 << 95, 1 << 95]);
    }
}

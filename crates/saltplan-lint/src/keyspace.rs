//! The row keys that a schema can produce, by their leading bytes.
//!
//! The set contains all possible keys and maybe more: if a part of the key has no fixed form, anything may
//! follow. So a region without a key of the set is certainly empty, while a region with one may be.

use std::ops::RangeInclusive;

use saltplan_core::key::field::{Field, FieldKind};
use saltplan_core::key::layout::RowKey;
use saltplan_core::key::salt::{Salt, SaltDomain, SaltWrite};

/// The maximum number of combinations of listed leading parts.
const MAX_HEADS: usize = 1 << 17;

/// Keys consist of one of the heads, then one byte from each set, then (if open) anything.
#[derive(Debug, Clone)]
pub struct KeySpace {
    /// Leading bytes that can be listed, such as the salts with their separator; sorted, at least one.
    heads: Vec<Vec<u8>>,
    /// The possible bytes at the positions after the head.
    sets: Vec<ByteSet>,
    open: bool,
}

/// Ascending byte ranges, both ends included; at least one.
#[derive(Debug, Clone)]
struct ByteSet(Vec<(u8, u8)>);

impl ByteSet {
    fn digits() -> Self {
        ByteSet(vec![(b'0', b'9')])
    }

    fn any() -> Self {
        ByteSet(vec![(0, u8::MAX)])
    }

    fn one(byte: u8) -> Self {
        ByteSet(vec![(byte, byte)])
    }

    fn least(&self) -> u8 {
        self.0.first().map_or(0, |range| range.0)
    }

    fn contains(&self, byte: u8) -> bool {
        self.0.iter().any(|&(first, last)| first <= byte && byte <= last)
    }

    /// The smallest byte of the set that is greater than another one.
    fn above(&self, byte: u8) -> Option<u8> {
        let next = byte.checked_add(1)?;
        self.0.iter().find(|range| range.1 >= next).map(|range| range.0.max(next))
    }
}

impl KeySpace {
    pub fn new(key: &RowKey, salt_domain: Option<&SaltDomain>) -> Self {
        let mut space = KeySpace { heads: vec![Vec::new()], sets: Vec::new(), open: false };
        if let (Some(salt), Some(salt_domain)) = (&key.salt, salt_domain) {
            space.add_salt(salt, key, salt_domain);
        }
        for index in key.stored() {
            if space.open {
                break;
            }
            space.add_field(&key.fields[index]);
        }
        space.heads.sort_unstable();
        space.heads.dedup();
        space
    }

    fn add_salt(&mut self, salt: &Salt, key: &RowKey, salt_domain: &SaltDomain) {
        match salt_domain {
            SaltDomain::Listed(salts) => {
                self.heads = salts.iter().map(|bytes| [bytes.as_slice(), &salt.separator].concat()).collect();
            }
            SaltDomain::TooMany { .. } => match salt_sets(salt, key) {
                Some(sets) => {
                    self.heads = vec![salt.behind.clone()];
                    self.sets.extend(sets);
                    self.add_bytes(&salt.separator);
                }
                None => self.open = true,
            },
        }
        if self.heads.is_empty() {
            self.heads.push(Vec::new());
            self.open = true;
        }
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        if self.sets.is_empty() {
            self.heads.iter_mut().for_each(|head| head.extend_from_slice(bytes));
        } else {
            self.sets.extend(bytes.iter().map(|&byte| ByteSet::one(byte)));
        }
    }

    fn add_field(&mut self, field: &Field) {
        if !self.add_values(field) {
            match field_sets(&field.kind) {
                Some(sets) => self.sets.extend(sets),
                None => self.open = true,
            }
        }
        if !self.open {
            self.add_bytes(&field.separator);
        }
    }

    /// A field with few values makes more heads, as long as everything before it is listed.
    fn add_values(&mut self, field: &Field) -> bool {
        let FieldKind::Text(text) = &field.kind else { return false };
        let Some(values) = &text.values else { return false };
        if !self.sets.is_empty() || self.heads.len().saturating_mul(values.len()) > MAX_HEADS {
            return false;
        }
        let stored: Vec<Vec<u8>> = values
            .iter()
            .map(|value| if text.reverse { value.chars().rev().collect() } else { value.clone() })
            .map(String::into_bytes)
            .collect();
        let join = |head: &Vec<u8>| -> Vec<Vec<u8>> {
            stored.iter().map(|value| [head.as_slice(), value].concat()).collect()
        };
        self.heads = self.heads.iter().flat_map(join).collect();
        true
    }

    /// Whether there is a key in `[start, stop)`.
    pub fn reaches(&self, start: &[u8], stop: Option<&[u8]>) -> bool {
        self.least_from(start).is_some_and(|least| stop.is_none_or(|stop| least.as_slice() < stop))
    }

    /// The smallest key that is at least a bound.
    pub(crate) fn least_from(&self, bound: &[u8]) -> Option<Vec<u8>> {
        let prefixes = (0..=bound.len()).filter_map(|length| {
            let (head, rest) = bound.split_at(length);
            self.heads.binary_search_by(|known| known.as_slice().cmp(head)).ok()?;
            Some([head, &self.tail_from(rest)?].concat())
        });
        let above = self.heads.partition_point(|head| head.as_slice() <= bound);
        let next = self.heads.get(above).map(|head| [head.as_slice(), &self.least_tail(0)].concat());
        prefixes.chain(next).min()
    }

    /// The smallest bytes from a position of the sets on.
    fn least_tail(&self, place: usize) -> Vec<u8> {
        self.sets.iter().skip(place).map(ByteSet::least).collect()
    }

    /// The smallest bytes after a head that are at or above a bound.
    fn tail_from(&self, bound: &[u8]) -> Option<Vec<u8>> {
        let fits = bound.iter().zip(&self.sets).take_while(|(byte, set)| set.contains(**byte)).count();
        if fits == bound.len() {
            return Some([bound, &self.least_tail(fits)].concat());
        }
        if fits == self.sets.len() && self.open {
            return Some(bound.to_vec());
        }
        // The last position at which a greater byte is possible: everything before it stays, everything after
        // it becomes the smallest.
        (0..=fits).rev().find_map(|place| {
            let greater = self.sets.get(place)?.above(*bound.get(place)?)?;
            Some([&bound[..place], &[greater], &self.least_tail(place + 1)].concat())
        })
    }
}

/// The bytes of a salt that is not listed, behind its constant text; `None` if it has no fixed width.
fn salt_sets(salt: &Salt, key: &RowKey) -> Option<Vec<ByteSet>> {
    let hex = |first, last| ByteSet(vec![(b'0', b'9'), (first, last)]);
    let width = || salt.fixed_width(&key.fields)?.checked_sub(salt.behind.len());
    let digits = || width().filter(|_| salt.numbers(&key.fields).hex_digits().is_some());
    match salt.write {
        SaltWrite::BigEndian { bytes } => Some(vec![ByteSet::any(); bytes]),
        SaltWrite::Bytes | SaltWrite::Text => Some(vec![ByteSet::any(); width()?]),
        SaltWrite::Hex => Some(vec![hex(b'a', b'f'); digits()?]),
        SaltWrite::UpperHex => Some(vec![hex(b'A', b'F'); digits()?]),
        SaltWrite::Decimal { width: None } | SaltWrite::Alphabet { width: None, .. } => None,
        SaltWrite::Alphabet { alphabet, width: Some(width) } => {
            let mut bytes = alphabet.text().as_bytes().to_vec();
            bytes.sort_unstable();
            Some(vec![ByteSet(bytes.into_iter().map(|byte| (byte, byte)).collect()); width])
        }
        SaltWrite::Decimal { width: Some(width) } => {
            let mut sets = vec![ByteSet::digits(); width];
            // The sign of a negative number is at the first position.
            if let Some(first) = sets.first_mut() {
                *first = ByteSet(vec![(b'-', b'-'), (b'0', b'9')]);
            }
            Some(sets)
        }
    }
}

/// The bytes of a field; `None` if it has no fixed width in bytes.
fn field_sets(kind: &FieldKind) -> Option<Vec<ByteSet>> {
    let width = kind.fixed_width()?;
    if let Some(number) = kind.number() {
        let set = |bytes: RangeInclusive<u8>| ByteSet(vec![(*bytes.start(), *bytes.end())]);
        return Some(number.bytes_by_place()?.into_iter().map(set).collect());
    }
    match kind {
        FieldKind::Text(text) if text.chars.is_ascii() && text.form.is_plain() => {
            let ranges = text.chars.ranges().iter().filter_map(|&(first, last)| {
                Some((u8::try_from(u32::from(first)).ok()?, u8::try_from(u32::from(last)).ok()?))
            });
            let set = ByteSet(ranges.collect());
            (!set.0.is_empty()).then(|| vec![set; width])
        }
        FieldKind::Calendar(calendar) => {
            let first = calendar.format.format(calendar.format.domain().0)?;
            let place = |byte: u8| if byte.is_ascii_digit() { ByteSet::digits() } else { ByteSet::one(byte) };
            Some(first.bytes().map(place).collect())
        }
        _ => Some(vec![ByteSet::any(); width]),
    }
}

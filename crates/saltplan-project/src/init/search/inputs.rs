//! What may be hashed: the key, its fields, parts of them, and several of them joined.

use std::collections::HashSet;

use saltplan_core::key::java;
use saltplan_core::key::salt::Combine;

use super::super::draft::DraftOf;
use super::{RuleKind, SaltedKeys};

/// What is hashed, with fields by their place.
pub(super) type Input = DraftOf<Piece>;

/// An input that is tried.
#[derive(Debug)]
pub(super) struct TriedInput {
    pub input: Input,
    /// Its parts are hashed as Java's objects, not their text.
    pub is_of_objects: bool,
    /// How many different values it has in some of the keys.
    pub values: usize,
}

/// A field, or the start or the end of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub field: usize,
    pub cut: PieceCut,
    pub lower: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PieceCut {
    Whole,
    First(usize),
    Last(usize),
    /// The original of a text that the key stores reversed.
    Reversed,
    /// The digits of a number that the key stores padded, or in bytes.
    Number,
    /// A number as Java's `long`, not as its digits.
    Value,
}

/// What a field may have been before the key stored it, for each key.
#[derive(Debug, Default)]
pub(crate) struct Originals {
    pub reversed: Option<Vec<Vec<u8>>>,
    pub number: Option<Vec<Vec<u8>>>,
    pub value: Option<Vec<i64>>,
}

/// The longest part of a field that is tried by itself.
const MAX_CUT: usize = 8;

/// The last four digits of a telephone number, or the month of a date: parts that published designs combine with others.
const CUTS: [PieceCut; 3] = [PieceCut::Whole, PieceCut::Last(4), PieceCut::First(6)];

/// Text that programs write between two inputs.
const JOINS: [&[u8]; 10] = [b"", b"_", b"|", b"-", b":", b",", b"#", b"/", b".", b" "];

/// Where ranges of bytes of the key start and end: Pinpoint hashes the bytes 32 to 39, or the first 24.
const KEY_PLACES: [usize; 10] = [0, 2, 4, 8, 12, 16, 24, 32, 40, 64];

/// With more fields than this, pairs of the others are not tried.
const MAX_PAIRED: usize = 6;

/// With more fields than this, only some runs of fields are tried, so that their number does not grow with the square.
pub(crate) const MAX_JOINED: usize = 12;

/// The longest run of many fields that is neither the start nor the end of the key.
const MAX_INNER_RUN: usize = 3;

/// The longest run of fields that is tried as objects: each may be a text or a number.
const MAX_OBJECTS: usize = 4;

/// Inputs that are equal for this many keys count as the same input.
const COMPARED: usize = 128;

impl Piece {
    pub fn whole(field: usize) -> Self {
        Piece { field, cut: PieceCut::Whole, lower: false }
    }

    pub fn bytes<'k>(self, keys: &'k SaltedKeys<'_>, at: usize) -> Option<&'k [u8]> {
        let bytes = *keys.fields.get(self.field)?.get(at)?;
        let originals = keys.originals.get(self.field);
        match self.cut {
            PieceCut::Reversed => originals?.reversed.as_ref()?.get(at).map(Vec::as_slice),
            PieceCut::Number => originals?.number.as_ref()?.get(at).map(Vec::as_slice),
            PieceCut::Whole | PieceCut::Value => Some(bytes),
            PieceCut::First(count) => bytes.get(..count),
            PieceCut::Last(count) => bytes.get(bytes.len().checked_sub(count)?..),
        }
    }
}

impl TriedInput {
    /// What is hashed: the texts of the input, or the hash codes of its objects.
    pub fn messages(&self, keys: &SaltedKeys<'_>, at: usize) -> Option<Vec<Vec<u8>>> {
        let Input::Fields { inputs, .. } = &self.input else { return self.input.texts(keys, at) };
        if !self.is_of_objects {
            return self.input.texts(keys, at);
        }
        let code = |piece: &Piece| -> Option<[u8; 4]> {
            let code = match piece.cut {
                PieceCut::Value => {
                    java::long_hash_code(*keys.originals.get(piece.field)?.value.as_ref()?.get(at)?)
                }
                _ => java::string_hash_code(std::str::from_utf8(piece.bytes(keys, at)?).ok()?),
            };
            Some(code.to_be_bytes())
        };
        Some(vec![inputs.iter().map(code).collect::<Option<Vec<_>>>()?.concat()])
    }
}

impl Input {
    /// Each text that is hashed by itself: one, or several that are combined by XOR. `None` if a field is shorter than its part.
    pub fn texts(&self, keys: &SaltedKeys<'_>, at: usize) -> Option<Vec<Vec<u8>>> {
        let (pieces, joined_by, combine) = match self {
            Input::Key => return Some(vec![keys.rests.get(at)?.to_vec()]),
            Input::Bytes { start, stop } => {
                let rest = keys.rests.get(at)?;
                return Some(vec![rest.get(*start..rest.len().min(*stop))?.to_vec()]);
            }
            Input::Fields { inputs, joined_by, combine } => (inputs, joined_by, *combine),
        };
        let texts = pieces.iter().map(|piece| {
            let bytes = piece.bytes(keys, at)?;
            Some(if piece.lower { bytes.to_ascii_lowercase() } else { bytes.to_vec() })
        });
        let texts = texts.collect::<Option<Vec<Vec<u8>>>>()?;
        Some(match combine {
            Combine::Concat => vec![texts.join(joined_by.as_slice())],
            Combine::Xor => texts,
        })
    }

    pub fn is_xor(&self) -> bool {
        matches!(self, Input::Fields { combine: Combine::Xor, .. })
    }
}

/// All inputs that are tried, the most usual first, each only once.
pub(super) fn inputs(keys: &SaltedKeys<'_>, kind: RuleKind) -> Vec<TriedInput> {
    let count = keys.fields.len();
    let all: Vec<Piece> = (0..count).map(Piece::whole).collect();
    let mut found = vec![Input::Key];
    if count > 1 {
        found.push(joined(all.clone(), b""));
    }
    found.extend(all.iter().map(|piece| joined(vec![*piece], b"")));
    found.extend((0..count).flat_map(|field| originals(keys, field)).map(|piece| joined(vec![piece], b"")));
    found.extend((0..count).flat_map(|field| parts(keys, field)).map(|piece| joined(vec![piece], b"")));
    let mut joins: Vec<&[u8]> = JOINS.to_vec();
    if !joins.contains(&keys.separator) {
        joins.push(keys.separator);
    }
    let is_tried = |sign: &&[u8]| count <= MAX_JOINED || sign.is_empty() || *sign == keys.separator;
    let signs: Vec<&[u8]> = joins.iter().copied().filter(is_tried).collect();
    for (from, to) in runs(count) {
        found.extend(signs.iter().map(|sign| joined(all[from..to].to_vec(), sign)));
    }
    if count > 2 {
        let without =
            |left_out: &usize| all.iter().filter(|piece| piece.field != *left_out).copied().collect();
        found.extend((0..count).map(|left_out| joined(without(&left_out), b"")));
    }
    // Those with a random number hash the key, a field, or bytes: more would take too long.
    if kind == RuleKind::Plain {
        found.extend(pairs(keys, count.min(MAX_PAIRED), &joins));
    }
    found.extend(key_bytes(keys));
    let mut tried = different(keys, found, false);
    if kind == RuleKind::Plain {
        tried.extend(different(keys, objects(keys), true));
    }
    tried
}

/// Fields as Java's objects: a large number, and pairs and runs of texts and numbers.
fn objects(keys: &SaltedKeys<'_>) -> Vec<Input> {
    let count = keys.fields.len();
    let values = |field: usize| keys.originals.get(field).and_then(|of| of.value.as_deref());
    let value = |field: usize| Piece { cut: PieceCut::Value, ..Piece::whole(field) };
    // `Long.hashCode` of a small number is the number, whose remainder is another rule.
    let is_large = |field: &usize| {
        values(*field).is_some_and(|all| all.iter().any(|one| !(0..=i64::from(i32::MAX)).contains(one)))
    };
    let mut found: Vec<Input> =
        (0..count).filter(is_large).map(|field| joined(vec![value(field)], b"")).collect();
    let paired = count.min(MAX_PAIRED);
    let pairs = (0..paired).flat_map(|one| (0..paired).map(move |other| vec![one, other]));
    let pairs = pairs.filter(|pair| pair[0] != pair[1]);
    let runs = runs(count).map(|(from, to)| (from..to).collect::<Vec<usize>>());
    let runs = runs.filter(|run| (3..=MAX_OBJECTS).contains(&run.len()));
    for fields in pairs.chain(runs) {
        let mut all: Vec<Vec<Piece>> = vec![Vec::new()];
        for field in fields {
            let forms = [Some(Piece::whole(field)), values(field).map(|_| value(field))];
            all = all
                .iter()
                .flat_map(|pieces| forms.iter().flatten().map(|form| [pieces.as_slice(), &[*form]].concat()))
                .collect();
        }
        found.extend(all.into_iter().map(|pieces| joined(pieces, b"")));
    }
    found
}

/// Where runs of at least two adjacent fields start and end.
fn runs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    let is_tried = move |from: usize, to: usize| {
        count <= MAX_JOINED || from == 0 || to == count || to - from <= MAX_INNER_RUN
    };
    (0..count)
        .flat_map(move |from| (from + 2..=count).map(move |to| (from, to)))
        .filter(move |(from, to)| is_tried(*from, *to))
}

fn joined(pieces: Vec<Piece>, sign: &[u8]) -> Input {
    Input::Fields { inputs: pieces, joined_by: sign.to_vec(), combine: Combine::Concat }
}

/// The starts and ends of a field, and the field in lower case.
fn parts(keys: &SaltedKeys<'_>, field: usize) -> Vec<Piece> {
    let bytes = &keys.fields[field];
    let shortest = bytes.iter().map(|bytes| bytes.len()).min().unwrap_or(0);
    let whole = Piece::whole(field);
    let lower = Piece { lower: true, ..whole };
    let has_capitals = bytes.iter().any(|bytes| bytes.iter().any(u8::is_ascii_uppercase));
    // Parts are counted in characters, which are bytes only in ASCII.
    let is_ascii = bytes.iter().all(|bytes| bytes.is_ascii());
    let widths = if is_ascii { 1..(MAX_CUT + 1).min(shortest) } else { 1..1 };
    let cuts = widths.flat_map(|width| [PieceCut::Last(width), PieceCut::First(width)]);
    let parts = cuts.map(|cut| Piece { cut, ..whole });
    parts.chain((is_ascii && has_capitals).then_some(lower)).collect()
}

/// What a field may have been before the key stored it.
fn originals(keys: &SaltedKeys<'_>, field: usize) -> Vec<Piece> {
    let Some(Originals { reversed, number, .. }) = keys.originals.get(field) else { return Vec::new() };
    let of = |cut: PieceCut| Piece { cut, ..Piece::whole(field) };
    let number = number.is_some().then(|| of(PieceCut::Number));
    number.into_iter().chain(reversed.is_some().then(|| of(PieceCut::Reversed))).collect()
}

/// Two fields or parts of them, in both orders, joined or combined by XOR.
fn pairs(keys: &SaltedKeys<'_>, fields: usize, joins: &[&[u8]]) -> Vec<Input> {
    let pieces = |field: usize| {
        let is_ascii = keys.fields[field].iter().all(|bytes| bytes.is_ascii());
        let cuts = CUTS.into_iter().filter(move |cut| is_ascii || *cut == PieceCut::Whole);
        cuts.map(move |cut| Piece { field, cut, lower: false })
    };
    let mut found = Vec::new();
    for (one, other) in (0..fields).flat_map(|one| (0..fields).map(move |other| (one, other))) {
        if one == other {
            continue;
        }
        for (first, second) in pieces(one).flat_map(|first| pieces(other).map(move |second| (first, second)))
        {
            let is_whole = first.cut == PieceCut::Whole && second.cut == PieceCut::Whole;
            let joins = if is_whole { joins } else { &joins[..1] };
            found.extend(joins.iter().map(|sign| joined(vec![first, second], sign)));
            if one < other {
                let inputs = vec![first, second];
                found.push(Input::Fields { inputs, joined_by: Vec::new(), combine: Combine::Xor });
            }
        }
    }
    found
}

/// Bytes of the key between usual places. A range that ends after the end of every key is the rest of the key.
fn key_bytes(keys: &SaltedKeys<'_>) -> impl Iterator<Item = Input> {
    let longest = keys.rests.iter().map(|rest| rest.len()).max().unwrap_or(0);
    let ends =
        move |start: usize| KEY_PLACES.into_iter().filter(move |stop| start < *stop && *stop <= longest);
    KEY_PLACES.into_iter().flat_map(move |start| ends(start).map(move |stop| Input::Bytes { start, stop }))
}

/// The inputs without those that cannot be made of every key, or that equal an earlier one.
fn different(keys: &SaltedKeys<'_>, inputs: Vec<Input>, is_of_objects: bool) -> Vec<TriedInput> {
    let mut seen = HashSet::new();
    let compared = 0..keys.salts.len().min(COMPARED);
    let new = |input: Input| {
        let tried = TriedInput { input, is_of_objects, values: 0 };
        let texts = compared.clone().map(|at| tried.messages(keys, at)).collect::<Option<Vec<_>>>()?;
        let values = texts.iter().collect::<HashSet<_>>().len();
        seen.insert((tried.input.is_xor(), texts)).then_some(TriedInput { values, ..tried })
    };
    inputs.into_iter().filter_map(new).collect()
}

//! The layout of a row key, guessed from real ones.
//!
//! Layouts are tried from the most to the least telling: a salt that a scheme explains, a salt that looks random, no
//! salt. What a candidate claims is written as a schema, and only a schema that reads every sample key back, each with the
//! right salt, is an answer.

use std::ops::Range;

use rayon::prelude::*;
use thiserror::Error;

use super::draft::{Draft, DraftCut, DraftField, DraftInput, DraftKind, DraftReduce, DraftSalt, DraftScheme};
use super::scheme::{GuessedScheme, HashedCut, HashedInput, HashedPart, SaltedKey, find};
use super::segment::{SEPARATORS, is_in_dates, segment};
use super::write;
use crate::diag::{Diagnostics, Source};
use crate::key::number::{IntegerSize, NumberEncoding, NumberForm};
use crate::key::range::to_string_binary;
use crate::key::salt::{Combine, SaltWrite};
use crate::key::time_format::TimeFormat;
use crate::row::{RowCodec, RowError};
use crate::schema;

/// Fewer keys than this show no pattern.
pub const MIN_KEYS: usize = 5;

/// Keys that schemes are tried with; the answer is checked with all.
const MAX_TRIED: usize = 500;

/// Widths of salts without a separator behind them.
const SALT_WIDTHS: [usize; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32];

#[derive(Debug)]
pub struct Guess {
    pub draft: Draft,
    /// Whether the salt, or its absence, is only likely.
    pub doubtful: bool,
}

/// Why no layout was found.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GuessError {
    #[error("there are no keys; give {MIN_KEYS} or more")]
    NoKeys,
    #[error("one key shows no pattern; give {MIN_KEYS} or more")]
    OneKey,
    #[error("{count} different keys are too few to see a pattern; give {MIN_KEYS} or more")]
    TooFewKeys { count: usize },
    /// The schema of the first layout is none.
    #[error("{}", .0.0.first().map_or("", |error| &error.message))]
    Schema(Diagnostics),
    #[error("the key `{key}`: {reason}")]
    Unread { key: String, reason: RowError },
    #[error("the key `{key}`: the salt should be `{expected}`")]
    OtherSalt { key: String, expected: String },
    #[error("no layout reads these keys: they have bytes that no field explains")]
    NoLayout,
}

/// The first layout that reads every key. `base` holds the table and whatever else keys cannot tell.
///
/// # Errors
/// No layout does, and what to give instead.
pub fn guess(keys: &[Vec<u8>], base: &Draft) -> Result<Guess, GuessError> {
    if keys.len() < MIN_KEYS {
        return Err(match keys.len() {
            0 => GuessError::NoKeys,
            1 => GuessError::OneKey,
            count => GuessError::TooFewKeys { count },
        });
    }
    let step = keys.len().div_ceil(MAX_TRIED);
    let tried: Vec<&[u8]> = keys.iter().step_by(step).map(Vec::as_slice).collect();
    let mut separators: Vec<Option<u8>> =
        SEPARATORS.iter().copied().filter(|sign| separates(&tried, *sign)).map(Some).collect();
    separators.push(None);
    let candidates = separators
        .iter()
        .flat_map(|separator| salted(&tried, *separator))
        .map(|draft| (draft, false))
        .chain(separators.iter().flat_map(|separator| random(&tried, *separator)).map(|draft| (draft, true)))
        .chain(
            separators.iter().filter_map(|separator| unsalted(&tried, *separator)).map(|draft| (draft, true)),
        );
    let mut reason = None;
    for (candidate, doubtful) in candidates {
        let draft = complete(candidate, base, keys.len());
        match reads(&draft, keys) {
            Ok(()) => return Ok(Guess { draft, doubtful }),
            Err(why) => reason = reason.or(Some(why)),
        }
    }
    Err(reason.unwrap_or(GuessError::NoLayout))
}

/// Whether a sign stands in all keys, in all the same number of times, and not in a date.
fn separates(keys: &[&[u8]], sign: u8) -> bool {
    let count = |key: &&[u8]| key.iter().filter(|byte| **byte == sign).count();
    let first = keys.first().map_or(0, count);
    first > 0 && keys.iter().all(|key| count(key) == first) && !is_in_dates(keys, sign)
}

fn parts(key: &[u8], separator: Option<u8>) -> Vec<&[u8]> {
    match separator {
        Some(sign) => key.split(|byte| *byte == sign).collect(),
        None => vec![key],
    }
}

/// Layouts with a salt that a scheme explains.
fn salted<'k>(keys: &[&'k [u8]], separator: Option<u8>) -> Vec<Draft> {
    let shortest = keys.iter().map(|key| key.len()).min().unwrap_or(0);
    let with_sign = separator.and_then(|sign| {
        keys.iter()
            .map(|key| {
                let at = key.iter().position(|byte| *byte == sign)?;
                let rest = key.get(at + 1..)?;
                Some(SaltedKey { salt: &key[..at], rest, parts: parts(rest, separator) })
            })
            .collect::<Option<Vec<_>>>()
    });
    let without = SALT_WIDTHS.iter().filter(|width| **width < shortest).map(|width| {
        let cut = |key: &&'k [u8]| {
            let (salt, rest) = key.split_at(*width);
            SaltedKey { salt, rest, parts: parts(rest, separator) }
        };
        keys.iter().map(cut).collect::<Vec<_>>()
    });
    let layouts = with_sign.into_iter().map(|keys| (keys, true)).chain(without.map(|keys| (keys, false)));
    layouts.filter_map(|(salted, has_sign)| explained(&salted, separator, has_sign)).collect()
}

fn explained(salted: &[SaltedKey<'_>], separator: Option<u8>, has_sign: bool) -> Option<Draft> {
    let (scheme, input) = find(salted)?;
    let mut draft = Draft { separator: separator.map(text_of), ..Draft::default() };
    let count = salted.first()?.parts.len();
    let mut ranges = Vec::new();
    for part in 0..count {
        let column: Vec<&[u8]> =
            salted.iter().map(|key| key.parts.get(part).copied()).collect::<Option<_>>()?;
        let before = draft.fields.len();
        if let (GuessedScheme::Modulo { .. }, true) = (scheme, input == HashedInput::Part(part) || count == 1)
        {
            number_field(&column, &mut draft.fields);
        } else {
            segment(&column, &mut draft.fields)?;
        }
        if separator.is_some() {
            close_up(&mut draft.fields[before..]);
        }
        ranges.push(before..draft.fields.len());
    }
    let names = inputs(input, &draft.fields, &ranges)?;
    let separator = (separator.is_some() && !has_sign).then(String::new);
    draft.salt = Some(salt(scheme, input, names, separator)?);
    Some(draft)
}

/// What the salt is computed of.
fn inputs(input: HashedInput, fields: &[DraftField], ranges: &[Range<usize>]) -> Option<Vec<DraftInput>> {
    let of = match input {
        HashedInput::Rest | HashedInput::Parts => 0..fields.len(),
        HashedInput::Part(at) => ranges.get(at)?.clone(),
        HashedInput::Xor(one, other) => {
            return [one, other].into_iter().map(|piece| piece_input(piece, fields, ranges)).collect();
        }
    };
    let whole = |field: &DraftField| DraftInput { field: field.name.clone(), part: None };
    Some(fields.get(of)?.iter().map(whole).collect())
}

/// A piece of a part that is one field.
fn piece_input(piece: HashedPart, fields: &[DraftField], ranges: &[Range<usize>]) -> Option<DraftInput> {
    let [field] = fields.get(ranges.get(piece.part)?.clone())? else { return None };
    let months = TimeFormat::parse("yyyyMM").ok()?;
    let is_dated = field.kind.format().is_some_and(|format| format.continues(&months));
    let part = match piece.cut {
        HashedCut::Whole => None,
        // A month of a date is a part of a date: a range over some months then reaches a salt for each.
        HashedCut::First(6) if is_dated => Some(DraftCut::Month),
        HashedCut::First(count) => Some(DraftCut::First(count as u64)),
        HashedCut::Last(count) => Some(DraftCut::Last(count as u64)),
    };
    Some(DraftInput { field: field.name.clone(), part })
}

fn salt(
    scheme: GuessedScheme,
    input: HashedInput,
    of: Vec<DraftInput>,
    separator: Option<String>,
) -> Option<DraftSalt> {
    let (combine, hash) = match input {
        HashedInput::Xor(..) => (Combine::Xor, "the xor of both String.hashCode()"),
        _ => (Combine::Concat, "String.hashCode()"),
    };
    let (scheme, what) = match scheme {
        GuessedScheme::Md5Hex { digits } => {
            (md5(digits, SaltWrite::Hex, input, of), format!("the first {} of an MD5", hex_digits(digits)))
        }
        GuessedScheme::Md5Decimal { digits, width } => (
            md5(digits, decimal(Some(width)), input, of),
            format!("the first {} of an MD5, as a number {width} wide", hex_digits(digits)),
        ),
        GuessedScheme::HashMask => (
            DraftScheme::JavaHash { of, combine, reduce: DraftReduce::Mask },
            format!("{hash} & 0x7FFF, two bytes"),
        ),
        GuessedScheme::Hash { modulo, width } => {
            let reduce = DraftReduce::Modulo { modulo: modulo.into(), write: decimal(width) };
            let what = format!(
                "{hash}, modulo {modulo}; for `Math.abs(h) % n` write `abs: before`, keys hardly ever show it"
            );
            (DraftScheme::JavaHash { of, combine, reduce }, what)
        }
        GuessedScheme::Modulo { by, width, binary } => {
            let write = if binary { SaltWrite::BigEndian { bytes: 8 } } else { decimal(width) };
            let (of, by) = (of.into_iter().next()?.field, u64::try_from(by).ok()?);
            (DraftScheme::Modulo { of, by, write }, format!("the remainder modulo {by}"))
        }
    };
    Some(DraftSalt { scheme, separator, comment: vec![what] })
}

fn md5(digits: usize, write: SaltWrite, input: HashedInput, of: Vec<DraftInput>) -> DraftScheme {
    let of = (input != HashedInput::Rest).then_some(of);
    DraftScheme::Md5 { of, hex_digits: digits as u64, write }
}

fn decimal(width: Option<usize>) -> SaltWrite {
    SaltWrite::Decimal { width }
}

fn hex_digits(count: usize) -> String {
    if count == 1 { "hex digit".into() } else { format!("{count} hex digits") }
}

/// The field that a remainder is taken of.
fn number_field(column: &[&[u8]], fields: &mut Vec<DraftField>) {
    let width = column.first().map_or(0, |part| part.len());
    let fixed = column.iter().all(|part| part.len() == width);
    let text = column.iter().all(|part| part.iter().all(u8::is_ascii_digit));
    let long = |encoding| NumberForm::new(IntegerSize::Bigint, encoding);
    let number = if text {
        NumberForm { width: fixed.then_some(width), ..long(NumberEncoding::Decimal) }
    } else {
        long(NumberEncoding::BigEndian)
    };
    let field = DraftField::new(super::draft::fresh_name("id", fields), DraftKind::Integer(number));
    fields.push(field.with_comment("the number that the salt is the remainder of"));
}

/// One to three digits in front that take nearly all values and that no scheme explains, before a date or a separator.
fn random(keys: &[&[u8]], separator: Option<u8>) -> Vec<Draft> {
    (1..=3usize).filter_map(|width| random_of(keys, separator, width)).collect()
}

fn random_of(keys: &[&[u8]], separator: Option<u8>, width: usize) -> Option<Draft> {
    let salts: Vec<&[u8]> = keys.iter().map(|key| key.get(..width)).collect::<Option<_>>()?;
    let (count, below) = dense_numbers(salts, width)?;
    let signs = separator.map_or(Vec::new(), |sign| vec![sign]);
    let behind = |key: &&[u8]| key.get(width..).is_some_and(|rest| rest.starts_with(&signs));
    let has_sign = separator.is_some() && keys.iter().all(behind);
    let skip = width + usize::from(has_sign);
    let rests: Vec<&[u8]> = keys.iter().map(|key| key.get(skip..)).collect::<Option<_>>()?;
    let mut draft = unsalted(&rests, separator)?;
    let is_date = draft.fields.first().is_some_and(|field| field.kind.format().is_some());
    if !has_sign && !is_date {
        return None;
    }
    draft.salt = Some(DraftSalt {
        scheme: DraftScheme::Random { below: u64::from(below), write: decimal(Some(width)) },
        separator: (separator.is_some() && !has_sign).then(String::new),
        comment: vec![
            format!("{count} different numbers, {width} wide. No MD5, String.hashCode or remainder of what follows"),
            "gives them, so they are taken as random: a guess. Ask the code that writes the keys; if it computes them,"
                .into(),
            "write that scheme here: a salt that can be computed makes point reads possible.".into(),
        ],
    });
    Some(draft)
}

/// How many different numbers there are, and the bound below which they lie, if they take nearly all values.
fn dense_numbers(mut salts: Vec<&[u8]>, width: usize) -> Option<(usize, u32)> {
    const LEAST_SHARE: f64 = 0.8;
    salts.sort_unstable();
    salts.dedup();
    let digits = salts.iter().all(|salt| salt.iter().all(u8::is_ascii_digit));
    let greatest: u32 = std::str::from_utf8(salts.last()?).ok().filter(|_| digits)?.parse().ok()?;
    if greatest == 0 || (salts.len() as f64) < LEAST_SHARE * f64::from(greatest + 1) {
        return None;
    }
    let all = 10u32.pow(width as u32);
    Some((salts.len(), if 10 * (greatest + 1) >= 9 * all { all } else { greatest + 1 }))
}

fn unsalted(keys: &[&[u8]], separator: Option<u8>) -> Option<Draft> {
    let mut draft = Draft { separator: separator.map(text_of), ..Draft::default() };
    let count = parts(keys.first()?, separator).len();
    for part in 0..count {
        let column: Vec<&[u8]> =
            keys.iter().map(|key| parts(key, separator).get(part).copied()).collect::<Option<_>>()?;
        let before = draft.fields.len();
        segment(&column, &mut draft.fields)?;
        if separator.is_some() {
            close_up(&mut draft.fields[before..]);
        }
        if draft.fields.len() == before {
            return None;
        }
    }
    Some(draft)
}

/// Fields of one part have no separator between them.
fn close_up(fields: &mut [DraftField]) {
    if let Some((_, inner)) = fields.split_last_mut() {
        inner.iter_mut().for_each(|field| field.separator = Some(String::new()));
    }
}

fn text_of(sign: u8) -> String {
    to_string_binary(&[sign])
}

/// The candidate with all that keys do not tell.
fn complete(candidate: Draft, base: &Draft, keys: usize) -> Draft {
    let mut draft = Draft {
        separator: candidate.separator,
        salt: candidate.salt,
        fields: candidate.fields,
        ..base.clone()
    };
    draft.rename_fields_of_columns();
    if let Some(salt) = &mut draft.salt
        && !matches!(salt.scheme, DraftScheme::Random { .. })
    {
        salt.comment.push(format!("a guess that is right for each of the {keys} sample keys: compare it with the code that writes them"));
    }
    let instants = draft.fields.iter().any(|field| field.kind.is_instant());
    if instants && draft.time_zone.is_none() {
        draft.time_zone = Some("UTC".into());
        draft.time_zone_comment = vec!["keys do not tell the zone of local times: write yours".into()];
    }
    draft
}

/// Whether the schema that the draft writes reads every key, with the right salt.
fn reads(draft: &Draft, keys: &[Vec<u8>]) -> Result<(), GuessError> {
    let source = Source::new("guess", write::yaml(draft));
    let loaded = schema::load(&source).map_err(GuessError::Schema)?;
    let codec = RowCodec::new(&loaded.schema);
    match keys.par_iter().find_map_first(|key| fault(&codec, key)) {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// Why a codec cannot read a key.
fn fault(codec: &RowCodec<'_>, key: &[u8]) -> Option<GuessError> {
    let shown = to_string_binary(key);
    match codec.decode(key) {
        Err(reason) => Some(GuessError::Unread { key: shown, reason }),
        Ok(decoded) => decoded.expected_salt.map(|expected| {
            let expected = to_string_binary(&expected);
            GuessError::OtherSalt { key: shown, expected }
        }),
    }
}

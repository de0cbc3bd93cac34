//! Guesses the layout of a row key from real keys.
//!
//! Layouts are tried from the most to the least specific: a salt that a scheme explains, a salt that looks
//! random, no salt. Each candidate is written as a schema. It is an answer only if this schema decodes every
//! sample key, with the right salt.

use std::ops::Range;

use rayon::prelude::*;
use thiserror::Error;

use super::draft::{Draft, DraftCut, DraftField, DraftInput, DraftKind, DraftReduce, DraftSalt, DraftScheme};
use super::fault::Fault;
use super::flags;
use super::scheme::{GuessedScheme, HashedCut, HashedInput, HashedPart, SaltedKey, find};
use super::segment::{SEPARATORS, is_in_dates, segment};
use super::write;
use saltplan_core::diag::{Diagnostics, Source};
use saltplan_core::key::number::{IntegerSize, NumberEncoding, NumberForm};
use saltplan_core::key::range::{from_string_binary, to_string_binary};
use saltplan_core::key::salt::{Combine, SaltWrite};
use saltplan_core::key::time_format::TimeFormat;
use saltplan_core::row::{RowCodec, RowError};
use saltplan_core::schema;

/// With fewer keys than this no pattern is visible.
pub const MIN_KEYS: usize = 5;

/// The number of keys with which schemes are tried; the answer is checked with all keys.
const MAX_TRIED: usize = 500;

/// Widths of salts that are tried without a separator.
const SALT_WIDTHS: [usize; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32];

#[derive(Debug)]
pub struct Guess {
    pub draft: Draft,
    /// Whether the salt, or that there is none, is only likely.
    pub doubtful: bool,
}

/// Why no layout was found.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GuessError {
    #[error("there are no keys; at least {MIN_KEYS} are needed")]
    NoKeys,
    #[error("one key shows no pattern; at least {MIN_KEYS} are needed")]
    OneKey,
    #[error("{count} different keys are too few to see a pattern; at least {MIN_KEYS} are needed")]
    TooFewKeys { count: usize },
    /// The schema of the first layout is invalid.
    #[error("{}", .0.0.first().map_or("", |error| &error.message))]
    Schema(Diagnostics),
    #[error("the key `{key}`: {reason}")]
    Unread { key: String, reason: RowError },
    #[error("the key `{key}`: the salt should be `{expected}`")]
    OtherSalt { key: String, expected: String },
    #[error("no layout fits these keys: they contain bytes that no kind of field explains")]
    NoLayout,
    #[error("no layout that starts with the declared fields fits these keys")]
    NoDeclaredLayout,
    #[error("no key has the separator `{separator}`")]
    NoSeparator { separator: String },
    #[error("{}", .0.0)]
    Flag(Fault),
}

/// Layouts of one kind for the keys with a separator.
type Layouts = fn(&[&[u8]], &[u8], &Declared<'_>) -> Vec<Draft>;

/// The declared parts of the layout; the rest is guessed.
struct Declared<'a> {
    fields: Vec<DeclaredField>,
    /// In the notation of flags, see [`flags::salt`]; it is parsed when the names of all fields are known.
    salt: Option<&'a str>,
    salt_width: Option<usize>,
}

struct DeclaredField {
    field: DraftField,
    /// In bytes.
    width: Option<usize>,
}

impl<'a> Declared<'a> {
    fn of(base: &Draft, salt: Option<&'a str>) -> Result<Self, GuessError> {
        let salt_width = salt.map(|text| {
            let mut names = names(&base.fields);
            if names.is_empty() {
                names.push("part".into());
            }
            flags::salt(text, &names).map(|salt| salt.scheme.width())
        });
        let fields = match base.fields.as_slice() {
            [] => Vec::new(),
            declared => {
                let draft = complete(Draft { fields: declared.to_vec(), ..Draft::default() }, base);
                let source = Source::new("guess", write::yaml(&draft));
                let schema = schema::load(&source).map_err(GuessError::Schema)?.schema;
                let widths = schema.key.fields.iter().map(|field| field.kind.fixed_width());
                let fields = declared.iter().cloned().zip(widths);
                fields.map(|(field, width)| DeclaredField { field, width }).collect()
            }
        };
        Ok(Declared { fields, salt, salt_width: salt_width.transpose().map_err(GuessError::Flag)?.flatten() })
    }

    fn is_whole(&self) -> bool {
        !self.fields.is_empty() && self.salt.is_some()
    }
}

fn names(fields: &[DraftField]) -> Vec<String> {
    fields.iter().map(|field| field.name.clone()).collect()
}

/// The first layout that decodes every key. `base` has the table, everything else that keys do not show, and
/// the first fields and the separator if they are declared; `salt` is the declared salt in the notation of
/// flags.
///
/// # Errors
/// No layout does; says what to declare instead.
pub fn guess(keys: &[Vec<u8>], base: &Draft, salt: Option<&str>) -> Result<Guess, GuessError> {
    let declared = Declared::of(base, salt)?;
    if keys.is_empty() || keys.len() < MIN_KEYS && !declared.is_whole() {
        return Err(match keys.len() {
            0 => GuessError::NoKeys,
            1 => GuessError::OneKey,
            count => GuessError::TooFewKeys { count },
        });
    }
    let step = keys.len().div_ceil(MAX_TRIED);
    let tried: Vec<&[u8]> = keys.iter().step_by(step).map(Vec::as_slice).collect();
    let separators = separators(&tried, base)?;
    let kinds: &[(Layouts, bool)] = match salt {
        Some(_) => &[(with_declared_salt, false)],
        None => &[(salted, false), (random, true), (unsalted, true)],
    };
    // Each kind is only tried if the previous ones fail.
    let (tried, declared) = (tried.as_slice(), &declared);
    let candidates = kinds.iter().flat_map(|(layouts, doubtful)| {
        let found = separators.iter().flat_map(|separator| layouts(tried, separator, declared));
        found.map(|draft| (draft, *doubtful))
    });
    let mut reason = None;
    for (candidate, doubtful) in candidates {
        let mut draft = complete(candidate, base);
        match reads(&draft, keys) {
            Ok(()) => {
                if let Some(salt) = &mut draft.salt {
                    salt.comment.extend(remark(&salt.scheme, keys.len(), declared.salt.is_some()));
                }
                return Ok(Guess { draft, doubtful });
            }
            Err(why) => reason = reason.or(Some(why)),
        }
    }
    Err(reason.unwrap_or(if declared.fields.is_empty() {
        GuessError::NoLayout
    } else {
        GuessError::NoDeclaredLayout
    }))
}

fn remark(scheme: &DraftScheme, keys: usize, is_declared: bool) -> Option<String> {
    match scheme {
        _ if is_declared => Some(format!("correct for all {keys} sample keys")),
        DraftScheme::Random { .. } => None,
        _ => Some(format!(
            "a guess that is correct for all {keys} sample keys: compare it with the code that writes them"
        )),
    }
}

/// The declared separator, or the possible ones; an empty one means none.
fn separators(keys: &[&[u8]], base: &Draft) -> Result<Vec<Vec<u8>>, GuessError> {
    let Some(text) = &base.separator else {
        let signs = SEPARATORS.iter().copied().filter(|sign| separates(keys, *sign));
        return Ok(signs.map(|sign| vec![sign]).chain([Vec::new()]).collect());
    };
    let separator = from_string_binary(text);
    let is_there = separator.is_empty() || keys.iter().any(|key| find_bytes(key, &separator).is_some());
    is_there.then(|| vec![separator]).ok_or_else(|| GuessError::NoSeparator { separator: text.clone() })
}

/// Whether a character occurs in all keys, equally often, and not inside a date.
fn separates(keys: &[&[u8]], sign: u8) -> bool {
    let count = |key: &&[u8]| key.iter().filter(|byte| **byte == sign).count();
    let first = keys.first().map_or(0, count);
    first > 0 && keys.iter().all(|key| count(key) == first) && !is_in_dates(keys, sign)
}

fn find_bytes(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    (!wanted.is_empty()).then(|| bytes.windows(wanted.len()).position(|window| window == wanted)).flatten()
}

fn parts<'k>(key: &'k [u8], separator: &[u8]) -> Vec<&'k [u8]> {
    let (mut parts, mut rest) = (Vec::new(), key);
    while let Some(at) = find_bytes(rest, separator) {
        parts.push(&rest[..at]);
        rest = &rest[at + separator.len()..];
    }
    parts.push(rest);
    parts
}

/// The same part of every key, and the declared field that it is, if any.
struct Column<'k> {
    parts: Vec<&'k [u8]>,
    declared: Option<DraftField>,
}

/// Removes the declared fields from the start of the keys, and splits the rest at separators. `None` if they
/// do not fit.
fn columns<'k>(keys: &[&'k [u8]], separator: &[u8], declared: &[DeclaredField]) -> Option<Vec<Column<'k>>> {
    let mut rests = keys.to_vec();
    let mut columns = Vec::new();
    for DeclaredField { field, width } in declared {
        let mut field = field.clone();
        if !field.is_stored {
            columns.push(Column { parts: Vec::new(), declared: Some(field) });
            continue;
        }
        let end = |rest: &&[u8]| width.unwrap_or_else(|| find_bytes(rest, separator).unwrap_or(rest.len()));
        let cuts: Vec<(&[u8], &[u8])> =
            rests.iter().map(|rest| rest.split_at_checked(end(rest))).collect::<Option<_>>()?;
        let parts = cuts.iter().map(|(part, _)| *part).collect();
        rests = cuts.iter().map(|(_, rest)| *rest).collect();
        if !separator.is_empty() && rests.iter().all(|rest| rest.starts_with(separator)) {
            rests = rests.iter().filter_map(|rest| rest.strip_prefix(separator)).collect();
        } else if rests.iter().any(|rest| !rest.is_empty()) {
            // Only the separator shows the end of a field of variable length.
            width.is_some().then(|| field.separator = Some(String::new()))?;
        }
        columns.push(Column { parts, declared: Some(field) });
    }
    if !declared.is_empty() && rests.iter().all(|rest| rest.is_empty()) {
        return Some(columns);
    }
    let count = parts(rests.first()?, separator).len();
    for at in 0..count {
        let column =
            rests.iter().map(|rest| parts(rest, separator).get(at).copied()).collect::<Option<_>>()?;
        columns.push(Column { parts: column, declared: None });
    }
    Some(columns)
}

/// The fields of the columns, and for each stored column its fields.
fn fields_of(
    columns: &[Column<'_>],
    separator: &[u8],
    is_number: impl Fn(usize) -> bool,
) -> Option<(Vec<DraftField>, Vec<Range<usize>>)> {
    let (mut fields, mut ranges): (Vec<DraftField>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
    for Column { parts, declared } in columns {
        let before = fields.len();
        match declared {
            Some(field) if !field.is_stored => {
                fields.push(field.clone());
                continue;
            }
            Some(field) => fields.push(field.clone()),
            None if is_number(ranges.len()) => number_field(parts, &mut fields),
            None => segment(parts, &mut fields)?,
        }
        if declared.is_none() && !separator.is_empty() {
            close_up(&mut fields[before..]);
        }
        if fields.len() == before {
            return None;
        }
        ranges.push(before..fields.len());
    }
    Some((fields, ranges))
}

/// Salts with what follows them, and whether there is a separator between the two.
struct SaltCut<'k> {
    salts: Vec<&'k [u8]>,
    rests: Vec<&'k [u8]>,
    has_sign: bool,
}

impl<'k> SaltCut<'k> {
    fn at_separator(keys: &[&'k [u8]], separator: &[u8]) -> Option<Self> {
        let cut = |key: &&'k [u8]| {
            let at = find_bytes(key, separator)?;
            Some((&key[..at], &key[at + separator.len()..]))
        };
        let (salts, rests) = keys.iter().map(cut).collect::<Option<Vec<_>>>()?.into_iter().unzip();
        Some(SaltCut { salts, rests, has_sign: true })
    }

    fn at_width(keys: &[&'k [u8]], width: usize) -> Option<Self> {
        let cuts = keys.iter().map(|key| key.split_at_checked(width)).collect::<Option<Vec<_>>>()?;
        let (salts, rests) = cuts.into_iter().unzip();
        Some(SaltCut { salts, rests, has_sign: false })
    }

    /// The same without the separator after the salts, if all have it.
    fn without_separator(self, separator: &[u8]) -> Self {
        let strip = |rest: &&'k [u8]| rest.strip_prefix(separator);
        match self.rests.iter().map(strip).collect::<Option<Vec<_>>>() {
            Some(rests) if !separator.is_empty() => SaltCut { rests, has_sign: true, ..self },
            _ => self,
        }
    }

    /// The salt's own separator: empty if the key has one that the salt does not use.
    fn own_separator(&self, separator: &[u8]) -> Option<String> {
        (!separator.is_empty() && !self.has_sign).then(String::new)
    }
}

/// Layouts with a salt that a scheme explains.
fn salted(keys: &[&[u8]], separator: &[u8], declared: &Declared<'_>) -> Vec<Draft> {
    let shortest = keys.iter().map(|key| key.len()).min().unwrap_or(0);
    let widths = SALT_WIDTHS.into_iter().filter(|width| *width < shortest);
    let cuts = SaltCut::at_separator(keys, separator)
        .into_iter()
        .chain(widths.filter_map(|width| SaltCut::at_width(keys, width)));
    cuts.filter_map(|cut| explained(&cut, separator, declared)).collect()
}

fn explained(cut: &SaltCut<'_>, separator: &[u8], declared: &Declared<'_>) -> Option<Draft> {
    let columns = columns(&cut.rests, separator, &declared.fields)?;
    let stored: Vec<&Column<'_>> = columns.iter().filter(|column| !column.parts.is_empty()).collect();
    let keys = cut.salts.iter().zip(&cut.rests).enumerate().map(|(at, (salt, rest))| SaltedKey {
        salt,
        rest,
        parts: stored.iter().filter_map(|column| column.parts.get(at).copied()).collect(),
    });
    let (scheme, input) = find(&keys.collect::<Vec<_>>())?;
    let is_modulo = matches!(scheme, GuessedScheme::Modulo { .. });
    let is_number = |part| is_modulo && (input == HashedInput::Part(part) || stored.len() == 1);
    let (fields, ranges) = fields_of(&columns, separator, is_number)?;
    let names = inputs(input, &fields, &ranges)?;
    let salt = salt(scheme, input, names, cut.own_separator(separator))?;
    Some(Draft { separator: text_of(separator), salt: Some(salt), fields, ..Draft::default() })
}

/// The layout with the declared salt.
fn with_declared_salt(keys: &[&[u8]], separator: &[u8], declared: &Declared<'_>) -> Vec<Draft> {
    declared_salt(keys, separator, declared).into_iter().collect()
}

fn declared_salt(keys: &[&[u8]], separator: &[u8], declared: &Declared<'_>) -> Option<Draft> {
    let cut = SaltCut::at_width(keys, declared.salt_width?)?.without_separator(separator);
    let columns = columns(&cut.rests, separator, &declared.fields)?;
    let is_modulo = declared.salt?.starts_with("modulo");
    let (fields, _) = fields_of(&columns, separator, |_| is_modulo && columns.len() == 1)?;
    let salt = flags::salt(declared.salt?, &names(&fields)).ok()?;
    let salt = DraftSalt { separator: cut.own_separator(separator), ..salt };
    Some(Draft { separator: text_of(separator), salt: Some(salt), fields, ..Draft::default() })
}

/// The inputs of the salt.
fn inputs(input: HashedInput, fields: &[DraftField], ranges: &[Range<usize>]) -> Option<Vec<DraftInput>> {
    let of = match input {
        HashedInput::Rest | HashedInput::Parts => 0..fields.len(),
        HashedInput::Part(at) => ranges.get(at)?.clone(),
        HashedInput::Xor(one, other) => {
            return [one, other].into_iter().map(|piece| piece_input(piece, fields, ranges)).collect();
        }
    };
    let whole = |field: &DraftField| DraftInput { field: field.name.clone(), part: None };
    Some(fields.get(of)?.iter().filter(|field| field.is_stored).map(whole).collect())
}

/// A piece of a part that is one field.
fn piece_input(piece: HashedPart, fields: &[DraftField], ranges: &[Range<usize>]) -> Option<DraftInput> {
    let [field] = fields.get(ranges.get(piece.part)?.clone())? else { return None };
    let months = TimeFormat::parse("yyyyMM").ok()?;
    let is_dated = field.kind.format().is_some_and(|format| format.continues(&months));
    let part = match piece.cut {
        HashedCut::Whole => None,
        // The month of a date is a part of the date: a range over some months then touches one salt per
        // month.
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
                "{hash}, modulo {modulo}; if the code has `Math.abs(h) % n`, write `abs: before`: keys hardly ever show the difference"
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

/// The field of which the remainder is taken.
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
    fields.push(field.with_comment("the salt is the remainder of this number"));
}

/// One to three leading digits with nearly all possible values that no scheme explains, followed by a date or
/// a separator.
fn random(keys: &[&[u8]], separator: &[u8], declared: &Declared<'_>) -> Vec<Draft> {
    (1..=3usize).filter_map(|width| random_of(keys, separator, declared, width)).collect()
}

fn random_of(keys: &[&[u8]], separator: &[u8], declared: &Declared<'_>, width: usize) -> Option<Draft> {
    let cut = SaltCut::at_width(keys, width)?.without_separator(separator);
    let (count, below) = dense_numbers(cut.salts.clone(), width)?;
    let mut draft = without_salt(&cut.rests, separator, declared)?;
    let is_date = draft.fields.first().is_some_and(|field| field.kind.format().is_some());
    if !cut.has_sign && !is_date {
        return None;
    }
    draft.salt = Some(DraftSalt {
        scheme: DraftScheme::Random { below: u64::from(below), write: decimal(Some(width)) },
        separator: cut.own_separator(separator),
        comment: vec![
            format!("{count} different numbers, {width} wide. No MD5, String.hashCode or remainder of the rest of"),
            "the key gives them, so they are assumed to be random. Check the code that writes the keys; if it"
                .into(),
            "computes them, write that scheme here: a salt that can be computed makes point reads possible.".into(),
        ],
    });
    Some(draft)
}

/// The number of different values, and their upper bound, if nearly all values below it occur.
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

fn unsalted(keys: &[&[u8]], separator: &[u8], declared: &Declared<'_>) -> Vec<Draft> {
    without_salt(keys, separator, declared).into_iter().collect()
}

fn without_salt(keys: &[&[u8]], separator: &[u8], declared: &Declared<'_>) -> Option<Draft> {
    let columns = columns(keys, separator, &declared.fields)?;
    let (fields, _) = fields_of(&columns, separator, |_| false)?;
    Some(Draft { separator: text_of(separator), fields, ..Draft::default() })
}

/// Fields of one part have no separator between them.
fn close_up(fields: &mut [DraftField]) {
    if let Some((_, inner)) = fields.split_last_mut() {
        inner.iter_mut().for_each(|field| field.separator = Some(String::new()));
    }
}

fn text_of(separator: &[u8]) -> Option<String> {
    (!separator.is_empty()).then(|| to_string_binary(separator))
}

/// The candidate, completed with everything that keys do not show.
fn complete(candidate: Draft, base: &Draft) -> Draft {
    let mut draft = Draft {
        separator: candidate.separator,
        salt: candidate.salt,
        fields: candidate.fields,
        ..base.clone()
    };
    draft.rename_fields_of_columns();
    let instants = draft.fields.iter().any(|field| field.kind.is_instant());
    if instants && draft.time_zone.is_none() {
        draft.time_zone = Some("UTC".into());
        draft.time_zone_comment = vec!["keys do not show the zone of local times: write yours".into()];
    }
    draft
}

/// Whether the schema of the draft decodes every key, with the right salt.
fn reads(draft: &Draft, keys: &[Vec<u8>]) -> Result<(), GuessError> {
    let source = Source::new("guess", write::yaml(draft));
    let loaded = schema::load(&source).map_err(GuessError::Schema)?;
    let codec = RowCodec::new(&loaded.schema);
    match keys.par_iter().find_map_first(|key| fault(&codec, key)) {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// Why a codec cannot decode a key.
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

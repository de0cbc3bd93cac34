//! Guesses the layout of a row key from real keys.
//!
//! Layouts are tried from the most to the least specific: a salt that a scheme explains, a salt that looks
//! random, no salt. Each candidate is written as a schema. It is an answer only if this schema decodes every
//! sample key, with the right salt.

use std::collections::BTreeSet;
use std::ops::Range;

use rayon::prelude::*;
use thiserror::Error;

use super::draft::{
    Draft, DraftCut, DraftField, DraftHash, DraftInput, DraftKind, DraftSalt, DraftScheme, DraftTake,
    HashFunction, HashRule, TextForm, fresh_name,
};
use super::flags;
use super::live::{Scanned, ScannedColumn};
use super::search::{self, Found, FoundScheme, Originals, Piece, PieceCut, RuleKind, SaltedKeys};
use super::segment::{SEPARATORS, is_in_dates, numbers, segment};
use super::write;
use crate::fault::Fault;
use saltplan_core::key::number::{IntegerSize, NumberEncoding, NumberForm};
use saltplan_core::key::range::{from_string_binary, to_string_binary};
use saltplan_core::key::salt::file::hash_code::ABS_PLACES;
use saltplan_core::key::salt::unknown::SaltChars;
use saltplan_core::key::salt::{Abs, Spread};
use saltplan_core::row::{RowCodec, RowError};
use saltplan_core::schema;
use saltplan_document::diag::{Diagnostics, Source, counted, grouped};
use saltplan_sql::time::format::TimeFormat;

/// With fewer keys than this no pattern is visible.
pub const MIN_KEYS: usize = 5;

/// The rows of a scan that are used, and the columns of each.
const MAX_ROWS: usize = 2_000;
const MAX_COLUMNS: usize = 8;

/// The number of keys with which schemes are tried; the answer is checked with all keys.
const MAX_TRIED: usize = 500;

/// The maximum number of fields of a schema.
const MAX_PARTS: usize = 64;

/// Widths of salts that are tried without a separator.
const SALT_WIDTHS: [usize; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32];

#[derive(Debug)]
pub struct Guess {
    pub draft: Draft,
    /// What was found of the salt, with the number of keys that agree, and what could not be decided.
    pub notes: Vec<String>,
    /// The keys that were used, all of which can be decoded.
    pub keys: usize,
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
    #[error(
        "the salt was found ({rule}: all {keys} sampled keys), but what follows it has bytes that no kind of field explains"
    )]
    OnlySalt { rule: String, keys: usize },
    #[error("no layout fits these keys: they contain bytes that no kind of field explains")]
    NoLayout,
    #[error("no layout that starts with the declared fields fits these keys")]
    NoDeclaredLayout,
    #[error("no key has the separator `{separator}`")]
    NoSeparator { separator: String },
    #[error("{}", .0.0)]
    Flag(Fault),
}

/// The declared parts of the layout; the rest is guessed.
struct Declared<'a> {
    fields: &'a [DraftField],
    /// In the notation of flags, see [`flags::salt`]; it is parsed when the names of all fields are known.
    salt: Option<&'a str>,
    salt_width: Option<usize>,
}

impl<'a> Declared<'a> {
    fn of(base: &'a Draft, salt: Option<&'a str>) -> Result<Self, GuessError> {
        let salt_width = salt.map(|text| {
            let mut names = names(&base.fields);
            if names.is_empty() {
                names.push("part".into());
            }
            flags::salt(text, &names).map(|salt| salt.scheme.width())
        });
        if !base.fields.is_empty() {
            let draft = complete(Draft { fields: base.fields.clone(), ..Draft::default() }, base);
            schema::load(&Source::new("guess", write::yaml(&draft))).map_err(GuessError::Schema)?;
        }
        Ok(Declared {
            fields: &base.fields,
            salt,
            salt_width: salt_width.transpose().map_err(GuessError::Flag)?.flatten(),
        })
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
/// flags. The salt may also be computed from columns of a scan, which are not in the key. Then at most 2,000
/// rows are used, since no other check sees such a salt.
///
/// # Errors
/// No layout does; says what to declare instead.
pub fn guess(sample: &Scanned, base: &Draft, salt: Option<&str>) -> Result<Guess, GuessError> {
    if sample.columns.is_empty() {
        return guess_with(&sample.keys, &[], base, salt);
    }
    // Evenly spread over the sample.
    let step = sample.keys.len().div_ceil(MAX_ROWS).max(1);
    let some = |all: &[Vec<u8>]| -> Vec<Vec<u8>> { all.iter().step_by(step).cloned().collect() };
    let columns = sample
        .columns
        .iter()
        .take(MAX_COLUMNS)
        .map(|column| ScannedColumn { values: some(&column.values), ..column.clone() });
    guess_with(&some(&sample.keys), &columns.collect::<Vec<_>>(), base, salt)
}

fn guess_with(
    keys: &[Vec<u8>],
    columns: &[ScannedColumn],
    base: &Draft,
    salt: Option<&str>,
) -> Result<Guess, GuessError> {
    let declared = Declared::of(base, salt)?;
    if keys.is_empty() || keys.len() < MIN_KEYS && !declared.is_whole() {
        return Err(match keys.len() {
            0 => GuessError::NoKeys,
            1 => GuessError::OneKey,
            count => GuessError::TooFewKeys { count },
        });
    }
    let step = if columns.is_empty() { keys.len().div_ceil(MAX_TRIED) } else { 1 };
    let tried: Vec<&[u8]> = keys.iter().step_by(step).map(Vec::as_slice).collect();
    let mut separators = separators(&tried, base)?;
    let parts_at = |separator: &[u8]| {
        let signs =
            |key: &[u8]| key.windows(separator.len().max(1)).filter(|part| *part == separator).count();
        tried.iter().map(|key| signs(key) + 1).min().unwrap_or(0)
    };
    let most = separators.iter().map(|separator| parts_at(separator)).max().unwrap_or(0);
    separators.retain(|separator| parts_at(separator) <= MAX_PARTS);
    let sample = Sample { keys, tried: &tried, columns, base, declared: &declared };
    if salt.is_some() {
        let layouts = separators.iter().filter_map(|separator| declared_salt(&tried, separator, &declared));
        return sample.first_of(layouts.collect(), &mut None).map(|draft| Guess {
            draft,
            notes: Vec::new(),
            keys: keys.len(),
        });
    }
    let searched = Searched::of(&sample, &separators);
    let mut notes = Vec::new();
    let too_many = (most > MAX_PARTS).then(|| {
        format!(
            "the keys have {most} parts, and a schema at most {MAX_PARTS} fields: the separator was not used"
        )
    });
    let mut reason = None;
    if let Some(draft) = searched.explained(&sample, &mut notes, &mut reason) {
        return Ok(Guess { draft, notes, keys: keys.len() });
    }
    let unknown = separators.iter().flat_map(|separator| unknown(&tried, separator, &declared));
    let unsalted = separators.iter().filter_map(|separator| without_salt(&tried, separator, &declared));
    let draft =
        sample.first_of(unknown.chain(unsalted).collect(), &mut reason).map_err(|reason| match reason {
            GuessError::NoLayout => searched.only_salt().unwrap_or(reason),
            reason => reason,
        })?;
    notes.push(nothing_found(&draft));
    let many = too_many.is_some();
    notes.extend(too_many);
    if notes.len() == 1 + usize::from(many) {
        notes.extend(searched.chance(keys.len()));
    }
    if draft.fields.len() > search::MAX_JOINED {
        notes.push(format!(
            "with {} fields, not all combinations of fields were tried as inputs of a salt: if you know it, declare it with `--salt`",
            draft.fields.len()
        ));
    }
    Ok(Guess { draft, notes, keys: keys.len() })
}

/// What the schema says of a salt that no rule gives.
fn nothing_found(draft: &Draft) -> String {
    let what = "no salt was found that can be computed from the rest of the key";
    match &draft.salt {
        Some(_) => format!("{what}; see the comments above `salt` in the schema"),
        None => format!("{what}, so the schema has none"),
    }
}

/// The keys, and what is known about their table.
struct Sample<'k> {
    keys: &'k [Vec<u8>],
    /// Some of the keys.
    tried: &'k [&'k [u8]],
    /// Columns of all keys that are tried, which may be inputs of the salt.
    columns: &'k [ScannedColumn],
    base: &'k Draft,
    declared: &'k Declared<'k>,
}

impl Sample<'_> {
    /// The first layout that reads every key. `reason` is why an earlier one does not.
    fn first_of(&self, layouts: Vec<Draft>, reason: &mut Option<GuessError>) -> Result<Draft, GuessError> {
        for layout in layouts {
            let mut draft = complete(layout, self.base);
            match reads(&draft, self.keys) {
                Reading::Fails(why) | Reading::OtherSalts { why, .. } => drop(reason.get_or_insert(why)),
                Reading::All => {
                    if let (Some(salt), true) = (&mut draft.salt, self.declared.salt.is_some()) {
                        salt.comment.push(format!("correct for all {} sample keys", self.keys.len()));
                    }
                    return Ok(draft);
                }
            }
        }
        Err(reason.take().unwrap_or(match self.declared.fields.is_empty() {
            true => GuessError::NoLayout,
            false => GuessError::NoDeclaredLayout,
        }))
    }
}

/// A layout with a salt that a scheme explains.
struct Candidate {
    found: Found,
    /// `None` if what follows the salt is not explained.
    draft: Option<Draft>,
    rule: String,
    /// Candidates of the same cut of the keys.
    cut: usize,
}

impl Candidate {
    fn hash(&self) -> Option<&DraftHash> {
        match &self.draft.as_ref()?.salt.as_ref()?.scheme {
            DraftScheme::Hash(hash) => Some(hash),
            _ => None,
        }
    }

    /// Another rule, by what differs.
    fn other(&self, other: &Candidate) -> String {
        if let (Some(ours), Some(theirs)) = (self.hash(), other.hash())
            && let (DraftTake::Modulo { by, .. }, DraftTake::Modulo { abs, .. }) =
                (ours.rule.take, theirs.rule.take)
            && theirs.of == ours.of
            && theirs.rule == (HashRule { take: DraftTake::Modulo { by, abs }, ..ours.rule })
        {
            return match abs {
                Some(abs) => format!("the same with `abs: {}`", ABS_PLACES.word(abs)),
                None => "the same without `abs`".to_string(),
            };
        }
        other.rule.clone()
    }
}

/// The layouts whose salts a scheme explains, those with the most evidence first.
struct Searched(Vec<Candidate>);

impl Searched {
    fn of(sample: &Sample<'_>, separators: &[Vec<u8>]) -> Self {
        let shortest = sample.tried.iter().map(|key| key.len()).min().unwrap_or(0);
        let constant = constant_start(sample.tried);
        let behind: Vec<&[u8]> = sample.tried.iter().filter_map(|key| key.get(constant..)).collect();
        let mut cuts = Vec::new();
        for separator in separators {
            let widths = || SALT_WIDTHS.into_iter().filter(|width| *width < shortest);
            let at_separator = SaltCut::at_separator(sample.tried, separator);
            let at_widths = widths().filter_map(|width| SaltCut::at_width(sample.tried, width));
            if constant > 0 {
                let widths = widths().filter_map(|width| SaltCut::at_width(&behind, width));
                let all = SaltCut::at_separator(&behind, separator).into_iter().chain(widths);
                let behind = all.map(|cut| SaltCut { behind: &sample.tried[0][..constant], ..cut });
                cuts.extend(behind.map(|cut| (cut, separator.as_slice())));
            }
            cuts.extend(at_separator.into_iter().chain(at_widths).map(|cut| (cut, separator.as_slice())));
        }
        let of_cut = |kind: RuleKind, at: usize, (cut, separator): &(SaltCut<'_>, &[u8])| {
            explained(cut, separator, sample, kind).into_iter().map(move |(draft, found)| {
                let rule = draft.as_ref().and_then(|draft| Some(draft.salt.as_ref()?.describe()));
                Candidate { rule: rule.unwrap_or_else(|| rule_of_key(&found)), found, draft, cut: at }
            })
        };
        let of_kind = |kind: RuleKind| -> Vec<Candidate> {
            cuts.par_iter().enumerate().flat_map_iter(|(at, cut)| of_cut(kind, at, cut)).collect()
        };
        let mut candidates = of_kind(RuleKind::Plain);
        if !candidates.iter().any(|candidate| candidate.found.is_certain()) {
            candidates.extend(of_kind(RuleKind::Spread));
        }
        candidates.sort_by(|one, other| other.found.bits().total_cmp(&one.found.bits()));
        Searched(candidates)
    }

    /// The first layout that reads every key, with the salt of every key.
    fn explained(
        &self,
        sample: &Sample<'_>,
        notes: &mut Vec<String>,
        reason: &mut Option<GuessError>,
    ) -> Option<Draft> {
        let certain = || self.0.iter().filter(|candidate| candidate.found.is_certain());
        for candidate in certain() {
            let Some(draft) = &candidate.draft else { continue };
            let mut draft = draft.clone();
            match reads(&draft, sample.keys) {
                Reading::Fails(why) => *reason = reason.take().or(Some(why)),
                Reading::OtherSalts { why, wrong } if notes.is_empty() => {
                    notes.extend(foreign_keys(&candidate.rule, sample.keys.len(), wrong, &why));
                }
                Reading::OtherSalts { .. } => {}
                Reading::All => {
                    notes.clear();
                    let others = certain()
                        .filter(|other| other.cut == candidate.cut && other.rule != candidate.rule)
                        .filter(|other| also_reads(other, sample));
                    let others: Vec<String> = others.map(|other| candidate.other(other)).collect();
                    let count = grouped(sample.keys.len() as u128);
                    notes.push(format!("salt: {}: {count} of {count} keys", candidate.rule));
                    if !others.is_empty() {
                        let others = listed(&others);
                        notes.push(format!(
                            "the keys do not decide between this salt and {others}: look at the code that writes them"
                        ));
                    }
                    if let Some(salt) = &mut draft.salt {
                        salt.comment = vec![candidate.rule.clone()];
                        salt.comment.extend(remarks(salt, sample.keys.len(), &others));
                    }
                    return Some(draft);
                }
            }
        }
        None
    }

    /// What to say of a scheme that agrees with the keys, but with too few of them to be certain.
    fn chance(&self, keys: usize) -> Vec<String> {
        /// The least evidence (in bits) with which a scheme is named. With less, many schemes agree by chance.
        const WORTH_A_WORD: f64 = search::TRIED_BITS + 2.0;
        let weak = self
            .0
            .iter()
            .find(|candidate| !candidate.found.is_certain() && candidate.found.bits() >= WORTH_A_WORD);
        let Some(Candidate { found, rule, .. }) = weak else { return few(keys).into_iter().collect() };
        let samples = grouped((found.bits() - search::TRIED_BITS).exp2() as u128);
        let more = ((search::LEAST_BITS - found.bits()) / found.bits_per_input).ceil().max(1.0) as u128;
        let more = counted(more, "more key", "more keys");
        vec![format!(
            "{rule} agrees with {} of {} keys, but by chance so does some rule in 1 of {samples} samples of this size: {more} with other \
             values decide",
            found.agreeing,
            keys.min(MAX_TRIED)
        )]
    }

    /// The salt of keys whose fields are not explained.
    fn only_salt(&self) -> Option<GuessError> {
        let found =
            self.0.iter().find(|candidate| candidate.draft.is_none() && candidate.found.is_certain())?;
        Some(GuessError::OnlySalt { rule: found.rule.clone(), keys: found.found.agreeing })
    }
}

/// Small samples show only wide salts.
fn few(keys: usize) -> Option<String> {
    const FEW: usize = 40;
    (keys < FEW).then(|| format!("{keys} keys are few: it takes 10 to tell a salt of one hex digit from chance, and 40 for one of two values"))
}

fn also_reads(candidate: &Candidate, sample: &Sample<'_>) -> bool {
    candidate.draft.as_ref().is_some_and(|draft| matches!(reads(draft, sample.keys), Reading::All))
}

fn listed(rules: &[String]) -> String {
    /// More are not listed.
    const MOST: usize = 3;
    let listed = rules.iter().take(MOST).cloned().collect::<Vec<_>>().join("; ");
    match rules.len().checked_sub(MOST) {
        Some(more @ 1..) => format!("{listed} and {more} more"),
        _ => listed,
    }
}

/// A few keys have another salt: foreign rows, or rows from before a change of the program. A schema that computes
/// the salt would lose them.
fn foreign_keys(rule: &str, all: usize, wrong: usize, why: &GuessError) -> Option<String> {
    let GuessError::OtherSalt { key, .. } = why else { return None };
    let (agreeing, all) = (grouped((all - wrong) as u128), grouped(all as u128));
    Some(format!(
        "{rule}: {agreeing} of {all} keys, but not `{key}`; a schema with this salt would lose such rows. If they are \
         no rows of this table, leave them out of the sample"
    ))
}

/// What is known about a salt that was found, and what is not.
fn remarks(salt: &DraftSalt, keys: usize, others: &[String]) -> Vec<String> {
    let count = grouped(keys as u128);
    let correct = format!(
        "a guess that is correct for all {count} sample keys: compare it with the code that writes them"
    );
    let also = others.iter().map(|other| format!("also correct for all {count}: {other}"));
    let mut remarks = Vec::new();
    if let DraftScheme::Hash(DraftHash { rule, .. }) = &salt.scheme {
        let abs = matches!(rule.take, DraftTake::Modulo { abs: Some(Abs::After), .. }).then(|| {
            "if the code has `Math.abs(h) % n`, write `abs: before`: keys hardly ever show the difference"
                .to_string()
        });
        let plus = rule.plus.map(|Spread { below, .. }| {
            format!("`below: {below}` is what the sample shows: if the code can add more, rows would be lost")
        });
        remarks.extend(abs.into_iter().chain(plus));
    }
    if let DraftScheme::Modulo { .. } = &salt.scheme {
        remarks.push("`Long.hashCode(id) % n` is the same up to 2147483647, and another salt for greater numbers: if the code has it, write `hash`".to_string());
    }
    remarks.push(correct);
    remarks.extend(also);
    remarks
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

/// The length of the text with which all keys begin, to its last sign: a salt may follow. It is 0 if it is not printable ASCII.
fn constant_start(keys: &[&[u8]]) -> usize {
    let [first, rest @ ..] = keys else { return 0 };
    let shared = |key: &&[u8]| key.iter().zip(*first).take_while(|(one, other)| one == other).count();
    let start = &first[..rest.iter().map(shared).min().unwrap_or(0)];
    let length = start.iter().rposition(|byte| SEPARATORS.contains(byte)).map_or(0, |last| last + 1);
    if start[..length].iter().all(|byte| matches!(byte, b' '..=b'~')) { length } else { 0 }
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

/// The same part of every key.
type Cells<'k> = Vec<&'k [u8]>;

/// Keys that are cut into columns, and the fields that explain them.
#[derive(Default)]
struct Parsed<'k> {
    fields: Vec<DraftField>,
    /// With the places of the fields that they have.
    columns: Vec<(Range<usize>, Cells<'k>)>,
}

impl<'k> Parsed<'k> {
    /// Removes the declared fields from the start of the keys, splits the rest at separators, and finds the
    /// fields of the parts. `None` if there are none that fit.
    fn new(keys: &[&'k [u8]], separator: &[u8], declared: &[DraftField]) -> Option<Self> {
        let mut parsed = Parsed::default();
        let mut rests = keys.to_vec();
        for field in declared {
            let (mut field, width) = (field.clone(), field.kind.width());
            if field.is_stored {
                let end =
                    |rest: &&[u8]| width.unwrap_or_else(|| find_bytes(rest, separator).unwrap_or(rest.len()));
                let cuts = rests.iter().map(|rest| rest.split_at_checked(end(rest)));
                let (parts, after): (Vec<_>, Vec<_>) = cuts.collect::<Option<Vec<_>>>()?.into_iter().unzip();
                rests = after;
                if !separator.is_empty() && rests.iter().all(|rest| rest.starts_with(separator)) {
                    rests = rests.iter().filter_map(|rest| rest.strip_prefix(separator)).collect();
                } else if rests.iter().any(|rest| !rest.is_empty()) {
                    // Only the separator shows the end of a field of variable length.
                    width.is_some().then(|| field.separator = Some(String::new()))?;
                }
                let place = parsed.fields.len();
                parsed.columns.push((place..place + 1, parts));
            }
            parsed.fields.push(field);
        }
        if !declared.is_empty() && rests.iter().all(|rest| rest.is_empty()) {
            return Some(parsed);
        }
        let column = |at: usize| rests.iter().map(|rest| parts(rest, separator).get(at).copied()).collect();
        let count = parts(rests.first()?, separator).len();
        for column in (0..count).map(column).collect::<Option<Vec<Vec<_>>>>()? {
            let before = parsed.fields.len();
            segment(&column, &mut parsed.fields)?;
            let (_, inner) = parsed.fields[before..].split_last_mut()?;
            if !separator.is_empty() {
                // Fields of one part have no separator between them.
                inner.iter_mut().for_each(|field| field.separator = Some(String::new()));
            }
            parsed.columns.push((before..parsed.fields.len(), column));
        }
        Some(parsed)
    }

    /// The places of the stored fields, and their bytes in every key. `None` if a field of variable length is
    /// not the last one of its column.
    fn cells(&self) -> Option<Vec<(usize, Cells<'k>)>> {
        let mut found = Vec::new();
        for (range, column) in &self.columns {
            let mut rests = column.clone();
            for at in range.clone() {
                let field = self.fields.get(at)?;
                let is_last = at + 1 == range.end;
                let width = field.kind.width().filter(|_| !is_last);
                let between = field.separator.as_ref().filter(|_| !is_last);
                let between = between.map_or(0, |text| from_string_binary(text).len());
                let cut = |rest: &&'k [u8]| {
                    let (cell, rest) = rest.split_at_checked(if is_last { rest.len() } else { width? })?;
                    Some((cell, rest.get(between..)?))
                };
                let (cells, after): (Vec<_>, Vec<_>) =
                    rests.iter().map(cut).collect::<Option<Vec<_>>>()?.into_iter().unzip();
                found.push((at, cells));
                rests = after;
            }
        }
        Some(found)
    }
}

/// Salts with what follows them, and whether there is a separator between the two.
struct SaltCut<'k> {
    /// Constant text in front of all salts.
    behind: &'k [u8],
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
        Some(SaltCut { behind: &[], salts, rests, has_sign: true })
    }

    fn at_width(keys: &[&'k [u8]], width: usize) -> Option<Self> {
        let cuts = keys.iter().map(|key| key.split_at_checked(width)).collect::<Option<Vec<_>>>()?;
        let (salts, rests) = cuts.into_iter().unzip();
        Some(SaltCut { behind: &[], salts, rests, has_sign: false })
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

/// The schemes that explain the salts of a cut, each with its layout if the rest is explained, too.
fn explained(
    cut: &SaltCut<'_>,
    separator: &[u8],
    sample: &Sample<'_>,
    kind: RuleKind,
) -> Vec<(Option<Draft>, Found)> {
    let parsed = Parsed::new(&cut.rests, separator, sample.declared.fields);
    let layout = parsed.and_then(|parsed| Some((parsed.cells()?, parsed.fields)));
    let (cells, fields) = layout.unwrap_or_default();
    let (mut places, mut inputs): (Vec<Option<usize>>, Vec<Vec<&[u8]>>) =
        cells.into_iter().map(|(place, cells)| (Some(place), cells)).unzip();
    let is_explained = !places.is_empty();
    for column in sample.columns.iter().filter(|_| is_explained) {
        places.push(None);
        inputs.push(column.values.iter().map(Vec::as_slice).collect());
    }
    let kind_of = |place: &Option<usize>| place.and_then(|place| fields.get(place)).map(|field| &field.kind);
    let originals =
        places.iter().zip(&inputs).map(|(place, column)| originals(kind_of(place), column)).collect();
    let keys = SaltedKeys {
        salts: cut.salts.clone(),
        rests: cut.rests.clone(),
        fields: inputs,
        originals,
        separator,
        is_text: cut.rests.iter().all(|rest| std::str::from_utf8(rest).is_ok()),
        is_wide: cut.rests.iter().any(|rest| !rest.is_ascii()),
    };
    let draft = |found: &Found| {
        let mut layout = Layout { fields: fields.clone(), places: places.clone(), keys: &keys, sample };
        let scheme = layout.scheme(&found.scheme)?;
        let behind = String::from_utf8(cut.behind.to_vec()).ok()?;
        let salt = DraftSalt { scheme, behind, separator: cut.own_separator(separator), comment: Vec::new() };
        Some(complete(layout_of(separator, Some(salt), layout.fields), sample.base))
    };
    let found = search::find(&keys, kind).into_iter();
    let has_place = |found: &Found| cut.behind.is_empty() || matches!(found.scheme, FoundScheme::Hash(_));
    found.filter(has_place).map(|found| (draft(&found).filter(|_| is_explained), found)).collect()
}

/// The fields of a layout, and which of them the inputs of the search are.
struct Layout<'s> {
    fields: Vec<DraftField>,
    /// The place of each input in `fields`; `None` for a column that is no field yet.
    places: Vec<Option<usize>>,
    keys: &'s SaltedKeys<'s>,
    sample: &'s Sample<'s>,
}

impl Layout<'_> {
    /// The place of an input in the fields. A column becomes a field that is not stored.
    fn place(&mut self, input: usize) -> Option<usize> {
        if let Some(place) = *self.places.get(input)? {
            return Some(place);
        }
        let stored = self.places.len() - self.sample.columns.len();
        let ScannedColumn { family, qualifier, .. } = self.sample.columns.get(input.checked_sub(stored)?)?;
        let name = fresh_name(&qualifier.to_lowercase(), &self.fields);
        let field = DraftField::new(name, DraftKind::Text(TextForm::default()));
        let comment = format!("the column {family}:{qualifier}, which is not in the key");
        self.fields.push(DraftField { is_stored: false, ..field.with_comment(comment) });
        let place = self.fields.len() - 1;
        self.places[input] = Some(place);
        Some(place)
    }

    fn input(&mut self, piece: &Piece) -> Option<DraftInput> {
        let place = self.place(piece.field)?;
        let field = self.fields.get_mut(place)?;
        match (piece.cut, &mut field.kind) {
            (PieceCut::Reversed, DraftKind::Text(text)) => {
                text.reverse = true;
                field
                    .comment
                    .push("stored reversed: the salt is a hash of the text in its other order".to_string());
            }
            (PieceCut::Number, DraftKind::Text(_)) => {
                let cells = self.keys.fields.get(piece.field)?;
                number_field(field, cells, "the salt is a hash of this number without its zeros");
            }
            (PieceCut::Value, DraftKind::Text(_)) => {
                number_field(field, self.keys.fields.get(piece.field)?, "the salt is a hash of this number");
            }
            _ => {}
        }
        Some(DraftInput { field: field.name.clone(), part: cut_of(piece.cut, field), lower: piece.lower })
    }

    /// The scheme as the schema has it.
    fn scheme(&mut self, found: &FoundScheme) -> Option<DraftScheme> {
        if let FoundScheme::Modulo { of, .. } = found {
            let place = self.place(of.field)?;
            number_field(self.fields.get_mut(place)?, self.keys.fields.get(of.field)?, DIVIDED);
        }
        let is_of_objects = matches!(found, FoundScheme::Hash(DraftHash { rule, .. })
            if matches!(rule.function, HashFunction::JavaObjects { .. }));
        found.clone().map(|piece| {
            let input = self.input(&piece)?;
            // As an object, a number is not its digits.
            let is_number = self.fields.iter().any(|field| {
                let kind = &field.kind;
                field.name == input.field && matches!(kind, DraftKind::Integer(_) | DraftKind::Epoch { .. })
            });
            if !is_of_objects || !is_number || piece.cut != PieceCut::Whole {
                return Some(input);
            }
            let digits = self.keys.originals.get(piece.field)?.value.as_ref()?;
            let cells = self.keys.fields.get(piece.field)?;
            let are_digits = digits.iter().zip(cells).all(|(one, cell)| one.to_string().as_bytes() == *cell);
            are_digits.then_some(DraftInput { part: Some(DraftCut::Original), ..input })
        })
    }
}

/// A part of a date as a shorter format: a range over some months then touches one salt per month.
fn cut_of(cut: PieceCut, field: &DraftField) -> Option<DraftCut> {
    match cut {
        PieceCut::Whole | PieceCut::Value => None,
        PieceCut::First(count) => {
            Some(match field.kind.format().and_then(|format| format.pattern().get(..count)) {
                Some(shorter) if TimeFormat::parse(shorter).is_ok() => DraftCut::Format(shorter.to_string()),
                _ => DraftCut::First(count as u64),
            })
        }
        PieceCut::Last(count) => Some(DraftCut::Last(count as u64)),
        PieceCut::Reversed | PieceCut::Number => Some(DraftCut::Original),
    }
}

/// What a field of this kind may have been before the key stored it.
fn originals(kind: Option<&DraftKind>, column: &[&[u8]]) -> Originals {
    let texts = |numbers: Vec<i64>| numbers.iter().map(|number| number.to_string().into_bytes()).collect();
    match kind {
        Some(DraftKind::Text(_)) if column.iter().all(|text| text.is_ascii()) => {
            let reversed = |text: &&[u8]| text.iter().rev().copied().collect();
            let has_width = column.windows(2).all(|pair| pair[0].len() == pair[1].len());
            let is_padded = column.iter().all(|text| text.iter().all(u8::is_ascii_digit))
                && has_width
                && column.iter().any(|text| text.starts_with(b"0"));
            let number = if is_padded { numbers(column).map(texts) } else { None };
            let is_number = column.iter().all(|text| text.iter().all(u8::is_ascii_digit))
                && (has_width || column.iter().all(|text| !text.starts_with(b"0") || text.len() == 1));
            let value = if is_number { numbers(column) } else { None };
            Originals { reversed: Some(column.iter().map(reversed).collect()), number, value }
        }
        Some(DraftKind::Integer(form) | DraftKind::Epoch { number: form, .. }) => {
            let numbers = column.iter().map(|stored| form.decode(stored).ok()).collect::<Option<Vec<i64>>>();
            Originals { reversed: None, number: numbers.clone().map(texts), value: numbers }
        }
        _ => Originals::default(),
    }
}

/// The rule for keys whose fields are not known: it takes the key or bytes of it.
fn rule_of_key(found: &Found) -> String {
    let scheme: Option<DraftScheme> = found.scheme.clone().map(|_| None);
    scheme.map_or_else(String::new, |scheme| scheme.describe())
}

/// The layout with the declared salt.
fn declared_salt(keys: &[&[u8]], separator: &[u8], declared: &Declared<'_>) -> Option<Draft> {
    let cut = SaltCut::at_width(keys, declared.salt_width?)?.without_separator(separator);
    let Parsed { mut fields, columns } = Parsed::new(&cut.rests, separator, declared.fields)?;
    let is_modulo = declared.salt?.starts_with("modulo");
    if let (true, [field], [(_, column)]) = (is_modulo, fields.as_mut_slice(), columns.as_slice()) {
        number_field(field, column, DIVIDED);
    }
    let salt = flags::salt(declared.salt?, &names(&fields)).ok()?;
    let salt = DraftSalt { separator: cut.own_separator(separator), ..salt };
    Some(layout_of(separator, Some(salt), fields))
}

const DIVIDED: &str = "the salt is the remainder of this number";

/// Makes a field a number of decimal digits.
fn number_field(field: &mut DraftField, cells: &[&[u8]], why: &str) {
    if matches!(field.kind, DraftKind::Integer(_)) {
        return;
    }
    let width = cells.first().map_or(0, |cell| cell.len());
    let is_fixed = cells.iter().all(|cell| cell.len() == width);
    let number = NumberForm::new(IntegerSize::Bigint, NumberEncoding::Decimal);
    field.kind = DraftKind::Integer(NumberForm { width: is_fixed.then_some(width), ..number });
    field.comment = vec![why.to_string()];
}

/// Leading characters with nearly all possible values that no scheme explains, followed by a date or a separator.
fn unknown(keys: &[&[u8]], separator: &[u8], declared: &Declared<'_>) -> Vec<Draft> {
    let forms =
        [(SaltChars::Digits, 3), (SaltChars::Hex, 2), (SaltChars::UpperHex, 2), (SaltChars::Bytes, 1)];
    let forms = forms.into_iter().flat_map(|(chars, most)| (1..=most).map(move |width| (chars, width)));
    forms.filter_map(|(chars, width)| unknown_of(keys, separator, declared, chars, width)).collect()
}

fn unknown_of(
    keys: &[&[u8]],
    separator: &[u8],
    declared: &Declared<'_>,
    chars: SaltChars,
    width: usize,
) -> Option<Draft> {
    let cut = SaltCut::at_width(keys, width)?.without_separator(separator);
    let salts: BTreeSet<&[u8]> = cut.salts.iter().copied().collect();
    let (room, what) = possible(&salts, chars, width)?;
    let mut draft = without_salt(&cut.rests, separator, declared)?;
    let is_date = draft.fields.first().is_some_and(|field| field.kind.format().is_some());
    let is_byte_before_text = chars == SaltChars::Bytes
        && cut.rests.iter().all(|rest| rest.first().is_some_and(|byte| (b' '..=b'~').contains(byte)));
    if !cut.has_sign && !is_date && !is_byte_before_text {
        return None;
    }
    let (first, last) = (to_string_binary(salts.first()?), to_string_binary(salts.last()?));
    let count = counted(salts.len() as u128, "value", "values");
    draft.salt = Some(DraftSalt {
        behind: String::new(),
        scheme: DraftScheme::Unknown { width, chars },
        separator: cut.own_separator(separator),
        comment: vec![
            format!("unknown: {count} of {room} possible ones, `{first}` to `{last}`, each {width} wide, {what}. No hash, remainder or"),
            "text of the rest of the key gives them. Check the code that writes the keys: write the rule here if it".into(),
            "computes them, which makes point reads possible, or `random: { below: n, … }` if it draws them. Write".into(),
            "`values: […]` only if no other salts occur: rows with others would be lost.".into(),
        ],
    });
    Some(draft)
}

/// How many salts there can be, if nearly all of them occur, and what their characters are.
fn possible(salts: &BTreeSet<&[u8]>, chars: SaltChars, width: usize) -> Option<(u64, &'static str)> {
    const LEAST_SHARE: f64 = 0.8;
    let (base, what, is_char): (u64, _, fn(&u8) -> bool) = match chars {
        SaltChars::Digits => (10, "digits", u8::is_ascii_digit),
        SaltChars::Hex => (16, "hex digits", |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')),
        SaltChars::UpperHex => {
            (16, "hex digits in capitals", |byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'))
        }
        SaltChars::Bytes => (256, "bytes", |_| true),
    };
    let has_letters = salts.iter().any(|salt| salt.iter().any(u8::is_ascii_alphabetic));
    let is_usual = match chars {
        SaltChars::Digits => true,
        SaltChars::Hex | SaltChars::UpperHex => has_letters,
        SaltChars::Bytes => salts.first().is_some_and(|salt| salt.iter().all(|byte| *byte < b' ')),
    };
    if !is_usual || !salts.iter().all(|salt| salt.iter().all(is_char)) {
        return None;
    }
    let room = base.checked_pow(width as u32)?;
    // Numbers may end at the number of regions.
    let greatest = match chars {
        SaltChars::Digits => std::str::from_utf8(salts.last()?).ok()?.parse::<u64>().ok(),
        SaltChars::Bytes => salts.last()?.first().map(|byte| u64::from(*byte)),
        SaltChars::Hex | SaltChars::UpperHex => None,
    };
    let up_to = greatest.map_or(room, |greatest| greatest + 1);
    (up_to > 1 && salts.len() as f64 >= LEAST_SHARE * up_to as f64).then_some((room, what))
}

fn without_salt(keys: &[&[u8]], separator: &[u8], declared: &Declared<'_>) -> Option<Draft> {
    Some(layout_of(separator, None, Parsed::new(keys, separator, declared.fields)?.fields))
}

fn layout_of(separator: &[u8], salt: Option<DraftSalt>, fields: Vec<DraftField>) -> Draft {
    let separator = (!separator.is_empty()).then(|| to_string_binary(separator));
    Draft { separator, salt, fields, ..Draft::default() }
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

/// What the schema of a draft does with the keys.
enum Reading {
    /// It decodes every key, with the right salt.
    All,
    /// It decodes every key, but some have another salt. `why` is about the first.
    OtherSalts {
        wrong: usize,
        why: GuessError,
    },
    Fails(GuessError),
}

/// Whether the schema of a draft decodes every key, with the right salt.
///
/// # Errors
/// The first key that it does not.
pub fn read_all(draft: &Draft, keys: &[Vec<u8>]) -> Result<(), GuessError> {
    match reads(draft, keys) {
        Reading::All => Ok(()),
        Reading::OtherSalts { why, .. } | Reading::Fails(why) => Err(why),
    }
}

fn reads(draft: &Draft, keys: &[Vec<u8>]) -> Reading {
    let source = Source::new("guess", write::yaml(draft));
    let loaded = match schema::load(&source) {
        Ok(loaded) => loaded,
        Err(errors) => return Reading::Fails(GuessError::Schema(errors)),
    };
    let codec = RowCodec::new(&loaded.schema);
    let mut faults: Vec<GuessError> = keys.par_iter().filter_map(|key| fault(&codec, key)).collect();
    let other_salt = |fault: &GuessError| matches!(fault, GuessError::OtherSalt { .. });
    match faults.iter().position(|fault| !other_salt(fault)) {
        Some(unread) => Reading::Fails(faults.swap_remove(unread)),
        None if faults.is_empty() => Reading::All,
        None => Reading::OtherSalts { wrong: faults.len(), why: faults.swap_remove(0) },
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

//! From a box of one salt to ranges of row keys.
//!
//! The key is walked part by part. As long as a part is bound to single values the walk goes on behind each of
//! them; the first part with a range of values ends it. What the ranges do not say stays as residual.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::boxes::{KeyBox, union_of};
use super::readings::{MAX_CUTS, is_of_one_row};
use crate::key::Value;
use crate::key::interval::{Interval, IntervalSet, Ordered, compare_stops};
use crate::key::listed::ListedValues;
use crate::key::number::MonotonePiece;
use crate::key::range::{KeyRange, KeyRanges, prefix_successor};
use crate::predicate::ValueSet;
use crate::schema::model::{Field, FieldId, FieldKind, RowKey, TextField};

/// Prefixes of one bound that are taken out of a range one by one, at most.
const MAX_PREFIXES: usize = 64;

/// Ranges of keys that hold every row of a box, without the salt: their bytes follow it.
#[derive(Debug, Clone)]
pub struct Cover {
    pub groups: Vec<RangeGroup>,
    /// Fields whose set of values the ranges say exactly, for every row in them.
    pub exact: Vec<FieldId>,
    /// Fields whose values were too many for the limit, so that ranges reach over gaps between them.
    pub widened: Vec<FieldId>,
    /// Fields that are not stored in the order of their values, and have too many to list them.
    pub unordered: Vec<FieldId>,
    /// Every range is one key, with a value for each stored field.
    pub is_whole_keys: bool,
}

/// Ranges that hold every row of a part of a box.
#[derive(Debug, Clone)]
pub struct RangeGroup {
    pub ranges: Vec<KeyRange>,
    /// The part: a field, and those of its values that the ranges hold rows of. `None` is all of the box.
    pub part: Option<(FieldId, ValueSet)>,
    /// Every range is one key, of which no other values of the stored fields can be read.
    pub is_of_one_row: bool,
}

/// The stored fields of a key, and how ranges of their values become ranges of bytes.
#[derive(Debug)]
pub struct KeyParts<'a> {
    parts: Vec<StoredField<'a>>,
    /// Keys are cut off behind the last part: all parts are wanted as single values.
    is_cut: bool,
    /// Cuts that may still be tried, to see which keys belong to one row.
    cuts_left: Cell<usize>,
}

/// One stored field of the key.
#[derive(Debug)]
struct StoredField<'a> {
    field: FieldId,
    kind: &'a FieldKind,
    separator: &'a [u8],
    is_last: bool,
    pieces: Vec<MonotonePiece>,
    /// The key may be cut behind the field in more than one way: the value has no fixed width, and its end cannot be
    /// told from its content.
    is_ambiguous: bool,
}

/// What the walk does at a part.
enum Step {
    /// Goes on behind each value.
    Points(Vec<Value>),
    /// Ends with these ranges, relative to the part.
    Ranges(Vec<RangeGroup>),
}

impl<'a> KeyParts<'a> {
    pub fn new(key: &'a RowKey) -> Self {
        let stored: Vec<FieldId> = key.stored().collect();
        let last = stored.last().copied();
        let part = |field| {
            let Field { kind, separator, .. } = &key.fields[field];
            let is_last = Some(field) == last;
            let is_ambiguous = !is_last && is_ambiguous(kind, separator);
            StoredField { field, kind, separator, is_last, pieces: kind.monotone_pieces(), is_ambiguous }
        };
        let parts = stored.into_iter().map(part).collect();
        KeyParts { parts, is_cut: false, cuts_left: Cell::new(MAX_CUTS) }
    }

    /// Those before a field: its ranges are keys cut off in front of it, each a point where the fields are bound.
    #[must_use]
    pub fn before(mut self, field: FieldId) -> Self {
        self.parts.truncate(self.parts.iter().position(|part| part.field == field).unwrap_or(0));
        self.is_cut = true;
        self
    }

    /// The fields, in the order of the key.
    pub fn fields(&self) -> Vec<FieldId> {
        self.parts.iter().map(|part| part.field).collect()
    }

    /// Whether the end of some field cannot be told.
    pub fn are_ambiguous(&self) -> bool {
        self.parts.iter().any(|part| part.is_ambiguous)
    }

    /// Covers a box with at most `limit` ranges (at least one). Where the values of one of the `long` fields are too many
    /// for that, each range comes with those of them that it holds.
    pub fn cover(&self, key_box: &KeyBox, limit: usize, long: &BTreeSet<FieldId>) -> Cover {
        let mut cover = Cover {
            groups: Vec::new(),
            exact: Vec::new(),
            widened: Vec::new(),
            unordered: Vec::new(),
            is_whole_keys: false,
        };
        let steps = self.steps(key_box, limit.max(1), long, &mut cover);
        cover.is_whole_keys =
            steps.len() == self.parts.len() && steps.iter().all(|step| matches!(step, Step::Points(_)));
        self.emit(&self.parts, &steps, Vec::new(), None, &mut cover.groups);
        cover
    }

    /// Decides for every part, before any range is built, how far the walk goes.
    fn steps(
        &self,
        key_box: &KeyBox,
        limit: usize,
        long: &BTreeSet<FieldId>,
        cover: &mut Cover,
    ) -> Vec<Step> {
        let set_of = |part: &StoredField<'_>| key_box.fields.get(&part.field).map(Arc::as_ref);
        let innermost = self.parts.iter().rposition(|part| self.is_cut || set_of(part).is_some());
        let Some(innermost) = innermost else {
            return Vec::new();
        };
        let mut steps = Vec::new();
        let mut remaining = limit;
        // Behind a part that cannot be cut off with certainty, a range does not tell the fields' values.
        let mut certain = true;
        for (index, part) in self.parts[..=innermost].iter().enumerate() {
            let all = ValueSet::all(part.kind);
            let set = set_of(part).unwrap_or(&all);
            let certain_before = certain;
            certain &= !part.is_ambiguous;
            let wants_points = self.is_cut || index < innermost || !part.has_ranges();
            if wants_points && let Some(points) = set.points(part.kind, remaining) {
                remaining /= points.len().max(1);
                if certain {
                    cover.exact.push(part.field);
                }
                steps.push(Step::Points(points));
                continue;
            }
            if set_of(part).is_none() {
                break;
            }
            if !part.has_ranges() {
                cover.unordered.push(part.field);
                break;
            }
            if let Some(runs) = coarsened(set, remaining) {
                cover.widened.push(part.field);
                steps.push(Step::Ranges(part.coarse_groups(set, &runs, long.contains(&part.field))));
            } else {
                let (ranges, exact) = part.ranges(set);
                if exact && certain_before {
                    cover.exact.push(part.field);
                }
                steps.push(Step::Ranges(vec![RangeGroup { ranges, part: None, is_of_one_row: false }]));
            }
            break;
        }
        steps
    }

    /// Writes the ranges behind a prefix; `end` is where the keys with it end, `None` the end of all.
    fn emit(
        &self,
        parts: &[StoredField<'_>],
        steps: &[Step],
        prefix: Vec<u8>,
        end: Option<Vec<u8>>,
        groups: &mut Vec<RangeGroup>,
    ) {
        let (Some((part, deeper_parts)), Some((step, deeper_steps))) =
            (parts.split_first(), steps.split_first())
        else {
            let is_whole_key = parts.is_empty();
            let is_of_one_row = is_whole_key && self.is_of_one_row(&prefix);
            let range = if is_whole_key { KeyRange::point(prefix) } else { KeyRange::new(prefix, end) };
            push(groups, range, is_of_one_row);
            return;
        };
        match step {
            Step::Points(points) => {
                for value in points {
                    let Ok(bytes) = part.kind.encode(value) else { continue };
                    let key = [prefix.as_slice(), &bytes, part.separator].concat();
                    let next = if part.is_last { None } else { part.end_after(value, &bytes) };
                    let end = next.map(|next| [prefix.as_slice(), &next].concat()).or_else(|| end.clone());
                    self.emit(deeper_parts, deeper_steps, key, end, groups);
                }
            }
            Step::Ranges(relative) => {
                for group in relative {
                    let behind = |range: &KeyRange| {
                        let start = [prefix.as_slice(), &range.start].concat();
                        let stop = range.stop.as_ref().map(|stop| [prefix.as_slice(), stop].concat());
                        KeyRange::new(start, stop.or_else(|| end.clone()))
                    };
                    let ranges = group.ranges.iter().map(behind);
                    let is_of_one_row = |range: &KeyRange| {
                        deeper_parts.is_empty() && range.is_point() && self.is_of_one_row(&range.start)
                    };
                    let (keys, ranges): (Vec<KeyRange>, Vec<KeyRange>) = ranges.partition(is_of_one_row);
                    for (ranges, is_of_one_row) in [(keys, true), (ranges, false)] {
                        if !ranges.is_empty() {
                            groups.push(RangeGroup { ranges, part: group.part.clone(), is_of_one_row });
                        }
                    }
                }
            }
        }
    }

    /// Whether no other values of the fields make the same key.
    fn is_of_one_row(&self, key: &[u8]) -> bool {
        if !self.parts.iter().any(|part| part.is_ambiguous) {
            return true;
        }
        let parts: Vec<(&FieldKind, &[u8])> =
            self.parts.iter().map(|part| (part.kind, part.separator)).collect();
        let mut cuts_left = self.cuts_left.get();
        let is_of_one_row = is_of_one_row(&parts, key, &mut cuts_left);
        self.cuts_left.set(cuts_left);
        is_of_one_row
    }
}

/// Whether values may end in more than one place.
fn is_ambiguous(kind: &FieldKind, separator: &[u8]) -> bool {
    if kind.fixed_width().is_some() {
        return false;
    }
    if let FieldKind::Text(TextField { values: Some(values), .. }) = kind {
        return values_overlap(values, separator);
    }
    separator.is_empty() || kind.may_hold_part_of(separator)
}

/// Whether one of the listed values, with its separator, starts another one.
fn values_overlap(values: &ListedValues, separator: &[u8]) -> bool {
    let mut written: Vec<Vec<u8>> =
        values.in_stored_order().map(|(bytes, _)| [bytes, separator].concat()).collect();
    written.sort_unstable();
    written.windows(2).any(|pair| pair[1].starts_with(&pair[0]))
}

/// Adds a range that holds rows of all of a box.
fn push(groups: &mut Vec<RangeGroup>, range: KeyRange, is_of_one_row: bool) {
    match groups.last_mut() {
        Some(last) if last.part.is_none() && last.is_of_one_row == is_of_one_row => last.ranges.push(range),
        _ => groups.push(RangeGroup { ranges: vec![range], part: None, is_of_one_row }),
    }
}

impl StoredField<'_> {
    /// Whether ranges of values are ranges of bytes.
    fn has_ranges(&self) -> bool {
        !self.kind.is_number() || !self.pieces.is_empty()
    }

    /// Where the keys with this value end, relative to the part. A following value of the domain reads better than
    /// the successor of the bytes (`20200501`, not `2020043:`).
    fn end_after(&self, value: &Value, bytes: &[u8]) -> Option<Vec<u8>> {
        if !self.separator.is_empty() {
            return prefix_successor(&[bytes, self.separator].concat());
        }
        if let Value::Number(number) = value {
            let number = i128::from(*number);
            if let Some(piece) = self.pieces.iter().find(|piece| piece.numbers.contains(&number)) {
                return self.kind.encode_interval(piece, &Interval::new(number, Some(number + 1))).stop;
            }
        }
        self.successor(bytes)
    }

    /// The end of all keys that go on behind these bytes: the next number for a field of digits.
    fn successor(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let next = if self.is_fixed_digits() { next_digits(bytes) } else { None };
        next.or_else(|| prefix_successor(bytes))
    }

    /// `14` for `13:`, the successor of `139`: between the two lies no text of digits.
    fn readable(&self, bound: Vec<u8>) -> Vec<u8> {
        match bound.split_last() {
            Some((b':', start)) if self.is_fixed_digits() => next_digits(start).unwrap_or(bound),
            _ => bound,
        }
    }

    fn is_fixed_digits(&self) -> bool {
        matches!(self.kind, FieldKind::Text(TextField { width: Some(_), chars, .. }) if chars.is_digits())
    }

    /// The ranges of the runs of a set; with `parts` those of each run apart, with the values that it holds.
    fn coarse_groups(&self, set: &ValueSet, runs: &[Range<usize>], parts: bool) -> Vec<RangeGroup> {
        let of_run = |run: &Range<usize>| match set {
            ValueSet::Numbers(numbers) => {
                let run = &numbers.intervals()[run.clone()];
                (ValueSet::Numbers(joined(run)), ValueSet::Numbers(run.to_vec().into()))
            }
            ValueSet::Text(texts) => {
                let run = &texts.intervals()[run.clone()];
                (ValueSet::Text(joined(run)), ValueSet::Text(run.to_vec().into()))
            }
        };
        if parts {
            let one = |(joined, values): (ValueSet, ValueSet)| RangeGroup {
                ranges: self.ranges(&joined).0,
                part: Some((self.field, values)),
                is_of_one_row: false,
            };
            return runs.iter().map(of_run).map(one).collect();
        }
        let joined: Vec<ValueSet> = runs.iter().map(|run| of_run(run).0).collect();
        let Some(coarser) = union_of(&joined.iter().collect::<Vec<_>>()) else { return Vec::new() };
        vec![RangeGroup { ranges: self.ranges(&coarser).0, part: None, is_of_one_row: false }]
    }

    /// Ranges of keys, relative to the part, that hold every value of a set; and whether they hold no other.
    fn ranges(&self, set: &ValueSet) -> (Vec<Interval<Vec<u8>>>, bool) {
        match set {
            ValueSet::Numbers(numbers) => (self.number_ranges(numbers), true),
            ValueSet::Text(texts) if self.is_last => {
                (texts.map(|bound| self.readable(bound)).intervals().to_vec(), true)
            }
            ValueSet::Text(texts) => match self.kind.fixed_width() {
                Some(width) => (self.fixed_text_ranges(texts, width), true),
                None => self.variable_text_ranges(texts),
            },
        }
    }

    fn number_ranges(&self, numbers: &IntervalSet<i128>) -> Vec<Interval<Vec<u8>>> {
        let mut ranges = Vec::new();
        let pieces = &self.pieces;
        for (index, piece) in pieces.iter().enumerate() {
            let inside = numbers.intersect(&IntervalSet::from_intervals(vec![piece.numbers.clone()]));
            for interval in inside.intervals() {
                let mut range = self.kind.encode_interval(piece, interval);
                if self.is_last && interval.stop == Some(interval.start + 1) {
                    ranges.push(KeyRange::point(range.start));
                    continue;
                }
                // No value lies beyond the ends of the domain, so the range may reach to those of its prefix.
                let (reaches_least, reaches_greatest) = ends_reached(piece, interval);
                if reaches_least {
                    range.start = match index {
                        0 => Vec::new(),
                        _ => self.end_of(&pieces[index - 1]),
                    };
                }
                if reaches_greatest && index + 1 == pieces.len() {
                    range.stop = None;
                }
                ranges.push(range);
            }
        }
        ranges
    }

    /// Where the numbers of a piece end, and those of the next one may begin.
    fn end_of(&self, piece: &MonotonePiece) -> Vec<u8> {
        self.kind.encode_interval(piece, &piece.numbers).stop.unwrap_or_default()
    }

    /// Bounds on text of a fixed width, which the rest of the key follows: a longer bound lies behind all keys of its
    /// first `width` bytes.
    fn fixed_text_ranges(&self, texts: &IntervalSet<Vec<u8>>, width: usize) -> Vec<Interval<Vec<u8>>> {
        let cut = |bound: &[u8]| match bound.get(..width) {
            Some(start) if bound.len() > width => self.successor(start),
            _ => Some(self.readable(bound.to_vec())),
        };
        let ranges = texts.intervals().iter().filter_map(|interval| {
            let start = cut(&interval.start)?;
            Some(Interval::new(start, interval.stop.as_deref().and_then(cut)))
        });
        IntervalSet::from_intervals(ranges.collect()).intervals().to_vec()
    }

    /// Text of any width, followed by a separator and the rest of the key. The order of `a_b` is not that of `a`:
    /// with `_` above the digits, the keys of `1` (`1_…`) lie above those of `12`.
    fn variable_text_ranges(&self, texts: &IntervalSet<Vec<u8>>) -> (Vec<Interval<Vec<u8>>>, bool) {
        let ambiguous = self.is_ambiguous;
        let mut all = Vec::with_capacity(texts.intervals().len());
        let mut exact = true;
        for interval in texts.intervals() {
            if interval.is_point() {
                all.push(KeyRange::prefix([interval.start.as_slice(), self.separator].concat()));
                exact &= !ambiguous;
            } else {
                let (ranges, is_exact) = self.variable_interval(interval, ambiguous);
                all.extend_from_slice(ranges.intervals());
                exact &= is_exact;
            }
        }
        let all = KeyRanges::from_intervals(all);
        (all.intervals().iter().filter(|range| self.is_reachable(&range.start)).cloned().collect(), exact)
    }

    /// Whether a key can lie behind `start`, as far as its first byte tells: it is one of the field's characters, or
    /// the separator behind the empty text.
    fn is_reachable(&self, start: &[u8]) -> bool {
        let FieldKind::Text(TextField { chars, values: None, .. }) = self.kind else { return true };
        let greatest = u8::try_from(chars.greatest())
            .unwrap_or(u8::MAX)
            .max(*self.separator.first().unwrap_or(&u8::MAX));
        start.first().is_none_or(|first| *first <= greatest)
    }

    fn variable_interval(&self, interval: &Interval<Vec<u8>>, ambiguous: bool) -> (KeyRanges, bool) {
        let below_start = self.prefixes_beyond(&interval.start, &[]);
        let prefixes_in = |stop: &Vec<u8>| self.prefixes_beyond(stop, &interval.start);
        let below_stop = interval.stop.as_ref().map_or(Prefixes::None, prefixes_in);
        let up_to_stop = KeyRanges::range(Vec::new(), interval.stop.clone());
        let from_start = KeyRanges::range(interval.start.clone(), None);
        match (below_start, below_stop) {
            (Prefixes::None, Prefixes::None) => (up_to_stop.intersect(&from_start), true),
            (Prefixes::Listed(start), Prefixes::None) if !ambiguous => {
                (up_to_stop.intersect(&from_start).subtract(&start), true)
            }
            (Prefixes::None, Prefixes::Listed(stop)) if !ambiguous => {
                (up_to_stop.union(&stop).intersect(&from_start), true)
            }
            (Prefixes::Listed(start), Prefixes::Listed(stop)) if !ambiguous => {
                (up_to_stop.union(&stop).intersect(&from_start).subtract(&start), true)
            }
            (_, below_stop) => (up_to_stop.union(&below_stop.ranges()).intersect(&from_start), false),
        }
    }

    /// The keys of values from `least` on that are proper prefixes of a bound, and so below it, of which some keys are
    /// not below.
    fn prefixes_beyond(&self, bound: &[u8], least: &[u8]) -> Prefixes {
        let mut beyond = Vec::new();
        for length in 0..bound.len() {
            let range = KeyRange::prefix([&bound[..length], self.separator].concat());
            let ends_below = range.stop.as_ref().is_some_and(|stop| stop.as_slice() <= bound);
            if ends_below || bound[..length] < *least || self.kind.decode(&bound[..length]).is_err() {
                continue;
            }
            beyond.push(range);
        }
        let count = beyond.len();
        let set = KeyRanges::from_intervals(beyond);
        match count {
            0 => Prefixes::None,
            1..=MAX_PREFIXES => Prefixes::Listed(set),
            _ => Prefixes::TooMany(set),
        }
    }
}

/// Ranges of keys that belong to shorter values than a bound.
enum Prefixes {
    None,
    Listed(KeyRanges),
    TooMany(KeyRanges),
}

impl Prefixes {
    /// All of them; too many are one range.
    fn ranges(self) -> KeyRanges {
        match self {
            Prefixes::None => KeyRanges::empty(),
            Prefixes::Listed(set) => set,
            Prefixes::TooMany(set) => match (set.intervals().first(), set.intervals().last()) {
                (Some(first), Some(last)) => KeyRanges::range(first.start.clone(), last.stop.clone()),
                _ => KeyRanges::empty(),
            },
        }
    }
}

/// Whether numbers reach to the end of a piece with the least bytes, and to that with the greatest.
fn ends_reached(piece: &MonotonePiece, numbers: &Interval<i128>) -> (bool, bool) {
    let from_first = numbers.start <= piece.numbers.start;
    let to_last = compare_stops(&numbers.stop, &piece.numbers.stop).is_ge();
    if piece.ascending { (from_first, to_last) } else { (to_last, from_first) }
}

/// `0199` to `0200`; none behind `9999`.
fn next_digits(digits: &[u8]) -> Option<Vec<u8>> {
    let keep = digits.iter().rposition(|digit| (b'0'..=b'8').contains(digit))?;
    let mut next = digits[..keep].to_vec();
    next.push(digits[keep] + 1);
    next.resize(digits.len(), b'0');
    Some(next)
}

/// Runs of neighbouring intervals, at most `limit`, that a set is made coarser by; `None` when it has no more intervals
/// than that.
fn coarsened(set: &ValueSet, limit: usize) -> Option<Vec<Range<usize>>> {
    let count = set.interval_count();
    if count <= limit {
        return None;
    }
    // A run ends before each of these.
    let starts: Vec<usize> = match set {
        ValueSet::Numbers(numbers) => behind_largest_gaps(numbers.intervals(), limit - 1),
        ValueSet::Text(_) => (1..limit).map(|chunk| chunk * count / limit).collect(),
    };
    let ends = starts.iter().copied().chain([count]);
    Some([0].into_iter().chain(starts.iter().copied()).zip(ends).map(|(start, end)| start..end).collect())
}

/// The intervals behind the `wanted` largest gaps, ascending; of gaps that are alike some that lie evenly.
fn behind_largest_gaps(intervals: &[Interval<i128>], wanted: usize) -> Vec<usize> {
    let gap =
        |index: usize| intervals[index].start.saturating_sub(intervals[index - 1].stop.unwrap_or(i128::MAX));
    let mut gaps: Vec<i128> = (1..intervals.len()).map(gap).collect();
    gaps.sort_unstable_by(|a, b| b.cmp(a));
    let Some(least) = wanted.checked_sub(1).and_then(|last| gaps.get(last)) else { return Vec::new() };
    let (mut starts, alike): (Vec<usize>, Vec<usize>) =
        (1..intervals.len()).filter(|index| gap(*index) >= *least).partition(|index| gap(*index) > *least);
    let more = wanted - starts.len();
    starts.extend((1..=more).map(|chunk| alike[chunk * alike.len() / (more + 1)]));
    starts.sort_unstable();
    starts
}

/// One interval from the start of a run to its end.
fn joined<T: Ordered>(run: &[Interval<T>]) -> IntervalSet<T> {
    match (run.first(), run.last()) {
        (Some(first), Some(last)) => IntervalSet::range(first.start.clone(), last.stop.clone()),
        _ => IntervalSet::empty(),
    }
}

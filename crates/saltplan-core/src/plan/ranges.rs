//! From a box of one salt to ranges of row keys.
//!
//! The key is walked part by part. As long as a part is bound to single values the walk goes on behind each of
//! them; the first part with a range of values ends it. What the ranges do not say stays as residual.

use super::boxes::KeyBox;
use crate::key::Value;
use crate::key::codec::MonotonePiece;
use crate::key::interval::{Interval, IntervalSet, compare_stops};
use crate::key::range::{KeyRange, KeyRanges, prefix_successor};
use crate::predicate::ValueSet;
use crate::schema::model::{FieldKind, RowKey, TextField};

/// Prefixes of one bound that are taken out of a range one by one, at most.
const MAX_PREFIXES: usize = 64;

/// Ranges of keys that hold every row of a box.
#[derive(Debug, Clone)]
pub struct Cover {
    pub ranges: Vec<KeyRange>,
    /// Fields whose set of values the ranges say exactly, for every row in them.
    pub exact: Vec<usize>,
    /// Fields whose values were too many for the limit, so that ranges reach over gaps between them.
    pub widened: Vec<usize>,
    /// Fields that are not stored in the order of their values, and have too many to list them.
    pub unordered: Vec<usize>,
}

/// One stored field of the key, as a box restricts it.
struct Part<'a> {
    field: usize,
    kind: &'a FieldKind,
    then: &'a [u8],
    set: Option<&'a ValueSet>,
    is_last: bool,
}

/// What the walk does at a part.
enum Step {
    /// Goes on behind each value.
    Points(Vec<Value>),
    /// Ends with these ranges, relative to the part.
    Ranges(Vec<Interval<Vec<u8>>>),
}

/// Covers a box with at most `limit` ranges (at least one) below `prefix`: the salt with its separator.
pub fn cover(key: &RowKey, key_box: &KeyBox, prefix: &[u8], limit: usize) -> Cover {
    let parts = parts(key, key_box);
    let mut cover =
        Cover { ranges: Vec::new(), exact: Vec::new(), widened: Vec::new(), unordered: Vec::new() };
    let steps = steps(&parts, limit.max(1), &mut cover);
    let end = prefix_successor(prefix);
    if parts.is_empty() {
        cover.ranges.push(KeyRange::point(prefix.to_vec()));
    } else {
        emit(&parts, &steps, prefix.to_vec(), end, &mut cover.ranges);
    }
    cover
}

fn parts<'a>(key: &'a RowKey, key_box: &'a KeyBox) -> Vec<Part<'a>> {
    let stored: Vec<usize> = key.stored().collect();
    let last = stored.last().copied();
    stored
        .into_iter()
        .map(|index| {
            let field = &key.fields[index];
            Part {
                field: index,
                kind: &field.kind,
                then: &field.then,
                set: key_box.fields.get(&index).map(|values| values.as_ref()),
                is_last: Some(index) == last,
            }
        })
        .collect()
}

/// Decides for every part, before any range is built, how far the walk goes.
fn steps(parts: &[Part<'_>], limit: usize, cover: &mut Cover) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut remaining = limit;
    // Behind a part that cannot be cut off with certainty, a range does not tell the fields' values.
    let mut certain = true;
    for (index, part) in parts.iter().enumerate() {
        let is_innermost = !parts[index + 1..].iter().any(|deeper| deeper.set.is_some());
        if is_innermost && part.set.is_none() {
            break;
        }
        let all = ValueSet::all(part.kind);
        let set = part.set.unwrap_or(&all);
        let certain_before = certain;
        certain &= !part.is_ambiguous();
        let wants_points = !is_innermost || !part.has_ranges();
        if wants_points && let Some(points) = set.points(part.kind, remaining) {
            remaining /= points.len().max(1);
            if certain {
                cover.exact.push(part.field);
            }
            steps.push(Step::Points(points));
            if is_innermost {
                break;
            }
            continue;
        }
        if part.set.is_none() {
            break;
        }
        let narrowed = coarsen(set, remaining);
        let (ranges, exact) = part.ranges(narrowed.as_ref().unwrap_or(set));
        if !part.has_ranges() {
            cover.unordered.push(part.field);
        } else if narrowed.is_some() {
            cover.widened.push(part.field);
        } else if exact && certain_before {
            cover.exact.push(part.field);
        }
        if part.has_ranges() {
            steps.push(Step::Ranges(ranges));
        }
        break;
    }
    steps
}

fn emit(
    parts: &[Part<'_>],
    steps: &[Step],
    prefix: Vec<u8>,
    end: Option<Vec<u8>>,
    ranges: &mut Vec<KeyRange>,
) {
    let (Some((part, parts)), Some((step, steps))) = (parts.split_first(), steps.split_first()) else {
        ranges.push(KeyRange::new(prefix, end));
        return;
    };
    match step {
        Step::Points(points) => {
            for value in points {
                let Ok(bytes) = part.kind.encode(value) else { continue };
                let key = [prefix.as_slice(), &bytes, part.then].concat();
                if part.is_last {
                    ranges.push(KeyRange::point(key));
                } else {
                    let next = part.end_after(value, &bytes).map(|next| [prefix.as_slice(), &next].concat());
                    emit(parts, steps, key, next.or_else(|| end.clone()), ranges);
                }
            }
        }
        Step::Ranges(relative) => {
            for range in relative {
                let start = [prefix.as_slice(), &range.start].concat();
                let stop = range.stop.as_ref().map(|stop| [prefix.as_slice(), stop].concat());
                ranges.push(KeyRange::new(start, stop.or_else(|| end.clone())));
            }
        }
    }
}

impl Part<'_> {
    /// Whether the key may be cut here in more than one way: the value has no fixed width, and its end cannot be
    /// told from its content.
    fn is_ambiguous(&self) -> bool {
        if self.is_last || self.kind.fixed_width().is_some() {
            return false;
        }
        if let FieldKind::Text(TextField { values: Some(_), .. }) = self.kind {
            return self.values_overlap();
        }
        self.then.is_empty() || self.kind.may_hold_part_of(self.then)
    }

    /// Whether one of the listed values, with its separator, starts another one.
    fn values_overlap(&self) -> bool {
        let points = ValueSet::all(self.kind).points(self.kind, usize::MAX).unwrap_or_default();
        let mut written: Vec<Vec<u8>> = points
            .iter()
            .filter_map(|value| self.kind.encode(value).ok())
            .map(|bytes| [bytes.as_slice(), self.then].concat())
            .collect();
        written.sort_unstable();
        written.windows(2).any(|pair| pair[1].starts_with(&pair[0]))
    }

    /// Whether ranges of values are ranges of bytes.
    fn has_ranges(&self) -> bool {
        !self.kind.is_number() || !self.kind.monotone_pieces().is_empty()
    }

    /// Where the keys with this value end, relative to the part. A following value of the domain reads better than
    /// the successor of the bytes (`20200501`, not `2020043:`).
    fn end_after(&self, value: &Value, bytes: &[u8]) -> Option<Vec<u8>> {
        if !self.then.is_empty() {
            return prefix_successor(&[bytes, self.then].concat());
        }
        if let Value::Number(number) = value {
            let number = i128::from(*number);
            let pieces = self.kind.monotone_pieces();
            if let Some(piece) = pieces.iter().find(|piece| piece.numbers.contains(&number)) {
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
        let pieces = self.kind.monotone_pieces();
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
        let ambiguous = self.is_ambiguous();
        let mut all = KeyRanges::empty();
        let mut exact = true;
        for interval in texts.intervals() {
            let (ranges, is_exact) = if interval.is_point() {
                let prefix = KeyRange::prefix([interval.start.as_slice(), self.then].concat());
                (KeyRanges::from_intervals(vec![prefix]), !ambiguous)
            } else {
                self.variable_interval(interval, ambiguous)
            };
            exact &= is_exact;
            all = all.union(&ranges);
        }
        (all.intervals().iter().filter(|range| self.is_reachable(&range.start)).cloned().collect(), exact)
    }

    /// Whether a key can lie behind `start`, as far as its first byte tells: it is one of the field's characters, or
    /// the separator behind the empty text.
    fn is_reachable(&self, start: &[u8]) -> bool {
        let FieldKind::Text(TextField { chars, values: None, .. }) = self.kind else { return true };
        let greatest =
            u8::try_from(chars.greatest()).unwrap_or(u8::MAX).max(*self.then.first().unwrap_or(&u8::MAX));
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
            let range = KeyRange::prefix([&bound[..length], self.then].concat());
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

/// A larger set of at most `limit` intervals; `None` when the set has no more than that.
fn coarsen(set: &ValueSet, limit: usize) -> Option<ValueSet> {
    if set.interval_count() <= limit {
        return None;
    }
    Some(match set {
        ValueSet::Numbers(numbers) => {
            let intervals = numbers.intervals();
            let gap = |index: usize| {
                intervals[index + 1].start.saturating_sub(intervals[index].stop.unwrap_or(i128::MAX))
            };
            let mut by_gap: Vec<usize> = (0..intervals.len() - 1).collect();
            by_gap.sort_by_key(|&index| (std::cmp::Reverse(gap(index)), index));
            by_gap.truncate(limit - 1);
            by_gap.sort_unstable();
            ValueSet::Numbers(join_between(intervals, &by_gap))
        }
        ValueSet::Text(texts) => {
            let intervals = texts.intervals();
            let cuts: Vec<usize> = (1..limit).map(|chunk| chunk * intervals.len() / limit - 1).collect();
            ValueSet::Text(join_between(intervals, &cuts))
        }
    })
}

/// Joins neighbours except behind the intervals at `cuts` (ascending).
fn join_between<T: crate::key::interval::Ordered>(
    intervals: &[Interval<T>],
    cuts: &[usize],
) -> IntervalSet<T> {
    let mut joined = Vec::with_capacity(cuts.len() + 1);
    let mut first = 0;
    for last in cuts.iter().copied().chain([intervals.len() - 1]) {
        joined.push(Interval::new(intervals[first].start.clone(), intervals[last].stop.clone()));
        first = last + 1;
    }
    IntervalSet::from_intervals(joined)
}

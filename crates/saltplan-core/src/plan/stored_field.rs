//! One stored field of a key: how sets of its values become byte ranges.

use std::ops::Range;
use std::sync::Arc;

use crate::analyze::ValueSet;
use crate::key::Value;
use crate::key::field::{EpochField, Field, FieldId, FieldKind, TextField};
use crate::key::interval::{Interval, IntervalSet, Ordered, compare_stops};
use crate::key::listed::ListedValues;
use crate::key::number::MonotonePiece;
use crate::key::range::{KeyRange, KeyRanges, prefix_successor};
use crate::key::strings::Strings;

/// The maximum number of prefixes of one bound that are excluded from a range one by one.
const MAX_PREFIXES: usize = 64;

/// The maximum number of unordered values that are examined to bound what follows another field.
const MAX_POINTS: usize = 64;

/// Ranges that contain every row of a part of a box.
#[derive(Debug, Clone)]
pub(crate) struct RangeGroup {
    pub ranges: Vec<KeyRange>,
    /// The field, and its values whose rows are in the ranges. `None` means the whole box.
    pub part: Option<(FieldId, Arc<ValueSet>)>,
    /// Every range is a single key that no other values of the stored fields give.
    pub(crate) is_of_one_row: bool,
}

/// One stored field of the key.
#[derive(Debug)]
pub(super) struct StoredField<'a> {
    pub field: FieldId,
    pub kind: &'a FieldKind,
    pub separator: &'a [u8],
    pub(crate) is_last: bool,
    /// The end of the field is ambiguous: its value has no fixed width, and the content does not show where
    /// it ends.
    pub(crate) is_ambiguous: bool,
    /// The field ends at the first separator, because no value contains a part of it.
    pub(super) ends_at_separator: bool,
    pieces: Vec<MonotonePiece>,
    /// Its texts, if they have a fixed width and one-byte characters.
    strings: Option<Strings>,
}

impl<'a> StoredField<'a> {
    pub fn new(id: FieldId, field: &'a Field, is_last: bool) -> Self {
        let Field { kind, separator, .. } = field;
        let strings = match kind {
            FieldKind::Text(TextField { width: Some(width), chars, values: None, form, .. })
                if form.is_plain() =>
            {
                Strings::new(chars, *width)
            }
            _ => None,
        };
        StoredField {
            field: id,
            kind,
            separator,
            is_last,
            ends_at_separator: !separator.is_empty()
                && kind.fixed_width().is_none()
                && !kind.is_terminated()
                && !kind.may_hold_part_of(separator),
            is_ambiguous: !is_last && is_ambiguous(kind, separator),
            pieces: kind.monotone_pieces(),
            strings,
        }
    }

    /// Whether ranges of values are byte ranges.
    pub(crate) fn has_ranges(&self) -> bool {
        !self.kind.is_number() || !self.pieces.is_empty()
    }

    /// Where the keys with this value end, relative to the part. The next value of the domain is easier to
    /// read than the successor of the bytes (`20200501`, not `2020043:`).
    pub(crate) fn end_after(&self, value: &Value, bytes: &[u8]) -> Option<Vec<u8>> {
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

    /// The end of all keys that continue after these bytes: the next number for a field of digits.
    fn successor(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let next = if self.is_fixed_digits() { next_digits(bytes) } else { None };
        next.or_else(|| prefix_successor(bytes))
    }

    /// `14` for `13:`, the successor of `139`: no text of digits lies between them.
    fn readable(&self, bound: Vec<u8>) -> Vec<u8> {
        match bound.split_last() {
            Some((b':', start)) if self.is_fixed_digits() => next_digits(start).unwrap_or(bound),
            _ => bound,
        }
    }

    fn is_fixed_digits(&self) -> bool {
        matches!(self.kind, FieldKind::Text(TextField { width: Some(_), chars, form, .. })
            if chars.is_digits() && form.is_plain())
    }

    /// The ranges for groups of a set. With `apart`, the ranges of each group are returned separately, with
    /// the values that they contain.
    pub(crate) fn coarse_groups(
        &self,
        set: &ValueSet,
        behind: &KeyRange,
        runs: &[Range<usize>],
        apart: bool,
    ) -> Vec<RangeGroup> {
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
        if apart {
            let one = |(joined, values): (ValueSet, ValueSet)| RangeGroup {
                ranges: self.ranges(&joined, behind).0,
                part: Some((self.field, Arc::new(values))),
                is_of_one_row: false,
            };
            return runs.iter().map(of_run).map(one).collect();
        }
        let joined: Vec<ValueSet> = runs.iter().map(|run| of_run(run).0).collect();
        let Some(coarser) = ValueSet::union_of(&joined.iter().collect::<Vec<_>>()) else { return Vec::new() };
        vec![RangeGroup { ranges: self.ranges(&coarser, behind).0, part: None, is_of_one_row: false }]
    }

    /// Key ranges, relative to the part, that contain every value of a set if the rest of the key is in
    /// `behind`; and whether they contain no other value.
    pub fn ranges(&self, set: &ValueSet, behind: &KeyRange) -> (Vec<KeyRange>, bool) {
        match set {
            ValueSet::Numbers(numbers) => (self.number_ranges(numbers, behind), true),
            ValueSet::Text(texts)
                if let FieldKind::Text(field) = self.kind
                    && !field.form.is_plain() =>
            {
                (self.formed_text_ranges(field, texts, behind), true)
            }
            ValueSet::Text(texts) if self.is_last && self.separator.is_empty() => {
                (texts.map(|bound| self.readable(bound)).intervals().to_vec(), true)
            }
            ValueSet::Text(texts) => match self.kind.fixed_width() {
                Some(width) => (self.fixed_text_ranges(texts, width, behind), true),
                None => self.variable_text_ranges(texts, behind),
            },
        }
    }

    /// The same for unordered values, one by one; `None` if there are too many.
    pub(crate) fn ranges_or_points(&self, set: &ValueSet, behind: &KeyRange) -> Option<Vec<KeyRange>> {
        if self.has_ranges() {
            return Some(self.ranges(set, behind).0);
        }
        let encoded = |value: &Value| self.kind.encode(value).ok();
        let points = set.points(self.kind, MAX_POINTS)?;
        Some(points.iter().filter_map(encoded).map(|bytes| self.keys_of(&bytes, behind)).collect())
    }

    /// The keys of one value, relative to the part.
    fn keys_of(&self, bytes: &[u8], behind: &KeyRange) -> KeyRange {
        if self.is_last {
            return KeyRange::point([bytes, self.separator].concat());
        }
        let stop =
            self.last_of(bytes, behind).or_else(|| prefix_successor(&[bytes, self.separator].concat()));
        KeyRange::new(self.first_of(bytes, behind), stop)
    }

    /// Whether a key, relative to the last part, is that of a value.
    pub(super) fn is_key_of_value(&self, key: &[u8]) -> bool {
        key.strip_suffix(self.separator).is_some_and(|stored| self.kind.decode(stored).is_ok())
    }

    /// Where the keys of a value start.
    fn first_of(&self, bytes: &[u8], behind: &KeyRange) -> Vec<u8> {
        [bytes, self.separator, &behind.start].concat()
    }

    /// Where the keys of a value end, if not with its last key.
    fn last_of(&self, bytes: &[u8], behind: &KeyRange) -> Option<Vec<u8>> {
        Some([bytes, self.separator, behind.stop.as_ref()?].concat())
    }

    /// The numbers whose keys are in key ranges, relative to the part; `None` for fields that are not stored
    /// in order.
    pub(crate) fn numbers_in(&self, ranges: &[KeyRange]) -> Option<IntervalSet<i128>> {
        let mut touched = Vec::new();
        for piece in &self.pieces {
            for range in ranges {
                // The keys of a number start with its bytes, and may come after a longer bound.
                let width = if self.is_last { None } else { self.kind.fixed_width() };
                let start = &range.start[..width.unwrap_or(usize::MAX).min(range.start.len())];
                let from = self.places_below(piece, start)?;
                let to = match &range.stop {
                    Some(stop) => self.places_below(piece, stop)?,
                    None => piece.count(),
                };
                if from < to {
                    let (one, other) = (piece.at(from), piece.at(to - 1));
                    touched.push(Interval::new(one.min(other), Some(one.max(other) + 1)));
                }
            }
        }
        Some(IntervalSet::from_intervals(touched))
    }

    /// The least stored value from `bound` on in byte order, and `Some(None)` if there is none; `None` if the values are
    /// not of one width or their order is not known.
    #[expect(clippy::option_option, reason = "not known, and known not to exist")]
    pub(super) fn least_stored(&self, bound: &[u8]) -> Option<Option<Vec<u8>>> {
        self.kind.fixed_width().filter(|_| !self.kind.is_nullable())?;
        match (self.kind, &self.strings) {
            (_, Some(strings)) => Some(strings.not_below(bound)),
            (FieldKind::Text(TextField { values: Some(values), form, .. }), _) if form.is_plain() => {
                let from = KeyRange::new(bound.to_vec(), None);
                Some(values.stored_in(&from).next().map(|(stored, _)| stored.to_vec()))
            }
            _ if self.pieces.is_empty() => None,
            _ => {
                // The parts are in byte order.
                for piece in &self.pieces {
                    let place = self.places_below(piece, bound)?;
                    if place < piece.count() {
                        return Some(Some(self.encoded(piece.at(place))?));
                    }
                }
                Some(None)
            }
        }
    }

    /// How many numbers of a part are stored below some bytes.
    fn places_below(&self, piece: &MonotonePiece, bound: &[u8]) -> Option<i128> {
        let (mut low, mut high) = (0, piece.count());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.encoded(piece.at(middle))?.as_slice() < bound {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Some(low)
    }

    /// The number of listed values whose keys are in the ranges; `None` if no values are listed.
    pub(crate) fn listed_in(&self, ranges: &[KeyRange]) -> Option<usize> {
        let FieldKind::Text(TextField { values: Some(values), .. }) = self.kind else { return None };
        let is_met = |stored: &[u8]| {
            let keys = self.keys_of(stored, &KeyRange::new(Vec::new(), None));
            ranges.iter().any(|range| meet(&keys, range))
        };
        Some(values.in_stored_order().filter(|(stored, _)| is_met(stored)).count())
    }

    /// Whether a range contains keys of a value.
    pub(crate) fn meets(&self, value: &Value, range: &KeyRange) -> bool {
        let open = KeyRange::new(Vec::new(), None);
        self.kind.encode(value).is_ok_and(|bytes| meet(&self.keys_of(&bytes, &open), range))
    }

    /// The ranges that contain only keys of a value, relative to what follows the value.
    pub(crate) fn ranges_behind(&self, value: &Value, ranges: &[KeyRange]) -> Option<Vec<KeyRange>> {
        let bytes = self.kind.encode(value).ok()?;
        let prefix = [bytes.as_slice(), self.separator].concat();
        let end = self.end_after(value, &bytes);
        let first = ranges.partition_point(|range| range.start < prefix);
        let behind = ranges[first..].iter().take_while(|range| range.start.starts_with(&prefix));
        let relative = behind.filter_map(|range| {
            let stop = match &range.stop {
                Some(stop) if stop.starts_with(&prefix) => Some(stop[prefix.len()..].to_vec()),
                stop if compare_stops(stop, &end).is_le() => None,
                _ => return None,
            };
            Some(KeyRange::new(range.start[prefix.len()..].to_vec(), stop))
        });
        Some(relative.collect())
    }

    fn number_ranges(&self, numbers: &IntervalSet<i128>, behind: &KeyRange) -> Vec<KeyRange> {
        let mut ranges = Vec::new();
        let pieces = &self.pieces;
        let begins_later = self.has_bounds_behind() && !behind.start.is_empty();
        for (index, piece) in pieces.iter().enumerate() {
            let inside = numbers.intersect(&IntervalSet::from_intervals(vec![piece.numbers.clone()]));
            for interval in inside.intervals() {
                let mut range = self.kind.encode_interval(piece, interval);
                if self.is_last && interval.stop == Some(interval.start + 1) {
                    ranges.push(KeyRange::point(range.start));
                    continue;
                }
                // No value is beyond the bounds of the domain, so the range may extend to the bounds of its
                // prefix.
                let (reaches_least, reaches_greatest) = ends_reached(piece, interval);
                let (first, last) = self.ends(piece, interval);
                if reaches_least && !self.is_declared(first) {
                    range.start = match index {
                        0 => Vec::new(),
                        _ => self.end_of(&pieces[index - 1]),
                    };
                } else if let Some(first) = self.encoded(first).filter(|_| begins_later) {
                    range.start = self.first_of(&first, behind);
                }
                if reaches_greatest && !self.is_declared(last) {
                    if index + 1 == pieces.len() {
                        range.stop = None;
                    }
                } else if let Some(last) = self.encoded(last).filter(|_| self.has_bounds_behind()) {
                    range.stop = self.last_of(&last, behind).or(range.stop);
                }
                ranges.push(range);
            }
        }
        ranges
    }

    /// Whether all values have the same width in bytes, so that what follows does not affect their order.
    fn has_bounds_behind(&self) -> bool {
        !self.is_last && self.kind.fixed_width().is_some()
    }

    /// The numbers of an interval with the smallest and the greatest bytes.
    fn ends(&self, piece: &MonotonePiece, interval: &Interval<i128>) -> (i128, i128) {
        let greatest = interval.stop.map_or(interval.start, |stop| stop - 1);
        if piece.ascending { (interval.start, greatest) } else { (greatest, interval.start) }
    }

    fn encoded(&self, number: i128) -> Option<Vec<u8>> {
        self.kind.encode(&Value::Number(i64::try_from(number).ok()?)).ok()
    }

    /// Whether the schema declares a number as the minimum or the maximum.
    fn is_declared(&self, number: i128) -> bool {
        let (FieldKind::Integer(form) | FieldKind::Epoch(EpochField { number: form, .. })) = self.kind else {
            return false;
        };
        [form.min, form.max].into_iter().flatten().any(|bound| i128::from(bound) == number)
    }

    /// Where the numbers of a part end, and those of the next one start.
    fn end_of(&self, piece: &MonotonePiece) -> Vec<u8> {
        self.kind.encode_interval(piece, &piece.numbers).stop.unwrap_or_default()
    }

    /// Texts that the key stores in another form, which keeps their order or turns it round and shows their end.
    fn formed_text_ranges(
        &self,
        field: &TextField,
        texts: &IntervalSet<Vec<u8>>,
        behind: &KeyRange,
    ) -> Vec<KeyRange> {
        let ranges = texts.intervals().iter().filter_map(|interval| {
            if interval.is_point() {
                let value = self.kind.value_compared(&interval.start).ok()?;
                return Some(self.keys_of(&self.kind.encode(&value).ok()?, behind));
            }
            field.form.range(interval, &field.chars, field.width)
        });
        KeyRanges::from_intervals(ranges.collect()).intervals().to_vec()
    }

    /// Bounds on text of fixed width that is followed by the rest of the key: a longer bound comes after all
    /// keys with its first `width` bytes.
    fn fixed_text_ranges(
        &self,
        texts: &IntervalSet<Vec<u8>>,
        width: usize,
        behind: &KeyRange,
    ) -> Vec<KeyRange> {
        let cut = |bound: &[u8]| match bound.get(..width) {
            Some(start) if bound.len() > width => self.successor(start),
            _ => Some(self.readable(bound.to_vec())),
        };
        let ranges = texts.intervals().iter().filter_map(|interval| {
            let (first, last) = self.fixed_ends(interval, width, behind);
            let start = first.or_else(|| cut(&interval.start))?;
            Some(KeyRange::new(start, last.or_else(|| interval.stop.as_deref().and_then(cut))))
        });
        IntervalSet::from_intervals(ranges.collect()).intervals().to_vec()
    }

    /// Where the keys of the first text of an interval start and those of the last one end, as far as the
    /// interval and the following part have bounds.
    fn fixed_ends(
        &self,
        interval: &KeyRange,
        width: usize,
        behind: &KeyRange,
    ) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
        let of_listed = |values: &ListedValues| {
            let mut inside = values.stored_in(interval).map(|(stored, _)| stored.to_vec());
            let first = inside.next();
            (first.clone(), inside.last().or(first))
        };
        let (first, last) = match (self.kind, &self.strings) {
            (FieldKind::Text(TextField { values: Some(values), .. }), _) => of_listed(values),
            (_, Some(strings)) => {
                let below = |stop: &Vec<u8>| strings.below(stop);
                (strings.not_below(&interval.start), interval.stop.as_ref().and_then(below))
            }
            // For other characters, a bound is known only if it is a text of the field itself.
            _ => (Some(interval.start.clone()).filter(|text| text.len() == width), None),
        };
        let first = first.filter(|_| !interval.start.is_empty() && !behind.start.is_empty());
        let last = last.filter(|_| interval.stop.is_some());
        (first.map(|text| self.first_of(&text, behind)), last.and_then(|text| self.last_of(&text, behind)))
    }

    /// Text of any width, followed by a separator and the rest of the key. The order of `a_b` is not that of
    /// `a`: if `_` sorts above the digits, the keys of `1` (`1_…`) come after those of `12`.
    fn variable_text_ranges(&self, texts: &IntervalSet<Vec<u8>>, behind: &KeyRange) -> (Vec<KeyRange>, bool) {
        let ambiguous = self.is_ambiguous;
        let mut all = Vec::with_capacity(texts.intervals().len());
        let mut exact = true;
        for interval in texts.intervals() {
            if interval.is_point() {
                all.push(self.keys_of(&interval.start, behind));
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

    /// Whether a key can follow `start`, judged by its first byte: one of the field's characters, or the
    /// separator after the empty text.
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

    /// The keys of values from `least` on that are proper prefixes of a bound. Such a value is below the
    /// bound, but some of its keys are not.
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

/// The key ranges of values that are shorter than a bound.
enum Prefixes {
    None,
    Listed(KeyRanges),
    TooMany(KeyRanges),
}

impl Prefixes {
    /// All of them; if there are too many, a single range.
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

/// Whether two ranges have a key in common.
fn meet(one: &KeyRange, other: &KeyRange) -> bool {
    let ends_behind = |stop: &Option<Vec<u8>>, start: &Vec<u8>| stop.as_ref().is_none_or(|stop| stop > start);
    ends_behind(&one.stop, &other.start) && ends_behind(&other.stop, &one.start)
}

/// Whether numbers extend to the end of a part with the smallest bytes, and to the one with the greatest.
fn ends_reached(piece: &MonotonePiece, numbers: &Interval<i128>) -> (bool, bool) {
    let from_first = numbers.start <= piece.numbers.start;
    let to_last = compare_stops(&numbers.stop, &piece.numbers.stop).is_ge();
    if piece.ascending { (from_first, to_last) } else { (to_last, from_first) }
}

/// `0199` becomes `0200`; `9999` has no successor, nor has a bound with another sign than a digit.
fn next_digits(digits: &[u8]) -> Option<Vec<u8>> {
    digits.iter().all(u8::is_ascii_digit).then_some(())?;
    let keep = digits.iter().rposition(|digit| (b'0'..=b'8').contains(digit))?;
    let mut next = digits[..keep].to_vec();
    next.push(digits[keep] + 1);
    next.resize(digits.len(), b'0');
    Some(next)
}

/// Whether values can end at more than one position.
fn is_ambiguous(kind: &FieldKind, separator: &[u8]) -> bool {
    if kind.fixed_width().is_some() || kind.is_terminated() {
        return false;
    }
    if let FieldKind::Text(TextField { values: Some(values), .. }) = kind {
        return values_overlap(values, separator);
    }
    separator.is_empty() || kind.may_hold_part_of(separator)
}

/// Whether one of the listed values, followed by its separator, is a prefix of another one.
fn values_overlap(values: &ListedValues, separator: &[u8]) -> bool {
    let mut written: Vec<Vec<u8>> =
        values.in_stored_order().map(|(bytes, _)| [bytes, separator].concat()).collect();
    written.sort_unstable();
    written.windows(2).any(|pair| pair[1].starts_with(&pair[0]))
}

/// One interval from the start of a group to its end.
fn joined<T: Ordered>(run: &[Interval<T>]) -> IntervalSet<T> {
    match (run.first(), run.last()) {
        (Some(first), Some(last)) => IntervalSet::range(first.start.clone(), last.stop.clone()),
        _ => IntervalSet::empty(),
    }
}

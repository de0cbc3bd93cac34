//! From a box of one salt to row key ranges.
//!
//! The parts of the key are processed in order. As long as a part is bound to single values, the walk
//! continues after each value. The first part with a range of values ends it. Conditions that the ranges do
//! not express stay in the residual.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::Range;

use super::ambiguity::{MAX_CUTS, is_of_one_row};
use super::key_box::KeyBox;
use super::stored_field::{RangeGroup, StoredField};
use crate::analyze::ValueSet;
use crate::key::Value;
use crate::key::field::{FieldId, FieldKind};
use crate::key::interval::{Interval, compare_stops};
use crate::key::layout::RowKey;
use crate::key::range::KeyRange;

/// Key ranges that contain every row of a box, relative to the end of the salt.
#[derive(Debug, Clone)]
pub(crate) struct BoxRanges {
    pub groups: Vec<RangeGroup>,
    /// Fields whose set of values is matched exactly by the ranges.
    pub exact: Vec<FieldId>,
    /// Fields with too many values for the limit, so that ranges cover gaps between them.
    pub widened: Vec<FieldId>,
    /// Fields that are not stored in the order of their values, with too many values to list.
    pub(crate) unordered: Vec<FieldId>,
    /// Every range is a single key, with one value for each stored field.
    pub(crate) is_whole_keys: bool,
}

/// The stored fields of a key, and how ranges of their values become byte ranges.
#[derive(Debug)]
pub(crate) struct KeyParts<'a> {
    parts: Vec<StoredField<'a>>,
    /// Keys are cut off after the last part: all parts are needed as single values.
    is_cut: bool,
    /// How many more ways to split a key may be tried, to check that a key belongs to one row.
    cuts_left: Cell<usize>,
}

/// How the ranges of a box go on at a part of the key.
enum KeyStep {
    /// The part has one of these values; each is followed by the step of the next part.
    Points(Vec<Value>),
    /// The last step: these ranges, relative to the start of the part.
    Ranges(Vec<RangeGroup>),
}

impl<'a> KeyParts<'a> {
    pub fn new(key: &'a RowKey) -> Self {
        let stored: Vec<FieldId> = key.stored().collect();
        let last = stored.last().copied();
        let part = |field| StoredField::new(field, &key.fields[field], Some(field) == last);
        let parts = stored.into_iter().map(part).collect();
        KeyParts { parts, is_cut: false, cuts_left: Cell::new(MAX_CUTS) }
    }

    /// The parts before a field. The ranges are key prefixes that end before the field, and points if the
    /// parts are bound.
    #[must_use]
    pub fn before(mut self, field: FieldId) -> Self {
        self.parts.truncate(self.parts.iter().position(|part| part.field == field).unwrap_or(0));
        self.is_cut = true;
        self
    }

    /// A field, counted from 0.
    pub(super) fn at(&self, index: usize) -> Option<&StoredField<'a>> {
        self.parts.get(index)
    }

    /// The fields in key order.
    pub fn fields(&self) -> Vec<FieldId> {
        self.parts.iter().map(|part| part.field).collect()
    }

    /// Whether the end of some field is ambiguous.
    pub(crate) fn are_ambiguous(&self) -> bool {
        self.parts.iter().any(|part| part.is_ambiguous)
    }

    /// At most `limit` ranges (at least one) that contain a box. If one of the `long` fields has too many
    /// values for that, each range is returned with the values that it contains.
    pub fn box_ranges(&self, key_box: &KeyBox, limit: usize, long: &BTreeSet<FieldId>) -> BoxRanges {
        let mut box_ranges = BoxRanges {
            groups: Vec::new(),
            exact: Vec::new(),
            widened: Vec::new(),
            unordered: Vec::new(),
            is_whole_keys: false,
        };
        let steps = self.steps(key_box, limit.max(1), long, &mut box_ranges);
        box_ranges.is_whole_keys =
            steps.len() == self.parts.len() && steps.iter().all(|step| matches!(step, KeyStep::Points(_)));
        self.emit(&self.parts, &steps, Vec::new(), None, &mut box_ranges.groups);
        box_ranges
    }

    /// The number of ranges for a box, if a part with several values is read value by value as long as there are at most `limit`
    /// ranges. The result is more than `limit` if the ranges of the last part are too many.
    pub(crate) fn ranges_needed(&self, key_box: &KeyBox, limit: usize) -> usize {
        let Some(innermost) = self.innermost(key_box) else { return 1 };
        let mut count = 1;
        for (index, part) in self.parts[..=innermost].iter().enumerate() {
            if let Some(points) = self.points(index, innermost, key_box, limit / count) {
                count *= points.len().max(1);
                continue;
            }
            let set = key_box.fields.get(&part.field).filter(|_| part.has_ranges());
            return count.saturating_mul(set.map_or(1, |set| set.interval_count()));
        }
        count
    }

    /// The last part at which the walk can go on.
    fn innermost(&self, key_box: &KeyBox) -> Option<usize> {
        self.parts.iter().rposition(|part| self.is_cut || key_box.fields.contains_key(&part.field))
    }

    /// The values after which the walk continues at a part, at most `limit`; `None` if it ends there.
    fn points(&self, index: usize, innermost: usize, key_box: &KeyBox, limit: usize) -> Option<Vec<Value>> {
        let part = &self.parts[index];
        if !self.is_cut && index == innermost && part.has_ranges() {
            return None;
        }
        match key_box.fields.get(&part.field) {
            Some(set) => set.points(part.kind, limit),
            None => ValueSet::all(part.kind).points(part.kind, limit),
        }
    }

    /// Decides for every part, before any range is built, how far the walk continues.
    fn steps(
        &self,
        key_box: &KeyBox,
        limit: usize,
        long: &BTreeSet<FieldId>,
        box_ranges: &mut BoxRanges,
    ) -> Vec<KeyStep> {
        let Some(innermost) = self.innermost(key_box) else {
            return Vec::new();
        };
        let mut steps = Vec::new();
        let mut remaining = limit;
        // After a part whose end is ambiguous, a range does not determine the values of the fields.
        let mut certain = true;
        for (index, part) in self.parts[..=innermost].iter().enumerate() {
            let certain_before = certain;
            certain &= !part.is_ambiguous;
            if let Some(points) = self.points(index, innermost, key_box, remaining) {
                remaining /= points.len().max(1);
                if certain {
                    box_ranges.exact.push(part.field);
                }
                steps.push(KeyStep::Points(points));
                continue;
            }
            let Some(set) = key_box.fields.get(&part.field) else {
                break;
            };
            if !part.has_ranges() {
                box_ranges.unordered.push(part.field);
                break;
            }
            let behind = self.behind(index, key_box);
            if let Some(runs) = coarsened(set, remaining) {
                box_ranges.widened.push(part.field);
                let apart = long.contains(&part.field);
                steps.push(KeyStep::Ranges(part.coarse_groups(set, &behind, &runs, apart)));
            } else {
                let (ranges, exact) = part.ranges(set, &behind);
                if exact && certain_before {
                    box_ranges.exact.push(part.field);
                }
                steps.push(KeyStep::Ranges(vec![RangeGroup { ranges, part: None, is_of_one_row: false }]));
            }
            break;
        }
        steps
    }

    /// Where the rest of the key can be after any value of a part: from the smallest values of the next part
    /// to the greatest.
    fn behind(&self, index: usize, key_box: &KeyBox) -> KeyRange {
        let everything = KeyRange::new(Vec::new(), None);
        let Some(next) = self.parts.get(index + 1) else { return everything };
        let Some(set) = key_box.fields.get(&next.field) else { return everything };
        let ranges = next.ranges_or_points(set, &self.behind(index + 1, key_box)).unwrap_or_default();
        let Some(start) = ranges.iter().map(|range| &range.start).min() else { return everything };
        let stop = ranges.iter().map(|range| &range.stop).max_by(|a, b| compare_stops(a, b));
        KeyRange::new(start.clone(), stop.cloned().flatten())
    }

    /// Writes the ranges after a prefix; `end` is where the keys with this prefix end, `None` is the end of
    /// the table.
    fn emit(
        &self,
        parts: &[StoredField<'_>],
        steps: &[KeyStep],
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
            KeyStep::Points(points) => {
                for value in points {
                    let Ok(bytes) = part.kind.encode(value) else { continue };
                    let key = [prefix.as_slice(), &bytes, part.separator].concat();
                    let next = if part.is_last { None } else { part.end_after(value, &bytes) };
                    let end = next.map(|next| [prefix.as_slice(), &next].concat()).or_else(|| end.clone());
                    self.emit(deeper_parts, deeper_steps, key, end, groups);
                }
            }
            KeyStep::Ranges(relative) => {
                for group in relative {
                    let behind = |range: &KeyRange| {
                        let start = [prefix.as_slice(), &range.start].concat();
                        let stop = range.stop.as_ref().map(|stop| [prefix.as_slice(), stop].concat());
                        KeyRange::new(start, stop.or_else(|| end.clone()))
                    };
                    // If a range is not a value of the part, its key belongs to a different row.
                    let is_of_one_row = |range: &&KeyRange| {
                        deeper_parts.is_empty()
                            && range.is_point()
                            && part.is_key_of_value(&range.start)
                            && self.is_of_one_row(&behind(range).start)
                    };
                    let (keys, ranges): (Vec<&KeyRange>, Vec<&KeyRange>) =
                        group.ranges.iter().partition(is_of_one_row);
                    for (ranges, is_of_one_row) in [(keys, true), (ranges, false)] {
                        if !ranges.is_empty() {
                            let ranges = ranges.into_iter().map(behind).collect();
                            groups.push(RangeGroup { ranges, part: group.part.clone(), is_of_one_row });
                        }
                    }
                }
            }
        }
    }

    /// Whether no other values of the fields give the same key.
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

/// Adds a range that contains rows of the whole box.
fn push(groups: &mut Vec<RangeGroup>, range: KeyRange, is_of_one_row: bool) {
    match groups.last_mut() {
        Some(last) if last.part.is_none() && last.is_of_one_row == is_of_one_row => last.ranges.push(range),
        _ => groups.push(RangeGroup { ranges: vec![range], part: None, is_of_one_row }),
    }
}

/// Groups of neighbouring intervals, at most `limit`, with which a set is coarsened; `None` if it does not
/// have more intervals than that.
fn coarsened(set: &ValueSet, limit: usize) -> Option<Vec<Range<usize>>> {
    let count = set.interval_count();
    if count <= limit {
        return None;
    }
    // A group ends before each of these indices.
    let starts: Vec<usize> = match set {
        ValueSet::Numbers(numbers) => behind_largest_gaps(numbers.intervals(), limit - 1),
        ValueSet::Text(_) => (1..limit).map(|chunk| chunk * count / limit).collect(),
    };
    let ends = starts.iter().copied().chain([count]);
    Some([0].into_iter().chain(starts.iter().copied()).zip(ends).map(|(start, end)| start..end).collect())
}

/// The intervals after the `wanted` largest gaps, ascending; among equal gaps, evenly distributed ones are
/// chosen.
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

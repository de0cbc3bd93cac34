//! The values of the salt's inputs in a box, and the part of the box for each value.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::key_box::KeyBox;
use crate::analyze::{MAX_LISTED_BYTES, ValueSet};
use crate::key::Value;
use crate::key::field::{Field, FieldKind, TextField};
use crate::key::interval::{Interval, IntervalSet, compare_stops};
use crate::key::range::KeyRange;
use crate::key::salt::{Cut, InputId, SaltInput};
use crate::key::strings::Strings;
use crate::key::units;
use crate::schema::model::Schema;
use saltplan_sql::time::format::TimeFormat;

/// The values that an input can have in a box, each with the corresponding part of the box.
pub(super) fn input_values(
    schema: &Schema,
    id: InputId,
    input: &SaltInput,
    key_box: &KeyBox,
    limit: usize,
) -> Option<Vec<(Vec<u8>, KeyBox)>> {
    let field = &schema.key.fields[input.field];
    let all = ValueSet::all(&field.kind);
    let set = key_box.fields.get(&input.field).map_or(&all, Arc::as_ref);
    let known = key_box.inputs.get(&id);
    let Some(parts) = parts_of_set(schema, field, input, set, limit) else {
        return Some(known?.iter().map(|value| (value.clone(), key_box.clone())).collect());
    };
    let allowed = parts.into_iter().filter(|(value, _)| known.is_none_or(|known| known.contains(value)));
    Some(
        allowed
            .map(|(value, part)| {
                let mut piece = key_box.clone();
                piece.fields.insert(input.field, Arc::new(part));
                (value, piece)
            })
            .collect(),
    )
}

/// Splits a set of field values by the resulting input.
pub(super) fn parts_of_set(
    schema: &Schema,
    field: &Field,
    input: &SaltInput,
    set: &ValueSet,
    limit: usize,
) -> Option<BTreeMap<Vec<u8>, ValueSet>> {
    let points = || set.points(&field.kind, limit);
    // For listed values each result is known.
    let is_listed = matches!(&field.kind, FieldKind::Text(TextField { values: Some(_), .. }));
    let listed = if is_listed { points() } else { None };
    let by_range = match (&input.cut, set) {
        _ if listed.is_some() => None,
        (Cut::Format(format), ValueSet::Numbers(numbers)) => {
            parts_by_format(schema, field, format, numbers, limit)
        }
        (Cut::First(count), ValueSet::Text(texts)) if field.kind.is_text_in_key() => {
            parts_by_prefix(field, texts, 0..*count, input.lower, limit)
        }
        (Cut::Bytes { from, to }, ValueSet::Text(texts)) if field.kind.is_ascii_in_key() => {
            parts_by_prefix(field, texts, *from..*to, input.lower, limit)
        }
        _ => None,
    };
    if by_range.is_some() {
        return by_range;
    }
    let mut parts: BTreeMap<Vec<u8>, Vec<ValueSet>> = BTreeMap::new();
    for value in listed.or_else(points)? {
        let bytes = input.bytes(field, &value, schema.time_zone).ok()?;
        let point = match value {
            Value::Number(n) => ValueSet::Numbers(IntervalSet::range(n.into(), Some(i128::from(n) + 1))),
            Value::Text(_) => ValueSet::one_text(field.kind.compared(&value).ok()?),
        };
        parts.entry(bytes).or_default().push(point);
    }
    Some(
        parts
            .into_iter()
            .filter_map(|(value, sets)| Some((value, ValueSet::union_of(&sets.iter().collect::<Vec<_>>())?)))
            .collect(),
    )
}

/// One part per printed date: the months of a range, if only the month is an input of the salt.
fn parts_by_format(
    schema: &Schema,
    field: &Field,
    format: &TimeFormat,
    numbers: &IntervalSet<i128>,
    limit: usize,
) -> Option<BTreeMap<Vec<u8>, ValueSet>> {
    let granularity = format.granularity();
    let shown = |number| units::local_time(&field.kind, schema.time_zone, number);
    let mut ordinals = BTreeSet::new();
    for interval in numbers.intervals() {
        let first = granularity.ordinal_of(shown(interval.start)?);
        let last = granularity.ordinal_of(shown(interval.stop? - 1)?);
        // At a clock change local time can run backwards, so the neighbours are tried as well.
        let (first, last) = (first.min(last) - 1, first.max(last) + 1);
        if usize::try_from(last - first).ok()?.saturating_add(ordinals.len()) > limit {
            return None;
        }
        ordinals.extend(first..=last);
    }
    let mut parts = BTreeMap::new();
    for ordinal in ordinals {
        let not_before =
            |ordinal| units::not_before(&field.kind, schema.time_zone, granularity.start_of(ordinal)?);
        let part = not_before(ordinal)?.subtract(&not_before(ordinal + 1)?).intersect(numbers);
        if !part.is_empty() {
            parts.insert(format.format(ordinal)?.into_bytes(), ValueSet::Numbers(part));
        }
    }
    // If clocks go back inside a range, local times in between can be later than those of both bounds.
    let covered = ValueSet::union_of(&parts.values().collect::<Vec<_>>());
    (numbers.is_empty() || covered == Some(ValueSet::Numbers(numbers.clone()))).then_some(parts)
}

/// One part per `cut` of a text, from its prefixes up to the end of the cut, in characters.
fn parts_by_prefix(
    field: &Field,
    texts: &IntervalSet<Vec<u8>>,
    cut: Range<usize>,
    lower: bool,
    limit: usize,
) -> Option<BTreeMap<Vec<u8>, ValueSet>> {
    let FieldKind::Text(text) = &field.kind else { return None };
    let mut parts: BTreeMap<Vec<u8>, Vec<ValueSet>> = BTreeMap::new();
    let mut tried = 0;
    for interval in texts.intervals() {
        for start in starts(text, interval, cut.end, limit - tried)? {
            tried += 1;
            let part = IntervalSet::from_intervals(vec![interval.clone()])
                .intersect(&IntervalSet::from_intervals(vec![KeyRange::prefix(start.clone().into_bytes())]));
            if !part.is_empty() && text.chars.contains_all(&start) {
                let value: String = start.chars().skip(cut.start).collect();
                let value = if lower { value.to_lowercase() } else { value };
                parts.entry(value.into_bytes()).or_default().push(ValueSet::Text(part));
            }
        }
    }
    let joined = |(value, sets): (Vec<u8>, Vec<ValueSet>)| {
        Some((value, ValueSet::union_of(&sets.iter().collect::<Vec<_>>())?))
    };
    Some(parts.into_iter().filter_map(joined).collect())
}

/// The prefixes of `count` characters that the texts of an interval can have, if they are known and at most
/// `limit`.
fn starts(text: &TextField, interval: &Interval<Vec<u8>>, count: usize, limit: usize) -> Option<Vec<String>> {
    // If a text may be shorter than the prefix, or its characters are unbounded, the next prefix is unknown.
    let strings = match text.width {
        Some(width) if width >= count => Strings::new(&text.chars, count),
        _ => None,
    };
    let Some(strings) = strings else {
        let start: String = std::str::from_utf8(&interval.start).ok()?.chars().take(count).collect();
        let prefix = KeyRange::prefix(start.clone().into_bytes());
        let is_only = start.chars().count() == count && compare_stops(&interval.stop, &prefix.stop).is_le();
        return (is_only && limit > 0).then(|| vec![start]);
    };
    let limit = limit.min(MAX_LISTED_BYTES / count.max(1));
    let mut starts = Vec::new();
    let bound = &interval.start[..interval.start.len().min(count)];
    let mut next = strings.not_below(bound);
    while let Some(start) = next.filter(|start| interval.stop.as_ref().is_none_or(|stop| start < stop)) {
        if starts.len() == limit {
            return None;
        }
        next = strings.next(&start);
        starts.push(String::from_utf8(start).ok()?);
    }
    Some(starts)
}

//! Sets of values of one key field.

use crate::key::Value;
use crate::key::cycle::Cycle;
use crate::key::field::{FieldKind, TextField};
use crate::key::interval::{Interval, IntervalSet};
use crate::key::listed::ListedValues;
use crate::key::range::{KeyRange, key_successor, prefix_successor};
use crate::key::strings::{Strings, least_text};

/// The maximum number of bytes of texts that are listed one by one: a text may be as long as a row key.
pub(crate) const MAX_LISTED_BYTES: usize = 4 << 20;

/// A set of values: numbers in their own order, text in the byte order of its characters (in reverse order for a
/// reversed field), whatever the key makes of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ValueSet {
    Numbers(IntervalSet<i128>),
    Text(IntervalSet<Vec<u8>>),
}

impl ValueSet {
    /// Every value of the field.
    pub fn all(kind: &FieldKind) -> Self {
        match kind.domain() {
            Some(domain) => ValueSet::Numbers(IntervalSet::from_intervals(vec![domain])),
            None => ValueSet::Text(IntervalSet::all()),
        }
    }

    /// The smallest interval that contains all numbers; `None` for texts and for an empty set.
    pub(crate) fn hull(&self) -> Option<Interval<i128>> {
        let ValueSet::Numbers(set) = self else { return None };
        let (first, last) = (set.intervals().first()?, set.intervals().last()?);
        Some(Interval::new(first.start, last.stop))
    }

    pub fn none(kind: &FieldKind) -> Self {
        if kind.is_number() {
            ValueSet::Numbers(IntervalSet::empty())
        } else {
            ValueSet::Text(IntervalSet::empty())
        }
    }

    /// The numbers of a set that lie in the field's domain.
    pub fn numbers(kind: &FieldKind, set: &IntervalSet<i128>) -> Self {
        match kind.domain() {
            Some(domain) => ValueSet::Numbers(set.intersect(&IntervalSet::from_intervals(vec![domain]))),
            None => ValueSet::none(kind),
        }
    }

    /// The set of one text.
    pub(crate) fn one_text(stored: Vec<u8>) -> Self {
        ValueSet::Text(IntervalSet::from_intervals(vec![KeyRange::point(stored)]))
    }

    /// NULL in a set of values of a field; `None` where the field is never NULL.
    pub(crate) fn null(kind: &FieldKind) -> Option<Self> {
        kind.is_nullable().then(|| ValueSet::one_text(Vec::new()))
    }

    /// The set without the intervals in which no value of the field lies: a text of digits begins with no letter.
    #[must_use]
    pub fn possible(self, kind: &FieldKind) -> Self {
        match (self, kind) {
            (ValueSet::Text(set), FieldKind::Text(field)) => {
                let strings = field.width.and_then(|width| Strings::new(&field.chars, width));
                let holds = |interval: &&Interval<Vec<u8>>| may_hold_text(interval, field, strings.as_ref());
                if set.intervals().iter().all(|interval| holds(&interval)) {
                    return ValueSet::Text(set);
                }
                ValueSet::Text(set.intervals().iter().filter(holds).cloned().collect::<Vec<_>>().into())
            }
            (set, _) => set,
        }
    }

    pub fn is_empty(&self) -> bool {
        match self {
            ValueSet::Numbers(set) => set.is_empty(),
            ValueSet::Text(set) => set.is_empty(),
        }
    }

    pub(crate) fn is_all(&self, kind: &FieldKind) -> bool {
        *self == Self::all(kind)
    }

    /// Number of intervals.
    pub(crate) fn interval_count(&self) -> usize {
        match self {
            ValueSet::Numbers(set) => set.intervals().len(),
            ValueSet::Text(set) => set.intervals().len(),
        }
    }

    /// A set of each interval.
    pub(crate) fn each_interval(&self) -> impl Iterator<Item = ValueSet> + '_ {
        let numbers = |interval: &Interval<i128>| ValueSet::Numbers(vec![interval.clone()].into());
        let texts = |interval: &KeyRange| ValueSet::Text(vec![interval.clone()].into());
        let (of_numbers, of_texts) = match self {
            ValueSet::Numbers(set) => (set.intervals(), &[][..]),
            ValueSet::Text(set) => (&[][..], set.intervals()),
        };
        of_numbers.iter().map(numbers).chain(of_texts.iter().map(texts))
    }

    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        match (self, other) {
            (ValueSet::Numbers(a), ValueSet::Numbers(b)) => ValueSet::Numbers(a.union(b)),
            (ValueSet::Text(a), ValueSet::Text(b)) => ValueSet::Text(a.union(b)),
            _ => self.of_two_fields(),
        }
    }

    /// The union of any number of sets of one field; `None` of no set.
    pub(crate) fn union_of(sets: &[&Self]) -> Option<Self> {
        Some(match sets {
            [] => return None,
            [only] => (*only).clone(),
            [ValueSet::Numbers(_), ..] => {
                ValueSet::Numbers(IntervalSet::union_of(sets.iter().filter_map(|set| set.as_numbers())))
            }
            [ValueSet::Text(_), ..] => {
                ValueSet::Text(IntervalSet::union_of(sets.iter().filter_map(|set| set.as_text())))
            }
        })
    }

    /// The intersection of any number of sets of one field; `None` of no set.
    pub(crate) fn intersection_of(sets: &[&Self]) -> Option<Self> {
        Some(match sets {
            [] => return None,
            [only] => (*only).clone(),
            [ValueSet::Numbers(_), ..] => ValueSet::Numbers(IntervalSet::intersection_of(
                sets.iter().filter_map(|set| set.as_numbers()),
            )),
            [ValueSet::Text(_), ..] => {
                ValueSet::Text(IntervalSet::intersection_of(sets.iter().filter_map(|set| set.as_text())))
            }
        })
    }

    fn as_numbers(&self) -> Option<&IntervalSet<i128>> {
        match self {
            ValueSet::Numbers(numbers) => Some(numbers),
            ValueSet::Text(_) => {
                debug_assert!(false, "sets of one field have one type");
                None
            }
        }
    }

    fn as_text(&self) -> Option<&IntervalSet<Vec<u8>>> {
        match self {
            ValueSet::Text(text) => Some(text),
            ValueSet::Numbers(_) => {
                debug_assert!(false, "sets of one field have one type");
                None
            }
        }
    }

    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        match (self, other) {
            (ValueSet::Numbers(a), ValueSet::Numbers(b)) => ValueSet::Numbers(a.intersect(b)),
            (ValueSet::Text(a), ValueSet::Text(b)) => ValueSet::Text(a.intersect(b)),
            _ => self.of_two_fields(),
        }
    }

    /// The intervals of the set that a part of it touches: an interval with several values of the part as a whole.
    #[must_use]
    pub fn around(&self, part: &Self) -> Self {
        match (self, part) {
            (ValueSet::Numbers(all), ValueSet::Numbers(part)) => ValueSet::Numbers(all.around(part)),
            (ValueSet::Text(all), ValueSet::Text(part)) => ValueSet::Text(all.around(part)),
            _ => self.of_two_fields(),
        }
    }

    /// Sets of one field have one type; those of two are never put together.
    fn of_two_fields(&self) -> Self {
        debug_assert!(false, "sets of one field have one type");
        self.clone()
    }

    #[must_use]
    pub fn complement(&self, kind: &FieldKind) -> Self {
        match self {
            ValueSet::Numbers(set) => Self::numbers(kind, &set.complement()),
            ValueSet::Text(set) => ValueSet::Text(set.complement()),
        }
    }

    /// Whether the set holds a value, given as the field stores it.
    pub fn contains(&self, kind: &FieldKind, value: &Value) -> bool {
        match (self, value) {
            (ValueSet::Numbers(set), Value::Number(number)) => set.contains(&i128::from(*number)),
            (ValueSet::Text(set), Value::Text(_)) => {
                kind.compared(value).is_ok_and(|text| set.contains(&text))
            }
            _ => false,
        }
    }

    /// The set without one stored text, where an interval begins with it.
    #[must_use]
    pub(crate) fn without_point(self, stored: &[u8]) -> Self {
        match self {
            ValueSet::Text(set) if set.intervals().iter().any(|interval| interval.start == stored) => {
                let point = IntervalSet::from_intervals(vec![KeyRange::point(stored.to_vec())]);
                ValueSet::Text(set.subtract(&point))
            }
            set => set,
        }
    }

    /// The days of every year that the set of a date or a local time is, where it is longer without.
    pub fn cycle(&self, kind: &FieldKind) -> Option<Cycle> {
        match (self, kind) {
            (ValueSet::Numbers(set), FieldKind::Calendar(calendar)) => {
                Cycle::of(&calendar.format, &kind.domain()?, set)
            }
            _ => None,
        }
    }

    /// How many of the listed values of the field the set holds; `None` where the file lists none.
    pub(crate) fn listed_count(&self, kind: &FieldKind) -> Option<usize> {
        match (self, kind) {
            (ValueSet::Text(set), FieldKind::Text(TextField { values: Some(values), .. })) => {
                Some(count_listed(values, set))
            }
            _ => None,
        }
    }

    /// All values of the set in ascending order, when they can be counted and are at most `limit`.
    pub fn points(&self, kind: &FieldKind, limit: usize) -> Option<Vec<Value>> {
        match (self, kind) {
            (ValueSet::Numbers(set), _) => number_points(set, limit),
            (ValueSet::Text(set), FieldKind::Text(field)) => text_points(set, field, kind, limit),
            _ => None,
        }
    }
}

fn number_points(set: &IntervalSet<i128>, limit: usize) -> Option<Vec<Value>> {
    let limit = i128::try_from(limit).unwrap_or(i128::MAX);
    let mut count = 0;
    for interval in set.intervals() {
        count += interval.stop?.checked_sub(interval.start)?;
        if count > limit {
            return None;
        }
    }
    let numbers =
        set.intervals().iter().flat_map(|interval| interval.start..interval.stop.unwrap_or(interval.start));
    numbers.map(|number| i64::try_from(number).ok().map(Value::Number)).collect()
}

fn text_points(
    set: &IntervalSet<Vec<u8>>,
    field: &TextField,
    kind: &FieldKind,
    limit: usize,
) -> Option<Vec<Value>> {
    if let Some(values) = &field.values {
        let inside = set.intervals().iter().flat_map(|interval| values.stored_in(interval));
        let all = || inside.map(|(_, value)| Value::Text(value.to_string())).collect();
        return (count_listed(values, set) <= limit).then(all);
    }
    let stored = match field.width.and_then(|width| Strings::new(&field.chars, width)) {
        Some(strings) => strings_in(&strings, set, limit)?,
        None if set.intervals().len() > limit => return None,
        None => {
            let texts = set.intervals().iter().map(|interval| at_most_one_text(interval, field));
            texts.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect()
        }
    };
    // No row has a text that violates the declaration of the field.
    Some(stored.into_iter().filter_map(|bytes| kind.value_compared(&bytes).ok()).collect())
}

fn count_listed(values: &ListedValues, set: &IntervalSet<Vec<u8>>) -> usize {
    set.intervals().iter().map(|interval| values.stored_in(interval).len()).sum()
}

/// Whether a text of the field lies in an interval; `strings` are its texts where they have one width and plain characters.
fn may_hold_text(interval: &Interval<Vec<u8>>, field: &TextField, strings: Option<&Strings>) -> bool {
    if let Some(values) = &field.values {
        return values.stored_in(interval).len() > 0;
    }
    let least = match strings {
        Some(strings) => strings.not_below(&interval.start),
        None if field.width.is_some() => {
            return match at_most_one_text(interval, field) {
                Some(text) => text.is_some_and(|text| field.width == Some(text.len())),
                None => true,
            };
        }
        None if field.chars.is_ascii() => least_text(&field.chars, &interval.start),
        None => return true,
    };
    least.is_some_and(|least| interval.contains(&least))
}

fn strings_in(strings: &Strings, set: &IntervalSet<Vec<u8>>, limit: usize) -> Option<Vec<Vec<u8>>> {
    let limit = limit.min(MAX_LISTED_BYTES / strings.width.max(1));
    let mut found = Vec::new();
    for interval in set.intervals() {
        let mut next = strings.not_below(&interval.start);
        while let Some(string) = next.filter(|string| interval.contains(string)) {
            if found.len() == limit {
                return None;
            }
            next = strings.next(&string);
            found.push(string);
        }
    }
    Some(found)
}

/// The text of an interval that can hold one at most; `None` where it may hold more.
fn at_most_one_text(interval: &Interval<Vec<u8>>, field: &TextField) -> Option<Option<Vec<u8>>> {
    let start = interval.start.as_slice();
    let stop = interval.stop.as_ref()?;
    if *stop == key_successor(start) {
        return Some(Some(start.to_vec()));
    }
    // Texts of one width that share all their bytes are one text, unless the interval begins after it.
    let text = start.get(..field.width?)?;
    let ends_with_it = prefix_successor(text).is_some_and(|after| *stop <= after);
    ends_with_it.then(|| (text == start).then(|| start.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::chars::Chars;
    use crate::key::text_form::TextForm;

    fn text(width: Option<usize>, chars: &str, values: Option<Vec<&str>>, reverse: bool) -> FieldKind {
        FieldKind::Text(TextField {
            width,
            chars: Chars::parse(chars).unwrap(),
            values: values
                .map(|values| ListedValues::new(values.into_iter().map(String::from).collect(), reverse)),
            reverse,
            nullable: false,
            form: TextForm::default(),
        })
    }

    fn texts(values: &[&str]) -> Option<Vec<Value>> {
        Some(values.iter().map(|text| Value::Text((*text).into())).collect())
    }

    #[test]
    fn intervals_without_a_text_are_left_out() {
        let prefixes = |texts: &[&str]| {
            ValueSet::Text(
                texts
                    .iter()
                    .map(|text| KeyRange::prefix(text.as_bytes().to_vec()))
                    .collect::<Vec<_>>()
                    .into(),
            )
        };
        let digits = text(Some(5), "digits", None, false);
        assert_eq!(prefixes(&["12", "ab"]).possible(&digits), prefixes(&["12"]));
        assert!(prefixes(&["123456", "ab", ":"]).possible(&digits).is_empty());
        let free = text(None, "[a-c]", None, false);
        assert_eq!(prefixes(&["abcabc", "abd", "A"]).possible(&free), prefixes(&["abcabc"]));
        let two_bytes = text(Some(2), "utf8", None, false);
        assert_eq!(prefixes(&["é", "abc"]).possible(&two_bytes), prefixes(&["é"]));
        assert!(ValueSet::one_text(Vec::new()).possible(&two_bytes).is_empty());
        let listed = text(None, "utf8", Some(vec!["us", "cn"]), false);
        assert_eq!(prefixes(&["c", "e"]).possible(&listed), prefixes(&["c"]));
    }

    #[test]
    fn points_of_text() {
        let free = text(None, "utf8", None, false);
        let set = ValueSet::one_text(b"b".to_vec()).union(&ValueSet::one_text(b"a".to_vec()));
        assert_eq!(set.points(&free, 2), texts(&["a", "b"]));
        assert_eq!(set.points(&free, 1), None);
        assert_eq!(ValueSet::all(&free).points(&free, 100), None);

        let wide = text(Some(2), "[a-z]", None, false);
        let prefix = ValueSet::Text(IntervalSet::from_intervals(vec![KeyRange::prefix(b"ab".to_vec())]));
        assert_eq!(prefix.points(&wide, 1), texts(&["ab"]));

        let listed = text(None, "utf8", Some(vec!["us", "cn"]), false);
        assert_eq!(ValueSet::all(&listed).points(&listed, 9), texts(&["cn", "us"]));

        let reversed = text(Some(2), "[ab]", None, true);
        assert_eq!(ValueSet::all(&reversed).points(&reversed, 9), texts(&["aa", "ba", "ab", "bb"]));
    }
}

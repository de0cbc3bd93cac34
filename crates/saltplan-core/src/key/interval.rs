//! Sets of half-open intervals over any ordered type, used for value sets and key ranges.
//!
//! Every constructor keeps the invariant that intervals are non-empty, sorted, disjoint and not adjacent. So
//! two sets with the same values are equal.

use std::cmp::Ordering;

/// An ordered type with a smallest value.
pub trait Ordered: Ord + Clone {
    fn least() -> Self;
}

impl Ordered for i128 {
    fn least() -> Self {
        i128::MIN
    }
}

impl Ordered for Vec<u8> {
    fn least() -> Self {
        Vec::new()
    }
}

/// `[start, stop)`; without `stop` it is unbounded above.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Interval<T> {
    pub start: T,
    pub stop: Option<T>,
}

impl<T: Ordered> Interval<T> {
    pub fn new(start: T, stop: Option<T>) -> Self {
        Interval { start, stop }
    }

    pub fn is_empty(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| *stop <= self.start)
    }

    pub fn contains(&self, value: &T) -> bool {
        self.start <= *value && self.stop.as_ref().is_none_or(|stop| value < stop)
    }
}

/// Compares two stops; the unbounded one is the greatest.
pub fn compare_stops<T: Ord>(a: &Option<T>, b: &Option<T>) -> Ordering {
    (a.is_none(), a).cmp(&(b.is_none(), b))
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IntervalSet<T>(Vec<Interval<T>>);

impl<T: Ordered> IntervalSet<T> {
    pub fn empty() -> Self {
        IntervalSet(Vec::new())
    }

    pub fn all() -> Self {
        IntervalSet(vec![Interval::new(T::least(), None)])
    }

    /// `[start, stop)`, empty if `stop <= start`.
    pub fn range(start: T, stop: Option<T>) -> Self {
        Self::from_intervals(vec![Interval::new(start, stop)])
    }

    /// Builds a set from intervals in any order, which may overlap or be empty.
    pub fn from_intervals(mut intervals: Vec<Interval<T>>) -> Self {
        intervals.retain(|interval| !interval.is_empty());
        intervals.sort_unstable();
        let mut merged: Vec<Interval<T>> = Vec::with_capacity(intervals.len());
        for interval in intervals {
            match merged.last_mut() {
                Some(last) if last.stop.as_ref().is_none_or(|stop| interval.start <= *stop) => {
                    if compare_stops(&interval.stop, &last.stop).is_gt() {
                        last.stop = interval.stop;
                    }
                }
                _ => merged.push(interval),
            }
        }
        IntervalSet(merged)
    }

    pub fn intervals(&self) -> &[Interval<T>] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn contains(&self, value: &T) -> bool {
        let after = self.0.partition_point(|interval| interval.start <= *value);
        after > 0 && self.0[after - 1].contains(value)
    }

    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self::union_of([self, other])
    }

    /// The union of any number of sets.
    pub(crate) fn union_of<'s>(sets: impl IntoIterator<Item = &'s Self>) -> Self
    where
        T: 's,
    {
        Self::from_intervals(sets.into_iter().flat_map(|set| set.0.iter().cloned()).collect())
    }

    /// The intersection of any number of sets.
    pub(crate) fn intersection_of<'s>(sets: impl IntoIterator<Item = &'s Self>) -> Self
    where
        T: 's,
    {
        let gaps: Vec<Self> = sets.into_iter().map(Self::complement).collect();
        Self::union_of(&gaps).complement()
    }

    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        let (mut i, mut j) = (0, 0);
        let mut common = Vec::new();
        while let (Some(a), Some(b)) = (self.0.get(i), other.0.get(j)) {
            let start = (&a.start).max(&b.start);
            let is_first_to_end = compare_stops(&a.stop, &b.stop).is_le();
            let stop = if is_first_to_end { &a.stop } else { &b.stop };
            if stop.as_ref().is_none_or(|stop| start < stop) {
                common.push(Interval::new(start.clone(), stop.clone()));
            }
            if is_first_to_end {
                i += 1;
            } else {
                j += 1;
            }
        }
        IntervalSet(common)
    }

    #[must_use]
    pub fn complement(&self) -> Self {
        let mut gaps = Vec::with_capacity(self.0.len() + 1);
        let mut start = Some(T::least());
        for interval in &self.0 {
            if let Some(from) = start {
                gaps.push(Interval::new(from, Some(interval.start.clone())));
            }
            start = interval.stop.clone();
        }
        if let Some(from) = start {
            gaps.push(Interval::new(from, None));
        }
        gaps.retain(|interval| !interval.is_empty());
        IntervalSet(gaps)
    }

    #[must_use]
    pub(crate) fn subtract(&self, other: &Self) -> Self {
        self.intersect(&other.complement())
    }

    /// The part, widened: if an interval of the set contains several intervals of the part, the whole
    /// interval is taken.
    #[must_use]
    pub fn around(&self, part: &Self) -> Self {
        let mut rest = part.intervals();
        let mut taken = Vec::with_capacity(rest.len());
        while let Some(first) = rest.first() {
            let behind = self.0.partition_point(|interval| interval.start <= first.start);
            let Some(around) = behind.checked_sub(1).and_then(|at| self.0.get(at)) else {
                debug_assert!(false, "a part of the set");
                return self.clone();
            };
            let is_inside = |interval: &Interval<T>| around.contains(&interval.start);
            let (inside, others) = rest.split_at(rest.partition_point(is_inside).max(1));
            taken.extend_from_slice(if inside.len() > 1 { std::slice::from_ref(around) } else { inside });
            rest = others;
        }
        Self::from_intervals(taken)
    }

    /// The set with every bound mapped by an order-preserving function.
    #[must_use]
    pub fn map(&self, bound: impl Fn(T) -> T) -> Self {
        let intervals = self.0.iter().cloned();
        Self::from_intervals(intervals.map(|i| Interval::new(bound(i.start), i.stop.map(&bound))).collect())
    }

    pub fn is_subset(&self, other: &Self) -> bool {
        self.subtract(other).is_empty()
    }
}

impl<T: Ordered> From<Vec<Interval<T>>> for IntervalSet<T> {
    fn from(intervals: Vec<Interval<T>>) -> Self {
        Self::from_intervals(intervals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const UNIVERSE: std::ops::Range<i128> = 0..24;

    fn naive(set: &IntervalSet<i128>) -> BTreeSet<i128> {
        UNIVERSE.filter(|value| set.contains(value)).collect()
    }

    fn sets() -> impl Strategy<Value = IntervalSet<i128>> {
        let interval = (UNIVERSE, prop::option::of(UNIVERSE)).prop_map(|(a, b)| Interval::new(a, b));
        prop::collection::vec(interval, 0..5).prop_map(IntervalSet::from_intervals)
    }

    fn invariant(set: &IntervalSet<i128>) -> bool {
        set.0.iter().all(|interval| !interval.is_empty())
            && set.0.windows(2).all(|pair| pair[0].stop.is_some_and(|stop| stop < pair[1].start))
    }

    proptest! {
        #[test]
        fn agrees_with_a_naive_set(a in sets(), b in sets()) {
            let (x, y) = (naive(&a), naive(&b));
            for (set, expected) in [
                (a.union(&b), x.union(&y).copied().collect::<BTreeSet<_>>()),
                (a.intersect(&b), x.intersection(&y).copied().collect()),
                (IntervalSet::union_of([&a, &b, &a]), x.union(&y).copied().collect()),
                (IntervalSet::intersection_of([&a, &b, &a]), x.intersection(&y).copied().collect()),
                (a.subtract(&b), x.difference(&y).copied().collect()),
                (a.complement(), UNIVERSE.filter(|v| !x.contains(v)).collect()),
            ] {
                prop_assert!(invariant(&set), "{set:?}");
                prop_assert_eq!(naive(&set), expected);
            }
            prop_assert_eq!(a.complement().complement(), a.clone());
            prop_assert_eq!(a.is_subset(&b), a.subtract(&b).is_empty());
            let part = a.intersect(&b);
            let around = a.around(&part);
            prop_assert!(invariant(&around) && part.is_subset(&around) && around.is_subset(&a));
            let inside = |set: &IntervalSet<i128>, run: &Interval<i128>| {
                set.intersect(&vec![run.clone()].into())
            };
            for run in a.intervals() {
                let pieces = inside(&part, run);
                let wanted = if pieces.0.len() > 1 { vec![run.clone()].into() } else { pieces };
                prop_assert_eq!(inside(&around, run), wanted);
            }
        }
    }
}

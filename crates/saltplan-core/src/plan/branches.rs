//! Disjoint branches from ranges that may overlap: the boxes of an OR can share rows, and UNION ALL would double
//! them.

use std::collections::BTreeSet;

use crate::key::interval::compare_stops;
use crate::key::range::KeyRange;

/// A conjunction of clauses, by id, ascending. An empty one is true.
pub type Conjunction = Vec<usize>;

/// What rows of a branch must satisfy besides lying in its range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// At least one of the conjunctions; none of them is empty or holds another one.
    AnyOf(BTreeSet<Conjunction>),
    Nothing,
    /// The whole predicate: the range was widened.
    Everything,
}

/// A range with the conditions of the box that it comes from.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub range: KeyRange,
    pub clauses: Conjunction,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disjoint {
    pub range: KeyRange,
    pub check: Check,
}

/// Cuts candidates at each other's ends, joins the conditions of those that share a piece, and merges neighbours
/// with equal conditions. The answer is sorted and disjoint.
pub fn disjoint(candidates: &[Candidate]) -> Vec<Disjoint> {
    let mut by_start: Vec<&Candidate> =
        candidates.iter().filter(|candidate| !candidate.range.is_empty()).collect();
    by_start.sort_by(|a, b| a.range.start.cmp(&b.range.start));
    let mut pieces: Vec<Disjoint> = Vec::with_capacity(by_start.len());
    let mut active: Vec<&Candidate> = Vec::new();
    let mut waiting = by_start.into_iter().peekable();
    let mut at: Vec<u8> = Vec::new();
    loop {
        if active.is_empty() {
            let Some(next) = waiting.peek() else { break };
            at.clone_from(&next.range.start);
        }
        while let Some(next) = waiting.next_if(|next| next.range.start == at) {
            active.push(next);
        }
        let first_stop =
            active.iter().map(|candidate| &candidate.range.stop).min_by(|a, b| compare_stops(a, b));
        let next_start = waiting.peek().map(|next| next.range.start.clone());
        let stop = match (first_stop.cloned().flatten(), next_start) {
            (Some(stop), Some(start)) => Some(stop.min(start)),
            (stop, start) => stop.or(start),
        };
        push_merged(&mut pieces, KeyRange::new(at.clone(), stop.clone()), check_of(&active));
        let Some(stop) = stop else { break };
        active.retain(|candidate| candidate.range.stop.as_ref().is_none_or(|end| *end > stop));
        at = stop;
    }
    pieces
}

fn check_of(active: &[&Candidate]) -> Check {
    let mut conjunctions: BTreeSet<Conjunction> = BTreeSet::new();
    for candidate in active {
        if candidate.clauses.is_empty() {
            return Check::Nothing;
        }
        conjunctions.insert(candidate.clauses.clone());
    }
    // `a OR (a AND b)` is `a`. Past a few arms the search costs more than the words it saves.
    if conjunctions.len() <= 64 {
        let all = conjunctions.clone();
        conjunctions.retain(|long| {
            !all.iter().any(|short| short != long && short.iter().all(|id| long.contains(id)))
        });
    }
    Check::AnyOf(conjunctions)
}

fn push_merged(pieces: &mut Vec<Disjoint>, range: KeyRange, check: Check) {
    match pieces.last_mut() {
        Some(last) if last.range.stop.as_ref() == Some(&range.start) && last.check == check => {
            last.range.stop = range.stop;
        }
        _ => pieces.push(Disjoint { range, check }),
    }
}

/// Joins neighbours until at most `limit` (at least one) branches are left. A joined branch reaches over the gaps
/// between its parts, so its rows are checked against the whole predicate.
pub fn widen(branches: Vec<Disjoint>, limit: usize) -> Vec<Disjoint> {
    let limit = limit.max(1);
    if branches.len() <= limit {
        return branches;
    }
    let count = branches.len();
    (0..limit)
        .map(|chunk| &branches[chunk * count / limit..(chunk + 1) * count / limit])
        .filter_map(|chunk| match chunk {
            [only] => Some(only.clone()),
            [first, .., last] => Some(Disjoint {
                range: KeyRange::new(first.range.start.clone(), last.range.stop.clone()),
                check: Check::Everything,
            }),
            [] => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn candidates() -> impl Strategy<Value = Vec<Candidate>> {
        let one = (0u8..12, prop::option::of(0u8..12), prop::collection::vec(0usize..3, 0..3)).prop_map(
            |(start, stop, mut clauses)| {
                clauses.sort_unstable();
                clauses.dedup();
                Candidate { range: KeyRange::new(vec![start], stop.map(|stop| vec![stop])), clauses }
            },
        );
        prop::collection::vec(one, 0..6)
    }

    /// Whether a key with these true clauses is accepted.
    fn accepted(range: &KeyRange, conjunctions: &[Conjunction], key: u8, holds: &[bool; 3]) -> bool {
        range.contains(&vec![key]) && conjunctions.iter().any(|clauses| clauses.iter().all(|id| holds[*id]))
    }

    proptest! {
        #[test]
        fn every_row_is_in_one_branch_at_most(candidates in candidates(), key in 0u8..14, holds: [bool; 3]) {
            let expected = candidates.iter().any(|c| accepted(&c.range, std::slice::from_ref(&c.clauses), key, &holds));
            let branches = disjoint(&candidates);
            let hits = branches.iter().filter(|branch| match &branch.check {
                Check::Nothing => branch.range.contains(&vec![key]),
                Check::AnyOf(any) => accepted(&branch.range, &any.iter().cloned().collect::<Vec<_>>(), key, &holds),
                Check::Everything => false,
            });
            prop_assert_eq!(hits.count(), usize::from(expected), "{:?}", branches);
            for pair in branches.windows(2) {
                prop_assert!(pair[0].range.stop.as_ref().is_some_and(|stop| *stop <= pair[1].range.start));
            }
            for limit in 1..4 {
                let widened = widen(branches.clone(), limit);
                prop_assert!(widened.len() <= limit.max(1));
                let inside = widened.iter().filter(|branch| branch.range.contains(&vec![key])).count();
                prop_assert!(inside <= 1 && inside >= usize::from(expected));
            }
        }
    }
}

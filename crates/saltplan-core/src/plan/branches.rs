//! Disjoint branches from ranges that may overlap. The boxes of an OR can share rows, which a UNION ALL would
//! return twice.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::clauses::{Clauses, ConjunctionId, TRUE};
use crate::key::interval::compare_stops;
use crate::key::range::KeyRange;

/// The maximum number of operands that the checks of all branches name. Beyond that a check is the whole
/// predicate.
const MAX_ARMS: usize = 1 << 20;

/// With more operands in one check, searching for redundant ones costs more than it saves.
const MAX_COMPARED: usize = 64;

/// What the rows of a branch must satisfy besides being in its range.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum BranchCheck {
    /// At least one of these conjunctions; none is empty or contains another one.
    AnyOf(BTreeSet<ConjunctionId>),
    Nothing,
    /// The whole predicate.
    Everything,
}

/// A range with the conditions of its box.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub range: KeyRange,
    /// The conditions that the range does not imply.
    pub(crate) unproved: ConjunctionId,
    /// All conditions of the box.
    pub all: ConjunctionId,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Disjoint {
    pub range: KeyRange,
    pub check: BranchCheck,
    /// All conditions of the boxes whose ranges touch this one; `None` means the whole predicate.
    pub arms: Option<BTreeSet<ConjunctionId>>,
}

/// Builds checks that are no longer than the predicate.
#[derive(Debug)]
pub(crate) struct Checker<'a> {
    pub(crate) clauses: &'a Clauses,
    /// The length of the predicate's text.
    pub(crate) whole_bytes: usize,
    arms_left: usize,
}

impl<'a> Checker<'a> {
    pub fn new(clauses: &'a Clauses, whole_bytes: usize) -> Self {
        Checker { clauses, whole_bytes, arms_left: MAX_ARMS }
    }

    /// Splits candidates at each other's bounds, combines the conditions of those that share a part, and
    /// merges neighbours with equal conditions. The result is sorted and disjoint.
    pub fn disjoint(&mut self, candidates: &[&Candidate]) -> Vec<Disjoint> {
        let mut by_start: Vec<&Candidate> =
            candidates.iter().copied().filter(|candidate| !candidate.range.is_empty()).collect();
        by_start.sort_by(|a, b| a.range.start.cmp(&b.range.start));
        let mut pieces: Vec<Disjoint> = Vec::with_capacity(by_start.len());
        let mut active = Active::default();
        let mut waiting = by_start.into_iter().peekable();
        let mut at: Vec<u8> = Vec::new();
        loop {
            if active.is_empty() {
                let Some(next) = waiting.peek() else { break };
                at.clone_from(&next.range.start);
            }
            while let Some(next) = waiting.next_if(|next| next.range.start == at) {
                active.enter(next);
            }
            let next_start = waiting.peek().map(|next| next.range.start.clone());
            let stop = match (active.first_stop(), next_start) {
                (Some(stop), Some(start)) => Some(stop.min(start)),
                (stop, start) => stop.or(start),
            };
            let piece = self.piece(KeyRange::new(at.clone(), stop.clone()), &active);
            let touches = |last: &Disjoint| last.range.stop.as_ref() == Some(&at);
            push_merged(&mut pieces, piece, touches);
            let Some(stop) = stop else { break };
            active.leave(&stop);
            at = stop;
        }
        pieces
    }

    fn piece(&mut self, range: KeyRange, active: &Active<'_>) -> Disjoint {
        let arms = self.named(&active.all);
        let check = if active.unproved.contains_key(&TRUE) {
            BranchCheck::Nothing
        } else {
            self.named(&active.unproved).map_or(BranchCheck::Everything, |any| self.check_of(any))
        };
        Disjoint { range, check, arms }
    }

    fn named(&mut self, active: &BTreeMap<ConjunctionId, usize>) -> Option<BTreeSet<ConjunctionId>> {
        self.arms_left = self.arms_left.checked_sub(active.len())?;
        Some(active.keys().copied().collect())
    }

    /// The check for a disjunction of conjunctions, or the whole predicate if that is shorter.
    fn check_of(&self, mut any: BTreeSet<ConjunctionId>) -> BranchCheck {
        if any.contains(&TRUE) {
            return BranchCheck::Nothing;
        }
        if any.len() <= MAX_COMPARED {
            // `a OR (a AND b)` is `a`.
            let all = any.clone();
            any.retain(|long| !all.iter().any(|short| short != long && self.says_less(*short, *long)));
        }
        let check = BranchCheck::AnyOf(any);
        // A product of ORs that is multiplied out can be orders of magnitude longer than the predicate.
        if self.bytes(&check) > 2 * self.whole_bytes + 64 { BranchCheck::Everything } else { check }
    }

    /// Whether every clause of one conjunction is in the other one.
    fn says_less(&self, short: ConjunctionId, long: ConjunctionId) -> bool {
        let (short, long) = (self.clauses.of_conjunction(short), self.clauses.of_conjunction(long));
        short.len() < long.len() && short.iter().all(|id| long.binary_search(id).is_ok())
    }

    /// The approximate length of the text of a check.
    pub fn bytes(&self, check: &BranchCheck) -> usize {
        match check {
            BranchCheck::Nothing => 0,
            BranchCheck::Everything => self.whole_bytes,
            BranchCheck::AnyOf(any) => any.iter().map(|id| self.clauses.conjunction_bytes(*id)).sum(),
        }
    }

    /// Merges neighbours with equal conditions if `is_gap` says that no key lies between them.
    pub(crate) fn without_gaps(
        branches: &[Disjoint],
        is_gap: impl Fn(&[u8], &[u8]) -> bool,
    ) -> Vec<Disjoint> {
        let mut merged: Vec<Disjoint> = Vec::with_capacity(branches.len());
        for next in branches {
            let touches = |last: &Disjoint| match &last.range.stop {
                Some(stop) => is_gap(stop, &next.range.start),
                None => false,
            };
            push_merged(&mut merged, next.clone(), touches);
        }
        merged
    }

    /// Merges neighbours until at most `limit` (at least one) branches are left. A merged branch covers the
    /// gaps between its parts, so its rows are checked against all conditions of the boxes that it touches.
    pub fn widened(&self, branches: &[Disjoint], limit: usize) -> Vec<Disjoint> {
        let limit = limit.max(1);
        if branches.len() <= limit {
            return branches.to_vec();
        }
        let count = branches.len();
        let chunks = (0..limit).map(|chunk| &branches[chunk * count / limit..(chunk + 1) * count / limit]);
        chunks.filter_map(|chunk| self.joined(chunk)).collect()
    }

    fn joined(&self, chunk: &[Disjoint]) -> Option<Disjoint> {
        let (first, last) = match chunk {
            [] => return None,
            [only] => return Some(only.clone()),
            [first, .., last] => (first, last),
        };
        let arms = chunk.iter().try_fold(BTreeSet::new(), |mut arms, part| {
            arms.extend(part.arms.as_ref()?);
            Some(arms)
        });
        Some(Disjoint {
            range: KeyRange::new(first.range.start.clone(), last.range.stop.clone()),
            check: arms.clone().map_or(BranchCheck::Everything, |arms| self.check_of(arms)),
            arms,
        })
    }
}

/// The candidates that contain the current position of a sweep over the keys.
#[derive(Default)]
struct Active<'a> {
    /// Ordered by stop row, the next one first; no stop row comes last.
    stops: BinaryHeap<Reverse<OpenRange<'a>>>,
    unproved: BTreeMap<ConjunctionId, usize>,
    all: BTreeMap<ConjunctionId, usize>,
}

#[derive(PartialEq, Eq)]
struct OpenRange<'a> {
    at: &'a Option<Vec<u8>>,
    unproved: ConjunctionId,
    all: ConjunctionId,
}

impl Ord for OpenRange<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        compare_stops(self.at, other.at)
            .then_with(|| (self.unproved, self.all).cmp(&(other.unproved, other.all)))
    }
}

impl PartialOrd for OpenRange<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<'a> Active<'a> {
    fn is_empty(&self) -> bool {
        self.stops.is_empty()
    }

    fn first_stop(&self) -> Option<Vec<u8>> {
        self.stops.peek().and_then(|Reverse(first)| first.at.clone())
    }

    fn enter(&mut self, candidate: &'a Candidate) {
        let Candidate { range, unproved, all } = candidate;
        *self.unproved.entry(*unproved).or_default() += 1;
        *self.all.entry(*all).or_default() += 1;
        self.stops.push(Reverse(OpenRange { at: &range.stop, unproved: *unproved, all: *all }));
    }

    /// Removes candidates that end at or before a stop row.
    fn leave(&mut self, stop: &[u8]) {
        while let Some(Reverse(first)) = self.stops.peek() {
            if first.at.as_deref().is_none_or(|at| at > stop) {
                return;
            }
            drop_one(&mut self.unproved, first.unproved);
            drop_one(&mut self.all, first.all);
            self.stops.pop();
        }
    }
}

fn drop_one(counts: &mut BTreeMap<ConjunctionId, usize>, conjunction: ConjunctionId) {
    if let Some(count) = counts.get_mut(&conjunction) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&conjunction);
        }
    }
}

/// Adds a piece; it becomes a part of the last one if that `touches` it and has the same check.
fn push_merged(pieces: &mut Vec<Disjoint>, piece: Disjoint, touches: impl Fn(&Disjoint) -> bool) {
    match pieces.last_mut() {
        Some(last) if last.check == piece.check && touches(last) => {
            last.range.stop = piece.range.stop;
            last.arms = match (last.arms.take(), piece.arms) {
                (Some(mut arms), Some(more)) => {
                    arms.extend(more);
                    Some(arms)
                }
                _ => None,
            };
        }
        _ => pieces.push(piece),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::bind::{Setting, TypedColumns, bind};
    use crate::analyze::{Checked, Constraint, Meaning};
    use crate::plan::key_box::{Clause, ClauseId};
    use proptest::prelude::*;
    use saltplan_document::diag::Span;
    use saltplan_sql::ast::Expr;

    /// Ranges with some of three conditions; conditions that a range implies are left out of its check.
    fn candidates() -> impl Strategy<Value = Vec<(KeyRange, BTreeSet<usize>, BTreeSet<usize>)>> {
        let clauses = prop::collection::btree_set(0usize..3, 0..3);
        let one = (0u8..12, prop::option::of(0u8..12), clauses.clone(), clauses).prop_map(
            |(start, stop, unproved, implied)| {
                let all = unproved.union(&implied).copied().collect();
                (KeyRange::new(vec![start], stop.map(|stop| vec![stop])), unproved, all)
            },
        );
        prop::collection::vec(one, 0..6)
    }

    fn three_clauses() -> Clauses {
        let clause = |name: &str| {
            let column = Expr::column(name);
            let bound = bind(&column.clone().into(), &TypedColumns::default(), Setting::Predicate);
            let checked = Meaning::Checked(Checked::unknown(bound));
            Clause { field: None, constraint: Constraint::condition(checked, column, Span::default()) }
        };
        Clauses::new(["a", "b", "c"].map(clause).to_vec())
    }

    /// The conditions that a range implies are true for its keys.
    fn accepted(range: &KeyRange, clauses: &BTreeSet<usize>, key: u8, holds: [bool; 3]) -> bool {
        range.contains(&vec![key]) && clauses.iter().all(|id| holds[*id])
    }

    proptest! {
        #[test]
        fn every_row_is_in_one_branch_at_most(given in candidates(), key in 0u8..14, holds: [bool; 3]) {
            let mut clauses = three_clauses();
            let candidates: Vec<Candidate> = given
                .iter()
                .map(|(range, unproved, all)| Candidate {
                    range: range.clone(),
                    unproved: clauses.conjunction(unproved.iter().map(|id| ClauseId(*id)).collect()),
                    all: clauses.conjunction(all.iter().map(|id| ClauseId(*id)).collect()),
                })
                .collect();
            let mut checker = Checker::new(&clauses, 1_000);
            let branches = checker.disjoint(&candidates.iter().collect::<Vec<_>>());
            let says = |any: &BTreeSet<ConjunctionId>| {
                any.iter().any(|conjunction| clauses.of_conjunction(*conjunction).iter().all(|id| holds[id.0]))
            };
            let yields = |branch: &Disjoint| {
                branch.range.contains(&vec![key]) && match &branch.check {
                    BranchCheck::Nothing => true,
                    BranchCheck::AnyOf(any) => says(any),
                    BranchCheck::Everything => false,
                }
            };
            let expected = given.iter().any(|(range, unproved, _)| accepted(range, unproved, key, holds));
            prop_assert_eq!(branches.iter().filter(|branch| yields(branch)).count(), usize::from(expected), "{:?}", branches);
            for pair in branches.windows(2) {
                prop_assert!(pair[0].range.stop.as_ref().is_some_and(|stop| *stop <= pair[1].range.start));
            }
            // A merged range contains keys of the gaps, so all conditions of its boxes are checked.
            let in_full = given.iter().any(|(range, _, all)| accepted(range, all, key, holds));
            for limit in 1..4 {
                let widened = checker.widened(&branches, limit);
                prop_assert!(widened.len() <= limit);
                prop_assert!(widened.iter().filter(|branch| branch.range.contains(&vec![key])).count() <= 1);
                let yielded = widened.iter().any(yields);
                prop_assert!(yielded || !in_full, "{:?}", widened);
            }
        }
    }
}

//! The conditions of boxes as numbered clauses, and conjunctions of them, so that branches are compared by
//! numbers and not by text.

use std::collections::{BTreeMap, HashMap};

use super::key_box::{Clause, ClauseId};
use crate::analyze::Constraint;

/// Position of a conjunction in [`Clauses`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ConjunctionId(usize);

/// The conjunction of no clauses: true.
pub const TRUE: ConjunctionId = ConjunctionId(0);

/// The length that parentheses and a connective add to the text of a clause.
const CONNECTIVE_BYTES: usize = 8;

/// The clauses of a predicate, and the conjunctions of its boxes.
#[derive(Debug, Default)]
pub(crate) struct Clauses {
    clauses: Vec<Worded>,
    /// Clauses that are restricted to the values of a wide range, each with the clauses that it replaces
    /// there.
    parts: BTreeMap<ClauseId, Vec<ClauseId>>,
    /// Each ascending.
    conjunctions: Vec<Vec<ClauseId>>,
    bytes: Vec<usize>,
    known: HashMap<Vec<ClauseId>, ConjunctionId>,
}

#[derive(Debug)]
struct Worded {
    clause: Clause,
    /// The length of its text.
    bytes: usize,
}

impl Worded {
    fn new(clause: Clause) -> Self {
        Worded { bytes: bytes_of(&clause.constraint), clause }
    }
}

impl Clauses {
    pub fn new(clauses: Vec<Clause>) -> Self {
        let clauses = clauses.into_iter().map(Worded::new).collect();
        let mut new = Clauses { clauses, ..Clauses::default() };
        let nothing = new.conjunction(Vec::new());
        debug_assert_eq!(nothing, TRUE);
        new
    }

    pub fn get(&self, id: ClauseId) -> &Clause {
        &self.clauses[id.0].clause
    }

    /// The length of a clause's text.
    pub fn bytes(&self, id: ClauseId) -> usize {
        self.clauses[id.0].bytes
    }

    /// Adds a clause that replaces others in a range, restricted to the values there.
    pub(crate) fn add_part(&mut self, clause: Clause, of: Vec<ClauseId>) -> ClauseId {
        self.clauses.push(Worded::new(clause));
        let id = ClauseId(self.clauses.len() - 1);
        self.parts.insert(id, of);
        id
    }

    /// The clauses of the predicate, without restricted ones.
    pub fn of_predicate(&self) -> impl Iterator<Item = (ClauseId, &Clause)> {
        let all = self.clauses.iter().enumerate().map(|(id, worded)| (ClauseId(id), &worded.clause));
        all.filter(|(id, _)| !self.parts.contains_key(id))
    }

    /// The clauses of the predicate that a clause represents: itself, or those that it replaces.
    pub fn whole(&self, id: ClauseId) -> Vec<ClauseId> {
        self.parts.get(&id).cloned().unwrap_or_else(|| vec![id])
    }

    /// The conjunction of clauses (ascending); without clauses it is [`TRUE`].
    pub fn conjunction(&mut self, clauses: Vec<ClauseId>) -> ConjunctionId {
        if let Some(known) = self.known.get(&clauses) {
            return *known;
        }
        let id = ConjunctionId(self.conjunctions.len());
        self.bytes.push(clauses.iter().map(|id| self.bytes(*id) + CONNECTIVE_BYTES).sum());
        self.known.insert(clauses.clone(), id);
        self.conjunctions.push(clauses);
        id
    }

    pub fn of_conjunction(&self, conjunction: ConjunctionId) -> &[ClauseId] {
        &self.conjunctions[conjunction.0]
    }

    /// The approximate length of the text of a conjunction.
    pub(crate) fn conjunction_bytes(&self, conjunction: ConjunctionId) -> usize {
        self.bytes[conjunction.0]
    }
}

fn bytes_of(constraint: &Constraint) -> usize {
    match constraint {
        Constraint::Condition(condition) => condition.expr.to_string().len(),
        Constraint::All(arms) | Constraint::Any(arms) => {
            arms.iter().map(|arm| bytes_of(arm) + CONNECTIVE_BYTES).sum()
        }
    }
}

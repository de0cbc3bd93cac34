//! What all references of a query block share. It is found once, so that the time is linear in their number.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::conditions::{Name, conjuncts, names};
use crate::rules::{Place, VIRTUAL_COLUMNS};
use crate::skeleton::{Block, Join, JoinKind};
use crate::tokens::Tokens;

/// A condition of a block, about any of its relations.
#[derive(Debug)]
pub struct Candidate {
    pub tokens: Range<usize>,
    pub place: Place,
    pub names: Vec<Name>,
}

#[derive(Debug)]
pub struct BlockFacts<'b> {
    pub block: &'b Block,
    /// The conjuncts of every ON, then those of every WHERE.
    candidates: Vec<Candidate>,
    /// The indices of the conditions with columns behind each alias, in lower case.
    by_alias: BTreeMap<String, Vec<usize>>,
    /// How many relations have a name, in lower case.
    named: BTreeMap<String, usize>,
    /// For each relation the innermost join that can replace its columns with NULLs.
    nulled_by: Vec<Option<usize>>,
    /// Whether each relation is on the right side of a semi or an anti join.
    right_of_semi_join: Vec<bool>,
    /// The first virtual column of Hive.
    pub virtual_column: Option<usize>,
}

impl<'b> BlockFacts<'b> {
    pub fn new(tokens: &Tokens<'_>, block: &'b Block) -> Self {
        let ons =
            block.joins.iter().enumerate().filter_map(|(at, join)| Some((join.on.as_ref()?, Place::On(at))));
        let filters = block
            .arms
            .iter()
            .enumerate()
            .filter_map(|(at, arm)| Some((arm.filter.as_ref()?, Place::Where(at))));
        let parts = ons.chain(filters).flat_map(|(range, place)| {
            conjuncts(tokens, range).into_iter().map(move |tokens| (tokens, place))
        });
        let candidates: Vec<Candidate> = parts
            .map(|(range, place)| Candidate { names: names(tokens, &range), tokens: range, place })
            .collect();
        let mut by_alias: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, candidate) in candidates.iter().enumerate() {
            for name in &candidate.names {
                let Name::Column(parts) = name else { continue };
                let [table, _, ..] = parts.as_slice() else { continue };
                let of_alias = by_alias.entry(tokens.name(*table)).or_default();
                if of_alias.last() != Some(&index) {
                    of_alias.push(index);
                }
            }
        }
        let mut named = BTreeMap::new();
        for token in
            block.relations.iter().filter_map(|relation| relation.alias.or(relation.name.last().copied()))
        {
            *named.entry(tokens.name(token)).or_default() += 1;
        }
        let is_semi = |join: &Join| match join.kind {
            JoinKind::Semi | JoinKind::Anti => join.middle..join.end,
            _ => 0..0,
        };
        let nulled = |join: &Join| match join.kind {
            JoinKind::Left => join.middle..join.end,
            JoinKind::Right => join.first..join.middle,
            JoinKind::Full => join.first..join.end,
            JoinKind::Inner | JoinKind::Semi | JoinKind::Anti => 0..0,
        };
        let is_virtual =
            |at: &usize| tokens.is_name(*at) && VIRTUAL_COLUMNS.contains(&tokens.name(*at).as_str());
        BlockFacts {
            block,
            nulled_by: innermost(block, nulled),
            right_of_semi_join: innermost(block, is_semi).iter().map(Option::is_some).collect(),
            virtual_column: block.tokens.clone().find(is_virtual),
            candidates,
            by_alias,
            named,
        }
    }

    /// The conditions with a column behind an alias, or all of them.
    pub fn candidates(&self, alias: &str, all: bool) -> impl Iterator<Item = &Candidate> {
        let of_alias = self.by_alias.get(alias).filter(|_| !all).into_iter().flatten();
        let all = if all { self.candidates.as_slice() } else { &[] };
        all.iter().chain(of_alias.map(|index| &self.candidates[*index]))
    }

    /// Whether only one relation has a name.
    pub fn is_unique(&self, name: &str) -> bool {
        self.named.get(name) == Some(&1)
    }

    pub fn nulled_by(&self, relation: usize) -> Option<usize> {
        self.nulled_by.get(relation).copied().flatten()
    }

    pub fn is_right_of_semi_join(&self, relation: usize) -> bool {
        self.right_of_semi_join.get(relation) == Some(&true)
    }
}

/// For each relation the first of the joins, from the inside out, that concerns it.
fn innermost(block: &Block, concerns: impl Fn(&Join) -> Range<usize>) -> Vec<Option<usize>> {
    let count = block.relations.len();
    let mut found = vec![None; count];
    // The next relation without a join, at or after each one: joins are nested, so every relation is visited once.
    let mut next: Vec<usize> = (0..=count).collect();
    for (index, join) in block.joins.iter().enumerate() {
        let range = concerns(join);
        let mut at = first_free(&mut next, range.start.min(count));
        while at < range.end.min(count) {
            found[at] = Some(index);
            next[at] = at + 1;
            at = first_free(&mut next, at);
        }
    }
    found
}

/// Follows the links to the next free place, and shortens them.
fn first_free(next: &mut [usize], start: usize) -> usize {
    let mut free = start;
    while next[free] != free {
        free = next[free];
    }
    let mut at = start;
    while next[at] != at {
        at = std::mem::replace(&mut next[at], free);
    }
    free
}

//! From boxes of one salt to key ranges after that salt. The ranges may overlap; each has the conditions that
//! it implies and those that it leaves to check.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::branches::Candidate;
use super::clauses::Clauses;
use super::equalities::is_implied;
use super::key_box::{Clause, ClauseId, KeyBox};
use super::ranges::KeyParts;
use super::salts::SaltedBox;
use super::{Given, MAX_READS};
use crate::analyze::{Constraint, Meaning, ValueSet, words::words_of};
use crate::key::field::{Field, FieldId};
use crate::key::range::KeyRange;
use saltplan_sql::ast::Expr;
use saltplan_sql::rewrite::find;

/// The greatest length (in bytes) of a condition on one field that is checked as it is. From a longer one, a range that covers
/// several values checks only the part about its values. The limit is lower if residuals must be shorter.
const LONG_CONDITION: usize = 512;

/// The ranges of all boxes.
pub(super) struct Candidates {
    /// By box, relative to the end of the salt and its separator.
    pub(crate) of_box: Vec<Vec<Candidate>>,
    pub(crate) clauses: Clauses,
    /// Fields with too many values, so that ranges cover gaps between them.
    pub widened: BTreeSet<FieldId>,
    /// Fields that are not stored in the order of their values.
    pub(crate) unordered: BTreeSet<FieldId>,
}

/// The key ranges after the salt that contain the rows of each box, with its conditions.
pub(super) fn candidates(
    given: &Given<'_>,
    parts: &KeyParts<'_>,
    clauses: Vec<Clause>,
    salted: &[SaltedBox],
) -> Candidates {
    let before =
        given.analysis.runtime.as_ref().map(|runtime| KeyParts::new(&given.schema.key).before(runtime.field));
    let parts = before.as_ref().unwrap_or(parts);
    let mut candidates = Candidates {
        of_box: Vec::with_capacity(salted.len()),
        clauses: Clauses::new(clauses),
        widened: BTreeSet::new(),
        unordered: BTreeSet::new(),
    };
    let limits = limits_of_boxes(parts, salted, given.options.max_branches);
    for (salted, limit) in salted.iter().zip(limits) {
        let of_box = candidates.of_box(given, parts, salted, limit);
        candidates.of_box.push(of_box);
    }
    candidates
}

/// How many ranges each box may have each time it is read, at least 1. What other boxes do not need is left to those that need
/// more.
fn limits_of_boxes(parts: &KeyParts<'_>, salted: &[SaltedBox], max_branches: usize) -> Vec<usize> {
    let most = MAX_READS / salted.len().max(1);
    let reads = salted.iter().map(|salted| salted.reads().max(1));
    let alone: Vec<usize> = reads.clone().map(|reads| (max_branches / reads).clamp(1, most.max(1))).collect();
    if alone.len() == 1 {
        return alone;
    }
    let needed =
        salted.iter().zip(&alone).map(|(salted, limit)| parts.ranges_needed(&salted.key_box, *limit));
    let share = fair_share(&reads.zip(needed).collect::<Vec<_>>(), max_branches);
    alone.into_iter().map(|limit| share.map_or(limit, |share| limit.min(share))).collect()
}

/// The greatest limit, at least 1, with which everything together stays within `total`; `None` if no limit is needed. Each
/// entry of `needed` says how often something is read, and how many ranges it needs each time.
pub(super) fn fair_share(needed: &[(usize, usize)], total: usize) -> Option<usize> {
    let with = |limit: usize| {
        let each = needed.iter().map(|(times, count)| times.saturating_mul(*count.min(&limit)));
        each.fold(0, usize::saturating_add)
    };
    if with(usize::MAX) <= total {
        return None;
    }
    let (mut enough, mut too_many) = (1, total.max(1) + 1);
    while too_many - enough > 1 {
        let middle = enough + (too_many - enough) / 2;
        if with(middle) <= total {
            enough = middle;
        } else {
            too_many = middle;
        }
    }
    Some(enough)
}

/// How often boxes are read: once for every salt that their rows can have.
pub(super) fn reads(salted: &[SaltedBox]) -> usize {
    salted.iter().map(SaltedBox::reads).fold(0, usize::saturating_add)
}

impl Candidates {
    fn of_box(
        &mut self,
        given: &Given<'_>,
        parts: &KeyParts<'_>,
        salted: &SaltedBox,
        limit: usize,
    ) -> Vec<Candidate> {
        let SaltedBox { key_box, computed, .. } = salted;
        let box_ranges = parts.box_ranges(key_box, limit, &self.long_fields(given, key_box));
        self.widened.extend(box_ranges.widened);
        self.unordered.extend(box_ranges.unordered);
        let mut candidates = Vec::new();
        let stored = parts.fields();
        // The part follows each single value of the preceding parts.
        let mut known: BTreeMap<*const ValueSet, Vec<ClauseId>> = BTreeMap::new();
        for group in box_ranges.groups {
            let clauses = match &group.part {
                Some((field, values)) => {
                    let clauses = known.entry(Arc::as_ptr(values));
                    let narrowed = || self.narrowed(given, &key_box.clauses, *field, values);
                    clauses.or_insert_with(narrowed).clone()
                }
                None => key_box.clauses.to_vec(),
            };
            let exact = if group.is_of_one_row { &stored } else { &box_ranges.exact };
            let unproved = self.unproved(given, &clauses, key_box, exact, *computed);
            let unproved = self.clauses.conjunction(unproved);
            let all = self.clauses.conjunction(clauses);
            // HBase has no empty row key.
            let is_cut = given.analysis.runtime.is_some();
            let is_key =
                |range: &KeyRange| is_cut || salted.salts.is_some() || *range != KeyRange::point(Vec::new());
            let ranges = group.ranges.into_iter().filter(is_key);
            candidates.extend(ranges.map(|range| Candidate { range, unproved, all }));
        }
        candidates
    }

    /// Fields whose conditions are too long to repeat in every range.
    fn long_fields(&self, given: &Given<'_>, key_box: &KeyBox) -> BTreeSet<FieldId> {
        let share = given.options.max_residual_bytes / given.options.max_branches;
        let mut bytes: BTreeMap<FieldId, usize> = BTreeMap::new();
        for id in key_box.clauses.iter() {
            if let Some(field) = self.clauses.get(*id).field {
                *bytes.entry(field).or_default() += self.clauses.bytes(*id);
            }
        }
        let is_long = |(_, bytes): &(FieldId, usize)| *bytes > LONG_CONDITION.min(share);
        bytes.into_iter().filter(is_long).map(|(field, _)| field).collect()
    }

    /// The clauses, with those on a single field restricted to some of its values if that can be written.
    fn narrowed(
        &mut self,
        given: &Given<'_>,
        clauses: &[ClauseId],
        field: FieldId,
        values: &ValueSet,
    ) -> Vec<ClauseId> {
        let (of, mut kept): (Vec<ClauseId>, Vec<ClauseId>) =
            clauses.iter().partition(|id| self.clauses.get(**id).field == Some(field));
        match self.part_of(&given.schema.key.fields[field], &of, field, values) {
            Some(part) => {
                kept.push(self.clauses.add_part(part, of));
                kept
            }
            None => clauses.to_vec(),
        }
    }

    fn part_of(
        &self,
        declared: &Field,
        of: &[ClauseId],
        field: FieldId,
        values: &ValueSet,
    ) -> Option<Clause> {
        let Constraint::Condition(condition) = &self.clauses.get(*of.first()?).constraint else {
            return None;
        };
        let is_it = |part: &Expr| matches!(part, Expr::Column(column) if column.name.eq_ignore_ascii_case(&declared.name));
        let Expr::Column(spelled) = find(&condition.expr, is_it)? else { return None };
        let expr = words_of(&declared.kind, spelled, values)?;
        let meaning = Meaning::Tight { field, values: values.clone() };
        let constraint = Constraint::condition(meaning, expr, condition.span);
        Some(Clause { field: Some(field), constraint })
    }

    /// The clauses of a box that its ranges do not imply.
    fn unproved(
        &self,
        given: &Given<'_>,
        clauses: &[ClauseId],
        key_box: &KeyBox,
        exact: &[FieldId],
        computed: bool,
    ) -> Vec<ClauseId> {
        let is_unproved = |id: &ClauseId| match self.clauses.get(*id).field {
            Some(field) if exact.contains(&field) => false,
            Some(field) => !(computed && salt_determines(given, field)),
            None => !is_implied(self.clauses.get(*id), key_box, exact, &given.schema.key),
        };
        clauses.iter().copied().filter(is_unproved).collect()
    }
}

/// Whether the salt alone determines the value of a field that is not stored.
fn salt_determines(given: &Given<'_>, field: FieldId) -> bool {
    let key = &given.schema.key;
    !key.fields[field].stored && key.salt.as_ref().is_some_and(|salt| salt.determines_inputs(&key.fields))
}
